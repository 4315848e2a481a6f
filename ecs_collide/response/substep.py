"""The stages of a substep over the solver's rows."""

from __future__ import annotations

from ecs_collide.jit import device
from ecs_collide.response.layout import (
    ANGULAR_FACTOR,
    BEFORE_W,
    BEFORE_X,
    BEFORE_Y,
    BIAS_RATE,
    BUSY,
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

TOUCHING_DEPTH = 1e-9
"""Overlap that counts as a gap, in seconds of `push_out_speed`: rounding must not choose between rigid and soft."""


@device
def move_freely(state, carry, count, substeps, h):
    """All substeps at once for the bodies without a contact. Writes solver_state."""
    for row in range(1, count):
        if carry[row, BUSY] != 0.0:
            continue
        vx, vy, w = state[row, VX], state[row, VY], state[row, W]
        gain_x, gain_y, gain_w = carry[row, GAIN_X], carry[row, GAIN_Y], carry[row, GAIN_W]
        linear, angular = carry[row, LINEAR_FACTOR], carry[row, ANGULAR_FACTOR]
        dx, dy, da = 0.0, 0.0, 0.0
        for _ in range(substeps):
            vx, vy, w = (vx + gain_x) * linear, (vy + gain_y) * linear, (w + gain_w) * angular
            dx, dy, da = dx + h * vx, dy + h * vy, da + h * w
        state[row, VX], state[row, VY], state[row, W] = vx, vy, w
        state[row, DX], state[row, DY], state[row, DA] = dx, dy, da


@device
def integrate_velocities(state, carry, busy, again):
    """Gravity, forces and damping; with `again`, also the velocity change that contacts made in the last substep.

    Contacts are warm started once a step. In later substeps each body gets the sum of last substep's impulses as
    one velocity change, v' = u' + (v - u): the Jacobians are fixed, so this is the same as warm starting every
    contact, at the price of a pass over the bodies. Writes solver_state, solver_carry (BEFORE).
    """
    for row in busy:
        vx, vy, w = state[row, VX], state[row, VY], state[row, W]
        linear, angular = carry[row, LINEAR_FACTOR], carry[row, ANGULAR_FACTOR]
        ux, uy = (vx + carry[row, GAIN_X]) * linear, (vy + carry[row, GAIN_Y]) * linear
        uw = (w + carry[row, GAIN_W]) * angular
        if again:
            state[row, VX] = ux + (vx - carry[row, BEFORE_X])
            state[row, VY] = uy + (vy - carry[row, BEFORE_Y])
            state[row, W] = uw + (w - carry[row, BEFORE_W])
        else:
            state[row, VX], state[row, VY], state[row, W] = ux, uy, uw
        carry[row, BEFORE_X], carry[row, BEFORE_Y], carry[row, BEFORE_W] = ux, uy, uw


@device
def integrate_positions(state, busy, h):
    """Move each body by h [s] of its velocity. Writes solver_state (movement)."""
    for row in busy:
        state[row, DX] += h * state[row, VX]
        state[row, DY] += h * state[row, VY]
        state[row, DA] += h * state[row, W]


@device
def warm_start_contacts(state, index, rows, count):
    """Apply the impulses of the last step. Writes solver_state (velocity)."""
    for k in range(count):
        a, b, row = index[k, ROW_A], index[k, ROW_B], rows[k]
        normal_x, normal_y = row[NORMAL_X], row[NORMAL_Y]
        sum_normal, sum_tangent, turn_a, turn_b = 0.0, 0.0, 0.0, 0.0
        for i in range(index[k, POINT_COUNT]):
            at = POINT + i * POINT_WIDTH
            along, across = row[at + NORMAL_IMPULSE], row[at + TANGENT_IMPULSE]
            sum_normal += along
            sum_tangent += across
            turn_a += along * row[at + NORMAL_ARM_A] + across * row[at + TANGENT_ARM_A]
            turn_b += along * row[at + NORMAL_ARM_B] + across * row[at + TANGENT_ARM_B]
        px = sum_normal * normal_x + sum_tangent * normal_y
        py = sum_normal * normal_y - sum_tangent * normal_x
        state[a, VX] -= state[a, INVERSE_MASS_X] * px
        state[a, VY] -= state[a, INVERSE_MASS_Y] * py
        state[a, W] -= row[INVERSE_INERTIA_A] * turn_a
        state[b, VX] += state[b, INVERSE_MASS_X] * px
        state[b, VY] += state[b, INVERSE_MASS_Y] * py
        state[b, W] += row[INVERSE_INERTIA_B] * turn_b


@device
def normal_demand(row, point, moved, turned, inverse_h, push_out_speed, relaxing):
    """What a point asks for along the normal, as (bias [m/s], mass scale, softening), see `softness`.

    A gap may close within the substep and is rigid. An overlap is pushed out softly, except in a relaxing pass.
    """
    separation = point[SEPARATION] + moved + turned[1] * point[NORMAL_ARM_B] - turned[0] * point[NORMAL_ARM_A]
    if separation > -TOUCHING_DEPTH * push_out_speed:
        return separation * inverse_h, 1.0, 1.0
    if relaxing:
        return 0.0, 1.0, 1.0
    return max(row[BIAS_RATE] * separation, -push_out_speed), row[MASS_SCALE], row[SOFTENING]


@device
def solve_coupled(row, softening0, softening1, demand0, demand1):
    """Solve both points of a contact at once; store their new impulses and return the changes [N s].

    Finds x >= 0 with w = K x + q >= 0 and x.w = 0, where K has the softened k of the points on its diagonal and
    their coupling beside it, and q = demand - K_rigid x_old: first with both points active, else with the one that
    leaves the other parting. Point by point instead, a box that lands flat hops and turns.
    """
    first, second = row[POINT:], row[POINT + POINT_WIDTH :]
    coupling = row[COUPLING]
    k00, k11 = first[NORMAL_K] * softening0, second[NORMAL_K] * softening1
    old0, old1 = first[NORMAL_IMPULSE], second[NORMAL_IMPULSE]
    q0 = demand0 - (first[NORMAL_K] * old0 + coupling * old1)
    q1 = demand1 - (coupling * old0 + second[NORMAL_K] * old1)
    inverse_determinant = 1.0 / (k00 * k11 - coupling * coupling)
    x0 = (coupling * q1 - k11 * q0) * inverse_determinant
    x1 = (coupling * q0 - k00 * q1) * inverse_determinant
    if x0 < 0.0 or x1 < 0.0:
        x0, x1 = max(0.0, -q0 / k00), max(0.0, -q1 / k11)
        if q1 + coupling * x0 >= q0 + coupling * x1:
            x1 = 0.0
        else:
            x0 = 0.0
    first[NORMAL_IMPULSE], second[NORMAL_IMPULSE] = x0, x1
    return x0 - old0, x1 - old1


@device
def solve_contacts(state, index, rows, count, h, push_out_speed, relaxing):
    """One Gauss-Seidel pass: friction, then the normal impulses, of each contact.

    A gap closes at most (v_n >= -s/h). An overlap is pushed out softly, no faster than `push_out_speed` [m/s]; a
    `relaxing` pass takes that push back out of the velocity and adds up the step's impulses. Friction:
    |tangent impulse| <= friction * normal impulse. Writes solver_state (velocity), the impulses.
    """
    inverse_h = 1.0 / h
    for k in range(count):
        a, b, row = index[k, ROW_A], index[k, ROW_B], rows[k]
        point_count = index[k, POINT_COUNT]
        normal_x, normal_y = row[NORMAL_X], row[NORMAL_Y]
        inertia_a, inertia_b = row[INVERSE_INERTIA_A], row[INVERSE_INERTIA_B]
        mass_ax, mass_ay = state[a, INVERSE_MASS_X], state[a, INVERSE_MASS_Y]
        mass_bx, mass_by = state[b, INVERSE_MASS_X], state[b, INVERSE_MASS_Y]
        vax, vay, wa = state[a, VX], state[a, VY], state[a, W]
        vbx, vby, wb = state[b, VX], state[b, VY], state[b, W]

        friction = row[FRICTION]
        for i in range(point_count):
            at = POINT + i * POINT_WIDTH
            arm_a, arm_b = row[at + TANGENT_ARM_A], row[at + TANGENT_ARM_B]
            speed = (vbx - vax) * normal_y - (vby - vay) * normal_x + wb * arm_b - wa * arm_a
            limit = friction * row[at + NORMAL_IMPULSE]
            old = row[at + TANGENT_IMPULSE]
            new = max(-limit, min(limit, old - row[at + TANGENT_MASS] * speed))
            row[at + TANGENT_IMPULSE] = new
            impulse = new - old
            px, py = impulse * normal_y, -impulse * normal_x
            vax -= mass_ax * px
            vay -= mass_ay * py
            wa -= inertia_a * arm_a * impulse
            vbx += mass_bx * px
            vby += mass_by * py
            wb += inertia_b * arm_b * impulse
            if relaxing:
                row[at + TANGENT_TOTAL] += new

        moved = (state[b, DX] - state[a, DX]) * normal_x + (state[b, DY] - state[a, DY]) * normal_y
        turned = state[a, DA], state[b, DA]
        if index[k, COUPLED] != 0:
            first, second = row[POINT:], row[POINT + POINT_WIDTH :]
            closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
            bias0, _, softening0 = normal_demand(row, first, moved, turned, inverse_h, push_out_speed, relaxing)
            bias1, _, softening1 = normal_demand(row, second, moved, turned, inverse_h, push_out_speed, relaxing)
            speed0 = closing + wb * first[NORMAL_ARM_B] - wa * first[NORMAL_ARM_A]
            speed1 = closing + wb * second[NORMAL_ARM_B] - wa * second[NORMAL_ARM_A]
            impulse0, impulse1 = solve_coupled(row, softening0, softening1, speed0 + bias0, speed1 + bias1)
            along = impulse0 + impulse1
            px, py = along * normal_x, along * normal_y
            vax -= mass_ax * px
            vay -= mass_ay * py
            wa -= inertia_a * (first[NORMAL_ARM_A] * impulse0 + second[NORMAL_ARM_A] * impulse1)
            vbx += mass_bx * px
            vby += mass_by * py
            wb += inertia_b * (first[NORMAL_ARM_B] * impulse0 + second[NORMAL_ARM_B] * impulse1)
        else:
            for i in range(point_count):
                point = row[POINT + i * POINT_WIDTH :]
                arm_a, arm_b = point[NORMAL_ARM_A], point[NORMAL_ARM_B]
                bias, mass_scale, _ = normal_demand(row, point, moved, turned, inverse_h, push_out_speed, relaxing)
                speed = (vbx - vax) * normal_x + (vby - vay) * normal_y + wb * arm_b - wa * arm_a
                old = point[NORMAL_IMPULSE]
                rest = speed + bias - point[NORMAL_K] * old
                new = max(0.0, -rest * point[NORMAL_MASS] * mass_scale)
                point[NORMAL_IMPULSE] = new
                impulse = new - old
                px, py = impulse * normal_x, impulse * normal_y
                vax -= mass_ax * px
                vay -= mass_ay * py
                wa -= inertia_a * arm_a * impulse
                vbx += mass_bx * px
                vby += mass_by * py
                wb += inertia_b * arm_b * impulse
        for i in range(point_count):
            point = row[POINT + i * POINT_WIDTH :]
            point[LARGEST_IMPULSE] = max(point[LARGEST_IMPULSE], point[NORMAL_IMPULSE])
            if relaxing:
                point[NORMAL_TOTAL] += point[NORMAL_IMPULSE]

        state[a, VX], state[a, VY], state[a, W] = vax, vay, wa
        state[b, VX], state[b, VY], state[b, W] = vbx, vby, wb
