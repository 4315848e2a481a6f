"""Where the joints are in the middle of a step: arms turned with their bodies, rows and gaps anew.

The arms are turned in every substep: with those of the step's start, heavy chains gain energy. An angle that has gone
round more than once needs no arc tangent, as the columns' angles are not wrapped.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, select, splat, store
from ecs_collide.step.joints.body_lanes import pose_of
from ecs_collide.step.joints.kinds.rows import Here
from ecs_collide.step.joints.kinds.table import place_rows
from ecs_collide.step.joints.pin_blocks import Arms, Pair, turn_pins
from ecs_collide.step.joints.trees import tree_rows as layout


class Hold(NamedTuple):
    """Where eight joints take hold of child and parent, from their centres of mass; how the child stands against the
    parent; and how both are turned."""

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
    """Write where eight joints take hold of child and parent, each to two fields."""
    store(field, of_child, child_x)
    store(field, of_child + 1, child_y)
    store(field, of_parent, parent_x)
    store(field, of_parent + 1, parent_y)


@device
def hold_of(trees, block):
    """Reads seat (movement, and how far it is turned by that), and what is placed for the step."""
    field = trees.field[block]
    child, cos_child, sin_child = pose_of(trees, block, layout.CHILD)
    parent, cos_parent, sin_parent = pose_of(trees, block, layout.PARENT)
    arm_x, arm_y = load(field, layout.START_CHILD), load(field, layout.START_CHILD + 1)
    lever_x, lever_y = load(field, layout.START_PARENT), load(field, layout.START_PARENT + 1)
    child_x, child_y = cos_child * arm_x - sin_child * arm_y, sin_child * arm_x + cos_child * arm_y
    parent_x, parent_y = cos_parent * lever_x - sin_parent * lever_y, sin_parent * lever_x + cos_parent * lever_y
    return Hold(
        child_x,
        child_y,
        parent_x,
        parent_y,
        load(field, layout.OFFSET) + (child.x - parent.x) + (child_x - parent_x),
        load(field, layout.OFFSET + 1) + (child.y - parent.y) + (child_y - parent_y),
        load(field, layout.ANGLE) + (child.z - parent.z),
        cos_child,
        sin_child,
        cos_parent,
        sin_parent,
    )


@device
def place_pins(trees, block):
    """Write what changes of the rows of eight joints that were pins before; return their arms and how far they gape."""
    field, hold = trees.field[block], hold_of(trees, block)
    arms, gap = Arms(-hold.child_y, hold.child_x, -hold.parent_y, hold.parent_x), Pair(hold.gap_x, hold.gap_y)
    turn_pins(field, arms)
    store(field, layout.ERROR, gap.x)
    store(field, layout.ERROR + 1, gap.y)
    store(field, layout.FREE, hold.angle)
    return arms, gap


@device
def place_block(trees, block, projecting):
    """Write the rows of eight joints. While `projecting` springs do not count: they are no constraints."""
    field, hold = trees.field[block], hold_of(trees, block)
    sign, is_soft = load(field, layout.SIGN), load(field, layout.IS_SOFT) > 0.0
    b_is_child = sign > 0.0
    store_arms(field, layout.AT_CHILD, layout.AT_PARENT, hold.child_x, hold.child_y, hold.parent_x, hold.parent_y)
    gap_x, gap_y = sign * hold.gap_x, sign * hold.gap_y
    store(field, layout.GAP, gap_x)
    store(field, layout.GAP + 1, gap_y)
    cos_a = select(b_is_child, hold.cos_parent, hold.cos_child)
    sin_a = select(b_is_child, hold.sin_parent, hold.sin_child)
    axis_x, axis_y = load(field, layout.AXIS), load(field, layout.AXIS + 1)
    here = Here(
        select(b_is_child, hold.parent_x, hold.child_x),
        select(b_is_child, hold.parent_y, hold.child_y),
        select(b_is_child, hold.child_x, hold.parent_x),
        select(b_is_child, hold.child_y, hold.parent_y),
        gap_x,
        gap_y,
        cos_a * axis_x - sin_a * axis_y,
        sin_a * axis_x + cos_a * axis_y,
        sign * hold.angle,
        select(is_soft, splat(0.0 if projecting else 1.0), load(field, layout.IS_RIGID)),
    )
    place_rows(trees.block_kind[block], field, here)
