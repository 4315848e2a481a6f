"""Row 17."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.algorithms import closest_point_on_line, line_distance, line_points, line_through, point_on_line
from tests.algorithms.reference import coordinates


def test_a_vertical_line_has_no_infinities() -> None:
    assert line_through(3.0, 0.0, 3.0, 2.0) == (-1.0, 0.0, 3.0)
    assert line_points(-1.0, 0.0, 3.0) == (3.0, 0.0, 3.0, 1.0)


def test_ends_of_the_parameter_are_exact() -> None:
    rng = np.random.default_rng(20)
    px, py, qx, qy = coordinates(rng, 4)
    start, end = point_on_line(px, py, qx, qy, 0.0), point_on_line(px, py, qx, qy, 1.0)
    assert np.array_equal(start.x, px) and np.array_equal(start.y, py)
    assert np.array_equal(end.x, qx) and np.array_equal(end.y, qy)


def test_equal_points_are_refused() -> None:
    with pytest.raises(ValueError, match="line_through: P and Q must differ"):
        line_through(1.0, 2.0, 1.0, 2.0)
    with pytest.raises(ValueError, match=r"P and Q must differ \(at index \(1,\)\)"):
        line_through([0.0, 1.0], 2.0, [3.0, 1.0], 2.0)
    with pytest.raises(ValueError, match="a and b must not both be 0"):
        line_points(0.0, 0.0, 1.0)


def test_signed_distance_positive_to_the_left() -> None:
    line = line_through(0.0, 0.0, 5.0, 0.0)
    assert line_distance(2.0, 3.0, *line) == 3.0
    assert line_distance(2.0, -3.0, *line) == -3.0


def test_the_distance_is_that_from_the_closest_point() -> None:
    rng = np.random.default_rng(21)
    x, y, px, py, qx, qy = coordinates(rng, 6)
    distance = line_distance(x, y, *line_through(px, py, qx, qy))
    closest = closest_point_on_line(x, y, px, py, qx, qy)
    slack = 1e-13 / np.hypot(qx - px, qy - py)
    assert (np.abs(np.abs(distance) - np.hypot(closest.x - x, closest.y - y)) <= slack).all()
    left = (qx - px) * (y - py) - (qy - py) * (x - px)
    assert np.array_equal(distance > 0.0, left > 0.0)


def test_there_and_back() -> None:
    rng = np.random.default_rng(22)
    px, py, qx, qy = coordinates(rng, 4)
    line = line_through(px, py, qx, qy)
    again = line_through(*line_points(*line))
    for item, back in zip(line, again):
        assert np.abs(item - back).max() < 1e-14
    scaled = line_through(*line_points(3.0 * line.a, 3.0 * line.b, 3.0 * line.c))
    for item, back in zip(line, scaled):
        assert np.abs(item - back).max() < 1e-14


def test_the_form_of_cc() -> None:
    """A = y2 − y1, B = x1 − x2, C = A·x1 + B·y1: the same line, its normal the other way."""
    rng = np.random.default_rng(23)
    px, py, qx, qy = coordinates(rng, 4)
    a, b = qy - py, px - qx
    c = a * px + b * py
    line, length = line_through(px, py, qx, qy), np.hypot(a, b)
    for printed, ours in ((a, line.a), (b, line.b), (-c, line.c)):
        assert np.abs(printed / length + ours).max() < 1e-12


def test_turned_shifted_and_scaled() -> None:
    """The normal turns along, and a point keeps its distance."""
    rng = np.random.default_rng(38)
    px, py, qx, qy, x, y, shift_x, shift_y = coordinates(rng, 8)
    turn, scale = np.exp(1j * rng.uniform(-4.0, 4.0, len(x))), 10.0 ** rng.uniform(-2.0, 2.0, len(x))
    moved = [scale * turn * (u + 1j * v) + shift_x + 1j * shift_y for u, v in ((px, py), (qx, qy), (x, y))]
    (mpx, mpy), (mqx, mqy), (mx, my) = ((point.real, point.imag) for point in moved)
    line, moved_line = line_through(px, py, qx, qy), line_through(mpx, mpy, mqx, mqy)
    slack = 1e-13 * (1.0 + (1.0 + 1.0 / scale) / np.hypot(qx - px, qy - py))
    assert (np.abs((line.a + 1j * line.b) * turn - (moved_line.a + 1j * moved_line.b)) <= 10.0 * slack).all()
    distance, moved_distance = line_distance(x, y, *line), line_distance(mx, my, *moved_line)
    assert (np.abs(scale * distance - moved_distance) <= 1000.0 * slack * (1.0 + scale)).all()
    there, moved_there = point_on_line(px, py, qx, qy, 0.3), point_on_line(mpx, mpy, mqx, mqy, 0.3)
    off = scale * turn * (there.x + 1j * there.y) + shift_x + 1j * shift_y - (moved_there.x + 1j * moved_there.y)
    assert (np.abs(off) <= 1e-13 * (1.0 + scale) * 10.0).all()
    swapped = line_through(qx, qy, px, py)
    for one, other in zip(line, swapped):
        assert np.abs(one + other).max() < 1e-11
