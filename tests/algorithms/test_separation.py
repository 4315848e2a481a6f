"""Row 19: overlapping circles are pushed apart."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ecs_collide.algorithms import SeparatedCircles, separate_circles_about_midpoint, separate_circles_by_inverse_mass

COUNT = 12_000

angles = st.floats(-math.pi, math.pi)
numbers = st.floats(-10.0, 10.0)
vectors = st.tuples(numbers, numbers)
radii = st.floats(0.01, 5.0)
inverse_masses = st.sampled_from([0.0, 0.1, 1.0, 7.0])


def about_midpoint(a: Any, ra: Any, _: Any, b: Any, rb: Any, __: Any) -> SeparatedCircles:
    """The document's form, called as the other."""
    found: SeparatedCircles = separate_circles_about_midpoint(*a, ra, *b, rb)
    return found


def by_inverse_mass(a: Any, ra: Any, wa: Any, b: Any, rb: Any, wb: Any) -> SeparatedCircles:
    """The form by inverse mass."""
    found: SeparatedCircles = separate_circles_by_inverse_mass(*a, ra, wa, *b, rb, wb)
    return found


both = pytest.mark.parametrize("separate", [about_midpoint, by_inverse_mass])


def test_the_documents_form_by_hand() -> None:
    assert separate_circles_about_midpoint(0, 0, 1, 1, 0, 1) == (-0.5, 0.0, 1.5, 0.0)
    # Radii 1 and 3, overlapping by 1: the small one moves towards the large one.
    assert separate_circles_about_midpoint(0, 0, 1, 3, 0, 3) == (0.5, 0.0, 4.5, 0.0)


def test_by_inverse_mass_by_hand() -> None:
    assert separate_circles_by_inverse_mass(0, 0, 1, 1, 1, 0, 1, 1) == (-0.5, 0.0, 1.5, 0.0)
    assert separate_circles_by_inverse_mass(0, 0, 1, 1, 1, 0, 1, 3) == (-0.25, 0.0, 1.75, 0.0)
    assert separate_circles_by_inverse_mass(0, 0, 1, 0, 1, 0, 1, 3) == (0.0, 0.0, 2.0, 0.0)
    assert separate_circles_by_inverse_mass(0, 0, 1, 0, 1, 0, 1, 0) == (0.0, 0.0, 1.0, 0.0)


@both
def test_circles_that_do_not_overlap_are_left_alone(separate: Any) -> None:
    assert separate((0, 0), 1, 1, (3, 0), 1, 1) == (0.0, 0.0, 3.0, 0.0)
    assert separate((0, 0), 1, 1, (2, 0), 1, 1) == (0.0, 0.0, 2.0, 0.0)
    assert separate((1, 2), 0, 1, (1, 2), 0, 1) == (1.0, 2.0, 1.0, 2.0)


@both
def test_coincident_centres_part_along_x(separate: Any) -> None:
    assert separate((5, 7), 1, 1, (5, 7), 1, 1) == (4.0, 7.0, 6.0, 7.0)
    found = separate((0, 0), 1, 1, (3e-200, 4e-200), 1, 1)  # the squares underflow, the direction does not
    assert found == pytest.approx((-0.6, -0.8, 0.6, 0.8))


@both
@given(vectors, radii, inverse_masses, vectors, radii, inverse_masses, angles, vectors, st.integers(-20, 20))
@settings(deadline=None)
def test_symmetries(
    separate: Any,
    a: tuple[float, float],
    ra: float,
    wa: float,
    b: tuple[float, float],
    rb: float,
    wb: float,
    angle: float,
    shift: tuple[float, float],
    power: int,
) -> None:
    ax, ay, bx, by = separate(a, ra, wa, b, rb, wb)
    if math.hypot(a[0] - b[0], a[1] - b[1]) < 1e-9 * (ra + rb):
        return  # no direction to speak of
    assert separate(b, rb, wb, a, ra, wa) == pytest.approx((bx, by, ax, ay), abs=1e-12)
    cosine, sine, size = math.cos(angle), math.sin(angle), 2.0**power

    def moved(x: float, y: float) -> tuple[float, float]:
        return size * (cosine * x - sine * y + shift[0]), size * (sine * x + cosine * y + shift[1])

    found = separate(moved(*a), size * ra, wa, moved(*b), size * rb, wb)
    assert found == pytest.approx((*moved(ax, ay), *moved(bx, by)), abs=1e-5 * size)


def random_overlapping_circles(seed: int) -> tuple[Any, ...]:
    """Overlapping pairs, half of them by a hair, with masses."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.0, 2.0 * math.pi, COUNT)
    ra, rb = rng.uniform(0.1, 2.0, (2, COUNT))
    hair = 10.0 ** rng.uniform(-12.0, 0.0, COUNT)
    away = (ra + rb) * np.where(np.arange(COUNT) % 2 == 0, 1.0 - hair, hair)
    a = rng.uniform(-5.0, 5.0, (2, COUNT))
    b = a + away * np.array((np.cos(angle), np.sin(angle)))
    wa, wb = rng.uniform(0.1, 5.0, (2, COUNT))
    return a, ra, wa, b, rb, wb


@both
def test_afterwards_they_touch(separate: Any) -> None:
    a, ra, wa, b, rb, wb = random_overlapping_circles(1)
    ax, ay, bx, by = separate(a, ra, wa, b, rb, wb)
    np.testing.assert_allclose(np.hypot(bx - ax, by - ay), ra + rb, rtol=1e-14)
    # Along the line that joined them.
    cross = (bx - ax) * (b - a)[1] - (by - ay) * (b - a)[0]
    assert (np.abs(cross / np.hypot(*(b - a))) < 1e-13).all()
    assert ((bx - ax) * (b - a)[0] + (by - ay) * (b - a)[1] > 0.0).all()


def test_the_centre_of_mass_stays_by_inverse_mass_only() -> None:
    a, ra, wa, b, rb, wb = random_overlapping_circles(2)

    def centre(ax: Any, ay: Any, bx: Any, by: Any) -> Any:
        return np.array((wb * ax + wa * bx, wb * ay + wa * by)) / (wa + wb)

    before = centre(*a, *b)
    np.testing.assert_allclose(centre(*by_inverse_mass(a, ra, wa, b, rb, wb)), before, atol=1e-13)
    shift = np.hypot(*(centre(*about_midpoint(a, ra, wa, b, rb, wb)) - before))
    assert np.median(shift) > 0.05


def test_equal_radii_and_masses_make_both_forms_one() -> None:
    a, ra, wa, b, _, _ = random_overlapping_circles(3)
    b = a + (b - a) * 0.4 / np.hypot(*(b - a)) * ra
    np.testing.assert_allclose(about_midpoint(a, ra, wa, b, ra, wa), by_inverse_mass(a, ra, wa, b, ra, wa), atol=1e-13)


def test_bad_input_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="radius_b"):
        separate_circles_about_midpoint(0, 0, 1, 1, 0, -1)
    with pytest.raises(ValueError, match="inverse_mass_a"):
        separate_circles_by_inverse_mass(0, 0, 1, -1, 1, 0, 1, 1)
