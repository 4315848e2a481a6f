"""Chord correction: let a velocity lead along the chord of an anchor's arc, not along its tangent.

A body on a joint that moves by its tangential velocity leaves its circle outwards. The projection moves it back, and
the next solve removes the part of the velocity that then points outwards. Without a correction a pendulum loses energy.
With w the spin before the solve, and R a rotation, the bias

    b = rate [R(h w_B) r_B - r_B - h w_B x r_B - (the same for A)],    rate = 1 / h

leads the velocity back onto the circle. Polynomials in the angle h w, which is at most 1, stand for R. In trees with
contacts the correction may feed energy in, and is left out.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, maximum, minimum, store
from ecs_collide.step.joints.rows.body_lanes import triple_of
from ecs_collide.step.joints.rows.pin_blocks import anchors_of
from ecs_collide.step.joints.trees.tree_rows import BLOCK, INDEX, LANE


@device
def chord_offset(x, y, turn):
    """Return the offset of an arm (x, y) from its tangent when it turns by an angle [rad]."""
    a = maximum(minimum(turn, 1.0), -1.0)
    square = a * a
    along, across = square * (square * (1.0 / 24.0) - 0.5), a * square * (-1.0 / 6.0)
    return along * x - across * y, along * y + across * x


@device
def correct_point_chord(trees, block, h):
    """Add the chord correction of eight joints that keep two points together. Reads the body lanes. Writes BIAS."""
    field = trees.blocks[block]
    rate = load(field, BLOCK.CHORD)
    child, parent = triple_of(trees, block, INDEX.CHILD, LANE.VX), triple_of(trees, block, INDEX.PARENT, LANE.VX)
    arm_x, arm_y, lever_x, lever_y = anchors_of(trees, block)
    child_x, child_y = chord_offset(arm_x, arm_y, h * child.z)
    parent_x, parent_y = chord_offset(lever_x, lever_y, h * parent.z)
    store(field, BLOCK.BIAS, load(field, BLOCK.BIAS) + rate * (child_x - parent_x))
    store(field, BLOCK.BIAS + 1, load(field, BLOCK.BIAS + 1) + rate * (child_y - parent_y))
