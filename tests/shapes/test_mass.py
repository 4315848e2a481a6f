"""Tests of areas and moments of shapes."""

import math

import numpy as np
import pytest
from hypothesis import given

from ecs_collide.shapes import mass
from tests.shapes.strategies import angles, sizes


def test_half_disk() -> None:
    """Centroid at 4 r / (3 π), J = (π/4 - 8/(9π)) r⁴ about it: the half disk of every table."""
    area, centroid, second_moment = mass.sector((1.0, 2.0), 3.0, 0.5 * math.pi, 0.5 * math.pi)
    assert area == pytest.approx(4.5 * math.pi, rel=1e-15)
    assert centroid == pytest.approx((1.0, 2.0 + 4.0 / math.pi), rel=1e-15)
    assert second_moment == pytest.approx((math.pi / 4 - 8 / (9 * math.pi)) * 81, rel=1e-14)


def test_a_sector_all_round_is_a_disk() -> None:
    whole, disk = mass.sector((1.0, 2.0), 3.0, 0.3, math.pi), mass.disk((1.0, 2.0), 3.0)
    assert whole.area == pytest.approx(disk.area, rel=1e-15)
    assert whole.centroid == pytest.approx(disk.centroid, rel=1e-15)
    assert whole.second_moment == pytest.approx(disk.second_moment, rel=1e-15)


def test_a_thin_sector_is_a_thin_triangle() -> None:
    """Isosceles triangle, apex at the origin: centroid at 2 r / 3, J = A r² / 18 in the limit."""
    area, centroid, second_moment = mass.sector((0.0, 0.0), 2.0, 0.0, 1e-8)
    assert area == pytest.approx(4e-8, rel=1e-12)
    assert centroid == pytest.approx((4 / 3, 0.0), rel=1e-12)
    assert second_moment == pytest.approx(area * 4 / 18, rel=1e-12)


@given(sizes, angles, angles)
def test_two_sectors_make_one(radius: float, direction: float, turn: float) -> None:
    half_angle = 0.1 + abs(turn) / 2.5
    parts = [mass.sector((1.0, 2.0), radius, direction + side * half_angle / 2, half_angle / 2) for side in (-1, 1)]
    joined, whole = mass.combine(parts), mass.sector((1.0, 2.0), radius, direction, half_angle)
    assert joined.area == pytest.approx(whole.area, rel=1e-13)
    assert joined.centroid == pytest.approx(whole.centroid, rel=1e-13, abs=1e-14)
    assert joined.second_moment == pytest.approx(whole.second_moment, rel=1e-12)


def test_rectangles_combine_into_a_rectangle() -> None:
    parts = [mass.rectangle((x + 1e6, -1e6), 1.0, 2.0) for x in (0.5, 1.5, 2.5)]
    whole = mass.rectangle((1e6 + 1.5, -1e6), 3.0, 2.0)
    joined = mass.combine(parts)
    assert joined.area == whole.area
    assert joined.centroid == whole.centroid
    assert joined.second_moment == pytest.approx(whole.second_moment, rel=1e-15)


def test_a_polygon_need_not_be_convex() -> None:
    """An L of three unit squares."""
    vertices = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=np.float64)
    squares = mass.combine([mass.rectangle(center, 1.0, 1.0) for center in ((0.5, 0.5), (1.5, 0.5), (0.5, 1.5))])
    actual = mass.polygon(vertices)
    assert actual.area == squares.area
    assert actual.centroid == pytest.approx(squares.centroid, rel=1e-15)
    assert actual.second_moment == pytest.approx(squares.second_moment, rel=1e-14)


def test_half_a_disk_is_a_segment() -> None:
    segment = mass.circular_segment((-3.0, 1.0), (3.0, 1.0), 1.0)
    half = mass.sector((0.0, 1.0), 3.0, -0.5 * math.pi, 0.5 * math.pi)
    assert segment.area == pytest.approx(half.area, rel=1e-14)
    assert segment.centroid == pytest.approx(half.centroid, rel=1e-14, abs=1e-15)
    assert segment.second_moment == pytest.approx(half.second_moment, rel=1e-13)


@pytest.mark.parametrize("half_angle", [0.3, 0.8, 1.3])
def test_a_segment_is_a_sector_less_a_triangle(half_angle: float) -> None:
    """Sector and triangle have the apex in common; both integrals about it in closed form."""
    radius, height, base = 2.0, 2.0 * math.cos(half_angle), 2.0 * math.sin(half_angle)
    area = radius**2 * (half_angle - math.sin(half_angle) * math.cos(half_angle))
    distance = 2.0 / 3.0 * base**3 / area
    about_apex = half_angle * radius**4 / 2.0 - base * height * (height**2 / 2.0 + base**2 / 6.0)
    bulge = math.tan(half_angle / 2.0)
    actual = mass.circular_segment((height, -base), (height, base), bulge)
    assert actual.area == pytest.approx(area, rel=1e-13)
    assert actual.centroid == pytest.approx((distance, 0.0), rel=1e-13, abs=1e-15)
    assert actual.second_moment == pytest.approx(about_apex - area * distance**2, rel=1e-11)


@pytest.mark.parametrize("bulge", [1e-3, 1e-6, 1e-9])
def test_a_flat_segment_is_a_parabola(bulge: float) -> None:
    """Half chord 1 and height h: A = 4 h / 3, centroid at 2 h / 5, J = A / 5 in the limit."""
    area, centroid, second_moment = mass.circular_segment((-1.0, 0.0), (1.0, 0.0), bulge)
    assert area == pytest.approx(4.0 * bulge / 3.0, rel=2.0 * bulge)
    assert centroid == pytest.approx((0.0, -0.4 * bulge), rel=2.0 * bulge, abs=1e-20)
    assert second_moment == pytest.approx(area / 5.0, rel=2.0 * bulge)
