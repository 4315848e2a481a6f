"""A bitmap on a static body, which may change cell by cell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecs_collide.shapes.changed_cells import ChangedCells, changed_cells
from ecs_collide.shapes.mass import MassProperties
from ecs_collide.shapes.piece import Piece, PieceRows
from ecs_collide.shapes.rectangle_outlines import make_piece_rows
from ecs_collide.shapes.rectangles import find_cell_rectangles, find_unchanged_rectangles
from ecs_collide.shapes.shape import Shape

if TYPE_CHECKING:
    from ecs_collide.shapes.bitmap import Bitmap


class Patch(NamedTuple):
    """The difference between two terrains."""

    source: NDArray[np.int64]
    """Number of each piece in the former terrain, -1 for new pieces (n,)."""
    pieces: PieceRows
    """New pieces, in the same order."""


class Terrain(Shape):
    """A static `bitmap`.

    Its centre is the middle of the grid, whichever cells are solid. When a cell changes, the unchanged rectangles are
    equal to the bit. Two terrains are never equal, so that each body has its own pieces.
    """

    __slots__ = ("_cells", "_rectangles", "bitmap")

    def __init__(self, bitmap: Bitmap) -> None:
        self.bitmap = bitmap
        self._cells = bitmap.cells()
        self._rectangles = find_cell_rectangles(self._cells)

    def piece_rows(self) -> PieceRows:
        return make_piece_rows(self._rectangles, self._cells, self.bitmap.cell_size)

    def pieces(self) -> tuple[Piece, ...]:
        return self.piece_rows().pieces()

    def mass_properties(self) -> MassProperties:
        size = self.bitmap.cell_size
        rows, columns = self._cells.shape
        return MassProperties(math.inf, (0.5 * (columns - 2) * size, 0.5 * (rows - 2) * size), math.inf)

    def can_replace(self, other: Shape) -> bool:
        """Return True if both are terrains of one grid."""
        return (
            isinstance(other, Terrain)
            and self._cells.shape == other._cells.shape
            and self.bitmap.cell_size == other.bitmap.cell_size
        )

    def changes_since(self, other: Terrain) -> ChangedCells:
        """Return the cells that differ from those of a terrain that this one can replace."""
        return changed_cells(other._cells, self._cells, self.bitmap.cell_size)

    def patch(self, other: Terrain) -> Patch:
        """Return the new pieces after a terrain that this one can replace."""
        source = np.empty(len(self._rectangles), np.int64)
        find_unchanged_rectangles(other._rectangles, other._cells, self._rectangles, self._cells, source)
        return Patch(source, make_piece_rows(self._rectangles[source < 0], self._cells, self.bitmap.cell_size))
