"""Steps that a character climbs.

A surface too steep to stand on is the riser of a step if there is a tread behind it. A tread is flat enough to stand
on, and no higher above the place on which the character stands than `step_height`. Rays look down behind the place of
contact, the first close to it and the last half a body's width farther. So a tread counts before the body is over it,
and only its part next to the riser has to be free.

A round body that leaves a tread stands on its edge, until its lowest point is too far below the tread.

The character is raised by the height of that tread, moved on and let down.

A wall that ends at the feet of a character does not count, such as the toe of a ramp that lies on the floor. It stops
the character only because both have a corner at the same height.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.character.ground_rules import rise_of
from ecs_collide.character.obstacles import NEAR, NOTHING, first_obstacle
from ecs_collide.character.probes import look_along, own_reach, touching_place
from ecs_collide.contours.corner import length
from ecs_collide.kernels.kernel import subroutine

RAYS = 6
"""Number of rays that look for a tread."""
NO_TREAD = -1.0
"""Height of a tread that does not exist."""
FIRST_RAY, FIRST_SKINS = 0.01, 20.0
"""Least distance of the first ray behind the contact, in half widths of the body and in skins."""
EDGE_STEPS = 1.5
"""Depth below a tread to which a body may hang that stands on its edge, in units of `step_height`."""
CLEARANCE = 8.0
"""Height above a step to which a character is raised [skins]."""
FEET_WAYS = 64.0
"""Way ahead that must be free for a character that is raised by the clearance, in clearances."""


class Touch(NamedTuple):
    """A character that touches a surface."""

    x: float
    y: float
    """Place of the character [m]."""
    normal_x: float
    normal_y: float
    """Outward unit normal of the surface."""
    t: float
    """Time of the step."""


@subroutine
def standing_place(character, rules, normal_x, normal_y):
    """Return the place along up at which a character touches a surface, from its centre [m]."""
    _, place, _ = touching_place(character, normal_x, normal_y, rules.up_x, rules.up_y)
    return place


@subroutine
def tread_height(character, rules, floor, touch, ahead_x, ahead_y, foot, most):
    """Return the height [m] above a place of the tread behind a surface that a character touches, else `NO_TREAD`.

    (ahead_x, ahead_y) is a unit vector across up. The place is `foot` [m] along up from the character's centre, and the
    tread at most `most` [m] higher.
    """
    up_x, up_y, skin = rules.up_x, rules.up_y, character.skin
    _, contact, _ = touching_place(character, touch.normal_x, touch.normal_y, ahead_x, ahead_y)
    half = own_reach(character, ahead_x, ahead_y)
    nearest = max(FIRST_RAY * half, FIRST_SKINS * skin)
    down, top = most + NEAR * skin, foot + most
    for number in range(RAYS):
        spread = number / (RAYS - 1.0)
        ahead = contact + nearest + spread * spread * (half - nearest)
        x, y = touch.x + ahead * ahead_x + top * up_x, touch.y + ahead * ahead_y + top * up_y
        fraction, nx, ny, met = look_along(character, floor, x, y, -down * up_x, -down * up_y, touch.t)
        if met != NOTHING and fraction == 0.0:
            return NO_TREAD
        if met != NOTHING and rise_of(rules, nx, ny) >= rules.least_up:
            return most - fraction * down
    return NO_TREAD


@subroutine
def ends_at_feet(character, rules, floor, touch, ahead_x, ahead_y):
    """Return True if a character that touches a wall passes it in a direction once it is raised by a little.

    A round one that touches a corner gains by that only a little way.
    """
    size, lift = length(ahead_x, ahead_y), CLEARANCE * character.skin
    if size == 0.0:
        return False
    way = FEET_WAYS * lift / size
    x, y = touch.x + lift * rules.up_x, touch.y + lift * rules.up_y
    _, nx, ny, met = first_obstacle(character, floor, x, y, way * ahead_x, way * ahead_y, touch.t, touch.t)
    return met == NOTHING or rise_of(rules, nx, ny) >= rules.least_up


@subroutine
def is_on_edge(character, rules, floor, touch):
    """Return True if a character that touches a steep surface stands on the edge of a tread."""
    if rules.step_height == 0.0:
        return False
    rise = rise_of(rules, touch.normal_x, touch.normal_y)
    ahead_x, ahead_y = rise * rules.up_x - touch.normal_x, rise * rules.up_y - touch.normal_y
    size, lowest = length(ahead_x, ahead_y), -own_reach(character, -rules.up_x, -rules.up_y)
    most, ahead_x, ahead_y = EDGE_STEPS * rules.step_height, ahead_x / size, ahead_y / size
    return tread_height(character, rules, floor, touch, ahead_x, ahead_y, lowest, most) >= 0.0


@subroutine
def climb_step(character, rules, floor, touch, move_x, move_y, foot):
    """Return (fraction of the move, x, y, foot) of a character that climbs a step; the fraction is below 0 without one.

    The character touches the step and moves by (move_x, move_y) [m] across up. It stands on a place `foot` [m] along up
    from its centre, before and after.
    """
    x, y, t = touch.x, touch.y, touch.t
    size, skin, up_x, up_y = length(move_x, move_y), character.skin, rules.up_x, rules.up_y
    if size <= 0.0:
        return NO_TREAD, x, y, foot
    ahead_x, ahead_y, most = move_x / size, move_y / size, rules.step_height
    height = tread_height(character, rules, floor, touch, ahead_x, ahead_y, foot, most)
    if height < 0.0:
        return NO_TREAD, x, y, foot
    # Raise it so far that its lowest point passes over the edge.
    height += foot + own_reach(character, -up_x, -up_y) + CLEARANCE * skin
    fraction, _, _, met = first_obstacle(character, floor, x, y, height * up_x, height * up_y, t, t)
    rise = fraction * height - (skin if met != NOTHING else 0.0)
    if rise <= 0.0:
        return NO_TREAD, x, y, foot
    to_x, to_y = x + rise * up_x, y + rise * up_y
    fraction, nx, ny, met = first_obstacle(character, floor, to_x, to_y, move_x, move_y, t, 1.0)
    if fraction * size <= skin:
        return NO_TREAD, x, y, foot
    to_x, to_y = to_x + fraction * move_x, to_y + fraction * move_y
    if met != NOTHING:
        to_x, to_y = to_x + skin * nx, to_y + skin * ny
    down, then = rise + NEAR * skin, t + fraction * (1.0 - t)
    fall, nx, ny, met = first_obstacle(character, floor, to_x, to_y, -down * up_x, -down * up_y, then, then)
    up = rise_of(rules, nx, ny)
    if met == NOTHING or up <= 1e-3:
        return NO_TREAD, x, y, foot
    down = fall * down - skin / up
    return fraction, to_x - down * up_x, to_y - down * up_y, standing_place(character, rules, nx, ny)
