"""Solid cells of a grid.

Cells are joined into rectangles: from the lowest free solid cell, the leftmost of them first, as far as the row goes to
the right and then as many rows up as are solid and free. A rectangle's side is cut where the cells beyond it begin or
end, so that each edge is covered or open from end to end. How the surface goes on at the end of an edge follows
from the two cells ahead, on the solid and on the free side:

    solid side empty                  convex; a cell that touches by a corner only is not connected
    solid side filled, free empty     flat
    both filled                       concave
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecs_collide.shapes import mass, outline as of_outline
from ecs_collide.shapes.corners import COVERED_EDGE, NO_CORNER, Edge, corner, outline_piece
from ecs_collide.shapes.piece import FloatArray, Piece, edge_normals
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import finite, positive, vector2

CellMask: TypeAlias = NDArray[np.bool_]
Cell: TypeAlias = tuple[int, int]
"""Column and row; also the grid point at the lower left corner of that cell."""

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Of the sides of a rectangle, counter-clockwise from the bottom."""

AHEAD: tuple[Cell, ...] = ((0, 0), (-1, 0), (-1, -1), (0, -1))
"""From a grid point to the cell ahead on the left, for each direction; on the right it is that of the one before."""

SIGNS = {"#": True, "1": True, ".": False, "0": False, " ": False}
"""Cells written as characters: whether they are solid."""


ROUNDING = 1e-9
"""By how many cells a size may exceed a whole number of them and still count as one."""


@dataclass(frozen=True, slots=True, init=False)
class Bitmap(Shape):
    """The cells of `mask` (rows, columns) that are true, squares of `cell_size` [m].

    Row 0 is the lowest and column 0 the leftmost; the lower left corner of cell [0][0] is the origin. An image or a
    map of strings, whose first row is the top one, is turned over by `mask[::-1]`. Cells that touch by a corner only
    are not connected there. `mask` may hold bools, zeros and ones, or a string for each row, in which `#` and `1` are
    solid, `.`, `0` and a blank empty; it is kept as one `bytes` for each row. One that is not a rectangle of at least
    one solid cell is a `ValueError`.
    """

    mask: tuple[bytes, ...]
    cell_size: float

    def __init__(self, mask: ArrayLike | Sequence[str] | tuple[bytes, ...], cell_size: float = 1.0) -> None:
        self._store(mask=_rows(mask), cell_size=positive(cell_size, "Bitmap.cell_size"))

    @classmethod
    def from_image(cls, pixels: ArrayLike, cell_size: float, threshold: float = 0.0) -> Self:
        """Return the bitmap of an image's opaque pixels: solid where a pixel is greater than `threshold`.

        `pixels` (rows, columns) are numbers, such as an alpha channel, the first row at the top as in image files.
        """
        brightness = np.asarray(pixels)
        if brightness.ndim != 2 or brightness.dtype.kind not in "biuf":
            raise TypeError(f"Bitmap.from_image: pixels must be numbers in rows and columns, got {_kind(brightness)}")
        return cls((brightness > finite(threshold, "threshold"))[::-1], cell_size)

    @classmethod
    def from_curve(
        cls, inside: Callable[[FloatArray, FloatArray], ArrayLike], size: tuple[float, float], cell_size: float
    ) -> Self:
        """Return the bitmap of what lies inside a curve: the cells whose centres do (PC: "via rasterization").

        `inside(x, y)` takes the centres [m] (rows, columns) and answers for each; they lie from (0, 0) to `size` [m],
        which is rounded up to whole cells.
        """
        step = positive(cell_size, "Bitmap.cell_size")
        columns, rows = (ceil(positive(length, "size") / step - ROUNDING) for length in vector2(size, "size"))
        x, y = np.meshgrid((np.arange(columns) + 0.5) * step, (np.arange(rows) + 0.5) * step)
        mask = np.asarray(inside(x, y))
        if mask.shape != x.shape:
            raise ValueError(f"Bitmap.from_curve: inside must answer for each of {x.shape} cells, got {mask.shape}")
        return cls(mask, cell_size)

    def pieces(self) -> tuple[Piece, ...]:
        cells = self._cells()
        padded = np.pad(cells, 1)
        pieces = []
        for column, row, width, height in _rectangles(cells):
            around = padded[row : row + height + 2, column : column + width + 2].tobytes()
            kind, vertices, normals, radius, outline = _piece(around, column, row, width, height, self.cell_size)
            pieces.append(Piece(kind, vertices.copy(), normals.copy(), radius, outline.copy()))
        return tuple(pieces)

    def mass_properties(self) -> mass.MassProperties:
        rows, columns = np.nonzero(self._cells())
        count = len(rows)
        x, y = float(columns.sum()) / count, float(rows.sum()) / count
        spread = float(((columns - x) ** 2 + (rows - y) ** 2).sum())
        size = self.cell_size
        second_moment = (spread + count / 6.0) * size**4
        return mass.MassProperties(count * size * size, ((x + 0.5) * size, (y + 0.5) * size), second_moment)

    def outlines(self) -> tuple[FloatArray, ...]:
        """Return the outlines [m] (k, 2) of the solid parts, counter-clockwise, and of their holes, clockwise."""
        padded = np.pad(self._cells(), 1)
        left: dict[tuple[Cell, int], None] = {}
        for row, column in np.argwhere(padded[1:-1, 1:-1]).tolist():
            corners = ((column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1))
            for direction, point in enumerate(corners):
                if not _is_solid(padded, point, direction - 1):
                    left[point, direction] = None
        outlines = []
        while left:
            loop = [next(iter(left))]
            while (following := _next_side(padded, *loop[-1])) != loop[0]:
                loop.append(following)
            for side in loop:
                del left[side]
            directions = [direction for _, direction in loop]
            before = [directions[-1], *directions[:-1]]
            points = [point for (point, direction), last in zip(loop, before, strict=True) if direction != last]
            outlines.append(np.array(points, dtype=np.float64) * self.cell_size)
        return tuple(outlines)

    def _cells(self) -> CellMask:
        return np.array([np.frombuffer(row, np.uint8) for row in self.mask]).astype(np.bool_)


@lru_cache(maxsize=2048)
def _piece(around: bytes, column: int, row: int, width: int, height: int, cell_size: float) -> Piece:
    """Return the piece of a rectangle of cells; `around` are they and the cells beside them, row by row.

    Most pieces of a map of which a cell changes are those of before.
    """
    ring = np.frombuffer(around, np.bool_).reshape(height + 2, width + 2)
    x, y = 0, 0
    vertices: list[Cell] = []
    edges: list[Edge] = []
    turns: list[bool] = []
    for direction, length in enumerate((width, height, width, height)):
        step_x, step_y = DIRECTIONS[direction]
        points = [(x + step * step_x, y + step * step_y) for step in range(length)]
        is_open = [not _is_solid(ring, point, direction - 1) for point in points]
        x, y = x + length * step_x, y + length * step_y
        for step, point in enumerate(points):
            if step > 0 and is_open[step] == is_open[step - 1]:
                continue
            run = sum(1 for _ in itertools.takewhile(is_open[step].__eq__, is_open[step:]))
            vertices.append(point)
            turns.append(step == 0)
            if not is_open[step]:
                edges.append(COVERED_EDGE)
                continue
            stop = (point[0] + run * step_x, point[1] + run * step_y)
            edges.append(
                Edge(
                    of_outline.EXPOSED,
                    _end(ring, point, direction + 1, direction + 2),
                    _end(ring, stop, direction, direction - 1),
                )
            )
    corners_at = np.array([(column + x, row + y) for x, y in vertices], np.float64) * cell_size
    normals = edge_normals(corners_at)
    tangents = [(-ny, nx) for nx, ny in normals.tolist()]
    corners = [
        corner(tangents[k - 1], tangents[k], 0.5 * np.pi)
        if turns[k] and edges[k - 1].cover == edges[k].cover == of_outline.EXPOSED
        else NO_CORNER
        for k in range(len(vertices))
    ]
    return outline_piece(corners_at, normals, edges, corners)


def _rectangles(cells: CellMask) -> list[tuple[int, int, int, int]]:
    """Return column, row, width and height of the rectangles that `cells` fall into."""
    free = [bytearray(row.tobytes()) for row in cells]
    rectangles = []
    for row, line in enumerate(free):
        column = line.find(1)
        while column >= 0:
            end = line.find(0, column)
            right, top = end if end >= 0 else len(line), row + 1
            run = line[column:right]
            while top < len(free) and free[top][column:right] == run:
                top += 1
            for other in free[row:top]:
                other[column:right] = bytes(right - column)
            rectangles.append((column, row, right - column, top - row))
            column = line.find(1, right)
    return rectangles


def _is_solid(padded: CellMask, point: Cell, direction: int) -> bool:
    """Whether the cell to the left of the way from a grid point in `direction` is solid."""
    column, row = AHEAD[direction % 4]
    return bool(padded[point[1] + row + 1, point[0] + column + 1])


def _end(padded: CellMask, point: Cell, solid_side: int, free_side: int) -> float:
    """Return how an edge goes on at a grid point, beyond which the cells on its two sides lie in these directions."""
    if not _is_solid(padded, point, solid_side):
        return of_outline.CONVEX
    return of_outline.CONCAVE if _is_solid(padded, point, free_side) else of_outline.FLAT


def _next_side(padded: CellMask, point: Cell, direction: int) -> tuple[Cell, int]:
    """Return the side of a cell that follows the one from `point` in `direction` along the outline."""
    step_x, step_y = DIRECTIONS[direction]
    end = (point[0] + step_x, point[1] + step_y)
    turns = {of_outline.CONVEX: 1, of_outline.FLAT: 0, of_outline.CONCAVE: -1}
    return end, (direction + turns[_end(padded, end, direction, direction - 1)]) % 4


def _kind(array: NDArray[Any]) -> str:
    return f"{array.dtype} of shape {array.shape}"


def _cells_of(number: int, row: str) -> list[bool]:
    """Return the cells of a row that is written as a string."""
    for column, sign in enumerate(row):
        if sign not in SIGNS:
            raise ValueError(f"Bitmap.mask[{number}] is {row!r}: {sign!r} at {column} is none of {' '.join(SIGNS)!r}")
    return [SIGNS[sign] for sign in row]


def _rows(mask: object) -> tuple[bytes, ...]:
    """Return a mask as one `bytes` of zeros and ones for each row."""
    given = mask
    if isinstance(given, str):
        raise TypeError(f"Bitmap.mask must be a string for each row, got one string, {given!r}: try .splitlines()")
    if isinstance(given, Sequence) and given:
        if all(isinstance(row, bytes) for row in given):
            given = [list(row) for row in given]
        elif all(isinstance(row, str) for row in given):
            given = [_cells_of(number, row) for number, row in enumerate(given)]
    try:
        cells = np.asarray(given)
    except ValueError:
        raise ValueError("Bitmap.mask must hold rows of equal length") from None
    if cells.ndim != 2:
        raise ValueError(f"Bitmap.mask must have two dimensions, rows and columns, got {cells.ndim}")
    if cells.size and cells.dtype.kind not in "biu":
        raise TypeError(f"Bitmap.mask must hold bools or zeros and ones, got {cells.dtype}")
    if not np.isin(cells, (0, 1)).all():
        raise ValueError("Bitmap.mask must hold bools or zeros and ones")
    if not cells.any():
        raise ValueError("Bitmap.mask must hold at least one solid cell")
    return tuple(row.astype(np.uint8).tobytes() for row in cells)
