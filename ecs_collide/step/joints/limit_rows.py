"""The rows of what joints ask for beyond their trees: how they are laid out, and how fast their sides part."""

from __future__ import annotations

import numpy as np

from ecs_collide.data import joints as of_joint
from ecs_collide.data.joints import NUMBERS, Joints
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.trees import tree_rows as of_tree

WIDEST = 64
"""Most rows of a tree that are solved at once."""

# extra_row: J of child and parent, with their difference as the speed; what the velocity is asked for and the place;
# compliance; bounds of both; the impulse in the substep so far; and that which was added last
(
    NORMAL_X,
    NORMAL_Y,
    ARM_CHILD,
    ARM_PARENT,
    BIAS,
    SHIFT_BIAS,
    GAMMA,
    LOW,
    HIGH,
    SHIFT_LOW,
    SHIFT_HIGH,
    IMPULSE,
    ADDED,
) = range(13)
ROW_WIDTH = 13

# extra_index: where the seats of child and parent are in `numbers`, lane of the joint (8 times the block, and the
# lane), and which of its bounds it is
CHILD, PARENT, LANE, PART = range(4)
INDEX_WIDTH = 4
LOWER, UPPER, MOTOR, ALONG, ACROSS = range(5)
PARTS = 5
# What a joint's rows have given in the substep so far stands in its field GIVEN by these numbers, but for the last two:
# their directions turn with the motion, so what they have given is kept along x and y

UNLIMITED = 1e300


class Extras(Bundle):
    """The rows and what their solver needs."""

    row: FloatTable
    """The fields above (rows, 13)."""
    index: IntTable  # type: ignore[assignment]  # hides tuple.index, which nobody needs
    """The numbers above (rows, 4) int64."""
    start: Ints
    """The first row of each tree, and behind them the number of rows (trees + 1,) int64."""
    matrix: FloatTable
    """D: how each row of a tree answers to its first `WIDEST` (rows, 64)."""
    work: FloatTable
    """Scratch space of `solve_bounded` (68, 64)."""
    place: Ints
    """And where each impulse lies between its bounds (64,) int64."""


def extras_for(rows: int, trees: int) -> Extras:
    """Room for so many rows and trees."""
    return Extras(
        np.zeros((rows, ROW_WIDTH)),
        np.zeros((rows, INDEX_WIDTH), np.int64),
        np.zeros(trees + 1, np.int64),
        np.zeros((rows, WIDEST)),
        np.zeros((WIDEST + 4, WIDEST)),
        np.zeros(WIDEST, np.int64),
    )


@stage
def count_rows(joints: Joints, count: int):
    """How many rows the joints that are awake may ask for, of the first `count`."""
    rows = 0
    for joint in range(count):
        if joints.lane[joint] >= 0:
            numbers = joints.numbers[joint]
            rows += int(numbers[NUMBERS.LOWER] > -of_joint.ENDLESS) + int(numbers[NUMBERS.UPPER] < of_joint.ENDLESS)
            rows += int(numbers[NUMBERS.MAX_MOTOR] > 0.0) + 2 * int(numbers[NUMBERS.MAX_FORCE] > 0.0)
    return rows


@device
def speed_of(extras, k, numbers, column):
    """How fast a row's sides part, by three numbers of their seats."""
    row, child, parent = (
        extras.row[k],
        extras.index[k, CHILD] + LANES * column,
        extras.index[k, PARENT] + LANES * column,
    )
    return (
        row[NORMAL_X] * (numbers[child] - numbers[parent])
        + row[NORMAL_Y] * (numbers[child + LANES] - numbers[parent + LANES])
        + row[ARM_CHILD] * numbers[child + 2 * LANES]
        - row[ARM_PARENT] * numbers[parent + 2 * LANES]
    )


@device
def own_diagonal(extras, k, numbers):
    """J M^-1 J^T of a row, of its bodies alone. Reads the masses in their seats."""
    row = extras.row[k]
    total = 0.0
    for side, arm in ((CHILD, ARM_CHILD), (PARENT, ARM_PARENT)):
        body = extras.index[k, side]
        total += numbers[body + LANES * of_tree.MASS_X] * row[NORMAL_X] * row[NORMAL_X]
        total += numbers[body + LANES * of_tree.MASS_Y] * row[NORMAL_Y] * row[NORMAL_Y]
        total += numbers[body + LANES * of_tree.INERTIA] * row[arm] * row[arm]
    return total
