"""Polygons that are not convex: their pieces."""

import math
import random

import numpy as np
import pytest
import shapely
from hypothesis import given, settings, strategies as st

from ecs_collide.shapes import PieceKind, Polygon
from ecs_collide.shapes.outline import plain_outline
from ecs_collide.validate import Vector2
from tests.shapes.boundary import check_cones, check_corners, check_pieces, polygon_turns
from tests.shapes.strategies import angles, moved_point, star_outlines, vectors


def comb(teeth: int) -> list[Vector2]:
    """A bar with teeth that point up, 1 wide and 1 apart."""
    points = [(0.0, 0.0), (2.0 * teeth - 1.0, 0.0)]
    for tooth in reversed(range(teeth)):
        left = 2.0 * tooth
        points += [(left + 1.0, 3.0), (left, 3.0)]
        points += [(left, 1.0), (left - 1.0, 1.0)] if tooth > 0 else []
    return points


def spiral(turns: float, steps: int) -> list[Vector2]:
    """A band of constant width that winds outwards."""
    outer: list[Vector2] = []
    inner: list[Vector2] = []
    for step in range(steps + 1):
        angle = 2.0 * math.pi * turns * step / steps
        for points, radius in ((outer, 1.6 + 0.4 * angle), (inner, 1.0 + 0.4 * angle)):
            points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return outer + inner[::-1]


def staircase(steps: int) -> list[Vector2]:
    points: list[Vector2] = [(0.0, 0.0), (float(steps), 0.0)]
    for step in reversed(range(steps)):
        points += [(step + 1.0, step + 1.0), (float(step), step + 1.0)]
    return points


OUTLINES: dict[str, list[Vector2]] = {
    "L": [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)],
    "plus": [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)],
    "comb": comb(6),
    "spiral": spiral(2.5, 60),
    "staircase": staircase(7),
    "arrow": [(0, 0), (4, -2), (3, 0), (4, 2)],
    "tiny notch": [(0, 0), (1, 0), (2, 0), (2, 2), (1.001, 2), (1, 1.999), (0.999, 2), (0, 2)],
    "deep slit": [(0, 0), (2, 0), (2, 2), (1.0001, 2), (1, 0.1), (0.9999, 2), (0, 2)],
    "almost straight in": [(0, 0), (2, 0), (2, 2), (1, 2 - 1e-4), (0, 2)],
    "points in a row": [(0, 0), (3, 0), (3, 1), (2, 1), (2, 2), (3, 2), (3, 3), (0, 3), (0, 2), (1, 2), (1, 1), (0, 1)],
}


def polygon_by_shapely(polygon: Polygon) -> shapely.Polygon:
    return shapely.Polygon(polygon.vertices)


@pytest.mark.parametrize("name", OUTLINES)
def test_the_pieces_are_the_polygon(name: str) -> None:
    polygon = Polygon(OUTLINES[name])
    check_pieces(polygon, shapely.Polygon(OUTLINES[name]))
    check_corners(polygon, polygon_turns(polygon.vertices))


@pytest.mark.parametrize("name", ["L", "plus", "comb", "spiral", "staircase", "arrow"])
def test_corners_allow_the_normals_that_the_solid_does(name: str) -> None:
    polygon = Polygon(OUTLINES[name])
    check_cones(polygon, polygon_by_shapely(polygon), 0.01)


@pytest.mark.parametrize(
    ("name", "fewest"), [("L", 2), ("plus", 3), ("comb", 7), ("staircase", 7), ("arrow", 2), ("almost straight in", 2)]
)
def test_not_many_more_pieces_than_needed(name: str, fewest: int) -> None:
    """Hertel and Mehlhorn promise four times the fewest; in practice it is far less."""
    assert fewest <= len(Polygon(OUTLINES[name]).pieces()) <= 1.5 * fewest


@pytest.mark.parametrize("name", OUTLINES)
def test_first_vertex_and_winding_do_not_matter(name: str) -> None:
    outline = OUTLINES[name]
    for start in range(0, len(outline), 3):
        turned = [*outline[start:], *outline[:start]]
        for points in (turned, turned[::-1]):
            check_pieces(Polygon(points), shapely.Polygon(outline))


@settings(max_examples=60, deadline=None)
@given(star_outlines(), angles, vectors)
def test_random_stars(outline: list[Vector2], angle: float, at: Vector2) -> None:
    polygon = Polygon([moved_point(point, angle, at) for point in outline])
    if polygon.pieces()[0].kind == PieceKind.OUTLINE:
        check_pieces(polygon, polygon_by_shapely(polygon))
        check_corners(polygon, polygon_turns(polygon.vertices))


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 60), st.integers(0, 10**6))
def test_random_tangled_outlines(count: int, seed: int) -> None:
    """Points in any order, then crossings undone one by one."""
    points = untangled(count, seed)
    polygon = Polygon(points)
    if polygon.pieces()[0].kind == PieceKind.OUTLINE:
        check_pieces(polygon, polygon_by_shapely(polygon))
        check_corners(polygon, polygon_turns(polygon.vertices))


def untangled(count: int, seed: int) -> list[Vector2]:
    """Return a simple polygon through random points of a grid: two-opt moves until none is shorter."""
    generator = random.Random(seed)
    points = generator.sample([(float(x), float(y)) for x in range(30) for y in range(30)], count)
    is_shorter = True
    while is_shorter:
        is_shorter = False
        for i in range(count - 1):
            for j in range(i + 2, count):
                a, b, c, d = points[i], points[i + 1], points[j], points[(j + 1) % count]
                if math.dist(a, c) + math.dist(b, d) < math.dist(a, b) + math.dist(c, d) - 1e-9:
                    points[i + 1 : j + 1] = points[i + 1 : j + 1][::-1]
                    is_shorter = True
    outline = shapely.Polygon(points)
    return points if outline.is_valid else untangled(count, seed + 1)


def test_a_thousand_vertices() -> None:
    outline = spiral(6.0, 500)
    check_pieces(Polygon(outline), shapely.Polygon(outline))


def test_far_from_the_origin() -> None:
    near = Polygon(OUTLINES["comb"])
    far = Polygon([(x + 1e6, y - 1e6) for x, y in OUTLINES["comb"]])
    for one, other in zip(near.pieces(), far.pieces(), strict=True):
        np.testing.assert_array_equal(one.vertices, other.vertices - (1e6, -1e6))
        np.testing.assert_array_equal(one.outline, other.outline)


def test_convex_ones_stay_as_they_are() -> None:
    (piece,) = Polygon([(0, 0), (2, 0), (2, 2), (1, 2 + 1e-5), (0, 2)]).pieces()
    assert piece.kind is PieceKind.POLYGON
    np.testing.assert_array_equal(piece.outline, plain_outline(piece.normals))


def test_mass_properties_of_the_l() -> None:
    area, centroid, second_moment = Polygon(OUTLINES["L"]).mass_properties()
    assert area == pytest.approx(5.0, rel=1e-15)
    assert centroid == pytest.approx((1.1, 1.1), rel=1e-14)
    bar = (3 * 10 / 12 + 3 * (0.4**2 + 0.6**2)) + (2 * 5 / 12 + 2 * (0.6**2 + 0.9**2))
    assert second_moment == pytest.approx(bar, rel=1e-14)


def test_no_radius() -> None:
    message = r"^Polygon\.radius must be 0 if Polygon\.vertices are not convex, got 0\.5: .* corner 3 \(1\.0, 1\.0\)"
    with pytest.raises(ValueError, match=message):
        Polygon(OUTLINES["L"], 0.5)
