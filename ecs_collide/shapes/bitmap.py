"""Solid cells of a grid, joined into rectangles (`rectangles.py`) whose sides are cut at the cells around them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecs_collide.shapes import mass, outline as of_outline
from ecs_collide.shapes.piece import FloatArray, Piece, PieceRows
from ecs_collide.shapes.rectangle_outlines import piece_rows_of
from ecs_collide.shapes.rectangles import rectangles_of
from ecs_collide.shapes.shape import Shape
from ecs_collide.shapes.terrain import Terrain
from ecs_collide.validate import finite, positive, vector2

CellMask: TypeAlias = NDArray[np.bool_]
Cell: TypeAlias = tuple[int, int]
"""Column and row; also the grid point at the lower left corner of that cell."""

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Of the sides of a rectangle, counter-clockwise from the bottom."""

AHEAD: tuple[Cell, ...] = ((0, 0), (-1, 0), (-1, -1), (0, -1))
"""From a grid point to the cell ahead on the left, for each direction; on the right it is that of the one before."""

SIGNS = {"#": 1, "1": 1, ".": 0, "0": 0, " ": 0}
"""Cells written as characters: whether they are solid."""

NEITHER = 2
"""Stands for what is no cell."""

CELLS = bytes(SIGNS.get(chr(code), NEITHER) for code in range(256))
"""What each character is as a cell."""

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

    def where_nothing_moves(self) -> Shape:
        return Terrain(self) if type(self) is Bitmap else self

    def pieces(self) -> tuple[Piece, ...]:
        return self.piece_rows().pieces()

    def piece_rows(self) -> PieceRows:
        cells = self.cells()
        return piece_rows_of(rectangles_of(cells), cells, self.cell_size)

    def mass_properties(self) -> mass.MassProperties:
        rows, columns = np.nonzero(self.cells()[1:-1, 1:-1])
        count = len(rows)
        x, y = float(columns.sum()) / count, float(rows.sum()) / count
        spread = float(((columns - x) ** 2 + (rows - y) ** 2).sum())
        size = self.cell_size
        second_moment = (spread + count / 6.0) * (size * size) * (size * size)
        return mass.MassProperties(count * size * size, ((x + 0.5) * size, (y + 0.5) * size), second_moment)

    def outlines(self) -> tuple[FloatArray, ...]:
        """Return the outlines [m] (k, 2) of the solid parts, counter-clockwise, and of their holes, clockwise."""
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
        """Return whether cells are solid, with a rim of empty ones (rows + 2, columns + 2)."""
        rows, columns = len(self.mask), len(self.mask[0])
        cells = np.zeros((rows + 2, columns + 2), np.bool_)
        cells[1:-1, 1:-1] = np.frombuffer(b"".join(self.mask), np.bool_).reshape(rows, columns)
        return cells


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


def _written(number: int, row: str) -> bytes:
    """Return the cells of a row that is written as a string."""
    cells = row.encode("ascii", "replace").translate(CELLS)
    if NEITHER in cells:
        column = cells.index(NEITHER)
        sign = row[column]
        raise ValueError(f"Bitmap.mask[{number}] is {row!r}: {sign!r} at {column} is none of {' '.join(SIGNS)!r}")
    return cells


def _rows(mask: object) -> tuple[bytes, ...]:
    """Return a mask as one `bytes` of zeros and ones for each row."""
    if isinstance(mask, str):
        raise TypeError(f"Bitmap.mask must be a string for each row, got one string, {mask!r}: try .splitlines()")
    if isinstance(mask, Sequence) and mask and all(isinstance(row, str) for row in mask):
        rows = tuple(_written(number, row) for number, row in enumerate(mask))
    elif isinstance(mask, Sequence) and mask and all(isinstance(row, bytes) for row in mask):
        rows = tuple(mask)
    else:
        rows = _rows_of(mask)
    if len(set(map(len, rows))) > 1:
        raise ValueError("Bitmap.mask must hold rows of equal length")
    cells = b"".join(rows)
    if cells.translate(None, b"\0\1"):
        raise ValueError("Bitmap.mask must hold bools or zeros and ones")
    if 1 not in cells:
        raise ValueError("Bitmap.mask must hold at least one solid cell")
    return rows


def _rows_of(mask: object) -> tuple[bytes, ...]:
    """Return the rows of a table of bools or whole numbers; what is neither 0 nor 1 comes out as neither, too."""
    try:
        cells = np.asarray(mask)
    except ValueError:
        raise ValueError("Bitmap.mask must hold rows of equal length") from None
    if cells.ndim != 2:
        raise ValueError(f"Bitmap.mask must have two dimensions, rows and columns, got {cells.ndim}")
    if cells.size and cells.dtype.kind not in "biu":
        raise TypeError(f"Bitmap.mask must hold bools or zeros and ones, got {cells.dtype}")
    if cells.dtype.kind != "b":
        cells = np.where(cells == 0, 0, np.where(cells == 1, 1, NEITHER))
    flat, width = cells.astype(np.uint8).tobytes(), cells.shape[1]
    return tuple(flat[row * width : (row + 1) * width] for row in range(len(cells)))
