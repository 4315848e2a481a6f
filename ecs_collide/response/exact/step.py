"""The kernels of a step before and after its events.

Gravity and forces act as two half kicks, before and after the step's straight lines, and linear damping as a factor
1 / (1 + dt d) after them: within a step nothing but an impact changes a velocity.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.bundle import Bundle
from ecs_collide.columns.bodies import (
    ANGLE,
    ANGULAR_DAMPING,
    CENTER_X,
    CENTER_Y,
    COS,
    FRAME_ANGLE,
    GRAVITY_SCALE,
    INVERSE_INERTIA,
    LINEAR_DAMPING,
    LOCAL_X,
    LOCAL_Y,
    SIN,
)
from ecs_collide.columns.bodies import INVERSE_MASS_X as BODY_INVERSE_MASS_X
from ecs_collide.columns.bodies import X as BODY_X
from ecs_collide.columns.bodies import Y as BODY_Y
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.jit import device, stage
from ecs_collide.response.exact.contacts import (
    find_contacts,
    remember_contacts,
    renew_contacts,
    shift_apart,
    solve_contacts,
    warm_start,
)
from ecs_collide.response.exact.feature_tree import FeatureTree
from ecs_collide.response.exact.gap import body_of, gap_of
from ecs_collide.response.exact.grid import choose_cells, link, list_large, renew_box, set_box
from ecs_collide.response.exact.impact_time import NEVER
from ecs_collide.response.exact.impacts import advance, record
from ecs_collide.response.exact.layout import (
    BALLS,
    BODY_ROW,
    CANDIDATES,
    CAP_HITS,
    CELL,
    CONTACTS,
    COUNT,
    DONE,
    DT,
    EVENTS,
    HITS,
    HORIZON_EVENT,
    IMPACTS,
    IMPULSE,
    INVERSE_MASS_X,
    LARGE,
    MORE_CANDIDATES,
    MORE_CONTACTS,
    MORE_EVENTS,
    MORE_RECORDS,
    NOBODY,
    NOW,
    OVERLAPPING,
    PARTNER,
    PENDING,
    RECORDS,
    RESTING,
    RESTS,
    SLOP,
    TIME,
    TO_SEARCH,
    TOTAL,
    VX,
    VY,
    X,
    Y,
)
from ecs_collide.response.exact.queue import push_event
from ecs_collide.response.exact.search import find_candidates, foresee
from ecs_collide.rotation import cos_sin

DYNAMIC = int(BodyKind.DYNAMIC)


class Obstacles(Bundle):
    """The features, and two trees over them."""

    features: np.ndarray
    """See features.py (f, 10)."""
    index: np.ndarray  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """Kind, body row, piece row (f, 3) int64."""
    still: FeatureTree
    """Over the static ones, which come first."""
    moving: FeatureTree
    """Over the kinematic ones."""


@device
def kicked(bodies, body, axis, velocity, inverse_mass, pull, half):
    """A velocity along an axis after half a step [s] of an acceleration `pull` and of forces; 0 on a locked axis."""
    if inverse_mass == 0.0:
        return 0.0
    force = bodies.force[body, axis] + bodies.push[body, axis]
    return velocity + half * (pull + force * inverse_mass)


@device
def kick_ball(ball, bodies, i, body, gravity, half):
    """Kick ball i; its turning has to wait for the step's end. Writes the ball's velocity."""
    scale = bodies.motion[body, GRAVITY_SCALE]
    for axis in range(2):
        mass, pull = ball[i, INVERSE_MASS_X + axis], gravity[axis] * scale
        ball[i, VX + axis] = kicked(bodies, body, axis, ball[i, VX + axis], mass, pull, half)


@device
def turn(bodies, body, dt):
    """Turn a body by its angular velocity between two half kicks, and damp that. Writes body_pose, body_velocity."""
    inverse_inertia, half = bodies.mass[body, INVERSE_INERTIA], 0.5 * dt
    velocity = kicked(bodies, body, ANGLE, bodies.velocity[body, ANGLE], inverse_inertia, 0.0, half)
    bodies.pose[body, ANGLE] += velocity * dt
    velocity = kicked(bodies, body, ANGLE, velocity, inverse_inertia, 0.0, half)
    bodies.velocity[body, ANGLE] = velocity / (1.0 + dt * bodies.motion[body, ANGULAR_DAMPING])


@stage
def begin_step(simulation, bodies, gravity, dt, cell_scale):
    """Bring the balls' rows up to date, kick them and put them into cells.

    Reads body_pose, body_velocity, body_motion, body_force, body_push. Writes the balls.
    """
    ball, mark, tally, number = simulation.ball, simulation.mark, simulation.tally, simulation.number
    n = tally[BALLS]
    tally[IMPACTS] = tally[RECORDS] = tally[CAP_HITS] = tally[EVENTS] = tally[TO_SEARCH] = 0
    number[DT] = dt
    number[NOW] = 0.0
    for k in range(n):
        i, body = simulation.by_body[k, 0], simulation.by_body[k, 1]
        ball[i, X], ball[i, Y] = bodies.pose[body, BODY_X], bodies.pose[body, BODY_Y]
        ball[i, VX], ball[i, VY] = bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y]
        ball[i, TIME] = 0.0
        kick_ball(ball, bodies, i, body, gravity, 0.5 * dt)
    limit = choose_cells(simulation, dt, cell_scale)
    list_large(simulation, limit)
    simulation.head[:] = -1
    for i in range(n - 1, -1, -1):
        mark[i, COUNT] = mark[i, HITS] = mark[i, PENDING] = 0
        mark[i, PARTNER] = NOBODY
        cell = set_box(simulation, i, 0.0)
        if mark[i, CELL] != LARGE:
            link(simulation, i, cell)


@stage
def list_candidates(simulation, obstacles, filters):
    """List what might meet; return DONE, or what there is too little room for: then it is called again."""
    return DONE if find_candidates(simulation, obstacles, filters) else MORE_CANDIDATES


@stage
def list_contacts(simulation, obstacles, bodies, pieces):
    """List what touches; return DONE, or what there is too little room for: then it is called again."""
    return DONE if find_contacts(simulation, obstacles, bodies, pieces) else MORE_CONTACTS


@stage
def list_touching(simulation, obstacles, bodies, pieces):
    """Put the body rows of the candidates that touch in the candidates' place; return how many there are."""
    count = 0
    for k in range(simulation.tally[CANDIDATES]):
        i, other = simulation.candidate[k, 0], simulation.candidate[k, 1]
        gap, _, _ = gap_of(simulation, obstacles, bodies, pieces, i, other, 0.0)
        if gap <= simulation.number[SLOP]:
            simulation.candidate[count, 0] = simulation.mark[i, BODY_ROW]
            simulation.candidate[count, 1] = body_of(simulation.mark, simulation.tally, obstacles.index, other)
            count += 1
    return count


@stage
def settle_contacts(simulation, obstacles):
    """Let resting contacts answer the kick, and renew all boxes: candidates are to be listed anew."""
    warm_start(simulation, obstacles)
    solve_contacts(simulation, obstacles)
    for i in range(simulation.tally[BALLS]):
        renew_box(simulation, i, 0.0)


@stage
def first_events(simulation, obstacles, material):
    """Enter the impacts of all candidates that still count; return DONE, or what there is too little room for."""
    tally = simulation.tally
    n = tally[BALLS]
    tally[EVENTS] = 0
    if len(simulation.event_time) < n + tally[CANDIDATES]:
        return MORE_EVENTS
    for i in range(n):
        if simulation.horizon[i] < NEVER:
            push_event(simulation, simulation.horizon[i], i, HORIZON_EVENT)
    for k in range(tally[CANDIDATES]):
        i, other = simulation.candidate[k, 0], simulation.candidate[k, 1]
        time = foresee(simulation, obstacles, material, i, other, 0.0)
        if time < NEVER:
            push_event(simulation, time, i, other)
    return DONE


@stage
def end_step(simulation, obstacles, bodies, pieces, gravity):
    """Bring all balls to the step's end and back into their rows; return whether there was room for the records.

    Reads the balls. Writes body_pose, body_velocity, body_frame, the records of resting contacts.
    """
    ball, mark, tally = simulation.ball, simulation.mark, simulation.tally
    n = tally[BALLS]
    if tally[RECORDS] + tally[CONTACTS] > len(simulation.impact):
        return MORE_RECORDS
    dt = simulation.number[DT]
    rests = tally[CONTACTS] > 0
    for i in range(n):
        advance(simulation.ball, i, dt)
    if rests:
        shift_apart(simulation, obstacles, bodies, pieces)
        renew_contacts(simulation, obstacles, bodies, pieces)
        for i in range(n):
            kick_ball(ball, bodies, i, mark[i, BODY_ROW], gravity, 0.5 * dt)
        solve_contacts(simulation, obstacles)
        for k in range(tally[CONTACTS]):
            touch, kind = simulation.contact_touch[k], simulation.contact[k, RESTS]
            if kind == OVERLAPPING:
                continue
            carried = touch[IMPULSE]
            touch[IMPULSE] = touch[TOTAL] + (carried if kind == RESTING else 0.0)
            record(simulation, obstacles, simulation.contact[k], touch, 0.0, dt)
            touch[IMPULSE] = carried
    remember_contacts(simulation)
    for k in range(n):
        i, body = simulation.by_body[k, 0], simulation.by_body[k, 1]
        if not rests:
            kick_ball(ball, bodies, i, body, gravity, 0.5 * dt)
        factor = 1.0 / (1.0 + dt * bodies.motion[body, LINEAR_DAMPING])
        bodies.pose[body, BODY_X], bodies.pose[body, BODY_Y] = ball[i, X], ball[i, Y]
        bodies.frame[body, CENTER_X], bodies.frame[body, CENTER_Y] = ball[i, X], ball[i, Y]
        bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y] = ball[i, VX] * factor, ball[i, VY] * factor
        turn(bodies, body, dt)
        for axis in range(3):
            if bodies.push[body, axis] != 0.0:  # a write would cost more than a look
                bodies.push[body, axis] = 0.0
    return DONE


@device
def kick_body(bodies, body, gravity, half):
    """Kick a body that is no ball, along both axes. Writes body_velocity."""
    scale = bodies.motion[body, GRAVITY_SCALE]
    for axis in range(2):
        mass, pull = bodies.mass[body, BODY_INVERSE_MASS_X + axis], gravity[axis] * scale
        bodies.velocity[body, axis] = kicked(bodies, body, axis, bodies.velocity[body, axis], mass, pull, half)


@stage
def move_others(rows, bodies, gravity, dt):
    """Move what meets nothing: kinematic bodies, and dynamic ones without a solid collider.

    Reads and writes body_pose, body_velocity, body_frame; clears body_push.
    """
    for body in rows:
        is_dynamic = bodies.kind[body] == DYNAMIC
        if is_dynamic:
            kick_body(bodies, body, gravity, 0.5 * dt)
        c, s = bodies.frame[body, COS], bodies.frame[body, SIN]
        local_x, local_y = bodies.mass[body, LOCAL_X], bodies.mass[body, LOCAL_Y]
        x = bodies.frame[body, CENTER_X] + bodies.velocity[body, BODY_X] * dt
        y = bodies.frame[body, CENTER_Y] + bodies.velocity[body, BODY_Y] * dt
        if is_dynamic:
            kick_body(bodies, body, gravity, 0.5 * dt)
            factor = 1.0 / (1.0 + dt * bodies.motion[body, LINEAR_DAMPING])
            bodies.velocity[body, BODY_X] *= factor
            bodies.velocity[body, BODY_Y] *= factor
            turn(bodies, body, dt)
        else:
            bodies.pose[body, ANGLE] += bodies.velocity[body, ANGLE] * dt
        angle = bodies.pose[body, ANGLE]
        if angle != bodies.frame[body, FRAME_ANGLE]:
            c, s = cos_sin(angle)
            bodies.frame[body, COS], bodies.frame[body, SIN], bodies.frame[body, FRAME_ANGLE] = c, s, angle
        bodies.frame[body, CENTER_X], bodies.frame[body, CENTER_Y] = x, y
        bodies.pose[body, BODY_X] = x - (c * local_x - s * local_y)
        bodies.pose[body, BODY_Y] = y - (s * local_x + c * local_y)
        bodies.push[body, :] = 0.0
