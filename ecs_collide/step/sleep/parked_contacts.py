"""Contacts of parked pairs, as they were when their bodies fell asleep."""

from __future__ import annotations

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import Contacts, contact_arrays
from ecs_collide.data.growth import grown
from ecs_collide.data.pairs import PAIR, PairColumns
from ecs_collide.data.state_list import list_state

NO_CONTACTS = contact_arrays(0)


class SleepingContacts:
    """Store with one contact row for each slot of a pair. The row of a slot without a contact has no points.

    Pairs that share a contact have a copy each. Its column `pair` names the slot of the pair that owns it.
    """

    state_list = list_state(arrays="stored")

    def __init__(self, pairs: PairColumns) -> None:
        self._pairs = pairs
        self.stored = NO_CONTACTS
        """Row k is a copy of the contact of the pair in slot k; the pairs in slots without a row have none."""

    def keep(self, contacts: Contacts, count: int, bodies: Bodies) -> None:
        """Store those of the first `count` contacts whose bodies are both not awake. Call it before parking pairs."""
        capacity = len(self._pairs.arrays.index)
        if capacity > len(self.stored.pair):
            self.stored = Contacts(*(grown(column, capacity) for column in self.stored))
        is_awake = (bodies.kind != BodyKind.STATIC) & (bodies.island == 0)
        sleeps, live = ~is_awake[contacts.body[:count]].any(axis=1), self._pairs.live
        rows = self._pairs.arrays.index[live, PAIR.CONTACT]
        self.stored.point_count[live] = 0
        has_row = (rows >= 0) & (rows < count)
        slots, rows = live[has_row], rows[has_row]
        slots, rows = slots[sleeps[rows]], rows[sleeps[rows]]
        for kept, column in zip(self.stored, contacts, strict=True):
            kept[slots] = column[rows]

    def present(self) -> tuple[Contacts, np.ndarray]:
        """Return the stored contacts of all parked pairs, each once, as copies, and their entities (k, 2) int64."""
        index, stored = self._pairs.arrays.index[: len(self.stored.pair)], self.stored
        slots = np.flatnonzero(
            (index[:, PAIR.ROW] != of_pair.FREE) & (index[:, PAIR.CONTACT] == of_pair.STORED) & (stored.point_count > 0)
        )
        slots = slots[stored.pair[slots] == slots]  # only the owner of a contact that pairs share
        return Contacts(*(column[slots] for column in stored)), index[slots, of_pair.ENTITIES]
