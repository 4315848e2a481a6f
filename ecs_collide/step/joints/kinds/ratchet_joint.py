"""Ratchet joint: B turns one way against A, and is stopped the other way by the last tooth that it passed.

With theta the angle of a body:

    coordinates   phi = theta_B - theta_A - phase (free)
    constraint    none
    spring        none
    motor         none
    limits        tooth > 0: stop <= phi with stop = tooth floor(phi / tooth), the greatest one so far
                  tooth < 0: phi <= stop, the least one so far
                  it is the lower or upper limit in `joint_numbers`, a bounded row that can only push inwards
"""

from __future__ import annotations

from ecs_collide.data.joints import LOAD, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.rows.append_rows import append_limits
from ecs_collide.step.joints.trees.tree_rows import BLOCK, INDEX, NONE

MOST_TEETH = 1e15
"""Number of teeth from 0 above which their angles are not exact; the stop then stays where it is."""


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the row of the stop behind `count` rows; return how many there are then."""
    return append_limits(trees, bounded, at, count, numbers, substep, 0.0)


@device
def set_stops(trees, block, joints):
    """Move the stops of eight ratchets to the last teeth that they have passed. Reads ANGLE.

    A stop that moves is no motion of the limit. Writes joint_numbers, LOAD.LAST.
    """
    field = trees.blocks[block]
    for lane in range(LANES):
        if trees.block_index[block, INDEX.TREE, lane] == NONE:
            continue
        joint = trees.block_index[block, INDEX.JOINT, lane]
        numbers, load = joints.numbers[joint], joints.load[joint]
        tooth = numbers[NUMBERS.RATIO]
        passed = field[BLOCK.SIGN, lane] * field[BLOCK.ANGLE, lane] / tooth
        if abs(passed) > MOST_TEETH:
            continue
        whole = int(passed)
        stop = tooth * (whole - 1 if passed < whole else whole)
        if tooth > 0.0:
            numbers[NUMBERS.LOWER] = load[LOAD.LAST + 1] = max(numbers[NUMBERS.LOWER], stop)
        else:
            numbers[NUMBERS.UPPER] = load[LOAD.LAST + 2] = min(numbers[NUMBERS.UPPER], stop)
