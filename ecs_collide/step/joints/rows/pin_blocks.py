"""Pins: revolute joints without a spring, with two rows in place of three.

Most joints are pins. Their rows are (1, 0, arm_x) and (0, 1, arm_y), with arm_x = -r_y, arm_y = r_x, and there is no
third row. Products with 0 and 1 are left out: half of the work, and the same bits.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, splat, store
from ecs_collide.step.joints.rows.block_algebra import Symmetric, Triple, load_triple, store_triple
from ecs_collide.step.joints.rows.body_lanes import put_response, put_triple, response_of, triple_of
from ecs_collide.step.joints.trees.tree_rows import BLOCK, FREE_ROW, INDEX, NONE, ROW

SECOND = BLOCK.ROWS + ROW.WIDTH


class Arms(NamedTuple):
    """Third numbers of the two rows of a pin, for both bodies [m]."""

    child_x: float
    child_y: float
    parent_x: float
    parent_y: float


class Pair(NamedTuple):
    """A number for each of the two rows."""

    x: float
    y: float


class Square(NamedTuple):
    """A symmetric 2 x 2 matrix."""

    xx: float
    yy: float
    xy: float


@device
def arms_of(field):
    """Return the arms of eight pins."""
    return Arms(
        child_x=load(field, BLOCK.ROWS + ROW.ARM_CHILD),
        child_y=load(field, SECOND + ROW.ARM_CHILD),
        parent_x=load(field, BLOCK.ROWS + ROW.ARM_PARENT),
        parent_y=load(field, SECOND + ROW.ARM_PARENT),
    )


@device
def anchors_of(trees, block):
    """Return the anchors of child and parent from their centres of mass, of eight joints of any kind [m]."""
    field = trees.blocks[block]
    if trees.is_pin[block]:
        arms = arms_of(field)
        return arms.child_y, -arms.child_x, arms.parent_y, -arms.parent_x
    return (
        load(field, BLOCK.ANCHOR_CHILD),
        load(field, BLOCK.ANCHOR_CHILD + 1),
        load(field, BLOCK.ANCHOR_PARENT),
        load(field, BLOCK.ANCHOR_PARENT + 1),
    )


@device
def turn_pins(field, arms):
    """Write the arms of eight pins."""
    store(field, BLOCK.ROWS + ROW.ARM_CHILD, arms.child_x)
    store(field, SECOND + ROW.ARM_CHILD, arms.child_y)
    store(field, BLOCK.ROWS + ROW.ARM_PARENT, arms.parent_x)
    store(field, SECOND + ROW.ARM_PARENT, arms.parent_y)


@device
def write_pin_rows(field):
    """Write the constant numbers of the rows of eight pins: the normals, and the angle as the free coordinate."""
    for at, x, y in ((BLOCK.ROWS, 1.0, 0.0), (SECOND, 0.0, 1.0), (FREE_ROW, 0.0, 0.0)):
        store(field, at + ROW.NORMAL_X, splat(x))
        store(field, at + ROW.NORMAL_Y, splat(y))
    store(field, FREE_ROW + ROW.ARM_CHILD, splat(1.0))
    store(field, FREE_ROW + ROW.ARM_PARENT, splat(1.0))


@device
def response_columns(w, x, y):
    """Return the two columns of W J^T."""
    return (
        Triple(w.xx + w.xz * x, w.xy + w.yz * x, w.xz + w.zz * x),
        Triple(w.xy + w.xz * y, w.yy + w.yz * y, w.yz + w.zz * y),
    )


@device
def response_along(h0, h1, x, y):
    """Return J times two columns."""
    return Square(h0.x + x * h0.z, h1.y + y * h1.z, h1.x + x * h1.z)


@device
def inverse_square(m):
    """Return the inverse of a symmetric 2 x 2 matrix."""
    d0 = 1.0 / m.xx
    l10 = m.xy * d0
    d1 = 1.0 / (m.yy - l10 * m.xy)
    return Square(d0 + l10 * (l10 * d1), d1, -l10 * d1)


@device
def load_pair(field, at):
    """Return two numbers in each lane."""
    return Pair(load(field, at), load(field, at + 1))


@device
def load_columns(field, at):
    """Return two columns of factors."""
    return load_triple(field, at), load_triple(field, at + 3)


@device
def sum_of_two(a, b, in_a, in_b):
    """Return in_a a + in_b b."""
    return Triple(a.x * in_a + b.x * in_b, a.y * in_a + b.y * in_b, a.z * in_a + b.z * in_b)


@device
def factor_pins(trees, block, arms, gamma):
    """Eliminate the children of eight pins; return the two columns of G.

    Writes RESPONSE of the parents' lanes, H, N and G.
    """
    field = trees.blocks[block]
    of_parent = response_of(trees, block, INDEX.PARENT)
    h0, h1 = response_columns(response_of(trees, block, INDEX.CHILD), arms.child_x, arms.child_y)
    q0, q1 = response_columns(of_parent, arms.parent_x, arms.parent_y)
    k, t = response_along(h0, h1, arms.child_x, arms.child_y), response_along(q0, q1, arms.parent_x, arms.parent_y)
    k = Square(k.xx + gamma.x, k.yy + gamma.y, k.xy)
    n, s = inverse_square(k), inverse_square(Square(k.xx + t.xx, k.yy + t.yy, k.xy + t.xy))
    g0, g1 = sum_of_two(q0, q1, s.xx, s.xy), sum_of_two(q0, q1, s.xy, s.yy)
    store_triple(field, BLOCK.H, h0)
    store_triple(field, BLOCK.H + 3, h1)
    store_triple(field, BLOCK.G, g0)
    store_triple(field, BLOCK.G + 3, g1)
    store_triple(field, BLOCK.N, Triple(n.xx, n.yy, n.xy))
    left = Symmetric(
        xx=of_parent.xx - (g0.x * q0.x + g1.x * q1.x),
        yy=of_parent.yy - (g0.y * q0.y + g1.y * q1.y),
        zz=of_parent.zz - (g0.z * q0.z + g1.z * q1.z),
        xy=of_parent.xy - (g0.x * q0.y + g1.x * q1.y),
        xz=of_parent.xz - (g0.x * q0.z + g1.x * q1.z),
        yz=of_parent.yz - (g0.y * q0.z + g1.y * q1.z),
    )
    put_response(trees, block, INDEX.PARENT, left)
    return g0, g1


@device
def error_of_pins(field, child, parent, bias):
    """Return e of eight pins for motions of both bodies; `bias` is the first of two columns."""
    parting, bias_sum = pin_parting_speed(arms_of(field), child, parent), load_pair(field, bias)
    return Pair(parting.x + bias_sum.x, parting.y + bias_sum.y)


@device
def pin_parting_speed(arms, child, parent):
    """Return the relative velocities of eight pins for motions of both bodies."""
    return Pair(
        (child.x + arms.child_x * child.z) - (parent.x + arms.parent_x * parent.z),
        (child.y + arms.child_y * child.z) - (parent.y + arms.parent_y * parent.z),
    )


@device
def add_pin_impulses(motion, a, b, amounts):
    """Return a motion plus two columns of factors times two amounts."""
    added = sum_of_two(a, b, amounts.x, amounts.y)
    return Triple(motion.x + added.x, motion.y + added.y, motion.z + added.z)


@device
def climb_pins(trees, block, column, bias):
    """Make the upward pass of eight pins: pass the motion of the children on to the parents."""
    field = trees.blocks[block]
    g0, g1 = load_columns(field, BLOCK.G)
    lift_parents(trees, block, column, arms_of(field), load_pair(field, bias), g0, g1)


@device
def lift_parents(trees, block, column, arms, bias_sum, g0, g1):
    """Make the upward pass of eight pins, given their arms, bias, and factors G."""
    child, parent = triple_of(trees, block, INDEX.CHILD, column), triple_of(trees, block, INDEX.PARENT, column)
    parting = pin_parting_speed(arms, child, parent)
    moved = add_pin_impulses(parent, g0, g1, Pair(parting.x + bias_sum.x, parting.y + bias_sum.y))
    put_triple(trees, block, INDEX.PARENT, column, moved)


@device
def descend_pins(trees, block, column, bias, impulse):
    """Make the downward pass of eight pins: move the children with the parents.

    Adds the impulses to two columns from `impulse` on, unless that is NONE.
    """
    field = trees.blocks[block]
    child, parent = triple_of(trees, block, INDEX.CHILD, column), triple_of(trees, block, INDEX.PARENT, column)
    e = error_of_pins(field, child, parent, bias)
    n = load_triple(field, BLOCK.N)
    h0, h1 = load_columns(field, BLOCK.H)
    given = Pair(-(n.x * e.x + n.z * e.y), -(n.z * e.x + n.y * e.y))
    put_triple(trees, block, INDEX.CHILD, column, add_pin_impulses(child, h0, h1, given))
    if impulse == NONE:
        return
    store(field, impulse, load(field, impulse) + given.x)
    store(field, impulse + 1, load(field, impulse + 1) + given.y)
