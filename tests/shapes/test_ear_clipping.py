"""Triangles of simple polygons cover them without overlaps, for shapes that are hard to cut, against shapely."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
import shapely

from ecs_collide.shapes.ear_clipping import cut_ears

Rng = np.random.Generator


def jagged_ring(rng: Rng) -> list[tuple[float, float]]:
    count = int(rng.integers(5, 120))
    turns = np.arange(count) * 2 * math.pi / count
    return [(r * math.cos(t), r * math.sin(t)) for r, t in zip(rng.uniform(0.2, 1, count), turns, strict=True)]


def skyline(rng: Rng) -> list[tuple[float, float]]:
    heights = rng.integers(1, 9, int(rng.integers(2, 40))).tolist()
    top = [(float(k + side), float(height)) for k, height in enumerate(heights) for side in (0, 1)]
    return [(0.0, 0.0), (float(len(heights)), 0.0), *top[::-1]]


def rolled_strip(rng: Rng) -> list[tuple[float, float]]:
    turns = 0.3 * np.arange(4, int(rng.integers(8, 60)))
    outer = [((t + 0.25) * math.cos(t), (t + 0.25) * math.sin(t)) for t in turns]
    inner = [(t * math.cos(t), t * math.sin(t)) for t in turns]
    return outer + inner[::-1]


def rake(rng: Rng) -> list[tuple[float, float]]:
    teeth = int(rng.integers(2, 30))
    gaps = [
        point
        for k in range(teeth)
        for point in ((2.0 * k, 3.0), (2.0 * k + 1, 3.0), (2.0 * k + 1, 1.0), (2.0 * k + 2, 1.0))
    ]
    return [(0.0, 0.0), (2.0 * teeth, 0.0), *gaps[::-1]]


def with_straight_vertices(rng: Rng) -> list[tuple[float, float]]:
    corners = skyline(rng)
    return [
        (x + f * (u - x), y + f * (v - y))
        for (x, y), (u, v) in zip(corners, [*corners[1:], corners[0]], strict=True)
        for f in (0.0, 0.25, 0.5)
    ]


MAKERS: list[Callable[[Rng], list[tuple[float, float]]]] = [
    jagged_ring,
    skyline,
    rolled_strip,
    rake,
    with_straight_vertices,
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", range(20))
def test_the_triangles_cover_the_polygon_without_overlaps(
    make: Callable[[Rng], list[tuple[float, float]]], seed: int
) -> None:
    points = np.array(make(np.random.default_rng(seed)))
    polygon = shapely.Polygon(points)
    if not polygon.exterior.is_ccw:
        points = points[::-1].copy()
    triangles = [shapely.Polygon(points[each]) for each in cut_ears(points)]
    assert all(each.exterior.is_ccw for each in triangles)
    assert sum(each.area for each in triangles) == pytest.approx(polygon.area, rel=1e-12)
    assert shapely.union_all(triangles).symmetric_difference(polygon).area < 1e-9 * polygon.area


def test_a_triangle_is_its_own_only_one() -> None:
    assert sorted(cut_ears(np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]))[0].tolist()) == [0, 1, 2]


def test_a_polygon_that_crosses_itself_ends_without_covering_it() -> None:
    bow_tie = np.array([(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0), (-3.0, 1.0)])
    assert len(cut_ears(bow_tie)) <= 3
