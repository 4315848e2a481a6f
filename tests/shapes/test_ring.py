"""Tests of `Ring`."""

import math

import pytest

from ecs_collide.shapes import PieceKind, Ring
from ecs_collide.shapes.outline import OUTLINE


def test_wedges_share_their_directions_to_the_bit() -> None:
    pieces = Ring(2.0, (3, -1)).pieces()
    assert len(pieces) == 16
    for piece, following in zip(pieces, [*pieces[1:], pieces[0]], strict=True):
        assert piece.kind is PieceKind.RING
        assert piece.outline[0, OUTLINE.ARC_RADIUS] == 2.0
        assert (
            piece.outline[0, [OUTLINE.TO_X, OUTLINE.TO_Y]].tolist()
            == following.outline[0, [OUTLINE.FROM_X, OUTLINE.FROM_Y]].tolist()
        )


@pytest.mark.parametrize("index", range(16))
def test_a_wedge_is_a_sixteenth(index: int) -> None:
    piece = Ring(2.0, (3, -1)).pieces()[index]
    assert piece.vertices.tolist() == [[3.0, -1.0]]
    assert piece.normals.tolist() == [[0.0, 0.0]]
    (row,) = piece.outline
    assert row[[OUTLINE.ARC_X, OUTLINE.ARC_Y]].tolist() == [3.0, -1.0]
    first, last = row[[OUTLINE.FROM_X, OUTLINE.FROM_Y]], row[[OUTLINE.TO_X, OUTLINE.TO_Y]]
    assert math.atan2(first[1], first[0]) % (2 * math.pi) == pytest.approx(math.pi / 8 * index, abs=1e-15)
    assert first[0] * last[1] - first[1] * last[0] == pytest.approx(math.sin(math.pi / 8), rel=1e-14)


def test_a_ring_has_no_end() -> None:
    ring = Ring(2.0, (3, -1))
    assert not ring.is_bounded
    assert ring.mass_properties() == (math.inf, (0.0, 0.0), math.inf)


def test_bad_fields() -> None:
    with pytest.raises(ValueError, match=r"^Ring\.radius must be a positive finite number, got -1\.0$"):
        Ring(-1)
    with pytest.raises(TypeError, match=r"^Ring\.center must be a pair of numbers, got 1$"):
        Ring(1, 1)  # type: ignore[arg-type]
