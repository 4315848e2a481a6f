"""The stages of a substep over the solver's rows: bodies one by one, contacts in blocks of eight."""

from __future__ import annotations

from ecs_collide.columns.solver_state import DX, VX
from ecs_collide.compiled.jit import device
from ecs_collide.compiled.simd import (
    gather4,
    load,
    load_quad,
    maximum,
    minimum,
    scatter4,
    select,
    splat,
    store,
    store_quad,
)
from ecs_collide.engine.response.impulse.layout import (
    BEFORE,
    BIAS_RATE,
    COUPLED,
    COUPLING,
    CROSS_0,
    CROSS_1,
    FACTOR,
    FRICTION,
    GAIN,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
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
    POINT_WIDTH,
    RESTITUTION,
    ROW_A,
    ROW_B,
    SEPARATION,
    SOFTENING,
    TAKEABLE,
    TAKEN,
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    TANGENT_COUPLING,
    TANGENT_IMPULSE,
    TANGENT_MASS,
    TANGENT_TOTAL,
)

TOUCHING_DEPTH = 1e-9
"""Overlap that counts as a gap, in seconds of `push_out_speed`: rounding must not choose between rigid and soft."""


@device
def move_freely(solver, count, substeps):
    """All substeps at once for the bodies without a contact; return how many others there are.

    Reads solver_colour: what takes no colour may have contacts all the same. Writes solver_state, solver_busy.
    """
    state, carry, colour, busy = solver.state, solver.carry, solver.colour, solver.busy
    h = load_quad(solver.step, 0)
    busy_count = 0
    for row in range(1, count):
        if (colour[row, TAKEN] | colour[row, TAKEN + 1]) != 0 or colour[row, TAKEABLE] == 0:
            busy[busy_count] = row
            busy_count += 1
            continue
        velocity, movement = load_quad(state, (row, VX)), load_quad(state, (row, DX))
        gain, factor = load_quad(carry, (row, GAIN)), load_quad(carry, (row, FACTOR))
        for _ in range(substeps):
            velocity = (velocity + gain) * factor
            movement = movement + h * velocity
        store_quad(state, (row, VX), velocity)
        store_quad(state, (row, DX), movement)
    return busy_count


@device
def integrate_velocities(solver, busy, again):
    """Gravity, forces and damping; with `again`, also the velocity change that contacts made in the last substep.

    Contacts are warm started once a step. In later substeps each body gets the sum of last substep's impulses as
    one velocity change, v' = u' + (v - u): the Jacobians are fixed, so this is the same as warm starting every
    contact, at the price of a pass over the bodies. Writes solver_state, solver_carry (BEFORE).
    """
    state, carry = solver.state, solver.carry
    for row in busy:
        velocity = load_quad(state, (row, VX))
        unhindered = (velocity + load_quad(carry, (row, GAIN))) * load_quad(carry, (row, FACTOR))
        if again:
            store_quad(state, (row, VX), unhindered + (velocity - load_quad(carry, (row, BEFORE))))
        else:
            store_quad(state, (row, VX), unhindered)
        store_quad(carry, (row, BEFORE), unhindered)


@device
def integrate_positions(solver, busy):
    """Move each body by a substep of its velocity. Reads solver_step [s]. Writes solver_state (movement)."""
    state, h = solver.state, load_quad(solver.step, 0)
    for row in busy:
        store_quad(state, (row, DX), load_quad(state, (row, DX)) + h * load_quad(state, (row, VX)))


@device
def warm_start_contacts(solver, start, stop, point_count):
    """Apply the impulses of the last step in blocks of one kind. Writes solver_state (velocity)."""
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        vax, vay, wa, mass_ax = gather4(state, VX, index, (k, ROW_A))
        vbx, vby, wb, mass_bx = gather4(state, VX, index, (k, ROW_B))
        _, _, _, mass_ay = gather4(state, DX, index, (k, ROW_A))
        _, _, _, mass_by = gather4(state, DX, index, (k, ROW_B))
        normal_x, normal_y = load(row, NORMAL_X), load(row, NORMAL_Y)
        inertia_a, inertia_b = load(row, INVERSE_INERTIA_A), load(row, INVERSE_INERTIA_B)
        for i in range(point_count):
            point = row[POINT + i * POINT_WIDTH :]
            along, across = load(point, NORMAL_IMPULSE), load(point, TANGENT_IMPULSE)
            px, py = along * normal_x + across * normal_y, along * normal_y - across * normal_x
            vax, vay = vax - mass_ax * px, vay - mass_ay * py
            vbx, vby = vbx + mass_bx * px, vby + mass_by * py
            wa = wa - inertia_a * (along * load(point, NORMAL_ARM_A) + across * load(point, TANGENT_ARM_A))
            wb = wb + inertia_b * (along * load(point, NORMAL_ARM_B) + across * load(point, TANGENT_ARM_B))
        scatter4(state, VX, index, (k, ROW_A), vax, vay, wa, mass_ax)
        scatter4(state, VX, index, (k, ROW_B), vbx, vby, wb, mass_bx)


@device
def normal_demand(row, point, moved, turn_a, turn_b, inverse_h, push_out_speed, relaxing):
    """What a point asks for along the normal, as (gap?, bias [m/s], mass scale, softening), see `softness`.

    A gap may close within the substep and is rigid. An overlap is pushed out softly, except in a relaxing pass.
    """
    turned = turn_b * load(point, NORMAL_ARM_B) - turn_a * load(point, NORMAL_ARM_A)
    separation = load(point, SEPARATION) + moved + turned
    gap = separation > -TOUCHING_DEPTH * push_out_speed
    if relaxing:
        rigid = splat(1.0)
        return gap, select(gap, separation * inverse_h, 0.0), rigid, rigid
    push_out = maximum(load(row, BIAS_RATE) * separation, -push_out_speed)
    mass_scale, softening = select(gap, 1.0, load(row, MASS_SCALE)), select(gap, 1.0, load(row, SOFTENING))
    return gap, select(gap, separation * inverse_h, push_out), mass_scale, softening


@device
def solve_together(k00, k11, coupling, mass0, mass1, q0, q1, coupled):
    """The impulses [N s] of both points of a contact at once, in the lanes where they are `coupled`.

    Finds x >= 0 with w = K x + q >= 0 and x.w = 0, where K has the softened k of the points on its diagonal, `mass`
    is 1 / k, their coupling stands beside it, and q = demand - K_rigid x_old: first with both points active, else
    with the one that leaves the other parting. Point by point instead, a box that lands flat hops and turns.
    """
    inverse_determinant = 1.0 / select(coupled, k00 * k11 - coupling * coupling, 1.0)
    x0 = (coupling * q1 - k11 * q0) * inverse_determinant
    x1 = (coupling * q0 - k00 * q1) * inverse_determinant
    alone0, alone1 = maximum(-q0 * mass0, 0.0), maximum(-q1 * mass1, 0.0)
    first = q1 + coupling * alone0 >= q0 + coupling * alone1
    both = (x0 >= 0.0) & (x1 >= 0.0)
    return select(both, x0, select(first, alone0, 0.0)), select(both, x1, select(first, 0.0, alone1))


@device
def solve_contacts(solver, listed, start, stop, point_count, h, tolerances, relaxing, again):
    """One Gauss-Seidel pass over listed blocks of one kind: friction, then the normal impulses, of each contact.

    A gap closes at most (v_n >= -s/h). An overlap is pushed out softly, no faster than `push_out_speed` [m/s]; a
    `relaxing` pass takes that push back out of the velocity and adds up the step's impulses. Friction:
    |tangent impulse| <= friction * normal impulse. Two points whose matrix is nearly singular are solved one after
    the other. The speeds at a contact's points are computed once; from then on the couplings say what each impulse
    does to them, and the bodies get the sum.
    A pass made `again` takes the place of the one before in the totals. Writes solver_state (velocity), the impulses.
    """
    state, index, inverse_h, push_out_speed = solver.state, solver.index, 1.0 / h, tolerances.push_out_speed
    for k in listed[start:stop]:
        row = solver.block[k]
        vax, vay, wa, mass_ax = gather4(state, VX, index, (k, ROW_A))
        vbx, vby, wb, mass_bx = gather4(state, VX, index, (k, ROW_B))
        dax, day, turn_a, mass_ay = gather4(state, DX, index, (k, ROW_A))
        dbx, dby, turn_b, mass_by = gather4(state, DX, index, (k, ROW_B))
        normal_x, normal_y, friction = load(row, NORMAL_X), load(row, NORMAL_Y), load(row, FRICTION)
        sliding = (vbx - vax) * normal_y - (vby - vay) * normal_x
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
        moved = (dbx - dax) * normal_x + (dby - day) * normal_y

        first = row[POINT:]
        arm_a0, arm_b0 = load(first, NORMAL_ARM_A), load(first, NORMAL_ARM_B)
        across_a0, across_b0 = load(first, TANGENT_ARM_A), load(first, TANGENT_ARM_B)
        gap0, bias0, scale0, soft0 = normal_demand(
            row, first, moved, turn_a, turn_b, inverse_h, push_out_speed, relaxing
        )
        old0, mass0, k0 = load(first, NORMAL_IMPULSE), load(first, NORMAL_MASS) * scale0, load(first, NORMAL_K)
        rub0 = solve_friction(first, sliding + wb * across_b0 - wa * across_a0, friction * old0, relaxing, again)
        speed0 = closing + wb * arm_b0 - wa * arm_a0
        q0 = speed0 + bias0 + load(first, CROSS_0) * rub0 - k0 * old0
        if point_count == 1:
            x0 = maximum(-q0 * mass0, 0.0)
            if relaxing and solver.bounces[k]:
                x0 = select(falls(row, speed0, gap0, tolerances.bounce_speed), old0, x0)
            along, across = x0 - old0, rub0
            twist_a, twist_b = arm_a0 * along + across_a0 * rub0, arm_b0 * along + across_b0 * rub0
        else:
            second = row[POINT + POINT_WIDTH :]
            arm_a1, arm_b1 = load(second, NORMAL_ARM_A), load(second, NORMAL_ARM_B)
            across_a1, across_b1 = load(second, TANGENT_ARM_A), load(second, TANGENT_ARM_B)
            gap1, bias1, scale1, soft1 = normal_demand(
                row, second, moved, turn_a, turn_b, inverse_h, push_out_speed, relaxing
            )
            old1, mass1, k1 = load(second, NORMAL_IMPULSE), load(second, NORMAL_MASS) * scale1, load(second, NORMAL_K)
            sliding1 = sliding + wb * across_b1 - wa * across_a1 + load(row, TANGENT_COUPLING) * rub0
            rub1 = solve_friction(second, sliding1, friction * old1, relaxing, again)
            q0 = q0 + load(second, CROSS_0) * rub1
            rubbed1 = load(first, CROSS_1) * rub0 + load(second, CROSS_1) * rub1
            speed1 = closing + wb * arm_b1 - wa * arm_a1
            q1 = speed1 + bias1 + rubbed1 - k1 * old1
            coupling, coupled = load(row, COUPLING), load(row, COUPLED) > 0.0
            in_turn0 = maximum(-q0 * mass0, 0.0)
            in_turn1 = maximum(-(q1 + coupling * (in_turn0 - old0)) * mass1, 0.0)
            q0, q1 = q0 - coupling * old1, q1 - coupling * old0
            x0, x1 = solve_together(k0 * soft0, k1 * soft1, coupling, mass0, mass1, q0, q1, coupled)
            x0, x1 = select(coupled, x0, in_turn0), select(coupled, x1, in_turn1)
            if relaxing and solver.bounces[k]:
                x0 = select(falls(row, speed0, gap0, tolerances.bounce_speed), old0, x0)
                x1 = select(falls(row, speed1, gap1, tolerances.bounce_speed), old1, x1)
            push0, push1 = x0 - old0, x1 - old1
            along, across = push0 + push1, rub0 + rub1
            twist_a = arm_a0 * push0 + arm_a1 * push1 + across_a0 * rub0 + across_a1 * rub1
            twist_b = arm_b0 * push0 + arm_b1 * push1 + across_b0 * rub0 + across_b1 * rub1
            keep_impulse(second, x1, old1, relaxing, again)
        keep_impulse(first, x0, old0, relaxing, again)
        px, py = along * normal_x + across * normal_y, along * normal_y - across * normal_x
        wa, wb = wa - load(row, INVERSE_INERTIA_A) * twist_a, wb + load(row, INVERSE_INERTIA_B) * twist_b
        scatter4(state, VX, index, (k, ROW_A), vax - mass_ax * px, vay - mass_ay * py, wa, mass_ax)
        scatter4(state, VX, index, (k, ROW_B), vbx + mass_bx * px, vby + mass_by * py, wb, mass_bx)


@device
def falls(row, speed, gap, bounce_speed):
    """In which lanes a point is on its way to a bounce, over a gap that a relaxing pass must not brake it before."""
    return (load(row, RESTITUTION) > 0.0) & (speed < -bounce_speed) & gap


@device
def solve_friction(point, speed, limit, relaxing, again):
    """Stop the sliding at a point as far as the limit [N s] allows; store the impulse and return its change."""
    old = load(point, TANGENT_IMPULSE)
    new = minimum(maximum(-limit, old - load(point, TANGENT_MASS) * speed), limit)
    store(point, TANGENT_IMPULSE, new)
    if relaxing:
        store(point, TANGENT_TOTAL, load(point, TANGENT_TOTAL) + (new - old if again else new))
    return new - old


@device
def keep_impulse(point, impulse, old, relaxing, again):
    """Store a point's normal impulse; a relaxing pass adds it to the step's total."""
    store(point, NORMAL_IMPULSE, impulse)
    if relaxing:
        store(point, NORMAL_TOTAL, load(point, NORMAL_TOTAL) + (impulse - old if again else impulse))
