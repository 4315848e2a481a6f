"""Released rows: rows of joints that yield, or are soft, which are bounded rows instead of rows of their trees.

A joint with a greatest force or torque holds by rows with bounds, as a motor does (`hold_rows.py`). The solver of
bounded rows finds all impulses of a tree together, so such a joint is as exact as one without a bound. In the tree its
rows are 0. A weld between whose anchors there is a spring is released as well, since rows 0 and 1 of a tree are always
rigid.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, load, store
from ecs_collide.step.joints.trees.tree_rows import BLOCK, INDEX, NONE, ROW


@device
def bears_torque(kind, i):
    """Return True if row i of a kind bears a torque, False if it bears a force."""
    if kind == kinds.PRISMATIC:
        return i == 1
    return i == 2 and kind in kinds.ANGULAR


@device
def has_linear_spring(numbers):
    """Return True if a joint has a spring between its anchors, which only a weld can have."""
    return (
        numbers[NUMBERS.LINEAR_HERTZ] > 0.0
        or numbers[NUMBERS.LINEAR_STIFFNESS] > 0.0
        or numbers[NUMBERS.LINEAR_DAMPING] > 0.0
    )


@device
def releases_force(kind, numbers):
    """Return True if the rows of a joint that bear a force are bounded rows."""
    return kind in kinds.WITH_TREE_ROWS and (numbers[NUMBERS.MAX_FORCE] < NO_LIMIT or has_linear_spring(numbers))


@device
def releases_torque(kind, numbers):
    """Return True if the row of a joint that bears a torque is a bounded row."""
    return kind in kinds.WITH_TREE_ROWS and numbers[NUMBERS.MAX_TORQUE] < NO_LIMIT


@device
def find_released(trees, block, joints):
    """Find the rows of eight joints that are bounded rows; return True if there are any.

    Reads joint_numbers, MOTOR_MAX. Writes KEPT; clears OMEGA, STIFFNESS and VISCOSITY of released
    springs, is_pin and has_hinge_motors.
    """
    field, kind, found = trees.blocks[block], trees.block_kind[block], False
    for lane in range(LANES):
        if kind in kinds.WITH_TREE_ROWS and trees.block_index[block, INDEX.TREE, lane] != NONE:
            numbers = joints.numbers[trees.block_index[block, INDEX.JOINT, lane]]
            found = found or releases_force(kind, numbers) or releases_torque(kind, numbers)
    if not found:
        return False
    trees.is_pin[block] = trees.has_hinge_motors[block] = False
    for lane in range(LANES):
        numbers = joints.numbers[trees.block_index[block, INDEX.JOINT, lane]]
        in_use = trees.block_index[block, INDEX.TREE, lane] != NONE
        for i in range(3):
            is_released = releases_torque(kind, numbers) if bears_torque(kind, i) else releases_force(kind, numbers)
            is_motor = i == 2 and field[BLOCK.MOTOR_MAX, lane] > 0.0
            field[BLOCK.KEPT + i, lane] = 0.0 if in_use and is_released and not is_motor else 1.0
        if field[BLOCK.KEPT + 2, lane] == 0.0:
            field[BLOCK.OMEGA, lane] = field[BLOCK.STIFFNESS, lane] = field[BLOCK.VISCOSITY, lane] = 0.0
    return True


@device
def has_linear_springs(trees, block, joints):
    """Return True if any of eight joints has a spring between its anchors."""
    found = False
    for lane in range(LANES):
        if trees.block_index[block, INDEX.TREE, lane] != NONE:
            numbers = joints.numbers[trees.block_index[block, INDEX.JOINT, lane]]
            found = found or has_linear_spring(numbers)
    return found


@device
def needs_all_roles(trees, block):
    """Return True if joints of a block may have bounded rows of all roles."""
    return trees.has_released[block] or trees.block_kind[block] not in kinds.WITH_TREE_ROWS


@device
def release_rows(trees, block):
    """Clear the released rows of eight joints. Writes the rows."""
    if trees.has_released[block]:
        field = trees.blocks[block]
        for i in range(3):
            for k in range(ROW.WIDTH):
                at = BLOCK.ROWS + i * ROW.WIDTH + k
                store(field, at, load(field, BLOCK.KEPT + i) * load(field, at))


@device
def clear_released(trees, block, column):
    """Clear the numbers of released rows in three columns of a block, from `column` on."""
    if trees.has_released[block]:
        field = trees.blocks[block]
        for i in range(3):
            store(field, column + i, load(field, BLOCK.KEPT + i) * load(field, column + i))
