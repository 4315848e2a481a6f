"""Rows of motors, limits and pulls, as the joint kinds append them to the bounded rows.

A limit is no row while it is far. Over a gap C its row lets the gap close within the substep, b = C / h. A limit that
is exceeded only stops the motion. The projection moves the bodies back, which adds no speed. It moves them no faster
than the push-out speed, or bodies that a spring pulls would pass each other. A limit that a game moves
(`moving_limits.py`) has its speed as bias.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.rows import bounded_rows as roles
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED, BOUNDED_INDEX
from ecs_collide.step.joints.rows.closing_gaps import bound_limit
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE, FREE_ROW, INDEX, LANE, ROW

NEAR_ANGLE = 0.05
"""Distance from a limit of an angle below which the limit is a row [rad]."""
NEAR_SUBSTEPS = 4.0
"""A limit is also a row if the joint reaches it within this many substeps."""


class PullPoint(NamedTuple):
    """Points at which a pull acts on child and parent, from their centres of mass [m]."""

    child_x: float
    child_y: float
    parent_x: float
    parent_y: float


@device
def append_row(trees, bounded, at, count, role, x, y, arm_child, arm_parent):
    """Write row `count`, without bias and bounds, for the joint at (block, lane). Writes bounded_row, bounded_index."""
    block, lane = at
    row, index = bounded.row[count], bounded.row_index[count]
    index[BOUNDED_INDEX.CHILD] = trees.block_index[block, INDEX.CHILD, lane]
    index[BOUNDED_INDEX.PARENT] = trees.block_index[block, INDEX.PARENT, lane]
    index[BOUNDED_INDEX.LANE], index[BOUNDED_INDEX.ROLE] = LANES * block + lane, role
    row[BOUNDED.NORMAL_X], row[BOUNDED.NORMAL_Y] = x, y
    row[BOUNDED.ARM_CHILD], row[BOUNDED.ARM_PARENT] = arm_child, arm_parent
    row[BOUNDED.BIAS], row[BOUNDED.SHIFT_BIAS], row[BOUNDED.GAMMA], row[BOUNDED.ADDED] = 0.0, 0.0, 0.0, 0.0
    row[BOUNDED.IMPULSE] = trees.blocks[block, BLOCK.BOUNDED + role, lane]
    row[BOUNDED.LOW], row[BOUNDED.HIGH] = -roles.UNLIMITED, roles.UNLIMITED
    row[BOUNDED.SHIFT_LOW], row[BOUNDED.SHIFT_HIGH] = 0.0, 0.0
    row[BOUNDED.APPROACH], row[BOUNDED.CHORD] = 0.0, 0.0


@device
def append_free(trees, bounded, at, count, role, sign):
    """Write the free coordinate as row `count`; its negative if `sign` is opposite to the joint's."""
    block, lane = at
    field = trees.blocks[block]
    x, y = sign * field[FREE_ROW + ROW.NORMAL_X, lane], sign * field[FREE_ROW + ROW.NORMAL_Y, lane]
    arm_child, arm_parent = sign * field[FREE_ROW + ROW.ARM_CHILD, lane], sign * field[FREE_ROW + ROW.ARM_PARENT, lane]
    append_row(trees, bounded, at, count, role, x, y, arm_child, arm_parent)


@subroutine
def append_angle_motor(trees, bounded, at, count, numbers, h):
    """Append the row of a motor that turns B against A, if it has a torque and is no tree motor.

    Returns the number of rows.
    """
    block, lane = at
    if numbers[NUMBERS.MAX_MOTOR] > 0.0 and trees.blocks[block, BLOCK.MOTOR_MAX, lane] == 0.0:
        sign = trees.blocks[block, BLOCK.SIGN, lane]
        append_row(trees, bounded, at, count, roles.MOTOR, 0.0, 0.0, sign, sign)
        drive(bounded.row[count], numbers, h)
        count += 1
    return count


@subroutine
def append_axis_motor(trees, bounded, at, count, numbers, h):
    """Append the row of a motor along the free coordinate, if it has a force and is no tree motor.

    Returns the number of rows.
    """
    block, lane = at
    if numbers[NUMBERS.MAX_MOTOR] > 0.0 and trees.blocks[block, BLOCK.MOTOR_MAX, lane] == 0.0:
        append_free(trees, bounded, at, count, roles.MOTOR, trees.blocks[block, BLOCK.SIGN, lane])
        drive(bounded.row[count], numbers, h)
        count += 1
    return count


@device
def drive(row, numbers, h):
    """Write the bias and the bounds of a motor's row."""
    most = h * numbers[NUMBERS.MAX_MOTOR]
    row[BOUNDED.BIAS], row[BOUNDED.LOW], row[BOUNDED.HIGH] = -numbers[NUMBERS.MOTOR_SPEED], -most, most


@subroutine
def append_limits(trees, bounded, at, count, numbers, substep, arc):
    """Append rows of the lower and the upper limit of the free coordinate that are near; return the number of rows.

    `arc` is how much more the free coordinate grows in a substep than its speed says [m].
    """
    if not has_limits(numbers):
        return count
    block, lane = at
    field = trees.blocks[block]
    sign = field[BLOCK.SIGN, lane]
    value = sign * field[FREE, lane]
    is_angle = field[FREE_ROW + ROW.NORMAL_X, lane] == 0.0 and field[FREE_ROW + ROW.NORMAL_Y, lane] == 0.0
    reach = NEAR_ANGLE if is_angle else substep.near
    reach += NEAR_SUBSTEPS * substep.h * abs(free_lane_speed(trees, at))
    furthest = substep.h * (substep.fastest_turn if is_angle else substep.push_out_speed)
    most = numbers[NUMBERS.MAX_TORQUE] if is_angle else numbers[NUMBERS.MAX_FORCE]
    for side in range(2):
        role, outward = (roles.LOWER, 1.0) if side == 0 else (roles.UPPER, -1.0)
        limit = numbers[NUMBERS.LOWER] if side == 0 else numbers[NUMBERS.UPPER]
        rate = field[BLOCK.LIMIT_RATE + side, lane]
        room = outward * (value - (limit - rate * substep.remaining))
        if abs(limit) >= NO_LIMIT or room - outward * rate * substep.h > reach:
            continue
        append_free(trees, bounded, at, count, role, outward * sign)
        row = bounded.row[count]
        row[BOUNDED.APPROACH] = max(room, 0.0) / substep.h
        row[BOUNDED.BIAS], row[BOUNDED.SHIFT_BIAS] = row[BOUNDED.APPROACH] - outward * rate, max(room, -furthest)
        row[BOUNDED.CHORD] = outward * field[BLOCK.CHORD, lane] * arc
        row[BOUNDED.LOW], row[BOUNDED.SHIFT_HIGH] = 0.0, roles.UNLIMITED
        if most < NO_LIMIT:
            bound_limit(trees, bounded, count, -room, substep.h * most, substep)
        count += 1
    return count


@device
def has_limits(numbers):
    """Return True if a joint has a lower or an upper limit."""
    return numbers[NUMBERS.LOWER] > -NO_LIMIT or numbers[NUMBERS.UPPER] < NO_LIMIT


@device
def free_value(trees, at):
    """Return the free coordinate of one joint [m, rad]."""
    block, lane = at
    return trees.blocks[block, BLOCK.SIGN, lane] * trees.blocks[block, FREE, lane]


@device
def free_lane_speed(trees, at):
    """Return the velocity of the free coordinate of one joint, child against parent. Reads the body lanes."""
    block, lane = at
    field, numbers = trees.blocks[block], trees.lane_numbers
    child, parent = trees.block_index[block, INDEX.CHILD, lane], trees.block_index[block, INDEX.PARENT, lane]
    x, y, w = LANES * LANE.VX, LANES * LANE.VY, LANES * LANE.W
    return (
        field[FREE_ROW + ROW.NORMAL_X, lane] * (numbers[child + x] - numbers[parent + x])
        + field[FREE_ROW + ROW.NORMAL_Y, lane] * (numbers[child + y] - numbers[parent + y])
        + field[FREE_ROW + ROW.ARM_CHILD, lane] * numbers[child + w]
        - field[FREE_ROW + ROW.ARM_PARENT, lane] * numbers[parent + w]
    )


@device
def pull_point(field, lane):
    """Return the anchors of one joint."""
    return PullPoint(
        child_x=field[BLOCK.ANCHOR_CHILD, lane],
        child_y=field[BLOCK.ANCHOR_CHILD + 1, lane],
        parent_x=field[BLOCK.ANCHOR_PARENT, lane],
        parent_y=field[BLOCK.ANCHOR_PARENT + 1, lane],
    )


@subroutine
def append_pull(trees, bounded, at, count, point, x, y, most):
    """Append two rows at a point, along (x, y) and across it, that bear an impulse up to `most` [N s] together.

    Returns the number of rows.
    """
    block, lane = at
    length = sqrt(x * x + y * y)
    along_x, along_y = (x / length, y / length) if length > 0.0 else (1.0, 0.0)
    given_x = trees.blocks[block, BLOCK.BOUNDED + roles.ALONG, lane]
    given_y = trees.blocks[block, BLOCK.BOUNDED + roles.ACROSS, lane]
    for side in range(2):
        role, u_x, u_y = (roles.ALONG, along_x, along_y) if side == 0 else (roles.ACROSS, -along_y, along_x)
        arm_child, arm_parent = point.child_x * u_y - point.child_y * u_x, point.parent_x * u_y - point.parent_y * u_x
        append_row(trees, bounded, at, count, role, u_x, u_y, arm_child, arm_parent)
        row = bounded.row[count]
        row[BOUNDED.LOW], row[BOUNDED.HIGH] = -most, most
        row[BOUNDED.IMPULSE] = u_x * given_x + u_y * given_y
        count += 1
    return count
