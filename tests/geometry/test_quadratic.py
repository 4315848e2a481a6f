"""The shared quadratic, against exact rational arithmetic and numpy.roots."""

from __future__ import annotations

import math
from fractions import Fraction
from math import inf, isnan, nan, ulp
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st

from ecs_collide.geometry.quadratic import roots as roots_on_device
from tests.support.own_kernels import kernel

FEW_ULP = 4.0
LARGEST = 1.7976931348623157e308

finite = st.floats(allow_nan=False, allow_infinity=False)
moderate = st.floats(-1e3, 1e3)


@kernel
def roots(a: float, b: float, c: float) -> Any:
    """The device function as Python can call it."""
    return roots_on_device(a, b, c)


def exact_roots(a: float, b: float, c: float) -> list[Fraction]:
    """The real roots to some 200 bits, ascending; a double root twice."""
    a, b, c = Fraction(a), Fraction(b), Fraction(c)  # type: ignore[assignment]
    if a == 0:
        return [-c / b] if b != 0 else []  # type: ignore[list-item]
    discriminant = Fraction(b * b - 4 * a * c)
    if discriminant < 0:
        return []
    product = discriminant.numerator * discriminant.denominator
    shift = max(0, 500 - product.bit_length() // 2)
    root = Fraction(math.isqrt(product << 2 * shift), discriminant.denominator << shift)
    q = -(b + root if b >= 0 else b - root) / 2
    if q == 0:
        return [Fraction(0), Fraction(0)]
    return sorted((Fraction(q / a), Fraction(c / q)))


def is_close(value: float, exact: Fraction) -> bool:
    """Return True if a double equals an exact value up to a few last digits, or both are beyond the range."""
    if abs(exact) > Fraction(LARGEST) * (1 - Fraction(1, 2**50)):
        return math.copysign(1.0, value) == (1 if exact > 0 else -1) and abs(value) >= LARGEST * (1 - 1e-15)
    return abs(Fraction(value) - exact) <= Fraction(FEW_ULP) * Fraction(ulp(float(exact)))


def check_roots(a: float, b: float, c: float) -> None:
    """Compare with the exact roots."""
    found = [root for root in roots(a, b, c) if not isnan(root)]
    exact = exact_roots(a, b, c)
    if a == b == c == 0.0:
        exact = []
    assert len(found) == len(exact), (a, b, c, found, [float(root) for root in exact])
    for value, true in zip(found, exact):
        assert is_close(value, true), (a, b, c, found)


@pytest.mark.parametrize(
    ("coefficients", "expected"),
    [
        ((1.0, -3.0, 2.0), (1.0, 2.0)),
        ((-1.0, 3.0, -2.0), (1.0, 2.0)),
        ((1.0, 0.0, -4.0), (-2.0, 2.0)),
        ((1.0, -2.0, 1.0), (1.0, 1.0)),
        ((1.0, 0.0, 1.0), (nan, nan)),
        ((2.0, 3.0, 0.0), (-1.5, 0.0)),
        ((2.0, 0.0, 0.0), (0.0, 0.0)),
        ((0.0, 2.0, 1.0), (-0.5, nan)),
        ((0.0, 2.0, 0.0), (0.0, nan)),
        ((0.0, 0.0, 1.0), (nan, nan)),
        ((0.0, 0.0, 0.0), (nan, nan)),
    ],
)
def test_by_hand(coefficients: tuple[float, float, float], expected: tuple[float, float]) -> None:
    assert roots(*coefficients) == pytest.approx(expected, rel=0.0, abs=0.0, nan_ok=True)


def test_cancellation_in_the_textbook_formula() -> None:
    a, b, c = 1.0, 1e9, 1.0
    textbook = (-b + math.sqrt(b * b - 4.0 * a * c)) / 2.0
    assert textbook == 0.0
    assert roots(a, b, c)[1] == -1e-9


def test_a_product_that_rounding_would_turn_into_a_miss() -> None:
    """(x - 1)(x - 1 - 2e-8) has a discriminant of 1e-16 of its terms."""
    low, high = 1.0, 1.0 + 2.0**-26
    assert roots(1.0, -(low + high), low * high) == (low, high)


@given(finite, finite, finite)
@example(1e-320, 1.0, -1.0)
@example(5e-324, 5e-324, -5e-324)
@example(1e300, 1e300, -1e300)
@example(1.0, 1e200, 1.0)
@example(1e-200, 1e-300, -1e200)
@example(LARGEST, LARGEST, LARGEST)
@example(LARGEST, LARGEST, -LARGEST)
@example(0.0, 5e-324, LARGEST)
@settings(max_examples=1000, deadline=None)
def test_any_finite_coefficients(a: float, b: float, c: float) -> None:
    check_roots(a, b, c)


def test_coefficients_of_any_magnitude() -> None:
    rng = np.random.default_rng(20)
    exponents = rng.uniform(-320.0, 308.0, (5000, 3))
    signs = rng.choice([-1.0, 1.0], (5000, 3))
    for coefficients in signs * 10.0**exponents:
        check_roots(*map(float, coefficients))


def test_nearly_double_roots() -> None:
    """Roots that differ by 1e-16 to 1e-2 of their size: as many roots as there are, each to a few ulp."""
    rng = np.random.default_rng(21)
    missing = 0
    for _ in range(5000):
        first, a = float(rng.normal()), float(rng.normal())
        second = first * (1.0 + 10.0 ** rng.uniform(-16.0, -2.0))
        b, c = -a * (first + second), a * first * second
        missing += not exact_roots(a, b, c)
        check_roots(a, b, c)
    assert missing > 100  # the coefficients' own rounding decides


def test_discriminants_that_are_exactly_zero() -> None:
    rng = np.random.default_rng(22)
    for k, m in rng.integers(-(2**25), 2**25, (2000, 2)):
        factor = int(k) or 1
        a, b, c = float(factor**2), float(2 * factor * int(m)), float(int(m) ** 2)
        low, high = roots(a, b, c)
        assert low == high == pytest.approx(-int(m) / factor, rel=1e-15)
        # One unit in the last place more and there is none, one less and there are two.
        if c > 0.0:
            assert isnan(roots(a, b, math.nextafter(c, inf))[0])
            assert len({*roots(a, b, math.nextafter(c, 0.0))}) == 2


@given(moderate, moderate, moderate)
@settings(max_examples=300, deadline=None)
def test_against_numpy(a: float, b: float, c: float) -> None:
    assume(abs(a) > 1e-3)
    assume(all(part == 0.0 or abs(part) > 1e-100 for part in (b, c)))  # their products are numbers
    expected = np.sort_complex(np.roots([a, b, c]))
    found = roots(a, b, c)
    separation = abs(expected[1] - expected[0])
    if separation <= 1e-6 * np.abs(expected).max():
        return  # numpy's eigenvalues are good to the root of the rounding error there
    if abs(expected[0].imag) > 0.0:
        assert isnan(found[0]) and isnan(found[1])
    else:
        np.testing.assert_allclose(found, expected.real, rtol=1e-8, atol=1e-8 * np.abs(expected).max())


@given(finite, finite, finite, st.integers(-200, 200))
@settings(max_examples=200, deadline=None)
def test_scaling_the_equation_by_a_power_of_two_changes_nothing(a: float, b: float, c: float, k: int) -> None:
    factor = 2.0**k
    scaled = a * factor, b * factor, c * factor
    assume(all(x == 0.0 or (1e-290 < abs(x) < 1e300 and 1e-290 < abs(y) < 1e300) for x, y in zip((a, b, c), scaled)))
    for first, second in zip(roots(a, b, c), roots(*scaled)):
        assert first == pytest.approx(second, rel=1e-15, nan_ok=True)


@given(finite, finite, finite)
@settings(max_examples=300, deadline=None)
def test_ascending(a: float, b: float, c: float) -> None:
    low, high = roots(a, b, c)
    assert isnan(high) or low <= high
    assert not isnan(low) or isnan(high)
