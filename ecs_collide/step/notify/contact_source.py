"""The interfaces through which events and queries read the contacts of a step."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.hits import HardHit

End = tuple[int, int, int]
"""Entity A, entity B and the way they touched (`TOUCHING`)."""
Start = tuple[int, int, int, int]
"""Entity A, entity B, the way they touch and the row of their contact."""


class ContactSource(Protocol):
    """The contacts of the last step."""

    crossed: list[tuple[int, int]]
    """Sensor and entity of each sensor that was crossed within the step; Notify empties the list."""

    def contacts(self, with_reachable: bool = False) -> ContactView:
        """Return the contacts as arrays; on demand with those that fast bodies may reach in this step."""

    def contacts_of(self, entity: int, slots: np.ndarray) -> list[contact.Contact]:
        """Return the contacts of an entity, whose pairs are in `slots`, that touch, in order of their rows."""


class OwnContacts(Protocol):
    """Contacts of a response that belong to no pair of the broadphase."""

    def touching(self, a: int, b: int) -> bool:
        """Return True if two entities touch."""

    def touching_entities(self) -> np.ndarray:
        """Return the entities of all contacts (k, 2)."""

    def hits(self, least: float) -> list[HardHit]:
        """Return the hits of the last step that were faster than `least` [m/s]."""

    def changes(self, has_listeners: bool) -> tuple[list[End], list[Start]]:
        """Return what ceased and what began to touch; nothing if there are no listeners."""

    def release(self) -> list[End]:
        """Forget all contacts; return those that touched."""
