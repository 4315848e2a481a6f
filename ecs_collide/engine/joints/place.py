"""Where the joints are in the middle of a step: arms turned with their bodies, rows and gaps anew.

The arms are turned in every substep: with those of the step's start, heavy chains gain energy. An angle that has gone
round more than once needs no arc tangent, as the columns' angles are not wrapped.
"""

from __future__ import annotations

from ecs_collide.compiled.kernels import device
from ecs_collide.compiled.simd import load, select, splat, store
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.kinds.rows import Here
from ecs_collide.engine.joints.kinds.table import place_rows
from ecs_collide.engine.joints.pins import turn_pins
from ecs_collide.engine.joints.seats import pose_of


@device
def store_arms(field, a_x, a_y, b_x, b_y):
    """Write where eight joints take hold of child and parent, given the arms of A and B; return it."""
    b_is_child = load(field, layout.SIGN) > 0.0
    child_x, child_y = select(b_is_child, b_x, a_x), select(b_is_child, b_y, a_y)
    parent_x, parent_y = select(b_is_child, a_x, b_x), select(b_is_child, a_y, b_y)
    store(field, layout.AT_CHILD, child_x)
    store(field, layout.AT_CHILD + 1, child_y)
    store(field, layout.AT_PARENT, parent_x)
    store(field, layout.AT_PARENT + 1, parent_y)
    return child_x, child_y, parent_x, parent_y


@device
def place_block(trees, block, projecting):
    """Write the rows of eight joints. While `projecting` springs do not count: they are no constraints.

    Of pins that were pins before only what changes is written.
    Reads seat (movement, and how far it is turned by that). Writes the rows in block_field.
    """
    field = trees.field[block]
    b_is_child = load(field, layout.SIGN) > 0.0
    child, cos_child, sin_child = pose_of(trees, block, layout.CHILD)
    parent, cos_parent, sin_parent = pose_of(trees, block, layout.PARENT)
    turn_a, turn_b = select(b_is_child, parent.z, child.z), select(b_is_child, child.z, parent.z)
    way_x, way_y = child.x - parent.x, child.y - parent.y
    cos_a, sin_a = select(b_is_child, cos_parent, cos_child), select(b_is_child, sin_parent, sin_child)
    cos_b, sin_b = select(b_is_child, cos_child, cos_parent), select(b_is_child, sin_child, sin_parent)
    a_x, a_y = load(field, layout.ARM_A), load(field, layout.ARM_A + 1)
    b_x, b_y = load(field, layout.ARM_B), load(field, layout.ARM_B + 1)
    axis_x, axis_y = load(field, layout.AXIS), load(field, layout.AXIS + 1)
    arm_a_x, arm_a_y = cos_a * a_x - sin_a * a_y, sin_a * a_x + cos_a * a_y
    arm_b_x, arm_b_y = cos_b * b_x - sin_b * b_y, sin_b * b_x + cos_b * b_y
    at_child_x, at_child_y, at_parent_x, at_parent_y = store_arms(field, arm_a_x, arm_a_y, arm_b_x, arm_b_y)
    sign, is_soft = load(field, layout.SIGN), load(field, layout.IS_SOFT) > 0.0
    gap_x = load(field, layout.OFFSET) + sign * way_x + (arm_b_x - arm_a_x)
    gap_y = load(field, layout.OFFSET + 1) + sign * way_y + (arm_b_y - arm_a_y)
    angle = load(field, layout.ANGLE) + (turn_b - turn_a)
    if trees.is_pin[block]:
        turn_pins(field, -at_child_y, at_child_x, -at_parent_y, at_parent_x)
        store(field, layout.ERROR, sign * gap_x)
        store(field, layout.ERROR + 1, sign * gap_y)
        store(field, layout.FREE, sign * angle)
        return
    store(field, layout.GAP, gap_x)
    store(field, layout.GAP + 1, gap_y)
    third = select(is_soft, splat(0.0 if projecting else 1.0), load(field, layout.IS_RIGID))
    here = Here(
        arm_a_x,
        arm_a_y,
        arm_b_x,
        arm_b_y,
        gap_x,
        gap_y,
        cos_a * axis_x - sin_a * axis_y,
        sin_a * axis_x + cos_a * axis_y,
        angle,
        third,
    )
    place_rows(trees.block_kind[block], field, here)
