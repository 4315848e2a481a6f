"""Shapes from geometry of shapely, and back."""

from __future__ import annotations

import math

import esper
import numpy as np
import pytest
import shapely
from hypothesis import given, strategies as st

import ecs_collide as ec
from ecs_collide.from_data import from_shapely, to_shapely
from ecs_collide.from_data.shapely_geometry import cut_convex
from tests.shapes.strategies import convex_outlines, star_outlines

SQUARE = shapely.box(0.0, 0.0, 10.0, 10.0)
WITH_HOLE = SQUARE.difference(shapely.box(4.0, 4.0, 6.0, 6.0))


def test_a_polygon_keeps_its_corners() -> None:
    (part,) = from_shapely(shapely.Polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]))
    assert part.shape == ec.Polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)])
    assert part.pose == (0.0, 0.0, 0.0)


def test_a_polygon_with_a_hole_is_a_compound_of_convex_parts() -> None:
    (part,) = from_shapely(WITH_HOLE)
    assert isinstance(part.shape, ec.Compound)
    assert all(len(shape.pieces()) == 1 for shape, _ in part.shape.parts)
    assert part.shape.mass_properties().area == pytest.approx(96.0)
    assert to_shapely(part.shape).equals(WITH_HOLE)


@pytest.mark.usefixtures("fresh_world")
def test_a_ball_in_a_hole_stays_there() -> None:
    ec.install(gravity=(3.0, -9.81))
    (part,) = from_shapely(WITH_HOLE)
    esper.create_entity(*part.components())
    ball = esper.create_entity(ec.Transform(5.0, 5.0), ec.Velocity(5.0, 3.0), ec.Collider(ec.Circle(0.3)))
    for _ in range(240):
        esper.process(1 / 60)
    x, y = esper.component_for_entity(ball, ec.Transform).position
    assert (x, y) == pytest.approx((5.7, 4.3), abs=0.02)


@pytest.mark.usefixtures("fresh_world")
def test_no_edge_inside_a_polygon_with_holes_stops_a_slider() -> None:
    """The convex parts meet at the top side, too."""
    ec.install(gravity=(0.0, -9.81))
    land = SQUARE.difference(shapely.union_all([shapely.box(x, 4.0, x + 1.0, 8.0) for x in (1.0, 3.0, 5.0, 7.0)]))
    (part,) = from_shapely(land)
    esper.create_entity(*part.components(friction=0.0))
    box = esper.create_entity(ec.Transform(0.6, 10.25), ec.Velocity(4.0), ec.Collider(ec.Box(0.5, 0.5), friction=0.0))
    for _ in range(120):
        esper.process(1 / 60)
    assert esper.component_for_entity(box, ec.Transform).pose == pytest.approx((8.6, 10.25, 0.0), abs=0.01)


def test_chains_run_counter_clockwise_around_the_solid_and_clockwise_around_holes() -> None:
    around, hole = from_shapely(shapely.reverse(WITH_HOLE), as_chains=True)
    assert isinstance(around.shape, ec.Chain) and isinstance(hole.shape, ec.Chain)
    assert around.shape.loop and hole.shape.loop
    assert shapely.LinearRing(around.shape.points).is_ccw
    assert not shapely.LinearRing(hole.shape.points).is_ccw


def test_lines_are_chains_which_are_loops_if_their_ends_meet() -> None:
    lines = shapely.MultiLineString([[(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 0), (1, 1), (0, 0)]])
    assert [part.shape for part in from_shapely(lines)] == [
        ec.Chain([(0, 0), (1, 0), (1, 1)]),
        ec.Chain([(0, 0), (1, 0), (1, 1)], loop=True),
    ]
    (ring,) = from_shapely(shapely.LinearRing([(0, 0), (1, 0), (1, 1)]))
    assert ring.shape == ec.Chain([(0, 0), (1, 0), (1, 1)], loop=True)


def test_each_part_is_a_shape_or_all_are_one() -> None:
    several = [shapely.MultiPolygon([SQUARE, shapely.box(20, 0, 22, 2)]), shapely.LineString([(0, -1), (9, -1)])]
    assert [type(part.shape) for part in from_shapely(several)] == [ec.Polygon, ec.Polygon, ec.Chain]
    (whole,) = from_shapely(several, as_one=True)
    assert isinstance(whole.shape, ec.Compound)
    assert to_shapely(whole.shape).equals(shapely.union_all(several))


def test_empty_geometry_has_no_shapes() -> None:
    assert from_shapely([shapely.Polygon(), shapely.GeometryCollection()]) == []
    assert from_shapely([], as_one=True) == []


@pytest.mark.parametrize("as_one", [False, True])
def test_centered_shapes_have_their_centroid_at_the_origin(as_one: bool) -> None:
    parts = from_shapely([WITH_HOLE, shapely.box(20, 0, 22, 2)], centered=True, as_one=as_one)
    for part in parts:
        assert part.shape.mass_properties().centroid == pytest.approx((0.0, 0.0), abs=1e-12)
    union = shapely.union_all([to_shapely(part.shape, part.pose) for part in parts])
    assert union.symmetric_difference(shapely.union_all([WITH_HOLE, shapely.box(20, 0, 22, 2)])).area < 1e-9


@pytest.mark.parametrize(
    ("geometry", "error", "said"),
    [
        (shapely.Point(1, 2), ValueError, r"geometry is a Point, which has no shape: point.buffer\(radius\)"),
        (
            [SQUARE, shapely.MultiPoint([(0, 0), (1, 1)])],
            ValueError,
            r"part 0 of geometry\[1\] is a Point, which has no shape",
        ),
        (
            shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]),
            ValueError,
            r"geometry is an invalid polygon \(Self-intersection\[1 1\]\): mend it with shapely.make_valid",
        ),
        ([SQUARE, 3], TypeError, r"geometry\[1\] must be a geometry of shapely, got 3"),
        ("POINT (1 2)", TypeError, "geometry must be a geometry of shapely, or several, got 'POINT"),
        (shapely.LineString([(1, 1), (1, 1)]), ValueError, "geometry: Chain.points must hold at least 3 points"),
    ],
)
def test_bad_geometry_is_refused(geometry: object, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        from_shapely(geometry)


def test_arguments_are_checked() -> None:
    with pytest.raises(TypeError, match="as_chains must be True or False, got 1"):
        from_shapely(SQUARE, as_chains=1)  # type: ignore[arg-type]


@st.composite
def lands(draw: st.DrawFn) -> shapely.Polygon:
    """Return a star with holes, some of which touch each other or its border."""
    land = shapely.Polygon(draw(star_outlines()))
    holes = draw(st.lists(st.tuples(convex_outlines(), st.floats(0.02, 0.4)), min_size=1, max_size=4))
    for corners, size in holes:
        points = np.array(corners)
        points = (points - points.mean(axis=0)) / np.ptp(points, axis=0).max() * size
        at = np.array(draw(st.tuples(*2 * [st.sampled_from((-0.4, -0.2, 0.0, 0.2, 0.4))])))
        cut = land.difference(shapely.Polygon(points + at))
        land = max(shapely.get_parts(cut), key=lambda part: part.area)
    return land


@given(lands())
def test_areas_and_holes_return_from_shapely(land: shapely.Polygon) -> None:
    (part,) = from_shapely(land)
    properties = part.shape.mass_properties()
    assert properties.area == pytest.approx(land.area, rel=1e-6)
    assert properties.centroid == pytest.approx((land.centroid.x, land.centroid.y), abs=1e-6)
    back = to_shapely(part.shape)
    assert back.symmetric_difference(land).area < 1e-6 * land.area
    outlines = from_shapely(land, as_chains=True)
    assert len(outlines) == 1 + len(land.interiors)
    lengths = math.fsum(outline.shape.mass_properties().area for outline in outlines)
    assert lengths == pytest.approx(land.length, rel=1e-6)


def test_convex_parts_are_convex_and_do_not_overlap() -> None:
    land = SQUARE.difference(shapely.union_all([shapely.Point(x, y).buffer(0.9) for x in (2, 5, 8) for y in (3, 7)]))
    parts = [shapely.Polygon(corners) for corners in cut_convex(land)]
    assert math.fsum(part.area for part in parts) == pytest.approx(land.area)
    for part in parts:
        assert part.convex_hull.area == pytest.approx(part.area)
        assert part.exterior.is_ccw


def test_a_hole_that_touches_the_border_and_another_hole_is_cut() -> None:
    land = shapely.Polygon(SQUARE.exterior, [[(0, 5), (3, 4), (3, 6)], [(3, 4), (5, 2), (6, 3)]])
    assert land.is_valid
    (part,) = from_shapely(land)
    assert to_shapely(part.shape).equals(land)
