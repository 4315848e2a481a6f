"""Tests of arcs given by their bulge."""

import math

import pytest
from hypothesis import given, strategies as st

from ecs_collide.shapes.bulge import BulgedEdge

bulges = st.floats(-1.0, 1.0).filter(lambda bulge: abs(bulge) > 1e-6)


def test_a_half_circle_to_the_right() -> None:
    edge = BulgedEdge((-1.0, 0.0), (1.0, 0.0), 1.0)
    assert edge.angle == pytest.approx(math.pi)
    assert edge.center == (0.0, 0.0)
    assert edge.radius == 1.0
    assert edge.point(0.5) == pytest.approx((0.0, -1.0))
    assert edge.tangent(0.0) == pytest.approx((0.0, -1.0))
    assert edge.tangent(1.0) == pytest.approx((0.0, 1.0))


def test_a_quarter_circle_to_the_left() -> None:
    edge = BulgedEdge((1.0, 0.0), (0.0, 1.0), -math.tan(math.pi / 8))
    assert edge.center == pytest.approx((1.0, 1.0))
    assert edge.radius == pytest.approx(1.0)
    assert edge.tangent(0.0) == pytest.approx((-1.0, 0.0))
    assert edge.tangent(1.0) == pytest.approx((0.0, 1.0))


@given(bulges, st.floats(0.0, 1.0))
def test_points_lie_on_the_circle(bulge: float, fraction: float) -> None:
    edge = BulgedEdge((3.0, -2.0), (5.0, 1.0), bulge)
    point = edge.point(fraction)
    assert math.dist(point, edge.center) == pytest.approx(edge.radius, rel=1e-12)
    assert edge.chord(fraction) == pytest.approx(math.dist(edge.a, point), abs=1e-12)
    x, y = edge.tangent(fraction)
    radial_x, radial_y = point[0] - edge.center[0], point[1] - edge.center[1]
    assert x * radial_x + y * radial_y == pytest.approx(0.0, abs=1e-9 * edge.radius)
    assert math.copysign(1.0, radial_x * y - radial_y * x) == math.copysign(1.0, bulge)


@given(bulges | st.just(0.0), st.floats(0.0, 1.0))
def test_a_chord_gives_back_its_fraction(bulge: float, fraction: float) -> None:
    edge = BulgedEdge((3.0, -2.0), (5.0, 1.0), bulge)
    assert edge.fraction_at(edge.chord(fraction)) == pytest.approx(fraction, abs=1e-7)


def test_the_ends_are_exact() -> None:
    edge = BulgedEdge((0.1, 0.2), (0.3, 0.7), 0.3)
    assert edge.point(0.0) == edge.a
    assert edge.point(1.0) == edge.b


def test_a_straight_edge() -> None:
    edge = BulgedEdge((0.0, 0.0), (4.0, 3.0), 0.0)
    assert edge.point(0.5) == (2.0, 1.5)
    assert edge.tangent(0.3) == (0.8, 0.6)
    assert edge.angle == 0.0
