"""Motion of each body in a step: where it starts, where it ends, and when it is stopped.

Within a step a body moves evenly from its start pose to its end pose, and stands from its stopping time on. Times are
fractions of the step. The start poses follow from the movements that the solver keeps.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from ecs_collide.common.look_ahead import FAST
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BODY_SPAN, FRAME, MASS, MOTION, POSE, Bodies
from ecs_collide.data.frames import put_body
from ecs_collide.data.pieces import PIECE, Pieces
from ecs_collide.data.solver_state import STATE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import Flags, Floats, FloatTable, Ints
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import lane_array

STATIC, KINEMATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)

STOP = layout(
    "stop of a body",
    TIME="stopping time, 1 if it is not stopped",
    PUSH_X="push by a kinematic body after that, x [m]",
    PUSH_Y="push by a kinematic body after that, y [m]",
    PUSH_TIME="time of the push, above 1 if there is none",
    ROUND="round of bullets in which the stopping time became earlier last, 0 if in none",
)
UNSTOPPED = (1.0, 0.0, 0.0, 2.0, 0.0)
"""Row of a body that is neither stopped nor pushed."""

COUNTS = layout(
    "counts of body motions",
    FAST="bodies to be swept",
    STOPPED="bodies that were stopped or pushed",
    SLOW_KINEMATIC="kinematic bodies that are not swept",
    GLIDES="rounds of this step in which ends of paths were moved out",
    MOVED="bodies whose ends were moved out in the last round",
    ROUND="number of the present round of bullets, 0 before the first",
)

FARTHEST = layout(
    "farthest movements of bodies that are not swept",
    DYNAMIC="of dynamic bodies [m]",
    KINEMATIC="of kinematic bodies [m]",
)


class BodyMotions(Bundle):
    """Motions of the bodies in a step. Between steps, the rows of bodies are as in `new_motions`."""

    state: FloatTable = rows_of(STATE)
    """Movements of the solver, see STATE (movers + 1, 8)."""
    stop: FloatTable = rows_of(STOP)
    """Stop and push of each body, see STOP (n, 5)."""
    is_fast: Flags
    """True if the body has to be swept (n,) bool."""
    fast: Ints
    """Bodies that have to be swept (n,) int64."""
    stopped: Ints
    """Bodies that were stopped or pushed (n,) int64."""
    is_moved: Flags
    """True if the end of the body's path was moved out in the last round (n,) bool."""
    moved: Ints
    """Bodies whose ends were moved out in the last round (n,) int64."""
    counts: Ints
    """Counts, see COUNTS (6,) int64."""
    farthest: Floats
    """Farthest movements of bodies that are not swept, see FARTHEST [m] (2,)."""


def new_motions(bodies: int, state: np.ndarray) -> BodyMotions:
    """Return motions for a number of bodies, none of which is fast."""
    return BodyMotions(
        state=state,
        stop=np.full((bodies, STOP.WIDTH), UNSTOPPED),
        is_fast=np.zeros(bodies, np.bool_),
        fast=lane_array((bodies,), np.int64),
        stopped=lane_array((bodies,), np.int64),
        is_moved=np.zeros(bodies, np.bool_),
        moved=lane_array((bodies,), np.int64),
        counts=np.zeros(COUNTS.WIDTH, np.int64),
        farthest=np.zeros(FARTHEST.WIDTH),
    )


@device
def movement_bound(body, row, motions, span):
    """Return an upper bound of the movement of any point of a body in this step [m]; `row` is its solver row."""
    dx, dy = motions.state[row, STATE.DX], motions.state[row, STATE.DY]
    return sqrt(dx * dx + dy * dy) + abs(motions.state[row, STATE.DA]) * span[body, BODY_SPAN.EXTENT]


@device
def add_fast(body, motions):
    """Add a body to those that are swept."""
    motions.is_fast[body] = True
    motions.fast[motions.counts[COUNTS.FAST]] = body
    motions.counts[COUNTS.FAST] += 1


@kernel
def mark_fast(movers: Ints, bodies: Bodies, motions: BodyMotions, span: FloatTable, slop: float):
    """Mark the dynamic bodies to be swept after the solver; return their number.

    A body without a collider has no extent and is never fast. Reads the solver's movements, body_span. Writes
    motion_is_fast, motion_fast, motion_counts, motion_farthest.
    """
    farthest = 0.0
    for k in range(len(movers)):
        body = movers[k]
        if span[body, BODY_SPAN.EXTENT] == 0.0:
            continue
        movement = movement_bound(body, k + 1, motions, span)
        if movement <= FAST * max(span[body, BODY_SPAN.CORE], slop):
            farthest = max(farthest, movement)
        elif bodies.kind[body] == DYNAMIC:
            add_fast(body, motions)
    motions.farthest[FARTHEST.DYNAMIC], motions.farthest[FARTHEST.KINEMATIC] = farthest, 0.0
    motions.counts[COUNTS.SLOW_KINEMATIC] = 0
    return motions.counts[COUNTS.FAST]


@kernel
def find_least_core(rows: Ints, bodies: Bodies, pieces: Pieces, span: FloatTable, kinematic: Ints, least: Floats):
    """List the kinematic bodies of some pieces, and find the least core of the dynamic ones; return the list's length.

    Reads piece_index, body_kind, body_span. Writes the bodies to `kinematic`, the least core [m] to `least` (1,), which
    is infinite if no body is dynamic.
    """
    count, core = 0, inf
    for row in rows:
        body = pieces.index[row, PIECE.BODY]
        if bodies.kind[body] == KINEMATIC:
            kinematic[count] = body
            count += 1
        elif bodies.kind[body] == DYNAMIC:
            core = min(core, span[body, BODY_SPAN.CORE])
    least[0] = core
    return count


@kernel
def mark_kinematic(kinematic: Ints, least: float, bodies: Bodies, motions: BodyMotions, span: FloatTable):
    """Mark the `kinematic` bodies that move further than `least` [m]; return the number of all bodies to be swept.

    Reads the solver's movements, body_span. Writes motion_is_fast, motion_fast, motion_counts, motion_farthest.
    """
    farthest, slow = 0.0, 0
    for body in kinematic:
        movement = movement_bound(body, bodies.solver_row[body], motions, span)
        if movement > least:
            add_fast(body, motions)
        else:
            farthest, slow = max(farthest, movement), slow + 1
    motions.farthest[FARTHEST.KINEMATIC], motions.counts[COUNTS.SLOW_KINEMATIC] = farthest, slow
    return motions.counts[COUNTS.FAST]


@device
def start_pose(body, bodies, motions):
    """Return centre of mass [m] and angle [rad] of a body at the start of the step."""
    movement = motions.state[bodies.solver_row[body]]
    x = bodies.frame[body, FRAME.CENTER_X] - movement[STATE.DX]
    y = bodies.frame[body, FRAME.CENTER_Y] - movement[STATE.DY]
    return x, y, bodies.pose[body, POSE.ANGLE] - movement[STATE.DA]


@device
def pose_in_step(body, t, bodies, motions):
    """Return centre of mass [m] and angle [rad] of a body at time t of its motion, without any stop."""
    end_x, end_y = bodies.frame[body, FRAME.CENTER_X], bodies.frame[body, FRAME.CENTER_Y]
    end_angle = bodies.pose[body, POSE.ANGLE]
    if t == 1.0 or bodies.kind[body] == STATIC:
        return end_x, end_y, end_angle
    x, y, angle = start_pose(body, bodies, motions)
    return x + t * (end_x - x), y + t * (end_y - y), angle + t * (end_angle - angle)


@device
def add_stopped(body, motions):
    """Add a body to those stopped or pushed, unless it is one already. Call it before the first stop or push."""
    if motions.stop[body, STOP.TIME] == 1.0 and motions.stop[body, STOP.PUSH_TIME] > 1.0:
        motions.stopped[motions.counts[COUNTS.STOPPED]] = body
        motions.counts[COUNTS.STOPPED] += 1


@device
def move_end(body, x, y, bodies, motions):
    """Move the end of a body's motion by (x, y) [m], except along locked axes, and list the body."""
    if not motions.is_moved[body]:
        motions.is_moved[body] = True
        motions.moved[motions.counts[COUNTS.MOVED]] = body
        motions.counts[COUNTS.MOVED] += 1
    movement = motions.state[bodies.solver_row[body]]
    if bodies.mass[body, MASS.INVERSE_X] > 0.0:
        bodies.frame[body, FRAME.CENTER_X] += x
        bodies.pose[body, POSE.X] += x
        movement[STATE.DX] += x
    if bodies.mass[body, MASS.INVERSE_Y] > 0.0:
        bodies.frame[body, FRAME.CENTER_Y] += y
        bodies.pose[body, POSE.Y] += y
        movement[STATE.DY] += y


@device
def clear_stop(body, motions):
    """Remove the stop and the push of a body."""
    for field in range(STOP.WIDTH):
        motions.stop[body, field] = UNSTOPPED[field]


@device
def clear_stops(of_all, motions):
    """Remove the stops and pushes of the bodies whose ends were moved out, or of all bodies."""
    kept = 0
    for k in range(motions.counts[COUNTS.STOPPED]):
        body = motions.stopped[k]
        if of_all or motions.is_moved[body]:
            clear_stop(body, motions)
        else:
            motions.stopped[kept] = body
            kept += 1
    motions.counts[COUNTS.STOPPED] = kept


@device
def clear_moved(motions):
    """Empty the list of the bodies whose ends were moved out."""
    for k in range(motions.counts[COUNTS.MOVED]):
        motions.is_moved[motions.moved[k]] = False
    motions.counts[COUNTS.MOVED] = 0


@kernel
def stop_bodies(bodies: Bodies, motions: BodyMotions, gravity: tuple[float, float], dt: float):
    """Move the stopped bodies back to where they were stopped, plus their pushes; return their number.

    They keep their velocity, less the change by gravity [m/s^2] and constant forces in the rest of the step of dt [s].
    At the stop, the body has not yet fallen that far. Clears the motions. Writes body_pose, body_frame, body_velocity,
    the solver's movements.
    """
    return place_stopped(bodies, motions, gravity, dt)


@device
def place_stopped(bodies, motions, gravity, dt):
    """Move the stopped bodies back to where they were stopped, see `stop_bodies`; return their number."""
    count = motions.counts[COUNTS.STOPPED]
    for k in range(count):
        body = motions.stopped[k]
        stop = motions.stop[body, STOP.TIME]
        # Pose at the stop, and the push.
        x, y, angle = pose_in_step(body, stop, bodies, motions)
        x, y = x + motions.stop[body, STOP.PUSH_X], y + motions.stop[body, STOP.PUSH_Y]
        c, s = cos_sin(angle)
        if bodies.solver_row[body] > 0:  # only an awake body has a row
            start_x, start_y, start_angle = start_pose(body, bodies, motions)
            movement = motions.state[bodies.solver_row[body]]
            movement[STATE.DX], movement[STATE.DY] = x - start_x, y - start_y
            movement[STATE.DA] = angle - start_angle
        put_body(body, x, y, angle, c, s, bodies)
        # Velocity without the forces of the rest of the step.
        rest = (1.0 - stop) * dt
        scale = bodies.motion[body, MOTION.GRAVITY_SCALE]
        for axis in range(2):
            inverse_mass = bodies.mass[body, MASS.INVERSE_X + axis]
            if inverse_mass > 0.0:
                bodies.velocity[body, axis] -= rest * (gravity[axis] * scale + bodies.force[body, axis] * inverse_mass)
        clear_stop(body, motions)
    for k in range(motions.counts[COUNTS.FAST]):
        motions.is_fast[motions.fast[k]] = False
    motions.counts[:] = 0
    return count
