import math

import numpy as np
import pytest

from ecs_collide.shapes import PieceKind, Ring


def test_wedges_share_their_directions_to_the_bit() -> None:
    pieces = Ring(2.0, (3, -1)).pieces()
    assert len(pieces) == 16
    for piece, following in zip(pieces, [*pieces[1:], pieces[0]], strict=True):
        assert piece.kind is PieceKind.RING
        assert piece.radius == 2.0
        assert piece.normals[2].tolist() == following.normals[1].tolist()
        assert piece.vertices[2].tolist() == following.vertices[1].tolist()


@pytest.mark.parametrize("index", range(16))
def test_a_wedge_is_a_sixteenth(index: int) -> None:
    piece = Ring(2.0, (3, -1)).pieces()[index]
    center, start, stop = piece.vertices
    assert center.tolist() == [3.0, -1.0]
    assert piece.normals[0].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(start - center, 2.0 * piece.normals[1], atol=1e-15)
    np.testing.assert_allclose(stop - center, 2.0 * piece.normals[2], atol=1e-15)
    first, last = piece.normals[1:]
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
