"""GEOS, DistanceOpTest and PointLocatorTest: distances of points, lines and polygons with holes; points in rings."""

from __future__ import annotations

import math

import esper
import pytest

import ecs_collide as ec

pytestmark = pytest.mark.usefixtures("fresh_world")

ORIGIN = (0.0, 0.0, 0.0)
LINE = ec.Chain([(0, 10), (50, 10), (100, 50)])
OTHER_LINE = ec.Segment((34, 54), (60, 34))
# a triangle with a square hole, cut along the hole into two polygons without holes
LEFT = ec.Polygon([(34, 54), (50, 41 + 9 / 13), (50, 48), (50, 50), (50, 54)])
RIGHT = ec.Polygon([(50, 41 + 9 / 13), (60, 34), (60, 54), (50, 54), (50, 50), (52, 50), (52, 48), (50, 48)])
HOLED = ec.Compound([LEFT, RIGHT])
FRAME = ec.Compound(
    [
        ec.Polygon([(100, 100), (150, 100), (150, 120), (100, 120)]),
        ec.Polygon([(100, 130), (150, 130), (150, 150), (100, 150)]),
        ec.Polygon([(100, 120), (120, 120), (120, 130), (100, 130)]),
        ec.Polygon([(130, 120), (150, 120), (150, 130), (130, 130)]),
    ]
)
UNIT = ec.Polygon([(0, 0), (1, 0), (1, 1), (0, 1)])
SMALL = ec.Polygon([(1.25, 0.25), (1.75, 0.25), (1.75, 0.75), (1.25, 0.75)])


@pytest.mark.parametrize(
    ("points", "shapes", "distance", "start", "end"),
    [
        ([(3, 0)], [LINE], 10, (3, 0), (3, 10)),
        ([(3, 0)], [OTHER_LINE, LINE], 10, (3, 0), (3, 10)),
        ([(35, 60)], [HOLED], 6, (35, 60), (35, 54)),
        ([(35, 60)], [HOLED, FRAME], 6, (35, 60), (35, 54)),
        ([(35, 60)], [HOLED, FRAME, OTHER_LINE, LINE], 6, (35, 60), (35, 54)),
        ([(3, 0), (200, 30)], [LINE], 10, (3, 0), (3, 10)),
        ([(3, 0), (-50, 30)], [OTHER_LINE, LINE], 10, (3, 0), (3, 10)),
        ([(-100, 0), (35, 60)], [HOLED], 6, (35, 60), (35, 54)),
        ([(-100, 0), (35, 60)], [HOLED, FRAME], 6, (35, 60), (35, 54)),
        ([(-100, 0), (35, 60)], [HOLED, FRAME, OTHER_LINE, LINE], 6, (35, 60), (35, 54)),
    ],
    ids=["3", "4", "5", "6", "7", "11", "12", "13", "14", "15"],
)
def test_points_and_lines_and_polygons(
    points: list[tuple[float, float]],
    shapes: list[ec.Shape],
    distance: float,
    start: tuple[float, float],
    end: tuple[float, float],
) -> None:
    """GEOS, DistanceOpTest: tests 3 to 7 and 11 to 15, numbered by the ids here."""
    physics = ec.install()
    for shape in shapes:
        esper.create_entity(ec.Transform(), ec.Collider(shape))
    near = [(found.distance, point, found.point) for point in points for found in physics.nearest(point)]
    least, place, met = min(near)
    assert least == pytest.approx(distance, rel=1e-14)
    assert place == start
    assert met == pytest.approx(end, rel=1e-14)


@pytest.mark.parametrize(
    ("points", "others", "distance"),
    [
        ([(0, 0)], [(10, 0)], 10),
        ([(0, 0)], [(10, 0), (50, 30)], 10),
        ([(10, 0), (50, 30)], [(10, 0)], 0),
        ([(10, 0), (50, 30)], [(0, 0), (150, 30)], 10),
    ],
    ids=["1", "2", "9", "10"],
)
def test_points_and_points(
    points: list[tuple[float, float]], others: list[tuple[float, float]], distance: float
) -> None:
    """GEOS, DistanceOpTest: tests 1, 2, 9 and 10, with disks of radius 1/8 in place of points."""
    one = ec.Compound([ec.Circle(0.125, point) for point in points])
    other = ec.Compound([ec.Circle(0.125, point) for point in others])
    assert ec.distance(one, ORIGIN, other, ORIGIN) == distance - 0.25


def test_two_squares() -> None:
    """GEOS, DistanceOpTest: tests 17 and 18."""
    assert ec.distance(UNIT, ORIGIN, SMALL, ORIGIN) == 0.25
    assert ec.distance(SMALL, ORIGIN, UNIT, ORIGIN) == 0.25


def test_the_outline_of_a_square_and_a_line() -> None:
    """GEOS, DistanceOpTest: test 18."""
    outline = ec.Chain([(0, 0), (0, 1), (1, 1), (1, 0)], loop=True)
    assert ec.distance(outline, ORIGIN, ec.Chain([(2, 0), (10, 1), (10, 10)]), ORIGIN) == 1.0


def test_segments_that_lie_on_each_other() -> None:
    """GEOS, DistanceOpTest: test 20."""
    inner, outer = ec.Segment((1, 5 / 3), (2, 10 / 3)), ec.Segment((3, 5), (0, 0))
    for a, b in ((inner, outer), (outer, inner)):
        assert ec.distance(a, ORIGIN, b, ORIGIN) == 0.0
        assert ec.overlap(a, ORIGIN, b, ORIGIN)


def test_segments_one_behind_the_other() -> None:
    """GEOS, DistanceOpTest: test 21."""
    a, b = ec.Segment((0, 0), (9.9, 1.4)), ec.Segment((11.88, 1.68), (21.78, 3.08))
    assert ec.distance(a, ORIGIN, b, ORIGIN) == pytest.approx(1.9996999774966246, rel=1e-14)
    assert math.hypot(1.98, 0.28) == pytest.approx(1.9996999774966246, rel=1e-14)


ZIGZAG = [
    *((-40, 80), (-40, -80), (20, 0), (20, -100), (40, 40), (80, -80), (100, 80)),
    *((140, -20), (120, 140), (40, 180), (60, 40), (0, 120), (-20, -20)),
]


@pytest.mark.parametrize(
    ("shape", "point", "is_inside"),
    [
        (ec.Polygon([(0, 0), (0, 20), (20, 20), (20, 0)]), (10, 10), True),
        (ec.Polygon(ZIGZAG), (0, 0), True),
        (
            ec.Compound([ec.Segment((0, 0), (10, 10)), ec.Chain([(10, 10), (10, 20), (20, 10)], loop=True)]),
            (0, 0),
            True,
        ),
        (ec.Chain([(10, 10), (10, 20), (20, 10)], loop=True), (11, 11), False),
    ],
    ids=["1", "2", "3", "4"],
)
def test_points_in_rings(shape: ec.Shape, point: tuple[float, float], is_inside: bool) -> None:
    """GEOS, PointLocatorTest: tests 1 to 4, numbered by the ids here."""
    physics = ec.install()
    entity = esper.create_entity(ec.Transform(), ec.Collider(shape))
    assert physics.point_query(point) == [entity] * is_inside
