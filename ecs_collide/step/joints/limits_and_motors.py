"""What joints ask for beyond their trees: limits, motors, friction and targets.

A limit is no row as long as it is far. Over a gap it lets the gap close, b = C / h; where it is overstepped it stops,
and the projection puts it back, so that it never throws. Friction and targets pull at a point, within a force.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.components.joints import kinds
from ecs_collide.data import joints as of_joint
from ecs_collide.data.joints import NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints import limit_rows as of_extra
from ecs_collide.step.joints.limit_rows import own_diagonal, speed_of
from ecs_collide.step.joints.trees import tree_rows as layout

NEAR_ANGLE = 0.05
"""A limit is a row from this angle on [rad] ..."""
NEAR_SUBSTEPS = 4.0
"""... and from the way of so many substeps."""


@device
def list_extras(trees, extras, joints, near, h, projecting):
    """List the rows that count now, tree by tree; return how many. `near` is how close a limit is that counts [m].

    While `projecting` targets do not count, as springs do not: see `ask_springs`.
    Reads the rows of the blocks, joint_numbers, seat (velocity, masses). Writes extra_row, extra_index,
    extra_start.
    """
    count, tree = 0, 0
    for joint in trees.listed:
        block, lane = joints.lane[joint] // LANES, joints.lane[joint] % LANES
        while tree <= trees.index[block, layout.TREE, lane]:
            extras.start[tree] = count
            tree += 1
        numbers, kind = joints.numbers[joint], trees.block_kind[block]
        if numbers[NUMBERS.MAX_MOTOR] > 0.0:
            count = drive(trees, extras, block, lane, count, kind, numbers, h)
        if numbers[NUMBERS.LOWER] > -of_joint.ENDLESS or numbers[NUMBERS.UPPER] < of_joint.ENDLESS:
            count = keep_within(trees, extras, block, lane, count, numbers, near, h)
        if numbers[NUMBERS.MAX_FORCE] > 0.0 and not (projecting and kind == kinds.TARGET):
            count = pull(trees, extras, block, lane, count, kind, numbers, h)
    while tree < len(extras.start):
        extras.start[tree] = count
        tree += 1
    return count


@device
def append_row(trees, extras, block, lane, count, part, x, y, arm_child, arm_parent):
    """Append a row without bias and without bounds, the `count`th. Writes extra_row, extra_index."""
    row, index = extras.row[count], extras.index[count]
    index[of_extra.CHILD] = trees.index[block, layout.CHILD, lane]
    index[of_extra.PARENT] = trees.index[block, layout.PARENT, lane]
    index[of_extra.LANE], index[of_extra.PART] = LANES * block + lane, part
    row[of_extra.NORMAL_X], row[of_extra.NORMAL_Y] = x, y
    row[of_extra.ARM_CHILD], row[of_extra.ARM_PARENT] = arm_child, arm_parent
    row[of_extra.BIAS], row[of_extra.SHIFT_BIAS], row[of_extra.GAMMA], row[of_extra.ADDED] = 0.0, 0.0, 0.0, 0.0
    row[of_extra.IMPULSE] = trees.field[block, layout.GIVEN + part, lane]
    row[of_extra.LOW], row[of_extra.HIGH] = -of_extra.UNLIMITED, of_extra.UNLIMITED
    row[of_extra.SHIFT_LOW], row[of_extra.SHIFT_HIGH] = 0.0, 0.0


@device
def drive(trees, extras, block, lane, count, kind, numbers, h):
    """A motor's row, along the free coordinate; a wheel's is its angle."""
    sign = trees.field[block, layout.SIGN, lane]
    if kind == kinds.PRISMATIC:
        append_free(trees, extras, block, lane, count, of_extra.MOTOR, sign)
    else:
        append_row(trees, extras, block, lane, count, of_extra.MOTOR, 0.0, 0.0, sign, sign)
    row = extras.row[count]
    most = h * numbers[NUMBERS.MAX_MOTOR]
    row[of_extra.BIAS], row[of_extra.LOW], row[of_extra.HIGH] = -numbers[NUMBERS.MOTOR_SPEED], -most, most
    return count + 1


@device
def append_free(trees, extras, block, lane, count, part, sign):
    """Append the row of the free coordinate, or, with the opposite `sign` of the block's, of its negative."""
    field, at = trees.field[block], layout.FREE_ROW
    append_row(
        trees,
        extras,
        block,
        lane,
        count,
        part,
        sign * field[at + layout.NORMAL_X, lane],
        sign * field[at + layout.NORMAL_Y, lane],
        sign * field[at + layout.ARM_CHILD, lane],
        sign * field[at + layout.ARM_PARENT, lane],
    )


@device
def keep_within(trees, extras, block, lane, count, numbers, near, h):
    """The rows of a lower and an upper limit, as far as they are near."""
    field, free = trees.field[block], layout.FREE_ROW
    sign = field[layout.SIGN, lane]
    value = sign * field[layout.FREE, lane]
    is_angle = field[free + layout.NORMAL_X, lane] == 0.0 and field[free + layout.NORMAL_Y, lane] == 0.0
    reach = NEAR_ANGLE if is_angle else near
    reach += NEAR_SUBSTEPS * h * abs(free_speed(trees, block, lane))
    for side in range(2):
        part, outward = (of_extra.LOWER, 1.0) if side == 0 else (of_extra.UPPER, -1.0)
        limit = numbers[NUMBERS.LOWER] if side == 0 else numbers[NUMBERS.UPPER]
        room = outward * (value - limit)
        if abs(limit) >= of_joint.ENDLESS or room > reach:
            continue
        append_free(trees, extras, block, lane, count, part, outward * sign)
        row = extras.row[count]
        row[of_extra.BIAS], row[of_extra.SHIFT_BIAS] = max(room, 0.0) / h, room
        row[of_extra.LOW], row[of_extra.SHIFT_HIGH] = 0.0, of_extra.UNLIMITED
        count += 1
    return count


@device
def free_speed(trees, block, lane):
    """How fast the free coordinate of a joint changes, but for its sign. Reads seat (velocity)."""
    field, free, numbers = trees.field[block], layout.FREE_ROW, trees.numbers
    child, parent = trees.index[block, layout.CHILD, lane], trees.index[block, layout.PARENT, lane]
    x, y, w = LANES * layout.VX, LANES * layout.VY, LANES * layout.W
    return (
        field[free + layout.NORMAL_X, lane] * (numbers[child + x] - numbers[parent + x])
        + field[free + layout.NORMAL_Y, lane] * (numbers[child + y] - numbers[parent + y])
        + field[free + layout.ARM_CHILD, lane] * numbers[child + w]
        - field[free + layout.ARM_PARENT, lane] * numbers[parent + w]
    )


@device
def pull(trees, extras, block, lane, count, kind, numbers, h):
    """Two rows at a point, within a force: friction along and across the sliding, or a spring towards a target."""
    field, sign = trees.field[block], trees.field[block, layout.SIGN, lane]
    child_x, child_y = field[layout.AT_CHILD, lane], field[layout.AT_CHILD + 1, lane]
    parent_x, parent_y = field[layout.AT_PARENT, lane], field[layout.AT_PARENT + 1, lane]
    x, y = sign * field[layout.GAP, lane], sign * field[layout.GAP + 1, lane]
    if kind == kinds.FRICTION:  # B is braked where A's point is now; the world, which has no place, where B's is
        if sign > 0.0:
            child_x, child_y = child_x - x, child_y - y
        elif field[layout.HAS_CHILD, lane] > 0.0:
            parent_x, parent_y = parent_x + x, parent_y + y
        append_row(trees, extras, block, lane, count, of_extra.ALONG, 1.0, 0.0, -child_y, -parent_y)
        x = speed_of(extras, count, trees.numbers, layout.VX)
        append_row(trees, extras, block, lane, count, of_extra.ALONG, 0.0, 1.0, child_x, parent_x)
        y = speed_of(extras, count, trees.numbers, layout.VX)
    length = sqrt(x * x + y * y)
    along_x, along_y = (x / length, y / length) if length > 0.0 else (1.0, 0.0)
    most = h * numbers[NUMBERS.MAX_FORCE]
    for side in range(2):
        part, u_x, u_y = (of_extra.ALONG, along_x, along_y) if side == 0 else (of_extra.ACROSS, -along_y, along_x)
        arm_child, arm_parent = child_x * u_y - child_y * u_x, parent_x * u_y - parent_y * u_x
        append_row(trees, extras, block, lane, count, part, u_x, u_y, arm_child, arm_parent)
        row = extras.row[count]
        row[of_extra.LOW], row[of_extra.HIGH] = -most, most
        given_x, given_y = field[layout.GIVEN + of_extra.ALONG, lane], field[layout.GIVEN + of_extra.ACROSS, lane]
        row[of_extra.IMPULSE] = u_x * given_x + u_y * given_y
        omega = field[layout.OMEGA, lane]
        if kind == kinds.TARGET and omega > 0.0:
            stiffness = 2.0 * field[layout.DAMPING, lane] + h * omega
            diagonal = own_diagonal(extras, count, trees.numbers)
            row[of_extra.BIAS] = omega / stiffness * (length if side == 0 else 0.0)
            row[of_extra.GAMMA] = diagonal / (h * omega * stiffness)
        count += 1
    return count
