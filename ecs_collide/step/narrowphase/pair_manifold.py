"""The manifold that a pair kernel returns, and its storage in the pair's slot.

A pair kernel works in the axes of body A, with A's centre of mass as origin. Its `LocalManifold` holds the normal from
A to B and up to two points. Each point has a place on A's surface, a separation along the normal (negative: overlap),
and a feature id that identifies it in the next step.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import IMPULSE, MANIFOLD, PAIR
from ecs_collide.geometry.pose import find_relative_pose, rotate_vector_back, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device


class LocalManifold(NamedTuple):
    """A manifold: unit normal from A to B, and two points on A's surface [m] with separation [m] and feature id."""

    point_count: int
    normal_x: float
    normal_y: float
    x0: float
    y0: float
    separation0: float
    feature0: int
    x1: float
    y1: float
    separation1: float
    feature1: int


@device
def no_contact():
    """Return a manifold without points."""
    return LocalManifold(
        point_count=0,
        normal_x=0.0,
        normal_y=0.0,
        x0=0.0,
        y0=0.0,
        separation0=0.0,
        feature0=0,
        x1=0.0,
        y1=0.0,
        separation1=0.0,
        feature1=0,
    )


@device
def one_point(normal_x, normal_y, x, y, separation, feature):
    """Return a manifold of one point."""
    return LocalManifold(
        point_count=1,
        normal_x=normal_x,
        normal_y=normal_y,
        x0=x,
        y0=y,
        separation0=separation,
        feature0=feature,
        x1=0.0,
        y1=0.0,
        separation1=0.0,
        feature1=0,
    )


@device
def relative_pose(bodies, row_a, row_b):
    """Return the pose of body B relative to body A."""
    return find_relative_pose(body_pose(row_a, bodies), body_pose(row_b, bodies))


@device
def to_axes_of_a(relative, vertices, k):
    """Return vertex k of body B in the axes of body A."""
    return transform_point(relative, vertices[k, X], vertices[k, Y])


@device
def store_manifold(pairs, slot, m, relative):
    """Store a manifold in the pair's slot; points with the features of the last step keep their impulses.

    Writes pair_index (point count, features), pair_manifold (s, 16), pair_impulse (s, 4).
    """
    index, manifold, impulse = pairs.index, pairs.manifold, pairs.impulse
    if m.point_count == 0:
        index[slot, PAIR.POINT_COUNT] = 0
        return
    old_count = index[slot, PAIR.POINT_COUNT]
    old_feature0, old_feature1 = index[slot, PAIR.FEATURE_0], index[slot, PAIR.FEATURE_1]
    old_normal0, old_normal1 = impulse[slot, IMPULSE.NORMAL], impulse[slot, IMPULSE.NORMAL + 1]
    old_tangent0, old_tangent1 = impulse[slot, IMPULSE.TANGENT], impulse[slot, IMPULSE.TANGENT + 1]

    index[slot, PAIR.POINT_COUNT] = m.point_count
    for k in range(m.point_count):
        feature = m.feature0 if k == 0 else m.feature1
        index[slot, PAIR.FEATURE_0 + k] = feature
        if old_count > 0 and feature == old_feature0:
            impulse[slot, IMPULSE.NORMAL + k] = old_normal0
            impulse[slot, IMPULSE.TANGENT + k] = old_tangent0
        elif old_count > 1 and feature == old_feature1:
            impulse[slot, IMPULSE.NORMAL + k] = old_normal1
            impulse[slot, IMPULSE.TANGENT + k] = old_tangent1
        else:
            impulse[slot, IMPULSE.NORMAL + k] = 0.0
            impulse[slot, IMPULSE.TANGENT + k] = 0.0

        x, y, separation = (m.x0, m.y0, m.separation0) if k == 0 else (m.x1, m.y1, m.separation1)
        at = k * of_pair.POINT_STRIDE
        manifold[slot, MANIFOLD.ANCHOR_A + at] = x
        manifold[slot, MANIFOLD.ANCHOR_A + at + 1] = y
        x += separation * m.normal_x - relative.x
        y += separation * m.normal_y - relative.y
        x, y = rotate_vector_back(relative, x, y)
        manifold[slot, MANIFOLD.ANCHOR_B + at], manifold[slot, MANIFOLD.ANCHOR_B + at + 1] = x, y

    manifold[slot, MANIFOLD.NORMAL_X] = m.normal_x
    manifold[slot, MANIFOLD.NORMAL_Y] = m.normal_y
    manifold[slot, MANIFOLD.MADE_X] = relative.x
    manifold[slot, MANIFOLD.MADE_Y] = relative.y
    manifold[slot, MANIFOLD.MADE_COS] = relative.cos
    manifold[slot, MANIFOLD.MADE_SIN] = relative.sin
