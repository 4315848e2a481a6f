"""Pieces that leave: out of the lists, the tree and the strips, and their pairs with them, in one chain of calls."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pieces import Pieces
from ecs_collide.data.row_lists import HeldRows
from ecs_collide.kernels.calls import Call, Cell, chain, unprepared
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.broadphase.add_pieces import Listed, take_leave
from ecs_collide.step.broadphase.pair_update_arrays import Exchange, Search
from ecs_collide.step.broadphase.update_pairs import change_pairs, find_new_pairs

NO_ROWS = np.zeros(0, np.int64)


class Departures:
    """What leaves at a time, and room for it."""

    def __init__(self) -> None:
        self._gone = HeldRows()
        self._left = np.zeros(64, np.int64)
        """Scratch space for those of them that could move."""
        self._results = np.zeros(4, np.int64)
        """How many these were; what the calls of `part` returned."""
        self._part = unprepared

    def part(
        self,
        gone: np.ndarray,
        bodies: Bodies,
        pieces: Pieces,
        mobile: Listed,
        movers: Listed,
        search: Search,
        exchange: Exchange,
        unbounded: np.ndarray,
    ) -> tuple[int, int]:
        """Take pieces, sorted rows, out of everything, and drop their pairs. `unbounded` can move and have no end.

        Returns what `find_new_pairs` did: below 0 the strips have to be laid anew; and how many of the pairs touched.
        """
        self._gone.hold(gone)
        if len(gone) + LANES > len(self._left):
            self._left = np.zeros(next_capacity(len(self._left), len(gone) + LANES), np.int64)
        left, run = self._left, self._gone.run
        given = run, bodies, pieces, mobile, movers, left, search, exchange, unbounded
        if self._part(*given) is None:
            left_count, found, changed = np.split(self._results, (1, 2))
            parting = left, Cell(left_count), False, NO_ROWS, 0, NO_ROWS, bodies, pieces, search
            settling = NO_ROWS, 0, unbounded, NO_ROWS, search.found, 0, True, exchange, bodies, pieces
            calls = (
                Call(take_leave, (run, pieces, search.tree, mobile, movers, left), left_count),
                Call(find_new_pairs, parting, found),
                Call(change_pairs, settling, changed),
            )
            self._part = chain(calls, *given)
            self._part(*given)
        _, found_count, lost_count, _ = self._results.tolist()
        return found_count, lost_count
