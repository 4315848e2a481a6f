"""Row 2."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.algorithms import circles_overlap
from tests.algorithms.reference import check_reach, coordinates


def test_both_documents_choices_for_touching() -> None:
    circles = (0.0, 0.0, 2.0, 3.0, 4.0, 3.0)
    assert circles_overlap(*circles, touching=True), "OC: at most the sum of the radii"
    assert not circles_overlap(*circles, touching=False), "CC: distance² = radius² is not overlapping"


def test_coincident_centres() -> None:
    assert circles_overlap(1.0, 1.0, 0.5, 1.0, 1.0, 0.25)
    assert circles_overlap(1.0, 1.0, 0.0, 1.0, 1.0, 0.0)
    assert not circles_overlap(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, touching=False)


def test_one_inside_the_other() -> None:
    assert circles_overlap(0.0, 0.0, 10.0, 1.0, 1.0, 0.5)


@pytest.mark.parametrize("scale", [1e-60, 1e60])
def test_very_small_and_very_large(scale: float) -> None:
    assert circles_overlap(0.0, 0.0, scale, 1.9 * scale, 0.0, scale)
    assert not circles_overlap(0.0, 0.0, scale, 2.1 * scale, 0.0, scale)


def test_random_cases() -> None:
    rng = np.random.default_rng(2)
    ax, ay, bx, by = coordinates(rng, 4)
    distance = np.abs((ax - bx) + 1j * (ay - by))
    share = rng.random(len(ax))
    check_reach(
        lambda radius, touching: circles_overlap(ax, ay, share * radius, bx, by, (1.0 - share) * radius, touching),
        distance,
        rng,
    )
