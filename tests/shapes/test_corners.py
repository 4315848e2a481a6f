"""Tests of the number of corners of round shapes."""

import math

import pytest

from ecs_collide.shapes.corner_normals import Corner, corner, right_of, turn_between
from ecs_collide.shapes.outline import CONCAVE, CONVEX, FLAT


def unit(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


@pytest.mark.parametrize("turn", [-3.0, -1.0, -1e-9, 0.0, 0.5, 3.0])
def test_turn_between_tangents(turn: float) -> None:
    assert turn_between(unit(0.7), unit(0.7 + turn)) == pytest.approx(turn, abs=1e-15)


@pytest.mark.parametrize(
    ("turn", "end"),
    [(-3.0, CONCAVE), (-1.1e-3, CONCAVE), (-0.9e-3, FLAT), (0.0, FLAT), (0.9e-3, FLAT), (1.1e-3, CONVEX), (3, CONVEX)],
)
def test_how_the_surface_goes_on(turn: float, end: float) -> None:
    actual = corner(unit(0.7), unit(0.7 + turn), turn)
    if end == CONVEX:
        assert actual == Corner(CONVEX, right_of(unit(0.7)), right_of(unit(0.7 + turn)))
    else:
        assert actual == Corner(end)


def test_a_cusp_allows_half_a_turn() -> None:
    """An edge comes in to the right and goes back: from below over the right to above."""
    assert corner((1.0, 0.0), (-1.0, 0.0), math.pi) == Corner(CONVEX, (0.0, -1.0), (0.0, 1.0))
    assert corner((1.0, 0.0), (-1.0, 0.0), -math.pi) == Corner(CONCAVE)
