"""Solid cells of a grid, merged into rectangles (`rectangles.py`) whose sides are cut at the cells around them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecs_collide.shapes import mass, outline as of_outline
from ecs_collide.shapes.piece import FloatArray, Piece, PieceRows
from ecs_collide.shapes.rectangle_outlines import make_piece_rows
from ecs_collide.shapes.rectangles import find_cell_rectangles
from ecs_collide.shapes.shape import Shape
from ecs_collide.shapes.terrain import Terrain
from ecs_collide.validate import finite, positive, vector2

CellMask: TypeAlias = NDArray[np.bool_]
Cell: TypeAlias = tuple[int, int]
"""Column and row; also the grid point at the lower left corner of that cell."""

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Directions of the sides of a rectangle, counter-clockwise from the bottom."""

AHEAD: tuple[Cell, ...] = ((0, 0), (-1, 0), (-1, -1), (0, -1))
"""Offset from a grid point to the cell ahead on the left, for each direction.

The cell ahead on the right is that of the direction before.
"""

CHARACTERS = {"#": 1, "1": 1, ".": 0, "0": 0, " ": 0}
"""Characters of a mask: 1 for solid, 0 for empty."""

INVALID = 2
"""Value of an invalid cell."""

CELL_OF_CHARACTER = bytes(CHARACTERS.get(chr(code), INVALID) for code in range(256))
"""Cell value of each character code."""

ROUNDING = 1e-9
"""Excess over a whole number of cells that is ignored [cells]."""


@dataclass(frozen=True, slots=True, init=False)
class Bitmap(Shape):
    """The solid cells of a grid: squares of side `cell_size`.

    Row 0 is the lowest row and column 0 the leftmost; the lower left corner of cell `[0][0]` is the origin. For an
    image or a list of strings, whose first row is the top one, pass `mask[::-1]`. If the y axis of the game points
    down, pass such a mask as it is: row 0 is the row at the smallest y. Cells that touch only at a corner are not
    connected there.

    Args:
        mask: solid cells (rows, columns): bools, zeros and ones, or one string for each row. In a string, `#` and `1`
            are solid, and `.`, `0` and a blank are empty.
        cell_size: side of a cell [m].

    Raises:
        ValueError: the mask is not a rectangle, has no solid cell, or holds other values.
        TypeError: the mask is a single string or holds other types.
    """

    mask: tuple[bytes, ...]
    """Solid cells, one `bytes` of zeros and ones for each row, from the lowest."""
    cell_size: float
    """Side of a cell [m]."""

    def __init__(self, mask: ArrayLike | Sequence[str] | tuple[bytes, ...], cell_size: float = 1.0) -> None:
        self._store(mask=_rows(mask), cell_size=positive(cell_size, "Bitmap.cell_size"))

    @classmethod
    def from_image(cls, pixels: ArrayLike, cell_size: float, threshold: float = 0.0) -> Self:
        """Return the bitmap of an image: a cell is solid if its pixel is greater than `threshold`.

        Args:
            pixels: numbers such as an alpha channel (rows, columns), the first row at the top as in image files.
            cell_size: side of a cell [m].
            threshold: greatest value of an empty pixel.

        Raises:
            TypeError: `pixels` is not a table of numbers.
        """
        brightness = np.asarray(pixels)
        if brightness.ndim != 2 or brightness.dtype.kind not in "biuf":
            raise TypeError(f"Bitmap.from_image: pixels must be numbers in rows and columns, got {_kind(brightness)}")
        return cls((brightness > finite(threshold, "threshold"))[::-1], cell_size)

    @classmethod
    def from_curve(
        cls, inside: Callable[[FloatArray, FloatArray], ArrayLike], size: tuple[float, float], cell_size: float
    ) -> Self:
        """Return the bitmap of the region inside a curve: the cells whose centres are inside.

        Source: PC, "via rasterization".

        Args:
            inside: function of the centres' x and y [m] (rows, columns) that returns True for each centre inside the
                curve.
            size: width and height of the grid from the origin [m], rounded up to whole cells.
            cell_size: side of a cell [m].

        Raises:
            ValueError: `inside` does not return one value for each cell.
        """
        step = positive(cell_size, "Bitmap.cell_size")
        columns, rows = (ceil(positive(length, "size") / step - ROUNDING) for length in vector2(size, "size"))
        x, y = np.meshgrid((np.arange(columns) + 0.5) * step, (np.arange(rows) + 0.5) * step)
        mask = np.asarray(inside(x, y))
        if mask.shape != x.shape:
            raise ValueError(
                f"Bitmap.from_curve: inside must return a value for each of {x.shape} cells, got shape {mask.shape}"
            )
        return cls(mask, cell_size)

    def static_shape(self) -> Shape:
        return Terrain(self) if type(self) is Bitmap else self

    def pieces(self) -> tuple[Piece, ...]:
        return self.piece_rows().pieces()

    def piece_rows(self) -> PieceRows:
        cells = self.cells()
        return make_piece_rows(find_cell_rectangles(cells), cells, self.cell_size)

    def mass_properties(self) -> mass.MassProperties:
        rows, columns = np.nonzero(self.cells()[1:-1, 1:-1])
        count = len(rows)
        x, y = float(columns.sum()) / count, float(rows.sum()) / count
        spread = float(((columns - x) ** 2 + (rows - y) ** 2).sum())
        size = self.cell_size
        second_moment = (spread + count / 6.0) * (size * size) * (size * size)
        return mass.MassProperties(count * size * size, ((x + 0.5) * size, (y + 0.5) * size), second_moment)

    def outlines(self) -> tuple[FloatArray, ...]:
        """Return the outlines of the solid parts and of their holes [m] (k, 2).

        Solid parts run counter-clockwise, holes clockwise.
        """
        padded = self.cells()
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

    def cells(self) -> CellMask:
        """Return a table that is True for solid cells, with a rim of empty ones (rows + 2, columns + 2)."""
        rows, columns = len(self.mask), len(self.mask[0])
        cells = np.zeros((rows + 2, columns + 2), np.bool_)
        cells[1:-1, 1:-1] = np.frombuffer(b"".join(self.mask), np.bool_).reshape(rows, columns)
        return cells


def _is_solid(padded: CellMask, point: Cell, direction: int) -> bool:
    """Return True if the cell on the left, ahead of a grid point in `direction`, is solid."""
    column, row = AHEAD[direction % 4]
    return bool(padded[point[1] + row + 1, point[0] + column + 1])


def _end(padded: CellMask, point: Cell, solid_side: int, free_side: int) -> float:
    """Return the form of the surface at a grid point where an edge ends: CONVEX, FLAT or CONCAVE.

    The arguments `solid_side` and `free_side` are the directions of the cells ahead on the two sides of the edge.
    """
    if not _is_solid(padded, point, solid_side):
        return of_outline.CONVEX
    return of_outline.CONCAVE if _is_solid(padded, point, free_side) else of_outline.FLAT


def _next_side(padded: CellMask, point: Cell, direction: int) -> tuple[Cell, int]:
    """Return the side of a cell that follows the side from `point` in `direction` along the outline."""
    step_x, step_y = DIRECTIONS[direction]
    end = (point[0] + step_x, point[1] + step_y)
    turns = {of_outline.CONVEX: 1, of_outline.FLAT: 0, of_outline.CONCAVE: -1}
    return end, (direction + turns[_end(padded, end, direction, direction - 1)]) % 4


def _kind(array: NDArray[Any]) -> str:
    return f"{array.dtype} of shape {array.shape}"


def _parse_row(number: int, row: str) -> bytes:
    """Return the cells of a row given as a string."""
    cells = row.encode("ascii", "replace").translate(CELL_OF_CHARACTER)
    if INVALID in cells:
        column = cells.index(INVALID)
        sign = row[column]
        raise ValueError(
            f"Bitmap.mask[{number}] has {sign!r} in column {column}, which is none of {' '.join(CHARACTERS)!r}: {row!r}"
        )
    return cells


def _rows(mask: object) -> tuple[bytes, ...]:
    """Return a mask as one `bytes` of zeros and ones for each row."""
    if isinstance(mask, str):
        raise TypeError(f"Bitmap.mask must be a string for each row, got one string; use .splitlines(): {mask!r}")
    if isinstance(mask, Sequence) and mask and all(isinstance(row, str) for row in mask):
        rows = tuple(_parse_row(number, row) for number, row in enumerate(mask))
    elif isinstance(mask, Sequence) and mask and all(isinstance(row, bytes) for row in mask):
        rows = tuple(mask)
    else:
        rows = _parse_table(mask)
    if len(set(map(len, rows))) > 1:
        raise ValueError("Bitmap.mask must hold rows of equal length")
    cells = b"".join(rows)
    if cells.translate(None, b"\0\1"):
        raise ValueError("Bitmap.mask must hold bools or zeros and ones")
    if 1 not in cells:
        raise ValueError("Bitmap.mask must hold at least one solid cell: remove the Collider of an empty map")
    return rows


def _parse_table(mask: object) -> tuple[bytes, ...]:
    """Return the rows of a table of bools or integers; a value that is neither 0 nor 1 becomes `INVALID`."""
    try:
        cells = np.asarray(mask)
    except ValueError:
        raise ValueError("Bitmap.mask must hold rows of equal length") from None
    if cells.ndim != 2:
        raise ValueError(f"Bitmap.mask must have two dimensions, rows and columns, got {cells.ndim}")
    if cells.size and cells.dtype.kind not in "biu":
        raise TypeError(f"Bitmap.mask must hold bools or zeros and ones, got {cells.dtype}")
    if cells.dtype.kind != "b":
        cells = np.where(cells == 0, 0, np.where(cells == 1, 1, INVALID))
    flat, width = cells.astype(np.uint8).tobytes(), cells.shape[1]
    return tuple(flat[row * width : (row + 1) * width] for row in range(len(cells)))
