"""Outlines of rectangles of cells.

A side of a rectangle is cut where the cells beyond it begin or end. Each edge is thus hidden or open as a whole. The
form of the surface at the end of an edge follows from the two cells ahead, on the solid and on the free side:

    solid side empty                  convex; a cell that touches by a corner only is not connected
    solid side filled, free empty     flat
    both filled                       concave

Directions are numbered counter-clockwise: 0 runs along the bottom, to the right. `cells` are as in `rectangles.py`.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FlagTable, FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.measure import write_normals
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.shapes.piece import PieceKind, PieceRows
from ecs_collide.shapes.rectangles import RECTANGLE


def make_piece_rows(rectangles: np.ndarray, cells: np.ndarray, cell_size: float) -> PieceRows:
    """Return the pieces of rectangles (n, 4) of cells whose side is `cell_size` [m]."""
    counts = np.empty(len(rectangles), np.int64)
    corners: int = count_corners(rectangles, cells, counts)
    vertices, normals = np.empty((2, corners, 2))
    outlines = np.zeros((corners, OUTLINE.WIDTH))
    write_corners(rectangles, cells, cell_size, vertices, normals, outlines)
    many = len(counts)
    return PieceRows(
        kinds=[int(PieceKind.OUTLINE)] * many,
        counts=counts.tolist(),
        radii=[0.0] * many,
        vertices=vertices,
        normals=normals,
        outline=outlines,
        parts=[0] * many,
        materials=[None] * many,
    )


@device
def grid_step(direction):
    """Return the offset to the next grid point in a direction."""
    if direction == 0:
        return 1, 0
    if direction == 1:
        return 0, 1
    return (-1, 0) if direction == 2 else (0, -1)


@device
def is_solid(cells, x, y, direction):
    """Return True if the cell on the left, ahead of a grid point in a direction, is solid."""
    turned = direction % 4
    return cells[y + (1 if turned < 2 else 0), x + (1 if turned == 0 or turned == 3 else 0)]


@device
def find_edge_end(cells, x, y, solid_side, free_side):
    """Return the form of the surface at a grid point where an edge ends: CONVEX, FLAT or CONCAVE.

    The arguments `solid_side` and `free_side` are the directions of the cells ahead on the two sides of the edge.
    """
    if not is_solid(cells, x, y, solid_side):
        return of_outline.CONVEX
    return of_outline.CONCAVE if is_solid(cells, x, y, free_side) else of_outline.FLAT


@kernel
def count_corners(rectangles: IntTable, cells: FlagTable, counts: Ints):
    """Write the number of corners of each rectangle's outline (n,); return their sum."""
    total = 0
    for k in range(len(rectangles)):
        x, y, count = rectangles[k, RECTANGLE.COLUMN], rectangles[k, RECTANGLE.ROW], 0
        for direction in range(4):
            step_x, step_y = grid_step(direction)
            was_open = False
            for step in range(rectangles[k, RECTANGLE.COLUMNS if direction % 2 == 0 else RECTANGLE.ROWS]):
                is_open = not is_solid(cells, x, y, direction - 1)
                count += int(step == 0 or is_open != was_open)
                was_open = is_open
                x, y = x + step_x, y + step_y
        counts[k] = count
        total += count
    return total


@kernel
def write_corners(
    rectangles: IntTable,
    cells: FlagTable,
    cell_size: float,
    vertices: FloatTable,
    normals: FloatTable,
    outlines: FloatTable,
):
    """Write the corners of rectangles' outlines, one after the other.

    Writes vertices [m] (v, 2), normals (v, 2) and `outlines` (v, 12), which are zeros before.
    """
    row = 0
    for k in range(len(rectangles)):
        start, x, y = row, rectangles[k, RECTANGLE.COLUMN], rectangles[k, RECTANGLE.ROW]
        for direction in range(4):
            step_x, step_y = grid_step(direction)
            was_open = False
            for step in range(rectangles[k, RECTANGLE.COLUMNS if direction % 2 == 0 else RECTANGLE.ROWS]):
                is_open = not is_solid(cells, x, y, direction - 1)
                if step == 0 or is_open != was_open:
                    vertices[row, X], vertices[row, Y] = x * cell_size, y * cell_size
                    outlines[row, OUTLINE.CORNER] = 1.0 if step == 0 else 0.0
                    outlines[row, OUTLINE.EDGE] = of_outline.EXPOSED if is_open else of_outline.HIDDEN
                    if is_open:
                        outlines[row, OUTLINE.START] = find_edge_end(cells, x, y, direction + 1, direction + 2)
                    row += 1
                was_open = is_open
                x, y = x + step_x, y + step_y
                if is_open:
                    outlines[row - 1, OUTLINE.STOP] = find_edge_end(cells, x, y, direction, direction - 1)
        write_normals(vertices, start, row - start, normals, 0)
        write_cones(start, row, normals, outlines)


@device
def write_cones(start, stop, normals, outlines):
    """Write the normals that the corners of one outline allow.

    Only a corner of the rectangle between two open edges has any.
    """
    before = stop - 1
    for row in range(start, stop):
        has_cone = (
            outlines[row, OUTLINE.CORNER] != 0.0
            and outlines[row, OUTLINE.EDGE] == of_outline.EXPOSED
            and outlines[before, OUTLINE.EDGE] == of_outline.EXPOSED
        )
        outlines[row, OUTLINE.CORNER] = 1.0 if has_cone else 0.0
        if has_cone:
            outlines[row, OUTLINE.FROM_X], outlines[row, OUTLINE.FROM_Y] = normals[before, X], normals[before, Y]
            outlines[row, OUTLINE.TO_X], outlines[row, OUTLINE.TO_Y] = normals[row, X], normals[row, Y]
        before = row
