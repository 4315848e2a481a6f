"""Row 4."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecs_collide.algorithms import circle_half_plane_overlap, half_plane_distance
from tests.algorithms.reference import check_reach, coordinates


def test_level_ground_where_the_printed_normal_divides_by_zero() -> None:
    assert half_plane_distance(7.0, 3.0, 0.0, 1.0, 5.0, 0.0) == 2.0
    assert half_plane_distance(7.0, 3.0, 0.0, 1.0, -5.0, 0.0) == -2.0, "solid is to the right of the direction"


def test_slope_of_three_in_four() -> None:
    assert half_plane_distance(0.0, 5.0, 0.0, 0.0, 4.0, 3.0) == pytest.approx(4.0, rel=1e-15)


@pytest.mark.parametrize("depth", [0.0, 1.0, 1e6])
def test_no_lower_bound(depth: float) -> None:
    assert circle_half_plane_overlap(0.0, -depth, 1.0, 0.0, 0.0, 1.0, 0.0)


def test_touching() -> None:
    assert circle_half_plane_overlap(0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0)
    assert not circle_half_plane_overlap(0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, touching=False)


def test_without_a_direction_the_ground_is_a_point() -> None:
    assert half_plane_distance(3.0, 4.0, 0.0, 0.0, 0.0, 0.0) == 5.0
    assert not circle_half_plane_overlap(3.0, 4.0, 4.9, 0.0, 0.0, 0.0, 0.0)
    assert half_plane_distance(1.0, 1.0, 1.0, 1.0, 0.0, 0.0) == 0.0


def test_random_cases_against_rotating_the_ground_level() -> None:
    rng = np.random.default_rng(4)
    x, y, gx, gy, vx, vy = coordinates(rng, 6)
    height = (((x - gx) + 1j * (y - gy)) * np.exp(-1j * np.arctan2(vy, vx))).imag
    assert np.abs(half_plane_distance(x, y, gx, gy, vx, vy) - height).max() < 1e-13
    check_reach(lambda radius, touching: circle_half_plane_overlap(x, y, radius, gx, gy, vx, vy, touching), height, rng)


def test_the_printed_normal_agrees_up_to_its_sense() -> None:
    rng = np.random.default_rng(5)
    vx, vy = coordinates(rng, 2)
    printed = np.stack((np.ones_like(vx), -vx / vy)) / np.hypot(1.0, vx / vy)
    ours = np.stack((half_plane_distance(1.0, 0.0, 0.0, 0.0, vx, vy), half_plane_distance(0.0, 1.0, 0.0, 0.0, vx, vy)))
    assert np.abs(np.abs((printed * ours).sum(axis=0)) - 1.0).max() < 1e-14
    assert math.isclose(float(np.abs(np.hypot(*ours) - 1.0).max()), 0.0, abs_tol=1e-15)
