"""Let a velocity lead along the chord, not the tangent, of the arc on which an anchor moves.

A body on a joint that moves by its tangential velocity leaves its circle outwards; the projection puts it back, and the
next solve takes the part of the velocity that then points outwards. That costs a pendulum 16 % of its energy in 10 s.
With w the spin before the solve, and R a rotation,

    b = (part / h) [R(h w_B) r_B - r_B - h w_B x r_B - (the same for A)]

asks for the velocity that leads back onto the circle. Polynomials in the angle h w, which is at most 1, serve for R.
A rod turns too: its own chord is (|d'|^2 - (u.d')^2) / (2 |d|), d' the way of one anchor against the other in a
substep. Where there are contacts it may feed energy in, and is left out.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, maximum, minimum, select, square_root, store
from ecs_collide.step.joints.body_lanes import triple_of
from ecs_collide.step.joints.kinds.distance import COINCIDENT
from ecs_collide.step.joints.pin_blocks import anchors_of
from ecs_collide.step.joints.trees import tree_rows as layout

PART = 0.9
"""How much of it is asked for: with all of it, long chains gain."""


@device
def bend(x, y, turn):
    """How far an arm leaves its tangent when it is turned."""
    a = maximum(minimum(turn, 1.0), -1.0)
    square = a * a
    along, across = square * (square * (1.0 / 24.0) - 0.5), a * square * (-1.0 / 6.0)
    return along * x - across * y, along * y + across * x


@device
def add_chord(trees, block, h):
    """Let eight pins, welds or rods follow their arcs; other joints have none. Reads seat (velocity), the rows.

    Writes BIAS.
    """
    kind, field = trees.block_kind[block], trees.field[block]
    if kind != kinds.REVOLUTE and kind != kinds.WELD and kind != kinds.DISTANCE:
        return
    sign, part = load(field, layout.SIGN), load(field, layout.CHORD)
    child, parent = triple_of(trees, block, layout.CHILD, layout.VX), triple_of(trees, block, layout.PARENT, layout.VX)
    arm_x, arm_y, lever_x, lever_y = anchors_of(trees, block)
    child_x, child_y = bend(arm_x, arm_y, h * child.z)
    parent_x, parent_y = bend(lever_x, lever_y, h * parent.z)
    bend_x, bend_y = child_x - parent_x, child_y - parent_y
    if kind != kinds.DISTANCE:
        store(field, layout.BIAS, load(field, layout.BIAS) + part * bend_x)
        store(field, layout.BIAS + 1, load(field, layout.BIAS + 1) + part * bend_y)
        return
    gap_x, gap_y = load(field, layout.GAP), load(field, layout.GAP + 1)
    length = square_root(gap_x * gap_x + gap_y * gap_y)
    inverse_length = 1.0 / select(length > COINCIDENT, length, 1.0)
    u_x, u_y = gap_x * inverse_length, gap_y * inverse_length
    way_x = h * (child.x - parent.x - child.z * arm_y + parent.z * lever_y)
    way_y = h * (child.y - parent.y + child.z * arm_x - parent.z * lever_x)
    across = way_x * u_y - way_y * u_x
    sagitta = minimum(0.5 * across * across * inverse_length, length)
    rigid = select(load(field, layout.IS_SOFT) > 0.0, 0.0, load(field, layout.IS_RIGID))
    longer = sign * sagitta + u_x * bend_x + u_y * bend_y
    store(field, layout.BIAS + 2, load(field, layout.BIAS + 2) + part * rigid * longer)
