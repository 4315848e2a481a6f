"""The contact solver one contact at a time, in plain Python: what the engine did before it took eight at once.

The same formulas as in `ecs_collide/response`, in the same columns. `scalar_step` solves the contacts in the order that
it is given, so that the two can be compared to the last digits. Row 0 of the state stands for all static bodies.
"""

from __future__ import annotations

from typing import NamedTuple

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
    Bodies,
    X,
    Y,
)
from ecs_collide.columns.bodies import INVERSE_MASS_X as BODY_INVERSE_MASS_X
from ecs_collide.columns.bodies import INVERSE_MASS_Y as BODY_INVERSE_MASS_Y
from ecs_collide.columns.contacts import Contacts
from ecs_collide.columns.pairs import NORMAL_IMPULSE as PAIR_NORMAL
from ecs_collide.columns.pairs import TANGENT_IMPULSE as PAIR_TANGENT
from ecs_collide.columns.pairs import Pairs
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.response.softness import Softness
from ecs_collide.rotation import cos_sin
from ecs_collide.tuning import RESTITUTION_PASSES, Tolerances
from tests.support.reference.scalar_passes import (
    ANGULAR_FACTOR,
    APPROACH,
    BIAS_RATE,
    CARRY_WIDTH,
    CONTACT_WIDTH,
    COUPLED,
    COUPLING,
    DA,
    DX,
    DY,
    FRICTION,
    GAIN_W,
    GAIN_X,
    GAIN_Y,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
    INVERSE_MASS_X,
    INVERSE_MASS_Y,
    LARGEST_IMPULSE,
    LINEAR_FACTOR,
    MASS_SCALE,
    NORMAL_ARM_A,
    NORMAL_ARM_B,
    NORMAL_IMPULSE,
    NORMAL_K,
    NORMAL_MASS,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    POINT,
    POINT_COUNT,
    POINT_WIDTH,
    RESTITUTION,
    ROW_A,
    ROW_B,
    SEPARATION,
    SOFTENING,
    STATE_WIDTH,
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    TANGENT_IMPULSE,
    TANGENT_MASS,
    TANGENT_TOTAL,
    VX,
    VY,
    W,
    apply_restitution,
    integrate_positions,
    integrate_velocities,
    solve_contacts,
    warm_start_contacts,
)

SINGULAR = 1e-4


class Solver(NamedTuple):
    """The rows of one step."""

    state: np.ndarray
    carry: np.ndarray
    index: np.ndarray  # type: ignore[assignment]
    contact: np.ndarray


def scalar_step(
    movers: np.ndarray,
    bodies: Bodies,
    contacts: Contacts,
    contact_count: int,
    order: list[int],
    pairs: Pairs,
    gravity: tuple[float, float],
    dt: float,
    substeps: int,
    soft: Softness,
    stiff: Softness,
    tolerances: Tolerances,
) -> None:
    """What `step_bodies` does to the columns, with the contacts `order` one after the other."""
    h = dt / substeps
    rows = np.zeros((len(order), CONTACT_WIDTH))
    body_rows = np.zeros((len(movers) + 1, STATE_WIDTH)), np.zeros((len(movers) + 1, CARRY_WIDTH))
    solver = Solver(*body_rows, np.zeros((len(order), 4), np.int64), rows)
    state, carry, index, _ = solver
    count = len(order)
    prepare_bodies(movers, bodies, solver, gravity[0], gravity[1], h)
    bouncing = prepare_contacts(contacts, order, bodies, pairs, solver, soft, stiff, tolerances.bounce_speed)
    for substep in range(substeps):
        integrate_velocities(state, carry, substep > 0)
        if substep == 0:
            warm_start_contacts(state, index, rows, count)
        solve_contacts(state, index, rows, count, h, tolerances.push_out_speed, False)
        integrate_positions(state, h)
        solve_contacts(state, index, rows, count, h, tolerances.push_out_speed, True)
    for _ in range(RESTITUTION_PASSES if bouncing else 0):
        apply_restitution(state, index, rows, count, tolerances.bounce_speed)
    store_bodies(movers, bodies, solver)
    store_impulses(contacts, contact_count, order, pairs, solver)


def prepare_bodies(movers, bodies, solver, gravity_x, gravity_y, h):
    state, carry = solver.state, solver.carry
    state[0, :] = 0.0
    for k in range(len(movers)):
        body, row = movers[k], k + 1
        bodies.solver_row[body] = row
        inverse_x, inverse_y = bodies.mass[body, BODY_INVERSE_MASS_X], bodies.mass[body, BODY_INVERSE_MASS_Y]
        inverse_inertia = bodies.mass[body, INVERSE_INERTIA]
        vx, vy, w = bodies.velocity[body, X], bodies.velocity[body, Y], bodies.velocity[body, ANGLE]
        gain_x, gain_y, gain_w, linear_factor, angular_factor = 0.0, 0.0, 0.0, 1.0, 1.0
        if bodies.kind[body] == BodyKind.DYNAMIC:
            scale = bodies.motion[body, GRAVITY_SCALE]
            if inverse_x > 0.0:
                force = bodies.force[body, X] + bodies.push[body, X]
                gain_x = h * (gravity_x * scale + force * inverse_x)
            else:
                vx = 0.0
            if inverse_y > 0.0:
                force = bodies.force[body, Y] + bodies.push[body, Y]
                gain_y = h * (gravity_y * scale + force * inverse_y)
            else:
                vy = 0.0
            if inverse_inertia > 0.0:
                gain_w = h * (bodies.force[body, ANGLE] + bodies.push[body, ANGLE]) * inverse_inertia
            else:
                w = 0.0
            linear_factor = 1.0 / (1.0 + h * bodies.motion[body, LINEAR_DAMPING])
            angular_factor = 1.0 / (1.0 + h * bodies.motion[body, ANGULAR_DAMPING])
        state[row, VX], state[row, VY], state[row, W] = vx, vy, w
        state[row, INVERSE_MASS_X], state[row, INVERSE_MASS_Y] = inverse_x, inverse_y
        state[row, DX : DX + 3] = 0.0
        carry[row, GAIN_X], carry[row, GAIN_Y], carry[row, GAIN_W] = gain_x, gain_y, gain_w
        carry[row, LINEAR_FACTOR], carry[row, ANGULAR_FACTOR] = linear_factor, angular_factor


def prepare_contacts(contacts, order, bodies, pairs, solver, soft, stiff, bounce_speed):
    state, _, index, rows = solver
    bouncing = False
    for count, contact in enumerate(order):
        body_a, body_b = contacts.body[contact, 0], contacts.body[contact, 1]
        a, b = bodies.solver_row[body_a], bodies.solver_row[body_b]
        inverse_ax, inverse_ay = state[a, INVERSE_MASS_X], state[a, INVERSE_MASS_Y]
        inverse_bx, inverse_by = state[b, INVERSE_MASS_X], state[b, INVERSE_MASS_Y]
        inertia_a, inertia_b = bodies.mass[body_a, INVERSE_INERTIA], bodies.mass[body_b, INVERSE_INERTIA]
        immovable = inverse_ax + inverse_ay + inertia_a == 0.0 or inverse_bx + inverse_by + inertia_b == 0.0
        softness = stiff if immovable else soft
        normal_x, normal_y = contacts.normal[contact, 0], contacts.normal[contact, 1]
        inverse_x, inverse_y = inverse_ax + inverse_bx, inverse_ay + inverse_by
        along = normal_x * normal_x * inverse_x + normal_y * normal_y * inverse_y
        across = normal_y * normal_y * inverse_x + normal_x * normal_x * inverse_y
        relative_x, relative_y = state[b, VX] - state[a, VX], state[b, VY] - state[a, VY]
        restitution = contacts.restitution[contact]
        pair = contacts.pair[contact]

        index[count, ROW_A], index[count, ROW_B] = a, b
        index[count, POINT_COUNT] = contacts.point_count[contact]
        row = rows[count]
        row[NORMAL_X], row[NORMAL_Y] = normal_x, normal_y
        row[FRICTION], row[RESTITUTION] = contacts.friction[contact], restitution
        row[BIAS_RATE], row[MASS_SCALE], row[SOFTENING] = softness
        row[INVERSE_INERTIA_A], row[INVERSE_INERTIA_B] = inertia_a, inertia_b
        for k in range(contacts.point_count[contact]):
            point_x, point_y = contacts.point[contact, k, 0], contacts.point[contact, k, 1]
            rax, ray = point_x - bodies.frame[body_a, CENTER_X], point_y - bodies.frame[body_a, CENTER_Y]
            rbx, rby = point_x - bodies.frame[body_b, CENTER_X], point_y - bodies.frame[body_b, CENTER_Y]
            normal_a, normal_b = rax * normal_y - ray * normal_x, rbx * normal_y - rby * normal_x
            tangent_a, tangent_b = -rax * normal_x - ray * normal_y, -rbx * normal_x - rby * normal_y
            normal_k = along + inertia_a * normal_a * normal_a + inertia_b * normal_b * normal_b
            tangent_k = across + inertia_a * tangent_a * tangent_a + inertia_b * tangent_b * tangent_b
            approach = relative_x * normal_x + relative_y * normal_y + state[b, W] * normal_b - state[a, W] * normal_a

            point = row[POINT + k * POINT_WIDTH :]
            point[NORMAL_ARM_A], point[NORMAL_ARM_B] = normal_a, normal_b
            point[TANGENT_ARM_A], point[TANGENT_ARM_B] = tangent_a, tangent_b
            point[SEPARATION] = contacts.separation[contact, k]
            point[NORMAL_K] = normal_k
            point[NORMAL_MASS] = 1.0 / normal_k if normal_k > 0.0 else 0.0
            point[TANGENT_MASS] = 1.0 / tangent_k if tangent_k > 0.0 else 0.0
            point[NORMAL_IMPULSE] = pairs.impulse[pair, PAIR_NORMAL + k]
            point[TANGENT_IMPULSE] = pairs.impulse[pair, PAIR_TANGENT + k]
            point[LARGEST_IMPULSE] = 0.0
            point[APPROACH] = approach
            point[NORMAL_TOTAL], point[TANGENT_TOTAL] = 0.0, 0.0
            bouncing = bouncing or (restitution > 0.0 and approach < -bounce_speed)
        index[count, COUPLED] = 0
        if contacts.point_count[contact] == 2:
            first, second = row[POINT:], row[POINT + POINT_WIDTH :]
            coupling = (
                along
                + inertia_a * first[NORMAL_ARM_A] * second[NORMAL_ARM_A]
                + inertia_b * first[NORMAL_ARM_B] * second[NORMAL_ARM_B]
            )
            product = first[NORMAL_K] * second[NORMAL_K]
            row[COUPLING] = coupling
            index[count, COUPLED] = int(product - coupling * coupling > SINGULAR * product)
    return bouncing


def store_bodies(movers, bodies, solver):
    state = solver.state
    for k in range(len(movers)):
        body, row = movers[k], k + 1
        pose, frame = bodies.pose, bodies.frame
        bodies.velocity[body, X] = state[row, VX]
        bodies.velocity[body, Y] = state[row, VY]
        bodies.velocity[body, ANGLE] = state[row, W]
        bodies.push[body, :] = 0.0
        x, y = frame[body, CENTER_X] + state[row, DX], frame[body, CENTER_Y] + state[row, DY]
        c, s = frame[body, COS], frame[body, SIN]
        if state[row, DA] != 0.0:
            angle = pose[body, ANGLE] + state[row, DA]
            c, s = cos_sin(angle)
            pose[body, ANGLE] = angle
            frame[body, COS], frame[body, SIN], frame[body, FRAME_ANGLE] = c, s, angle
        frame[body, CENTER_X], frame[body, CENTER_Y] = x, y
        local_x, local_y = bodies.mass[body, LOCAL_X], bodies.mass[body, LOCAL_Y]
        pose[body, X] = x - (c * local_x - s * local_y)
        pose[body, Y] = y - (s * local_x + c * local_y)


def store_impulses(contacts, contact_count, order, pairs, solver):
    pairs.impulse[contacts.pair[:contact_count]] = 0.0
    for row, contact in zip(solver.contact, order):
        pair = contacts.pair[contact]
        for k in range(contacts.point_count[contact]):
            point = row[POINT + k * POINT_WIDTH :]
            pairs.impulse[pair, PAIR_NORMAL + k] = point[NORMAL_IMPULSE]
            pairs.impulse[pair, PAIR_TANGENT + k] = point[TANGENT_IMPULSE]
            contacts.normal_impulse[contact, k] = point[NORMAL_TOTAL] if point[LARGEST_IMPULSE] > 0.0 else 0.0
            contacts.tangent_impulse[contact, k] = point[TANGENT_TOTAL]
