"""Shapes are drawn where the engine has them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Point, Polygon as Area

import ecs_collide as ec
from ecs_collide.draw.shape_outline import FAR, clip_to, outline
from ecs_collide.shapes.mass import combine, polygon

BITMAP = ec.Bitmap([[1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1], [0, 0, 0, 1], [1, 0, 0, 0]], 0.5)
SHAPES = [
    ec.Circle(0.7, center=(0.3, -0.2)),
    ec.Capsule((-1.0, 0.2), (0.8, 1.1), 0.4),
    ec.Box(2.0, 0.6, center=(0.5, 1.0), angle=0.4),
    ec.Polygon([(0, 0), (2, 0.2), (1.4, 1.5), (0.1, 1.0)]),
    ec.Polygon([(0, 0), (0.1, 1.0), (1.4, 1.5), (2, 0.2)], radius=0.3),
    ec.Polygon([(0, 0), (3, 0), (3, 2), (1.5, 0.5), (0, 2)]),
    ec.ArcPolygon([(0, 0), (2, 0), (2, 1.5), (0, 1.5)], [0.0, 0.6, -1.0, 0.2]),
    ec.ArcPolygon([(-1, 0), (1, 0)], [1.0, 0.3]),
    ec.Sector(1.3, 0.4, direction=0.7),
    ec.Sector(1.3, 2.5, direction=-2.0),
    ec.Sector(0.8, math.pi),
    BITMAP,
]
PARTS: dict[str, list[ec.Shape | tuple[ec.Shape, tuple[float, float, float]]]] = {
    "apart": [ec.Box(1.0, 1.0), (ec.Circle(0.5), (2.0, 0.5, 1.0))],
    "overlapping": [ec.Box(3.0, 0.5), (ec.Sector(1.0, 2.0), (1.0, 0.3, 2.0)), (ec.Circle(0.6), (-1.4, 0.1, 0.0))],
    "flush": [ec.Box(2.0, 1.0), (ec.Box(1.0, 1.0), (0.2, 1.0, 0.0)), (ec.Box(1.0, 1.0), (1.5, 0.25, 0.0))],
    "one inside another": [ec.Box(2.0, 2.0), (ec.Circle(0.5), (0.1, 0.2, 0.0))],
    "with a hole": [BITMAP, (ec.Compound([ec.Box(0.4, 0.4)]), (0.9, 0.75, 0.3))],
}


def test_a_game_gets_outlines_that_it_cannot_spoil() -> None:
    assert ec.draw.outline is outline
    (area,) = outline(ec.Box(2.0, 1.0)).areas
    assert area.tolist() == [[-1.0, -0.5], [1.0, -0.5], [1.0, 0.5], [-1.0, 0.5]]
    with pytest.raises(ValueError, match="read-only"):
        area[0] = 0.0


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_area_and_centroid_are_those_of_the_shape(shape: ec.Shape) -> None:
    drawn, exact = combine(polygon(area) for area in outline(shape).areas), shape.mass_properties()
    assert drawn.area == pytest.approx(exact.area, rel=1e-3)
    assert drawn.centroid == pytest.approx(exact.centroid, abs=1e-3)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_edges_surround_the_area(shape: ec.Shape) -> None:
    drawn = outline(shape)
    assert all((edge[0] == edge[-1]).all() for edge in drawn.edges)
    surrounded = sum(signed_area(edge) for edge in drawn.edges)
    assert surrounded == pytest.approx(sum(signed_area(area) for area in drawn.areas))
    assert drawn.lines == ()


def signed_area(points: NDArray[np.float64]) -> float:
    following = np.roll(points, -1, axis=0)
    return float(0.5 * (points[:, 0] * following[:, 1] - points[:, 1] * following[:, 0]).sum())


@pytest.mark.parametrize("name", PARTS)
def test_the_edges_of_a_compound_are_those_of_its_union(name: str) -> None:
    drawn = outline(ec.Compound(PARTS[name]))
    union = MultiPolygon()
    for area in drawn.areas:
        union = union.union(Area(area))
    boundary = union.boundary
    lines = [LineString(edge) for edge in drawn.edges]
    assert sum(line.length for line in lines) == pytest.approx(boundary.length, rel=1e-6)
    assert all(line.hausdorff_distance(line.intersection(boundary.buffer(1e-6))) < 1e-5 for line in lines)


@pytest.mark.parametrize(
    ("shape", "points"),
    [
        (ec.Segment((0, 1), (2, 3)), [(0, 1), (2, 3)]),
        (ec.Chain([(0, 1), (2, 3), (4, 1)]), [(0, 1), (2, 3), (4, 1)]),
        (ec.Chain([(0, 1), (2, 3), (4, 1)], loop=True), [(0, 1), (2, 3), (4, 1), (0, 1)]),
        (ec.Compound([(ec.Segment((0, 0), (1, 0)), (1.0, 2.0, 0.5 * math.pi))]), [(1, 2), (1, 3)]),
    ],
    ids=repr,
)
def test_a_piece_without_thickness_is_a_line(shape: ec.Shape, points: list[tuple[float, float]]) -> None:
    drawn = outline(shape)
    assert (drawn.areas, drawn.edges) == ((), ())
    assert np.concatenate(drawn.lines) == pytest.approx(np.array(points))


def test_a_half_plane_fills_its_side_of_a_view() -> None:
    assert np.abs(outline(ec.HalfPlane(normal=(3, 4), offset=2.0)).areas[0]).max() < 2.0 * FAR
    half = clip_to(outline(ec.HalfPlane(normal=(0, 1), offset=0.5)).areas[0], -1.0, 0.0, 1.0, 2.0)
    assert polygon(half).area == pytest.approx(2.0 * 0.5)
    slope = clip_to(outline(ec.HalfPlane(normal=(-1, 1))).areas[0], 0.0, 0.0, 1.0, 1.0)
    assert polygon(slope).area == pytest.approx(0.5)


def test_a_half_plane_has_its_edge_on_the_border() -> None:
    (edge,) = outline(ec.HalfPlane(normal=(0, 1), offset=0.5)).edges
    assert edge[:, 1] == pytest.approx([0.5, 0.5])
    assert edge[1, 0] < -0.9 * FAR < 0.9 * FAR < edge[0, 0]  # the solid is to its left


def test_a_ring_fills_what_lies_outside_its_circle() -> None:
    drawn = outline(ec.Ring(1.5, center=(0.5, 0.0)))
    shown = [clip_to(area, -3.0, -3.0, 4.0, 3.0) for area in drawn.areas]
    assert sum(signed_area(area) for area in shown) == pytest.approx(42.0 - math.pi * 1.5**2, rel=1e-3)
    (edge,) = drawn.edges
    assert np.hypot(*(edge - (0.5, 0.0)).T) == pytest.approx(1.5)


def test_shapes_outside_a_view_are_not_drawn() -> None:
    assert len(clip_to(outline(ec.Box(1.0, 1.0)).areas[0], 2.0, 2.0, 3.0, 3.0)) == 0


def test_shapes_inside_a_view_are_drawn_whole() -> None:
    (points,) = outline(ec.Circle(math.pi)).areas
    assert clip_to(points, -4.0, -4.0, 4.0, 4.0) is points


def test_a_one_sided_chain_is_drawn_with_strokes_behind_it_and_dashes_to_its_ghosts() -> None:
    """The strokes are on the left of the links, where everything passes."""
    points = [(6.0, 0.0), (2.0, 1.0), (-2.0, -1.0), (-6.0, 0.0)]
    line, *more = outline(ec.Chain(points, one_sided=True, ghosts=((8.0, 0.0), None))).lines
    assert line.tolist() == [list(point) for point in points]
    dashes = [each for each in more if each[0, 0] > 6.0]
    assert len(dashes) == 4
    assert all(6.0 < x <= 8.0 and y == 0.0 for dash in dashes for x, y in dash.tolist())
    strokes = [each for each in more if each[0, 0] < 6.0]
    assert len(strokes) >= 3
    solid = LineString(points)
    for start, end in strokes:
        assert solid.distance(Point(start)) < 1e-9
        height = np.interp(end[0], [x for x, _ in points[::-1]], [y for _, y in points[::-1]])
        assert end[1] < height
    loop = outline(ec.Chain([(0, 0), (1, 0), (1, 1)], loop=True, one_sided=True)).lines
    assert loop[0][0].tolist() == loop[0][-1].tolist() == [0.0, 0.0]
