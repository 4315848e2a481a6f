"""Tests of convex outlines."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, strategies as st

from ecs_collide.shapes.convex import find_simple_corners
from ecs_collide.shapes.simple import TOLERANCE
from ecs_collide.validate import Vector2
from tests.shapes.strategies import angles, convex_outlines, moved_point, vectors

SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


def simple_corners(points: object) -> tuple[tuple[Vector2, ...], int | None]:
    return find_simple_corners(tuple((float(x), float(y)) for x, y in np.asarray(points)), "vertices")


def convex_corners(points: object) -> tuple[Vector2, ...]:
    corners, inward = simple_corners(points)
    assert inward is None
    return corners


def test_counter_clockwise_is_kept() -> None:
    assert convex_corners(SQUARE) == SQUARE


def test_clockwise_is_reversed_with_the_first_staying_first() -> None:
    assert convex_corners([(0, 0), (0, 2), (2, 2), (2, 0)]) == SQUARE


@pytest.mark.parametrize("start", range(8))
def test_points_along_edges_are_welded(start: int) -> None:
    points = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
    welded = convex_corners(points[start:] + points[:start])
    assert sorted(welded) == sorted(SQUARE)
    assert convex_corners(welded) == welded


@pytest.mark.parametrize("start", range(7))
def test_repeated_points_are_welded(start: int) -> None:
    points = [(0, 0), (0, 0), (0, 0), (2, 0), (2, 2), (2, 2), (0, 2)]
    assert sorted(convex_corners(points[start:] + points[:start])) == sorted(SQUARE)


@pytest.mark.parametrize("scale", [1e-150, 1e-6, 1.0, 1e9, 1e150])
def test_the_tolerance_goes_with_the_size(scale: float) -> None:
    def square(bump: float) -> list[Vector2]:
        return [(x * scale, y * scale) for x, y in (*SQUARE, (bump, 1.0))]

    diagonal = math.sqrt(8.0)
    assert len(convex_corners(square(-0.5 * TOLERANCE * diagonal))) == 4
    assert len(convex_corners(square(+0.5 * TOLERANCE * diagonal))) == 4
    assert len(convex_corners(square(-2.0 * TOLERANCE * diagonal))) == 5
    assert simple_corners(square(+2.0 * TOLERANCE * diagonal))[1] == 4


@given(convex_outlines(), st.integers(1, 4), angles, vectors)
def test_float32_points_along_edges_are_no_dents(outline: list[Vector2], parts: int, angle: float, at: Vector2) -> None:
    points = np.array([moved_point(point, angle, (0.0, 0.0)) for point in outline])
    points -= points.mean(axis=0)
    assume(np.ptp(points, axis=0).min() > 0.1 * np.ptp(points, axis=0).max())
    following = np.roll(points, -1, axis=0)
    divided = np.concatenate([points + (following - points) * (part / parts) for part in range(parts)], axis=1)
    assert len(convex_corners(divided.reshape(-1, 2).astype(np.float32))) == len(outline)


def test_many_vertices() -> None:
    turns = np.linspace(0, 2 * math.pi, 8000, endpoint=False)
    assert len(convex_corners(np.stack((np.cos(turns), np.sin(turns)), axis=1) + 1e3)) == 8000


@pytest.mark.parametrize("points", [[], [(1, 1)], [(0, 0), (1, 0)], [(0, 0), (1, 0), (0, 0)], [(5, 5)] * 4])
def test_fewer_than_three_points(points: list[Vector2]) -> None:
    message = rf"^vertices must hold at least three different points, got {len(set(points))}: \["
    with pytest.raises(ValueError, match=message):
        find_simple_corners(tuple(points), "vertices")


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (1, 1), (2, 2)],
        [(0, 0), (3, 0), (1, 0), (2, 0)],
        [(0, 0), (1, 1e-9), (2, 0)],
        [(0, 0), (1, 0), (0, 1e-9)],
        [(1e6, 1e6), (1e6 + 1, 1e6 + 2), (1e6 + 2, 1e6 + 4)],
    ],
)
def test_all_on_one_line(points: list[Vector2]) -> None:
    with pytest.raises(ValueError, match=r"^vertices must not all lie on one line, got \[\("):
        convex_corners(points)


def test_a_size_beyond_float() -> None:
    with pytest.raises(ValueError, match=r"^the diagonal of vertices must be a finite number, got inf$"):
        convex_corners([(-1e308, 0), (1e308, 0), (0, 1e308)])


def test_long_lists_are_shortened_in_messages() -> None:
    with pytest.raises(ValueError, match=r"\(7\.0, 0\.0\)\] and 92 more$"):
        convex_corners([(i, 0) for i in range(100)])


@pytest.mark.parametrize(
    ("points", "meeting"),
    [
        ([(0, 0), (2, 2), (2, 0), (0, 2)], "the edge from vertex 0 to 1 crosses the edge from vertex 2 to 3"),
        ([(0, 0), (1, 1), (2, 2), (2, 0), (0, 2)], "the edge from vertex 0 to 2 crosses the edge from vertex 3 to 4"),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "vertex 3 lies on the edge from vertex 0 to 1"),
        ([(0, 0), (2, 0), (1, 0), (1, 1)], "vertex 2 lies on the edge from vertex 0 to 1"),
        ([(0, 0), (1, 0), (0, 0), (0, 1)], "vertex 2 lies on the edge from vertex 0 to 1"),
        ([*SQUARE, *SQUARE], "vertex 4 lies on the edge from vertex 0 to 1"),
    ],
    ids=["bow tie", "bow tie with a point along", "touching", "spike", "there and back", "twice around"],
)
def test_self_intersecting(points: list[Vector2], meeting: str) -> None:
    with pytest.raises(ValueError, match=rf"^vertices must not intersect itself, but {meeting}; got \["):
        convex_corners(points)


def test_the_pentagram_turns_one_way_but_twice() -> None:
    points = [(math.cos(4 * math.pi * i / 5), math.sin(4 * math.pi * i / 5)) for i in range(5)]
    with pytest.raises(ValueError, match="must not intersect itself, but the edge from vertex 0 to 1 crosses"):
        convex_corners(points)


@pytest.mark.parametrize("winding", [1, -1])
def test_non_convex(winding: int) -> None:
    points = [(0, 0), (1, 0), (2, 0), (2, 2), (1, 0.5), (0, 2)][::winding]
    index = points.index((1, 0.5))
    assert simple_corners(points)[1] == index


def test_a_simple_outline_keeps_its_inward_corners() -> None:
    points = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (1.0, 0.5), (0.0, 2.0)]
    assert find_simple_corners(tuple(points), "vertices") == (tuple(points), 3)
    assert find_simple_corners(tuple(points[::-1]), "vertices") == ((points[4], *points[:4]), 1)
    assert find_simple_corners(SQUARE, "vertices") == (SQUARE, None)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=7))
def test_verdict_agrees_with_shapely(points: list[tuple[int, int]]) -> None:
    outline = shapely.Polygon(points)
    try:
        corners, inward = simple_corners(points)
    except ValueError as error:
        if "intersect" in str(error):
            assert not outline.is_valid
        else:
            assert outline.convex_hull.area == 0.0
    else:
        accepted = shapely.Polygon(corners)
        assert outline.is_valid
        assert accepted.area == outline.area
        assert (inward is None) == (outline.area == outline.convex_hull.area)
        assert accepted.exterior.is_ccw
