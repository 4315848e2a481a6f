"""The passes of a substep over single contacts, and the fields of the rows that they work on, for `scalar_solver`."""

from __future__ import annotations

TOUCHING_DEPTH = 1e-9

# solver_state: velocity, then movement since the step began, each with an inverse mass behind it
VX, VY, W, INVERSE_MASS_X, DX, DY, DA, INVERSE_MASS_Y = range(8)
STATE_WIDTH = 8

# solver_carry: velocity before the contacts of this substep, the outer acceleration
BEFORE_X, BEFORE_Y, BEFORE_W, GAIN_X, GAIN_Y, GAIN_W, LINEAR_FACTOR, ANGULAR_FACTOR = range(8)
CARRY_WIDTH = 8

# solver_index; COUPLED is 1 where both points are solved together
ROW_A, ROW_B, POINT_COUNT, COUPLED = 0, 1, 2, 3

# solver_contact: what both points share ...
(
    NORMAL_X,
    NORMAL_Y,
    FRICTION,
    RESTITUTION,
    BIAS_RATE,
    MASS_SCALE,
    SOFTENING,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
    COUPLING,
) = range(10)

# ... and, from POINT on, each point's own fields
POINT = 10
(
    NORMAL_ARM_A,
    NORMAL_ARM_B,
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    SEPARATION,
    NORMAL_K,
    NORMAL_MASS,
    TANGENT_MASS,
    NORMAL_IMPULSE,
    TANGENT_IMPULSE,
    LARGEST_IMPULSE,
    APPROACH,
    NORMAL_TOTAL,
    TANGENT_TOTAL,
) = range(14)
POINT_WIDTH = 14
CONTACT_WIDTH = POINT + 2 * POINT_WIDTH


def integrate_velocities(state, carry, again):
    for row in range(1, len(state)):
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


def integrate_positions(state, h):
    for row in range(1, len(state)):
        state[row, DX] += h * state[row, VX]
        state[row, DY] += h * state[row, VY]
        state[row, DA] += h * state[row, W]


def warm_start_contacts(state, index, rows, count):
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


def normal_demand(row, point, moved, turned, inverse_h, push_out_speed, relaxing):
    separation = point[SEPARATION] + moved + turned[1] * point[NORMAL_ARM_B] - turned[0] * point[NORMAL_ARM_A]
    if separation > -TOUCHING_DEPTH * push_out_speed:
        return separation * inverse_h, 1.0, 1.0
    if relaxing:
        return 0.0, 1.0, 1.0
    return max(row[BIAS_RATE] * separation, -push_out_speed), row[MASS_SCALE], row[SOFTENING]


def solve_coupled(row, softening0, softening1, demand0, demand1):
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


def solve_contacts(state, index, rows, count, h, push_out_speed, relaxing):
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


def bounces(point, bounce_speed):
    return point[APPROACH] <= -bounce_speed and point[LARGEST_IMPULSE] > 0.0


def normal_speed(state, a, b, row, point):
    return (
        (state[b, VX] - state[a, VX]) * row[NORMAL_X]
        + (state[b, VY] - state[a, VY]) * row[NORMAL_Y]
        + state[b, W] * point[NORMAL_ARM_B]
        - state[a, W] * point[NORMAL_ARM_A]
    )


def apply_normal_impulse(state, a, b, row, point, impulse):
    point[NORMAL_TOTAL] += impulse
    px, py = impulse * row[NORMAL_X], impulse * row[NORMAL_Y]
    state[a, VX] -= state[a, INVERSE_MASS_X] * px
    state[a, VY] -= state[a, INVERSE_MASS_Y] * py
    state[a, W] -= row[INVERSE_INERTIA_A] * point[NORMAL_ARM_A] * impulse
    state[b, VX] += state[b, INVERSE_MASS_X] * px
    state[b, VY] += state[b, INVERSE_MASS_Y] * py
    state[b, W] += row[INVERSE_INERTIA_B] * point[NORMAL_ARM_B] * impulse


def apply_restitution(state, index, rows, count, bounce_speed):
    for k in range(count):
        row = rows[k]
        restitution = row[RESTITUTION]
        if restitution == 0.0:
            continue
        a, b = index[k, ROW_A], index[k, ROW_B]
        if (
            index[k, COUPLED] != 0
            and bounces(row[POINT:], bounce_speed)
            and bounces(row[POINT + POINT_WIDTH :], bounce_speed)
        ):
            first, second = row[POINT:], row[POINT + POINT_WIDTH :]
            demand0 = normal_speed(state, a, b, row, first) + restitution * first[APPROACH]
            demand1 = normal_speed(state, a, b, row, second) + restitution * second[APPROACH]
            impulse0, impulse1 = solve_coupled(row, 1.0, 1.0, demand0, demand1)
            apply_normal_impulse(state, a, b, row, first, impulse0)
            apply_normal_impulse(state, a, b, row, second, impulse1)
            continue
        for i in range(index[k, POINT_COUNT]):
            point = row[POINT + i * POINT_WIDTH :]
            if not bounces(point, bounce_speed):
                continue
            demand = normal_speed(state, a, b, row, point) + restitution * point[APPROACH]
            old = point[NORMAL_IMPULSE]
            new = max(0.0, old - point[NORMAL_MASS] * demand)
            point[NORMAL_IMPULSE] = new
            apply_normal_impulse(state, a, b, row, point, new - old)
