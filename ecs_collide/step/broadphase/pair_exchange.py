"""The pairs of a world with the arrays in which kernels drop and add them, and the touching pairs that were dropped."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import grown
from ecs_collide.data.pairs import ENDED, PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.step.broadphase.pair_update_arrays import Exchange
from ecs_collide.step.broadphase.update_pairs import drop_slots, regroup_changed_pairs
from ecs_collide.step.narrowphase.pair_table import kind_rows

NO_ROWS = np.zeros(0, np.int64)


class PairExchange:
    """Owns the arrays that are needed to drop and to add pairs."""

    state_list = list_state(arrays="_lost lost_count", in_use={"_lost": "_lost_rows"}, left_out="_arrays")

    def __init__(self, pieces: PieceColumns, pairs: PairColumns) -> None:
        self._pieces = pieces
        self._pairs = pairs
        self._lost = np.zeros((64, ENDED.WIDTH), np.int64)
        self.lost_count = np.zeros(1, np.int64)
        """Number of touching pairs that were dropped since Notify has read them (1,)."""
        self._arrays = Exchange(
            pairs=pairs.arrays,
            free_slots=pairs.free_slots,
            kind_row=kind_rows(),
            lost=self._lost,
            lost_count=self.lost_count,
        )

    @property
    def arrays(self) -> Exchange:
        """The present pairs with room for all touching ones that could be dropped."""
        pairs, lost = self._pairs, self._lost
        if self._arrays.pairs is not pairs.arrays or self._arrays.lost is not lost:
            if len(lost) < len(pairs.free_slots):
                self._lost = lost = grown(lost, len(pairs.free_slots))
            self._arrays = self._arrays._replace(pairs=pairs.arrays, free_slots=pairs.free_slots, lost=lost)
        return self._arrays

    @property
    def _lost_rows(self) -> int:
        """Number of rows of `_lost` in use."""
        return self.lost_count.item()

    @property
    def lost(self) -> np.ndarray:
        """Touching pairs that were dropped since Notify has read them, columns of `ENDED` (k, 4)."""
        return self._lost[: self._lost_rows]

    def drop(self, slots: np.ndarray) -> None:
        """Drop the pairs in some slots, whose boxes may overlap."""
        if len(slots):
            drop_slots(slots, self.arrays, self._pieces.arrays)

    def reset(self, changed: np.ndarray) -> None:
        """Reset the pairs of pieces (sorted rows) that have changed their kind or vertices.

        The list of pairs has to be made anew after that, as `change_pairs` does.
        """
        if len(changed) and self._pairs.count:
            regroup_changed_pairs(changed, self._pairs.arrays, self._arrays.kind_row, self._pieces.arrays)

    def regroup(self, changed: np.ndarray) -> None:
        """Reset the pairs of pieces (sorted rows) as `reset` does, and list all pairs anew."""
        self.reset(changed)
        drop_slots(NO_ROWS, self.arrays, self._pieces.arrays)  # drops none, and makes the list
