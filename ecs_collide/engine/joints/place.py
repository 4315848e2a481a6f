"""Where the joints are in the middle of a step: arms turned with their bodies, rows and gaps anew.

The arms are turned in every substep: with those of the step's start, heavy chains gain energy. An angle that has gone
round more than once needs no arc tangent, as the columns' angles are not wrapped.
"""

from __future__ import annotations

from ecs_collide.columns import solver_state as of_state
from ecs_collide.compiled.kernels import device
from ecs_collide.compiled.simd import gather4, load, select, splat, store
from ecs_collide.engine.joints.forest import layout
from ecs_collide.engine.joints.kinds.rows import Here
from ecs_collide.engine.joints.kinds.table import place_rows
from ecs_collide.engine.joints.pins import turn_pins
from ecs_collide.geometry.rotation import cos_sin_lanes


@device
def place_block(trees, block, state, projecting):
    """Write the rows of eight joints. While `projecting` springs do not count: they are no constraints.

    Of pins that were pins before only what changes is written.
    Reads solver_state (movement). Writes the rows in block_field.
    """
    field = trees.field[block]
    b_is_child = load(field, layout.SIGN) > 0.0
    child_x, child_y, child_turn, _ = gather4(state, of_state.DX, trees.index, (block, layout.CHILD))
    parent_x, parent_y, parent_turn, _ = gather4(state, of_state.DX, trees.index, (block, layout.PARENT))
    turn_a, turn_b = select(b_is_child, parent_turn, child_turn), select(b_is_child, child_turn, parent_turn)
    way_x, way_y = child_x - parent_x, child_y - parent_y
    cos_a, sin_a = cos_sin_lanes(turn_a)
    cos_b, sin_b = cos_sin_lanes(turn_b)
    a_x, a_y = load(field, layout.ARM_A), load(field, layout.ARM_A + 1)
    b_x, b_y = load(field, layout.ARM_B), load(field, layout.ARM_B + 1)
    axis_x, axis_y = load(field, layout.AXIS), load(field, layout.AXIS + 1)
    arm_a_x, arm_a_y = cos_a * a_x - sin_a * a_y, sin_a * a_x + cos_a * a_y
    arm_b_x, arm_b_y = cos_b * b_x - sin_b * b_y, sin_b * b_x + cos_b * b_y
    at_child_x, at_child_y = select(b_is_child, arm_b_x, arm_a_x), select(b_is_child, arm_b_y, arm_a_y)
    at_parent_x, at_parent_y = select(b_is_child, arm_a_x, arm_b_x), select(b_is_child, arm_a_y, arm_b_y)
    store(field, layout.AT_CHILD, at_child_x)
    store(field, layout.AT_CHILD + 1, at_child_y)
    store(field, layout.AT_PARENT, at_parent_x)
    store(field, layout.AT_PARENT + 1, at_parent_y)
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
