"""Queries for the entities that touch one entity; their cost grows with its pairs and hardly with the world."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR, PairColumns
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.step.broadphase.pairs_of_pieces import slots_of
from ecs_collide.step.notify.contact_source import OwnContacts
from ecs_collide.step.sync.body_definition import Body

NO_SLOTS = np.zeros(0, np.int64)


class TouchQueries:
    """Queries for the entities that touched in the last step."""

    def __init__(
        self, members: Mapping[int, Body], pieces: PieceColumns, pairs: PairColumns, own_contacts: OwnContacts | None
    ) -> None:
        self._members = members
        self._pieces = pieces
        self._pairs = pairs
        self._own_contacts = own_contacts

    def slots_of(self, entity: int) -> np.ndarray:
        """Return the slots of an entity's pairs, parked or not, in ascending order (k,); none without a body."""
        body = self._members.get(entity)
        return NO_SLOTS if body is None else slots_of(list(body.pieces), self._pieces, self._pairs)

    def slots_of_body(self, entity: int) -> np.ndarray:
        """Return the slots of the pairs of an entity and of all colliders that are attached to it, ascending (k,)."""
        body = self._members.get(entity)
        return NO_SLOTS if body is None else slots_of(list(body.all_pieces), self._pieces, self._pairs)

    def touching(self, a: int, b: int) -> bool:
        """Return True if two entities touch."""
        own = self._own_contacts
        return b in self._touched_by(a) or (own is not None and own.touching(a, b))

    def colliding(self, entity: int) -> list[int]:
        """Return the entities that touch an entity, ascending."""
        found = self._touched_by(entity)
        if self._own_contacts is not None:
            own = self._own_contacts.touching_entities()
            found.update(own[(own == entity).any(axis=1)].ravel().tolist())
        found.discard(entity)
        return sorted(found)

    def _touched_by(self, entity: int) -> set[int]:
        """Return the entities that touch an entity as pairs of the broadphase."""
        its = self._pairs.arrays.index[self.slots_of(entity)]
        touching: list[int] = its[its[:, PAIR.TOUCHING] != of_pair.APART, of_pair.ENTITIES].ravel().tolist()
        return set(touching) - {entity}
