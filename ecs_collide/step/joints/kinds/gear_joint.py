"""Gear joint: the angle of B is a multiple of that of A.

With theta the angle of a body:

    coordinates   phi = theta_B - ratio theta_A - phase (reported)
    constraint    C = phi = 0 in a bounded row          C' = w_B - ratio w_A, |impulse| <= h max torque
                  row (0, 0, 1) for B and (0, 0, ratio) for A
    spring        none
    motor         none
    limits        none
"""

from __future__ import annotations

from ecs_collide.data.joints import NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, gather2, load, store
from ecs_collide.step.joints.rows.hold_rows import append_held, rigid
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE, FREE_ROW, INDEX, LANE, ROW


@device
def store_angle(trees, block, joints, ends):
    """Write the errors of eight gears at the start of a step. Reads REST. Writes ANGLE."""
    field = trees.blocks[block]
    ratio, _ = gather2(joints.numbers, NUMBERS.RATIO, trees.block_index, (block, INDEX.JOINT))
    store(field, BLOCK.ANGLE, ends.angle_b - ratio * ends.angle_a - load(field, BLOCK.REST))


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the row of the gear behind `count` rows; return how many there are then. Writes the free coordinate."""
    block, lane = at
    field, lanes, ratio = trees.blocks[block], trees.lane_numbers, numbers[NUMBERS.RATIO]
    child, parent = trees.block_index[block, INDEX.CHILD, lane], trees.block_index[block, INDEX.PARENT, lane]
    turn_child, turn_parent = lanes[child + LANES * LANE.DA], lanes[parent + LANES * LANE.DA]
    ahead = substep.remaining * field[BLOCK.RATE, lane]
    if field[BLOCK.SIGN, lane] > 0.0:
        error = field[BLOCK.ANGLE, lane] + turn_child - ratio * turn_parent + ahead
        arm_child, arm_parent, value = 1.0, ratio, error
    else:
        error = field[BLOCK.ANGLE, lane] + turn_parent - ratio * turn_child + ahead
        arm_child, arm_parent, value = ratio, 1.0, -error
    field[FREE_ROW + ROW.ARM_CHILD, lane], field[FREE_ROW + ROW.ARM_PARENT, lane] = arm_child, arm_parent
    field[FREE, lane] = value
    return append_held(trees, bounded, at, count, error, 0.0, rigid(), numbers[NUMBERS.MAX_TORQUE], substep, False)
