"""Pulley joint: a rope from A over two fixed points of the world to B.

With p the anchor of a body, r its arm from the centre of mass, and g the fixed point of the body:

    coordinates   l = |p - g|, u = (p - g) / l for both bodies, L = l_A + ratio l_B (free)
    constraint    none
    spring        none
    motor         none
    limits        L <= rest length, in a bounded row that can only pull, |impulse| <= h max force:
                  L' = u_A.v_A + (r_A x u_A) w_A + ratio (u_B.v_B + (r_B x u_B) w_B)

The normals of both bodies differ, so the row has a skew. Its chord correction is that of a rope (`limit_arcs.py`).
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.data.joints import NO_LIMIT, NUMBERS
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, gather2, load, select, store
from ecs_collide.step.joints.rows import bounded_rows as roles
from ecs_collide.step.joints.rows.append_rows import NEAR_SUBSTEPS, append_row
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED
from ecs_collide.step.joints.rows.closing_gaps import bound_limit
from ecs_collide.step.joints.rows.limit_arcs import COINCIDENT, turned
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE, INDEX, LANE


class RopeEnd(NamedTuple):
    """The rope on the side of one body."""

    x: float
    """Direction from the fixed point to the anchor, times how often the rope runs there."""
    y: float
    arm: float
    """Lever arm of that direction about the centre of mass [m]."""
    length: float
    """Length of the rope [m]."""
    speed: float
    """Speed at which it grows [m/s]."""
    arc: float
    """How much more it grows in a substep than that speed says [m]."""


@device
def store_ropes(trees, block, joints, ends):
    """Write the ropes of eight pulleys at the start of a step. Reads joint_numbers. Writes ROPE_CHILD, ROPE_PARENT."""
    field, joint = trees.blocks[block], (block, INDEX.JOINT)
    first_x, first_y = gather2(joints.numbers, NUMBERS.TARGET_X, trees.block_index, joint)
    second_x, second_y = gather2(joints.numbers, NUMBERS.SECOND_X, trees.block_index, joint)
    of_a_x, of_a_y = ends.anchor_a_x - first_x, ends.anchor_a_y - first_y
    of_b_x, of_b_y = ends.anchor_b_x - second_x, ends.anchor_b_y - second_y
    b_is_child = load(field, BLOCK.SIGN) > 0.0
    store(field, BLOCK.ROPE_CHILD, select(b_is_child, of_b_x, of_a_x))
    store(field, BLOCK.ROPE_CHILD + 1, select(b_is_child, of_b_y, of_a_y))
    store(field, BLOCK.ROPE_PARENT, select(b_is_child, of_a_x, of_b_x))
    store(field, BLOCK.ROPE_PARENT + 1, select(b_is_child, of_a_y, of_b_y))


@device
def append_bounded_rows(trees, bounded, at, count, numbers, substep):
    """Append the row of the rope behind `count` rows; return how many there are then. Writes the free coordinate."""
    block, lane = at
    field, ratio = trees.blocks[block], numbers[NUMBERS.RATIO]
    b_is_child = field[BLOCK.SIGN, lane] > 0.0
    child = rope_end(trees, at, INDEX.CHILD, ratio if b_is_child else 1.0, substep.h)
    parent = rope_end(trees, at, INDEX.PARENT, 1.0 if b_is_child else ratio, substep.h)
    length, speed, rate = child.length + parent.length, child.speed + parent.speed, field[BLOCK.RATE, lane]
    field[FREE, lane] = field[BLOCK.SIGN, lane] * length
    room = numbers[NUMBERS.REST] - substep.remaining * rate - length
    if room + rate * substep.h > substep.near + NEAR_SUBSTEPS * substep.h * abs(speed):
        return count
    append_row(trees, bounded, at, count, roles.ROPE, -child.x, -child.y, -child.arm, parent.arm)
    row = bounded.row[count]
    row[BOUNDED.SKEW_X], row[BOUNDED.SKEW_Y] = parent.x + child.x, parent.y + child.y
    row[BOUNDED.APPROACH] = max(room, 0.0) / substep.h
    row[BOUNDED.BIAS] = row[BOUNDED.APPROACH] + rate
    row[BOUNDED.SHIFT_BIAS] = max(room, -substep.push_out_speed * substep.h)
    row[BOUNDED.CHORD] = -field[BLOCK.CHORD, lane] * (child.arc + parent.arc)
    row[BOUNDED.LOW], row[BOUNDED.SHIFT_HIGH] = 0.0, roles.UNLIMITED
    if numbers[NUMBERS.MAX_FORCE] < NO_LIMIT:
        bound_limit(trees, bounded, count, -room, substep.h * numbers[NUMBERS.MAX_FORCE], substep)
    return count + 1


@device
def rope_end(trees, at, side, times, h):
    """Return the rope on the side of the child or the parent, where it runs so many times."""
    block, lane = at
    field, numbers, body = trees.blocks[block], trees.lane_numbers, trees.block_index[block, side, lane]
    is_child = side == INDEX.CHILD
    anchor = BLOCK.ANCHOR_CHILD if is_child else BLOCK.ANCHOR_PARENT
    begin = BLOCK.START_CHILD if is_child else BLOCK.START_PARENT
    rope = BLOCK.ROPE_CHILD if is_child else BLOCK.ROPE_PARENT
    arm_x, arm_y = field[anchor, lane], field[anchor + 1, lane]
    x = field[rope, lane] + numbers[body + LANES * LANE.DX] + (arm_x - field[begin, lane])
    y = field[rope + 1, lane] + numbers[body + LANES * LANE.DY] + (arm_y - field[begin + 1, lane])
    length = sqrt(x * x + y * y)
    is_apart = length > COINCIDENT
    u_x, u_y = (x / length, y / length) if is_apart else (0.0, 0.0)
    v_x = numbers[body + LANES * LANE.VX]
    v_y = numbers[body + LANES * LANE.VY]
    spin = numbers[body + LANES * LANE.W]
    speed = u_x * (v_x - spin * arm_y) + u_y * (v_y + spin * arm_x)
    new_arm_x, new_arm_y = turned(arm_x, arm_y, h * spin)
    new_x, new_y = x + h * v_x + (new_arm_x - arm_x), y + h * v_y + (new_arm_y - arm_y)
    grown = sqrt(new_x * new_x + new_y * new_y) - length
    return RopeEnd(
        x=times * u_x,
        y=times * u_y,
        arm=times * (arm_x * u_y - arm_y * u_x),
        length=times * length,
        speed=times * speed,
        arc=times * (grown - h * speed) if is_apart else 0.0,
    )
