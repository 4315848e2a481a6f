"""Bounces, at the start of each substep, before outer forces: Newton's v_n' = -e v_n, with Coulomb's friction at once.

A point is hit if it approaches faster than the threshold and would close within the substep, with g, the speed that
outer forces are about to add to it. Its target is -e v_n - g: the substep's own share of gravity then brings it to
-e v_n, which for e = 1 keeps y g + v^2 / 2 - v g h / 2, the energy that symplectic Euler keeps, to rounding. A point
that already carries an impulse is held against the outer forces, and g is 0. Where e = 0, the target is what closes the
gap within the substep, as for the solver.

The bounce is no part of the accumulated impulses, which are what holds bodies apart and is repeated from substep to
substep. Several passes let it travel through crowds, until none has a hit (`impact`).

A restitution above 1 is a pinball bumper's, as in the exact response: it drives a pair apart up to BUMPER_SPEED, and
takes nothing from what comes faster. Else each pass would multiply the speeds once more.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.data import solver_state as of_state
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver import substep
from ecs_collide.step.solver.solver_rows import BLOCK, BODY, INDEX, POINT


class Struck(NamedTuple):
    """The points of eight contacts that a pass may hit: in which lanes, and how far each speed is off its target."""

    hit0: bool
    hit1: bool
    demand0: float
    demand1: float


class Answer(NamedTuple):
    """What eight contacts give their bodies [N s, N m s]: along the normal and across it, and the turns of A and B."""

    along: float
    across: float
    twist_a: float
    twist_b: float


@device
def bounce_contacts(solver, start, stop, point_count, h, dt, tolerances, first_pass):
    """One pass over listed blocks of one kind, the first over those where impacts begin; return whether any was hit.

    Writes solver_state (velocity), solver_carry (BEFORE), so that the bodies' warm start does not repeat the bounce,
    the totals and the approach speeds.
    """
    state, index = solver.state, solver.index
    any_hit = False
    for k in solver.impact_blocks[start:stop]:
        if first_pass and not solver.has_impact[k]:
            continue
        row = solver.block[k]
        vax, vay, wa, mass_ax = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_B))
        normal_x, normal_y = simd.load(row, BLOCK.NORMAL_X), simd.load(row, BLOCK.NORMAL_Y)
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
        first, second = row[BLOCK.FIRST :], row[BLOCK.SECOND :]
        speed0 = closing + wb * simd.load(first, POINT.NORMAL_ARM_B) - wa * simd.load(first, POINT.NORMAL_ARM_A)
        elastic = simd.load(row, BLOCK.RESTITUTION) > 0.0
        threshold = simd.select(elastic, simd.splat(tolerances.bounce_speed), simd.splat(tolerances.impact_speed))
        fast = speed0 < -threshold
        speed1 = speed0
        if point_count == 2:
            speed1 = closing + wb * simd.load(second, POINT.NORMAL_ARM_B) - wa * simd.load(second, POINT.NORMAL_ARM_A)
            fast = fast | (speed1 < -threshold)
        if not simd.any_lane(fast):
            continue
        moved, gain, mass_ay, mass_by = motion_along(solver, k, normal_x, normal_y)
        hit0, demand0 = impact_demand(row, first, speed0, gain, moved, h, dt, threshold, tolerances)
        hit1, demand1 = hit0, demand0
        if point_count == 2:
            hit1, demand1 = impact_demand(row, second, speed1, gain, moved, h, dt, threshold, tolerances)
        if not simd.any_lane(hit0 | hit1):
            continue
        any_hit = True
        sliding = (vbx - vax) * normal_y - (vby - vay) * normal_x
        if solver.has_surface[k]:
            sliding = sliding - simd.load(row, BLOCK.SURFACE_SPEED)
        if point_count == 1:
            answer = answer_one(row, first, hit0, demand0, speed0, sliding, wa, wb)
        else:
            struck = Struck(hit0, hit1, demand0, demand1)
            answer = answer_two(row, first, second, struck, speed0, speed1, sliding, wa, wb)
        px = answer.along * normal_x + answer.across * normal_y
        py = answer.along * normal_y - answer.across * normal_x
        turn_a = simd.load(row, BLOCK.INVERSE_INERTIA_A) * answer.twist_a
        turn_b = simd.load(row, BLOCK.INVERSE_INERTIA_B) * answer.twist_b
        pax, pay, pbx, pby = mass_ax * px, mass_ay * py, mass_bx * px, mass_by * py
        simd.scatter4(state, of_state.VX, index, (k, INDEX.ROW_A), vax - pax, vay - pay, wa - turn_a, mass_ax)
        simd.scatter4(state, of_state.VX, index, (k, INDEX.ROW_B), vbx + pbx, vby + pby, wb + turn_b, mass_bx)
        add_to_unhindered(solver, (k, INDEX.ROW_A), -pax, -pay, -turn_a)
        add_to_unhindered(solver, (k, INDEX.ROW_B), pbx, pby, turn_b)
    return any_hit


@device
def motion_along(solver, k, normal_x, normal_y):
    """The movement so far and what outer forces add, each as (along the normals, turn of A, of B); masses along y."""
    state, body, index = solver.state, solver.body, solver.index
    dax, day, turn_a, mass_ay = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_A))
    dbx, dby, turn_b, mass_by = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_B))
    gax, gay, gain_a, _ = simd.gather4(body, BODY.GAIN, index, (k, INDEX.ROW_A))
    gbx, gby, gain_b, _ = simd.gather4(body, BODY.GAIN, index, (k, INDEX.ROW_B))
    moved = (dbx - dax) * normal_x + (dby - day) * normal_y, turn_a, turn_b
    gain = (gbx - gax) * normal_x + (gby - gay) * normal_y, gain_a, gain_b
    return moved, gain, mass_ay, mass_by


@device
def answer_one(row, point, hit, demand, speed, sliding, wa, wb):
    """Bounce contacts of one point; `sliding` is the speed across the normal of centres that do not turn [m/s]."""
    normal_a, normal_b = simd.load(point, POINT.NORMAL_ARM_A), simd.load(point, POINT.NORMAL_ARM_B)
    tangent_a, tangent_b = simd.load(point, POINT.TANGENT_ARM_A), simd.load(point, POINT.TANGENT_ARM_B)
    friction, cross = simd.load(row, BLOCK.FRICTION), simd.load(point, POINT.CROSS_0)
    x = impulse_for(point, hit, demand)
    rub = friction_impulse(point, sliding + wb * tangent_b - wa * tangent_a + cross * x, friction * x)
    x = impulse_for(point, hit, demand + cross * rub)
    add_to_totals(row, point, hit, speed, x, rub)
    return Answer(x, rub, normal_a * x + tangent_a * rub, normal_b * x + tangent_b * rub)


@device
def answer_two(row, first, second, struck, speed0, speed1, sliding, wa, wb):
    """Bounce contacts of two points, see `answer_one`."""
    tangent_a0, tangent_b0 = simd.load(first, POINT.TANGENT_ARM_A), simd.load(first, POINT.TANGENT_ARM_B)
    tangent_a1, tangent_b1 = simd.load(second, POINT.TANGENT_ARM_A), simd.load(second, POINT.TANGENT_ARM_B)
    sliding0, sliding1 = sliding + wb * tangent_b0 - wa * tangent_a0, sliding + wb * tangent_b1 - wa * tangent_a1
    cross00, cross01 = simd.load(first, POINT.CROSS_0), simd.load(first, POINT.CROSS_1)
    cross10, cross11 = simd.load(second, POINT.CROSS_0), simd.load(second, POINT.CROSS_1)
    friction = simd.load(row, BLOCK.FRICTION)
    x0, x1 = impulses_for(row, first, second, struck)
    rub0 = friction_impulse(first, sliding0 + (cross00 * x0 + cross01 * x1), friction * x0)
    sliding1 = sliding1 + (cross10 * x0 + cross11 * x1) + simd.load(row, BLOCK.TANGENT_COUPLING) * rub0
    rub1 = friction_impulse(second, sliding1, friction * x1)
    demand0 = struck.demand0 + (cross00 * rub0 + cross10 * rub1)
    demand1 = struck.demand1 + (cross01 * rub0 + cross11 * rub1)
    x0, x1 = impulses_for(row, first, second, Struck(struck.hit0, struck.hit1, demand0, demand1))
    twist_a = simd.load(first, POINT.NORMAL_ARM_A) * x0 + simd.load(second, POINT.NORMAL_ARM_A) * x1
    twist_b = simd.load(first, POINT.NORMAL_ARM_B) * x0 + simd.load(second, POINT.NORMAL_ARM_B) * x1
    twist_a, twist_b = (
        twist_a + (tangent_a0 * rub0 + tangent_a1 * rub1),
        twist_b + (tangent_b0 * rub0 + tangent_b1 * rub1),
    )
    add_to_totals(row, second, struck.hit1, speed1, x1, rub1)
    add_to_totals(row, first, struck.hit0, speed0, x0, rub0)
    return Answer(x0 + x1, rub0 + rub1, twist_a, twist_b)


@device
def impact_demand(row, point, speed, gain, moved, h, dt, threshold, tolerances):
    """In which lanes a point is hit, and by how much its speed is off its target [m/s].

    A gap that the last substep left to be closed just by the end of this one is not hit: what is less than `least` [m]
    is rounding. `gain` and `moved` are what outer forces add, and the movement so far: along the normal, and the turns
    of A and B.
    """
    least = substep.TOUCHING_DEPTH * tolerances.push_out_speed
    arm_a, arm_b = simd.load(point, POINT.NORMAL_ARM_A), simd.load(point, POINT.NORMAL_ARM_B)
    outer = gain[0] + gain[2] * arm_b - gain[1] * arm_a
    outer = simd.select(simd.load(point, POINT.NORMAL_IMPULSE) > 0.0, 0.0, outer)
    separation = simd.load(point, POINT.SEPARATION) + moved[0] + (moved[2] * arm_b - moved[1] * arm_a)
    hit = (speed < -threshold) & (separation + h * (speed + outer) < -least)
    restitution, middle = simd.load(row, BLOCK.RESTITUTION), simd.minimum(speed + 0.5 * outer, 0.0)
    kept, gap = restitution * restitution, simd.maximum(separation, dt * speed)
    back = simd.square_root(simd.maximum(kept * middle * middle + (1.0 - kept) * (2.0 / h) * outer * gap, 0.0))
    back = simd.minimum(back, simd.maximum(-middle, tolerances.bumper_speed))
    bounce, stop = speed + 0.5 * outer - back, speed + outer + simd.maximum(separation, 0.0) / h
    return hit, simd.select(restitution > 0.0, bounce, stop)


@device
def impulse_for(point, hit, demand):
    """The normal impulse [N s] that meets a point's demand, where it is hit."""
    return simd.select(hit, simd.maximum(-demand * simd.load(point, POINT.NORMAL_MASS), 0.0), 0.0)


@device
def impulses_for(row, first, second, struck):
    """The same for two points: together where both are hit, unless their matrix is nearly singular."""
    coupling = simd.load(row, BLOCK.COUPLING)
    alone0 = impulse_for(first, struck.hit0, struck.demand0)
    alone1 = impulse_for(second, struck.hit1, struck.demand1 + coupling * alone0)
    together = struck.hit0 & struck.hit1 & (simd.load(row, BLOCK.COUPLED) > 0.0)
    k0, k1 = simd.load(first, POINT.NORMAL_K), simd.load(second, POINT.NORMAL_K)
    mass0, mass1 = simd.load(first, POINT.NORMAL_MASS), simd.load(second, POINT.NORMAL_MASS)
    both0, both1 = substep.solve_together(k0, k1, coupling, mass0, mass1, struck.demand0, struck.demand1, together)
    return simd.select(together, both0, alone0), simd.select(together, both1, alone1)


@device
def friction_impulse(point, sliding, limit):
    """The friction impulse [N s] that stops the sliding at a point as far as the limit allows."""
    return simd.minimum(simd.maximum(-limit, -simd.load(point, POINT.TANGENT_MASS) * sliding), limit)


@device
def add_to_totals(row, point, hit, speed, normal_impulse, tangent_impulse):
    """Add a hit to the step's impulses; if it bounces, let its speed be the point's approach if none was faster."""
    simd.store(point, POINT.NORMAL_TOTAL, simd.load(point, POINT.NORMAL_TOTAL) + normal_impulse)
    simd.store(point, POINT.TANGENT_TOTAL, simd.load(point, POINT.TANGENT_TOTAL) + tangent_impulse)
    approach = simd.load(point, POINT.APPROACH)
    simd.store(
        point,
        POINT.APPROACH,
        simd.select(hit & (simd.load(row, BLOCK.RESTITUTION) > 0.0), simd.minimum(approach, speed), approach),
    )


@device
def add_to_unhindered(solver, rows, x, y, turn):
    """Change what the velocities of eight bodies were before the contacts."""
    body, index = solver.body, solver.index
    vx, vy, w, nothing = simd.gather4(body, BODY.BEFORE, index, rows)
    simd.scatter4(body, BODY.BEFORE, index, rows, vx + x, vy + y, w + turn, nothing)
