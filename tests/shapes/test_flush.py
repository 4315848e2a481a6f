"""Parts of a compound that share sides or overlap, against the union of them as shapely knows it."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.shapes import Bitmap, Box, Circle, Compound, PieceKind, Polygon
from ecs_collide.shapes.compound import PartPose
from ecs_collide.shapes.shape import Shape
from tests.support.reference.seam_union import Tile, check_tiles

L = Polygon([(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)])
SCENES: dict[str, list[tuple[Shape, PartPose]]] = {
    "row": [(Box(1, 1), (k, 0, 0)) for k in range(4)],
    "block": [(Box(1, 1), (k % 3, k // 3, 0)) for k in range(9)],
    "wall of bricks": [(Box(2, 1), (2 * k + 0.5 * (j % 2), j, 0)) for j in range(3) for k in range(3)],
    "T": [(Box(2, 1), (0, 0, 0)), (Box(1, 2), (0, 1.5, 0))],
    "stairs": [(Box(1, k + 1), (k, 0.5 * k, 0)) for k in range(4)],
    "cross that overlaps": [(Box(3, 1), (0, 0, 0)), (Box(1, 3), (0, 0, 0))],
    "row that overlaps": [(Box(2, 1), (1.5 * k, 0, 0)) for k in range(3)],
    "two crossed boxes": [(Box(3, 1), (0, 0, 0)), (Box(3, 1), (0.2, 0.1, 0.7))],
    "one inside the other": [(Box(3, 3), (0, 0, 0)), (Box(1, 1), (0.2, 0.1, 0.7))],
    "the same twice": [(Box(2, 1), (0, 0, 0)), (Box(2, 1), (0, 0, 0))],
    "polygon and box": [(L, (0, 0, 0)), (Box(2, 2), (2, 2, 0))],
    "bitmap and box": [(Bitmap([[1, 1, 1], [1, 0, 1]]), (0, 0, 0)), (Box(3, 1), (1.5, 2.5, 0))],
    "fan": [(Polygon([(0, 0), (1, 0), (0.6, 0.8)]), (0, 0, 0.9272952180016122 * k)) for k in range(3)],
    "corner to corner": [(Box(1, 1), (0, 0, 0)), (Box(1, 1), (1, 1, 0))],
}


@pytest.mark.parametrize("turn", [0.0, 0.4, -2.4])
@pytest.mark.parametrize("name", SCENES)
def test_the_exposed_edges_are_the_rim_of_the_union(name: str, turn: float) -> None:
    pieces = Compound([(Compound([part]), (0.3, -0.2, turn)) for part in SCENES[name]]).pieces()
    check_tiles([Tile(piece.kind, piece.vertices, piece.normals, piece.outline) for piece in pieces], tolerance=1e-6)


def test_parts_in_any_order() -> None:
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(9)
        pieces = Compound([SCENES["block"][k] for k in order]).pieces()
        check_tiles([Tile(piece.kind, piece.vertices, piece.normals, piece.outline) for piece in pieces])


def test_free_and_round_pieces_keep_their_outline() -> None:
    boxes = Box(1, 1), (Box(1, 1), (3, 0, 0))
    assert [piece.kind for piece in Compound([*boxes, (Circle(1), (1, 0, 0))]).pieces()] == [
        PieceKind.POLYGON,
        PieceKind.POLYGON,
        PieceKind.CIRCLE,
    ]
    rounded = Polygon([(0, 0), (1, 0), (1, 1), (0, 1)], radius=0.1)
    assert [piece.kind for piece in Compound([rounded, (rounded, (1, 0, 0))]).pieces()] == [PieceKind.POLYGON] * 2
