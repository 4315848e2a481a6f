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
    mark_contacts,
    remember_contacts,
    renew_contacts,
    shift_apart,
    solve_contacts,
    warm_start,
)
from ecs_collide.response.exact.feature_tree import FeatureTree
from ecs_collide.response.exact.grid import choose_cells, link, list_large, renew_box, set_box
from ecs_collide.response.exact.impact_time import NEVER
from ecs_collide.response.exact.impacts import advance, record
from ecs_collide.response.exact.layout import (
    BALLS,
    CANDIDATES,
    CAP_HITS,
    CONTACTS,
    COUNT,
    DONE,
    DT,
    EVENTS,
    EVENTS_SEEN,
    HITS,
    HORIZON_EVENT,
    IMPACTS,
    IMPULSE,
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
def kick(bodies, body, gravity, half):
    """Change a dynamic body's velocity by its acceleration over half a step [s]; a locked axis has none."""
    mass, velocity = bodies.mass, bodies.velocity
    scale = bodies.motion[body, GRAVITY_SCALE]
    for axis in range(2):
        inverse_mass = mass[body, BODY_INVERSE_MASS_X + axis]
        if inverse_mass > 0.0:
            force = bodies.force[body, axis] + bodies.push[body, axis]
            velocity[body, axis] += half * (gravity[axis] * scale + force * inverse_mass)
        else:
            velocity[body, axis] = 0.0
    if mass[body, INVERSE_INERTIA] > 0.0:
        torque = bodies.force[body, ANGLE] + bodies.push[body, ANGLE]
        velocity[body, ANGLE] += half * torque * mass[body, INVERSE_INERTIA]
    else:
        velocity[body, ANGLE] = 0.0


@stage
def begin_step(simulation, bodies, gravity, dt, cell_scale):
    """Kick the bodies, bring the balls' rows up to date and put them into cells.

    Reads body_pose, body_velocity, body_mass, body_motion, body_force, body_push. Writes body_velocity, the balls.
    """
    ball, mark, tally, number = simulation.ball, simulation.mark, simulation.tally, simulation.number
    n = tally[BALLS]
    tally[IMPACTS] = tally[RECORDS] = tally[CAP_HITS] = tally[EVENTS] = tally[TO_SEARCH] = tally[EVENTS_SEEN] = 0
    number[DT] = dt
    number[NOW] = 0.0
    for i in range(n):
        body = simulation.body[i]
        kick(bodies, body, gravity, 0.5 * dt)
        ball[i, X], ball[i, Y] = bodies.pose[body, BODY_X], bodies.pose[body, BODY_Y]
        ball[i, VX], ball[i, VY] = bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y]
        ball[i, TIME] = 0.0
        mark[i, COUNT] = mark[i, HITS] = mark[i, PENDING] = 0
        mark[i, PARTNER] = NOBODY
    limit = choose_cells(simulation, dt, cell_scale)
    list_large(simulation, limit)
    simulation.head[:] = -1
    for i in range(n - 1, -1, -1):
        cell = set_box(simulation, i, 0.0)
        if simulation.cell[i] != LARGE:
            link(simulation, i, cell)


@stage
def find_first(simulation, obstacles, bodies, pieces):
    """List candidates and contacts; return DONE, or what there is too little room for: then it is called again."""
    if not find_candidates(simulation, obstacles, bodies):
        return MORE_CANDIDATES
    if not find_contacts(simulation, obstacles, bodies, pieces):
        return MORE_CONTACTS
    return DONE


@stage
def settle_contacts(simulation, obstacles):
    """Let resting contacts answer the kick, and renew the boxes of the balls that they stop."""
    warm_start(simulation, obstacles)
    solve_contacts(simulation, obstacles)
    mark_contacts(simulation)
    for k in range(simulation.tally[TO_SEARCH]):
        renew_box(simulation, simulation.to_search[k], 0.0)


@stage
def first_events(simulation, obstacles, bodies):
    """Enter the impacts of all candidates that still count; return DONE, or what there is too little room for."""
    tally, mark = simulation.tally, simulation.mark
    n = tally[BALLS]
    tally[EVENTS] = 0
    if len(simulation.event_time) < n + tally[CANDIDATES]:
        return MORE_EVENTS
    for i in range(n):
        if mark[i, PENDING] == 0 and simulation.horizon[i] < NEVER:
            push_event(simulation, simulation.horizon[i], i, HORIZON_EVENT)
    for k in range(tally[CANDIDATES]):
        i, other = simulation.candidate[k, 0], simulation.candidate[k, 1]
        if mark[i, PENDING] != 0 or (other < n and mark[other, PENDING] != 0):
            continue
        time = foresee(simulation, obstacles, bodies, i, other, 0.0)
        if time < NEVER:
            push_event(simulation, time, i, other)
    return DONE


@stage
def end_step(simulation, obstacles, bodies, pieces, gravity):
    """Bring all balls to the step's end and back into their rows; return whether there was room for the records.

    Reads the balls. Writes body_pose, body_velocity, body_frame, the records of resting contacts.
    """
    ball, tally = simulation.ball, simulation.tally
    n = tally[BALLS]
    if tally[RECORDS] + tally[CONTACTS] > len(simulation.impact):
        return MORE_RECORDS
    dt = simulation.number[DT]
    for i in range(n):
        advance(simulation, i, dt)
    if tally[CONTACTS] > 0:
        shift_apart(simulation, obstacles, bodies, pieces)
        renew_contacts(simulation, obstacles, bodies, pieces)
    for i in range(n):
        body = simulation.body[i]
        bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y] = ball[i, VX], ball[i, VY]
        kick(bodies, body, gravity, 0.5 * dt)
        ball[i, VX], ball[i, VY] = bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y]
    if tally[CONTACTS] > 0:
        solve_contacts(simulation, obstacles)
        for k in range(tally[CONTACTS]):
            touch, rests = simulation.contact_touch[k], simulation.contact[k, RESTS]
            if rests == OVERLAPPING:
                continue
            carried = touch[IMPULSE]
            touch[IMPULSE] = touch[TOTAL] + (carried if rests == RESTING else 0.0)
            record(simulation, obstacles, simulation.contact[k], touch, dt)
            touch[IMPULSE] = carried
    remember_contacts(simulation)
    for i in range(n):
        body = simulation.body[i]
        factor = 1.0 / (1.0 + dt * bodies.motion[body, LINEAR_DAMPING])
        bodies.pose[body, BODY_X], bodies.pose[body, BODY_Y] = ball[i, X], ball[i, Y]
        bodies.frame[body, CENTER_X], bodies.frame[body, CENTER_Y] = ball[i, X], ball[i, Y]
        bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y] = ball[i, VX] * factor, ball[i, VY] * factor
        turn(bodies, body, dt)
    return DONE


@device
def turn(bodies, body, dt):
    """Turn a body by its angular velocity, damp that, and forget the pushes of this step."""
    bodies.pose[body, ANGLE] += bodies.velocity[body, ANGLE] * dt
    bodies.velocity[body, ANGLE] *= 1.0 / (1.0 + dt * bodies.motion[body, ANGULAR_DAMPING])
    bodies.push[body, :] = 0.0


@stage
def move_others(rows, bodies, gravity, dt):
    """Move what meets nothing: kinematic bodies, and dynamic ones without a solid collider.

    Reads and writes body_pose, body_velocity, body_frame; clears body_push.
    """
    for body in rows:
        is_dynamic = bodies.kind[body] == DYNAMIC
        if is_dynamic:
            kick(bodies, body, gravity, 0.5 * dt)
        c, s = bodies.frame[body, COS], bodies.frame[body, SIN]
        local_x, local_y = bodies.mass[body, LOCAL_X], bodies.mass[body, LOCAL_Y]
        x = bodies.frame[body, CENTER_X] + bodies.velocity[body, BODY_X] * dt
        y = bodies.frame[body, CENTER_Y] + bodies.velocity[body, BODY_Y] * dt
        if bodies.velocity[body, ANGLE] != 0.0:
            angle = bodies.pose[body, ANGLE] + bodies.velocity[body, ANGLE] * dt
            c, s = cos_sin(angle)
            bodies.pose[body, ANGLE] = angle
            bodies.frame[body, COS], bodies.frame[body, SIN], bodies.frame[body, FRAME_ANGLE] = c, s, angle
        bodies.frame[body, CENTER_X], bodies.frame[body, CENTER_Y] = x, y
        bodies.pose[body, BODY_X] = x - (c * local_x - s * local_y)
        bodies.pose[body, BODY_Y] = y - (s * local_x + c * local_y)
        if is_dynamic:
            kick(bodies, body, gravity, 0.5 * dt)
            factor = 1.0 / (1.0 + dt * bodies.motion[body, LINEAR_DAMPING])
            bodies.velocity[body, BODY_X] *= factor
            bodies.velocity[body, BODY_Y] *= factor
            bodies.velocity[body, ANGLE] *= 1.0 / (1.0 + dt * bodies.motion[body, ANGULAR_DAMPING])
        bodies.push[body, :] = 0.0
