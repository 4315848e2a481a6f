"""Stages of a substep in the joint trees: velocities, then positions, then the touched trees again."""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.tolerances import FASTEST_TURN
from ecs_collide.data.joints import ENDLESS, LOAD, NUMBERS
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import (
    LANES,
    absolute,
    any_lane,
    gather4,
    load,
    maximum,
    minimum,
    scatter2,
    scatter4,
    select,
    splat,
    square_root,
    store,
)
from ecs_collide.step.joints.energy_guard import measure_work, remove_work
from ecs_collide.step.joints.factor_trees import begin_factors, factor_block, soften_pins, soften_rows
from ecs_collide.step.joints.joint_gaps import store_gaps
from ecs_collide.step.joints.joint_positions import place_block, place_pins
from ecs_collide.step.joints.limits_and_motors import list_bounded_rows
from ecs_collide.step.joints.rows.block_algebra import dot, load_triple, row_of_child, row_of_parent
from ecs_collide.step.joints.rows.body_lanes import add_numbers, clear_numbers, triple_of, turn_bodies
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED, ROLE_COUNT, USUAL_COUNT
from ecs_collide.step.joints.rows.pin_blocks import factor_pins, lift_parents
from ecs_collide.step.joints.rows.released_rows import needs_all_roles, release_rows
from ecs_collide.step.joints.solve_bounded_rows import find_responses, shift_bounded_rows, solve_bounded_velocities
from ecs_collide.step.joints.solve_loops import factor_loops
from ecs_collide.step.joints.solve_trees import climb_any_block, climb_block, descend_trees, select_blocks, solve_trees
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
    store_slips,
)
from ecs_collide.step.joints.trees.tree_rows import (
    BATCH,
    BLOCK,
    FREE,
    FREE_ROW,
    INDEX,
    LANE,
    LANE_INDEX,
    NONE,
    ROW,
    TREE,
    TREE_COUNT,
)
from ecs_collide.step.joints.velocity_bias import set_bias, set_pin_bias

MOST_PROJECTIONS = 4
"""Number of projections of trees that fly apart: one Newton step leaves some centimetres."""
BEYOND, TURNED_BEYOND = 1.001, 3.0
"""From how many times the farthest on they do. What is shortened to that may be beyond it by rounding; limbs that hit a
limit turn by more, and need no second one."""


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
def solve_velocities(solver_joints, bounded_count, has_thirds, substep):
    """Make the first solve of a substep.

    Reads the velocity of body lanes, and its copy in SHIFT. Writes velocities, IMPULSE.
    """
    trees, bounded, nothing = solver_joints.trees, solver_joints.bounded, splat(0.0)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        if trees.is_pin[block]:
            set_pin_bias(trees, block, substep.h)
        else:
            set_bias(trees, block, substep.h)
        roles = ROLE_COUNT if needs_all_roles(trees, block) else USUAL_COUNT
        for k in range(roles if len(bounded.row) > 0 else 0):
            store(trees.blocks[block], BLOCK.BOUNDED + k, nothing)
    if has_thirds:
        push_slipping(trees, False)
    solve_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.IMPULSE, False)
    if has_thirds and settle_motors(trees) and bounded_count > 0:
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
        descend_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.IMPULSE, True)
    return True


@subroutine
def factor_selected(trees):
    """Factor selected trees anew, at the same poses, and make the upward pass of their velocities."""
    begin_again(trees)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        if trees.is_block_selected[block]:
            factor_again(trees, block)
            if block < trees.span[BATCH.STOP_TREES]:
                climb_any_block(trees, block, LANE.VX, BLOCK.BIAS)
    if len(trees.loops.body) > 0:
        factor_loops(trees)


@device
def change_touched_motors(trees, may_hold):
    """Let motors of touched trees slip or hold, before a further solve; return True if any has changed.

    Those that exceed their greatest impulse slip. With `may_hold`, those that are past their speed hold. The trees of
    motors that changed have made their upward pass then. Writes is_selected.
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
        trees.is_selected[tree] = trees.is_touched[tree] and not (is_changed and trees.is_selected[tree])
    select_blocks(trees)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_TREES]):
        if trees.is_block_selected[block]:
            climb_any_block(trees, block, LANE.VX, BLOCK.BIAS)
    for tree in range(trees.counts[TREE_COUNT.TREES]):
        trees.is_selected[tree] = trees.is_touched[tree]
    select_blocks(trees)
    descend_trees(trees, LANE.VX, BLOCK.BIAS, BLOCK.IMPULSE, True)
    if bounded_count > 0:
        if is_changed:
            find_responses(trees, solver_joints.bounded)
        solve_bounded_velocities(trees, solver_joints.bounded, True)


@subroutine
def project_positions(solver_joints, substep):
    """Factor the trees at their present poses and project; repeat for trees that move far.

    Returns the number of bounded rows. Writes the movement of body lanes, and what `update_trees` writes.
    """
    bounded_count, attempts, again = 0, 0, True
    while again:
        clear_numbers(solver_joints.trees, LANE.SHIFT)
        bounded_count = update_trees(solver_joints, substep)
        attempts += 1
        again = project_trees(solver_joints, bounded_count, substep) and attempts < MOST_PROJECTIONS
    return bounded_count


@device
def project_trees(solver_joints, bounded_count, substep):
    """Move the bodies so that no joint gapes; return True if another projection is needed.

    A body moves at the push-out speed at most. If a tree moves faster on its own, it is moved further, and one
    projection is not enough. `update_trees` has made the upward pass. Writes SHIFT and movement of body lanes.
    """
    trees = solver_joints.trees
    descend_trees(trees, LANE.SHIFT, BLOCK.ERROR, NONE, False)
    if bounded_count > 0:
        shift_bounded_rows(trees, solver_joints.bounded)
    farthest, turn, leads = substep.push_out_speed * substep.h, FASTEST_TURN * substep.h, False
    if moves_far(trees, farthest, turn):
        shorten_projection(trees, farthest, turn, substep.h)
        leads = moves_far(trees, BEYOND * farthest, (BEYOND if bounded_count == 0 else TURNED_BEYOND) * turn)
    add_numbers(trees, LANE.DX, LANE.SHIFT)
    return leads


@device
def moves_far(trees, farthest, farthest_turn):
    """Return True if the projection moves or turns a body by more than the given amounts."""
    found = False
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        shift = load_triple(trees.lanes[s], LANE.SHIFT)
        square = shift.x * shift.x + shift.y * shift.y
        found = found or any_lane(~((square <= farthest * farthest) & (absolute(shift.z) <= farthest_turn)))
    return found


@device
def shorten_projection(trees, farthest, farthest_turn, h):
    """Shorten the projection of trees whose bodies it moves too far.

    A projection is a Newton step: a full one would throw a nearly straight tree between two walls far aside. Its part
    that is made moves no body by more than `farthest` [m] and `farthest_turn` [rad], or than the fastest body of the
    tree moves in a substep. Reads the velocity of body lanes. Writes TREE, SHIFT.
    """
    pace = trees.tree
    for tree in range(len(pace)):
        pace[tree, TREE.SHARE], pace[tree, TREE.MAX_SHIFT], pace[tree, TREE.MAX_TURN] = 1.0, farthest, farthest_turn
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        for lane in range(LANES):
            tree = trees.lane_index[s, LANE_INDEX.TREE, lane]
            if tree != NONE:
                way, turn = distance_and_turn(trees.lanes[s], LANE.VX, lane)
                pace[tree, TREE.MAX_SHIFT] = max(pace[tree, TREE.MAX_SHIFT], h * way)
                pace[tree, TREE.MAX_TURN] = max(pace[tree, TREE.MAX_TURN], h * turn)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        for lane in range(LANES):
            tree = trees.lane_index[s, LANE_INDEX.TREE, lane]
            if tree != NONE:
                way, turn = distance_and_turn(trees.lanes[s], LANE.SHIFT, lane)
                far, far_turn = pace[tree, TREE.MAX_SHIFT], pace[tree, TREE.MAX_TURN]
                part = min(far / max(way, far), far_turn / max(turn, far_turn))
                pace[tree, TREE.SHARE] = min(pace[tree, TREE.SHARE], part)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        for lane in range(LANES):
            tree = trees.lane_index[s, LANE_INDEX.TREE, lane]
            for k in range(3):
                trees.lanes[s, LANE.SHIFT + k, lane] *= pace[tree, TREE.SHARE] if tree != NONE else 0.0


@device
def distance_and_turn(lanes, column, lane):
    """Return how far three numbers of a lane move a body [m], and turn it [rad]."""
    x, y = lanes[column, lane], lanes[column + 1, lane]
    return sqrt(x * x + y * y), abs(lanes[column + 2, lane])


@subroutine
def add_loads(trees):
    """Add the impulses of a substep to the loads of the joints. Writes LOAD.

    The third row is parallel to the free coordinate, whose row is used instead: a projection clears a spring's row.
    """
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        if trees.is_pin[block]:
            for k in range(2):
                store(field, BLOCK.LOAD + k, load(field, BLOCK.LOAD + k) + load(field, BLOCK.IMPULSE + k))
            if trees.has_hinge_motors[block]:
                store(field, BLOCK.LOAD + 2, load(field, BLOCK.LOAD + 2) + load(field, BLOCK.IMPULSE + 2))
            continue
        x, y, torque = splat(0.0), splat(0.0), splat(0.0)
        for k in range(3):
            at = FREE_ROW if k == 2 else BLOCK.ROWS + k * ROW.WIDTH
            impulse = load(field, BLOCK.IMPULSE + k)
            normal_x, normal_y = load(field, at + ROW.NORMAL_X), load(field, at + ROW.NORMAL_Y)
            x, y = x + normal_x * impulse, y + normal_y * impulse
            is_angle = absolute(normal_x) + absolute(normal_y) <= 0.0
            torque = torque + select(is_angle, load(field, at + ROW.ARM_CHILD) * impulse, 0.0)
        store(field, BLOCK.LOAD, load(field, BLOCK.LOAD) + x)
        store(field, BLOCK.LOAD + 1, load(field, BLOCK.LOAD + 1) + y)
        store(field, BLOCK.LOAD + 2, load(field, BLOCK.LOAD + 2) + torque)


@device
def clamped(numbers):
    """Return numbers within the range that components may hold."""
    return minimum(maximum(numbers, -ENDLESS), ENDLESS)


@subroutine
def store_joints(solver_joints, h, dt):
    """Store impulses for the next step, and the results that joints report, at the end of a step.

    The free coordinate is that of the last substep's rows plus the movement by the projection.
    Writes joint_load, joint_numbers, any_overloaded.
    """
    trees, joints = solver_joints.trees, solver_joints.joints
    index = trees.block_index
    store_slips(trees, joints)
    for block in range(trees.span[BATCH.FIRST_BLOCK], trees.span[BATCH.STOP_BLOCK]):
        field, joint = trees.blocks[block], (block, INDEX.JOINT)
        sign = load(field, BLOCK.SIGN)
        fx, fy, torque = (
            load(field, BLOCK.LOAD) / dt,
            load(field, BLOCK.LOAD + 1) / dt,
            sign * load(field, BLOCK.LOAD + 2) / dt,
        )
        force = square_root(fx * fx + fy * fy)
        most_force, most_torque, high_force, high_torque = gather4(joints.numbers, NUMBERS.BREAK_FORCE, index, joint)
        is_loaded = (force > high_force) | (absolute(torque) > high_torque)
        if any_lane((force > most_force) | (absolute(torque) > most_torque) | is_loaded):
            trees.any_overloaded[0] = 1
        moved = free_speed(trees, block, LANE.SHIFT)
        speed = free_speed(trees, block, LANE.VX)
        position = sign * (load(field, FREE) + moved)
        force, torque, position, speed = clamped(force), clamped(torque), clamped(position), clamped(sign * speed)
        scatter4(joints.numbers, NUMBERS.FORCE, index, joint, force, torque, position, speed)
        store_gaps(trees, block, joints, position, len(solver_joints.bounded.row) > 0)
        of_b = sign / h
        mean_y = of_b * load(field, BLOCK.MEAN_PULL + 1)
        scatter4(
            joints.load,
            0,
            index,
            joint,
            of_b * load(field, BLOCK.IMPULSE),
            of_b * load(field, BLOCK.IMPULSE + 1),
            of_b * load(field, BLOCK.IMPULSE + 2),
            of_b * load(field, BLOCK.MEAN_PULL),
        )
        scatter2(joints.load, LOAD.MEAN + 1, index, joint, mean_y, splat(h))


@device
def free_speed(trees, block, column):
    """Return the velocity of the free coordinate of eight joints, by three numbers of body lanes."""
    field = trees.blocks[block]
    child, parent = triple_of(trees, block, INDEX.CHILD, column), triple_of(trees, block, INDEX.PARENT, column)
    return dot(row_of_child(field, 3), child) - dot(row_of_parent(field, 3), parent)
