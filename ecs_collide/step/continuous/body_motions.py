"""The way of each moving body in a step: where it starts, where it ends, and when it is stopped.

Within the step a body goes evenly from its pose at the start to that at the end, and stands from its stopping time on.
Times are fractions of the step. The starts follow from the movements that the solver keeps.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BODY_SPAN, FRAME, MASS, MOTION, POSE, Bodies
from ecs_collide.data.frames import put_body
from ecs_collide.data.pieces import PIECE, Pieces
from ecs_collide.data.solver_state import STATE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import Flags, FloatTable, Ints
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, stage

STATIC, KINEMATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)

FAST = 0.5
"""Way in a step, as a fraction of the radius that is solid all round, from which a body is swept."""

# track_stop: stopping time, and the push of a kinematic body afterwards
STOP, PUSH_X, PUSH_Y, PUSHED_AT = 0, 1, 2, 3
UNSTOPPED = (1.0, 0.0, 0.0, 2.0)

# track_counts
FAST_COUNT, STOPPED_COUNT = 0, 1


class Tracks(Bundle):
    """What stands in rows of bodies is as in `no_tracks` between the steps."""

    state: FloatTable
    """The solver's movements [m, rad], see `step/solver/solver_rows.py`."""
    stop: FloatTable
    """Stopping time, push by a kinematic body [m], time of that push (n, 4)."""
    is_fast: Flags
    """Whether the body has to be swept (n,) bool."""
    fast: Ints
    """The bodies that have to be swept (n,) int64."""
    stopped: Ints
    """The bodies that were stopped or pushed (n,) int64."""
    counts: Ints
    """How many of each there are (2,) int64."""


def no_tracks(bodies: int, state: np.ndarray) -> Tracks:
    """Tracks for a number of bodies, none of which is fast."""
    stop = np.tile(np.array(UNSTOPPED), (bodies, 1))
    fast, stopped = np.zeros((2, bodies), np.int64)
    return Tracks(state, stop, np.zeros(bodies, np.bool_), fast, stopped, np.zeros(2, np.int64))


@device
def way(body, row, tracks, span):
    """How far the farthest point of a body in a row of the solver's went in this step, at most [m]."""
    dx, dy = tracks.state[row, STATE.DX], tracks.state[row, STATE.DY]
    return sqrt(dx * dx + dy * dy) + abs(tracks.state[row, STATE.DA]) * span[body, BODY_SPAN.EXTENT]


@device
def append_fast(body, tracks):
    """List a body as one to be swept."""
    tracks.is_fast[body] = True
    tracks.fast[tracks.counts[FAST_COUNT]] = body
    tracks.counts[FAST_COUNT] += 1


@stage
def mark_fast(movers: Ints, bodies: Bodies, tracks: Tracks, span: FloatTable, slop: float):
    """After the step: mark the dynamic bodies to be swept.

    Returns how many these are, the farthest way of others [m], and whether any body is a bullet. One without a collider
    has no extent and is never fast. Reads the solver's movements, body_span. Writes
    track_is_fast, track_fast.
    """
    farthest, has_bullets = 0.0, False
    for k in range(len(movers)):
        body = movers[k]
        has_bullets = has_bullets or span[body, BODY_SPAN.BULLET] != 0.0
        if span[body, BODY_SPAN.EXTENT] == 0.0:
            continue
        far = way(body, k + 1, tracks, span)
        if far <= FAST * max(span[body, BODY_SPAN.CORE], slop):
            farthest = max(farthest, far)
        elif bodies.kind[body] == DYNAMIC:
            append_fast(body, tracks)
    return tracks.counts[FAST_COUNT], farthest, has_bullets


@stage
def least_core_of(rows: Ints, bodies: Bodies, pieces: Pieces, span: FloatTable, kinematic: Ints):
    """Write the kinematic bodies of some pieces to `kinematic`; return (how many, least core of the dynamic ones [m]).

    Reads piece_index, body_kind, body_span.
    """
    count, least = 0, inf
    for row in rows:
        body = pieces.index[row, PIECE.BODY]
        if bodies.kind[body] == KINEMATIC:
            kinematic[count] = body
            count += 1
        elif bodies.kind[body] == DYNAMIC:
            least = min(least, span[body, BODY_SPAN.CORE])
    return count, least


@stage
def mark_kinematic(kinematic: Ints, least: float, bodies: Bodies, tracks: Tracks, span: FloatTable):
    """Mark those of the `kinematic` bodies that go further than `least` [m].

    Returns how many bodies are to be swept then, and the farthest way of the other kinematic ones [m]. Reads the
    solver's movements, body_span. Writes track_is_fast, track_fast.
    """
    farthest = 0.0
    for body in kinematic:
        far = way(body, bodies.solver_row[body], tracks, span)
        if far > least:
            append_fast(body, tracks)
        else:
            farthest = max(farthest, far)
    return tracks.counts[FAST_COUNT], farthest


@device
def start_of(body, bodies, tracks):
    """Centre of mass [m] and angle [rad] of a body at the start of the step."""
    movement = tracks.state[bodies.solver_row[body]]
    x, y = (
        bodies.frame[body, FRAME.CENTER_X] - movement[STATE.DX],
        bodies.frame[body, FRAME.CENTER_Y] - movement[STATE.DY],
    )
    return x, y, bodies.pose[body, POSE.ANGLE] - movement[STATE.DA]


@device
def pose_on_way(body, t, bodies, tracks):
    """Centre of mass [m] and angle [rad] of a body at time t, as if nothing had stopped it."""
    end_x, end_y, end_angle = (
        bodies.frame[body, FRAME.CENTER_X],
        bodies.frame[body, FRAME.CENTER_Y],
        bodies.pose[body, POSE.ANGLE],
    )
    if t == 1.0 or bodies.kind[body] == STATIC:
        return end_x, end_y, end_angle
    x, y, angle = start_of(body, bodies, tracks)
    return x + t * (end_x - x), y + t * (end_y - y), angle + t * (end_angle - angle)


@device
def list_stopped(body, tracks):
    """List a body as one that is stopped or pushed, before it first is."""
    if tracks.stop[body, STOP] == 1.0 and tracks.stop[body, PUSHED_AT] > 1.0:
        tracks.stopped[tracks.counts[STOPPED_COUNT]] = body
        tracks.counts[STOPPED_COUNT] += 1


@device
def move_end(body, x, y, bodies, tracks):
    """Move the end of a body's way [m], but for locked axes."""
    movement = tracks.state[bodies.solver_row[body]]
    if bodies.mass[body, MASS.INVERSE_X] > 0.0:
        bodies.frame[body, FRAME.CENTER_X] += x
        bodies.pose[body, POSE.X] += x
        movement[STATE.DX] += x
    if bodies.mass[body, MASS.INVERSE_Y] > 0.0:
        bodies.frame[body, FRAME.CENTER_Y] += y
        bodies.pose[body, POSE.Y] += y
        movement[STATE.DY] += y


@device
def forget_stops(tracks):
    """Let all bodies go their whole ways again."""
    for k in range(tracks.counts[STOPPED_COUNT]):
        for field in range(len(UNSTOPPED)):
            tracks.stop[tracks.stopped[k], field] = UNSTOPPED[field]
    tracks.counts[STOPPED_COUNT] = 0


@stage
def stop_bodies(bodies: Bodies, tracks: Tracks, gravity: tuple[float, float], dt: float):
    """Put the bodies that were stopped where they were then, pushed on by a kinematic body; return how many.

    They keep their velocity, but for what gravity [m/s²] and constant forces did to it in the rest of the step of dt
    [s]: at the height where the body stands it has not fallen that far. Reads the tracks, and leaves them as they are
    between steps. Writes body_pose, body_frame, body_velocity, the solver's movements.
    """
    return put_stopped(bodies, tracks, gravity, dt)


@device
def put_stopped(bodies, tracks, gravity, dt):
    """The same."""
    count = tracks.counts[STOPPED_COUNT]
    for k in range(count):
        body = tracks.stopped[k]
        stop = tracks.stop[body, STOP]
        x, y, angle = pose_on_way(body, stop, bodies, tracks)
        x, y = x + tracks.stop[body, PUSH_X], y + tracks.stop[body, PUSH_Y]
        c, s = cos_sin(angle)
        if bodies.solver_row[body] > 0:  # it is awake
            start_x, start_y, start_angle = start_of(body, bodies, tracks)
            movement = tracks.state[bodies.solver_row[body]]
            movement[STATE.DX], movement[STATE.DY], movement[STATE.DA] = (
                x - start_x,
                y - start_y,
                angle - start_angle,
            )
        put_body(body, x, y, angle, c, s, bodies)
        rest = (1.0 - stop) * dt
        scale = bodies.motion[body, MOTION.GRAVITY_SCALE]
        for axis in range(2):
            inverse_mass = bodies.mass[body, MASS.INVERSE_X + axis]
            if inverse_mass > 0.0:
                bodies.velocity[body, axis] -= rest * (gravity[axis] * scale + bodies.force[body, axis] * inverse_mass)
        for field in range(len(UNSTOPPED)):
            tracks.stop[body, field] = UNSTOPPED[field]
    for k in range(tracks.counts[FAST_COUNT]):
        tracks.is_fast[tracks.fast[k]] = False
    tracks.counts[:] = 0
    return count
