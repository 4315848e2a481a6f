"""Rows 25 and 26: velocities after an impact, ours and as CC prints them."""

from __future__ import annotations

import math
from math import nan
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from ecs_collide.algorithms import bounce_off_each_other, bounce_off_static

FloatArray: TypeAlias = NDArray[np.float64]
Velocities: TypeAlias = tuple[FloatArray, FloatArray]

IMPACTS = 2000
COUNT = 12_000

angles = st.floats(-math.pi, math.pi)
numbers = st.floats(-10.0, 10.0)
vectors = st.tuples(numbers, numbers)
restitutions = st.floats(0.0, 1.0)
inverse_masses = st.sampled_from([0.0, 0.2, 1.0, 5.0])


def as_printed_dynamic_static(
    v1: FloatArray, m1: FloatArray, v2: FloatArray, m2: FloatArray, n: FloatArray
) -> FloatArray:
    """CC: p = 2(v·n)/(m1 + m2); w_x from circle1.vx, but w_y from circle2.vy."""
    p = 2.0 * (v1 * n).sum(axis=0) / (m1 + m2)
    w_x = v1[0] - p * m1 * n[0] - p * m2 * n[0]
    w_y = v2[1] - p * m1 * n[1] - p * m2 * n[1]
    return np.array((w_x, w_y))


def as_printed_dynamic_dynamic(
    v1: FloatArray, m1: FloatArray, v2: FloatArray, m2: FloatArray, n: FloatArray
) -> Velocities:
    """CC: v1' = v1 − p·m1·n, v2' = v2 + p·m2·n."""
    p = 2.0 * ((v1 - v2) * n).sum(axis=0) / (m1 + m2)
    return v1 - p * m1 * n, v2 + p * m2 * n


def bounce_with_masses(
    a: FloatArray, v1: FloatArray, m1: FloatArray, b: FloatArray, v2: FloatArray, m2: FloatArray, e: Any = 1.0
) -> Velocities:
    """The public function, with masses."""
    vx_a, vy_a, vx_b, vy_b = bounce_off_each_other(*a, *v1, 1.0 / m1, *b, *v2, 1.0 / m2, e)
    return np.array((vx_a, vy_a)), np.array((vx_b, vy_b))


def random_impacts(seed: int, count: int) -> tuple[FloatArray, ...]:
    """Positions, velocities towards each other, unequal masses, and the unit normals from A to B."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.0, 2.0 * math.pi, count)
    n = np.array((np.cos(angle), np.sin(angle)))
    a = rng.uniform(-5.0, 5.0, (2, count))
    v1, v2 = rng.uniform(-5.0, 5.0, (2, 2, count))
    apart = ((v1 - v2) * n).sum(axis=0) < 0.0
    n, m1 = np.where(apart, -n, n), rng.uniform(0.1, 10.0, count)
    m2 = m1 * rng.choice([0.2, 0.5, 0.9, 1.1, 2.0, 5.0], count) * rng.uniform(0.95, 1.05, count)
    return a, v1, m1, a + n * rng.uniform(0.1, 3.0, count), v2, m2, n


def conserved(m1: FloatArray, m2: FloatArray, before: Velocities, after: Velocities) -> tuple[int, int]:
    """In how many impacts momentum and kinetic energy are the same afterwards, to 1e-12."""
    momentum = [m1 * v + m2 * w for v, w in (before, after)]
    energy = [0.5 * (m1 * (v**2).sum(axis=0) + m2 * (w**2).sum(axis=0)) for v, w in (before, after)]
    size = m1 * np.hypot(*before[0]) + m2 * np.hypot(*before[1])
    same_momentum = np.hypot(*(momentum[1] - momentum[0])) < 1e-12 * size
    same_energy = np.abs(energy[1] - energy[0]) < 1e-12 * energy[0]
    return int(same_momentum.sum()), int(same_energy.sum())


def test_as_printed_neither_momentum_nor_energy_is_conserved() -> None:
    a, v1, m1, b, v2, m2, n = random_impacts(26, IMPACTS)
    assert (np.abs(m1 / m2 - 1.0) > 0.01).mean() > 0.9
    printed = as_printed_dynamic_dynamic(v1, m1, v2, m2, n)
    momentum, energy = conserved(m1, m2, (v1, v2), printed)
    assert momentum <= 2 and energy <= 2
    assert conserved(m1, m2, (v1, v2), bounce_with_masses(a, v1, m1, b, v2, m2)) == (IMPACTS, IMPACTS)
    # The masses swapped back, and the printed form is right too.
    p = 2.0 * ((v1 - v2) * n).sum(axis=0) / (m1 + m2)
    assert conserved(m1, m2, (v1, v2), (v1 - p * m2 * n, v2 + p * m1 * n)) == (IMPACTS, IMPACTS)
    np.testing.assert_allclose(bounce_with_masses(a, v1, m1, b, v2, m2), (v1 - p * m2 * n, v2 + p * m1 * n), atol=1e-11)


def test_as_printed_it_is_right_for_equal_masses() -> None:
    a, v1, m1, b, v2, _, n = random_impacts(27, IMPACTS)
    np.testing.assert_allclose(
        as_printed_dynamic_dynamic(v1, m1, v2, m1, n), bounce_with_masses(a, v1, m1, b, v2, m1), atol=1e-11
    )


def test_as_printed_a_bounce_off_a_resting_circle_loses_the_velocity_along_y() -> None:
    """`w_y = circle2.vy − …`: a ball that hits a floor at a slant. Its speed would change in nearly all impacts."""
    v, floor, n = np.array((3.0, -1.0)), np.zeros(2), np.array((0.0, -1.0))
    assert as_printed_dynamic_static(v, np.array(1.0), floor, np.array(9.0), n) == pytest.approx((3.0, 2.0))
    assert bounce_off_static(0, 1, 3, -1, 0, 0, 1) == (3.0, 1.0)

    a, v1, m1, b, _, m2, n = random_impacts(25, IMPACTS)
    toward = (v1 * n).sum(axis=0) > 0.0
    n, b = np.where(toward, n, -n), np.where(toward, b, 2.0 * a - b)
    printed = as_printed_dynamic_static(v1, m1, np.zeros((2, IMPACTS)), m2, n)
    speed = np.hypot(*v1)
    assert (np.abs(np.hypot(*printed) - speed) < 1e-12 * speed).sum() <= 2
    right = np.array(bounce_off_static(*a, *v1, *b, 1.0))
    np.testing.assert_allclose(np.hypot(*right), speed, rtol=1e-12)
    # With circle 1's own velocity in both, the printed form is the reflection, whatever the masses.
    np.testing.assert_allclose(as_printed_dynamic_static(v1, m1, v1, m2, n), right, atol=1e-11)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0, 0, 1, 0, 1, 0, 1), (-1.0, 0.0)),
        ((0, 0, 1, 1, 1, 0, 1), (-1.0, 1.0)),
        ((0, 0, 2, 1, 1, 0, 0.5), (-1.0, 1.0)),
        ((0, 0, 2, 1, 1, 0, 0), (0.0, 1.0)),
        ((0, 0, -2, 1, 1, 0, 1), (-2.0, 1.0)),  # moves away
        ((0, 0, 0, 1, 1, 0, 1), (0.0, 1.0)),  # moves along
        ((0, 0, 0, 0, 1, 0, 1), (0.0, 0.0)),
        ((3, 4, 2, 1, 3, 4, 1), (-2.0, 1.0)),  # coincident centres: the normal is x
    ],
)
def test_bounce_off_static_by_hand(arguments: tuple[float, ...], expected: tuple[float, float]) -> None:
    assert bounce_off_static(*arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1), (0.0, 0.0, 1.0, 0.0)),  # equal masses swap velocities
        ((0, 0, 1, 3, 1, 1, 0, -1, 5, 1, 1), (-1.0, 3.0, 1.0, 5.0)),  # along the normal only
        ((0, 0, 3, 0, 1, 1, 0, 0, 0, 0.5, 1), (-1.0, 0.0, 2.0, 0.0)),  # 1 kg on 2 kg
        ((0, 0, 3, 0, 0.5, 1, 0, 0, 0, 1, 1), (1.0, 0.0, 4.0, 0.0)),  # 2 kg on 1 kg
        ((0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 1), (-1.0, 0.0, 0.0, 0.0)),  # on a wall
        ((0, 0, 0, 0, 1, 1, 0, -1, 0, 0, 1), (-2.0, 0.0, -1.0, 0.0)),  # a wall that comes
        ((0, 0, 1, 0, 0, 1, 0, -1, 0, 0, 1), (1.0, 0.0, -1.0, 0.0)),  # two walls
        ((0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0), (0.5, 0.0, 0.5, 0.0)),  # plastic
        ((0, 0, -1, 0, 1, 1, 0, 0, 0, 1, 1), (-1.0, 0.0, 0.0, 0.0)),  # moving apart
        ((0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1), (1.0, 0.0, 1.0, 0.0)),  # relative rest
        ((3, 4, 1, 2, 1, 3, 4, 0, 0, 1, 1), (0.0, 2.0, 1.0, 0.0)),  # coincident centres
    ],
)
def test_bounce_off_each_other_by_hand(arguments: tuple[float, ...], expected: tuple[float, ...]) -> None:
    assert bounce_off_each_other(*arguments) == pytest.approx(expected, abs=1e-15)


def test_against_a_collision_resolved_in_the_centre_of_mass_frame() -> None:
    """There an impact turns both velocities round along the normal, times the restitution: no formula shared."""
    a, v1, m1, b, v2, m2, n = random_impacts(28, COUNT)
    e = np.random.default_rng(29).uniform(0.0, 1.0, COUNT)
    centre = (m1 * v1 + m2 * v2) / (m1 + m2)
    expected = []
    for v in (v1 - centre, v2 - centre):
        normal = (v * n).sum(axis=0) * n
        expected.append(centre + (v - normal) - e * normal)
    np.testing.assert_allclose(bounce_with_masses(a, v1, m1, b, v2, m2, e), expected, atol=1e-11)


def test_energy_lost_is_that_of_the_restitution() -> None:
    a, v1, m1, b, v2, m2, n = random_impacts(30, COUNT)
    e = np.random.default_rng(31).uniform(0.0, 1.0, COUNT)
    w1, w2 = bounce_with_masses(a, v1, m1, b, v2, m2, e)
    np.testing.assert_allclose(m1 * w1 + m2 * w2, m1 * v1 + m2 * v2, atol=1e-11)
    lost = 0.5 * (m1 * ((v1**2).sum(axis=0) - (w1**2).sum(axis=0)) + m2 * ((v2**2).sum(axis=0) - (w2**2).sum(axis=0)))
    approach = ((v1 - v2) * n).sum(axis=0)
    np.testing.assert_allclose(lost, 0.5 * (1.0 - e**2) * approach**2 * m1 * m2 / (m1 + m2), atol=1e-9)


def test_infinite_mass_is_the_dynamic_static_response() -> None:
    a, v1, m1, b, _, _, _ = random_impacts(32, COUNT)
    e = np.random.default_rng(33).uniform(0.0, 1.0, COUNT)
    vx_a, vy_a, vx_b, vy_b = bounce_off_each_other(*a, *v1, 1.0 / m1, *b, 0.0, 0.0, 0.0, e)
    np.testing.assert_allclose((vx_a, vy_a), bounce_off_static(*a, *v1, *b, e), rtol=0.0, atol=1e-14)
    assert not vx_b.any() and not vy_b.any()
    heavy = bounce_with_masses(a, v1, m1, b, np.zeros_like(v1), 1e12 * m1, e)
    np.testing.assert_allclose((vx_a, vy_a), heavy[0], atol=1e-9)


@given(vectors, vectors, inverse_masses, vectors, vectors, inverse_masses, restitutions, angles, vectors, vectors)
@settings(deadline=None)
def test_symmetries(
    a: tuple[float, float],
    v1: tuple[float, float],
    wa: float,
    b: tuple[float, float],
    v2: tuple[float, float],
    wb: float,
    e: float,
    angle: float,
    shift: tuple[float, float],
    common: tuple[float, float],
) -> None:
    """Swapped, turned, shifted and seen from a moving train; all to within rounding."""
    if math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-6:
        return  # no direction to speak of
    vx_a, vy_a, vx_b, vy_b = bounce_off_each_other(*a, *v1, wa, *b, *v2, wb, e)
    swapped = bounce_off_each_other(*b, *v2, wb, *a, *v1, wa, e)
    assert swapped == pytest.approx((vx_b, vy_b, vx_a, vy_a), abs=1e-12)
    cosine, sine = math.cos(angle), math.sin(angle)

    def turned(x: float, y: float, by: tuple[float, float]) -> tuple[float, float]:
        return cosine * x - sine * y + by[0], sine * x + cosine * y + by[1]

    moved = bounce_off_each_other(
        *turned(*a, shift), *turned(*v1, common), wa, *turned(*b, shift), *turned(*v2, common), wb, e
    )
    assert moved == pytest.approx((*turned(vx_a, vy_a, common), *turned(vx_b, vy_b, common)), abs=1e-6)


@given(vectors, vectors, inverse_masses, vectors, vectors, inverse_masses)
@settings(deadline=None)
def test_time_reversal_of_an_elastic_impact(
    a: tuple[float, float],
    v1: tuple[float, float],
    wa: float,
    b: tuple[float, float],
    v2: tuple[float, float],
    wb: float,
) -> None:
    """An elastic impact run backwards gives the velocities before it."""
    after = bounce_off_each_other(*a, *v1, wa, *b, *v2, wb, 1.0)
    if after == (*v1, *v2):
        return  # no impact
    again = bounce_off_each_other(*a, -after[0], -after[1], wa, *b, -after[2], -after[3], wb, 1.0)
    assert again == pytest.approx((-v1[0], -v1[1], -v2[0], -v2[1]), abs=1e-12)


@pytest.mark.parametrize(
    ("change", "name"), [((4, -1.0), "inverse_mass_a"), ((10, 1.5), "restitution"), ((2, nan), "vx_a")]
)
def test_bad_input_is_refused_by_name(change: tuple[int, float], name: str) -> None:
    arguments = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0]
    arguments[change[0]] = change[1]
    with pytest.raises(ValueError, match=name):
        bounce_off_each_other(*arguments)
    with pytest.raises(ValueError, match="restitution"):
        bounce_off_static(0, 0, 1, 0, 1, 0, -0.1)


def test_bounce_off_static_by_turning_the_normal_to_the_x_axis() -> None:
    """Complex numbers: there the impact turns round the real part. Half of the cases slide or touch by a hair."""
    rng = np.random.default_rng(34)
    angle, speed = rng.uniform(-math.pi, math.pi, COUNT), rng.uniform(0.1, 5.0, COUNT)
    hair = 10.0 ** rng.uniform(-12.0, 0.0, COUNT) * rng.choice([-1.0, 1.0], COUNT)
    normal = np.exp(1j * angle)
    along = np.where(np.arange(COUNT) % 2 == 0, hair, rng.uniform(-1.0, 1.0, COUNT))
    v = speed * (along + 1j * rng.choice([-1.0, 1.0], COUNT) * np.sqrt(1.0 - along * along)) * normal
    centre = rng.uniform(-5.0, 5.0, COUNT) + 1j * rng.uniform(-5.0, 5.0, COUNT)
    other, e = centre + rng.uniform(0.1, 3.0, COUNT) * normal, rng.uniform(0.0, 1.0, COUNT)
    vx, vy = bounce_off_static(centre.real, centre.imag, v.real, v.imag, other.real, other.imag, e)
    seen = v / normal
    expected = (np.where(seen.real > 0.0, -e * seen.real, seen.real) + 1j * seen.imag) * normal
    assert np.abs(vx + 1j * vy - expected).max() < 1e-12


def test_bounce_off_static_turned_shifted_and_scaled() -> None:
    a, v, _, b, _, _, _ = random_impacts(35, COUNT)
    rng = np.random.default_rng(36)
    e, scale, turn = (
        rng.uniform(0.0, 1.0, COUNT),
        10.0 ** rng.uniform(-3, 3, COUNT),
        np.exp(1j * rng.uniform(0, 7, COUNT)),
    )
    moved = [scale * turn * (x + 1j * y) + shift for (x, y), shift in ((a, 3.0), (v, 0.0), (b, 3.0))]
    columns = [part for number in moved for part in (number.real, number.imag)]
    vx, vy = bounce_off_static(*a, *v, *b, e)
    found_x, found_y = bounce_off_static(*columns, e)
    slack = 1e-13 * scale * (1.0 + 10.0 / scale / np.hypot(*(b - a))) * 10.0
    assert (np.abs(scale * turn * (vx + 1j * vy) - (found_x + 1j * found_y)) <= slack).all()
