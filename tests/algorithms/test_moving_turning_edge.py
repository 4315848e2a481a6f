"""Error of the documents' linear motion of an edge's ends for an edge that turns, by the size of the turn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecs_collide.algorithms import moving_circle_moving_segment, moving_vertex_moving_edge
from tests.algorithms.moving_reference import FloatArray, segment_distance

COUNT = 3000
ARM = math.sqrt(2.0)


def gap_of_linear_model(theta: float, radius: float) -> tuple[FloatArray, float]:
    """Return the distance of a stopped circle from the side of a turning square, for approaches from any side.

    The side's ends are (-1, 1) and (1, 1) from the middle of the square, about which they turn.

    Returns the gaps [m] of stopped circles at the times found, negative if the circle is inside the edge. Also returns
    the fraction of circles that are not stopped although the edge hits them deeper than 0.05.
    """
    rng = np.random.default_rng(7)
    start, side = rng.uniform(0.0, 2.0 * math.pi, (2, COUNT))
    speed, offset = rng.uniform(1.0, 4.0, COUNT), rng.uniform(-1.0, 1.0, COUNT)
    px, py = 3.0 * np.cos(side), 3.0 * np.sin(side)
    motion_x = speed * np.cos(side + math.pi + 0.3 * offset)
    motion_y = speed * np.sin(side + math.pi + 0.3 * offset)

    def ends(t: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        angle = start + t * theta
        return [(x * np.cos(angle) - np.sin(angle), x * np.sin(angle) + np.cos(angle)) for x in (-1.0, 1.0)]

    before, later = ends(np.zeros(1)), ends(np.ones(1))
    a, b = ((x, y, later_x - x, later_y - y) for (x, y), (later_x, later_y) in zip(before, later))

    if radius > 0.0:
        found = moving_circle_moving_segment(px, py, radius, motion_x, motion_y, *a, *b)
    else:
        found = moving_vertex_moving_edge(px, py, motion_x, motion_y, *a, *b)

    def gap(t: FloatArray) -> FloatArray:
        (ax, ay), (bx, by) = ends(t)
        return segment_distance(px + t * motion_x, py + t * motion_y, ax, ay, bx, by) - radius

    hit = ~np.isnan(found.time)
    deepest = gap(np.linspace(0.0, 1.0, 257)[:, None]).min(axis=0)
    missed = float((deepest[~hit] < -0.05).mean()) if radius > 0.0 else 0.0
    return gap(np.nan_to_num(found.time))[hit], missed


@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_the_error_grows_with_the_square_of_the_turn(radius: float) -> None:
    """An end is at most 1 − cos(θ/2) of its arm off its arc; the length approximation adds up to r(1/cos(θ/2) − 1)."""
    worst = {}
    for degrees in (0.5, 1, 2, 5, 10, 20, 45, 90):
        theta = math.radians(degrees)
        gaps, missed = gap_of_linear_model(theta, radius)
        assert len(gaps) > 400
        worst[degrees] = float(np.abs(gaps).max())
        # The third term: a point of the chord is also ahead of or behind the one of the arc, by up to 0.01·ARM·θ³.
        bound = ARM * (1.0 - math.cos(theta / 2)) + radius * (1.0 / math.cos(theta / 2) - 1.0)
        assert worst[degrees] <= bound + 0.01 * ARM * theta**3
        if degrees <= 20:
            assert missed == 0.0
    assert worst[0.5] < 1.5e-5
    assert worst[20] > 0.005
    for smaller, larger in ((1, 2), (5, 10), (10, 20)):
        assert 3.0 < worst[larger] / worst[smaller] < 5.0


def test_no_turn_no_error() -> None:
    gaps, missed = gap_of_linear_model(0.0, 0.3)
    assert np.abs(gaps).max() < 1e-13
    assert missed == 0.0
