"""Factor and solve blocks of pins: what `factor.py` and `solve.py` do, with two rows in place of three.

Most joints are pins without a spring. Their rows are (1, 0, arm_x) and (0, 1, arm_y), with arm_x = -r_y, arm_y = r_x,
and no third one, so what would be multiplied by 0 or 1 is left out: half of the work, and the same bits.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, store
from ecs_collide.step.joints.block_algebra import Symmetric, Triple, load_triple, store_triple
from ecs_collide.step.joints.body_lanes import put_response, put_triple, response_of, triple_of
from ecs_collide.step.joints.trees import tree_rows as layout

SECOND = layout.ROW + layout.ROW_WIDTH


class Arms(NamedTuple):
    """Where a pin takes hold of its bodies: the third numbers of the rows of each."""

    child_x: float
    child_y: float
    parent_x: float
    parent_y: float


class Pair(NamedTuple):
    """A number for each row."""

    x: float
    y: float


class Square(NamedTuple):
    """A symmetric matrix over the rows."""

    xx: float
    yy: float
    xy: float


@device
def arms_of(field):
    return Arms(
        load(field, layout.ROW + layout.ARM_CHILD),
        load(field, SECOND + layout.ARM_CHILD),
        load(field, layout.ROW + layout.ARM_PARENT),
        load(field, SECOND + layout.ARM_PARENT),
    )


@device
def anchors_of(trees, block):
    """Where eight joints, pins or not, take hold now of child and parent, from their centres of mass."""
    field = trees.field[block]
    if trees.is_pin[block]:
        arms = arms_of(field)
        return arms.child_y, -arms.child_x, arms.parent_y, -arms.parent_x
    return (
        load(field, layout.AT_CHILD),
        load(field, layout.AT_CHILD + 1),
        load(field, layout.AT_PARENT),
        load(field, layout.AT_PARENT + 1),
    )


@device
def turn_pins(field, arms):
    """Write where eight pins take hold now."""
    store(field, layout.ROW + layout.ARM_CHILD, arms.child_x)
    store(field, SECOND + layout.ARM_CHILD, arms.child_y)
    store(field, layout.ROW + layout.ARM_PARENT, arms.parent_x)
    store(field, SECOND + layout.ARM_PARENT, arms.parent_y)


@device
def columns(w, x, y):
    """W J^T, given the arms."""
    return (
        Triple(w.xx + w.xz * x, w.xy + w.yz * x, w.xz + w.zz * x),
        Triple(w.xy + w.xz * y, w.yy + w.yz * y, w.yz + w.zz * y),
    )


@device
def seen(h0, h1, x, y):
    """J of such columns."""
    return Square(h0.x + x * h0.z, h1.y + y * h1.z, h1.x + x * h1.z)


@device
def inverse_square(m):
    d0 = 1.0 / m.xx
    l10 = m.xy * d0
    d1 = 1.0 / (m.yy - l10 * m.xy)
    return Square(d0 + l10 * (l10 * d1), d1, -l10 * d1)


@device
def load_pair(field, at):
    return Pair(load(field, at), load(field, at + 1))


@device
def load_columns(field, at):
    """Two columns of factors."""
    return load_triple(field, at), load_triple(field, at + 3)


@device
def weighted(a, b, in_a, in_b):
    """A sum of two columns, each so many times."""
    return Triple(a.x * in_a + b.x * in_b, a.y * in_a + b.y * in_b, a.z * in_a + b.z * in_b)


@device
def factor_pins(trees, block, arms, gamma):
    """Let the parents feel what hangs on the children. Writes seat (RESPONSE), H, N and G; returns G too."""
    field = trees.field[block]
    of_parent = response_of(trees, block, layout.PARENT)
    h0, h1 = columns(response_of(trees, block, layout.CHILD), arms.child_x, arms.child_y)
    q0, q1 = columns(of_parent, arms.parent_x, arms.parent_y)
    k, t = seen(h0, h1, arms.child_x, arms.child_y), seen(q0, q1, arms.parent_x, arms.parent_y)
    k = Square(k.xx + gamma.x, k.yy + gamma.y, k.xy)
    n, s = inverse_square(k), inverse_square(Square(k.xx + t.xx, k.yy + t.yy, k.xy + t.xy))
    g0, g1 = weighted(q0, q1, s.xx, s.xy), weighted(q0, q1, s.xy, s.yy)
    store_triple(field, layout.H, h0)
    store_triple(field, layout.H + 3, h1)
    store_triple(field, layout.G, g0)
    store_triple(field, layout.G + 3, g1)
    store_triple(field, layout.N, Triple(n.xx, n.yy, n.xy))
    left = Symmetric(
        of_parent.xx - (g0.x * q0.x + g1.x * q1.x),
        of_parent.yy - (g0.y * q0.y + g1.y * q1.y),
        of_parent.zz - (g0.z * q0.z + g1.z * q1.z),
        of_parent.xy - (g0.x * q0.y + g1.x * q1.y),
        of_parent.xz - (g0.x * q0.z + g1.x * q1.z),
        of_parent.yz - (g0.y * q0.z + g1.y * q1.z),
    )
    put_response(trees, block, layout.PARENT, left)
    return g0, g1


@device
def error_of_pins(field, child, parent, bias):
    """e of eight pins, given the motions of both sides."""
    parting, asked = parting_of_pins(arms_of(field), child, parent), load_pair(field, bias)
    return Pair(parting.x + asked.x, parting.y + asked.y)


@device
def parting_of_pins(arms, child, parent):
    """How fast the sides of eight pins part, given the motions of both."""
    return Pair(
        (child.x + arms.child_x * child.z) - (parent.x + arms.parent_x * parent.z),
        (child.y + arms.child_y * child.z) - (parent.y + arms.parent_y * parent.z),
    )


@device
def moved_by(motion, a, b, amounts):
    """A motion with two columns of factors added, each so many times."""
    added = weighted(a, b, amounts.x, amounts.y)
    return Triple(motion.x + added.x, motion.y + added.y, motion.z + added.z)


@device
def climb_pins(trees, block, column, bias):
    """Let the parents of eight pins feel what moves the children."""
    field = trees.field[block]
    g0, g1 = load_columns(field, layout.G)
    lift_parents(trees, block, column, arms_of(field), load_pair(field, bias), g0, g1)


@device
def lift_parents(trees, block, column, arms, asked, g0, g1):
    """The same, given the arms, what is asked for, and the factors G."""
    child, parent = triple_of(trees, block, layout.CHILD, column), triple_of(trees, block, layout.PARENT, column)
    parting = parting_of_pins(arms, child, parent)
    moved = moved_by(parent, g0, g1, Pair(parting.x + asked.x, parting.y + asked.y))
    put_triple(trees, block, layout.PARENT, column, moved)


@device
def descend_pins(trees, block, column, bias, impulse):
    """Let the children of eight pins follow the parents."""
    field = trees.field[block]
    child, parent = triple_of(trees, block, layout.CHILD, column), triple_of(trees, block, layout.PARENT, column)
    e = error_of_pins(field, child, parent, bias)
    n = load_triple(field, layout.N)
    h0, h1 = load_columns(field, layout.H)
    given = Pair(-(n.x * e.x + n.z * e.y), -(n.z * e.x + n.y * e.y))
    put_triple(trees, block, layout.CHILD, column, moved_by(child, h0, h1, given))
    if impulse == layout.NONE:
        return
    store(field, impulse, load(field, impulse) + given.x)
    store(field, impulse + 1, load(field, impulse + 1) + given.y)
