"""Move and slide: the motion of a character in one step.

    depenetrate the character; find the floor that it stands on, which carries it at a velocity u: v = given + u
    if it walks, lead the part of the given velocity across up along the floor
    move it up to the first obstacle, which has there the velocity w and the normal n
    continue with v − ((v − w)·n) n, until the time is used up
    if it walked and did not jump, let it follow the floor down by up to `snap`
    on a floor, keep of v − u the part across up

A surface steeper than `max_slope` is a wall, and one that leans over as far is a ceiling. A steep slope lifts no
character: a character that it would lift meets it as a vertical wall. A character that only falls on a floor stays in
place. In front of a wall, a walking character is raised by up to `step_height`, moved on and let down, if it can stand
there.

A character between two surfaces that both stop it comes to rest. The algorithm is that of Godot's CharacterBody2D and
Rapier's character controller, with two differences. It keeps no gap, and it meets a moving obstacle at its place at
that time instead of at its old place.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ecs_collide.character import ground
from ecs_collide.character.character_rows import MOST_HITS, OUTCOME, SLIDE_HIT, STATE
from ecs_collide.character.floors_and_riders import floor_of
from ecs_collide.character.ground import SMALL, Start, body_of, velocity_at_contact
from ecs_collide.character.ground_rules import rise_of
from ecs_collide.character.obstacles import (
    NEAR,
    NOTHING,
    first_obstacle,
    gap_to,
    is_passable,
)
from ecs_collide.character.probes import middle_of_contact
from ecs_collide.character.riding import velocity_of_carriers
from ecs_collide.character.stairs import CLEARANCE, Touch, climb_step, ends_at_feet, standing_place
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.corner import length
from ecs_collide.kernels.kernel import device, subroutine

DYNAMIC = int(BodyKind.DYNAMIC)
ONE_SURFACE = 0.9998
"""Normals whose dot product exceeds this are those of one surface, which may turn or bend."""


class Plane(NamedTuple):
    """A surface that a character met, as a plane."""

    x: float
    y: float
    """Outward unit normal."""
    place: float
    """Place of the character along the normal when it touched the surface, seen from time 0 [m]."""
    speed: float
    """Speed of the surface along the normal [m/s]."""


NO_PLANE = Plane(x=0.0, y=0.0, place=-inf, speed=0.0)


@device
def plane_of(x, y, normal_x, normal_y, speed, t, dt):
    """Return the plane of a surface that a character at (x, y) touches at a time of the step."""
    place = x * normal_x + y * normal_y - speed * t * dt
    return Plane(x=normal_x, y=normal_y, place=place, speed=speed)


@device
def gap_from_plane(plane, x, y, t, dt):
    """Return the distance [m] of a character at (x, y) from a plane that it touched before, at a time of the step."""
    return x * plane.x + y * plane.y - plane.place - plane.speed * t * dt


@device
def is_against_wish(rules, walks, rx, ry, wanted_x, wanted_y):
    """Return True if a velocity (rx, ry) [m/s] is against the wanted one; both are relative to a surface.

    The weight of a character that walks presses it down, and is no wish against a slope.
    """
    if walks:
        fall = rise_of(rules, wanted_x, wanted_y)
        wanted_x, wanted_y = wanted_x - fall * rules.up_x, wanted_y - fall * rules.up_y
    return rx * wanted_x + ry * wanted_y < 0.0


@subroutine
def slide_velocity(rules, vx, vy, normal_x, normal_y):
    """Return a velocity relative to an obstacle without its part into the obstacle [m/s].

    A steep slope is replaced by a vertical wall if it would lift the character.
    """
    into = vx * normal_x + vy * normal_y
    if into >= 0.0:
        return vx, vy
    rise = rise_of(rules, normal_x, normal_y)
    x, y = vx - into * normal_x, vy - into * normal_y
    if 0.0 < rise < rules.least_up and rise_of(rules, x, y) > max(rise_of(rules, vx, vy), 0.0):
        side_x, side_y = normal_x - rise * rules.up_x, normal_y - rise * rules.up_y
        square = side_x * side_x + side_y * side_y
        into = min((vx * side_x + vy * side_y) / square, 0.0)
        return vx - into * side_x, vy - into * side_y
    return x, y


@device
def follow_down(character, rules, x, y):
    """Return the position of a character at (x, y) once it has followed a floor that went down from under it."""
    reach = rules.snap + NEAR * character.skin
    fraction, nx, ny, piece = first_obstacle(
        character, NOTHING, x, y, -reach * rules.up_x, -reach * rules.up_y, 0.0, 0.0
    )
    up = rise_of(rules, nx, ny)
    if piece == NOTHING or up < rules.least_up:
        return x, y
    down = fraction * reach - character.skin / up
    return x - down * rules.up_x, y - down * rules.up_y


@device
def begin_motion(character, rules, x, y, vx, vy):
    """Return (`ground.Start`, x, y, velocity x and y) of a character at (x, y).

    The wanted velocity (vx, vy) is relative to the floor, the returned one to the world [m/s]. A character whose floor
    went down from under it follows that first.
    """
    piece, ground_x, ground_y, is_step = ground.find_floor(character, rules, NOTHING, x, y, 0.0)
    if piece == NOTHING and rules.snap > 0.0:
        memory, bodies = character.memory, character.scene.bodies
        if floor_of(character.body, memory, bodies, character.skin) != NOTHING:
            x, y = follow_down(character, rules, x, y)
            piece, ground_x, ground_y, is_step = ground.find_floor(character, rules, NOTHING, x, y, 0.0)
    floor, foot = body_of(piece, character), 0.0
    if rules.step_height > 0.0:
        foot = standing_place(character, rules, ground_x, ground_y)
    if floor == NOTHING:
        return Start(floor=floor, walks=False, jumps=False, foot=foot, ride_x=0.0, ride_y=0.0), x, y, vx, vy
    is_rising = rise_of(rules, vx, vy) > 0.0
    if is_rising and vx * ground_x + vy * ground_y > SMALL * length(vx, vy):
        ux, uy = velocity_at_contact(character, piece, floor, x, y, ground_x, ground_y, 0.0)
        carried_x, carried_y = velocity_of_carriers(floor, character.memory)
        ux, uy = ux + carried_x, uy + carried_y
        start = Start(floor=floor, walks=False, jumps=True, foot=foot, ride_x=ux, ride_y=uy)
        return start, x, y, vx + ux, vy + uy
    if not is_step:
        vx, vy = ground.along_floor(rules, vx, vy, ground_x, ground_y)
    ux, uy = ground.carrying_velocity(character, piece, x, y, ground_x, ground_y)
    start = Start(floor=floor, walks=True, jumps=False, foot=foot, ride_x=ux, ride_y=uy)
    return start, x, y, vx + ux, vy + uy


@device
def record_hit(row, number, body, t, normal_x, normal_y, rows):
    """Record a hit of a character at a time of the step."""
    rows.hit_body[row, number] = body
    hit = rows.hit
    hit[row, number, SLIDE_HIT.TIME] = t
    hit[row, number, SLIDE_HIT.NORMAL_X], hit[row, number, SLIDE_HIT.NORMAL_Y] = normal_x, normal_y
    hit[row, number, SLIDE_HIT.PUSH] = 0.0


@device
def record_dynamic(character, piece, x, y, speed, row, number, rows):
    """Record where a character at (x, y) meets a piece of a dynamic body, and how fast [m/s] it comes against it."""
    if character.scene.bodies.kind[body_of(piece, character)] == DYNAMIC:
        rows.state[row, STATE.MEETS_DYNAMIC] = 1
        at_x, at_y = middle_of_contact(character, piece, x, y)
        rows.hit[row, number, SLIDE_HIT.AT_X], rows.hit[row, number, SLIDE_HIT.AT_Y] = at_x, at_y
        rows.hit[row, number, SLIDE_HIT.SPEED] = speed


@device
def mark_side(row, rise, least_up, rows):
    """Record a ceiling or a wall, by the component of its normal along up."""
    side = STATE.ON_CEILING if rise <= -least_up else STATE.ON_WALL
    rows.state[row, side] = 1


@subroutine
def mark_squeeze(character, rules, x, y, row, rows):
    """Record the walls and ceilings that squeeze a character which could not be depenetrated."""
    near = NEAR * character.skin
    for number in range(character.near_count):
        gap, nx, ny = gap_to(character, NOTHING, number, x, y, 0.0, 1.01 * near)
        up = rise_of(rules, nx, ny)
        if gap <= near and up < rules.least_up and not is_passable(character, NOTHING, number, gap, nx, ny, 0.0):
            mark_side(row, up, rules.least_up, rows)


@device
def put_before(character, rules, walks, x, y, normal_x, normal_y):
    """Return the position of a character at (x, y) once it is put back by a skin before the surface that it met.

    A steep surface does not lift a character that walks, not even by a skin.
    """
    skin, rise = character.skin, rise_of(rules, normal_x, normal_y)
    if walks and 0.0 < rise < rules.least_up:
        side_x, side_y = normal_x - rise * rules.up_x, normal_y - rise * rules.up_y
        skin /= side_x * side_x + side_y * side_y
        return x + skin * side_x, y + skin * side_y
    return x + skin * normal_x, y + skin * normal_y


@device
def is_cornered(plane, normal_x, normal_y, rx, ry, is_against, gap, skin):
    """Return True if a character that turns to (rx, ry) [m/s] at a surface is in a corner: it stops.

    It is in a corner if this surface and the one that it hit before differ, and it still touches the former one. It
    must also turn back into that one, or against its wanted velocity. The velocity is relative to the surfaces, and
    `gap` [m] is the distance from the plane of the former one.
    """
    if gap > NEAR * skin or plane.x * normal_x + plane.y * normal_y > ONE_SURFACE:
        return False
    return is_against or rx * plane.x + ry * plane.y < -SMALL * length(rx, ry)


@subroutine
def slide(character, rules, x, y, vx, vy, row, rows):
    """Return the final position of a character at (x, y) that is to move at (vx, vy).

    Writes its state, hits and outcome except the position.
    """
    skin, dt = character.skin, character.dt
    start, x, y, vx, vy = begin_motion(character, rules, x, y, vx, vy)
    floor, walks, foot = start.floor, start.walks, start.foot
    wish_x, wish_y, plane, t, hits = vx, vy, NO_PLANE, 0.0, 0
    while t < 1.0 and hits < MOST_HITS:
        left = (1.0 - t) * dt
        fraction, nx, ny, piece = first_obstacle(character, floor, x, y, left * vx, left * vy, t, 1.0)
        x, y = x + fraction * left * vx, y + fraction * left * vy
        if piece == NOTHING:
            break
        t += fraction * (1.0 - t)
        x, y = put_before(character, rules, walks, x, y, nx, ny)
        other, up = body_of(piece, character), rise_of(rules, nx, ny)
        record_hit(row, hits, other, t, nx, ny, rows)
        record_dynamic(character, piece, x, y, -(vx * nx + vy * ny), row, hits, rows)
        hits += 1
        wx, wy = velocity_at_contact(character, piece, floor, x, y, nx, ny, t)
        rx, ry = vx - wx, vy - wy
        along = rise_of(rules, rx, ry)
        side_x, side_y = rx - along * rules.up_x, ry - along * rules.up_y
        is_wall = -rules.least_up < up < rules.least_up
        may_be_step = walks and rules.step_height > 0.0 and is_wall
        is_ahead = side_x * nx + side_y * ny < 0.0
        touch = Touch(x=x, y=y, normal_x=nx, normal_y=ny, t=t)
        if walks and is_wall and is_ahead and ends_at_feet(character, rules, floor, touch, side_x, side_y):
            x, y = x + CLEARANCE * skin * rules.up_x, y + CLEARANCE * skin * rules.up_y
            vx, vy, plane = wx + side_x, wy + side_y, NO_PLANE
            continue
        if may_be_step and is_ahead:
            left = (1.0 - t) * dt
            climbed, to_x, to_y, to_foot = climb_step(
                character, rules, floor, touch, left * side_x, left * side_y, foot
            )
            if climbed >= 0.0:
                x, y, vx, vy, foot = to_x, to_y, wx + side_x, wy + side_y, to_foot
                t, plane = (t + climbed * (1.0 - t) if climbed < 1.0 else 1.0), NO_PLANE
                continue
        # The surface is the edge of the step that it stands on.
        is_edge_below = may_be_step and not is_ahead and up > 1e-3 and other == floor
        is_floor = up >= rules.least_up or is_edge_below
        if is_floor:
            walks = walks or not start.jumps
            if rules.step_height > 0.0:
                foot = standing_place(character, rules, nx, ny)
        else:
            mark_side(row, up, rules.least_up, rows)
        if is_floor and length(side_x, side_y) <= SMALL * length(rx, ry):
            rx, ry = 0.0, 0.0  # a fall ends here; put it back upwards, not to the side
            x, y = x + skin * (rules.up_x / up - nx), y + skin * (rules.up_y / up - ny)
        else:
            rx, ry = slide_velocity(rules, rx, ry, nx, ny)
        is_against = is_against_wish(rules, walks, rx, ry, wish_x - wx, wish_y - wy)
        if is_cornered(plane, nx, ny, rx, ry, is_against, gap_from_plane(plane, x, y, t, dt), skin):
            rx, ry = 0.0, 0.0
        vx, vy = rx + wx, ry + wy
        plane = plane_of(x, y, nx, ny, wx * nx + wy * ny, t, dt)
    rows.state[row, STATE.HIT_COUNT] = hits
    x, y, vx, vy = ground.snap_down(character, rules, start, walks, x, y, vx, vy, row, rows)
    rows.outcome[row, OUTCOME.VX], rows.outcome[row, OUTCOME.VY] = vx + 0.0, vy + 0.0
    return x, y
