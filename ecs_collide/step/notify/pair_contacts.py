"""The contacts of pairs of the broadphase as `Contact` objects: those of this step, and those that sleep stores."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.notify import contact, contact_records
from ecs_collide.step.notify.contact_source import StoredContacts


class PairContacts:
    """Makes `Contact` objects of chosen pairs."""

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        pairs: PairColumns,
        finder: ContactFinder,
        sleeping: StoredContacts,
    ) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._finder = finder
        self._sleeping = sleeping

    def at(self, slots: np.ndarray) -> list[contact.Contact]:
        """Return the contacts of the pairs in some slots (k,) int64, which all have one."""
        records, numbers = contact_records.record_tables(len(slots))
        contact_records.record_pairs(
            slots,
            self._pairs.arrays,
            self._bodies.arrays,
            self._finder.contacts,
            self._sleeping.stored,
            records,
            numbers,
        )
        return contact.contacts_from(records, numbers)

    def of(self, pieces: tuple[int, ...]) -> list[contact.Contact]:
        """Return the contacts of touching pairs with some pieces: those of this step, then those that sleep stores."""
        pairs, contacts, count = self._pairs.arrays, self._finder.contacts, self._finder.count
        marked = np.zeros(self._pieces.rows.high + 1, np.bool_)
        marked[list(pieces)] = True
        found = np.empty(len(pairs.order), np.int64)
        places = np.zeros(max(len(found), len(contacts.pair)), np.int64)
        found_count = contact_records.find_touching_contacts(
            marked, pairs, contacts, count, self._sleeping.stored, places, found
        )
        return self.at(found[:found_count])
