"""Positions of the joints in the middle of a step: arms turned with their bodies, rows and errors anew.

Arms are turned in each substep: with the arms of the step's start, heavy chains gain energy. Angles that exceed a full
turn need no arc tangent, since the columns' angles are not wrapped.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import absolute, load, select, splat, store
from ecs_collide.step.joints.kinds.table import place_rows
from ecs_collide.step.joints.rows.body_lanes import pose_of
from ecs_collide.step.joints.rows.constraint_rows import JointPose
from ecs_collide.step.joints.rows.pin_blocks import Arms, Pair, turn_pins
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE, INDEX


class AnchorPose(NamedTuple):
    """Anchors of eight joints from the centres of mass, pose of the child against the parent, and rotations."""

    child_x: float
    child_y: float
    parent_x: float
    parent_y: float
    gap_x: float
    gap_y: float
    angle: float
    cos_child: float
    sin_child: float
    cos_parent: float
    sin_parent: float


@device
def store_arms(field, of_child, of_parent, child_x, child_y, parent_x, parent_y):
    """Write anchors on child and parent, each to two columns."""
    store(field, of_child, child_x)
    store(field, of_child + 1, child_y)
    store(field, of_parent, parent_x)
    store(field, of_parent + 1, parent_y)


@device
def anchors_now(trees, block):
    """Return anchors and relative pose in the middle of a step. Reads movement and rotation of body lanes."""
    field = trees.blocks[block]
    child, cos_child, sin_child = pose_of(trees, block, INDEX.CHILD)
    parent, cos_parent, sin_parent = pose_of(trees, block, INDEX.PARENT)
    arm_x, arm_y = load(field, BLOCK.START_CHILD), load(field, BLOCK.START_CHILD + 1)
    lever_x, lever_y = load(field, BLOCK.START_PARENT), load(field, BLOCK.START_PARENT + 1)
    child_x, child_y = cos_child * arm_x - sin_child * arm_y, sin_child * arm_x + cos_child * arm_y
    parent_x, parent_y = cos_parent * lever_x - sin_parent * lever_y, sin_parent * lever_x + cos_parent * lever_y
    return AnchorPose(
        child_x=child_x,
        child_y=child_y,
        parent_x=parent_x,
        parent_y=parent_y,
        gap_x=load(field, BLOCK.OFFSET) + (child.x - parent.x) + (child_x - parent_x),
        gap_y=load(field, BLOCK.OFFSET + 1) + (child.y - parent.y) + (child_y - parent_y),
        angle=load(field, BLOCK.ANGLE) + (child.z - parent.z),
        cos_child=cos_child,
        sin_child=sin_child,
        cos_parent=cos_parent,
        sin_parent=sin_parent,
    )


@device
def place_pins(trees, block):
    """Write arms, position error and angle of eight pins; return arms and error."""
    field, now = trees.blocks[block], anchors_now(trees, block)
    arms = Arms(child_x=-now.child_y, child_y=now.child_x, parent_x=-now.parent_y, parent_y=now.parent_x)
    gap = Pair(now.gap_x, now.gap_y)
    turn_pins(field, arms)
    store(field, BLOCK.ERROR, gap.x)
    store(field, BLOCK.ERROR + 1, gap.y)
    store(field, FREE, now.angle)
    return arms, gap


@device
def place_block(trees, block, substep):
    """Write the rows of eight joints. A projection leaves out springs and motors: they are no constraints."""
    field, now = trees.blocks[block], anchors_now(trees, block)
    sign, is_soft = load(field, BLOCK.SIGN), load(field, BLOCK.OMEGA) > 0.0
    b_is_child = sign > 0.0
    store_arms(field, BLOCK.ANCHOR_CHILD, BLOCK.ANCHOR_PARENT, now.child_x, now.child_y, now.parent_x, now.parent_y)
    gap_x, gap_y = sign * now.gap_x, sign * now.gap_y
    store(field, BLOCK.GAP, gap_x)
    store(field, BLOCK.GAP + 1, gap_y)
    cos_a = select(b_is_child, now.cos_parent, now.cos_child)
    sin_a = select(b_is_child, now.sin_parent, now.sin_child)
    axis_x, axis_y = load(field, BLOCK.AXIS), load(field, BLOCK.AXIS + 1)
    holds = (load(field, BLOCK.MOTOR_MAX) > 0.0) & (absolute(load(field, BLOCK.SLIP)) <= 0.0)
    ahead = substep.remaining * load(field, BLOCK.RATE)  # change of the rest until the end of the step
    pose = JointPose(
        arm_a_x=select(b_is_child, now.parent_x, now.child_x),
        arm_a_y=select(b_is_child, now.parent_y, now.child_y),
        arm_b_x=select(b_is_child, now.child_x, now.parent_x),
        arm_b_y=select(b_is_child, now.child_y, now.parent_y),
        gap_x=gap_x,
        gap_y=gap_y,
        axis_x=cos_a * axis_x - sin_a * axis_y,
        axis_y=sin_a * axis_x + cos_a * axis_y,
        angle=sign * now.angle + ahead,
        rest=load(field, BLOCK.REST) - ahead,
        third=select(is_soft | holds, splat(0.0 if substep.is_projection else 1.0), load(field, BLOCK.RIGIDITY)),
    )
    place_rows(trees.block_kind[block], field, pose)
