"""Angles and directions: as exact as the C library's, and the same bits everywhere."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecs_collide.geometry.angles import angle_of, arc_sine, cosine_and_sine

RANDOM = np.random.default_rng(5)


def ulps(found: float, exact: float) -> float:
    return abs(found - exact) / math.ulp(exact)


def test_angles_of_directions() -> None:
    lengths = 10.0 ** RANDOM.uniform(-200.0, 200.0, (20_000, 2))
    for x, y in (RANDOM.normal(0.0, 1.0, (20_000, 2)) * lengths).tolist():
        assert ulps(angle_of(x, y), math.atan2(y, x)) <= 2.0
    for x, y in RANDOM.normal(0.0, 1.0, (20_000, 2)).tolist():
        assert ulps(angle_of(x, y), math.atan2(y, x)) <= 2.0


@pytest.mark.parametrize(
    ("x", "y"), [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 0.0), (-1.0, -1.0), (0.0, -1.0), (0.0, 0.0)]
)
def test_angles_of_axes_and_diagonals_are_exact(x: float, y: float) -> None:
    assert angle_of(x, y) == math.atan2(y, x)


def test_angles_of_sines() -> None:
    for sine in [*RANDOM.uniform(-1.0, 1.0, 20_000).tolist(), -1.0, 1.0, 1.0 - 1e-16, 1e-300, 0.0]:
        assert ulps(arc_sine(sine), math.asin(sine)) <= 2.0


def test_directions_of_angles() -> None:
    for angle in RANDOM.uniform(-7.0, 7.0, 20_000).tolist():
        cosine, sine = cosine_and_sine(angle)
        assert math.hypot(cosine - math.cos(angle), sine - math.sin(angle)) <= 3e-16
    assert cosine_and_sine(0.0) == (1.0, 0.0)


def test_their_bits_are_the_same_on_every_machine() -> None:
    """Values printed by `repr`, which shows all bits of a number."""
    assert [angle_of(3.0, 4.0), angle_of(-1.0, 0.3), arc_sine(0.9), *cosine_and_sine(2.0)] == [
        0.9272952180016122,
        2.850135859111926,
        1.1197695149986342,
        -0.4161468365471424,
        0.9092974268256817,
    ]
