"""Manifolds of two shapes without a world."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec

CONVEX = (
    ec.Circle(0.5),
    ec.Capsule((-0.4, 0.0), (0.4, 0.0), 0.2),
    ec.Box(1.0, 0.6),
    ec.Polygon([(-0.5, -0.4), (0.5, -0.4), (0.0, 0.5)], radius=0.1),
    ec.Sector(0.8, 0.5),
)


def test_two_boxes_that_overlap_have_two_points_and_a_normal_from_a_to_b() -> None:
    box = ec.Box(1, 1)
    found = ec.manifold(box, (0, 0, 0), box, (0.9, 0.2, 0))
    assert found is not None
    assert found.normal == pytest.approx((1.0, 0.0))
    assert sorted(found.points) == [pytest.approx((0.45, -0.3)), pytest.approx((0.45, 0.5))]
    assert found.separations == pytest.approx((-0.1, -0.1))
    turned_round = ec.manifold(box, (0.9, 0.2, 0), box, (0, 0, 0))
    assert turned_round is not None and turned_round.normal == pytest.approx((-1.0, 0.0))


@pytest.mark.parametrize("a", CONVEX, ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("b", CONVEX, ids=lambda shape: type(shape).__name__)
def test_the_deepest_point_of_convex_shapes_has_the_depth_of_their_distance(a: ec.Shape, b: ec.Shape) -> None:
    rng = np.random.default_rng(7)
    touched = 0
    for _ in range(60):
        pose = (*rng.uniform(-0.9, 0.9, 2).tolist(), rng.uniform(-math.pi, math.pi))
        distance, found = ec.distance(a, (0, 0, 0), b, pose), ec.manifold(a, (0, 0, 0), b, pose)
        assert (found is None) == (distance > 1e-9)
        if found is not None:
            touched += 1
            assert min(found.separations) == pytest.approx(distance, abs=1e-6)
            assert math.hypot(*found.normal) == pytest.approx(1.0)
    assert touched > 10


def test_shapes_of_several_pieces_have_the_manifold_of_the_deepest_two() -> None:
    tiles = ec.Bitmap([[1, 1, 1, 1]], 1.0)
    found = ec.manifold(tiles, (0, 0, 0), ec.Circle(0.5), (2.0, 1.4, 0.0))
    assert found is not None
    assert found.normal == pytest.approx((0.0, 1.0))
    assert found.separations == pytest.approx((-0.1,))
    ground = ec.manifold(ec.Box(1, 1), (0, 0.4, 0), ec.HalfPlane(), (0, 0, 0))
    assert ground is not None and ground.normal == pytest.approx((0.0, -1.0))


def test_shapes_that_are_apart_or_unbounded_have_none() -> None:
    assert ec.manifold(ec.Circle(1), (0, 0, 0), ec.Circle(1), (2.1, 0, 0)) is None
    with pytest.raises(ValueError, match="have no manifold"):
        ec.manifold(ec.HalfPlane(), (0, 0, 0), ec.Ring(1), (0, 0, 0))
