"""Row 8, segments."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import shapely

from ecs_collide.algorithms import segment_segment_intersection
from tests.algorithms.reference import CASES, coordinates, segments

Interval = tuple[Fraction, Fraction] | None


def exact_common_interval(values: list[int]) -> Interval:
    """The interval of u_a that the segments have in common, in rational arithmetic."""
    px, py, qx, qy, rx, ry, sx, sy = map(Fraction, values)
    ax, ay, bx, by, wx, wy = qx - px, qy - py, sx - rx, sy - ry, rx - px, ry - py
    denominator = ax * by - ay * bx
    if denominator != 0:
        u, v = (wx * by - wy * bx) / denominator, (wx * ay - wy * ax) / denominator
        return (u, u) if 0 <= u <= 1 and 0 <= v <= 1 else None
    square = ax * ax + ay * ay
    if square == 0:
        length = bx * bx + by * by
        v = -(wx * bx + wy * by) / length if length else Fraction(0)
        on_it = 0 <= v <= 1 and wx + v * bx == 0 and wy + v * by == 0
        return (Fraction(0), Fraction(0)) if on_it else None
    if wx * ay != wy * ax:
        return None
    ends = sorted(((wx * ax + wy * ay) / square, ((wx + bx) * ax + (wy + by) * ay) / square))
    low, high = max(Fraction(0), ends[0]), min(Fraction(1), ends[1])
    return (low, high) if low <= high else None


def test_crossing() -> None:
    meeting = segment_segment_intersection(0.0, 0.0, 2.0, 2.0, 0.0, 2.0, 2.0, 0.0)
    assert meeting == (1.0, 1.0, 0.5, 0.5, 1.0, 1.0, 0.5, 0.5)


@pytest.mark.parametrize("shift", [0.0, 1e-9])
def test_an_end_on_the_other_segment_touches(shift: float) -> None:
    meeting = segment_segment_intersection(0.0, 0.0, 3.0, 0.0, 1.5, shift, 1.5, 2.0)
    assert (meeting is None) == (shift > 0.0)


def test_parallel_apart() -> None:
    assert segment_segment_intersection(0.0, 0.0, 2.0, 0.0, 0.0, 1e-9, 2.0, 1e-9) is None
    assert segment_segment_intersection(0.0, 0.0, 2.0, 0.0, 2.5, 0.0, 3.0, 0.0) is None, "on one line"


@pytest.mark.parametrize("angle", [0.0, 0.1, 1.0, 2.5])
def test_collinear_overlap_is_an_interval_at_any_angle(angle: float) -> None:
    cosine, sine = np.cos(angle), np.sin(angle)
    meeting = segment_segment_intersection(
        0.0, 0.0, 4.0 * cosine, 4.0 * sine, 6.0 * cosine, 6.0 * sine, 1.0 * cosine, 1.0 * sine
    )
    assert meeting is not None
    assert (meeting.u_a, meeting.u_b) == pytest.approx((0.25, 1.0), abs=1e-15)
    assert (meeting.u_a_end, meeting.u_b_end) == pytest.approx((1.0, 0.4), abs=1e-15)
    assert (meeting.x_end, meeting.y_end) == pytest.approx((4.0 * cosine, 4.0 * sine), abs=1e-15)


def test_points() -> None:
    point = (1.0, 1.0, 1.0, 1.0)
    assert segment_segment_intersection(*point, 0.0, 0.0, 2.0, 2.0) == (1.0, 1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.5)
    assert segment_segment_intersection(0.0, 0.0, 2.0, 2.0, *point) == (1.0, 1.0, 0.5, 0.0, 1.0, 1.0, 0.5, 0.0)
    assert segment_segment_intersection(*point, *point) == (1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    assert segment_segment_intersection(*point, 0.0, 0.0, 2.0, 2.1) is None
    assert segment_segment_intersection(*point, 1.0, 1.1, 1.0, 1.1) is None


def test_shared_ends_are_exact() -> None:
    rng = np.random.default_rng(13)
    px, py, qx, qy, sx, sy = coordinates(rng, 6)
    for other, u_b in (((qx, qy, sx, sy), 0.0), ((sx, sy, qx, qy), 1.0)):
        meeting = segment_segment_intersection(px, py, qx, qy, *other)
        assert (meeting.u_a == 1.0).all() and (meeting.u_b == u_b).all()
        assert np.array_equal(meeting.x, qx) and np.array_equal(meeting.y, qy)


def test_small_grids_against_rational_arithmetic() -> None:
    """Half of these cases are degenerate: parallel, on one line, touching or without length."""
    rng = np.random.default_rng(14)
    values = rng.integers(0, rng.integers(2, 6, (CASES, 1)), (CASES, 8))
    found = segment_segment_intersection(*values.T)
    expected = [exact_common_interval(row) for row in values.tolist()]
    wanted = np.array([(np.nan, np.nan) if pair is None else (float(pair[0]), float(pair[1])) for pair in expected])
    assert np.array_equal(np.isnan(found.u_a), np.isnan(wanted[:, 0]))
    assert np.nanmax(np.abs(found.u_a - wanted[:, 0])) < 1e-14
    assert np.nanmax(np.abs(found.u_a_end - wanted[:, 1])) < 1e-14
    swapped = segment_segment_intersection(*values.T[[4, 5, 6, 7, 0, 1, 2, 3]])
    assert np.array_equal(np.isnan(found.u_a), np.isnan(swapped.u_a))
    for x, y in ((swapped.x, swapped.y), (swapped.x_end, swapped.y_end)):
        miss = np.minimum(np.hypot(x - found.x, y - found.y), np.hypot(x - found.x_end, y - found.y_end))
        assert np.nanmax(miss) < 1e-14, "the same interval, in B's direction"


def test_random_segments_against_shapely() -> None:
    """For half of them, R is moved to within 1e-2 to 1e-11 of a point of A, so that it nearly touches."""
    rng = np.random.default_rng(15)
    px, py, qx, qy, rx, ry, sx, sy = coordinates(rng, 8)
    u, near = rng.random(CASES), rng.random(CASES) < 0.5
    off = 10.0 ** rng.uniform(-11, -2, (2, CASES)) * rng.choice([-1.0, 1.0], (2, CASES))
    rx = np.where(near, px + u * (qx - px) + off[0], rx)
    ry = np.where(near, py + u * (qy - py) + off[1], ry)
    a, b = segments(px, py, qx, qy), segments(rx, ry, sx, sy)
    found = segment_segment_intersection(px, py, qx, qy, rx, ry, sx, sy)
    meets = ~np.isnan(found.u_a)
    clear = np.abs((qx - px) * (ry - py) - (qy - py) * (rx - px)) > 1e-10 * np.hypot(qx - px, qy - py)
    assert clear.sum() > 0.9 * CASES
    assert np.array_equal(meets[clear], shapely.intersects(a, b)[clear])
    both = shapely.intersection(a[meets], b[meets])
    dx, dy = found.x[meets] - shapely.get_x(both), found.y[meets] - shapely.get_y(both)
    assert np.nanquantile(np.hypot(dx, dy), 0.999) < 1e-9
