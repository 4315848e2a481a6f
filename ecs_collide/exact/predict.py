"""Predict when a ball hits another ball or a feature, if nothing comes in between.

A pair is predicted from the later of the two own times, never from the time of the call. So the result does not depend,
bit for bit, on how often a pair is predicted, and thus not on the size of the cells.

Two balls with equal pulls move on a straight line relative to each other. Other pairs meet on a parabola; there a pair
that has just hit meets again, and comes to rest if it does so slowly (`impacts.py`).

On straight lines, four rules exempt a pair that touches from an impact:

- it does not approach, or only at the speed of rounding;
- the two have hit each other last, and neither has hit anything else since (convex features only);
- it rests: its gap is at most the slop, and its approach is slower than the speed that its pull gives in two steps. The
  solver of `resting_contacts.py` holds such pairs, because their impacts would have no end. A ball that would enter a
  feature by more than rounding until the step ends hits it none the less;
- one of them waits at the impact limit, and the other one is no ball that it could stop.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.exact import exact_codes as codes, feature_rows as kinds
from ecs_collide.exact.exact_rows import BALL, BALL_INDEX, COUNTS, SCALARS, SUPPORT
from ecs_collide.exact.falling_time import time_falling, time_line_falling
from ecs_collide.exact.feature_rows import FEATURE, FEATURE_INDEX
from ecs_collide.exact.flight import RelativeFlight, place_in_flight, velocity_in_flight
from ecs_collide.exact.gap import is_faced, restitution_of_pair
from ecs_collide.exact.impact_time import NEVER, time_inside, time_line, time_outside
from ecs_collide.exact.resting import rest_speed
from ecs_collide.kernels.kernel import device, subroutine

LEVEL = 1e-12
"""Share of a pull along an edge that is rounding."""

CROSSINGS = 2
"""Number of times that the parabola of a ball can leave the circle of an arc from inside."""


@device
def time_ball(motion, radii, slop):
    """Return (time [s], gap [m], approach speed [m/s]) of two balls on a straight line; the last two only if near."""
    dx, dy, vx, vy = motion.x, motion.y, motion.vx, motion.vy
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
def time_feature(row, kind, motion, radius, scalars):
    """Return (time [s], gap [m], approach speed [m/s]) of a ball that moves straight relative to a feature."""
    x, y, vx, vy = motion.x, motion.y, motion.vx, motion.vy
    if kind == kinds.SOLID:
        return NEVER, NEVER, NEVER
    # Arcs: the time at the circle, if the ball is in one of its directions then.
    if kind in (kinds.CORNER, kinds.BOWL):
        if kind == kinds.CORNER:
            time = time_outside(x, y, vx, vy, row[FEATURE.RADIUS] + radius)
        else:
            time = time_inside(x, y, vx, vy, row[FEATURE.RADIUS] - radius) if row[FEATURE.RADIUS] > radius else NEVER
        if time == NEVER:
            return NEVER, NEVER, NEVER
        hit_x, hit_y = x + vx * time, y + vy * time
        hit = sqrt(hit_x * hit_x + hit_y * hit_y)
        if hit == 0.0 or (kind == kinds.BOWL and hit > row[FEATURE.RADIUS]):
            return NEVER, NEVER, NEVER  # a centre past the arc is inside the solid
        if not is_faced(row, hit_x / hit, hit_y / hit):
            return NEVER, NEVER, NEVER
        distance = sqrt(x * x + y * y)
        if kind == kinds.CORNER:
            return time, distance - row[FEATURE.RADIUS] - radius, -(x * vx + y * vy) / distance
        outward = x * vx + y * vy
        if (
            outward < 0.0
            or (vx * vx + vy * vy) * scalars[SCALARS.DT] ** 2 > 2.0 * row[FEATURE.RADIUS] * scalars[SCALARS.SLOP]
        ):
            return time, NEVER, NEVER  # it moves away, or too far from the arc within a step: it does not rest
        return time, row[FEATURE.RADIUS] - distance - radius, outward / distance
    # Lines and planes: the time at the line, if the ball is beside the edge then.
    normal_x, normal_y = row[FEATURE.TO_X], row[FEATURE.TO_Y]
    separation = x * normal_x + y * normal_y
    speed = vx * normal_x + vy * normal_y
    gap = separation - radius - row[FEATURE.RADIUS]
    time = time_line(gap, speed)
    if kind == kinds.PLANE or time == NEVER:
        return time, gap, -speed
    along = (x + vx * time) * row[FEATURE.FROM_X] + (y + vy * time) * row[FEATURE.FROM_Y]
    if separation <= 0.0 or along < 0.0 or along > row[FEATURE.LENGTH]:
        return NEVER, NEVER, NEVER
    return time, gap, -speed


@subroutine
def time_feature_falling(row, kind, motion, radius, scalars, until):
    """Return the time [s], up to `until`, at which a ball with a pull hits a feature; NEVER if it does not."""
    if kind == kinds.SOLID:
        return NEVER
    if kind == kinds.CORNER:
        time = time_falling(motion, row[FEATURE.RADIUS] + radius, 1.0, 0.0, until)
        return time if time < NEVER and _is_at_arc(row, kind, motion, time) else NEVER
    if kind == kinds.BOWL:
        after = 0.0
        for _ in range(CROSSINGS if row[FEATURE.RADIUS] > radius else 0):
            time = time_falling(motion, row[FEATURE.RADIUS] - radius, -1.0, after, until)
            if time == NEVER or _is_at_arc(row, kind, motion, time):
                return time
            after = time_falling(motion, row[FEATURE.RADIUS] - radius, 1.0, time, until)
            if after == NEVER:
                break
        return NEVER
    return _time_side(row, kind, motion, radius, scalars)


@device
def _is_at_arc(row, kind, motion, time):
    """Return True if a ball, at a time, is in one of an arc's directions and on its side."""
    x = motion.x + (motion.vx + 0.5 * motion.ax * time) * time
    y = motion.y + (motion.vy + 0.5 * motion.ay * time) * time
    distance = sqrt(x * x + y * y)
    if distance == 0.0 or (kind == kinds.BOWL and distance > row[FEATURE.RADIUS]):
        return False
    return is_faced(row, x / distance, y / distance)


@device
def _time_side(row, kind, motion, radius, scalars):
    """Return the time [s] at which a ball with a pull hits an edge or a half-plane; NEVER if it does not."""
    x, y, vx, vy, ax, ay = motion
    normal_x, normal_y = row[FEATURE.TO_X], row[FEATURE.TO_Y]
    separation = x * normal_x + y * normal_y
    speed = vx * normal_x + vy * normal_y
    pull = ax * normal_x + ay * normal_y
    if abs(pull) <= LEVEL * (abs(ax) + abs(ay)):
        pull = 0.0
    gap = separation - radius - row[FEATURE.RADIUS]
    if pull == 0.0 and gap <= 0.0 and -speed <= scalars[SCALARS.QUIET_SPEED]:
        return NEVER
    time = time_line_falling(gap, speed, pull)
    if kind == kinds.PLANE or time == NEVER:
        return time
    if separation <= 0.0 and (speed <= 0.0 or speed * speed < 2.0 * pull * gap):
        return NEVER  # it is behind the edge, and does not rise to the front to fall back
    move_x, move_y = (vx + 0.5 * ax * time) * time, (vy + 0.5 * ay * time) * time
    along = (x + move_x) * row[FEATURE.FROM_X] + (y + move_y) * row[FEATURE.FROM_Y]
    return time if 0.0 <= along <= row[FEATURE.LENGTH] else NEVER


@device
def is_stopped(simulation, i):
    """Return True if ball i waits at the impact limit for the end of the step."""
    return simulation.support[i, SUPPORT.STATE] == codes.STOPPED


@device
def relative_motion(simulation, obstacles, i, other, now):
    """Return the motion of ball i relative to a feature, or of another ball relative to ball i, at a time [s]."""
    ball, n = simulation.ball, simulation.counts[COUNTS.BALLS]
    x, y = place_in_flight(ball, i, now)
    vx, vy = velocity_in_flight(ball, i, now)
    ax, ay = ball[i, BALL.PULL_X], ball[i, BALL.PULL_Y]
    if other < n:
        other_x, other_y = place_in_flight(ball, other, now)
        other_vx, other_vy = velocity_in_flight(ball, other, now)
        x, y, vx, vy = other_x - x, other_y - y, other_vx - vx, other_vy - vy
        ax, ay = ball[other, BALL.PULL_X] - ax, ball[other, BALL.PULL_Y] - ay
    else:
        row = obstacles.features[other - n]
        x -= row[FEATURE.PLACE_X] + row[FEATURE.SPEED_X] * now
        y -= row[FEATURE.PLACE_Y] + row[FEATURE.SPEED_Y] * now
        vx, vy = vx - row[FEATURE.SPEED_X], vy - row[FEATURE.SPEED_Y]
    return RelativeFlight(x=x, y=y, vx=vx, vy=vy, ax=ax, ay=ay)


@device
def time_pulled(simulation, obstacles, i, other, motion, until):
    """Return the time [s from now], up to `until`, at which two partners with different pulls hit; else NEVER."""
    n, radius = simulation.counts[COUNTS.BALLS], simulation.ball[i, BALL.RADIUS]
    if other < n:
        return time_falling(motion, radius + simulation.ball[other, BALL.RADIUS], 1.0, 0.0, until)
    row, kind = obstacles.features[other - n], obstacles.index[other - n, FEATURE_INDEX.KIND]
    return time_feature_falling(row, kind, motion, radius, simulation.scalars, until)


@device
def time_straight(simulation, obstacles, i, other, motion):
    """Return (time [s from now], gap [m], approach speed [m/s]) of two partners on a straight line, or NEVER."""
    ball, ball_index, n = simulation.ball, simulation.ball_index, simulation.counts[COUNTS.BALLS]
    is_partner = ball_index[i, BALL_INDEX.PARTNER] == other
    if other < n:
        if is_partner and ball_index[other, BALL_INDEX.PARTNER] == i:
            return NEVER, NEVER, NEVER
        radii = ball[i, BALL.RADIUS] + ball[other, BALL.RADIUS]
        return time_ball(motion, radii, simulation.scalars[SCALARS.SLOP])
    row, kind = obstacles.features[other - n], obstacles.index[other - n, FEATURE_INDEX.KIND]
    if is_partner and kind != kinds.BOWL:
        return NEVER, NEVER, NEVER
    return time_feature(row, kind, motion, ball[i, BALL.RADIUS], simulation.scalars)


@device
def impact_time(simulation, obstacles, bodies, i, other):
    """Return the time [s from the step's start] at which ball i hits a partner; NEVER if it does not in this step."""
    ball, scalars = simulation.ball, simulation.scalars
    is_ball = other < simulation.counts[COUNTS.BALLS]
    # A ball that waits at the impact limit is hit only by balls.
    if (
        simulation.counts[COUNTS.CAP_HITS] > 0
        and is_stopped(simulation, i)
        and not (is_ball and not is_stopped(simulation, other))
    ):
        return NEVER
    # Predict from the later of the two own times.
    later = max(ball[i, BALL.TIME], ball[other, BALL.TIME]) if is_ball else ball[i, BALL.TIME]
    until = scalars[SCALARS.DT] - later
    motion = relative_motion(simulation, obstacles, i, other, later)
    if motion.ax != 0.0 or motion.ay != 0.0:
        time = time_pulled(simulation, obstacles, i, other, motion, until)
        return later + time if time <= until else NEVER
    time, gap, speed = time_straight(simulation, obstacles, i, other, motion)
    if time == NEVER or time > until or (gap <= 0.0 and speed <= scalars[SCALARS.QUIET_SPEED]):
        return NEVER
    # A pair that rests makes no impact.
    if gap <= scalars[SCALARS.SLOP] and (is_ball or speed * until - gap <= codes.PLAY * scalars[SCALARS.LENGTH_UNIT]):
        bounce = restitution_of_pair(simulation, obstacles, bodies, i, other)
        if speed < rest_speed(simulation, i, other, bounce):
            return NEVER
    return later + time
