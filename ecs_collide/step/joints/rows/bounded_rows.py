"""Bounded rows: rows whose impulse has bounds. Limits, motors, friction and targets are such rows."""

from __future__ import annotations

import numpy as np

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import JOINT, NO_LIMIT, NUMBERS, Joints
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.rows.motor_rule import is_tree_motor
from ecs_collide.step.joints.rows.released_rows import releases_force, releases_torque
from ecs_collide.step.joints.trees.tree_rows import LANE, ROW, TREE_COUNT, TreeBlocks

WIDEST = 64
"""Largest number of rows of a tree that are solved together."""

BOUNDED = layout(
    "bounded row",
    after=ROW,
    BIAS="bias of the velocity [m/s, rad/s]",
    SHIFT_BIAS="bias of a projection [m, rad]",
    GAMMA="compliance [1/kg, 1/(kg m^2)]",
    LOW="lower bound of the impulse in a substep [N s, N m s]",
    HIGH="upper bound of the impulse in a substep [N s, N m s]",
    SHIFT_LOW="lower bound in a projection",
    SHIFT_HIGH="upper bound in a projection",
    IMPULSE="impulse in the substep so far [N s, N m s]",
    ADDED="impulse of the last solve [N s, N m s]",
    APPROACH="speed at which the gap to a limit closes within the substep [m/s, rad/s]",
    CHORD="chord correction of a limit [m/s], see `limit_arcs.py`",
    SKEW_X="normal of the parent less that of the child, x; of a ROPE only",
    SKEW_Y="normal of the parent less that of the child, y; of a ROPE only",
)

BOUNDED_INDEX = layout(
    "bounded row index",
    CHILD="place of the child's lane in `lane_numbers` of the trees",
    PARENT="place of the parent's lane in `lane_numbers` of the trees",
    LANE="8 times the joint block, plus the lane of the joint",
    ROLE="LOWER, UPPER, MOTOR, ALONG, ACROSS, HELD, TURN, SIDE or ROPE",
)

LOWER, UPPER, MOTOR, ALONG, ACROSS, HELD, TURN, SIDE, ROPE = range(9)
"""Roles of bounded rows: limits, a motor, two directions of a point, and the rows that hold the free coordinate, the
angle, the place across an axis, and the length of a pulley. The impulses of a substep stand in the joint's columns
BLOCK.BOUNDED by role. The directions of ALONG and ACROSS turn with the motion, so these two columns hold impulses along
x and y."""
ROLE_COUNT, USUAL_COUNT = 9, 5
"""Number of roles, and of those before HELD, which most joints do without."""
MOST_HOLDING = 3
"""Largest number of rows by which a joint holds its bodies."""

UNLIMITED = 1e300
"""Bound of an impulse that has none."""

WORK = layout(
    "scratch row of the bounded solver",
    MATRIX=("rows of the matrix", WIDEST),
    Q="w of the rows at impulse 0",
    X="impulses to add",
    LOW="lower bounds of x",
    HIGH="upper bounds of x",
)


class BoundedRows(Bundle):
    """The bounded rows of all trees and the arrays of their solver."""

    row: FloatTable = rows_of(BOUNDED)
    """Columns BOUNDED (rows, 17)."""
    row_index: IntTable = rows_of(BOUNDED_INDEX)
    """Columns BOUNDED_INDEX (rows, 4) int64."""
    start: Ints
    """First row of each tree, then the number of rows (trees + 1,) int64."""
    matrix: FloatTable = rows_of(WIDEST)
    """D: response of each row of a tree to its first `WIDEST` rows (rows, 64)."""
    work: FloatTable = rows_of(WIDEST)
    """Scratch space, rows WORK (68, 64)."""
    side: Ints
    """Scratch space: AT_LOW, FREE or AT_HIGH for each unknown, see `box_lcp.py` (64,) int64."""


def bounded_rows_for(rows: int, trees: int) -> BoundedRows:
    """Return room for so many rows and trees."""
    return BoundedRows(
        row=np.zeros((rows, BOUNDED.WIDTH)),
        row_index=np.zeros((rows, BOUNDED_INDEX.WIDTH), np.int64),
        start=np.zeros(trees + 1, np.int64),
        matrix=np.zeros((rows, WIDEST)),
        work=np.zeros((WORK.WIDTH, WIDEST)),
        side=np.zeros(WIDEST, np.int64),
    )


@kernel
def count_rows(joints: Joints, trees: TreeBlocks):
    """Return how many bounded rows the joints of some trees may have."""
    rows = 0
    for joint in trees.joint_rows[: trees.counts[TREE_COUNT.JOINTS]]:
        numbers, kind = joints.numbers[joint], joints.index[joint, JOINT.KIND]
        rows += int(numbers[NUMBERS.LOWER] > -NO_LIMIT) + int(numbers[NUMBERS.UPPER] < NO_LIMIT)
        rows += int(numbers[NUMBERS.MAX_MOTOR] > 0.0 and not is_tree_motor(kind, numbers))
        rows += holding_rows(kind, numbers)
    return rows


@device
def holds_by_bounds(kind, numbers):
    """Return True if a joint holds its bodies by bounded rows, which it shares with the motors of its tree."""
    return kind != kinds.FRICTION and holding_rows(kind, numbers) > 0


@device
def holding_rows(kind, numbers):
    """Return the largest number of bounded rows of a joint, without those of its limits and its motor."""
    if kind in kinds.WITH_TREE_ROWS:
        return MOST_HOLDING if releases_force(kind, numbers) or releases_torque(kind, numbers) else 0
    if kind in kinds.AT_A_POINT:
        return 2 if numbers[NUMBERS.MAX_FORCE] > 0.0 else 0
    return MOST_HOLDING


@device
def speed_of(bounded, k, numbers, column):
    """Return the relative motion of row k, by three numbers of its bodies' lanes from `column` on."""
    row, index = bounded.row[k], bounded.row_index[k]
    child, parent = index[BOUNDED_INDEX.CHILD] + LANES * column, index[BOUNDED_INDEX.PARENT] + LANES * column
    speed = (
        row[BOUNDED.NORMAL_X] * (numbers[child] - numbers[parent])
        + row[BOUNDED.NORMAL_Y] * (numbers[child + LANES] - numbers[parent + LANES])
        + row[BOUNDED.ARM_CHILD] * numbers[child + 2 * LANES]
        - row[BOUNDED.ARM_PARENT] * numbers[parent + 2 * LANES]
    )
    if index[BOUNDED_INDEX.ROLE] == ROPE:
        speed -= row[BOUNDED.SKEW_X] * numbers[parent] + row[BOUNDED.SKEW_Y] * numbers[parent + LANES]
    return speed


@device
def own_diagonal(bounded, k, numbers):
    """Return J M^-1 J^T of row k for its bodies alone [1/kg, 1/(kg m^2)]. Reads the masses of their lanes."""
    row = bounded.row[k]
    total = 0.0
    for side, arm in ((BOUNDED_INDEX.CHILD, BOUNDED.ARM_CHILD), (BOUNDED_INDEX.PARENT, BOUNDED.ARM_PARENT)):
        body, x, y = bounded.row_index[k, side], row[BOUNDED.NORMAL_X], row[BOUNDED.NORMAL_Y]
        if side == BOUNDED_INDEX.PARENT and bounded.row_index[k, BOUNDED_INDEX.ROLE] == ROPE:
            x, y = x + row[BOUNDED.SKEW_X], y + row[BOUNDED.SKEW_Y]
        total += numbers[body + LANES * LANE.MASS_X] * x * x
        total += numbers[body + LANES * LANE.MASS_Y] * y * y
        total += numbers[body + LANES * LANE.INERTIA] * row[arm] * row[arm]
    return total
