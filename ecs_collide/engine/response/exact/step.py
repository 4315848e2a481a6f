"""The kernels of a step before and after its events.

Gravity and forces pull all through the step: a ball flies on a parabola. One that rests on something has two half kicks
in their place, before and after a straight line, which its contacts answer. Linear damping is a factor 1 / (1 + dt d)
at the end.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

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
from ecs_collide.compiled.bundle import Bundle
from ecs_collide.compiled.jit import device, stage
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.engine.response.exact.contacts import (
    find_contacts,
    hold_resting,
    remember_contacts,
    renew_contacts,
    solve_contacts,
    warm_start,
)
from ecs_collide.engine.response.exact.feature_tree import FeatureTree
from ecs_collide.engine.response.exact.flight import advance
from ecs_collide.engine.response.exact.gap import body_of, gap_of
from ecs_collide.engine.response.exact.grid import choose_cells, link, list_large, renew_box, set_box
from ecs_collide.engine.response.exact.impact_time import NEVER
from ecs_collide.engine.response.exact.impacts import record
from ecs_collide.engine.response.exact.layout import (
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
    FREE_X,
    FREE_Y,
    HELD,
    HITS,
    HORIZON_EVENT,
    IMPACTS,
    IMPULSE,
    INVERSE_MASS_X,
    INVERSE_MASS_Y,
    LARGE,
    MORE_CANDIDATES,
    MORE_CONTACTS,
    MORE_EVENTS,
    MORE_RECORDS,
    NOBODY,
    NOW,
    OVERLAPPING,
    PACKED,
    PARTNER,
    PENDING,
    PULL_X,
    PULL_Y,
    PULLED,
    RECORDS,
    REST,
    RESTING,
    RESTS,
    SLOP,
    STATE,
    STOPPED,
    TIME,
    TO_SEARCH,
    TOTAL,
    VX,
    VY,
    X,
    Y,
)
from ecs_collide.engine.response.exact.queue import push_event
from ecs_collide.engine.response.exact.search import find_candidates, foresee
from ecs_collide.engine.response.exact.shift import shift_apart
from ecs_collide.geometry.rotation import cos_sin

REST_STEPS = 2.0
"""Steps in which what pulls at a ball makes it as fast as it may be to rest on what it meets."""

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
def set_pull(simulation, bodies, i, body, gravity, dt):
    """Let gravity and forces pull at ball i. Writes ball, weight."""
    ball, weight, tally = simulation.ball, simulation.weight, simulation.tally
    scale = bodies.motion[body, GRAVITY_SCALE]
    pull_x, pull_y = gravity[0] * scale, gravity[1] * scale
    force_x = bodies.force[body, BODY_X] + bodies.push[body, BODY_X]
    force_y = bodies.force[body, BODY_Y] + bodies.push[body, BODY_Y]
    ball[i, PULL_X] = ball[i, PULL_Y] = 0.0
    if pull_x == 0.0 and pull_y == 0.0 and force_x == 0.0 and force_y == 0.0 and tally[PULLED] == 0:
        return  # without gravity it costs nothing
    tally[PULLED] = 1
    if weight[i, INVERSE_MASS_X] > 0.0:
        ball[i, PULL_X] = pull_x + force_x * weight[i, INVERSE_MASS_X]
    if weight[i, INVERSE_MASS_Y] > 0.0:
        ball[i, PULL_Y] = pull_y + force_y * weight[i, INVERSE_MASS_Y]
    free_x, free_y = ball[i, PULL_X], ball[i, PULL_Y]
    weight[i, FREE_X], weight[i, FREE_Y] = free_x, free_y
    weight[i, REST] = REST_STEPS * dt * sqrt(free_x * free_x + free_y * free_y)


@device
def kick_ball(ball, weight, i, half):
    """Give ball i what pulls at it for half a step. Writes the ball's velocity."""
    ball[i, VX] += half * weight[i, FREE_X]
    ball[i, VY] += half * weight[i, FREE_Y]


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
    """Bring the balls' rows up to date, with what pulls at them, and put them into cells.

    Reads body_pose, body_velocity, body_motion, body_force, body_push. Writes the balls.
    """
    ball, mark, tally, number = simulation.ball, simulation.mark, simulation.tally, simulation.number
    n = tally[BALLS]
    tally[IMPACTS] = tally[RECORDS] = tally[CAP_HITS] = tally[EVENTS] = tally[TO_SEARCH] = 0
    number[DT] = dt
    number[NOW] = 0.0
    simulation.hold[:n] = 0
    for k in range(n):
        i, body = simulation.by_body[k, 0], simulation.by_body[k, 1]
        ball[i, X], ball[i, Y] = bodies.pose[body, BODY_X], bodies.pose[body, BODY_Y]
        ball[i, VX], ball[i, VY] = bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y]
        ball[i, TIME] = 0.0
        set_pull(simulation, bodies, i, body, gravity, dt)
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
    """Let resting contacts answer the first half kick, and renew all boxes: candidates are to be listed anew."""
    tally, dt = simulation.tally, simulation.number[DT]
    hold_resting(simulation)
    for i in range(tally[BALLS]):
        if simulation.hold[i, STATE] in (HELD, PACKED):
            kick_ball(simulation.ball, simulation.weight, i, 0.5 * dt)
            simulation.ball[i, PULL_X] = simulation.ball[i, PULL_Y] = 0.0
    warm_start(simulation, obstacles)
    solve_contacts(simulation, obstacles)
    for i in range(tally[BALLS]):
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
def end_step(simulation, obstacles, bodies, pieces):
    """Bring all balls to the step's end and back into their rows; return whether there was room for the records.

    Reads the balls. Writes body_pose, body_velocity, body_frame, the records of resting contacts.
    """
    ball, tally = simulation.ball, simulation.tally
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
            if simulation.hold[i, STATE] in (HELD, PACKED):
                kick_ball(simulation.ball, simulation.weight, i, 0.5 * dt)
        solve_contacts(simulation, obstacles)
        for k in range(tally[CONTACTS]):
            touch, kind = simulation.contact_touch[k], simulation.contact[k, RESTS]
            if kind == OVERLAPPING:
                continue
            carried = touch[IMPULSE]
            touch[IMPULSE] = touch[TOTAL] + (carried if kind == RESTING else 0.0)
            record(simulation, obstacles, simulation.contact[k], touch, 0.0)
            touch[IMPULSE] = carried
    remember_contacts(simulation)
    for k in range(n):
        i, body = simulation.by_body[k, 0], simulation.by_body[k, 1]
        factor = 1.0 / (1.0 + dt * bodies.motion[body, LINEAR_DAMPING])
        bodies.pose[body, BODY_X], bodies.pose[body, BODY_Y] = ball[i, X], ball[i, Y]
        bodies.frame[body, CENTER_X], bodies.frame[body, CENTER_Y] = ball[i, X], ball[i, Y]
        bodies.velocity[body, BODY_X], bodies.velocity[body, BODY_Y] = ball[i, VX] * factor, ball[i, VY] * factor
        if simulation.hold[i, STATE] == STOPPED:
            for axis in range(2):
                simulation.weight[i, INVERSE_MASS_X + axis] = bodies.mass[body, BODY_INVERSE_MASS_X + axis]
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
