"""Parts of a compound that share sides or overlap, against their union in shapely."""

from __future__ import annotations

import numpy as np
import pytest

from ecs_collide.shapes import Bitmap, Box, Chain, Circle, Compound, PieceKind, Polygon, Segment, outline as of_outline
from ecs_collide.shapes.compound import PartPose
from ecs_collide.shapes.outline import OUTLINE
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


POINTS = [(0.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 1.5), (3.9, 1.5), (6.0, -2.0), (0.0, -3.0)]


@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("turn", [0.0, 0.7, -2.4])
def test_segments_end_to_end_have_the_corners_of_a_chain(loop: bool, turn: float) -> None:
    ends = list(zip(POINTS, [*POINTS[1:], POINTS[0]], strict=True))
    links = [(Segment(a, b), (0.0, 0.0, turn)) for a, b in (ends if loop else ends[:-1])]
    chain = Compound([(Chain(POINTS, loop=loop), (0.0, 0.0, turn))])
    for piece, link in zip(Compound(links).pieces(), chain.pieces(), strict=True):
        assert (piece.outline[:, OUTLINE.EDGE] == of_outline.EXPOSED).all()
        for column in (OUTLINE.START, OUTLINE.STOP, OUTLINE.CORNER):
            assert piece.outline[:, column].tolist() == link.outline[:, column].tolist()
        is_corner = link.outline[:, OUTLINE.CORNER] == 1.0
        cones = slice(OUTLINE.FROM_X, OUTLINE.TO_Y + 1)
        assert piece.outline[is_corner, cones] == pytest.approx(link.outline[is_corner, cones], abs=1e-9)


def test_a_line_within_a_box_or_along_another_line_gives_no_contacts() -> None:
    inside = Compound([Box(2, 2), Segment((-0.5, 0.0), (0.5, 0.3))]).pieces()[1]
    assert (inside.outline[:, OUTLINE.EDGE] == of_outline.HIDDEN).all()
    first, second = Compound([Segment((0, 0), (4, 0)), Segment((1, 0), (3, 0))]).pieces()
    assert (first.outline[:, OUTLINE.EDGE] == of_outline.EXPOSED).all()
    assert (second.outline[:, OUTLINE.EDGE] == of_outline.HIDDEN).all()
    apart = Compound([Segment((0, 0), (1, 0)), Segment((3, 0), (4, 0))]).pieces()
    assert all((piece.outline[:, OUTLINE.EDGE] == of_outline.EXPOSED).all() for piece in apart)
