"""Row 1."""

from __future__ import annotations

import numpy as np

from ecs_collide.algorithms import point_in_circle
from tests.algorithms.reference import check_reach, coordinates


def test_touching() -> None:
    assert point_in_circle(3.0, 4.0, 0.0, 0.0, 5.0)
    assert not point_in_circle(3.0, 4.0, 0.0, 0.0, 5.0, touching=False)


def test_circle_without_radius_is_its_centre() -> None:
    assert point_in_circle(1.0, 2.0, 1.0, 2.0, 0.0)
    assert not point_in_circle(1.0, 2.0, 1.0, 2.0, 0.0, touching=False)
    assert not point_in_circle(1.0, 2.0 + 1e-15, 1.0, 2.0, 0.0)


def test_random_cases() -> None:
    rng = np.random.default_rng(1)
    x, y, cx, cy = coordinates(rng, 4)
    distance = np.abs((x - cx) + 1j * (y - cy))
    check_reach(lambda radius, touching: point_in_circle(x, y, cx, cy, radius, touching), distance, rng)
