"""Tests of `Material`, and of the materials of the parts of a compound."""

from __future__ import annotations

import math

import pytest

from ecs_collide.shapes import Box, Chain, Circle, Compound, Material

ICE, RUBBER = Material(friction=0.0), Material(restitution=0.9, friction=1.0)


def test_materials_are_values() -> None:
    assert Material(friction=1) == Material(friction=1.0) != Material(restitution=1.0)
    assert len({ICE, Material(friction=0.0), RUBBER}) == 2
    assert repr(RUBBER) == "Material(friction=1.0, restitution=0.9)"
    assert repr(Material()) == "Material()"


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"friction": -0.1}, ValueError, "Material.friction must be a non-negative finite number, got -0.1"),
        ({"restitution": math.nan}, ValueError, "Material.restitution must be a non-negative finite number, got nan"),
        ({"surface_speed": math.inf}, ValueError, "Material.surface_speed must be"),
        ({"rolling_resistance": "much"}, TypeError, "Material.rolling_resistance must be"),
        ({"elasticity": 0.5}, TypeError, "elasticity"),
    ],
)
def test_wrong_values_are_refused(named: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Material(**named)  # type: ignore[arg-type]


def test_parts_of_a_compound_have_numbers_and_materials() -> None:
    chain = Chain([(0, 0), (1, 0), (2, 0)], materials=[RUBBER, None])
    shape = Compound([Circle(1.0), (chain, (3, 0, 0.5)), Box(1, 1)], materials=[ICE, None, None])
    assert [(piece.part, piece.material) for piece in shape.pieces()] == [(0, ICE), (1, RUBBER), (1, None), (2, None)]
    outer = Compound([shape, Box(1, 1)], materials=[None, RUBBER])
    assert [(piece.part, piece.material) for piece in outer.pieces()] == [
        (0, ICE),
        (0, RUBBER),
        (0, None),
        (0, None),
        (1, RUBBER),
    ]
    assert [piece.part for piece in Compound([(chain, (0, 0, 1))]).pieces()] == [0, 1], "one part keeps its numbers"


def test_parts_that_hide_edges_keep_their_materials() -> None:
    shape = Compound([Box(2, 1), (Box(2, 1), (2, 0, 0))], materials=[ICE, RUBBER])
    assert [(piece.part, piece.material) for piece in shape.pieces()] == [(0, ICE), (1, RUBBER)]


def test_there_is_one_material_for_each_part() -> None:
    with pytest.raises(ValueError, match=r"Compound\.materials must have one entry for each of the 2 parts, got 1"):
        Compound([Circle(1), Circle(2)], materials=[ICE])
    assert Compound([Circle(1)], materials=[None]) == Compound([Circle(1)])
