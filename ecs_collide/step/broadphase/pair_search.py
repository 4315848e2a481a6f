"""The search for new pairs: its structures, and the kernel that uses them with enough room for what it finds."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import Bodies, BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import FOUND
from ecs_collide.data.pieces import PieceColumns, Pieces
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.broadphase.excluded_pairs import ExcludedPairs
from ecs_collide.step.broadphase.freed_pairs import find_freed_pairs
from ecs_collide.step.broadphase.lookup.build_strips import build_strips
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree
from ecs_collide.step.broadphase.lookup.strip_sweep import find_in_boxes
from ecs_collide.step.broadphase.lookup.strips import REACHED
from ecs_collide.step.broadphase.pair_update_arrays import RELOCATED, Search
from ecs_collide.step.broadphase.piece_list import PieceList
from ecs_collide.step.broadphase.relocated_pieces import RelocatedPieces
from ecs_collide.step.broadphase.update_pairs import find_new_pairs

NO_ROWS = np.zeros(0, np.int64)


class PairSearch:
    """The structures in which new pairs are found: static pieces in a tree, moving ones in strips, unbounded ones."""

    state_list = list_state(
        values="_pieces_in_strips",
        arrays="arrays.strips arrays.unbounded",
        objects="mobile",
        left_out="arrays.tree arrays.reached arrays.found arrays.excluded_pairs arrays.relocated _tree",
    )

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        tree: StaticTree,
        relocated: RelocatedPieces,
        excluded_pairs: ExcludedPairs,
    ) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._tree = tree
        self._relocated = relocated
        self._excluded_pairs = excluded_pairs
        self.mobile = PieceList()
        """All bounded pieces that can move, those of sleeping bodies included."""
        self.arrays = Search(
            tree=tree.arrays,
            strips=build_strips(NO_ROWS, bodies.arrays, pieces.arrays),
            reached=lane_array((REACHED.WIDTH, LANES)),
            unbounded=NO_ROWS,
            found=np.zeros((64, FOUND.WIDTH), np.int64),
            relocated=relocated.arrays,
            excluded_pairs=NO_ROWS,
        )
        """The structures as kernels take them."""
        self._pieces_in_strips = 0
        """Number of pieces in the strips when they were laid out last."""

    @property
    def unbounded(self) -> np.ndarray:
        """Rows of the unbounded pieces."""
        return self.arrays.unbounded

    @unbounded.setter
    def unbounded(self, rows: np.ndarray) -> None:
        self.arrays = self.arrays._replace(unbounded=rows)

    @property
    def must_rebuild_strips(self) -> bool:
        """True if many pieces were added or removed since the strips were built."""
        mobile, laid_out = self.mobile.count, self._pieces_in_strips
        return 0 < mobile != laid_out and not mobile <= 2 * laid_out <= 4 * mobile

    def rebuild_strips(self) -> None:
        """Lay out the strips anew."""
        self.arrays = self.arrays._replace(strips=build_strips(self.mobile.rows, *self._columns))
        self._pieces_in_strips = self.mobile.count

    def reset(self) -> None:
        """Begin with new strips after the last body was removed."""
        if self._pieces_in_strips:
            self.rebuild_strips()

    def reconnect(self) -> None:
        """Search in the present static tree, among the present excluded pairs and relocated pieces."""
        tree, keys, relocated = self._tree.arrays, self._excluded_pairs.keys, self._relocated.arrays
        present = self.arrays
        if present.tree is not tree or present.excluded_pairs is not keys or present.relocated is not relocated:
            self.arrays = present._replace(tree=tree, excluded_pairs=keys, relocated=relocated)

    def mobile_in(self, boxes: np.ndarray) -> np.ndarray:
        """Return the sorted bounded pieces that can move and whose fat boxes overlap any of some boxes [m] (k, 4)."""
        hits, near = np.zeros((2, self.mobile.count), np.int64)
        is_near = np.zeros(self._pieces.rows.high, np.bool_)
        found: np.ndarray = np.sort(near[: find_in_boxes(boxes, self.arrays.strips, hits, is_near, near)])
        return found

    def find(
        self,
        moved: np.ndarray,
        moved_count: int,
        query_rows: np.ndarray,
        query_count: int,
        statics: np.ndarray = NO_ROWS,
        is_laid: bool = False,
    ) -> int:
        """Find the new pairs of pieces that moved, and of `query_rows` pieces with static ones; return their number.

        `statics` are static pieces that have moved. `is_laid` says that the strips are up to date.
        """
        if not self.arrays.relocated.counts[RELOCATED.DETECTS]:
            statics = NO_ROWS
        if self.must_rebuild_strips and not is_laid:
            is_laid = True
            self.rebuild_strips()
        while True:
            search = self.arrays
            count: int = find_new_pairs(
                moved, moved_count, is_laid, query_rows, query_count, statics, *self._columns, search
            )
            if 0 <= count <= len(search.found):
                return count
            is_laid = True
            if count < 0:
                self.rebuild_strips()
            else:
                room = next_capacity(len(search.found), count)
                self.arrays = search._replace(found=lane_array((room, FOUND.WIDTH), np.int64))

    def find_freed(self, freed: np.ndarray, found_count: int) -> int:
        """Find the pairs between bodies that may collide again (k, 2), too; return the number of all found pairs."""
        self.arrays, count = find_freed_pairs(freed, self.arrays, found_count, self._pieces.rows.high, *self._columns)
        return count

    @property
    def _columns(self) -> tuple[Bodies, Pieces]:
        """Present body and piece columns."""
        return self._bodies.arrays, self._pieces.arrays
