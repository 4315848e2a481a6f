"""Bounces, at the start of each substep, before outer forces: Newton's v_n' = -e v_n, with Coulomb's friction at once.

A point is hit if it approaches faster than the threshold and would close within the substep, with g, the speed that
outer forces are about to add to it. Its target is -e v_n - g: the substep's own share of gravity then brings it to
-e v_n, which for e = 1 keeps y g + v^2 / 2 - v g h / 2, the energy that symplectic Euler keeps, to rounding. A point
that already carries an impulse is held against the outer forces, and g is 0. Where e = 0, the target is what closes the
gap within the substep, as for the solver.

The bounce is no part of the accumulated impulses, which are what holds bodies apart and is repeated from substep to
substep. Several passes let it travel through crowds, until none has a hit (`impact`).
"""

from __future__ import annotations

from ecs_collide.columns.solver_state import DX, VX
from ecs_collide.compiled.jit import device
from ecs_collide.compiled.simd import (
    any_lane,
    gather4,
    load,
    maximum,
    minimum,
    scatter4,
    select,
    splat,
    square_root,
    store,
)
from ecs_collide.engine.response.impulse.layout import (
    APPROACH,
    BEFORE,
    COUPLED,
    COUPLING,
    CROSS_0,
    CROSS_1,
    FRICTION,
    GAIN,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
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
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    TANGENT_COUPLING,
    TANGENT_MASS,
    TANGENT_TOTAL,
)
from ecs_collide.engine.response.impulse.substep import solve_together


@device
def bounce_contacts(solver, start, stop, point_count, h, dt, tolerances, first_pass):
    """One pass over listed blocks of one kind, the first over those where impacts begin; return whether any was hit.

    Writes solver_state (velocity), solver_carry (BEFORE), so that the bodies' warm start does not repeat the bounce,
    the totals and the approach speeds.
    """
    state, carry, index = solver.state, solver.carry, solver.index
    any_hit = False
    for k in solver.struck[start:stop]:
        if first_pass and not solver.meets[k]:
            continue
        row = solver.block[k]
        vax, vay, wa, mass_ax = gather4(state, VX, index, (k, ROW_A))
        vbx, vby, wb, mass_bx = gather4(state, VX, index, (k, ROW_B))
        normal_x, normal_y = load(row, NORMAL_X), load(row, NORMAL_Y)
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
        first, second = row[POINT:], row[POINT + POINT_WIDTH :]
        speed0 = closing + wb * load(first, NORMAL_ARM_B) - wa * load(first, NORMAL_ARM_A)
        elastic = load(row, RESTITUTION) > 0.0
        threshold = select(elastic, splat(tolerances.bounce_speed), splat(tolerances.impact_speed))
        fast = speed0 < -threshold
        speed1 = speed0
        if point_count == 2:
            speed1 = closing + wb * load(second, NORMAL_ARM_B) - wa * load(second, NORMAL_ARM_A)
            fast = fast | (speed1 < -threshold)
        if not any_lane(fast):
            continue
        dax, day, turn_a, mass_ay = gather4(state, DX, index, (k, ROW_A))
        dbx, dby, turn_b, mass_by = gather4(state, DX, index, (k, ROW_B))
        gax, gay, gain_a, _ = gather4(carry, GAIN, index, (k, ROW_A))
        gbx, gby, gain_b, _ = gather4(carry, GAIN, index, (k, ROW_B))
        moved = (dbx - dax) * normal_x + (dby - day) * normal_y, turn_a, turn_b
        gain = (gbx - gax) * normal_x + (gby - gay) * normal_y, gain_a, gain_b
        hit0, demand0 = demand_of(row, first, speed0, gain, moved, h, dt, threshold)
        hit1, demand1 = hit0, demand0
        hit = hit0
        if point_count == 2:
            hit1, demand1 = demand_of(row, second, speed1, gain, moved, h, dt, threshold)
            hit = hit0 | hit1
        if not any_lane(hit):
            continue
        any_hit = True
        sliding = (vbx - vax) * normal_y - (vby - vay) * normal_x
        sliding0 = sliding + wb * load(first, TANGENT_ARM_B) - wa * load(first, TANGENT_ARM_A)
        friction = load(row, FRICTION)
        if point_count == 1:
            x0 = answer(first, hit0, demand0)
            rub0 = rub(first, sliding0 + load(first, CROSS_0) * x0, friction * x0)
            x0 = answer(first, hit0, demand0 + load(first, CROSS_0) * rub0)
            along, across = x0, rub0
            twist_a = load(first, NORMAL_ARM_A) * x0 + load(first, TANGENT_ARM_A) * rub0
            twist_b = load(first, NORMAL_ARM_B) * x0 + load(first, TANGENT_ARM_B) * rub0
        else:
            sliding1 = sliding + wb * load(second, TANGENT_ARM_B) - wa * load(second, TANGENT_ARM_A)
            cross00, cross01 = load(first, CROSS_0), load(first, CROSS_1)
            cross10, cross11 = load(second, CROSS_0), load(second, CROSS_1)
            x0, x1 = answer_both(row, first, second, hit0, hit1, demand0, demand1)
            rub0 = rub(first, sliding0 + (cross00 * x0 + cross01 * x1), friction * x0)
            sliding1 = sliding1 + (cross10 * x0 + cross11 * x1) + load(row, TANGENT_COUPLING) * rub0
            rub1 = rub(second, sliding1, friction * x1)
            demand0 = demand0 + (cross00 * rub0 + cross10 * rub1)
            demand1 = demand1 + (cross01 * rub0 + cross11 * rub1)
            x0, x1 = answer_both(row, first, second, hit0, hit1, demand0, demand1)
            along, across = x0 + x1, rub0 + rub1
            twist_a = load(first, NORMAL_ARM_A) * x0 + load(second, NORMAL_ARM_A) * x1
            twist_a = twist_a + (load(first, TANGENT_ARM_A) * rub0 + load(second, TANGENT_ARM_A) * rub1)
            twist_b = load(first, NORMAL_ARM_B) * x0 + load(second, NORMAL_ARM_B) * x1
            twist_b = twist_b + (load(first, TANGENT_ARM_B) * rub0 + load(second, TANGENT_ARM_B) * rub1)
            add_to_totals(row, second, hit1, speed1, x1, rub1)
        add_to_totals(row, first, hit0, speed0, x0, rub0)
        px, py = along * normal_x + across * normal_y, along * normal_y - across * normal_x
        turn_a, turn_b = load(row, INVERSE_INERTIA_A) * twist_a, load(row, INVERSE_INERTIA_B) * twist_b
        pax, pay, pbx, pby = mass_ax * px, mass_ay * py, mass_bx * px, mass_by * py
        scatter4(state, VX, index, (k, ROW_A), vax - pax, vay - pay, wa - turn_a, mass_ax)
        scatter4(state, VX, index, (k, ROW_B), vbx + pbx, vby + pby, wb + turn_b, mass_bx)
        shift_before(solver, (k, ROW_A), -pax, -pay, -turn_a)
        shift_before(solver, (k, ROW_B), pbx, pby, turn_b)
    return any_hit


@device
def demand_of(row, point, speed, gain, moved, h, dt, threshold):
    """In which lanes a point is hit, and by how much its speed is off its target [m/s].

    `gain` and `moved` are what outer forces add, and the movement so far: along the normal, and the turns of A and B.
    """
    arm_a, arm_b = load(point, NORMAL_ARM_A), load(point, NORMAL_ARM_B)
    outer = gain[0] + gain[2] * arm_b - gain[1] * arm_a
    outer = select(load(point, NORMAL_IMPULSE) > 0.0, 0.0, outer)
    separation = load(point, SEPARATION) + moved[0] + (moved[2] * arm_b - moved[1] * arm_a)
    hit = (speed < -threshold) & (separation + h * (speed + outer) < 0.0)
    restitution, middle = load(row, RESTITUTION), minimum(speed + 0.5 * outer, 0.0)
    kept, gap = restitution * restitution, maximum(separation, dt * speed)
    back = square_root(maximum(kept * middle * middle + (1.0 - kept) * (2.0 / h) * outer * gap, 0.0))
    bounce, stop = speed + 0.5 * outer - back, speed + outer + maximum(separation, 0.0) / h
    return hit, select(restitution > 0.0, bounce, stop)


@device
def answer(point, hit, demand):
    """The normal impulse [N s] that meets a point's demand, where it is hit."""
    return select(hit, maximum(-demand * load(point, NORMAL_MASS), 0.0), 0.0)


@device
def answer_both(row, first, second, hit0, hit1, demand0, demand1):
    """The same for two points: together where both are hit, unless their matrix is nearly singular."""
    coupling = load(row, COUPLING)
    alone0 = answer(first, hit0, demand0)
    alone1 = answer(second, hit1, demand1 + coupling * alone0)
    together = hit0 & hit1 & (load(row, COUPLED) > 0.0)
    k0, k1 = load(first, NORMAL_K), load(second, NORMAL_K)
    mass0, mass1 = load(first, NORMAL_MASS), load(second, NORMAL_MASS)
    both0, both1 = solve_together(k0, k1, coupling, mass0, mass1, demand0, demand1, together)
    return select(together, both0, alone0), select(together, both1, alone1)


@device
def rub(point, sliding, limit):
    """The friction impulse [N s] that stops the sliding at a point as far as the limit allows."""
    return minimum(maximum(-limit, -load(point, TANGENT_MASS) * sliding), limit)


@device
def add_to_totals(row, point, hit, speed, normal_impulse, tangent_impulse):
    """Add a hit to the step's impulses; if it bounces, let its speed be the point's approach if none was faster."""
    store(point, NORMAL_TOTAL, load(point, NORMAL_TOTAL) + normal_impulse)
    store(point, TANGENT_TOTAL, load(point, TANGENT_TOTAL) + tangent_impulse)
    approach = load(point, APPROACH)
    store(point, APPROACH, select(hit & (load(row, RESTITUTION) > 0.0), minimum(approach, speed), approach))


@device
def shift_before(solver, rows, x, y, turn):
    """Change what the velocities of eight bodies were before the contacts."""
    carry, index = solver.carry, solver.index
    vx, vy, w, nothing = gather4(carry, BEFORE, index, rows)
    scatter4(carry, BEFORE, index, rows, vx + x, vy + y, w + turn, nothing)
