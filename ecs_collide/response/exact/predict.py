"""When a ball hits another one or a feature, if nothing comes in between.

A pair is foreseen from the later of the two own times, never from the time at which the question is asked. So the
answer, bit for bit, does not depend on how often it is asked, and thus not on the size of the cells.

Four rules say that a pair which touches makes no impact:

- it does not approach, or only as fast as rounding does;
- the two have hit each other last, and neither has hit anything else since (convex features only);
- it rests: it bounces less than fully, is no further apart than the slop and approaches more slowly than gravity
  makes it do in two steps. The solver of `contacts.py` holds such pairs, for their impacts would have no end;
- one of them has reached the cap of impacts in a step, which the statistics count.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.jit import device, subroutine
from ecs_collide.response.exact.features import (
    BOWL,
    CORNER_FEATURE,
    FEATURE_KIND,
    FROM,
    LENGTH,
    PLACE_X,
    PLACE_Y,
    PLANE,
    REACH,
    SHEET,
    SOLID,
    SPEED_X,
    SPEED_Y,
    TO,
)
from ecs_collide.response.exact.gap import body_of, in_cone, restitution_of
from ecs_collide.response.exact.impact_time import NEVER, time_inside, time_line, time_outside
from ecs_collide.response.exact.layout import (
    BALLS,
    BODY_ROW,
    CAP_HITS,
    CAPPED,
    DT,
    HITS,
    PARTNER,
    QUIET,
    RADIUS,
    REST_SPEED,
    SLOP,
    TIME,
    VX,
    VY,
    X,
    Y,
)

INELASTIC_CAP = 200
"""Impacts of a ball in a step after which those that lose or bring in energy are left out."""

SQUEEZE_CAP = 1_000
"""The same for lossless impacts with what moves by itself: two walls that close on a ball make infinitely many."""


@device
def time_ball(ball, slop, i, j):
    """(time from the later own time [s], gap [m], approach speed [m/s]) of two balls; the last two only if near."""
    later = max(ball[i, TIME], ball[j, TIME])
    since_i, since_j = later - ball[i, TIME], later - ball[j, TIME]
    dx = (ball[j, X] + ball[j, VX] * since_j) - (ball[i, X] + ball[i, VX] * since_i)
    dy = (ball[j, Y] + ball[j, VY] * since_j) - (ball[i, Y] + ball[i, VY] * since_i)
    vx, vy = ball[j, VX] - ball[i, VX], ball[j, VY] - ball[i, VY]
    radii = ball[i, RADIUS] + ball[j, RADIUS]
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
def time_feature(row, kind, x, y, vx, vy, radius, number):
    """(time [s], gap [m], approach speed [m/s]) of a ball that is at (x, y) as seen from a feature, and moves so."""
    if kind == SOLID:
        return NEVER, NEVER, NEVER
    if kind in (CORNER_FEATURE, BOWL):
        if kind == CORNER_FEATURE:
            time = time_outside(x, y, vx, vy, row[REACH] + radius)
        else:
            time = time_inside(x, y, vx, vy, row[REACH] - radius) if row[REACH] > radius else NEVER
        if time == NEVER:
            return NEVER, NEVER, NEVER
        hit_x, hit_y = x + vx * time, y + vy * time
        hit = sqrt(hit_x * hit_x + hit_y * hit_y)
        if hit == 0.0 or not in_cone(row, hit_x / hit, hit_y / hit):
            return NEVER, NEVER, NEVER
        distance = sqrt(x * x + y * y)
        if kind == CORNER_FEATURE:
            return time, distance - row[REACH] - radius, -(x * vx + y * vy) / distance
        outward = x * vx + y * vy
        if distance > row[REACH] and outward >= 0.0:
            return NEVER, NEVER, NEVER
        if outward < 0.0 or (vx * vx + vy * vy) * number[DT] ** 2 > 2.0 * row[REACH] * number[SLOP]:
            return time, NEVER, NEVER  # it leaves this side, or would leave the arc too far: neither is at rest
        return time, row[REACH] - distance - radius, outward / distance
    normal_x, normal_y = row[TO], row[TO + 1]
    separation = x * normal_x + y * normal_y
    if kind == SHEET and separation < 0.0:
        normal_x, normal_y, separation = -normal_x, -normal_y, -separation
    speed = vx * normal_x + vy * normal_y
    gap = separation - radius - row[REACH]
    time = time_line(gap, speed)
    if kind == PLANE or time == NEVER:
        return time, gap, -speed
    along = (x + vx * time) * row[FROM] + (y + vy * time) * row[FROM + 1]
    if separation <= 0.0 or along < 0.0 or along > row[LENGTH]:
        return NEVER, NEVER, NEVER
    return time, gap, -speed


@device
def impact_time(simulation, obstacles, material, i, other):
    """When ball i hits a ball or feature [s from the step's start]; NEVER if it does not in this step."""
    ball, mark, number = simulation.ball, simulation.mark, simulation.number
    n = simulation.tally[BALLS]
    later = ball[i, TIME]
    if other < n:
        if mark[i, PARTNER] == other and mark[other, PARTNER] == i:
            return NEVER
        later = max(later, ball[other, TIME])
        time, gap, approach = time_ball(simulation.ball, simulation.number[SLOP], i, other)
    else:
        row, kind = obstacles.features[other - n], obstacles.index[other - n, FEATURE_KIND]
        if mark[i, PARTNER] == other and kind != BOWL:
            return NEVER
        x = ball[i, X] - (row[PLACE_X] + row[SPEED_X] * later)
        y = ball[i, Y] - (row[PLACE_Y] + row[SPEED_Y] * later)
        vx, vy = ball[i, VX] - row[SPEED_X], ball[i, VY] - row[SPEED_Y]
        time, gap, approach = time_feature(row, kind, x, y, vx, vy, ball[i, RADIUS], number)
    if time == NEVER or later + time > number[DT]:
        return NEVER
    if gap <= 0.0 and approach <= number[QUIET]:
        return NEVER
    rests = gap <= number[SLOP] and approach < number[REST_SPEED]
    hits = mark[i, HITS] if other >= n else max(mark[i, HITS], mark[other, HITS])
    if rests or hits >= INELASTIC_CAP:
        bounce = restitution_of(
            material,
            simulation.mark[i, BODY_ROW],
            body_of(simulation.mark, simulation.tally, obstacles.index, other),
        )
        if rests and bounce < 1.0:
            return NEVER
        if hits >= INELASTIC_CAP and bounce != 1.0:
            note_cap(simulation, i if mark[i, HITS] >= INELASTIC_CAP else other)
            return NEVER
        if hits >= SQUEEZE_CAP and other >= n:
            row = obstacles.features[other - n]
            if row[SPEED_X] != 0.0 or row[SPEED_Y] != 0.0:
                note_cap(simulation, i)
                return NEVER
    return later + time


@device
def note_cap(simulation, i):
    """Count a ball that has reached the cap, once in a step."""
    if simulation.mark[i, HITS] < CAPPED:
        simulation.mark[i, HITS] += CAPPED
        simulation.tally[CAP_HITS] += 1
