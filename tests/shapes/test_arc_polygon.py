"""Tests of `ArcPolygon`."""

import math
import random

import numpy as np
import pytest
import shapely
from hypothesis import given, settings, strategies as st

from ecs_collide.shapes import ArcPolygon, Circle, Polygon
from ecs_collide.shapes.outline import FLAT, OUTLINE
from ecs_collide.validate import Vector2
from tests.shapes.boundary import check_cones, check_corners, check_pieces
from tests.shapes.reference import mass_properties_of
from tests.shapes.strategies import angles, moved_point, vectors

QUARTER = math.tan(math.pi / 8)
PARTS = 1000
"""Chords in place of each arc."""

Outline = tuple[list[Vector2], list[float]]

OUTLINES: dict[str, Outline] = {
    "lens": ([(-1, 0), (1, 0)], [0.3, 0.5]),
    "flat lens": ([(-1, 0), (1, 0)], [0.03, 0.01]),
    "flat cap": ([(-1, 0), (1, 0)], [0.03, 0]),
    "crescent": ([(-1, 0), (1, 0)], [1, -0.5]),
    "thin crescent": ([(-1, 0), (1, 0)], [1, -0.9]),
    "star of inward arcs": ([(1, 0), (0, 1), (-1, 0), (0, -1)], [-QUARTER] * 4),
    "inward triangle": ([(0, 0), (4, 0), (2, 3)], [-0.3, -0.2, -0.1]),
    "ramp": ([(0, 0), (1, 0), (1, 1)], [0, 0, -QUARTER]),
    "ramp on a base": ([(0, 0), (3, 0), (3, 2), (2, 2), (1, 1), (0, 1)], [0, 0, 0, -QUARTER, 0, 0]),
    "stadium": ([(0, 0), (2, 0), (2, 1), (0, 1)], [0, 1, 0, 1]),
    "wave": ([(0, 0), (4, 0), (4, 1), (3, 1), (2, 1), (1, 1), (0, 1)], [0, 0, 1, -1, 1, -1, 0]),
    "cup": ([(0, 0), (3, 0), (3, 2), (2.9, 2), (0.1, 2), (0, 2)], [0, 0, 0, -1, 0, 0]),
    "quarter": ([(0, 0), (1, 0), (0, 1)], [0, QUARTER, 0]),
    "heart": ([(0, -2), (2, 0), (0, 0), (-2, 0)], [0, 1, 1, 0]),
    "ball in a socket": (
        [(-3, -3), (3, -3), (3, 0), (1.05, 0), (0.1, -1.05), (0.1, -1), (-0.1, -1), (-0.1, -1.05), (-1.05, 0), (-3, 0)],
        [0, 0, 0, -0.38, 0, 0, 0, -0.38, 0, 0],
    ),
    "rounded box": (
        [(1, 0), (3, 0), (4, 1), (4, 2), (3, 3), (1, 3), (0, 2), (0, 1)],
        [0, QUARTER, 0, QUARTER, 0, QUARTER, 0, QUARTER],
    ),
    "thin arch": ([(2, 0), (1.95, 0), (0.05, 0), (0, 0)], [0, -1, 0, 1]),
    "polygon": ([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)], [0] * 6),
}

AMBIGUOUS = ("lens", "flat lens", "flat cap", "crescent", "thin crescent", "thin arch")
"""Both ways round they make an outline."""


def arc_through(a: Vector2, b: Vector2, bulge: float) -> list[Vector2]:
    """Return points from a on, before b, of the arc whose middle is bulge * |ab| / 2 to the right of the chord's.

    With a and b at ∓1 the arc is the image of the segment under z ↦ (z + m) / (1 + m z), m its middle.
    """
    if not bulge:
        return [a]
    start, stop = complex(*a), complex(*b)
    segment = np.tan(np.linspace(-1.0, 1.0, PARTS, endpoint=False) * np.arctan(bulge)) / bulge
    middle = -1j * bulge
    points = (segment + middle) / (1.0 + middle * segment)
    points = 0.5 * (start + stop) + 0.5 * (stop - start) * points
    return list(zip(points.real.tolist(), points.imag.tolist(), strict=True))


def arc_polygon_by_shapely(vertices: list[Vector2], bulges: list[float]) -> shapely.Polygon:
    """Return the solid of a counter-clockwise outline."""
    following = [*vertices[1:], vertices[0]]
    return shapely.Polygon(
        [point for a, b, bulge in zip(vertices, following, bulges, strict=True) for point in arc_through(a, b, bulge)]
    )


def perimeter_of(vertices: list[Vector2], bulges: list[float]) -> float:
    total = 0.0
    for a, b, bulge in zip(vertices, [*vertices[1:], vertices[0]], bulges, strict=True):
        half_angle = 2.0 * math.atan(abs(bulge))
        total += math.dist(a, b) * (half_angle / math.sin(half_angle) if bulge else 1.0)
    return total


def arc_polygon_turns(vertices: list[Vector2], bulges: list[float]) -> dict[Vector2, tuple[float, Vector2, Vector2]]:
    """Return turn and normals at each vertex; an arc's end tangents are the chord's turned by twice atan(bulge)."""
    turns = {}
    count = len(vertices)
    chords = [
        math.atan2(vertices[(k + 1) % count][1] - vertices[k][1], vertices[(k + 1) % count][0] - vertices[k][0])
        for k in range(count)
    ]
    for k, vertex in enumerate(vertices):
        first = chords[k - 1] + 2.0 * math.atan(bulges[k - 1])
        last = chords[k] - 2.0 * math.atan(bulges[k])
        turn = (last - first + math.pi) % (2.0 * math.pi) - math.pi
        if abs(abs(turn) - math.pi) < 1e-6:  # a cusp: outwards unless both arcs bend outwards
            turn = math.pi if min(bulges[k - 1], bulges[k]) < 0.0 else -math.pi
        turns[vertex] = (turn, (math.sin(first), -math.cos(first)), (math.sin(last), -math.cos(last)))
    return turns


def check_arc_polygon(vertices: list[Vector2], bulges: list[float]) -> ArcPolygon:
    polygon = ArcPolygon(vertices, bulges)
    check_pieces(polygon, arc_polygon_by_shapely(vertices, bulges), True, perimeter_of(vertices, bulges))
    check_corners(polygon, arc_polygon_turns(vertices, bulges))
    return polygon


@pytest.mark.parametrize("name", OUTLINES)
def test_the_pieces_are_the_outline(name: str) -> None:
    vertices, bulges = OUTLINES[name]
    polygon = check_arc_polygon(vertices, bulges)
    assert polygon.vertices == tuple((float(x), float(y)) for x, y in vertices)
    assert polygon.bulges == tuple(map(float, bulges))


@pytest.mark.parametrize("name", OUTLINES)
def test_first_vertex_and_winding_do_not_matter(name: str) -> None:
    vertices, bulges = OUTLINES[name]
    count = len(vertices)
    for start in range(0, count, 2):
        turned = [vertices[(start + k) % count] for k in range(count)]
        turned_bulges = [bulges[(start + k) % count] for k in range(count)]
        check_arc_polygon(turned, turned_bulges)
        if name not in AMBIGUOUS:
            backwards = ArcPolygon([turned[0], *turned[:0:-1]], turned_bulges[::-1])
            assert backwards == ArcPolygon(turned, turned_bulges)


@pytest.mark.parametrize("name", ["crescent", "inward triangle", "cup", "quarter", "ramp on a base", "wave"])
def test_corners_allow_the_normals_that_the_solid_does(name: str) -> None:
    polygon = ArcPolygon(*OUTLINES[name])
    check_cones(polygon, arc_polygon_by_shapely(*OUTLINES[name]), 0.002)


@pytest.mark.parametrize("name", OUTLINES)
def test_mass_properties(name: str) -> None:
    """Against the pieces, whose arcs are inscribed polygons there."""
    polygon = ArcPolygon(*OUTLINES[name])
    actual, expected = polygon.mass_properties(), mass_properties_of(polygon.pieces())
    assert actual.area == pytest.approx(expected.area, rel=2e-5)
    assert actual.centroid == pytest.approx(expected.centroid, abs=2e-5)
    assert actual.second_moment == pytest.approx(expected.second_moment, rel=2e-5)


def random_outline(seed: int) -> Outline:
    """Return a star-shaped polygon with arcs that stay clear of each other."""
    generator = random.Random(seed)
    while True:
        count = generator.randint(3, 9)
        steps = [generator.uniform(0.3, 1.0) for _ in range(count)]
        turns = [2.0 * math.pi * sum(steps[:k]) / sum(steps) for k in range(count)]
        radii = [generator.uniform(0.6, 2.0) for _ in range(count)]
        vertices = [(r * math.cos(t), r * math.sin(t)) for r, t in zip(radii, turns, strict=True)]
        bulges = [generator.choice((0.0, 1.0, 1.0)) * generator.uniform(-0.7, 1.0) for _ in range(count)]
        solid = arc_polygon_by_shapely(vertices, bulges)
        is_clear = solid.is_valid and solid.exterior.is_ccw and solid.buffer(-0.01).geom_type == "Polygon"
        sharpest = max(turn for turn, _, _ in arc_polygon_turns(vertices, bulges).values())
        if is_clear and sharpest < 3.1 and not solid.buffer(0.01).interiors:
            return vertices, bulges


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_random_outlines(seed: int) -> None:
    check_arc_polygon(*random_outline(seed))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), angles, vectors)
def test_mass_moves_with_the_shape(seed: int, angle: float, at: Vector2) -> None:
    vertices, bulges = random_outline(seed)
    before = ArcPolygon(vertices, bulges).mass_properties()
    after = ArcPolygon([moved_point(vertex, angle, at) for vertex in vertices], bulges).mass_properties()
    assert after.area == pytest.approx(before.area, rel=1e-11)
    assert after.centroid == pytest.approx(moved_point(before.centroid, angle, at), abs=1e-10)
    assert after.second_moment == pytest.approx(before.second_moment, rel=1e-9)


def test_two_half_circles_are_a_disk() -> None:
    polygon = check_arc_polygon([(-1, 0), (1, 0)], [1, 1])
    for actual, expected in zip(polygon.mass_properties(), Circle(1).mass_properties(), strict=True):
        assert actual == pytest.approx(expected, rel=1e-13, abs=1e-14)


def test_without_arcs_it_is_the_polygon() -> None:
    vertices, bulges = OUTLINES["polygon"]
    arcs, plain = ArcPolygon(vertices, bulges), Polygon(vertices)
    for actual, expected in zip(arcs.mass_properties(), plain.mass_properties(), strict=True):
        assert actual == pytest.approx(expected, rel=1e-14)
    assert len(arcs.pieces()) == len(plain.pieces())


def test_parts_of_an_inward_arc_are_at_most_30_degrees_and_smooth() -> None:
    vertices, bulges = OUTLINES["cup"]
    arcs = [
        (row, math.dist(piece.vertices[k], piece.vertices[(k + 1) % len(piece.vertices)]))
        for piece in ArcPolygon(vertices, bulges).pieces()
        for k, row in enumerate(piece.outline)
        if row[OUTLINE.ARC_RADIUS] > 0.0
    ]
    assert len(arcs) == 6
    for row, chord in arcs:
        assert row[OUTLINE.ARC_RADIUS] == pytest.approx(1.4, rel=1e-12)
        assert 2.0 * math.asin(0.5 * chord / 1.4) <= math.pi / 6 + 1e-9
    assert sum(row[OUTLINE.START] == FLAT for row, _ in arcs) == sum(row[OUTLINE.STOP] == FLAT for row, _ in arcs) == 5


def test_flat_arcs_and_points_that_add_nothing() -> None:
    vertices = [(0, 0), (1, 0), (2, 0), (2, 0), (2, 2), (0, 2)]
    polygon = ArcPolygon(vertices, [0.0, 0.0, 0.7, 0.0, 1e-9, 0.0])
    assert polygon == ArcPolygon([(0, 0), (2, 0), (2, 2), (0, 2)], [0, 0, 0, 0])


def test_a_crescent_given_clockwise_bends_the_other_way() -> None:
    """With two vertices, both ways round make an outline; they count as counter-clockwise."""
    below, above = ArcPolygon([(-1, 0), (1, 0)], [1, -0.5]), ArcPolygon([(1, 0), (-1, 0)], [1, -0.5])
    assert below.mass_properties().centroid[1] == pytest.approx(-above.mass_properties().centroid[1])
    assert below.mass_properties().centroid[1] < 0.0


def test_bad_arguments() -> None:
    with pytest.raises(
        ValueError, match=r"^ArcPolygon\.bulges must hold one number for each of the 2 vertices, got 1$"
    ):
        ArcPolygon([(0, 0), (1, 0)], [1])
    with pytest.raises(ValueError, match=r"^ArcPolygon\.bulges\[1\] must lie between -1 and 1, got -1\.5$"):
        ArcPolygon([(0, 0), (1, 0)], [1, -1.5])
    with pytest.raises(TypeError, match=r"^ArcPolygon\.bulges\[0\] must be a finite number, got '1'$"):
        ArcPolygon([(0, 0), (1, 0)], ["1", "0"])
    with pytest.raises(ValueError, match=r"^ArcPolygon\.vertices must hold at least two different points, got 0$"):
        ArcPolygon([(1, 1), (1, 1)], [1, 1])
    with pytest.raises(ValueError, match=r"^ArcPolygon\.vertices must hold at least two different points, got 0$"):
        ArcPolygon([], [])


@pytest.mark.parametrize(
    ("vertices", "bulges", "meeting"),
    [
        ([(0, 0), (1, 0)], [0, 0], "its two edges are one"),
        ([(0, 0), (2, 0)], [0.02, -0.02], "the edge from .* meets the one from"),
        ([(0, 0), (2, 0)], [0.5, -0.9], "its arcs bend inwards so far that it encloses nothing"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], [0, 0, 0, 0], "the edge from .* meets the one from"),
        ([(0, 0), (2, 0), (2, 1), (0, 1)], [-1, 0, 0, 0], "the edge from .* meets the one from"),
        (
            [(0, 0), (3, 0), (3, 2), (1.9, 2), (1.9, 1), (1.1, 1), (1.1, 2), (0, 2)],
            [0, 0, 0, 1, 0, 1, 0, 0],
            "the edge from .* meets the one from",
        ),
    ],
    ids=["no area", "one flat arc twice", "inside out", "bow tie", "arc through the far side", "arc against arc"],
)
def test_outlines_that_meet_themselves(vertices: list[Vector2], bulges: list[float], meeting: str) -> None:
    message = rf"^ArcPolygon\.vertices with ArcPolygon\.bulges must not intersect itself, but {meeting}"
    with pytest.raises(ValueError, match=message):
        ArcPolygon(vertices, bulges)


def test_horns_without_width_are_refused() -> None:
    """Two circles that touch from inside: near the horn, chords of the outer one lie inside the inner one."""
    with pytest.raises(ValueError, match=r"must not intersect itself, but the edge from \(0\.0, 0\.0\) to"):
        ArcPolygon([(0, 0), (0, 2), (0, 1.4)], [1, 0, -1])


def test_very_thin_crescents_are_refused() -> None:
    message = r"^ArcPolygon\.vertices with ArcPolygon\.bulges cannot be cut into convex pieces: it is too thin"
    with pytest.raises(ValueError, match=message):
        ArcPolygon([(-1, 0), (1, 0)], [1, -0.999])
