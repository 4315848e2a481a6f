"""Motion of lengths, limits and reference angles that a game writes: a change in one step is a speed.

A winch writes a new length in each frame. Without this speed, a rod would aim at a relative velocity of 0, and only the
projection would use the new length. So bodies would move without a velocity. So the number moves in a straight line
from its last value to the new one while the step lasts:

    rate = change / dt            number at present = written number - rate * remaining time of the step

A change up to the push-out speed, or the fastest turn for an angle, is a motion. A faster one is a motion only if the
number has moved the same way in the last step. It may then be up to twice as fast as there. Anything else is a jump,
which the projection closes without adding speed. So a game that writes a far value once moves nothing like a shot.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import LOAD, MOVING, NO_LIMIT
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, gather4, load, select, splat, store
from ecs_collide.step.joints.kinds.table import follows_rest
from ecs_collide.step.joints.trees.tree_rows import BLOCK, INDEX, TREE_COUNT


@subroutine
def find_rates(trees, joints, tolerances, dt):
    """Compute how fast the rest lengths, angles and limits of all joints move in this step. Writes LOAD.RATE.

    Nothing else is written, as a step that lacks room is begun anew.
    """
    for place in range(trees.counts[TREE_COUNT.JOINTS]):
        joint, kind = trees.joint_rows[place], trees.block_kind[trees.joint_lane[place] // LANES]
        row = joints.load[joint]
        for k in range(len(MOVING)):
            change = change_of(joints, joint, k, dt)
            is_angle = kind in kinds.WITH_ANGLE_LIMITS or (k == 0 and kind not in kinds.WITH_REST_LENGTH)
            fastest = tolerances.fastest_turn if is_angle else tolerances.push_out_speed
            row[LOAD.RATE + k] = followed(change, row[LOAD.CHANGE + k], fastest)


@subroutine
def record_changes(trees, joints, dt):
    """Record the present rest lengths, angles and limits for the next step. Writes LOAD.LAST, LOAD.CHANGE."""
    for joint in trees.joint_rows[: trees.counts[TREE_COUNT.JOINTS]]:
        row, numbers = joints.load[joint], joints.numbers[joint]
        for k in range(len(MOVING)):
            row[LOAD.CHANGE + k] = change_of(joints, joint, k, dt)
            row[LOAD.LAST + k] = numbers[MOVING[k]]


@device
def change_of(joints, joint, k, dt):
    """Return how fast number k of `MOVING` has changed since the last step; 0 for a new joint and for no limit."""
    now, before = joints.numbers[joint, MOVING[k]], joints.load[joint, LOAD.LAST + k]
    if now == before or joints.load[joint, LOAD.SUBSTEP] == 0.0 or abs(now) >= NO_LIMIT or abs(before) >= NO_LIMIT:
        return 0.0
    return (now - before) / dt


@device
def followed(change, last, fastest):
    """Return the part of a change that counts as a motion, given that of the last step [m/s, rad/s]."""
    if abs(change) <= fastest:
        return change
    most = max(fastest, 2.0 * abs(last)) if change * last > 0.0 else 0.0
    return min(max(change, -most), most)


@device
def load_rates(trees, block, joints):
    """Write the rates of eight joints for the step. Reads joint_load, OMEGA, RIGIDITY. Writes RATE, LIMIT_RATE.

    A spring is pulled by the change of its error, and no further. The limits of a hinge move with its reference angle.
    """
    field, kind = trees.blocks[block], trees.block_kind[block]
    rest, lower, upper, _ = gather4(joints.load, LOAD.RATE, trees.block_index, (block, INDEX.JOINT))
    rigid = follows_rest(kind, load(field, BLOCK.OMEGA) > 0.0, load(field, BLOCK.RIGIDITY))
    store(field, BLOCK.RATE, select(rigid > 0.0, rest, 0.0))
    of_zero = rest if kind in kinds.WITH_ANGLE_LIMITS else splat(0.0)
    store(field, BLOCK.LIMIT_RATE, lower + of_zero)
    store(field, BLOCK.LIMIT_RATE + 1, upper + of_zero)
