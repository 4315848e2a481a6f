"""Projection of joint trees: bodies are moved so that no joint gapes, without a change of their velocities."""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, absolute, any_lane
from ecs_collide.step.joints.joint_substep import update_trees
from ecs_collide.step.joints.rows.block_algebra import load_triple
from ecs_collide.step.joints.rows.body_lanes import add_numbers, clear_numbers
from ecs_collide.step.joints.solve_bounded_rows import shift_bounded_rows
from ecs_collide.step.joints.solve_trees import descend_trees
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, LANE, LANE_INDEX, NONE, TREE

MOST_PROJECTIONS = 4
"""Greatest number of projections in a substep: a single Newton step of a tree that flies apart leaves centimetres."""
BEYOND = 1.001
"""Factor on the greatest shift and turn beyond which a tree is projected again; rounding must not decide."""
TURNED_BEYOND = 3.0
"""`BEYOND` of the turn if there are bounded rows: limbs that hit a limit turn by more, and one projection is enough."""


@subroutine
def project_positions(solver_joints, substep):
    """Factor the trees at their present poses and project; repeat for trees that move far.

    Returns the number of bounded rows. Writes the movement of body lanes, and what `update_trees` writes.
    """
    bounded_count, attempts, must_repeat = 0, 0, True
    while must_repeat:
        clear_numbers(solver_joints.trees, LANE.SHIFT)
        bounded_count = update_trees(solver_joints, substep)
        attempts += 1
        must_repeat = project_trees(solver_joints, bounded_count, substep) and attempts < MOST_PROJECTIONS
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
    farthest, turn, must_repeat = substep.push_out_speed * substep.h, substep.fastest_turn * substep.h, False
    if moves_far(trees, farthest, turn):
        shorten_projection(trees, farthest, turn, substep.h)
        must_repeat = moves_far(trees, BEYOND * farthest, (BEYOND if bounded_count == 0 else TURNED_BEYOND) * turn)
    add_numbers(trees, LANE.DX, LANE.SHIFT)
    return must_repeat


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
    numbers = trees.tree
    for tree in range(len(numbers)):
        numbers[tree, TREE.SHARE] = 1.0
        numbers[tree, TREE.MAX_SHIFT], numbers[tree, TREE.MAX_TURN] = farthest, farthest_turn
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        for lane in range(LANES):
            tree = trees.lane_index[s, LANE_INDEX.TREE, lane]
            if tree != NONE:
                way, turn = distance_and_turn(trees.lanes[s], LANE.VX, lane)
                numbers[tree, TREE.MAX_SHIFT] = max(numbers[tree, TREE.MAX_SHIFT], h * way)
                numbers[tree, TREE.MAX_TURN] = max(numbers[tree, TREE.MAX_TURN], h * turn)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        for lane in range(LANES):
            tree = trees.lane_index[s, LANE_INDEX.TREE, lane]
            if tree != NONE:
                way, turn = distance_and_turn(trees.lanes[s], LANE.SHIFT, lane)
                far, far_turn = numbers[tree, TREE.MAX_SHIFT], numbers[tree, TREE.MAX_TURN]
                part = min(far / max(way, far), far_turn / max(turn, far_turn))
                numbers[tree, TREE.SHARE] = min(numbers[tree, TREE.SHARE], part)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        for lane in range(LANES):
            tree = trees.lane_index[s, LANE_INDEX.TREE, lane]
            for k in range(3):
                trees.lanes[s, LANE.SHIFT + k, lane] *= numbers[tree, TREE.SHARE] if tree != NONE else 0.0


@device
def distance_and_turn(lanes, column, lane):
    """Return how far three numbers of a lane move a body [m], and turn it [rad]."""
    x, y = lanes[column, lane], lanes[column + 1, lane]
    return sqrt(x * x + y * y), abs(lanes[column + 2, lane])
