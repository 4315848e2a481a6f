"""Factor the joint trees: eliminate each child, and its joint, into its parent.

With W the inverse mass matrix of a body and of all that hangs on it, and Gamma the joint's compliance, from the leaves
to the root

    H = W_c J_c^T                  N = (J_c H + Gamma)^-1         S = J_c H + Gamma + J_p W_p J_p^T
    G = W_p J_p^T S^-1             W_p <- W_p - G (J_p W_p)

A joint takes two 3 x 3 inverses, and there is no fill-in, however many joints a body has. An immovable child is a leaf
with H = 0, whose N is Gamma^-1, so Gamma must be above 0. For rigid rows it is EPSILON times the diagonal of the joint
alone, and acts on the change of the impulse only: nothing sags. It makes a straight chain between two walls solvable. A
spring has Gamma = 1 / (h (c + h k)) with k = omega^2 m, c = 2 zeta omega m, m = 1 / the diagonal.
"""

from __future__ import annotations

from ecs_collide.components.joints import kinds
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import any_lane, load, select, splat, store
from ecs_collide.step.joints.rows.block_algebra import (
    Symmetric,
    Triple,
    dot,
    inverse,
    load_triple,
    row_of_child,
    row_of_parent,
    store_symmetric,
    store_triple,
    times,
)
from ecs_collide.step.joints.rows.body_lanes import put_response, response_of, triple_of
from ecs_collide.step.joints.rows.pin_blocks import Pair
from ecs_collide.step.joints.rows.spring_units import convert_springs
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, INDEX, LANE, ROW

LOCKED = 1e-12
"""A row along locked axes has a diagonal below this part of the other row's."""
EPSILON = 1e-4
"""Compliance of a rigid row, as a part of its diagonal: 1e-3 lets cantilevers sway, 1e-5 worsens bad starts."""


@device
def begin_factors(trees):
    """Start with each body alone. Reads the masses of body lanes. Writes RESPONSE."""
    nothing = splat(0.0)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        mass = load_triple(lanes, LANE.MASS_X)
        store_symmetric(
            lanes, LANE.RESPONSE, Symmetric(xx=mass.x, yy=mass.y, zz=mass.z, xy=nothing, xz=nothing, yz=nothing)
        )


@device
def diagonal(row, mass):
    """Return J M^-1 J^T of one row for one body alone."""
    return row.x * row.x * mass.x + row.y * row.y * mass.y + row.z * row.z * mass.z


@device
def joint_diagonal(field, i, of_child, of_parent):
    """Return J M^-1 J^T of row i for both bodies of a joint, given their inverse masses."""
    return diagonal(row_of_child(field, i), of_child) + diagonal(row_of_parent(field, i), of_parent)


@device
def drop_row(block, i, dropped):
    """Clear a row along which neither body can move: no impulse closes its gap."""
    at = BLOCK.ROWS + i * ROW.WIDTH
    for k in range(ROW.WIDTH):
        store(block, at + k, select(dropped, 0.0, load(block, at + k)))
    for at in (BLOCK.ERROR + i, BLOCK.IMPULSE + i):
        store(block, at, select(dropped, 0.0, load(block, at)))


@device
def rigid_compliance(k):
    """Return Gamma of a rigid row with diagonal k; 1 for a row that the joint does not have."""
    return select(k > 0.0, EPSILON * k, 1.0)


@device
def compliance(block, i, k, h):
    """Return Gamma of row i of eight joints."""
    rigid = rigid_compliance(k)
    if i < 2:
        return rigid
    omega = load(block, BLOCK.OMEGA)
    soft = (load(block, BLOCK.OMEGA) > 0.0) & (k > 0.0)
    stiffness = select(soft, h * omega * (2.0 * load(block, BLOCK.DAMPING) + h * omega), 1.0)
    return select(soft, k / stiffness, rigid)


@device
def soften_rows(trees, block, h):
    """Set the compliance of the rows, and clear those along locked axes.

    Writes GAMMA, the rows, and is_pin: True if all eight joints are pins with both of their rows and no third one.
    """
    field = trees.blocks[block]
    child = triple_of(trees, block, INDEX.CHILD, LANE.MASS_X)
    parent = triple_of(trees, block, INDEX.PARENT, LANE.MASS_X)
    k0, k1 = joint_diagonal(field, 0, child, parent), joint_diagonal(field, 1, child, parent)
    is_locked0, is_locked1 = k0 < LOCKED * k1, k1 < LOCKED * k0
    has_third = (load(field, BLOCK.OMEGA) > 0.0) | (load(field, BLOCK.RIGIDITY) > 0.0)
    has_third = has_third | (load(field, BLOCK.MOTOR_MAX) > 0.0)
    is_pin = trees.block_kind[block] == kinds.REVOLUTE
    trees.is_pin[block] = is_pin and not trees.has_released[block] and not any_lane(is_locked0 | is_locked1 | has_third)
    if any_lane(is_locked0 | is_locked1):
        drop_row(field, 0, is_locked0)
        drop_row(field, 1, is_locked1)
        k0, k1 = select(is_locked0, 0.0, k0), select(is_locked1, 0.0, k1)
    store(field, BLOCK.GAMMA, compliance(field, 0, k0, h))
    store(field, BLOCK.GAMMA + 1, compliance(field, 1, k1, h))
    if trees.is_pin[block] and not trees.has_hinge_motors[block]:
        store(field, BLOCK.GAMMA + 2, splat(1.0))
        store(field, BLOCK.BIAS + 2, splat(0.0))
        store(field, BLOCK.IMPULSE + 2, splat(0.0))
    else:
        k2 = joint_diagonal(field, 2, child, parent)
        convert_springs(field, k2, h)
        store(field, BLOCK.GAMMA + 2, compliance(field, 2, k2, h))


@device
def soften_pins(trees, block, arms):
    """Set the compliance of eight pins; return it, and True if a row is along a locked axis.

    The rows of pins have constant normals, so these are left out.
    """
    field = trees.blocks[block]
    child = triple_of(trees, block, INDEX.CHILD, LANE.MASS_X)
    parent = triple_of(trees, block, INDEX.PARENT, LANE.MASS_X)
    k0 = (child.x + arms.child_x * arms.child_x * child.z) + (parent.x + arms.parent_x * arms.parent_x * parent.z)
    k1 = (child.y + arms.child_y * arms.child_y * child.z) + (parent.y + arms.parent_y * arms.parent_y * parent.z)
    gamma = Pair(rigid_compliance(k0), rigid_compliance(k1))
    store(field, BLOCK.GAMMA, gamma.x)
    store(field, BLOCK.GAMMA + 1, gamma.y)
    return gamma, any_lane((k0 < LOCKED * k1) | (k1 < LOCKED * k0))


@device
def factor_block(trees, block):
    """Eliminate the children of eight joints: write what their parents feel of them.

    Reads the rows and GAMMA. Writes RESPONSE of the parents' lanes, H, N and G.
    """
    field = trees.blocks[block]
    c0, c1, c2 = row_of_child(field, 0), row_of_child(field, 1), row_of_child(field, 2)
    p0, p1, p2 = row_of_parent(field, 0), row_of_parent(field, 1), row_of_parent(field, 2)
    of_child, of_parent = response_of(trees, block, INDEX.CHILD), response_of(trees, block, INDEX.PARENT)
    h0, h1, h2 = times(of_child, c0), times(of_child, c1), times(of_child, c2)
    gamma = load_triple(field, BLOCK.GAMMA)
    k = row_products(c0, c1, c2, h0, h1, h2)
    k = Symmetric(xx=k.xx + gamma.x, yy=k.yy + gamma.y, zz=k.zz + gamma.z, xy=k.xy, xz=k.xz, yz=k.yz)
    q0, q1, q2 = times(of_parent, p0), times(of_parent, p1), times(of_parent, p2)
    t = row_products(p0, p1, p2, q0, q1, q2)
    s = inverse(
        Symmetric(xx=k.xx + t.xx, yy=k.yy + t.yy, zz=k.zz + t.zz, xy=k.xy + t.xy, xz=k.xz + t.xz, yz=k.yz + t.yz)
    )
    g0 = linear_combination(q0, q1, q2, s.xx, s.xy, s.xz)
    g1 = linear_combination(q0, q1, q2, s.xy, s.yy, s.yz)
    g2 = linear_combination(q0, q1, q2, s.xz, s.yz, s.zz)
    store_factors(field, BLOCK.H, h0, h1, h2)
    store_factors(field, BLOCK.G, g0, g1, g2)
    store_symmetric(field, BLOCK.N, inverse(k))
    left = Symmetric(
        xx=of_parent.xx - (g0.x * q0.x + g1.x * q1.x + g2.x * q2.x),
        yy=of_parent.yy - (g0.y * q0.y + g1.y * q1.y + g2.y * q2.y),
        zz=of_parent.zz - (g0.z * q0.z + g1.z * q1.z + g2.z * q2.z),
        xy=of_parent.xy - (g0.x * q0.y + g1.x * q1.y + g2.x * q2.y),
        xz=of_parent.xz - (g0.x * q0.z + g1.x * q1.z + g2.x * q2.z),
        yz=of_parent.yz - (g0.y * q0.z + g1.y * q1.z + g2.y * q2.z),
    )
    put_response(trees, block, INDEX.PARENT, left)


@device
def row_products(a0, a1, a2, b0, b1, b2):
    """Return the products of three rows with three columns, which are symmetric."""
    return Symmetric(xx=dot(a0, b0), yy=dot(a1, b1), zz=dot(a2, b2), xy=dot(a0, b1), xz=dot(a0, b2), yz=dot(a1, b2))


@device
def linear_combination(a, b, c, in_a, in_b, in_c):
    """Return in_a a + in_b b + in_c c."""
    return Triple(
        a.x * in_a + b.x * in_b + c.x * in_c, a.y * in_a + b.y * in_b + c.y * in_c, a.z * in_a + b.z * in_b + c.z * in_c
    )


@device
def store_factors(field, at, a, b, c):
    """Write three columns."""
    store_triple(field, at, a)
    store_triple(field, at + 3, b)
    store_triple(field, at + 6, c)
