"""Impacts and resting contacts of the exact response, as events and queries read them."""

from __future__ import annotations

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.contacts import CONTACT_BODY, contact_arrays
from ecs_collide.data.row_lists import each_once, find_first_places, rows_where
from ecs_collide.data.state_list import list_state
from ecs_collide.exact.exact_rows import IMPACT, IMPACT_BODY
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_source import Start
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.hits import fastest_hits
from ecs_collide.step.notify.touch_counts import Touch

NO_KEYS = np.zeros(0, np.uint64)
NO_ENTITIES = np.zeros((0, 2), np.int64)
NO_ROWS = np.zeros(0, np.int64)
NO_RECORDS = np.zeros((0, IMPACT_BODY.WIDTH), np.int64), np.zeros((0, IMPACT.WIDTH))


class ExactContacts:
    """Contacts of the last step. They belong to no pair of the broadphase."""

    state_list = list_state(values="_sent _touching _parted _records", arrays="count")

    def __init__(self, bodies: BodyColumns) -> None:
        self.count = np.zeros(1, np.int64)
        """Number of contacts (1,)."""
        self._bodies = bodies
        self._records = NO_RECORDS
        """Body rows and numbers of the impacts and resting contacts, see `ExactSolver.records`."""
        self._touching = NO_ENTITIES
        """The two entities of each of these, so with repetitions (k, 2) int64."""
        self._sent = NO_ENTITIES
        """The entities that touched when `changes` was called last, with repetitions (k, 2) int64."""
        self._parted = NO_KEYS
        """Pairs that touched and of which one entity was removed, until `changes` returns them, see `_keys` (k,)."""

    def record(self, records: tuple[np.ndarray, np.ndarray]) -> None:
        """Store the impacts and resting contacts of a complete step."""
        rows, numbers = (records[0].copy(), records[1].copy())  # the next step overwrites the records
        self._records, self._touching = (rows, numbers), self._bodies.arrays.entity[rows]
        self.count[0] = len(rows)

    def keep_touching(self, rows: np.ndarray) -> None:
        """Keep the contacts whose bodies still touch after a step of no length, without their impulses.

        `rows` are the body rows of the pairs that touch (k, 2).
        """
        kept = np.isin(_keys(self._touching), _keys(self._bodies.arrays.entity[rows]))
        rows, numbers = self._records
        numbers = numbers[kept]
        numbers[:, IMPACT.IMPULSE] = numbers[:, IMPACT.APPROACH] = 0.0
        self._records, self._touching = (rows[kept], numbers), self._touching[kept]
        self.count[0] = len(self._touching)

    def forget(self, removed: set[int]) -> None:
        """Forget removed entities: another entity with such an id touches nothing yet."""
        entities = sorted(removed)
        touching, sent = (np.isin(pairs, entities).any(axis=1) for pairs in (self._touching, self._sent))
        rows, numbers = self._records
        self._records = rows[~touching], numbers[~touching]
        self._touching = self._touching[~touching]
        self._parted = each_once(self._parted, _keys(self._sent[sent]))
        self._sent = self._sent[~sent]

    def contacts(self) -> ContactView:
        """Return the impacts and resting contacts of the last step, each with one point."""
        rows, numbers = self._records
        count = len(rows)
        contacts = contact_arrays(count)
        contacts.body[:] = rows
        contacts.point_count.fill(1)
        contacts.normal[:] = numbers[:, IMPACT.NORMAL_X : IMPACT.PLACE_X]
        contacts.point[:, 0] = numbers[:, IMPACT.PLACE_X : IMPACT.IMPULSE]
        contacts.normal_impulse[:, 0] = np.maximum(numbers[:, IMPACT.IMPULSE], 0.0)
        contacts.separation[:, 0] = numbers[:, IMPACT.GAP]
        contacts.approach_speed[:, 0] = numbers[:, IMPACT.APPROACH]
        contacts.part[:, CONTACT_BODY.B] = numbers[:, IMPACT.PART]
        contacts.enabled.fill(True)
        return ContactView(contacts, count, self._touching, self._bodies)

    def contacts_of(self, entity: int) -> list[contact.Contact]:
        """Return the impacts and resting contacts of an entity in the last step."""
        contacts = self.contacts()
        its = (contacts.entity_a == entity) | (contacts.entity_b == entity)
        return contacts.snapshots(np.flatnonzero(its).astype(np.int64))

    def touching(self, a: int, b: int) -> bool:
        """Return True if two entities hit each other, or rested on each other, in the last step."""
        pairs = self._touching
        return bool(((pairs == (a, b)).all(axis=1) | (pairs == (b, a)).all(axis=1)).any())

    def touching_entities(self) -> np.ndarray:
        """Return the entities that hit each other, or rested on each other, in the last step (k, 2)."""
        return self._touching

    def hits(self, threshold: float) -> np.ndarray:
        """Return the rows of hits faster than a threshold [m/s], the fastest of each pair of entities (k,) int64."""
        _, numbers = self._records
        rows = rows_where((numbers[:, IMPACT.APPROACH] > threshold) & (numbers[:, IMPACT.IMPULSE] > 0.0))
        if len(rows) == 0:
            return NO_ROWS
        entities, its = np.sort(self._touching[rows], axis=1), numbers[rows]
        places = its[:, IMPACT.PLACE_X : IMPACT.IMPULSE]
        return fastest_hits(entities, np.column_stack((its[:, IMPACT.APPROACH], places)), rows)

    def changes(self, has_listeners: bool) -> tuple[list[Touch], list[Start]]:
        """Return the pairs of entities that ceased to touch, and those that began to, with the row of their contact."""
        parted, self._parted = self._parted, NO_KEYS
        if not has_listeners:
            self._sent = self._touching  # a listener that is added later gets no start events of these
            return [], []
        now, rows = find_first_places(_keys(self._touching))
        before = each_once(_keys(self._sent))
        ended = each_once(np.setdiff1d(before, now, assume_unique=True), parted)
        begun = ~np.isin(now, before, assume_unique=True)
        self._sent = self._touching
        ends = [(*_pair(key), of_pair.COLLIDES) for key in ended.tolist()]
        starts = [(*_pair(key), of_pair.COLLIDES, row) for key, row in zip(now[begun].tolist(), rows[begun].tolist())]
        return ends, starts

    def release(self) -> list[Touch]:
        """Forget all contacts; return the pairs of entities that touched."""
        ends = [(*_pair(key), of_pair.COLLIDES) for key in each_once(_keys(self._sent), self._parted).tolist()]
        self._sent, self._touching, self._parted = NO_ENTITIES, NO_ENTITIES, NO_KEYS
        self._records = NO_RECORDS
        self.count[0] = 0
        return ends


def _keys(pairs: np.ndarray) -> np.ndarray:
    """Return one number for the two entities of each pair (k, 2), in either order (k,) uint64."""
    ordered = np.sort(pairs, axis=1).astype(np.uint64)
    keys: np.ndarray = (ordered[:, 0] << np.uint64(32)) | ordered[:, 1]
    return keys


def _pair(key: int) -> tuple[int, int]:
    """Return the two entities of a key."""
    return key >> 32, key & 0xFFFFFFFF
