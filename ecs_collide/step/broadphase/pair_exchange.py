"""The pairs of a world with the arrays in which kernels drop and add them, and the touching pairs that were dropped."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import LOST, PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.step.broadphase.pair_update_arrays import Exchange
from ecs_collide.step.broadphase.update_pairs import change_pairs, drop_slots, regroup_changed_pairs
from ecs_collide.step.narrowphase.pair_table import kind_rows

NO_ROWS = np.zeros(0, np.int64)
NOTHING_LOST = np.zeros((0, LOST.WIDTH), np.int64)


class PairExchange:
    """Owns the arrays that are needed to drop and to add pairs."""

    state_list = list_state(values="lost", left_out="_arrays")

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, pairs: PairColumns) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._arrays = Exchange(
            pairs=pairs.arrays,
            free_slots=pairs.free_slots,
            kind_row=kind_rows(),
            lost=np.zeros((64, LOST.WIDTH), np.int64),
        )
        self.lost = NOTHING_LOST
        """Touching pairs that were dropped, until Notify takes them, columns of `LOST` (k, 4)."""

    @property
    def arrays(self) -> Exchange:
        """The present pairs with room for all touching ones that could be dropped."""
        pairs = self._pairs
        if self._arrays.pairs is not pairs.arrays:
            lost = np.zeros((len(pairs.free_slots), LOST.WIDTH), np.int64)
            self._arrays = self._arrays._replace(pairs=pairs.arrays, free_slots=pairs.free_slots, lost=lost)
        return self._arrays

    def change(
        self, moved: tuple[np.ndarray, int, np.ndarray, np.ndarray], found: tuple[np.ndarray, int, bool]
    ) -> bool:
        """Drop the pairs that have parted and add the found ones; return True if the list of pairs changed.

        `moved` and `found` are arguments of `change_pairs`.
        """
        lost_count, are_others = change_pairs(*moved, *found, self.arrays, self._bodies.arrays, self._pieces.arrays)
        self.record_lost(lost_count)
        return bool(are_others)

    def drop(self, slots: np.ndarray) -> None:
        """Drop the pairs in some slots, whose boxes may overlap."""
        if len(slots):
            self.record_lost(drop_slots(slots, self.arrays, self._pieces.arrays))

    def reset(self, changed: np.ndarray) -> None:
        """Reset the pairs of pieces (sorted rows) that have changed their kind or vertices; `change` has to follow."""
        if len(changed) and self._pairs.count:
            regroup_changed_pairs(changed, self._pairs.arrays, self._arrays.kind_row, self._pieces.arrays)

    def regroup(self, changed: np.ndarray) -> None:
        """Reset the pairs of pieces (sorted rows) as `reset` does, and list all pairs anew."""
        self.reset(changed)
        drop_slots(NO_ROWS, self.arrays, self._pieces.arrays)

    def record_lost(self, count: int) -> None:
        """Append the first `count` pairs that a kernel dropped while they touched to `lost`."""
        if count:
            self.lost = np.concatenate((self.lost, self._arrays.lost[:count]))
