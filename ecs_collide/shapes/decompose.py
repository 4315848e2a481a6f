"""Convex pieces of simple polygons: triangles by `ear_clipping.py`, merged by Hertel and Mehlhorn's rule.

Hertel and Mehlhorn (1983): take any triangulation and remove a diagonal if both its ends stay convex. The result has at
most four times the least possible number of pieces. Long diagonals are removed first, which leaves fewer slivers.

A polygon is a list of point indices, so that edges of pieces can be distinguished from edges of the outline.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.convex import find_turns
from ecs_collide.shapes.corner_normals import HIDDEN_EDGE, NO_CORNER, Corner, Edge, outline_piece
from ecs_collide.shapes.ear_clipping import cut_ears
from ecs_collide.shapes.piece import FloatArray, Piece, edge_normals
from ecs_collide.shapes.simple import scale_to_unit_size, signed_area

PointNumbers: TypeAlias = list[int]
"""A polygon: indices of its points, counter-clockwise."""

STRAIGHT = 1e-9
"""Angle by which rounding may bend a straight line [rad]; pieces are convex up to it."""


def triangulate(points: FloatArray, ring: PointNumbers, name: str) -> list[PointNumbers]:
    """Return the simple polygon `ring` through `points` [m] (n, 2), cut into triangles.

    A triangle has further vertices on its sides if the polygon has them there.

    Raises:
        ValueError: parts of the polygon, called `name` in the message, are too thin.
    """
    outline = np.ascontiguousarray(scale_to_unit_size(points[ring]))
    cells: list[PointNumbers] = cut_ears(outline).tolist()
    areas = [signed_area(outline[triangle]) for triangle in cells]
    whole = signed_area(outline)
    if not np.isclose(sum(areas), whole, rtol=1e-9, atol=1e-12):
        raise ValueError(f"{name} cannot be cut into convex pieces: parts of it are too thin; make them wider")
    used = {edge for cell in cells for edge in list_edges(cell)}
    count = len(ring)
    return [
        [
            ring[k % count]
            for i, j in list_edges(cell)
            # A side of one triangle only runs along the outline, and passes the points that lie on it.
            for k in ([i] if (j, i) in used else range(i, i + (j - i) % count))
        ]
        for cell in cells
    ]


def merge_cells(points: FloatArray, cells: Sequence[PointNumbers]) -> list[PointNumbers]:
    """Return convex `cells`, merged wherever the union of two that share an edge is convex."""
    owner = {edge: index for index, cell in enumerate(cells) for edge in list_edges(cell)}
    left: list[PointNumbers | None] = list(cells)
    diagonals = [(i, j) for i, j in owner if i < j and (j, i) in owner]
    lengths = {(i, j): math.hypot(*(points[j] - points[i])) for i, j in diagonals}
    for i, j in sorted(diagonals, key=lambda diagonal: (-lengths[diagonal], diagonal)):
        first, second = left[owner[i, j]], left[owner[j, i]]
        assert first is not None and second is not None
        before, after = _from(first, j), _from(second, i)
        if not (_is_convex(points, before[-2], i, after[1]) and _is_convex(points, after[-2], j, before[1])):
            continue
        union = before + after[1:-1]
        kept, merged = owner[i, j], owner[j, i]
        left[kept], left[merged] = union, None
        owner.update(dict.fromkeys(list_edges(union), kept))
    return [cell for cell in left if cell is not None]


def cell_piece(
    points: FloatArray, cell: PointNumbers, edges: dict[tuple[int, int], Edge], corners: dict[int, Corner]
) -> Piece:
    """Return a cell as a piece.

    Edges that are not in `edges` are hidden, and vertices that are not in `corners` give no contacts.
    """
    turns = find_turns([(x, y) for x, y in points[cell].tolist()])
    kept = [
        at
        for before, at, after, turn in zip([cell[-1], *cell[:-1]], cell, [*cell[1:], cell[0]], turns)
        if abs(turn) > STRAIGHT
        or (before, at) in edges
        or (at, after) in edges
        or corners.get(at, NO_CORNER).end == of_outline.CONVEX
    ]
    return outline_piece(
        points[kept],
        edge_normals(points[kept]),
        [edges.get(edge, HIDDEN_EDGE) for edge in list_edges(kept)],
        [corners.get(at, NO_CORNER) for at in kept],
    )


def list_edges(cell: PointNumbers) -> list[tuple[int, int]]:
    """Return the edges of a cell, as pairs of point indices."""
    return list(zip(cell, [*cell[1:], cell[0]], strict=True))


def _from(cell: PointNumbers, start: int) -> PointNumbers:
    """Return the cell with `start` as its first point."""
    place = cell.index(start)
    return cell[place:] + cell[:place]


def _is_convex(points: FloatArray, before: int, at: int, after: int) -> bool:
    """Return True if a polygon turns left or runs straight at a point."""
    (ax, ay), (bx, by) = (points[at] - points[before]).tolist(), (points[after] - points[at]).tolist()
    size = math.hypot(ax, ay) * math.hypot(bx, by)
    return before != after and ax * by - ay * bx >= -STRAIGHT * size
