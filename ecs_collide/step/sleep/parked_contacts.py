"""Contacts of parked pairs, as they were when their bodies fell asleep."""

from __future__ import annotations

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import Contacts, contact_arrays
from ecs_collide.data.growth import grown
from ecs_collide.data.pairs import PAIR, PairColumns
from ecs_collide.data.row_lists import rows_where
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_view import snapshot


class SleepingContacts:
    """Store with one contact row for each slot of a pair. The row of a slot without a contact has no points."""

    def __init__(self, pairs: PairColumns) -> None:
        self._pairs = pairs
        self._kept = contact_arrays(0)

    def keep(self, contacts: Contacts, count: int, bodies: Bodies) -> None:
        """Store those of the first `count` contacts whose bodies are both not awake. Call it before parking pairs."""
        capacity = len(self._pairs.arrays.index)
        if capacity > len(self._kept.pair):
            self._kept = Contacts(*(grown(column, capacity) for column in self._kept))
        is_awake = (bodies.kind != BodyKind.STATIC) & (bodies.island == 0)
        rows = rows_where(~is_awake[contacts.body[:count]].any(axis=1))
        slots = contacts.pair[rows]
        self._kept.point_count[self._pairs.live] = 0
        for kept, column in zip(self._kept, contacts, strict=True):
            kept[slots] = column[rows]

    def of(self, slots: np.ndarray) -> list[contact.Contact]:
        """Return the contacts of the parked pairs among some slots."""
        index = self._pairs.arrays.index
        slots = slots[~self._pairs.arrays.awake[slots] & (index[slots, PAIR.POINT_COUNT] > 0)]
        slots = slots[self._kept.point_count[slots] > 0]
        return [snapshot(self._kept, slot, *index[slot, of_pair.ENTITIES].tolist()) for slot in slots.tolist()]
