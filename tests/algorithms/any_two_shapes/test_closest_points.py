"""Closest points lie on both shapes, the signed distance apart; their separation parts the shapes."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest

import ecs_collide as ec

BENT = ec.ArcPolygon([(-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5)], [0, 0, -0.4, 0])
SHAPES: dict[str, ec.Shape] = {
    "circle": ec.Circle(0.5, (0.2, 0.1)),
    "box": ec.Box(1.5, 0.7),
    "rounded box": ec.Polygon([(-0.5, -0.3), (0.5, -0.3), (0.5, 0.3), (-0.5, 0.3)], radius=0.2),
    "capsule": ec.Capsule((-0.6, 0), (0.5, 0.3), 0.2),
    "segment": ec.Segment((-0.6, 0), (0.5, 0.3)),
    "concave": ec.Polygon([(0, 0), (2, 0), (2, 0.5), (0.5, 0.5), (0.5, 2), (0, 2)]),
    "sector": ec.Sector(1.2, 0.7),
    "hollow": BENT,
    "chain": ec.Chain([(0, 0), (1, 0.3), (1.5, -0.4), (2, 0.6)]),
    "compound": ec.Compound([ec.Circle(0.4, (0, 1)), ec.Box(0.4, 2)]),
}
POINT = ec.Circle(1e-12)


def poses(rng: np.random.Generator, far: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Return two random poses, about `far` apart [m]."""
    angle = rng.uniform(0, 2 * math.pi)
    x, y, a, b = rng.uniform(-3, 3, 4).tolist()
    return (x, y, a), (x + far * math.cos(angle), y + far * math.sin(angle), b)


@pytest.mark.parametrize(("name_a", "name_b"), combinations_with_replacement(SHAPES, 2))
def test_the_points_are_on_both_shapes_the_distance_apart(name_a: str, name_b: str) -> None:
    rng = np.random.default_rng([len(name_a), len(name_b), *name_a.encode()])
    a, b = SHAPES[name_a], SHAPES[name_b]
    for far in (3.0, 4.0, 2.5, 6.0, 2.0) * 4:
        at_a, at_b = poses(rng, far)
        found = ec.closest_points(a, at_a, b, at_b)
        assert found.distance == ec.distance(a, at_a, b, at_b)
        assert math.hypot(*found.normal) == pytest.approx(1)
        for k in range(2):
            assert found.point_b[k] == pytest.approx(found.point_a[k] + found.distance * found.normal[k], abs=1e-12)
        if found.distance > 0:
            for shape, pose, (x, y) in ((a, at_a, found.point_a), (b, at_b, found.point_b)):
                assert ec.distance(shape, pose, POINT, (x, y, 0)) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize(
    ("name_a", "name_b"),
    combinations_with_replacement(("circle", "box", "rounded box", "capsule", "segment", "sector"), 2),
)
def test_convex_shapes_that_overlap_are_parted_by_the_distance_along_the_normal(name_a: str, name_b: str) -> None:
    rng = np.random.default_rng([7, len(name_a), len(name_b)])
    a, b = SHAPES[name_a], SHAPES[name_b]
    overlaps = 0
    for far in (0.2, 0.4, 0.6, 0.8) * 5:
        at_a, (x, y, angle) = poses(rng, far)
        found = ec.closest_points(a, at_a, b, (x, y, angle))
        if found.distance >= 0:
            continue
        overlaps += 1
        moved = x - found.distance * found.normal[0], y - found.distance * found.normal[1], angle
        assert ec.distance(a, at_a, b, moved) == pytest.approx(0, abs=1e-9)
        for shape, pose, (px, py) in ((a, at_a, found.point_a), (b, (x, y, angle), found.point_b)):
            assert ec.distance(shape, pose, POINT, (px, py, 0)) < 1e-8, "the points lie in their shapes"
    assert overlaps > 3


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("unbounded", [ec.HalfPlane((0, 1), 0.5), ec.Ring(9.0)])
def test_unbounded_shapes(unbounded: ec.Shape, swapped: bool) -> None:
    rng = np.random.default_rng(3)
    for name, shape in SHAPES.items():
        for _ in range(5):
            x, y, angle = rng.uniform(-3, 3, 3).tolist()
            pair = (unbounded, (0.3, -3.5, 0.2)), (shape, (x, y, angle))
            (a, at_a), (b, at_b) = pair[::-1] if swapped else pair
            found = ec.closest_points(a, at_a, b, at_b)
            assert found.distance == ec.distance(a, at_a, b, at_b)
            if found.distance > 0:
                for each, pose, (px, py) in ((a, at_a, found.point_a), (b, at_b, found.point_b)):
                    assert ec.distance(each, pose, POINT, (px, py, 0)) == pytest.approx(0, abs=1e-8), name


def test_points_of_parallel_edges_lie_in_the_middle_of_what_they_share() -> None:
    found = ec.closest_points(ec.Box(4, 1), (0, 0, 0), ec.Box(2, 1), (2, 3, 0))
    assert found == (2.0, (0.0, 1.0), (1.5, 0.5), (1.5, 2.5))
    found = ec.closest_points(ec.Box(2, 1), (2, 0.75, 0), ec.Box(4, 1), (0, 0, 0))
    assert found == (-0.25, (0.0, -1.0), (1.5, 0.25), (1.5, 0.5))


def test_two_unbounded_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="must not both be unbounded"):
        ec.closest_points(ec.Ring(1), (0, 0, 0), ec.HalfPlane(), (0, 0, 0))
