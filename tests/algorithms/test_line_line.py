"""Row 8, infinite lines."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ecs_collide.algorithms import line_line_intersection
from tests.algorithms.reference import coordinates


def test_diagonals_of_a_square() -> None:
    assert line_line_intersection(0.0, 0.0, 2.0, 2.0, 0.0, 2.0, 2.0, 0.0) == (1.0, 1.0, 0.5, 0.5)


def test_outside_both_segments() -> None:
    assert line_line_intersection(0.0, 0.0, 1.0, 0.0, 5.0, 1.0, 5.0, 2.0) == (5.0, 0.0, 5.0, -1.0)


@pytest.mark.parametrize(
    "other",
    [(0.0, 1.0, 3.0, 2.0), (3.0, 1.0, 6.0, 2.0), (0.0, 0.0, -3.0, -1.0), (2.0, 2.0, 2.0, 2.0), (1.0, 1.0, 1.3, 1.1)],
    ids=["beside", "the same line", "backwards", "without length", "parallel but for rounding"],
)
def test_parallel_lines_do_not_meet(other: tuple[float, float, float, float]) -> None:
    assert line_line_intersection(0.0, 0.0, 3.0, 1.0, *other) is None
    assert line_line_intersection(*other, 0.0, 0.0, 3.0, 1.0) is None


def test_the_point_is_finite_where_one_u_is_beyond_the_range_of_doubles() -> None:
    hit = line_line_intersection(0.0, 1e75, 1e-300, 1e75, 3.0, 1.0, 1e-300, 1e-75)
    assert hit == pytest.approx((3e75, 1e75, np.inf, -1e75))


@pytest.mark.parametrize("size", [1e-300, 1e-150, 1e-71, 1e71])
def test_sizes_whose_squares_vanish_or_are_huge(size: float) -> None:
    hit = line_line_intersection(0.0, 0.0, size, size, 2.0 * size, 0.0, 0.0, 2.0 * size)
    assert hit == pytest.approx((size, size, 1.0, 0.5), rel=1e-15)
    assert line_line_intersection(0.0, 0.0, size, size, size, 0.0, 2.0 * size, size) is None


def test_random_lines_against_linear_equations() -> None:
    rng = np.random.default_rng(12)
    px, py, qx, qy, rx, ry, sx, sy = coordinates(rng, 8)
    found = line_line_intersection(px, py, qx, qy, rx, ry, sx, sy)
    matrix = np.stack((np.stack((qx - px, rx - sx), -1), np.stack((qy - py, ry - sy), -1)), -2)
    u = np.linalg.solve(matrix, np.stack((rx - px, ry - py), -1)[..., np.newaxis])[..., 0]
    slack = 1e-14 * np.linalg.cond(matrix) * (1.0 + np.abs(u).max(axis=1))
    assert (np.abs(found.u_a - u[:, 0]) <= slack).all()
    assert (np.abs(found.u_b - u[:, 1]) <= slack).all()
    off = np.hypot(found.x - (rx + found.u_b * (sx - rx)), found.y - (ry + found.u_b * (sy - ry)))
    assert (off <= 100.0 * slack).all()


def test_nearly_parallel_lines_against_rational_arithmetic() -> None:
    """Angles of 1e-14 to 1e-2 between the lines: below 1e-12 they count as parallel, above there is the exact point."""
    rng = np.random.default_rng(35)
    count = 10_000
    px, py, dx, dy, rx, ry = coordinates(rng, 6, count)
    angle = 10.0 ** rng.uniform(-14.0, -2.0, count) * rng.choice([-1.0, 1.0], count)
    qx, qy, sx, sy = px + dx, py + dy, rx + dx - angle * dy, ry + dy + angle * dx
    found = line_line_intersection(px, py, qx, qy, rx, ry, sx, sy)
    exact, sine = np.full(count, np.nan), np.empty(count)
    for i, values in enumerate(zip(px, py, qx, qy, rx, ry, sx, sy)):
        ax, ay, bx, by, cx, cy, ex, ey = map(Fraction, values)
        ux, uy, vx, vy = bx - ax, by - ay, ex - cx, ey - cy
        cross = ux * vy - uy * vx
        sine[i] = abs(float(cross)) / np.hypot(float(ux), float(uy)) / np.hypot(float(vx), float(vy))
        if cross:
            exact[i] = float(((cx - ax) * vy - (cy - ay) * vx) / cross)
    clear = np.abs(sine / 1e-12 - 1.0) > 0.01
    assert clear.sum() > 0.99 * count and 1000 < (sine < 1e-12).sum() < 9000
    assert np.array_equal(np.isnan(found.u_a)[clear], (sine < 1e-12)[clear])
    meets = clear & (sine > 1e-12)
    size = np.hypot(px, py) + np.hypot(rx, ry) + np.hypot(dx, dy)
    slack = 1e-14 * (size / np.hypot(dx, dy)) ** 2 / sine * (1.0 + np.abs(exact))
    assert (np.abs(found.u_a - exact) <= slack)[meets].all()


def test_swapped() -> None:
    rng = np.random.default_rng(36)
    a, b = coordinates(rng, 4), coordinates(rng, 4)
    found, swapped = line_line_intersection(*a, *b), line_line_intersection(*b, *a)
    assert np.array_equal(found.u_a, swapped.u_b) and np.array_equal(found.u_b, swapped.u_a)
    slack = 1e-13 * (1.0 + np.abs(found.u_a) + np.abs(found.u_b)) ** 2
    assert (np.hypot(found.x - swapped.x, found.y - swapped.y) <= 100.0 * slack).all()
