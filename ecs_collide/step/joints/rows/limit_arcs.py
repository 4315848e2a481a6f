"""Chord correction of limits: how much more a free coordinate grows in a substep than its speed says.

A body that swings on a taut rope leaves its circle along the tangent, as on a rod. The bias of a limit leads it along
the chord instead. With q the free coordinate now, q' its speed, and q+ its value after a substep in which both bodies
move on by their present velocities,

    arc = q+ - q - h q'          bias = outward arc / h, outward being 1 at a lower limit and -1 at an upper one

A row must not add energy on its own. So it sends the bodies back no faster, against the limit, than they arrive.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.rows.append_rows import free_lane_speed
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE, FREE_ROW, INDEX, LANE, ROW

COINCIDENT = 1e-12
"""Length below which the direction is undefined [m]; the rod then counts as parallel to x."""


class Turned(NamedTuple):
    """The joint after a substep at present velocities: from the anchor on A to that on B, and the rotation of A."""

    gap_x: float
    gap_y: float
    turn_a: float


@device
def turned(x, y, turn):
    """Return a vector turned by an angle, which is at most 1 [rad]."""
    a = max(min(turn, 1.0), -1.0)
    square = a * a
    along, across = 1.0 + square * (square * (1.0 / 24.0) - 0.5), a * (1.0 + square * (-1.0 / 6.0))
    return along * x - across * y, along * y + across * x


@device
def after_substep(trees, at, h):
    """Return the joint at (block, lane) after a substep at present velocities. Reads GAP, the anchors, body lanes."""
    block, lane = at
    field, numbers, sign = trees.blocks[block], trees.lane_numbers, trees.blocks[block, BLOCK.SIGN, lane]
    child, parent = trees.block_index[block, INDEX.CHILD, lane], trees.block_index[block, INDEX.PARENT, lane]
    x, y, w = LANES * LANE.VX, LANES * LANE.VY, LANES * LANE.W
    turn_child, turn_parent = h * numbers[child + w], h * numbers[parent + w]
    arm_x, arm_y = field[BLOCK.ANCHOR_CHILD, lane], field[BLOCK.ANCHOR_CHILD + 1, lane]
    lever_x, lever_y = field[BLOCK.ANCHOR_PARENT, lane], field[BLOCK.ANCHOR_PARENT + 1, lane]
    new_arm_x, new_arm_y = turned(arm_x, arm_y, turn_child)
    new_lever_x, new_lever_y = turned(lever_x, lever_y, turn_parent)
    moved_x = h * (numbers[child + x] - numbers[parent + x]) + (new_arm_x - arm_x) - (new_lever_x - lever_x)
    moved_y = h * (numbers[child + y] - numbers[parent + y]) + (new_arm_y - arm_y) - (new_lever_y - lever_y)
    return Turned(
        gap_x=field[BLOCK.GAP, lane] + sign * moved_x,
        gap_y=field[BLOCK.GAP + 1, lane] + sign * moved_y,
        turn_a=turn_parent if sign > 0.0 else turn_child,
    )


@device
def length_arc(trees, at, h):
    """Return the arc of a distance [m]; the turn of the rope itself counts to the second order, as for a rod."""
    block, lane = at
    field, sign = trees.blocks[block], trees.blocks[block, BLOCK.SIGN, lane]
    if field[BLOCK.CHORD, lane] <= 0.0:
        return 0.0
    new, length = after_substep(trees, at, h), sign * field[FREE, lane]
    if length <= COINCIDENT:
        return 0.0
    u_x, u_y = field[FREE_ROW + ROW.NORMAL_X, lane], field[FREE_ROW + ROW.NORMAL_Y, lane]
    along, across = u_x * new.gap_x + u_y * new.gap_y - length, u_x * new.gap_y - u_y * new.gap_x
    sagitta = min(0.5 * across * across / length, length)
    return along - h * sign * free_lane_speed(trees, at) + sagitta


@device
def translation_arc(trees, at, h):
    """Return the arc of a translation along an axis that turns with A [m]."""
    block, lane = at
    field, sign = trees.blocks[block], trees.blocks[block, BLOCK.SIGN, lane]
    if field[BLOCK.CHORD, lane] <= 0.0:
        return 0.0
    new = after_substep(trees, at, h)
    axis_x, axis_y = turned(field[FREE_ROW + ROW.NORMAL_X, lane], field[FREE_ROW + ROW.NORMAL_Y, lane], new.turn_a)
    grown = axis_x * new.gap_x + axis_y * new.gap_y - sign * field[FREE, lane]
    return grown - h * sign * free_lane_speed(trees, at)
