"""The interfaces through which events and queries read the contacts of a step."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ecs_collide.data.contacts import Contacts
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.touch_counts import Touch
from ecs_collide.step.sync.body_definition import Body

Start = tuple[int, int, int, int]
"""The smaller entity, the larger one, the way they touch (`TOUCHING`) and the place of their contact."""


class ContactSource(Protocol):
    """The contacts of the last step."""

    crossed: list[tuple[int, int]]
    """Sensor and entity of each sensor that was crossed within the step; Notify empties the list."""

    def contacts(self, with_reachable: bool = False) -> ContactView:
        """Return the contacts as arrays; on demand with those that fast bodies may reach in this step."""

    def contacts_at(self, places: np.ndarray) -> list[contact.Contact]:
        """Return the contacts at some places (k,) int64: slots of pairs, or what `OwnContacts` calls a place."""

    def contacts_of(self, body: Body) -> list[contact.Contact]:
        """Return the contacts of a collider that touch."""


class StoredContacts(Protocol):
    """The contacts of sleeping bodies."""

    stored: Contacts
    """Row k is the contact of the pair in slot k, if that pair has a stored one."""


class OwnContacts(Protocol):
    """Contacts of a response that belong to no pair of the broadphase."""

    def touching(self, a: int, b: int) -> bool:
        """Return True if two entities touch."""

    def touching_entities(self) -> np.ndarray:
        """Return the entities of all contacts (k, 2)."""

    def hits(self, threshold: float) -> np.ndarray:
        """Return the places of the hits of the last step faster than a threshold [m/s], in order (k,) int64."""

    def changes(self, has_listeners: bool) -> tuple[list[Touch], list[Start]]:
        """Return the touches that ended and those that began; none if there are no listeners."""

    def forget(self, removed: set[int]) -> None:
        """Forget removed entities: another entity with such an id touches nothing yet."""

    def release(self) -> list[Touch]:
        """Forget all contacts; return the touches."""
