"""Geometry of shapely from shapes."""

from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given, strategies as st

import ecs_collide as ec
from ecs_collide.from_data import to_shapely

SOLIDS = [
    ec.Circle(0.7, (1.0, 2.0)),
    ec.Box(1.0, 2.0, (0.5, 0.0), 0.3),
    ec.Capsule((0, 0), (2, 1), 0.4),
    ec.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]),
    ec.Polygon([(0, 0), (2, 0), (1, 2)], 0.3),
    ec.Sector(2.0, 0.8, 0.5),
    ec.ArcPolygon([(0, 0), (2, 0), (2, 2)], [1.0, -0.3, 0.0]),
    ec.Bitmap(["##.", "#.#", "###"], 0.5),
]


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: type(shape).__name__)
def test_area_and_centroid_are_those_of_the_shape(shape: ec.Shape) -> None:
    geometry = to_shapely(shape, tolerance=1e-7)
    properties = shape.mass_properties()
    assert geometry.area == pytest.approx(properties.area, rel=1e-5)
    assert (geometry.centroid.x, geometry.centroid.y) == pytest.approx(properties.centroid, abs=1e-5)
    assert geometry.is_valid


@pytest.mark.parametrize("shape", SOLIDS, ids=lambda shape: type(shape).__name__)
@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-4.0, 4.0), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_points_are_inside_both_or_neither(
    shape: ec.Shape, x: float, y: float, angle: float, at_x: float, at_y: float
) -> None:
    geometry = to_shapely(shape, (at_x, at_y, angle), tolerance=1e-6)
    point = shapely.Point(x, y)
    if geometry.boundary.distance(point) > 1e-5:
        is_inside = ec.overlap(shape, (at_x, at_y, angle), ec.Circle(1e-9), (x, y, 0.0))
        assert geometry.contains(point) == is_inside


def test_lines_stay_lines() -> None:
    assert to_shapely(ec.Segment((0, 0), (2, 0))).equals(shapely.LineString([(0, 0), (2, 0)]))
    loop = to_shapely(ec.Chain([(0, 0), (2, 0), (1, 1)], loop=True))
    assert loop.length == pytest.approx(2.0 + 2.0 * math.sqrt(2.0))
    whole = to_shapely(ec.Compound([ec.Box(1, 1), (ec.Segment((0, 0), (3, 0)), (0.5, 0, 0))]), (0, 0, 0.5 * math.pi))
    assert whole.area == pytest.approx(1.0)
    assert whole.bounds == pytest.approx((-0.5, -0.5, 0.5, 3.5))


def test_unions_of_shapes_are_shapely_s() -> None:
    union = to_shapely(ec.Box(2, 2)).union(to_shapely(ec.Box(2, 2), (1.0, 0.0, 0.0)))
    assert union.equals(shapely.box(-1.0, -1.0, 2.0, 1.0))


@pytest.mark.parametrize("tolerance", [0.1, 0.01, 1e-4])
def test_arcs_stay_within_the_tolerance(tolerance: float) -> None:
    circle = to_shapely(ec.Circle(3.0), tolerance=tolerance)
    assert circle.exterior.distance(shapely.Point(0.0, 0.0)) > 3.0 - tolerance
    assert len(circle.exterior.coords) < 4.0 * math.pi / math.sqrt(8.0 * tolerance / 3.0) + 8


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ((ec.HalfPlane((0, 1)),), ValueError, "shape must be bounded, got HalfPlane"),
        ((ec.Compound([ec.Box(1, 1), ec.Ring(3.0)]),), ValueError, "shape must be bounded, got Compound"),
        (("Box",), TypeError, "shape must be a Shape, got 'Box'"),
        ((ec.Box(1, 1), (1.0, 2.0)), ValueError, r"pose must be \(x, y, angle\), got \(1.0, 2.0\)"),
        ((ec.Box(1, 1), (1.0, math.nan, 0.0)), ValueError, r"pose\[1\] must be a finite number, got nan"),
    ],
)
def test_bad_arguments_are_refused(arguments: tuple[object, ...], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        to_shapely(*arguments)  # type: ignore[arg-type]
