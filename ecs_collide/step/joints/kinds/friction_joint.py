"""Friction joint: friction between two bodies, as on a table seen from above.

With p_A the anchor of A, and v the velocity of B against A at that point:

    coordinates   phi = theta_B - theta_A (reported)
    constraint    none
    spring        none
    motor         brake of the turn: phi' = 0, |impulse| <= h max torque
    friction      v = 0 in two bounded rows, along v and across it, |impulse| <= h max force
    limits        none
"""

from __future__ import annotations

from ecs_collide.data.joints import NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.step.joints.rows.append_rows import PullPoint, append_angle_motor, append_pull, append_row, pull_point
from ecs_collide.step.joints.rows.bounded_rows import ALONG, speed_of
from ecs_collide.step.joints.trees.tree_rows import BLOCK, INDEX, LANE


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the rows of brake and friction behind `count` rows; return how many there are then."""
    count = append_angle_motor(trees, bounded, at, count, numbers, substep.h)
    if numbers[NUMBERS.MAX_FORCE] <= 0.0:
        return count
    point = shared_point(trees, at)
    # Measure the sliding velocity by two rows, which are overwritten below.
    append_row(trees, bounded, at, count, ALONG, 1.0, 0.0, -point.child_y, -point.parent_y)
    x = speed_of(bounded, count, trees.lane_numbers, LANE.VX)
    append_row(trees, bounded, at, count, ALONG, 0.0, 1.0, point.child_x, point.parent_x)
    y = speed_of(bounded, count, trees.lane_numbers, LANE.VX)
    return append_pull(trees, bounded, at, count, point, x, y, substep.h * numbers[NUMBERS.MAX_FORCE])


@device
def shared_point(trees, at):
    """Return where friction acts: at the anchor of A on both bodies. The world takes the anchor of B instead."""
    block, lane = at
    field = trees.blocks[block]
    sign = field[BLOCK.SIGN, lane]
    x, y = sign * field[BLOCK.GAP, lane], sign * field[BLOCK.GAP + 1, lane]
    child_x, child_y, parent_x, parent_y = pull_point(field, lane)
    if sign > 0.0:
        child_x, child_y = child_x - x, child_y - y
    elif trees.block_index[block, INDEX.HAS_CHILD, lane] != 0:
        parent_x, parent_y = parent_x + x, parent_y + y
    return PullPoint(child_x=child_x, child_y=child_y, parent_x=parent_x, parent_y=parent_y)
