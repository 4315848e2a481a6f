"""The bounding box of a shape, against the outlines that a reference draws, and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ecs_collide as ec
from tests.support.random_entities import SHAPES
from tests.support.reference.solids import SLICES

INF = math.inf


@pytest.mark.parametrize("kind", range(len(SHAPES)))
def test_the_box_is_tight_around_the_places_where_the_shape_meets_thin_strips(kind: int) -> None:
    rng = np.random.default_rng(kind)
    for _ in range(10):
        shape = SHAPES[kind](rng)
        pose = (*rng.uniform(-3, 3, 2).tolist(), float(rng.uniform(-4, 4)))
        low_x, low_y, high_x, high_y = ec.aabb(shape, pose)
        for side, normal in ((low_x, (1, 0)), (low_y, (0, 1)), (-high_x, (-1, 0)), (-high_y, (0, -1))):
            beyond = ec.HalfPlane(normal, 0.0)
            nx, ny = normal
            assert ec.distance(beyond, (side * nx, side * ny, 0), shape, pose) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("name", SLICES)
def test_arcs_count_with_their_outermost_points(name: str) -> None:
    solid = SLICES[name]
    points = solid.boundary.samples(1e-4)
    low_x, low_y, high_x, high_y = ec.aabb(solid.shape)
    assert [low_x, low_y] == pytest.approx(points.min(axis=0), abs=1e-6)
    assert [high_x, high_y] == pytest.approx(points.max(axis=0), abs=1e-6)


def test_unbounded_shapes_have_infinite_sides() -> None:
    assert ec.aabb(ec.HalfPlane((0, 1), 2.0), (5, 1, 0)) == (-INF, -INF, INF, 3.0)
    assert ec.aabb(ec.HalfPlane((1, 0)), (5, 1, 0)) == (-INF, -INF, 5.0, INF)
    assert ec.aabb(ec.HalfPlane((0, 1)), (0, 0, 0.3)) == (-INF, -INF, INF, INF)
    assert ec.aabb(ec.Ring(2.0)) == (-INF, -INF, INF, INF)


def test_bad_arguments_are_named() -> None:
    with pytest.raises(TypeError, match="shape must be a shape, got 3"):
        ec.aabb(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"pose\[1\] must be a finite number"):
        ec.aabb(ec.Circle(1), (0, math.nan, 0))
