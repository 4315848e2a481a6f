"""Symmetric 3 x 3 matrices and rows of a Jacobian, lane by lane."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, store
from ecs_collide.step.joints.trees.tree_rows import BLOCK, ROW


class Triple(NamedTuple):
    """Three numbers in each lane."""

    x: float
    y: float
    z: float


class Symmetric(NamedTuple):
    """A symmetric matrix in each lane, by columns SYMMETRIC."""

    xx: float
    yy: float
    zz: float
    xy: float
    xz: float
    yz: float


@device
def dot(a, b):
    """Return the scalar product of two triples."""
    return a.x * b.x + a.y * b.y + a.z * b.z


@device
def times(matrix, a):
    """Return a symmetric matrix times a column."""
    return Triple(
        matrix.xx * a.x + matrix.xy * a.y + matrix.xz * a.z,
        matrix.xy * a.x + matrix.yy * a.y + matrix.yz * a.z,
        matrix.xz * a.x + matrix.yz * a.y + matrix.zz * a.z,
    )


@device
def inverse(m):
    """Return the inverse of a positive definite matrix, by M = L D L^T.

    No intermediate product leaves the range of numbers.
    """
    d0 = 1.0 / m.xx
    l10, l20 = m.xy * d0, m.xz * d0
    d1 = 1.0 / (m.yy - l10 * m.xy)
    t = m.yz - l10 * m.xz
    l21 = t * d1
    d2 = 1.0 / (m.zz - l20 * m.xz - l21 * t)
    # the rows of L^-1 are (1), (-l10, 1), (u, -l21, 1)
    u = l10 * l21 - l20
    return Symmetric(
        xx=d0 + l10 * (l10 * d1) + u * (u * d2),
        yy=d1 + l21 * (l21 * d2),
        zz=d2,
        xy=-l10 * d1 - u * (l21 * d2),
        xz=u * d2,
        yz=-l21 * d2,
    )


@device
def row_of_child(block, i):
    """Return row i of J_c."""
    at = BLOCK.ROWS + i * ROW.WIDTH
    return Triple(load(block, at + ROW.NORMAL_X), load(block, at + ROW.NORMAL_Y), load(block, at + ROW.ARM_CHILD))


@device
def row_of_parent(block, i):
    """Return row i of J_p."""
    at = BLOCK.ROWS + i * ROW.WIDTH
    return Triple(load(block, at + ROW.NORMAL_X), load(block, at + ROW.NORMAL_Y), load(block, at + ROW.ARM_PARENT))


@device
def load_triple(block, at):
    """Return three numbers in each lane."""
    return Triple(load(block, at), load(block, at + 1), load(block, at + 2))


@device
def error_of(field, child, parent, bias):
    """Return e = J_c v_c - J_p v_p + bias of eight joints; `bias` is the first of three columns."""
    return Triple(
        dot(row_of_child(field, 0), child) - dot(row_of_parent(field, 0), parent) + load(field, bias),
        dot(row_of_child(field, 1), child) - dot(row_of_parent(field, 1), parent) + load(field, bias + 1),
        dot(row_of_child(field, 2), child) - dot(row_of_parent(field, 2), parent) + load(field, bias + 2),
    )


@device
def load_symmetric(block, at):
    """Return the symmetric matrix at a column."""
    straight, beside = load_triple(block, at), load_triple(block, at + 3)
    return Symmetric(xx=straight.x, yy=straight.y, zz=straight.z, xy=beside.x, xz=beside.y, yz=beside.z)


@device
def store_symmetric(block, at, a):
    """Write a symmetric matrix from a column on."""
    store_triple(block, at, Triple(a.xx, a.yy, a.zz))
    store_triple(block, at + 3, Triple(a.xy, a.xz, a.yz))


@device
def store_triple(block, at, a):
    """Write three numbers in each lane."""
    store(block, at, a.x)
    store(block, at + 1, a.y)
    store(block, at + 2, a.z)
