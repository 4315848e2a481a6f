"""The way of each moving body in a step: from where, and at which time it was stopped.

Within the step a body goes evenly from its pose at the start to that at the end, and stands from its stopping time on.
Times are fractions of the step.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ecs_collide.bundle import Bundle
from ecs_collide.columns.bodies import (
    ANGLE,
    CENTER_X,
    CENTER_Y,
    COS,
    FRAME_ANGLE,
    GRAVITY_SCALE,
    INVERSE_MASS_X,
    LOCAL_X,
    LOCAL_Y,
    SIN,
    X,
    Y,
)
from ecs_collide.columns.growth import grown
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.jit import device, stage
from ecs_collide.rotation import cos_sin

STATIC, KINEMATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)

FAST = 0.5
"""Way in a step, as a fraction of the radius that is solid all round, from which a body is swept."""

# body_span
CORE, EXTENT, BULLET = 0, 1, 2

# track_start
START_X, START_Y, START_ANGLE = 0, 1, 2

# track_stop: stopping time, and the push of a kinematic body afterwards
STOP, PUSH_X, PUSH_Y, PUSHED_AT = 0, 1, 2, 3


class Tracks(Bundle):
    """One row for each body."""

    start: np.ndarray
    """Centre of mass and angle at the start of the step [m, rad] (n, 3)."""
    stop: np.ndarray
    """Stopping time, push by a kinematic body [m], time of that push (n, 4)."""
    fast: np.ndarray
    """1 where the body has to be swept (n,) int64."""


def grown_tracks(tracks: Tracks, bodies: int) -> Tracks:
    """The tracks, with room for a number of bodies."""
    return Tracks(*(grown(column, bodies) for column in tracks))


def no_tracks() -> Tracks:
    return Tracks(np.zeros((0, 3)), np.zeros((0, 4)), np.zeros(0, np.int64))


@device
def note_starts(movers, bodies, tracks):
    """Before the step: note where the bodies in rows `movers` are. Reads body_frame, body_pose. Writes track_start."""
    for body in movers:
        tracks.start[body, START_X] = bodies.frame[body, CENTER_X]
        tracks.start[body, START_Y] = bodies.frame[body, CENTER_Y]
        tracks.start[body, START_ANGLE] = bodies.pose[body, ANGLE]


@device
def way(body, bodies, tracks, span):
    """How far the farthest point of a body went in this step, at most [m]."""
    dx = bodies.frame[body, CENTER_X] - tracks.start[body, START_X]
    dy = bodies.frame[body, CENTER_Y] - tracks.start[body, START_Y]
    turn = bodies.pose[body, ANGLE] - tracks.start[body, START_ANGLE]
    return sqrt(dx * dx + dy * dy) + abs(turn) * span[body, EXTENT]


@device
def mark_fast(movers, bodies, tracks, span, slop):
    """After the step: mark the dynamic bodies that have to be swept, and the kinematic ones that could pass over any.

    A body without a collider has no extent and is never fast. Returns how many are marked.
    Reads body_frame, body_pose, track_start, body_span. Writes track_fast, track_stop.
    """
    count = 0
    least = 1e300
    for body in movers:
        tracks.fast[body] = 0
        tracks.stop[body, STOP] = 1.0
        tracks.stop[body, PUSH_X] = tracks.stop[body, PUSH_Y] = 0.0
        tracks.stop[body, PUSHED_AT] = 2.0
        if span[body, EXTENT] == 0.0 or bodies.kind[body] != DYNAMIC:
            continue
        core = FAST * max(span[body, CORE], slop)
        least = min(least, core)
        if way(body, bodies, tracks, span) > core:
            tracks.fast[body] = 1
            count += 1
    for body in movers:
        if bodies.kind[body] == KINEMATIC and span[body, EXTENT] > 0.0 and way(body, bodies, tracks, span) > least:
            tracks.fast[body] = 1
            count += 1
    return count


@device
def pose_of(body, t, bodies, tracks):
    """Centre of mass [m] and angle [rad] of a body at time t, as if nothing had stopped it."""
    end_x, end_y, end_angle = bodies.frame[body, CENTER_X], bodies.frame[body, CENTER_Y], bodies.pose[body, ANGLE]
    if t == 1.0 or bodies.kind[body] == STATIC:
        return end_x, end_y, end_angle
    x, y, angle = tracks.start[body, START_X], tracks.start[body, START_Y], tracks.start[body, START_ANGLE]
    return x + t * (end_x - x), y + t * (end_y - y), angle + t * (end_angle - angle)


@stage
def stop_bodies(movers, bodies, tracks, gravity, dt):
    """Put the bodies that were stopped where they were then, pushed on by a kinematic body; return how many.

    They keep their velocity, but for what gravity [m/s²] and constant forces did to it in the rest of the step of dt
    [s]: at the height where the body stands it has not fallen that far. Reads the tracks. Writes body_pose,
    body_frame, body_velocity.
    """
    count = 0
    for body in movers:
        stop = tracks.stop[body, STOP]
        if bodies.kind[body] != DYNAMIC or (stop == 1.0 and tracks.stop[body, PUSHED_AT] > 1.0):
            continue
        count += 1
        x, y, angle = pose_of(body, stop, bodies, tracks)
        x, y = x + tracks.stop[body, PUSH_X], y + tracks.stop[body, PUSH_Y]
        c, s = cos_sin(angle)
        bodies.frame[body, CENTER_X], bodies.frame[body, CENTER_Y] = x, y
        bodies.frame[body, COS], bodies.frame[body, SIN], bodies.frame[body, FRAME_ANGLE] = c, s, angle
        local_x, local_y = bodies.mass[body, LOCAL_X], bodies.mass[body, LOCAL_Y]
        bodies.pose[body, ANGLE] = angle
        bodies.pose[body, X] = x - (c * local_x - s * local_y)
        bodies.pose[body, Y] = y - (s * local_x + c * local_y)
        rest = (1.0 - stop) * dt
        scale = bodies.motion[body, GRAVITY_SCALE]
        for axis in range(2):
            inverse_mass = bodies.mass[body, INVERSE_MASS_X + axis]
            if inverse_mass > 0.0:
                bodies.velocity[body, axis] -= rest * (gravity[axis] * scale + bodies.force[body, axis] * inverse_mass)
    return count
