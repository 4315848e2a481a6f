"""Bounces at the start of each substep, before outer forces: Newton's v_n' = -e v_n, together with Coulomb's friction.

A point is hit if it approaches faster than a threshold and its gap would close within the substep. Let g be the speed
that outer forces add to it in the substep. The target speed is -e v_n - g, so that the substep's gravity brings it to
-e v_n. For e = 1 this keeps y g + v^2 / 2 - v g h / 2, the energy that symplectic Euler keeps, to rounding. If a point
already carries an impulse, it is held against the outer forces, and g is 0. If e = 0, the target closes the gap within
the substep, as in the solver.

A bounce is no part of the accumulated impulses, which hold bodies apart and are repeated from substep to substep.
Several passes let bounces travel through crowds, until a pass has no hit (`impact.py`).

A restitution above 1 is that of a pinball bumper, as in the exact response. It drives a pair apart at BUMPER_SPEED at
most, and takes no speed from a faster pair. Otherwise each pass would multiply the speeds once more.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver import solve_contacts
from ecs_collide.step.solver.solver_rows import BLOCK, BODY, BOUNCE, INDEX, POINT, STATUS


class HitPoints(NamedTuple):
    """Points of eight contacts that a pass hits: by lane, if the point is hit, and the error of its speed [m/s]."""

    hit0: bool
    hit1: bool
    error0: float
    error1: float


class BodyVelocity(NamedTuple):
    """Velocity [m/s, rad/s] and inverse masses [1/kg] of one body of each of eight contacts."""

    x: float
    y: float
    spin: float
    inverse_mass_x: float
    inverse_mass_y: float


class Relative(NamedTuple):
    """Movement [m, rad] or velocity [m/s, rad/s] of B relative to A along the normal, and the turns of both."""

    along: float
    turn_a: float
    turn_b: float


@device
def bounce_contacts(solver, start, stop, point_count, h, dt, tolerances, first_pass, records):
    """Make one pass over the listed blocks of one kind; return True if any point was hit.

    The first pass skips blocks in which no impact begins. Writes solver_state (velocity), the totals, the approach
    speeds, and solver_body (BEFORE), so that the warm start of the bodies does not repeat the bounce. If it `records`
    the bounces of bodies in joint trees, it writes solver_bounce.
    """
    state, index = solver.state, solver.index
    any_hit = False
    for k in solver.impact_blocks[start:stop]:
        if first_pass and not solver.has_impact[k]:
            continue
        row = solver.block[k]
        # Skip blocks without a fast point.
        vax, vay, wa, mass_ax = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_B))
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
        # Find the points that are hit.
        moved, gain, mass_ay, mass_by = motion_along(solver, k, normal_x, normal_y)
        hit0, error0 = find_impact(row, first, speed0, gain, moved, h, dt, threshold, tolerances)
        hit1, error1 = hit0, error0
        if point_count == 2:
            hit1, error1 = find_impact(row, second, speed1, gain, moved, h, dt, threshold, tolerances)
        if not simd.any_lane(hit0 | hit1):
            continue
        any_hit = True
        if records:
            record_totals(solver, k, point_count, -1.0)
        # Compute the impulses.
        sliding = (vbx - vax) * normal_y - (vby - vay) * normal_x
        if solver.has_surface[k]:
            sliding = sliding - simd.load(row, BLOCK.SURFACE_SPEED)
        if point_count == 1:
            impulses = bounce_one_point(row, first, hit0, error0, speed0, sliding, wa, wb)
        else:
            hits = HitPoints(hit0=hit0, hit1=hit1, error0=error0, error1=error1)
            impulses = bounce_two_points(row, first, second, hits, speed0, speed1, sliding, wa, wb)
        if records:
            record_totals(solver, k, point_count, 1.0)
            bounces = elastic & are_in_trees(solver, k)
            mark_bounces(solver.bounce[k], 0, hit0 & bounces)
            if point_count == 2:
                mark_bounces(solver.bounce[k], 1, hit1 & bounces)
        # Change the velocities, and the velocities before the contacts.
        px = impulses.along * normal_x + impulses.across * normal_y
        py = impulses.along * normal_y - impulses.across * normal_x
        turn_a = simd.load(row, BLOCK.INVERSE_INERTIA_A) * impulses.twist_a
        turn_b = simd.load(row, BLOCK.INVERSE_INERTIA_B) * impulses.twist_b
        a, b = BodyVelocity(vax, vay, wa, mass_ax, mass_ay), BodyVelocity(vbx, vby, wb, mass_bx, mass_by)
        change_velocities(solver, k, a, b, px, py, turn_a, turn_b)
    return any_hit


@device
def record_totals(solver, k, point_count, sign):
    """Add the totals of the points of block k, times a sign, to their bounces. Writes solver_bounce."""
    for i in range(point_count):
        record, point = solver.bounce[k, i * BOUNCE.WIDTH :], solver.block[k, BLOCK.FIRST + i * POINT.WIDTH :]
        change = sign * simd.load(point, POINT.NORMAL_TOTAL)
        simd.store(record, BOUNCE.NORMAL, simd.load(record, BOUNCE.NORMAL) + change)


@device
def mark_bounces(bounce, i, bounces):
    """Mark point i of a block in the lanes in which it `bounces`. Writes solver_bounce."""
    record = bounce[i * BOUNCE.WIDTH :]
    simd.store(record, BOUNCE.TARGET, simd.select(bounces, 0.0, simd.load(record, BOUNCE.TARGET)))


@device
def are_in_trees(solver, k):
    """Return the mask of the contacts of block k with a body in a joint tree. Reads solver_status. Writes scratch."""
    status, index = solver.status, solver.index
    for lane in range(simd.LANES):
        a, b = index[k, INDEX.ROW_A, lane], index[k, INDEX.ROW_B, lane]
        solver.scratch[0, lane] = max(status[a, STATUS.IN_TREE], status[b, STATUS.IN_TREE])
    return simd.load(solver.scratch, 0) > 0.0


@device
def motion_along(solver, k, normal_x, normal_y):
    """Return the movement so far and the gain from outer forces, and the inverse masses along y of A and B."""
    state, body, index = solver.state, solver.body, solver.index
    dax, day, turn_a, mass_ay = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_A))
    dbx, dby, turn_b, mass_by = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_B))
    gax, gay, gain_a, _ = simd.gather4(body, BODY.GAIN, index, (k, INDEX.ROW_A))
    gbx, gby, gain_b, _ = simd.gather4(body, BODY.GAIN, index, (k, INDEX.ROW_B))
    moved = Relative((dbx - dax) * normal_x + (dby - day) * normal_y, turn_a, turn_b)
    gain = Relative((gbx - gax) * normal_x + (gby - gay) * normal_y, gain_a, gain_b)
    return moved, gain, mass_ay, mass_by


@device
def bounce_one_point(row, point, hit, error, speed, sliding, wa, wb):
    """Return the impulses of contacts of one point; `sliding` is the tangent speed without rotation [m/s]."""
    normal_a, normal_b = simd.load(point, POINT.NORMAL_ARM_A), simd.load(point, POINT.NORMAL_ARM_B)
    tangent_a, tangent_b = simd.load(point, POINT.TANGENT_ARM_A), simd.load(point, POINT.TANGENT_ARM_B)
    friction, cross = simd.load(row, BLOCK.FRICTION), simd.load(point, POINT.CROSS_0)
    x = impact_impulse(point, hit, error)
    tangent = friction_impulse(point, sliding + wb * tangent_b - wa * tangent_a + cross * x, friction * x)
    x = impact_impulse(point, hit, error + cross * tangent)
    add_to_totals(row, point, hit, speed, x, tangent)
    return solve_contacts.Impulses(
        along=x, across=tangent, twist_a=normal_a * x + tangent_a * tangent, twist_b=normal_b * x + tangent_b * tangent
    )


@device
def bounce_two_points(row, first, second, hits, speed0, speed1, sliding, wa, wb):
    """Return the impulses of contacts of two points; `sliding` is the tangent speed without rotation [m/s]."""
    tangent_a0, tangent_b0 = simd.load(first, POINT.TANGENT_ARM_A), simd.load(first, POINT.TANGENT_ARM_B)
    tangent_a1, tangent_b1 = simd.load(second, POINT.TANGENT_ARM_A), simd.load(second, POINT.TANGENT_ARM_B)
    sliding0, sliding1 = sliding + wb * tangent_b0 - wa * tangent_a0, sliding + wb * tangent_b1 - wa * tangent_a1
    cross00, cross01 = simd.load(first, POINT.CROSS_0), simd.load(first, POINT.CROSS_1)
    cross10, cross11 = simd.load(second, POINT.CROSS_0), simd.load(second, POINT.CROSS_1)
    friction = simd.load(row, BLOCK.FRICTION)
    x0, x1 = impact_impulses(row, first, second, hits)
    tangent0 = friction_impulse(first, sliding0 + (cross00 * x0 + cross01 * x1), friction * x0)
    sliding1 = sliding1 + (cross10 * x0 + cross11 * x1) + simd.load(row, BLOCK.TANGENT_COUPLING) * tangent0
    tangent1 = friction_impulse(second, sliding1, friction * x1)
    error0 = hits.error0 + (cross00 * tangent0 + cross10 * tangent1)
    error1 = hits.error1 + (cross01 * tangent0 + cross11 * tangent1)
    x0, x1 = impact_impulses(
        row, first, second, HitPoints(hit0=hits.hit0, hit1=hits.hit1, error0=error0, error1=error1)
    )
    twist_a = simd.load(first, POINT.NORMAL_ARM_A) * x0 + simd.load(second, POINT.NORMAL_ARM_A) * x1
    twist_b = simd.load(first, POINT.NORMAL_ARM_B) * x0 + simd.load(second, POINT.NORMAL_ARM_B) * x1
    twist_a, twist_b = (
        twist_a + (tangent_a0 * tangent0 + tangent_a1 * tangent1),
        twist_b + (tangent_b0 * tangent0 + tangent_b1 * tangent1),
    )
    add_to_totals(row, second, hits.hit1, speed1, x1, tangent1)
    add_to_totals(row, first, hits.hit0, speed0, x0, tangent0)
    return solve_contacts.Impulses(along=x0 + x1, across=tangent0 + tangent1, twist_a=twist_a, twist_b=twist_b)


@device
def find_impact(row, point, speed, gain, moved, h, dt, threshold, tolerances):
    """Return, by lane, if a point is hit, and the error of its speed against the target [m/s].

    A gap that the last substep left to close exactly by the end of this one is not hit: less than the touching depth
    is rounding. `gain` and `moved` are the gain from outer forces and the movement so far, see `motion_along`.
    """
    arm_a, arm_b = simd.load(point, POINT.NORMAL_ARM_A), simd.load(point, POINT.NORMAL_ARM_B)
    outer = gain.along + gain.turn_b * arm_b - gain.turn_a * arm_a
    outer = simd.select(simd.load(point, POINT.NORMAL_IMPULSE) > 0.0, 0.0, outer)
    separation = simd.load(point, POINT.SEPARATION) + moved.along + (moved.turn_b * arm_b - moved.turn_a * arm_a)
    hit = (speed < -threshold) & (separation + h * (speed + outer) < -tolerances.touching_depth)
    restitution, middle = simd.load(row, BLOCK.RESTITUTION), simd.minimum(speed + 0.5 * outer, 0.0)
    kept, gap = restitution * restitution, simd.maximum(separation, dt * speed)
    back = simd.square_root(simd.maximum(kept * middle * middle + (1.0 - kept) * (2.0 / h) * outer * gap, 0.0))
    back = simd.minimum(back, simd.maximum(-middle, tolerances.bumper_speed))
    bounce, stop = speed + 0.5 * outer - back, speed + outer + simd.maximum(separation, 0.0) / h
    return hit, simd.select(restitution > 0.0, bounce, stop)


@device
def impact_impulse(point, hit, error):
    """Return the normal impulse [N s] that removes the error of a point's speed, 0 if it is not hit."""
    return simd.select(hit, simd.maximum(-error * simd.load(point, POINT.NORMAL_MASS), 0.0), 0.0)


@device
def impact_impulses(row, first, second, hits):
    """Return the normal impulses [N s] of two points, solved together if both are hit and can be solved together."""
    coupling = simd.load(row, BLOCK.COUPLING)
    alone0 = impact_impulse(first, hits.hit0, hits.error0)
    alone1 = impact_impulse(second, hits.hit1, hits.error1 + coupling * alone0)
    together = hits.hit0 & hits.hit1 & (simd.load(row, BLOCK.COUPLED) > 0.0)
    k0, k1 = simd.load(first, POINT.NORMAL_K), simd.load(second, POINT.NORMAL_K)
    mass0, mass1 = simd.load(first, POINT.NORMAL_MASS), simd.load(second, POINT.NORMAL_MASS)
    both0, both1 = solve_contacts.solve_together(k0, k1, coupling, mass0, mass1, hits.error0, hits.error1, together)
    return simd.select(together, both0, alone0), simd.select(together, both1, alone1)


@device
def friction_impulse(point, sliding, limit):
    """Return the friction impulse [N s] that stops the sliding at a point as far as the limit allows."""
    return simd.minimum(simd.maximum(-limit, -simd.load(point, POINT.TANGENT_MASS) * sliding), limit)


@device
def add_to_totals(row, point, hit, speed, normal_impulse, tangent_impulse):
    """Add an impulse to the totals of the step; if the point bounces, record its speed if none was faster."""
    simd.store(point, POINT.NORMAL_TOTAL, simd.load(point, POINT.NORMAL_TOTAL) + normal_impulse)
    simd.store(point, POINT.TANGENT_TOTAL, simd.load(point, POINT.TANGENT_TOTAL) + tangent_impulse)
    approach = simd.load(point, POINT.APPROACH)
    simd.store(
        point,
        POINT.APPROACH,
        simd.select(hit & (simd.load(row, BLOCK.RESTITUTION) > 0.0), simd.minimum(approach, speed), approach),
    )


@device
def change_velocities(solver, k, a, b, px, py, turn_a, turn_b):
    """Apply impulses [N s] that turn the bodies A and B [rad/s] at the contacts of block k.

    Writes solver_state (velocity) and solver_body (BEFORE).
    """
    ax, ay, bx, by = a.inverse_mass_x * px, a.inverse_mass_y * py, b.inverse_mass_x * px, b.inverse_mass_y * py
    state, index, rows_a, rows_b = solver.state, solver.index, (k, INDEX.ROW_A), (k, INDEX.ROW_B)
    simd.scatter4(state, STATE.VX, index, rows_a, a.x - ax, a.y - ay, a.spin - turn_a, a.inverse_mass_x)
    simd.scatter4(state, STATE.VX, index, rows_b, b.x + bx, b.y + by, b.spin + turn_b, b.inverse_mass_x)
    change_velocity_before(solver, rows_a, -ax, -ay, -turn_a)
    change_velocity_before(solver, rows_b, bx, by, turn_b)


@device
def change_velocity_before(solver, rows, x, y, turn):
    """Change the velocities before the contacts (BEFORE) of eight bodies."""
    body, index = solver.body, solver.index
    vx, vy, w, nothing = simd.gather4(body, BODY.BEFORE, index, rows)
    simd.scatter4(body, BODY.BEFORE, index, rows, vx + x, vy + y, w + turn, nothing)
