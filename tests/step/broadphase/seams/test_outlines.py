"""Pieces that come with an outline from their shape: parts of one body, arcs and round corners among tiles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from ecs_collide.components import BodyKind
from ecs_collide.shapes import Box, MassProperties, Piece, PieceKind, Shape
from ecs_collide.shapes.outline import CONCAVE, CONVEX, EXPOSED, FLAT, HIDDEN, OUTLINE, ZERO_LENGTH, plain_outline
from ecs_collide.shapes.piece import edge_normals, polygon_piece
from tests.support.reference.column_world import PLAIN, ColumnWorld
from tests.support.reference.seam_union import check_tiles, static_tiles, tile, tiles_and_world, tiles_of_world

HERE = (0.0, 0.0, 0.0)


class Given(Shape):
    """A shape around the origin whose pieces the test says."""

    __slots__ = ()

    def mass_properties(self) -> MassProperties:
        return MassProperties(1.0, (0.0, 0.0), 1.0)


@dataclass(frozen=True)
class Pair(Given):
    """Two unit squares side by side, each covering the other's edge between them."""

    def pieces(self) -> tuple[Piece, ...]:
        corners = np.array([(-1.0, -0.5), (0.0, -0.5), (0.0, 0.5), (-1.0, 0.5)])
        result = []
        for side, inner in ((0.0, 1), (1.0, 3)):
            vertices = corners + np.array((side, 0.0))
            normals = edge_normals(vertices)
            outline = plain_outline(normals)
            after = (inner + 1) % 4
            outline[inner, OUTLINE.EDGE] = HIDDEN
            outline[[inner, after], OUTLINE.CORNER] = 0.0
            outline[inner - 1, OUTLINE.STOP] = outline[after, OUTLINE.START] = FLAT
            result.append(Piece(PieceKind.OUTLINE, vertices, normals, 0.0, outline))
        return tuple(result)


@dataclass(frozen=True)
class Loose(Given):
    """Two unit squares side by side of which neither says that it covers the other."""

    def pieces(self) -> tuple[Piece, ...]:
        corners = np.array([(-1.0, -0.5), (0.0, -0.5), (0.0, 0.5), (-1.0, 0.5)])
        return polygon_piece(corners, 0.0), polygon_piece(corners + np.array((1.0, 0.0)), 0.0)


@dataclass(frozen=True)
class QuarterPipe(Given):
    """The corner (1, 0) of the unit square less the unit disk around (0, 1), cut at its chord's ends."""

    def pieces(self) -> tuple[Piece, ...]:
        vertices = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)])
        normals = edge_normals(vertices)
        outline = plain_outline(normals)
        outline[2, [OUTLINE.ARC_X, OUTLINE.ARC_Y, OUTLINE.ARC_RADIUS]] = 0.0, 1.0, 1.0
        outline[2, [OUTLINE.TO_X, OUTLINE.TO_Y]] = -1.0, 0.0
        outline[0, [OUTLINE.FROM_X, OUTLINE.FROM_Y]] = 0.0, 1.0
        return (Piece(PieceKind.OUTLINE, vertices, normals, 0.0, outline),)


@dataclass(frozen=True)
class QuarterDisk(Given):
    """A sector of radius 1 from the x axis to the y axis."""

    def pieces(self) -> tuple[Piece, ...]:
        vertices = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 1.0)])
        normals = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
        outline = plain_outline(normals)
        outline[[1, 2], OUTLINE.EDGE] = ZERO_LENGTH
        outline[2, OUTLINE.CORNER_RADIUS] = 1.0
        outline[2, [OUTLINE.FROM_X, OUTLINE.FROM_Y, OUTLINE.TO_X, OUTLINE.TO_Y]] = 1.0, 0.0, 0.0, 1.0
        return (Piece(PieceKind.OUTLINE, vertices, normals, 0.0, outline),)


def original(world: ColumnWorld, number: int) -> bool:
    """Return True if a body's only piece shares the vertices of its shape."""
    shape, (piece,) = world.held[sorted(world.held)[number]]
    return bool(world.pieces.arrays.index[piece, 2] == world.runs(shape)[0].start)


def test_parts_of_one_body_alone_stay_as_they_are() -> None:
    world = ColumnWorld()
    world.add_all([(Pair(), HERE, BodyKind.STATIC, PLAIN), (Pair(), (5.0, 0.0, 0.0), BodyKind.STATIC, PLAIN)])
    world.update()
    assert not world.finder._seams._is_awake
    far = world.add_all((Box(1.0, 1.0), (float(x), 9.0, 0.0), BodyKind.STATIC, PLAIN) for x in range(2))
    world.update()
    assert world.finder._seams._is_awake
    world.remove(far)
    runs = world.runs(Pair())
    for _, pieces in world.held.values():
        for piece, run in zip(pieces, runs, strict=True):
            assert world.pieces.arrays.index[piece, 2] == run.start
    check_tiles(tiles_of_world(world))


def test_covered_edges_within_a_body_follow_from_its_shape() -> None:
    (left, right, tile), _ = tiles_and_world(Loose(), Box(1.0, 1.0, (1.5, 0.0)))
    assert left.kind == PieceKind.POLYGON
    assert right.outline[:, OUTLINE.EDGE].tolist() == [EXPOSED, HIDDEN, EXPOSED, EXPOSED]
    assert tile.outline[:, OUTLINE.EDGE].tolist() == [EXPOSED, EXPOSED, EXPOSED, HIDDEN]


@pytest.mark.parametrize(
    "others",
    [
        [Box(1.0, 1.0, (1.5, 0.0))],
        [Box(1.0, 1.0, (0.0, 1.0))],
        [Box(2.0, 1.0, (1.0, -1.0))],
        [Box(1.0, 2.0, (0.5, 1.5)), Box(1.0, 1.0, (-0.5, 1.0))],
        [Box(4.0, 1.0, (0.2, -0.7))],
        [Box(2.0, 1.0, (0.3, 0.2), 0.4)],
    ],
)
def test_parts_of_one_body_among_tiles(others: list[Shape]) -> None:
    check_tiles(static_tiles(Pair(), *others))


def test_two_bodies_of_two_parts() -> None:
    world = ColumnWorld()
    world.add_all((Pair(), (x, y, 0.0), BodyKind.STATIC, PLAIN) for x, y in ((0.0, 0.0), (2.0, 0.0), (1.0, 1.0)))
    world.update()
    check_tiles(tiles_of_world(world))


def test_a_floor_goes_on_smoothly_into_a_quarter_pipe() -> None:
    (pipe, floor, wall), world = tiles_and_world(QuarterPipe(), Box(1.0, 1.0, (-0.5, -0.5)), Box(1.0, 3.0, (1.5, 1.5)))
    assert floor.outline[2, [OUTLINE.EDGE, OUTLINE.START]].tolist() == [EXPOSED, FLAT]
    assert pipe.outline[2].tolist()[:6] == [EXPOSED, FLAT, FLAT, 0.0, 1.0, 1.0]
    assert pipe.outline[:, OUTLINE.CORNER].tolist() == [0.0, 0.0, 0.0]
    assert pipe.outline[:, OUTLINE.EDGE].tolist() == [EXPOSED, HIDDEN, EXPOSED]
    assert wall.kind == PieceKind.OUTLINE
    sides = {
        (float(row[OUTLINE.EDGE]), float(vertex[1]))
        for row, vertex, n in zip(wall.outline, wall.vertices, wall.normals)
        if n[0] < -0.5
    }
    assert sides == {(EXPOSED, 3.0), (HIDDEN, 1.0)}
    assert not original(world, 0)


def test_a_pipe_on_a_floor_covers_it_along_its_straight_edge_only() -> None:
    (pipe, floor), _ = tiles_and_world(QuarterPipe(), Box(4.0, 1.0, (0.0, -0.5)))
    top = [
        (
            round(float(b[0]), 9),
            round(float(a[0]), 9),
            float(row[OUTLINE.EDGE]),
            float(row[OUTLINE.STOP]),
            float(row[OUTLINE.START]),
        )
        for a, b, row, n in zip(floor.vertices, np.roll(floor.vertices, -1, axis=0), floor.outline, floor.normals)
        if n[1] > 0.5
    ]
    assert sorted(top) == [
        (-2.0, 0.0, EXPOSED, CONVEX, FLAT),
        (0.0, 1.0, HIDDEN, FLAT, CONCAVE),
        (1.0, 2.0, EXPOSED, CONCAVE, CONVEX),
    ]
    assert pipe.outline[0, OUTLINE.EDGE] == HIDDEN
    assert pipe.outline[2, [OUTLINE.EDGE, OUTLINE.STOP]].tolist() == [EXPOSED, FLAT]


def test_a_round_corner_stays_among_tiles() -> None:
    (disk, floor), _ = tiles_and_world(QuarterDisk(), Box(4.0, 1.0, (0.0, -0.5)))
    before = plain_outline(QuarterDisk().pieces()[0].normals)
    assert disk.outline[:, OUTLINE.EDGE].tolist() == [HIDDEN, ZERO_LENGTH, ZERO_LENGTH, EXPOSED]
    assert disk.outline[:, OUTLINE.CORNER].tolist() == [0.0, 0.0, 1.0, 1.0]
    assert disk.outline[2, OUTLINE.FROM_X :].tolist() == [1.0, 0.0, 0.0, 1.0, 1.0]
    assert disk.outline[3, OUTLINE.FROM_X :].tolist() == before[3, OUTLINE.FROM_X :].tolist()
    assert disk.outline[3, [OUTLINE.START, OUTLINE.STOP]].tolist() == [CONVEX, CONCAVE]
    covered = [vertex[0] for vertex, row in zip(floor.vertices, floor.outline) if row[OUTLINE.EDGE] == HIDDEN]
    assert covered == pytest.approx([1.0])


def test_an_arc_is_never_covered() -> None:
    (pipe, block), world = tiles_and_world(QuarterPipe(), Box(3.0, 3.0, (0.5, 0.5)))
    assert pipe.outline[:, OUTLINE.EDGE].tolist() == [HIDDEN, HIDDEN, EXPOSED]
    assert block.kind == PieceKind.POLYGON
    assert tile(world, 0).outline[2, OUTLINE.ARC_RADIUS] == 1.0
