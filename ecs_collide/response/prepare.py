"""Fill the solver's rows from the columns at the start of a step.

The Jacobian of a contact point is fixed for the step: with the point at r from the centre of mass, its normal
row is (n, r x n) and its friction row (t, r x t), where t = (n_y, -n_x). The cross products are the `arms`.
Effective mass: 1 / k, where k = n.(M_a^-1 + M_b^-1) n + i_a (r_a x n)^2 + i_b (r_b x n)^2, with M^-1 diagonal, so
that an axis may be locked by itself. The coupling of two points has the arms of both in place of the squares.
"""

from __future__ import annotations

from ecs_collide.columns.bodies import (
    ANGLE,
    ANGULAR_DAMPING,
    CENTER_X,
    CENTER_Y,
    GRAVITY_SCALE,
    INVERSE_INERTIA,
    LINEAR_DAMPING,
    X,
    Y,
)
from ecs_collide.columns.bodies import INVERSE_MASS_X as BODY_INVERSE_MASS_X
from ecs_collide.columns.bodies import INVERSE_MASS_Y as BODY_INVERSE_MASS_Y
from ecs_collide.columns.pairs import NORMAL_IMPULSE as PAIR_NORMAL
from ecs_collide.columns.pairs import TANGENT_IMPULSE as PAIR_TANGENT
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.jit import device
from ecs_collide.response.layout import (
    ANGULAR_FACTOR,
    APPROACH,
    BIAS_RATE,
    BUSY,
    COUPLED,
    COUPLING,
    DX,
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
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    TANGENT_IMPULSE,
    TANGENT_MASS,
    TANGENT_TOTAL,
    VX,
    VY,
    W,
)

DYNAMIC = int(BodyKind.DYNAMIC)

SINGULAR = 1e-4
"""Two points are solved together if their matrix's determinant is more than this fraction of its diagonal's product."""


@device
def prepare_bodies(movers, bodies, solver, gravity_x, gravity_y, h):
    """Load the moving bodies' velocities, and what a substep of h [s] adds to them.

    Reads body_velocity, body_mass, body_motion, body_force, body_push. Writes solver_state, solver_carry,
    body_solver_row. A locked axis of a dynamic body loses its velocity.
    """
    state, carry = solver.state, solver.carry
    state[0, :] = 0.0
    for k in range(len(movers)):
        body, row = movers[k], k + 1
        bodies.solver_row[body] = row
        inverse_x, inverse_y = bodies.mass[body, BODY_INVERSE_MASS_X], bodies.mass[body, BODY_INVERSE_MASS_Y]
        inverse_inertia = bodies.mass[body, INVERSE_INERTIA]
        vx, vy, w = bodies.velocity[body, X], bodies.velocity[body, Y], bodies.velocity[body, ANGLE]
        gain_x, gain_y, gain_w, linear_factor, angular_factor = 0.0, 0.0, 0.0, 1.0, 1.0
        if bodies.kind[body] == DYNAMIC:
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
        carry[row, BUSY] = 0.0


@device
def prepare_contacts(contacts, contact_count, bodies, pairs, solver, soft, stiff, bounce_speed):
    """Fill the solver's contact rows; return (rows, bodies with a contact, whether any contact can bounce).

    Reads the enabled contacts, body_frame, body_mass, pair_impulse. Writes solver_index, solver_contact, solver_busy.
    """
    state, carry, busy, index, rows = solver
    count, busy_count = 0, 0
    bouncing = False
    for contact in range(contact_count):
        if not contacts.enabled[contact]:
            continue
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

        for side in (a, b):
            if side > 0 and carry[side, BUSY] == 0.0:
                carry[side, BUSY] = 1.0
                busy[busy_count] = side
                busy_count += 1
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
        count += 1
    return count, busy_count, bouncing
