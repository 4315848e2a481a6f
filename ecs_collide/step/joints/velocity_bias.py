"""What the solves of a substep are asked for.

In the first one impulses are to change little: b = -Gamma lambda, with those of the last substep, which begin anew from
0. A spring asks for what brings it back, b = omega / (2 zeta + h omega) of how far it is out. Besides, velocities are
to lead along the chord (`chord.py`). What is asked without that, and how fast the sides part less b, is kept for
`workless.py`.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import any_lane, load, select, splat, store
from ecs_collide.step.joints.block_algebra import Triple, error_of, load_triple, store_triple
from ecs_collide.step.joints.body_lanes import triple_of
from ecs_collide.step.joints.chord_correction import add_chord, bend
from ecs_collide.step.joints.pin_blocks import arms_of, load_pair, parting_of_pins
from ecs_collide.step.joints.trees import tree_rows as layout


@device
def ask_block(trees, block, h):
    """Ask eight joints of any kind. Reads seat (velocity), the rows. Writes BIAS, LOST, IMPULSE, PARTED."""
    nothing, field = splat(0.0), trees.field[block]
    for k in range(3):
        store(field, layout.BIAS + k, nothing - load(field, layout.GAMMA + k) * load(field, layout.IMPULSE + k))
        store(field, layout.IMPULSE + k, nothing)
    is_soft = load(field, layout.IS_SOFT) > 0.0
    store(field, layout.BIAS + 2, select(is_soft, back_of(field, h), load(field, layout.BIAS + 2)))
    store_triple(field, layout.LOST, load_triple(field, layout.BIAS))
    add_chord(trees, block, h)
    note_parting(trees, block, layout.VX)


@device
def back_of(field, h):
    """What brings eight springs back."""
    omega, is_soft = load(field, layout.OMEGA), load(field, layout.IS_SOFT) > 0.0
    divisor = select(is_soft, 2.0 * load(field, layout.DAMPING) + h * omega, 1.0)
    return omega / divisor * load(field, layout.ERROR + 2)


@device
def note_parting(trees, block, column):
    """Keep how fast the sides of eight joints part, less the bias. Reads three numbers of the seats. Writes PARTED."""
    field = trees.field[block]
    parting, bias = parting_of(trees, block, column), load_triple(field, layout.BIAS)
    store_triple(field, layout.PARTED, Triple(parting.x - bias.x, parting.y - bias.y, parting.z - bias.z))


@device
def parting_of(trees, block, column):
    """How fast the sides of eight joints part along their rows, by three numbers of their seats."""
    child, parent = triple_of(trees, block, layout.CHILD, column), triple_of(trees, block, layout.PARENT, column)
    return error_of(trees.field[block], child, parent, layout.NOTHING)


@device
def ask_pins(trees, block, h):
    """Ask eight pins: the same, for two rows. Where all have contacts nobody asks for the chord, nor for the rest."""
    nothing, field = splat(0.0), trees.field[block]
    gamma, last = load_pair(field, layout.GAMMA), load_pair(field, layout.IMPULSE)
    x, y, part = nothing - gamma.x * last.x, nothing - gamma.y * last.y, load(field, layout.CHORD)
    store(field, layout.IMPULSE, nothing)
    store(field, layout.IMPULSE + 1, nothing)
    store(field, layout.LOST, x)
    store(field, layout.LOST + 1, y)
    if any_lane(part > 0.0):
        arms = arms_of(field)
        child, parent = (
            triple_of(trees, block, layout.CHILD, layout.VX),
            triple_of(trees, block, layout.PARENT, layout.VX),
        )
        child_x, child_y = bend(arms.child_y, -arms.child_x, h * child.z)
        parent_x, parent_y = bend(arms.parent_y, -arms.parent_x, h * parent.z)
        x, y = x + part * (child_x - parent_x), y + part * (child_y - parent_y)
        parting = parting_of_pins(arms, child, parent)
        store(field, layout.PARTED, parting.x - x)
        store(field, layout.PARTED + 1, parting.y - y)
    store(field, layout.BIAS, x)
    store(field, layout.BIAS + 1, y)


@device
def ask_touched(trees):
    """Before trees that have a contact are solved again: ask the others for what they have, which they keep to the bit.

    Writes BIAS.
    """
    nothing = splat(0.0)
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        field = trees.field[block]
        untouched = load(field, layout.TOUCHED) <= 0.0
        if any_lane(untouched):
            has = parting_of(trees, block, layout.VX)
            store(field, layout.BIAS, select(untouched, nothing - has.x, 0.0))
            store(field, layout.BIAS + 1, select(untouched, nothing - has.y, 0.0))
            store(field, layout.BIAS + 2, select(untouched, nothing - has.z, 0.0))
        else:
            store_triple(field, layout.BIAS, Triple(nothing, nothing, nothing))


@device
def ask_springs(trees, h):
    """Before trees that have a contact are solved again, and have not moved: ask springs for what they lack.

    A spring's impulse is h times its force at the end of the substep, lambda = -h (k (C + h J v) + c J v), which is
    J v + Gamma lambda + back = 0. lambda is that of the substep as a whole, however often it is solved: what is added
    to the lambda that there is comes of b = back + Gamma lambda. Once the bodies have moved, C is C + h J v, and the
    spring has given what it has to: while rigid rows and contacts are relaxed it is no row, but a force like gravity.
    Reads IMPULSE. Writes BIAS.
    """
    for block in range(trees.span[layout.FIRST], trees.span[layout.STOP]):
        field = trees.field[block]
        asks = (load(field, layout.IS_SOFT) > 0.0) & (load(field, layout.TOUCHED) > 0.0)
        if any_lane(asks):
            lacking = back_of(field, h) + load(field, layout.GAMMA + 2) * load(field, layout.IMPULSE + 2)
            store(field, layout.BIAS + 2, select(asks, lacking, load(field, layout.BIAS + 2)))
