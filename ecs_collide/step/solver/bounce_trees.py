"""Bounces of bodies on joints: trees and bounces are solved in turn, until each bounce has its speed.

`bounce.py` bounces bodies as if nothing held them. The joints would take the bounce back: one of two welded boxes would
fly off at -e v, and the weld leave both at rest. So the joint trees follow the change of velocity, and each point that
bounced is pushed again, until it parts at the speed of its bounce.

A push that changes the speed of a contact by d changes it by r d once the trees have followed. So the next push is
1 / r times as great, and a single contact has its speed at once, whatever hangs on its bodies. With the impulses x of
the push, r = sum of x d' / sum of x d over the points of the contact. If several contacts have bounced, and in later
rounds, pushes are less than twice as great, as in successive over-relaxation: greater ones would grow from round to
round if joints leave no way out. Motors and springs give no impulse in the time of a bounce. Limits and other bounded
rows give theirs afterwards.

All impulses X of the bounces change the energy by the sum of X (c + c') / 2, with the speeds c before and c' after. Of
several bounces on one tree it may be above 0. Then all pushes are made smaller by the same factor, so that no energy
comes from them. This needs one more solve of the trees, because speeds are linear in the pushes.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.step.joints.joint_results import add_loads
from ecs_collide.step.joints.joint_substep import update_trees
from ecs_collide.step.joints.rows import body_lanes
from ecs_collide.step.joints.rows.block_algebra import Triple, load_triple, store_triple
from ecs_collide.step.joints.solve_trees import select_blocks, solve_trees
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK as JOINTS, LANE, LANE_INDEX, TREE_COUNT
from ecs_collide.step.solver.bounce import BodyVelocity, change_velocities
from ecs_collide.step.solver.impact import stop_impacts
from ecs_collide.step.solver.solve_contacts import solve_together
from ecs_collide.step.solver.solver_rows import BLOCK, BOUNCE, INDEX, NO_BOUNCE, POINT
from ecs_collide.step.solver.tree_coupling import gather_velocities, return_velocities

MOST_TURNS = 3
"""Greatest number of times that bounces are kept: bodies that are pushed may bounce off others."""
ROUNDS = 12
"""Greatest number of rounds of trees and pushes."""
LEAST_SHARE = 0.01
"""Least share r in the first round if a single contact has bounced."""
LEAST_OF_SEVERAL = 0.55
"""Least share r in other rounds, and if several contacts have bounced."""
EXACT = 1e-3
"""Error up to which a contact has the speed of its bounce, as a fraction of that speed."""


class Closing(NamedTuple):
    """Motion of the bodies of eight contacts: the speed of B relative to A along the normal, and the spins."""

    speed: float
    spin_a: float
    spin_b: float


@device
def bounce_with_trees(solver_joints, bounded_count, has_drives, solver, ranges, ends, dt, tolerances):
    """Make the impacts and bounces of a substep if any tree is touched; return the number of bounded rows.

    `ranges` are the listed blocks of each kind, `ends` the substep as it is before and after bodies move.
    """
    trees, (before, after) = solver_joints.trees, ends
    if not clear_bounces(solver, ranges, tolerances.bounce_speed):
        stop_impacts(solver, ranges, before.h, dt, tolerances, False)
        return bounded_count
    if has_drives:
        update_trees(solver_joints, after)  # a projection leaves motors and springs out
    satisfy_trees(trees, solver)
    for _ in range(MOST_TURNS):
        clear_bounces(solver, ranges, tolerances.bounce_speed)
        stop_impacts(solver, ranges, before.h, dt, tolerances, True)
        count = count_bounces(solver, ranges)
        if count == 0:
            break
        keep_bounces(trees, solver, ranges, LEAST_SHARE if count == 1 else LEAST_OF_SEVERAL)
    return update_trees(solver_joints, before) if has_drives else bounded_count


@device
def clear_bounces(solver, ranges, bounce_speed):
    """Mark all points of the listed blocks as not bounced; return True if any of them may bounce.

    Writes solver_bounce.
    """
    any_approach = False
    for start, stop, points in ranges:
        for k in solver.impact_blocks[start:stop]:
            row, closing = solver.block[k], closing_of(solver, k)
            for i in range(2):
                record = solver.bounce[k, i * BOUNCE.WIDTH :]
                simd.store(record, BOUNCE.TARGET, simd.splat(NO_BOUNCE))
                simd.store(record, BOUNCE.PUSHED, simd.splat(0.0))
                simd.store(record, BOUNCE.NORMAL, simd.splat(0.0))
                if i < points:
                    speed = speed_at(row, i, closing)
                    simd.store(record, BOUNCE.START, speed)
                    approach = (speed < -bounce_speed) & (simd.load(row, BLOCK.RESTITUTION) > 0.0)
                    any_approach = any_approach or simd.any_lane(approach)
    return any_approach


@device
def satisfy_trees(trees, solver):
    """Give the bodies of touched trees velocities that their joints allow, which the change of energy is about."""
    gather_velocities(trees, solver)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes, is_touched = trees.lanes[s], body_lanes.lanes_of_trees(trees, s, trees.is_touched, True)
        for k in range(3):
            simd.store(lanes, LANE.VX + k, simd.select(is_touched, 0.0, simd.load(lanes, LANE.VX + k)))
    follow_bounces(trees, solver)


@device
def count_bounces(solver, ranges):
    """Return the number of contacts that have bounced; their targets become the speeds at which they part now.

    Bounces off other bodies may have changed these speeds. Writes solver_bounce.
    """
    count = 0
    for start, stop, points in ranges:
        for k in solver.impact_blocks[start:stop]:
            bounce, closing = solver.bounce[k], closing_of(solver, k)
            bits = simd.lane_bits(has_bounced(bounce, 0) | has_bounced(bounce, 1))
            for lane in range(simd.LANES):
                count += (bits >> lane) & 1
            for i in range(points if bits != 0 else 0):
                record, bounced = bounce[i * BOUNCE.WIDTH :], has_bounced(bounce, i)
                speed = speed_at(solver.block[k], i, closing)
                simd.store(record, BOUNCE.TARGET, simd.select(bounced, speed, NO_BOUNCE))
                simd.store(record, BOUNCE.PUSH, simd.select(bounced, simd.load(record, BOUNCE.NORMAL), 0.0))
                simd.store(record, BOUNCE.BEFORE, simd.load(record, BOUNCE.START))
                simd.store(record, BOUNCE.AFTER, speed)
    return count


@subroutine
def keep_bounces(trees, solver, ranges, least_share):
    """Solve the touched trees and the bounces of the listed blocks in turn. The lanes have the velocities before.

    Writes solver_state and BEFORE, the totals of the points, solver_bounce, velocities of body lanes, LOAD of joints.
    """
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        for k in range(3):
            simd.store(trees.blocks[block], JOINTS.CHORD_IMPULSE + k, simd.splat(0.0))
    follow_bounces(trees, solver)
    for start, stop, points in ranges:
        for k in solver.impact_blocks[start:stop]:
            store_speeds(solver, k, points, BOUNCE.FOLLOWED)
    for number in range(ROUNDS):
        any_pushed = False
        for start, stop, points in ranges:
            for k in solver.impact_blocks[start:stop]:
                is_pushed = push_block(solver, k, points, least_share if number == 0 else LEAST_OF_SEVERAL)
                any_pushed = any_pushed or is_pushed
        if not any_pushed:
            break
        follow_bounces(trees, solver)
    share = share_without_energy(solver, ranges)
    if share < 1.0:
        for start, stop, points in ranges:
            for k in solver.impact_blocks[start:stop]:
                reduce_pushes(solver, k, points, share)
        follow_bounces(trees, solver)
    add_loads(trees, JOINTS.CHORD_IMPULSE)


@device
def follow_bounces(trees, solver):
    """Let the touched trees follow what has changed the velocities since the last call. Writes ADDED, velocities."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        x, y, w, _ = simd.gather4(solver.state, STATE.VX, trees.lane_index, (s, LANE_INDEX.SOLVER_ROW))
        last = load_triple(lanes, LANE.VX)
        store_triple(lanes, LANE.ADDED, Triple(x - last.x, y - last.y, w - last.z))
    for tree in range(trees.counts[TREE_COUNT.TREES]):
        trees.is_selected[tree] = trees.is_touched[tree]
    select_blocks(trees)
    solve_trees(trees, LANE.ADDED, JOINTS.ZERO, JOINTS.CHORD_IMPULSE, True)
    body_lanes.add_numbers(trees, LANE.VX, LANE.ADDED)
    return_velocities(trees, solver)


@device
def push_block(solver, k, point_count, least_share):
    """Push the contacts of block k that lack speed after their bounce; return True if there are any.

    Writes solver_state (velocity), solver_body (BEFORE), solver_bounce, the totals of the points.
    """
    row, bounce = solver.block[k], solver.bounce[k]
    first, second = row[BLOCK.FIRST :], row[BLOCK.SECOND :]
    bounced0, bounced1 = has_bounced(bounce, 0), has_bounced(bounce, 1)
    if not simd.any_lane(bounced0 | bounced1):
        return False
    # Find the speeds that the points lack, and the share of the last push that the trees have left.
    closing, most_lacking = closing_of(solver, k), simd.splat(0.0)
    lack0, lack1, left, given = simd.splat(0.0), simd.splat(0.0), simd.splat(0.0), simd.splat(0.0)
    for i in range(point_count):
        record, bounced = bounce[i * BOUNCE.WIDTH :], has_bounced(bounce, i)
        speed, target = speed_at(row, i, closing), simd.load(record, BOUNCE.TARGET)
        push, before = simd.load(record, BOUNCE.PUSH), simd.load(record, BOUNCE.BEFORE)
        left = left + push * (speed - before)
        given = given + push * (simd.load(record, BOUNCE.AFTER) - before)
        lack = simd.select(bounced, target - speed, 0.0)
        most_lacking = simd.maximum(most_lacking, simd.absolute(lack) - EXACT * simd.absolute(target))
        if i == 0:
            lack0 = lack
        else:
            lack1 = lack
    if not simd.any_lane(most_lacking > 0.0):
        return False
    is_known = given > 0.0
    share = simd.select(is_known, left / simd.select(is_known, given, 1.0), 1.0)
    factor = 1.0 / simd.minimum(simd.maximum(share, least_share), 1.0)
    # Solve for all pushes of both points, together if both have bounced and can be solved together.
    old0, old1 = simd.load(bounce, BOUNCE.PUSHED), simd.splat(0.0)
    new0, new1 = simd.maximum(old0 + lack0 * simd.load(first, POINT.NORMAL_MASS), 0.0), simd.splat(0.0)
    if point_count == 2:
        old1, coupling = simd.load(bounce[BOUNCE.WIDTH :], BOUNCE.PUSHED), simd.load(row, BLOCK.COUPLING)
        k0, k1 = simd.load(first, POINT.NORMAL_K), simd.load(second, POINT.NORMAL_K)
        mass0, mass1 = simd.load(first, POINT.NORMAL_MASS), simd.load(second, POINT.NORMAL_MASS)
        together = (simd.load(row, BLOCK.COUPLED) > 0.0) & bounced0 & bounced1
        q0, q1 = -lack0 - (k0 * old0 + coupling * old1), -lack1 - (k1 * old1 + coupling * old0)
        both0, both1 = solve_together(k0, k1, coupling, mass0, mass1, q0, q1, together)
        new1 = simd.select(together, both1, simd.maximum(old1 + lack1 * mass1, 0.0))
        new0 = simd.select(together, both0, new0)
    push0, push1 = simd.maximum(factor * (new0 - old0), -old0), simd.maximum(factor * (new1 - old1), -old1)
    store_speeds(solver, k, point_count, BOUNCE.BEFORE)
    apply_pushes(solver, k, point_count, push0, push1)
    store_speeds(solver, k, point_count, BOUNCE.AFTER)
    return True


@device
def reduce_pushes(solver, k, point_count, share):
    """Leave a share of all pushes of block k. Writes solver_state, solver_body (BEFORE), solver_bounce, the totals."""
    push0, push1 = (share - 1.0) * simd.load(solver.bounce[k], BOUNCE.PUSHED), simd.splat(0.0)
    if point_count == 2:
        push1 = (share - 1.0) * simd.load(solver.bounce[k, BOUNCE.WIDTH :], BOUNCE.PUSHED)
    if simd.any_lane((push0 < 0.0) | (push1 < 0.0)):
        apply_pushes(solver, k, point_count, push0, push1)


@device
def apply_pushes(solver, k, point_count, push0, push1):
    """Apply impulses along the normal [N s] at the points of block k.

    Writes solver_state (velocity), solver_body (BEFORE), solver_bounce (PUSH, PUSHED), the totals of the points.
    """
    state, index, row = solver.state, solver.index, solver.block[k]
    along, twist_a, twist_b = simd.splat(0.0), simd.splat(0.0), simd.splat(0.0)
    for i in range(point_count):
        point, record = row[BLOCK.FIRST + i * POINT.WIDTH :], solver.bounce[k, i * BOUNCE.WIDTH :]
        push = push0 if i == 0 else push1
        along = along + push
        twist_a = twist_a + simd.load(point, POINT.NORMAL_ARM_A) * push
        twist_b = twist_b + simd.load(point, POINT.NORMAL_ARM_B) * push
        simd.store(record, BOUNCE.PUSH, push)
        simd.store(record, BOUNCE.PUSHED, simd.load(record, BOUNCE.PUSHED) + push)
        simd.store(point, POINT.NORMAL_TOTAL, simd.load(point, POINT.NORMAL_TOTAL) + push)
    px, py = along * simd.load(row, BLOCK.NORMAL_X), along * simd.load(row, BLOCK.NORMAL_Y)
    turn_a = simd.load(row, BLOCK.INVERSE_INERTIA_A) * twist_a
    turn_b = simd.load(row, BLOCK.INVERSE_INERTIA_B) * twist_b
    vax, vay, wa, mass_ax = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_A))
    vbx, vby, wb, mass_bx = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_B))
    _, _, _, mass_ay = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_A))
    _, _, _, mass_by = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_B))
    a, b = BodyVelocity(vax, vay, wa, mass_ax, mass_ay), BodyVelocity(vbx, vby, wb, mass_bx, mass_by)
    change_velocities(solver, k, a, b, px, py, turn_a, turn_b)


@device
def share_without_energy(solver, ranges):
    """Return the share of the pushes with which the bounces add no energy, at most 1.

    With a share s the impulses are NORMAL + s PUSHED, and the speeds FOLLOWED + s (present ones - FOLLOWED).
    """
    constant, linear, square = simd.splat(0.0), simd.splat(0.0), simd.splat(0.0)
    for start, stop, points in ranges:
        for k in solver.impact_blocks[start:stop]:
            closing = closing_of(solver, k)
            for i in range(points):
                record, bounced = solver.bounce[k, i * BOUNCE.WIDTH :], has_bounced(solver.bounce[k], i)
                followed = simd.load(record, BOUNCE.FOLLOWED)
                base = simd.select(bounced, simd.load(record, BOUNCE.START) + followed, 0.0)
                gained = simd.select(bounced, speed_at(solver.block[k], i, closing) - followed, 0.0)
                normal, pushed = simd.load(record, BOUNCE.NORMAL), simd.load(record, BOUNCE.PUSHED)
                constant = constant + normal * base
                linear = linear + (pushed * base + normal * gained)
                square = square + pushed * gained
    a, b, c = total(solver, square), total(solver, linear), total(solver, constant)
    if a + b + c <= 0.0:
        return 1.0
    if c >= 0.0 or a <= 0.0:
        return 0.0
    return (sqrt(b * b - 4.0 * a * c) - b) / (2.0 * a)


@device
def total(solver, numbers):
    """Return the sum of eight numbers. Writes scratch."""
    simd.store(solver.scratch, 0, numbers)
    result = 0.0
    for lane in range(simd.LANES):
        result += solver.scratch[0, lane]
    return result


@device
def closing_of(solver, k):
    """Return the motion of the bodies of block k."""
    vax, vay, wa, _ = simd.gather4(solver.state, STATE.VX, solver.index, (k, INDEX.ROW_A))
    vbx, vby, wb, _ = simd.gather4(solver.state, STATE.VX, solver.index, (k, INDEX.ROW_B))
    normal_x, normal_y = simd.load(solver.block[k], BLOCK.NORMAL_X), simd.load(solver.block[k], BLOCK.NORMAL_Y)
    return Closing(speed=(vbx - vax) * normal_x + (vby - vay) * normal_y, spin_a=wa, spin_b=wb)


@device
def speed_at(row, i, closing):
    """Return the normal speed at point i of eight contacts [m/s]."""
    point = row[BLOCK.FIRST + i * POINT.WIDTH :]
    by_b = closing.spin_b * simd.load(point, POINT.NORMAL_ARM_B)
    return closing.speed + by_b - closing.spin_a * simd.load(point, POINT.NORMAL_ARM_A)


@device
def store_speeds(solver, k, point_count, column):
    """Store the normal speeds at the points of block k in a column of their bounces. Writes solver_bounce."""
    closing = closing_of(solver, k)
    for i in range(point_count):
        simd.store(solver.bounce[k, i * BOUNCE.WIDTH :], column, speed_at(solver.block[k], i, closing))


@device
def has_bounced(bounce, i):
    """Return the mask of the contacts whose point i has bounced."""
    return simd.load(bounce[i * BOUNCE.WIDTH :], BOUNCE.TARGET) > NO_BOUNCE
