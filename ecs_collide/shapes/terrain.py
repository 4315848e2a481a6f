"""A bitmap that nothing moves: it may become another one, cell by cell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecs_collide.shapes.changed_cells import ChangedCells, changed_cells
from ecs_collide.shapes.mass import MassProperties
from ecs_collide.shapes.piece import Piece, PieceRows
from ecs_collide.shapes.rectangle_outlines import piece_rows_of
from ecs_collide.shapes.rectangles import find_unchanged_rectangles, rectangles_of
from ecs_collide.shapes.shape import Shape

if TYPE_CHECKING:
    from ecs_collide.shapes.bitmap import Bitmap


class Patch(NamedTuple):
    """What is new in a terrain that follows another one."""

    source: NDArray[np.int64]
    """Which piece of the other each piece is, or -1 (n,)."""
    pieces: PieceRows
    """Those that are new, in the same order."""


class Terrain(Shape):
    """A static `bitmap`.

    Its centre is the middle of the grid, whichever cells are solid: where one changes, the rectangles that do not are
    the same to the bit. Two are never equal, so that each body has the pieces of its own.
    """

    __slots__ = ("_cells", "_rectangles", "bitmap")

    def __init__(self, bitmap: Bitmap) -> None:
        self.bitmap = bitmap
        self._cells = bitmap.cells()
        self._rectangles = rectangles_of(self._cells)

    def piece_rows(self) -> PieceRows:
        return piece_rows_of(self._rectangles, self._cells, self.bitmap.cell_size)

    def pieces(self) -> tuple[Piece, ...]:
        return self.piece_rows().pieces()

    def mass_properties(self) -> MassProperties:
        size = self.bitmap.cell_size
        rows, columns = self._cells.shape
        return MassProperties(math.inf, (0.5 * (columns - 2) * size, 0.5 * (rows - 2) * size), math.inf)

    def can_follow(self, other: Shape) -> bool:
        """Whether both are terrains of one grid."""
        return (
            isinstance(other, Terrain)
            and self._cells.shape == other._cells.shape
            and self.bitmap.cell_size == other.bitmap.cell_size
        )

    def changes_since(self, other: Terrain) -> ChangedCells:
        """Return which cells are not as in a terrain that this one can follow."""
        return changed_cells(other._cells, self._cells, self.bitmap.cell_size)

    def patch(self, other: Terrain) -> Patch:
        """Return what is new here after a terrain that this one can follow."""
        source = np.empty(len(self._rectangles), np.int64)
        find_unchanged_rectangles(other._rectangles, other._cells, self._rectangles, self._cells, source)
        return Patch(source, piece_rows_of(self._rectangles[source < 0], self._cells, self.bitmap.cell_size))
