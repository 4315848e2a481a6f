"""SAT.js, test/test.js: overlaps with the shortest way out, points and centroids."""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")

SQUARE = ec.Polygon([(0, 0), (40, 0), (40, 40), (0, 40)])
TRIANGLE = ec.Polygon([(0, 0), (30, 0), (0, 30)])
ORIGIN = (0.0, 0.0, 0.0)


def test_centroid_of_a_square() -> None:
    """SAT.js, Polygon.getCentroid: should calculate the correct value for a square."""
    assert SQUARE.mass_properties().centroid == (20.0, 20.0)


def test_centroid_of_a_triangle() -> None:
    """SAT.js, Polygon.getCentroid: should calculate the correct value for a triangle."""
    x, y = ec.Polygon([(0, 0), (100, 0), (50, 99)]).mass_properties().centroid
    assert (x, y) == pytest.approx((50, 33), rel=1e-15)


def test_two_circles() -> None:
    """SAT.js, Collision: testCircleCircle."""
    found = ec.manifold(ec.Circle(20), ORIGIN, ec.Circle(20), (30, 0, 0))
    assert ec.distance(ec.Circle(20), ORIGIN, ec.Circle(20), (30, 0, 0)) == -10.0
    assert found is not None
    assert (found.normal, found.separations) == ((1.0, 0.0), (-10.0,))


def test_a_circle_at_the_corner_of_a_square() -> None:
    """SAT.js, Collision: testPolygonCircle."""
    found = ec.manifold(SQUARE, ORIGIN, ec.Circle(20), (50, 50, 0))
    assert found is not None
    (depth,) = found.separations
    assert depth == pytest.approx(200**0.5 - 20, rel=1e-14)
    assert (-depth * found.normal[0], -depth * found.normal[1]) == pytest.approx((4.142, 4.142), abs=5e-4)


def test_a_square_and_a_triangle() -> None:
    """SAT.js, Collision: testPolygonPolygon."""
    assert ec.distance(SQUARE, ORIGIN, TRIANGLE, (30, 0, 0)) == -10.0
    found = ec.manifold(SQUARE, ORIGIN, TRIANGLE, (30, 0, 0))
    assert found is not None
    assert found.normal == (1.0, 0.0)
    assert min(found.separations) == -10.0


def test_boxes_far_apart() -> None:
    """SAT.js, No collision: testPolygonPolygon."""
    box = ec.Polygon([(0, 0), (20, 0), (20, 20), (0, 20)])
    assert not ec.overlap(box, ORIGIN, box, (100, 100, 0))
    assert ec.manifold(box, ORIGIN, box, (100, 100, 0)) is None


@pytest.mark.parametrize(
    ("shape", "place", "point", "is_inside"),
    [
        (ec.Circle(20), (100, 100), (0, 0), False),
        (ec.Circle(20), (100, 100), (110, 110), True),
        (TRIANGLE, (30, 0), (0, 0), False),
        (TRIANGLE, (30, 0), (35, 5), True),
        (ec.Polygon([(2, 1), (2, 2), (1, 3), (0, 2), (0, 1), (1, 0)]), (0, 0), (1, 1.1), True),
    ],
)
def test_points(shape: ec.Shape, place: tuple[float, float], point: tuple[float, float], is_inside: bool) -> None:
    """SAT.js, Point testing: pointInCircle, pointInPolygon and pointInPolygon (small)."""
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(*place), ec.Collider(shape))
    assert physics.point_query(point) == [entity] * is_inside
