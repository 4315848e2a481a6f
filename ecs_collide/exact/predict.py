"""When a ball hits another one or a feature, if nothing comes in between.

A pair is foreseen from the later of the two own times, never from the time at which the question is asked. So the
answer, bit for bit, does not depend on how often it is asked, and thus not on the size of the cells.

Two balls that the same pulls move on a straight line as seen from each other. What is pulled and what is not meet on
a parabola; there a pair that has just hit meets again, and comes to rest if it does so slowly (impacts.py).

On straight lines four rules say that a pair which touches makes no impact:

- it does not approach, or only as fast as rounding does;
- the two have hit each other last, and neither has hit anything else since (convex features only);
- it rests: it is no further apart than the slop, and approaches more slowly than gravity makes it do in two steps. The
  solver of `contacts.py` holds such pairs, for their impacts would have no end. What would pass into a feature by more
  than rounding until then hits it none the less;
- one of them waits at the cap of impacts, and the other one is no ball that could be stopped by it.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.exact import exact_rows as layout, features as of_feature
from ecs_collide.exact.falling_time import time_falling, time_line_falling
from ecs_collide.exact.flight import place_in_flight, velocity_in_flight
from ecs_collide.exact.gap import is_faced, partner_body, restitution_of
from ecs_collide.exact.impact_time import NEVER, time_inside, time_line, time_outside
from ecs_collide.exact.resting import rest_speed
from ecs_collide.kernels.kernel import device, subroutine

LEVEL = 1e-12
"""Share of a pull along an edge that is rounding."""

CROSSINGS = 2
"""How often a ball's parabola may leave an arc's circle from inside."""


@device
def time_ball(dx, dy, vx, vy, radii, slop):
    """(time [s], gap [m], approach speed [m/s]) of two balls on a straight line; the last two only if near."""
    time = time_outside(dx, dy, vx, vy, radii)
    if time == NEVER:
        return NEVER, NEVER, NEVER
    near = radii + slop
    square = dx * dx + dy * dy
    if square > near * near:
        return time, NEVER, NEVER
    distance = sqrt(square)
    return time, distance - radii, -(dx * vx + dy * vy) / distance


@subroutine
def time_feature(row, kind, x, y, vx, vy, radius, scalars):
    """(time [s], gap [m], approach speed [m/s]) of a ball that is at (x, y) as seen from a feature, and moves so."""
    if kind == of_feature.SOLID:
        return NEVER, NEVER, NEVER
    if kind in (of_feature.CORNER_FEATURE, of_feature.BOWL):
        if kind == of_feature.CORNER_FEATURE:
            time = time_outside(x, y, vx, vy, row[of_feature.REACH] + radius)
        else:
            time = (
                time_inside(x, y, vx, vy, row[of_feature.REACH] - radius) if row[of_feature.REACH] > radius else NEVER
            )
        if time == NEVER:
            return NEVER, NEVER, NEVER
        hit_x, hit_y = x + vx * time, y + vy * time
        hit = sqrt(hit_x * hit_x + hit_y * hit_y)
        if hit == 0.0 or (kind == of_feature.BOWL and hit > row[of_feature.REACH]):
            return NEVER, NEVER, NEVER  # a centre past the arc is inside the solid
        if not is_faced(row, hit_x / hit, hit_y / hit):
            return NEVER, NEVER, NEVER
        distance = sqrt(x * x + y * y)
        if kind == of_feature.CORNER_FEATURE:
            return time, distance - row[of_feature.REACH] - radius, -(x * vx + y * vy) / distance
        outward = x * vx + y * vy
        if (
            outward < 0.0
            or (vx * vx + vy * vy) * scalars[layout.DT] ** 2 > 2.0 * row[of_feature.REACH] * scalars[layout.SLOP]
        ):
            return time, NEVER, NEVER  # it leaves this side, or would leave the arc too far: neither is at rest
        return time, row[of_feature.REACH] - distance - radius, outward / distance
    normal_x, normal_y = row[of_feature.TO], row[of_feature.TO + 1]
    separation = x * normal_x + y * normal_y
    speed = vx * normal_x + vy * normal_y
    gap = separation - radius - row[of_feature.REACH]
    time = time_line(gap, speed)
    if kind == of_feature.PLANE or time == NEVER:
        return time, gap, -speed
    along = (x + vx * time) * row[of_feature.FROM] + (y + vy * time) * row[of_feature.FROM + 1]
    if separation <= 0.0 or along < 0.0 or along > row[of_feature.LENGTH]:
        return NEVER, NEVER, NEVER
    return time, gap, -speed


@subroutine
def time_feature_falling(row, kind, x, y, vx, vy, ax, ay, radius, scalars, until):
    """When [s], until a time, a ball hits a feature that is at (x, y) as seen from it, and is pulled; else NEVER."""
    if kind == of_feature.SOLID:
        return NEVER
    if kind == of_feature.CORNER_FEATURE:
        time = time_falling(x, y, vx, vy, ax, ay, row[of_feature.REACH] + radius, 1.0, 0.0, until)
        return time if time < NEVER and _faces_then(row, kind, x, y, vx, vy, ax, ay, time) else NEVER
    if kind == of_feature.BOWL:
        after = 0.0
        for _ in range(CROSSINGS if row[of_feature.REACH] > radius else 0):
            time = time_falling(x, y, vx, vy, ax, ay, row[of_feature.REACH] - radius, -1.0, after, until)
            if time == NEVER or _faces_then(row, kind, x, y, vx, vy, ax, ay, time):
                return time
            after = time_falling(x, y, vx, vy, ax, ay, row[of_feature.REACH] - radius, 1.0, time, until)
            if after == NEVER:
                break
        return NEVER
    return _time_side(row, kind, x, y, vx, vy, ax, ay, radius, scalars)


@device
def _faces_then(row, kind, x, y, vx, vy, ax, ay, time):
    """Whether a ball at a time is in one of an arc's directions, and on its side."""
    x, y = x + (vx + 0.5 * ax * time) * time, y + (vy + 0.5 * ay * time) * time
    distance = sqrt(x * x + y * y)
    if distance == 0.0 or (kind == of_feature.BOWL and distance > row[of_feature.REACH]):
        return False
    return is_faced(row, x / distance, y / distance)


@device
def _time_side(row, kind, x, y, vx, vy, ax, ay, radius, scalars):
    """When a pulled ball hits an edge or a half-plane, if it ever does."""
    normal_x, normal_y = row[of_feature.TO], row[of_feature.TO + 1]
    separation = x * normal_x + y * normal_y
    speed = vx * normal_x + vy * normal_y
    pull = ax * normal_x + ay * normal_y
    if abs(pull) <= LEVEL * (abs(ax) + abs(ay)):
        pull = 0.0
    gap = separation - radius - row[of_feature.REACH]
    if pull == 0.0 and gap <= 0.0 and -speed <= scalars[layout.QUIET]:
        return NEVER
    time = time_line_falling(gap, speed, pull)
    if kind == of_feature.PLANE or time == NEVER:
        return time
    if separation <= 0.0 and (speed <= 0.0 or speed * speed < 2.0 * pull * gap):
        return NEVER  # it is behind, and does not come to the front and back
    way_x, way_y = (vx + 0.5 * ax * time) * time, (vy + 0.5 * ay * time) * time
    along = (x + way_x) * row[of_feature.FROM] + (y + way_y) * row[of_feature.FROM + 1]
    return time if 0.0 <= along <= row[of_feature.LENGTH] else NEVER


@device
def is_stopped(hold, i):
    """Whether ball i waits at the cap of impacts for the step's end."""
    return hold[i, layout.STATE] == layout.STOPPED


class Approach(NamedTuple):
    """A ball as seen from a feature, or another ball as seen from it: place [m], velocity [m/s], pull [m/s²]."""

    x: float
    y: float
    vx: float
    vy: float
    ax: float
    ay: float


@device
def approach_of(simulation, obstacles, i, other, now):
    """How ball i and a ball or feature move against each other at a time [s]."""
    ball, n = simulation.ball, simulation.counts[layout.BALLS]
    x, y = place_in_flight(ball, i, now)
    vx, vy = velocity_in_flight(ball, i, now)
    ax, ay = ball[i, layout.PULL_X], ball[i, layout.PULL_Y]
    if other < n:
        other_x, other_y = place_in_flight(ball, other, now)
        other_vx, other_vy = velocity_in_flight(ball, other, now)
        x, y, vx, vy = other_x - x, other_y - y, other_vx - vx, other_vy - vy
        ax, ay = ball[other, layout.PULL_X] - ax, ball[other, layout.PULL_Y] - ay
    else:
        row = obstacles.features[other - n]
        x -= row[of_feature.PLACE_X] + row[of_feature.SPEED_X] * now
        y -= row[of_feature.PLACE_Y] + row[of_feature.SPEED_Y] * now
        vx, vy = vx - row[of_feature.SPEED_X], vy - row[of_feature.SPEED_Y]
    return Approach(x, y, vx, vy, ax, ay)


@device
def time_pulled(simulation, obstacles, i, other, approach, until):
    """When [s from now], until a time, ball i hits a ball or feature of which one is pulled otherwise; else NEVER."""
    x, y, vx, vy, ax, ay = approach
    n, radius = simulation.counts[layout.BALLS], simulation.ball[i, layout.RADIUS]
    if other < n:
        return time_falling(x, y, vx, vy, ax, ay, radius + simulation.ball[other, layout.RADIUS], 1.0, 0.0, until)
    row, kind = obstacles.features[other - n], obstacles.index[other - n, of_feature.FEATURE_KIND]
    return time_feature_falling(row, kind, x, y, vx, vy, ax, ay, radius, simulation.scalars, until)


@device
def time_straight(simulation, obstacles, i, other, approach):
    """(time [s from now], gap [m], approach speed [m/s]) of ball i and what it meets on a straight line, or NEVER."""
    x, y, vx, vy, _, _ = approach
    ball, ball_index, n = simulation.ball, simulation.ball_index, simulation.counts[layout.BALLS]
    is_partner = ball_index[i, layout.PARTNER] == other
    if other < n:
        if is_partner and ball_index[other, layout.PARTNER] == i:
            return NEVER, NEVER, NEVER
        radii = ball[i, layout.RADIUS] + ball[other, layout.RADIUS]
        return time_ball(x, y, vx, vy, radii, simulation.scalars[layout.SLOP])
    row, kind = obstacles.features[other - n], obstacles.index[other - n, of_feature.FEATURE_KIND]
    if is_partner and kind != of_feature.BOWL:
        return NEVER, NEVER, NEVER
    return time_feature(row, kind, x, y, vx, vy, ball[i, layout.RADIUS], simulation.scalars)


@device
def impact_time(simulation, obstacles, material, i, other):
    """When ball i hits a ball or feature [s from the step's start]; NEVER if it does not in this step."""
    ball, scalars = simulation.ball, simulation.scalars
    is_ball = other < simulation.counts[layout.BALLS]
    if (
        simulation.counts[layout.CAP_HITS] > 0
        and is_stopped(simulation.hold, i)
        and not (is_ball and not is_stopped(simulation.hold, other))
    ):
        return NEVER
    later = max(ball[i, layout.TIME], ball[other, layout.TIME]) if is_ball else ball[i, layout.TIME]
    until = scalars[layout.DT] - later
    approach = approach_of(simulation, obstacles, i, other, later)
    if approach.ax != 0.0 or approach.ay != 0.0:
        time = time_pulled(simulation, obstacles, i, other, approach, until)
        return later + time if time <= until else NEVER
    time, gap, speed = time_straight(simulation, obstacles, i, other, approach)
    if time == NEVER or time > until or (gap <= 0.0 and speed <= scalars[layout.QUIET]):
        return NEVER
    if gap <= scalars[layout.SLOP] and (is_ball or speed * until - gap <= layout.PLAY * scalars[layout.LENGTH_UNIT]):
        bounce = restitution_of(
            material,
            simulation.ball_index[i, layout.BODY_ROW],
            partner_body(simulation.ball_index, simulation.counts, obstacles.index, other),
        )
        if speed < rest_speed(simulation.weight, simulation.counts, i, other, bounce):
            return NEVER
    return later + time
