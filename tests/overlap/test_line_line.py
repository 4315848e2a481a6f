"""Row 8, endless lines."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.overlap import line_line_intersection
from tests.overlap.reference import coordinates


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
