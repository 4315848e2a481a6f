"""The stages of a substep over the solver's rows: bodies one by one, contacts in blocks of eight."""

from __future__ import annotations

from ecs_collide.columns import solver_state as of_state
from ecs_collide.compiled import simd
from ecs_collide.compiled.jit import device
from ecs_collide.engine.response.impulse import layout

TOUCHING_DEPTH = 1e-9
"""Overlap that counts as a gap, in seconds of `push_out_speed`: rounding must not choose between rigid and soft."""


@device
def move_freely(solver, count, substeps):
    """All substeps at once for the bodies without a contact; return how many others there are.

    Reads solver_colour: what takes no colour may have contacts all the same. Writes solver_state, solver_busy.
    """
    state, carry, colour, busy = solver.state, solver.carry, solver.colour, solver.busy
    h = simd.load_quad(solver.step, 0)
    busy_count = 0
    for row in range(1, count):
        if (colour[row, layout.TAKEN] | colour[row, layout.TAKEN + 1]) != 0 or colour[row, layout.TAKEABLE] == 0:
            busy[busy_count] = row
            busy_count += 1
            continue
        velocity, movement = simd.load_quad(state, (row, of_state.VX)), simd.load_quad(state, (row, of_state.DX))
        gain, factor = simd.load_quad(carry, (row, layout.GAIN)), simd.load_quad(carry, (row, layout.FACTOR))
        for _ in range(substeps):
            velocity = (velocity + gain) * factor
            movement = movement + h * velocity
        simd.store_quad(state, (row, of_state.VX), velocity)
        simd.store_quad(state, (row, of_state.DX), movement)
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
        velocity = simd.load_quad(state, (row, of_state.VX))
        unhindered = (velocity + simd.load_quad(carry, (row, layout.GAIN))) * simd.load_quad(
            carry, (row, layout.FACTOR)
        )
        if again:
            simd.store_quad(
                state, (row, of_state.VX), unhindered + (velocity - simd.load_quad(carry, (row, layout.BEFORE)))
            )
        else:
            simd.store_quad(state, (row, of_state.VX), unhindered)
        simd.store_quad(carry, (row, layout.BEFORE), unhindered)


@device
def integrate_positions(solver, busy):
    """Move each body by a substep of its velocity. Reads solver_step [s]. Writes solver_state (movement)."""
    state, h = solver.state, simd.load_quad(solver.step, 0)
    for row in busy:
        simd.store_quad(
            state,
            (row, of_state.DX),
            simd.load_quad(state, (row, of_state.DX)) + h * simd.load_quad(state, (row, of_state.VX)),
        )


@device
def warm_start_contacts(solver, start, stop, point_count):
    """Apply the impulses of the last step in blocks of one kind. Writes solver_state (velocity)."""
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        vax, vay, wa, mass_ax = simd.gather4(state, of_state.VX, index, (k, layout.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, of_state.VX, index, (k, layout.ROW_B))
        _, _, _, mass_ay = simd.gather4(state, of_state.DX, index, (k, layout.ROW_A))
        _, _, _, mass_by = simd.gather4(state, of_state.DX, index, (k, layout.ROW_B))
        normal_x, normal_y = simd.load(row, layout.NORMAL_X), simd.load(row, layout.NORMAL_Y)
        inertia_a, inertia_b = simd.load(row, layout.INVERSE_INERTIA_A), simd.load(row, layout.INVERSE_INERTIA_B)
        for i in range(point_count):
            point = row[layout.POINT + i * layout.POINT_WIDTH :]
            along, across = simd.load(point, layout.NORMAL_IMPULSE), simd.load(point, layout.TANGENT_IMPULSE)
            px, py = along * normal_x + across * normal_y, along * normal_y - across * normal_x
            vax, vay = vax - mass_ax * px, vay - mass_ay * py
            vbx, vby = vbx + mass_bx * px, vby + mass_by * py
            wa = wa - inertia_a * (
                along * simd.load(point, layout.NORMAL_ARM_A) + across * simd.load(point, layout.TANGENT_ARM_A)
            )
            wb = wb + inertia_b * (
                along * simd.load(point, layout.NORMAL_ARM_B) + across * simd.load(point, layout.TANGENT_ARM_B)
            )
        simd.scatter4(state, of_state.VX, index, (k, layout.ROW_A), vax, vay, wa, mass_ax)
        simd.scatter4(state, of_state.VX, index, (k, layout.ROW_B), vbx, vby, wb, mass_bx)


@device
def normal_demand(row, point, moved, turn_a, turn_b, inverse_h, push_out_speed, relaxing):
    """What a point asks for along the normal, as (gap?, bias [m/s], mass scale, softening), see `softness`.

    A gap may close within the substep and is rigid. An overlap is pushed out softly, except in a relaxing pass.
    """
    turned = turn_b * simd.load(point, layout.NORMAL_ARM_B) - turn_a * simd.load(point, layout.NORMAL_ARM_A)
    separation = simd.load(point, layout.SEPARATION) + moved + turned
    gap = separation > -TOUCHING_DEPTH * push_out_speed
    if relaxing:
        rigid = simd.splat(1.0)
        return gap, simd.select(gap, separation * inverse_h, 0.0), rigid, rigid
    push_out = simd.maximum(simd.load(row, layout.BIAS_RATE) * separation, -push_out_speed)
    mass_scale, softening = (
        simd.select(gap, 1.0, simd.load(row, layout.MASS_SCALE)),
        simd.select(gap, 1.0, simd.load(row, layout.SOFTENING)),
    )
    return gap, simd.select(gap, separation * inverse_h, push_out), mass_scale, softening


@device
def solve_together(k00, k11, coupling, mass0, mass1, q0, q1, coupled):
    """The impulses [N s] of both points of a contact at once, in the lanes where they are `coupled`.

    Finds x >= 0 with w = K x + q >= 0 and x.w = 0, where K has the softened k of the points on its diagonal, `mass`
    is 1 / k, their coupling stands beside it, and q = demand - K_rigid x_old: first with both points active, else
    with the one that leaves the other parting. Point by point instead, a box that lands flat hops and turns.
    """
    inverse_determinant = 1.0 / simd.select(coupled, k00 * k11 - coupling * coupling, 1.0)
    x0 = (coupling * q1 - k11 * q0) * inverse_determinant
    x1 = (coupling * q0 - k00 * q1) * inverse_determinant
    alone0, alone1 = simd.maximum(-q0 * mass0, 0.0), simd.maximum(-q1 * mass1, 0.0)
    first = q1 + coupling * alone0 >= q0 + coupling * alone1
    both = (x0 >= 0.0) & (x1 >= 0.0)
    return simd.select(both, x0, simd.select(first, alone0, 0.0)), simd.select(
        both, x1, simd.select(first, 0.0, alone1)
    )


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
    taken_back = simd.splat(1.0 if relaxing else 0.0)
    for k in listed[start:stop]:
        row = solver.block[k]
        vax, vay, wa, mass_ax = simd.gather4(state, of_state.VX, index, (k, layout.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, of_state.VX, index, (k, layout.ROW_B))
        dax, day, turn_a, mass_ay = simd.gather4(state, of_state.DX, index, (k, layout.ROW_A))
        dbx, dby, turn_b, mass_by = simd.gather4(state, of_state.DX, index, (k, layout.ROW_B))
        normal_x, normal_y, friction = (
            simd.load(row, layout.NORMAL_X),
            simd.load(row, layout.NORMAL_Y),
            simd.load(row, layout.FRICTION),
        )
        sliding = (vbx - vax) * normal_y - (vby - vay) * normal_x
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
        moved = (dbx - dax) * normal_x + (dby - day) * normal_y

        first = row[layout.POINT :]
        arm_a0, arm_b0 = simd.load(first, layout.NORMAL_ARM_A), simd.load(first, layout.NORMAL_ARM_B)
        across_a0, across_b0 = simd.load(first, layout.TANGENT_ARM_A), simd.load(first, layout.TANGENT_ARM_B)
        gap0, bias0, scale0, soft0 = normal_demand(
            row, first, moved, turn_a, turn_b, inverse_h, push_out_speed, relaxing
        )
        old0, mass0, k0 = (
            simd.load(first, layout.NORMAL_IMPULSE),
            simd.load(first, layout.NORMAL_MASS) * scale0,
            simd.load(first, layout.NORMAL_K),
        )
        speed0, bouncing = closing + wb * arm_b0 - wa * arm_a0, relaxing and solver.bounces[k]
        borne0 = rigid_impulse(row, old0, speed0, bias0, mass0, gap0, taken_back, bouncing, tolerances.bounce_speed)
        rub0 = solve_friction(first, sliding + wb * across_b0 - wa * across_a0, friction * borne0, relaxing, again)
        q0 = speed0 + bias0 + simd.load(first, layout.CROSS_0) * rub0 - k0 * old0
        if point_count == 1:
            x0 = simd.maximum(-q0 * mass0, 0.0)
            if bouncing:
                x0 = simd.select(will_bounce(row, speed0, gap0, tolerances.bounce_speed), old0, x0)
            along, across = x0 - old0, rub0
            twist_a, twist_b = arm_a0 * along + across_a0 * rub0, arm_b0 * along + across_b0 * rub0
        else:
            second = row[layout.POINT + layout.POINT_WIDTH :]
            arm_a1, arm_b1 = simd.load(second, layout.NORMAL_ARM_A), simd.load(second, layout.NORMAL_ARM_B)
            across_a1, across_b1 = simd.load(second, layout.TANGENT_ARM_A), simd.load(second, layout.TANGENT_ARM_B)
            gap1, bias1, scale1, soft1 = normal_demand(
                row, second, moved, turn_a, turn_b, inverse_h, push_out_speed, relaxing
            )
            old1, mass1, k1 = (
                simd.load(second, layout.NORMAL_IMPULSE),
                simd.load(second, layout.NORMAL_MASS) * scale1,
                simd.load(second, layout.NORMAL_K),
            )
            sliding1 = sliding + wb * across_b1 - wa * across_a1 + simd.load(row, layout.TANGENT_COUPLING) * rub0
            speed1 = closing + wb * arm_b1 - wa * arm_a1
            borne1 = rigid_impulse(row, old1, speed1, bias1, mass1, gap1, taken_back, bouncing, tolerances.bounce_speed)
            rub1 = solve_friction(second, sliding1, friction * borne1, relaxing, again)
            q0 = q0 + simd.load(second, layout.CROSS_0) * rub1
            rubbed1 = simd.load(first, layout.CROSS_1) * rub0 + simd.load(second, layout.CROSS_1) * rub1
            q1 = speed1 + bias1 + rubbed1 - k1 * old1
            coupling, coupled = simd.load(row, layout.COUPLING), simd.load(row, layout.COUPLED) > 0.0
            in_turn0 = simd.maximum(-q0 * mass0, 0.0)
            in_turn1 = simd.maximum(-(q1 + coupling * (in_turn0 - old0)) * mass1, 0.0)
            q0, q1 = q0 - coupling * old1, q1 - coupling * old0
            x0, x1 = solve_together(k0 * soft0, k1 * soft1, coupling, mass0, mass1, q0, q1, coupled)
            x0, x1 = simd.select(coupled, x0, in_turn0), simd.select(coupled, x1, in_turn1)
            if bouncing:
                x0 = simd.select(will_bounce(row, speed0, gap0, tolerances.bounce_speed), old0, x0)
                x1 = simd.select(will_bounce(row, speed1, gap1, tolerances.bounce_speed), old1, x1)
            push0, push1 = x0 - old0, x1 - old1
            along, across = push0 + push1, rub0 + rub1
            twist_a = arm_a0 * push0 + arm_a1 * push1 + across_a0 * rub0 + across_a1 * rub1
            twist_b = arm_b0 * push0 + arm_b1 * push1 + across_b0 * rub0 + across_b1 * rub1
            keep_impulse(second, x1, old1, relaxing, again)
        keep_impulse(first, x0, old0, relaxing, again)
        px, py = along * normal_x + across * normal_y, along * normal_y - across * normal_x
        wa, wb = (
            wa - simd.load(row, layout.INVERSE_INERTIA_A) * twist_a,
            wb + simd.load(row, layout.INVERSE_INERTIA_B) * twist_b,
        )
        simd.scatter4(state, of_state.VX, index, (k, layout.ROW_A), vax - mass_ax * px, vay - mass_ay * py, wa, mass_ax)
        simd.scatter4(state, of_state.VX, index, (k, layout.ROW_B), vbx + mass_bx * px, vby + mass_by * py, wb, mass_bx)


@device
def rigid_impulse(row, old, speed, bias, mass, gap, taken_back, bouncing, bounce_speed):
    """The normal impulse [N s] at a point that friction may count on.

    A relaxing pass, where `taken_back` is 1 and not 0, takes back what pushed an overlap out: a ball that falls fast
    onto ice overlaps it for some steps, and would lose several times what Coulomb's law says.
    """
    rigid = simd.maximum(old - taken_back * (speed + bias) * mass, 0.0)
    if bouncing:
        rigid = simd.select(will_bounce(row, speed, gap, bounce_speed), old, rigid)
    return rigid


@device
def will_bounce(row, speed, gap, bounce_speed):
    """In which lanes a point is on its way to a bounce, over a gap that a relaxing pass must not brake it before."""
    return (simd.load(row, layout.RESTITUTION) > 0.0) & (speed < -bounce_speed) & gap


@device
def solve_friction(point, speed, limit, relaxing, again):
    """Stop the sliding at a point as far as the limit [N s] allows; store the impulse and return its change."""
    old = simd.load(point, layout.TANGENT_IMPULSE)
    new = simd.minimum(simd.maximum(-limit, old - simd.load(point, layout.TANGENT_MASS) * speed), limit)
    simd.store(point, layout.TANGENT_IMPULSE, new)
    if relaxing:
        simd.store(point, layout.TANGENT_TOTAL, simd.load(point, layout.TANGENT_TOTAL) + (new - old if again else new))
    return new - old


@device
def keep_impulse(point, impulse, old, relaxing, again):
    """Store a point's normal impulse; a relaxing pass adds it to the step's total."""
    simd.store(point, layout.NORMAL_IMPULSE, impulse)
    if relaxing:
        simd.store(
            point, layout.NORMAL_TOTAL, simd.load(point, layout.NORMAL_TOTAL) + (impulse - old if again else impulse)
        )
