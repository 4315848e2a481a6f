"""Gaps of joints after a step: how far the anchors and the angle are from where the joint holds them.

    point, weld, target      |d|                                   pulley  how far the rope is too long
    rod, spring              |L - rest length|                     rope    how far L exceeds a limit
    slider, wheel            sqrt(t^2 + e^2)                       t across the axis, e the exceeded part of a limit
    angle                    of a weld, slider or gear: |phi|      of a hinge or ratchet: how far it exceeds a limit

with the symbols of the files in `kinds/`.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import ENDLESS, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import absolute, gather2, load, maximum, scatter2, select, splat, square_root
from ecs_collide.step.joints.kinds.distance_joint import rigidity
from ecs_collide.step.joints.rows.body_lanes import triple_of
from ecs_collide.step.joints.rows.pin_blocks import anchors_of
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE_ROW, INDEX, LANE, ROW


@device
def store_gaps(trees, block, joints, position):
    """Store the gaps of eight joints with given free coordinates. Reads GAP or ERROR, SHIFT. Writes joint_numbers."""
    kind, index, joint = trees.block_kind[block], trees.block_index, (block, INDEX.JOINT)
    gap, angle_gap = splat(0.0), splat(0.0)
    lower, upper = gather2(joints.numbers, NUMBERS.LOWER, index, joint)
    over = maximum(maximum(lower - position, position - upper), gap)
    if kind in (kinds.REVOLUTE, kinds.WELD, kinds.TARGET, kinds.MOTOR):
        x, y = anchor_gap(trees, block)
        gap = square_root(x * x + y * y)
        if kind == kinds.REVOLUTE:
            angle_gap = over
        elif kind in (kinds.WELD, kinds.MOTOR):
            angle_gap = absolute(position)
    elif kind == kinds.DISTANCE:
        gap = maximum(over, length_gap(trees, block, joints, position))
    elif kind in (kinds.PRISMATIC, kinds.WHEEL):
        x, y = anchor_gap(trees, block)
        field = trees.blocks[block]
        across = load(field, FREE_ROW + ROW.NORMAL_X) * y - load(field, FREE_ROW + ROW.NORMAL_Y) * x
        gap = square_root(across * across + over * over)
        if kind == kinds.PRISMATIC:
            child, parent = (
                triple_of(trees, block, INDEX.CHILD, LANE.DX),
                triple_of(trees, block, INDEX.PARENT, LANE.DX),
            )
            angle_gap = absolute(load(field, BLOCK.ANGLE) + (child.z - parent.z))
    elif kind == kinds.PULLEY:
        rest, _ = gather2(joints.numbers, NUMBERS.REST, index, joint)
        gap = maximum(position - rest, gap)
    elif kind == kinds.GEAR:
        angle_gap = absolute(position)
    elif kind == kinds.RATCHET:
        angle_gap = over
    greatest = splat(ENDLESS)
    gap, angle_gap = select(gap < greatest, gap, greatest), select(angle_gap < greatest, angle_gap, greatest)
    scatter2(joints.numbers, NUMBERS.GAP, index, joint, gap, angle_gap)


@device
def anchor_gap(trees, block):
    """Return how far the anchors of eight joints are apart after the last projection, child from parent [m]."""
    field = trees.blocks[block]
    child, parent = triple_of(trees, block, INDEX.CHILD, LANE.SHIFT), triple_of(trees, block, INDEX.PARENT, LANE.SHIFT)
    arm_x, arm_y, lever_x, lever_y = anchors_of(trees, block)
    x = (child.x - child.z * arm_y) - (parent.x - parent.z * lever_y)
    y = (child.y + child.z * arm_x) - (parent.y + parent.z * lever_x)
    if trees.is_pin[block]:
        return load(field, BLOCK.ERROR) + x, load(field, BLOCK.ERROR + 1) + y
    sign = load(field, BLOCK.SIGN)
    return sign * load(field, BLOCK.GAP) + x, sign * load(field, BLOCK.GAP + 1) + y


@device
def length_gap(trees, block, joints, position):
    """Return how far eight distances are from their rest lengths [m]; 0 for ropes, winches and dampers."""
    index, joint = trees.block_index, (block, INDEX.JOINT)
    lower, upper = gather2(joints.numbers, NUMBERS.LOWER, index, joint)
    most_motor, rest = gather2(joints.numbers, NUMBERS.MAX_MOTOR, index, joint)
    hertz, _ = gather2(joints.numbers, NUMBERS.HERTZ, index, joint)
    stiffness, damping = gather2(joints.numbers, NUMBERS.STIFFNESS, index, joint)
    is_spring = (hertz > 0.0) | (stiffness > 0.0)
    is_damper = (damping > 0.0) & (stiffness <= 0.0)
    is_rod = (rigidity(lower, upper, most_motor) > 0.0) & ~is_damper
    return select(is_spring | is_rod, absolute(position - rest), splat(0.0))
