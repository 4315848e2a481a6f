"""Gaps of joints after a step: how far the anchors and the angle are from where the joint holds them.

    point, weld, target      |d|                                   pulley  how far the rope is too long
    rod, spring              |L - rest length|                     rope    how far L exceeds a limit
    slider, wheel            sqrt(t^2 + e^2)                       t across the axis, e the exceeded part of a limit
    angle                    of a weld, slider or gear: |phi|      of a hinge or ratchet: how far it exceeds a limit

with the symbols of the files in `kinds/`.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import absolute, any_lane, gather2, load, maximum, scatter2, select, splat, square_root
from ecs_collide.step.joints.rows.body_lanes import triple_of
from ecs_collide.step.joints.rows.pin_blocks import anchors_of
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE_ROW, INDEX, LANE, ROW


@device
def store_gaps(trees, block, joints, position, any_limits):
    """Store the gaps of eight joints with given free coordinates. Reads GAP or ERROR, SHIFT. Writes joint_numbers.

    Without `any_limits` no joint has a limit.
    """
    kind, index, joint = trees.block_kind[block], trees.block_index, (block, INDEX.JOINT)
    gap, angle_gap, over = splat(0.0), splat(0.0), splat(0.0)
    if any_limits:
        lower, upper = gather2(joints.numbers, NUMBERS.LOWER, index, joint)
        over = maximum(maximum(lower - position, position - upper), over)
    if kind in kinds.WITH_ANGLE_LIMITS:
        angle_gap = over
    elif kind in kinds.WITH_REPORTED_ANGLE:
        angle_gap = absolute(position)
    if kind in kinds.MEETING:
        x, y = anchor_gap(trees, block)
        gap = square_root(x * x + y * y)
    elif kind == kinds.DISTANCE:
        gap = maximum(over, length_gap(trees, block, joints, position))
    elif kind in kinds.SLIDING:
        x, y = anchor_gap(trees, block)
        field = trees.blocks[block]
        across = load(field, FREE_ROW + ROW.NORMAL_X) * y - load(field, FREE_ROW + ROW.NORMAL_Y) * x
        gap = square_root(across * across + over * over)
        if kind == kinds.PRISMATIC:
            child = triple_of(trees, block, INDEX.CHILD, LANE.DX)
            parent = triple_of(trees, block, INDEX.PARENT, LANE.DX)
            angle_gap = absolute(load(field, BLOCK.ANGLE) + (child.z - parent.z))
    elif kind == kinds.PULLEY:
        rest, _ = gather2(joints.numbers, NUMBERS.REST, index, joint)
        gap = maximum(position - rest, gap)
    greatest = splat(NO_LIMIT)
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
    field, index, joint = trees.blocks[block], trees.block_index, (block, INDEX.JOINT)
    keeps = load(field, BLOCK.RIGIDITY) > 0.0
    if trees.has_released[block] or any_lane(load(field, BLOCK.OMEGA) > 0.0):
        hertz, _ = gather2(joints.numbers, NUMBERS.HERTZ, index, joint)
        stiffness, damping = gather2(joints.numbers, NUMBERS.STIFFNESS, index, joint)
        is_spring = (hertz > 0.0) | (stiffness > 0.0)
        keeps = is_spring | (keeps & ~(damping > 0.0))
    return select(keeps, absolute(position - load(field, BLOCK.REST)), splat(0.0))
