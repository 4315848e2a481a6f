"""cos_sin against the C library's functions, and the symmetries that determinism and mirror images rest on."""

from __future__ import annotations

import math
from math import nextafter, pi, ulp
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from ecs_collide.geometry.rotation import cos_sin, cos_sin_lanes
from ecs_collide.kernels.simd import LANES, load, store
from tests.support.own_kernels import kernel

Array = NDArray[np.float64]


@kernel
def all_cos_sin(angles, result):  # type: ignore[no-untyped-def]
    for k in range(len(angles)):
        result[k, 0], result[k, 1] = cos_sin(angles[k])


@kernel
def all_cos_sin_in_lanes(angles, cosines, sines):  # type: ignore[no-untyped-def]
    for k in range(0, len(angles), LANES):
        c, s = cos_sin_lanes(load(angles, k))
        store(cosines, k, c)
        store(sines, k, s)


def of(angles: NDArray[Any]) -> tuple[Array, Array]:
    result = np.empty((len(angles), 2))
    all_cos_sin(np.ascontiguousarray(angles, np.float64), result)
    return result[:, 0], result[:, 1]


def cosines_and_sines(angles: NDArray[Any]) -> tuple[Array, Array]:
    """By the C library, one by one: numpy's own are up to 4 units off."""
    return np.array([math.cos(angle) for angle in angles]), np.array([math.sin(angle) for angle in angles])


def ulps_from(found: Array, true: Array) -> Array:
    """The distance in units of the last place of the true value."""
    return np.asarray(np.abs(found - true) / np.spacing(np.abs(true)))


def angles_up_to(limit: float) -> Array:
    random = np.random.default_rng(int(limit))
    return np.concatenate((random.uniform(-limit, limit, 100_000), limit * random.normal(0.0, 0.1, 20_000)))


@pytest.mark.parametrize("limit", [1e-3, 1.0, pi, 20.0, 1e3, 1e6])
def test_two_units_in_the_last_place(limit: float) -> None:
    angles = angles_up_to(limit)
    (c, s), (true_c, true_s) = of(angles), cosines_and_sines(angles)
    assert ulps_from(c, true_c).max() <= 2.0
    assert ulps_from(s, true_s).max() <= 2.0


@pytest.mark.parametrize("limit", [1.0, 1e3, 1e6])
def test_unit_length(limit: float) -> None:
    c, s = of(angles_up_to(limit))
    assert np.abs(c * c + s * s - 1.0).max() <= 4.5e-16


def test_around_multiples_of_a_quarter_turn() -> None:
    """One of the two is nearly zero there; its relative error must stay as small."""
    quarters = np.concatenate((np.arange(-2000, 2001), np.arange(630_000, 636_000), -np.arange(630_000, 636_000)))
    for offset in (0.0, 1e-9, -1e-9, 1e-4, -1e-4):
        angles = quarters * (0.5 * pi) + offset
        (c, s), (true_c, true_s) = of(angles), cosines_and_sines(angles)
        assert ulps_from(c, true_c).max() <= 2.0
        assert ulps_from(s, true_s).max() <= 2.0


def test_around_the_borders_of_the_quadrants() -> None:
    """At odd multiples of an eighth of a turn the reduction changes over; neighbours must agree."""
    eighths = (2.0 * np.arange(-300, 300) + 1.0) * (0.25 * pi)
    for angles in (eighths, np.nextafter(eighths, np.inf), np.nextafter(eighths, -np.inf)):
        (c, s), (true_c, true_s) = of(angles), cosines_and_sines(angles)
        assert ulps_from(c, true_c).max() <= 2.0
        assert ulps_from(s, true_s).max() <= 2.0


def test_exact_at_zero() -> None:
    assert cos_sin(0.0) == (1.0, 0.0)
    c, s = cos_sin(-0.0)
    assert c == 1.0
    assert math.copysign(1.0, s) == -1.0


def test_tiny_angles() -> None:
    for angle in (5e-324, 1e-300, 1e-20, ulp(1.0)):
        assert cos_sin(angle) == (1.0, angle)


@pytest.mark.parametrize("limit", [1.0, 10.0, 1e3, 1e6])
def test_cosine_is_even_and_sine_odd_to_the_bit(limit: float) -> None:
    angles = angles_up_to(limit)
    (c, s), (mirrored_c, mirrored_s) = of(angles), of(-angles)
    assert (c == mirrored_c).all()
    assert (s == -mirrored_s).all()


def test_even_and_odd_to_the_bit_at_the_borders_too() -> None:
    eighths = np.arange(1, 4000) * (0.25 * pi)
    for angles in (eighths, np.nextafter(eighths, np.inf), np.nextafter(eighths, 0.0)):
        (c, s), (mirrored_c, mirrored_s) = of(angles), of(-angles)
        assert angles[c != mirrored_c].tolist() == []
        assert angles[s != -mirrored_s].tolist() == []


@given(st.floats(-1e6, 1e6))
def test_python_and_kernels_get_the_same_bits(angle: float) -> None:
    c, s = of(np.array([angle]))
    assert cos_sin(angle) == (c[0], s[0])


def test_huge_angles_still_give_a_rotation() -> None:
    """Past 1e6 the accuracy goes, but never the unit length within reason, and never a NaN."""
    angles = np.array([1e7, 1e9, -1e12, 1e15])
    c, s = of(angles)
    assert np.isfinite(c).all() and np.isfinite(s).all()
    assert np.abs(c[:2] - np.cos(angles[:2])).max() < 1e-6
    assert np.abs(c * c + s * s - 1.0).max() < 1e-6


def test_one_step_apart_is_one_small_step_apart() -> None:
    angle = 0.25 * pi
    for _ in range(20):
        angle = nextafter(angle, 10.0)
        (c, s), (next_c, next_s) = cos_sin(angle), cos_sin(nextafter(angle, 10.0))
        assert abs(c - next_c) <= 4e-16
        assert abs(s - next_s) <= 4e-16


def test_eight_at_once_are_the_same_bits() -> None:
    random = np.random.default_rng(6)
    quarters = 0.25 * pi * np.arange(-40, 40)
    special = np.array([0.0, -0.0, 5e-324, -5e-324, 1e-20, -1e-20, 1e6, -1e6])
    edges = np.concatenate((quarters, np.nextafter(quarters, -np.inf), np.nextafter(quarters, np.inf)))
    angles = np.concatenate((random.uniform(-7.0, 7.0, 8000), random.normal(0.0, 1e5, 8000), special, edges))
    assert len(angles) % LANES == 0
    cosines, sines = np.empty((2, len(angles)))
    all_cos_sin_in_lanes(angles, cosines, sines)
    for found, expected in zip((cosines, sines), of(angles), strict=True):
        assert found.tobytes() == expected.tobytes()
