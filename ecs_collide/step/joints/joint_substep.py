"""Velocities of joint trees in a substep: rows and factors at the present poses, the first solve, and further solves.

The trees of `change_touched_motors` and `solve_touched` are those that are solved in rounds, see `tree_motors.py`.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import splat, store
from ecs_collide.step.joints.energy_guard import measure_work, remove_work
from ecs_collide.step.joints.factor_trees import begin_factors, factor_block, soften_pins, soften_rows
from ecs_collide.step.joints.joint_positions import place_block, place_pins
from ecs_collide.step.joints.list_bounded_rows import list_bounded_rows
from ecs_collide.step.joints.rows.body_lanes import turn_bodies
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED, ROLE_COUNT, USUAL_COUNT
from ecs_collide.step.joints.rows.pin_blocks import factor_pins, lift_parents
from ecs_collide.step.joints.rows.released_rows import needs_all_roles, release_rows
from ecs_collide.step.joints.solve_bounded_rows import find_responses, solve_bounded_velocities
from ecs_collide.step.joints.solve_loops import factor_loops
from ecs_collide.step.joints.solve_trees import climb_block, select_blocks, solve_trees
from ecs_collide.step.joints.tree_motors import (
    HOLD_ATTEMPTS,
    MOST_ATTEMPTS,
    any_holds,
    begin_again,
    change_motors,
    factor_again,
    push_slipping,
    restore_velocities,
    select_whole_blocks,
)
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, LANE, TREE, TREE_COUNT
from ecs_collide.step.joints.velocity_bias import set_bias, set_pin_bias


@subroutine
def update_trees(solver_joints, substep):
    """Update rows and factors to the present poses; return the number of bounded rows.

    For a projection, also make its upward pass. Writes SHIFT of body lanes then.
    """
    trees, bounded = solver_joints.trees, solver_joints.bounded
    turn_bodies(trees)
    begin_factors(trees)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        update_block(trees, block, substep)
    if len(trees.loops.body) > 0:
        factor_loops(trees)
    if len(bounded.row) == 0:
        return 0
    count = list_bounded_rows(trees, bounded, solver_joints.joints, substep)
    if count > 0:
        find_responses(trees, bounded)
    return count


@device
def update_block(trees, block, substep):
    """Update eight joints; pins, which most joints are, take a short way.

    A projection leaves motors out, so hinges with motors are pins there, and as long as all their motors slip.
    """
    if trees.has_hinge_motors[block]:
        is_free = substep.is_projection or not any_holds(trees.blocks[block])
        trees.is_pin[block] = is_free and block < trees.span[BATCH.STOP_TREES]
    if not trees.is_pin[block]:
        update_rows(trees, block, substep)
        if not trees.is_pin[block]:
            return
    arms, gap = place_pins(trees, block)
    gamma, any_locked = soften_pins(trees, block, arms)
    if any_locked:
        trees.is_pin[block] = False
        update_rows(trees, block, substep)
    elif block < trees.span[BATCH.STOP_TREES]:
        g0, g1 = factor_pins(trees, block, arms, gamma)
        if substep.is_projection:
            lift_parents(trees, block, LANE.SHIFT, arms, gap, g0, g1)


@subroutine
def update_rows(trees, block, substep):
    """Update eight joints of any kind. If they turn out to be pins, only their rows are updated."""
    place_block(trees, block, substep)
    release_rows(trees, block)
    soften_rows(trees, block, substep.h)
    if block < trees.span[BATCH.STOP_TREES] and not trees.is_pin[block]:
        factor_block(trees, block)
        if substep.is_projection:
            climb_block(trees, block, LANE.SHIFT, BLOCK.ERROR)


@subroutine
def solve_velocities(solver_joints, bounded_count, has_drives, substep):
    """Make the first solve of a substep; `has_drives` is what `prepare_joints` returned.

    Reads the velocity of body lanes, and its copy in SHIFT. Writes velocities, IMPULSE.
    """
    trees, bounded, nothing = solver_joints.trees, solver_joints.bounded, splat(0.0)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        if trees.is_pin[block]:
            set_pin_bias(trees, block, substep)
        else:
            set_bias(trees, block, substep)
        roles = ROLE_COUNT if needs_all_roles(trees, block) else USUAL_COUNT
        for k in range(roles if len(bounded.row) > 0 else 0):
            store(trees.blocks[block], BLOCK.BOUNDED + k, nothing)
    if has_drives:
        push_slipping(trees, False)
    solve_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.IMPULSE, False)
    if has_drives and settle_motors(trees) and bounded_count > 0:
        find_responses(trees, bounded)
    if measure_work(trees, TREE.WORK, False):
        remove_work(trees)
    for k in range(bounded_count):
        bounded.row[k, BOUNDED.IMPULSE] = 0.0
    if bounded_count > 0:
        solve_bounded_velocities(trees, bounded, False)


@subroutine
def settle_motors(trees):
    """Find out which motors of untouched trees hold and which slip, after their first solve.

    Returns True if the factors have changed.
    """
    for attempt in range(MOST_ATTEMPTS):
        if not change_motors(trees, attempt < HOLD_ATTEMPTS, False):
            return attempt > 0
        select_whole_blocks(trees)
        restore_velocities(trees)
        push_slipping(trees, True)
        factor_selected(trees)
        solve_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.IMPULSE, True)
    return True


@subroutine
def factor_selected(trees):
    """Factor selected trees anew, at the same poses."""
    begin_again(trees)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        if trees.is_block_selected[block]:
            factor_again(trees, block)
    if len(trees.loops.body) > 0:
        factor_loops(trees)


@device
def change_touched_motors(trees, may_hold):
    """Let motors of touched trees slip or hold, before a further solve; return True if any has changed.

    Those that exceed their greatest impulse slip. With `may_hold`, those that are past their speed hold. Writes the
    factors of trees whose motors changed, and is_selected.
    """
    changed = change_motors(trees, may_hold, True)
    if changed:
        select_whole_blocks(trees)
        factor_selected(trees)
    return changed


@subroutine
def solve_touched(solver_joints, bounded_count, is_changed):
    """Make a further solve, of the touched trees.

    Args:
        solver_joints: the trees and their bounded rows.
        bounded_count: number of bounded rows.
        is_changed: True if `change_touched_motors` has just changed motors.
    """
    trees = solver_joints.trees
    for tree in range(trees.counts[TREE_COUNT.TREES]):
        trees.is_selected[tree] = trees.is_touched[tree]
    select_blocks(trees)
    solve_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.IMPULSE, True)
    if bounded_count > 0:
        if is_changed:
            find_responses(trees, solver_joints.bounded)
        solve_bounded_velocities(trees, solver_joints.bounded, True)
