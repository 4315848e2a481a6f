"""Tests of `Chain`."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ecs_collide.shapes import Chain, Material, PieceKind, Segment
from ecs_collide.shapes.outline import CONCAVE, CONVEX, FLAT, OUTLINE
from ecs_collide.shapes.piece import Piece
from tests.shapes.strategies import angles, sizes

RIGHT, LEFT = 0, 1
"""Edges of a link: a → b with the normal to its right, and b → a."""


def cone_at_vertex(piece: Piece, vertex: int) -> list[list[float]]:
    row = piece.outline[vertex]
    return [row[OUTLINE.FROM_X : OUTLINE.FROM_X + 2].tolist(), row[OUTLINE.TO_X : OUTLINE.TO_X + 2].tolist()]


def test_one_link_is_a_segment() -> None:
    (piece,) = Chain([(1, 1), (4, 5)]).pieces()
    (segment,) = Segment((1, 1), (4, 5)).pieces()
    assert piece.kind is PieceKind.OUTLINE
    assert piece.vertices.tolist() == segment.vertices.tolist()
    assert piece.normals.tolist() == segment.normals.tolist()
    assert piece.outline[:, OUTLINE.EDGE].tolist() == [1, 1]
    assert piece.outline[:, [OUTLINE.START, OUTLINE.STOP]].tolist() == [[CONVEX, CONVEX]] * 2
    assert cone_at_vertex(piece, 0) == [[-0.8, 0.6], [0.8, -0.6]]
    assert cone_at_vertex(piece, 1) == [[0.8, -0.6], [-0.8, 0.6]]
    assert Chain([(1, 1), (4, 5)]).mass_properties() == Segment((1, 1), (4, 5)).mass_properties()


@given(st.floats(-3.1, 3.1), angles, sizes, sizes)
def test_only_the_outer_side_of_a_turn_has_the_corner(turn: float, direction: float, one: float, two: float) -> None:
    """Free space beyond a corner is π + turn on the right side and π - turn on the left."""
    corner = (one * math.cos(direction), one * math.sin(direction))
    end = (corner[0] + two * math.cos(direction + turn), corner[1] + two * math.sin(direction + turn))
    first, second = Chain([(0, 0), corner, end]).pieces()
    outer, inner = (RIGHT, LEFT) if turn > 0 else (LEFT, RIGHT)
    ends = {}
    for side, stop_of_first, start_of_second in (
        (RIGHT, OUTLINE.STOP, OUTLINE.START),
        (LEFT, OUTLINE.START, OUTLINE.STOP),
    ):
        ends[side] = first.outline[side, stop_of_first]
        assert second.outline[side, start_of_second] == ends[side]
    assert cone_at_vertex(first, 1) == cone_at_vertex(second, 0)
    if abs(abs(turn) - 1e-3) < 1e-9:
        return
    if abs(turn) < 1e-3:
        assert ends == {RIGHT: FLAT, LEFT: FLAT}
        assert first.outline[1, OUTLINE.CORNER] == 0 == second.outline[0, OUTLINE.CORNER]
        return
    assert ends == {outer: CONVEX, inner: CONCAVE}
    assert first.outline[1, OUTLINE.CORNER] == 1 == second.outline[0, OUTLINE.CORNER]
    # Every allowed normal has both links below the corner, and the cone is as wide as the turn.
    (from_x, from_y), (to_x, to_y) = cone_at_vertex(first, 1)
    width = math.atan2(from_x * to_y - from_y * to_x, from_x * to_x + from_y * to_y)
    assert width == pytest.approx(abs(turn), abs=1e-9)
    start = math.atan2(from_y, from_x)
    for fraction in (0.0, 0.3, 0.7, 1.0):
        x, y = math.cos(start + fraction * width), math.sin(start + fraction * width)
        assert -corner[0] * x - corner[1] * y < 1e-9
        assert (end[0] - corner[0]) * x + (end[1] - corner[1]) * y < 1e-9


def test_a_loop_has_no_ends() -> None:
    chain = Chain([(0, 0), (2, 0), (2, 1), (0, 1)], loop=True)
    pieces = chain.pieces()
    assert [piece.vertices.tolist() for piece in pieces][-1] == [[0.0, 1.0], [0.0, 0.0]]
    for piece in pieces:
        assert piece.outline[RIGHT, [OUTLINE.START, OUTLINE.STOP]].tolist() == [CONVEX, CONVEX]
        assert piece.outline[LEFT, [OUTLINE.START, OUTLINE.STOP]].tolist() == [CONCAVE, CONCAVE]
    assert cone_at_vertex(pieces[0], 0) == [[-1, 0], [0, -1]]
    assert chain == Chain([(0, 0), (2, 0), (2, 1), (0, 1), (0, 0)], loop=True)


def test_folded_back() -> None:
    first, second = Chain([(0, 0), (2, 0), (1, 0)]).pieces()
    assert cone_at_vertex(first, 1) == cone_at_vertex(second, 0) == [[0, -1], [0, 1]]
    assert {first.outline[RIGHT, OUTLINE.STOP], first.outline[LEFT, OUTLINE.START]} == {CONVEX, CONCAVE}


def test_repeated_points_are_left_out() -> None:
    points = [(0, 0), (0, 0), (1, 0), (1, 0), (1, 1), (0, 0)]
    assert Chain(points).points == ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0))
    assert Chain(points, loop=True).points == ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))


def test_mass_properties_of_a_square_frame() -> None:
    """Four rods of length a at a/2 from the middle: L = 4 a, J = 4 (a³/12 + a a²/4)."""
    length, centroid, second_moment = Chain([(0, 0), (3, 0), (3, 3), (0, 3)], loop=True).mass_properties()
    assert length == 12.0
    assert centroid == pytest.approx((1.5, 1.5), rel=1e-15)
    assert second_moment == pytest.approx(4 * (27 / 12 + 27 / 4), rel=1e-14)


def test_normals_are_unit_for_long_and_short_links() -> None:
    for piece in Chain([(0, 0), (1e-6, 1e-6), (1e6, 0)]).pieces():
        np.testing.assert_allclose(np.hypot(*piece.normals.T), 1.0, rtol=1e-15)


@pytest.mark.parametrize(
    ("points", "loop", "fewest", "got"),
    [([], False, 2, 0), ([(1, 1), (1, 1)], False, 2, 1), ([(0, 0), (1, 0)], True, 3, 2), ([(0, 0)] * 3, True, 3, 1)],
)
def test_too_few_points(points: list[tuple[float, float]], loop: bool, fewest: int, got: int) -> None:
    message = rf"^Chain\.points must hold at least {fewest} points that differ from the one before, got {got}$"
    with pytest.raises(ValueError, match=message):
        Chain(points, loop)


def test_bad_fields() -> None:
    with pytest.raises(ValueError, match=r"^Chain\.points\[1\]\[0\] must be a finite number, got inf$"):
        Chain([(0, 0), (math.inf, 0)])
    with pytest.raises(TypeError, match=r"^Chain\.loop must be True or False, got 1$"):
        Chain([(0, 0), (1, 0)], 1)  # type: ignore[arg-type]


BACK, EXPOSED = 2.0, 1.0


def test_a_one_sided_chain_has_backs_and_the_corners_of_its_right_side() -> None:
    # Ground from right to left, with a hill and a valley: bodies are above, to the right of the links.
    first, second, third = Chain([(3, 0), (1, 1), (-1, -1), (-3, 0)], one_sided=True).pieces()
    for piece in (first, second, third):
        assert piece.outline[:, OUTLINE.EDGE].tolist() == [EXPOSED, BACK]
        assert piece.normals[RIGHT][1] > 0.0
    assert first.outline[RIGHT, OUTLINE.STOP] == CONVEX == second.outline[RIGHT, OUTLINE.START]
    assert (
        cone_at_vertex(first, 1) == cone_at_vertex(second, 0) == [first.normals[0].tolist(), second.normals[0].tolist()]
    )
    assert second.outline[RIGHT, OUTLINE.STOP] == CONCAVE == third.outline[RIGHT, OUTLINE.START]
    assert second.outline[1, OUTLINE.CORNER] == 0.0 == third.outline[0, OUTLINE.CORNER]


def test_an_end_is_a_ledge_of_a_quarter_turn() -> None:
    (piece,) = Chain([(1, 0), (-1, 0)], one_sided=True).pieces()
    assert cone_at_vertex(piece, 0) == [[1, 0], [0, 1]], "from its direction, outwards, to the normal of the link"
    assert cone_at_vertex(piece, 1) == [[0, 1], [-1, 0]]
    assert piece.outline[RIGHT, [OUTLINE.START, OUTLINE.STOP]].tolist() == [CONVEX, CONVEX]


def test_a_ghost_vertex_decides_the_corner_as_a_link_would() -> None:
    points = [(3, 0), (1, 1), (-1, -1), (-3, 0)]
    whole = Chain(points, one_sided=True).pieces()
    (middle,) = Chain(points[1:3], one_sided=True, ghosts=(points[0], points[3])).pieces()
    assert middle.outline.tolist() == whole[1].outline.tolist()
    (flat,) = Chain([(1, 0), (-1, 0)], one_sided=True, ghosts=((2, 0), None)).pieces()
    assert flat.outline[0, OUTLINE.CORNER] == 0.0
    assert flat.outline[RIGHT, OUTLINE.START] == CONCAVE, "no link bears a body past the end"
    assert cone_at_vertex(flat, 1) == [[0, 1], [-1, 0]]


def test_links_are_numbered_and_have_their_materials() -> None:
    ice = Material(friction=0.0)
    for one_sided in (False, True):
        loop = Chain([(0, 0), (2, 0), (2, 2)], loop=True, one_sided=one_sided, materials=[None, ice, None])
        assert [(piece.part, piece.material) for piece in loop.pieces()] == [(0, None), (1, ice), (2, None)]
        assert loop.piece_rows().materials == [None, ice, None]
        assert [piece.material for piece in loop.piece_rows().pieces()] == [None, ice, None]
    assert Chain([(0, 0), (1, 0)], materials=[None]) == Chain([(0, 0), (1, 0)])
    assert repr(Chain([(0, 0), (1, 0)], materials=[ice])).endswith("materials=(Material(friction=0.0),))")


@pytest.mark.parametrize(
    ("named", "error", "message"),
    [
        ({"one_sided": 1}, TypeError, "Chain.one_sided must be True or False, got 1"),
        ({"ghosts": ((2, 0), None)}, ValueError, "Chain.ghosts are for open chains with one_sided=True, got "),
        ({"one_sided": True, "ghosts": ((2, 0),)}, ValueError, "Chain.ghosts must be a pair of points or None, got "),
        ({"one_sided": True, "ghosts": 3}, TypeError, "Chain.ghosts must be a pair of points or None, got 3"),
        ({"one_sided": True, "ghosts": (None, (1, 0))}, ValueError, r"Chain.ghosts\[1\] must differ from the end"),
        ({"materials": [None, None]}, ValueError, "Chain.materials must have one entry for each of the 1 links, got 2"),
        ({"materials": [0.3]}, TypeError, r"Chain.materials\[0\] must be a Material or None, got 0.3"),
        ({"materials": "ice"}, TypeError, "Chain.materials must be a sequence of Material or None, got 'ice'"),
    ],
)
def test_wrong_sides_ghosts_and_materials_are_refused(named: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        Chain([(0, 0), (1, 0)], **named)


def test_a_loop_has_no_ghosts() -> None:
    with pytest.raises(ValueError, match=r"Chain\.ghosts are for open chains"):
        Chain([(0, 0), (1, 0), (1, 1)], loop=True, one_sided=True, ghosts=((2, 0), None))
