"""Hits: impacts faster than a threshold, one for each pair of entities."""

from __future__ import annotations

from math import inf

import numpy as np

from ecs_collide.data.growth import grown
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input, LiveNumber
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.notify.list_hits import hit_rows, list_hits, select_hits


def fastest_hits(entities: np.ndarray, numbers: np.ndarray, contacts: np.ndarray) -> np.ndarray:
    """Return the contact rows of the fastest hit of each two entities, in order of the entities (k,) int64.

    Of equally fast hits, the one with the least point counts.

    Args:
        entities: smaller and larger entity of each hit (h, 2).
        numbers: speed and first point of each hit, columns of `HIT_NUMBERS` (h, 3).
        contacts: contact row of each hit (h,).
    """
    count = len(contacts)
    rows = hit_rows(count)
    rows.hits[:], rows.numbers[:] = np.column_stack((entities, contacts, contacts)), numbers
    last, last_count = np.zeros((count, 2), np.int64), np.zeros(1, np.int64)
    return rows.new[: select_hits(count, rows, last, last_count)]


class PairHits:
    """The hits among the pairs of the broadphase.

    It remembers the entities that hit each other in the last step. Soft contacts may leave a part of an approach to the
    next step, in which it is no new hit.
    """

    state_list = list_state(
        arrays="_last _last_count", in_use={"_last": "_remembered"}, left_out="threshold count _rows"
    )

    def __init__(self, pairs: PairColumns, contact_finder: ContactFinder) -> None:
        self.threshold = LiveNumber(np.zeros(1))
        """Speed above which a contact is a hit [m/s]; infinite if there are no listeners."""
        self.count = np.zeros(1, np.int64)
        """Number of new hits in the last step (1,)."""
        self._pairs = pairs
        self._contact_finder = contact_finder
        self._rows = hit_rows(0)
        self._last = np.zeros((0, 2), np.int64)
        """The entities that hit each other in the last step, smaller first, sorted; the first `_last_count` rows."""
        self._last_count = np.zeros(1, np.int64)

    @property
    def _remembered(self) -> int:
        """Number of rows of `_last` in use."""
        return self._last_count.item()

    def forget(self, removed: set[int]) -> None:
        """Forget removed entities: another entity with such an id has not hit anything yet."""
        count = self._remembered
        if count:
            kept = self._last[:count][~np.isin(self._last[:count], sorted(removed)).any(axis=1)]
            self._last[: len(kept)], self._last_count[0] = kept, len(kept)

    def listen(self, threshold: float) -> None:
        """List hits faster than a threshold [m/s] from now on, one of each pair at most; none if it is infinite."""
        self.threshold.number[0] = threshold
        room = len(self._pairs.arrays.index) if threshold < inf else 0
        if room > len(self._rows.order):
            self._rows = hit_rows(room)
        if room > len(self._last):
            self._last = grown(self._last, room)

    def hits_call(self, dt: LiveNumber) -> Call:
        """Return the call that lists the hits of a step of dt [s]."""
        pairs, finder = self._pairs.arrays, self._contact_finder
        return Call(
            list_hits,
            (
                pairs.order,
                LiveNumber(pairs.row_start[-1:]),
                pairs.index,
                finder.contacts,
                LiveNumber(finder.counts[1:]),
                dt,
                self.threshold,
                self._rows,
                self._last,
                self._last_count,
            ),
            self.count,
        )

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which `hits_call` is prepared, besides the pairs and the contacts."""
        return (self, "_rows"), (self, "_last")

    def new_places(self) -> np.ndarray:
        """Return the slots of the pairs that hit in this step and did not in the last one, in order (k,) int64."""
        return self._rows.new[: self.count.item()]
