"""Row 3."""

from __future__ import annotations

import numpy as np

from ecs_collide.algorithms import circle_ground_overlap
from tests.algorithms.reference import coordinates, radii_around


def test_resting_on_the_ground_is_touching() -> None:
    assert circle_ground_overlap(0.0, 1.5, 1.0, 0.5, -2.0, 2.0)
    assert not circle_ground_overlap(0.0, 1.5, 1.0, 0.5, -2.0, 2.0, touching=False)


def test_a_circle_far_below_the_ground_collides() -> None:
    assert circle_ground_overlap(0.0, -1000.0, 1.0, 0.0, -2.0, 2.0)


def test_the_centre_alone_decides_at_the_ends() -> None:
    assert circle_ground_overlap(2.0, 0.5, 1.0, 0.0, -2.0, 2.0)
    assert circle_ground_overlap(-2.0, 0.5, 1.0, 0.0, -2.0, 2.0)
    assert not circle_ground_overlap(2.1, 0.5, 1.0, 0.0, -2.0, 2.0), "the circle overlaps the end"


def test_swapped_ends_hold_nothing() -> None:
    assert not circle_ground_overlap(0.0, 0.0, 1.0, 0.0, 2.0, -2.0)


def test_random_cases() -> None:
    rng = np.random.default_rng(3)
    x, y, ground, end_1, end_2 = coordinates(rng, 5)
    left, right = np.minimum(end_1, end_2), np.maximum(end_1, end_2)
    radius, reaches = radii_around(rng, y - ground)
    expected = reaches & ((x - left) * (x - right) <= 0.0)
    assert np.array_equal(circle_ground_overlap(x, y, radius, ground, left, right), expected)
    assert np.array_equal(circle_ground_overlap(x, y, radius, ground, left, right, touching=False), expected)


def test_shifted_scaled_and_mirrored() -> None:
    """By amounts that keep all digits, so that what touches goes on touching."""
    rng = np.random.default_rng(34)
    x, y, ground, end_1, end_2 = np.round(np.array(coordinates(rng, 5)) * 4.0) / 4.0
    left, right, radius = np.minimum(end_1, end_2), np.maximum(end_1, end_2), np.abs(np.round(x - y) / 4.0)
    for touching in (True, False):
        expected = circle_ground_overlap(x, y, radius, ground, left, right, touching)
        assert 0.1 < expected.mean() < 0.9
        moved = circle_ground_overlap(x + 64.0, y - 32.0, radius, ground - 32.0, left + 64.0, right + 64.0, touching)
        mirrored = circle_ground_overlap(-x, y, radius, ground, -right, -left, touching)
        scaled = circle_ground_overlap(*(0.125 * item for item in (x, y, radius, ground, left, right)), touching)
        assert np.array_equal(moved, expected) and np.array_equal(mirrored, expected)
        assert np.array_equal(scaled, expected)
