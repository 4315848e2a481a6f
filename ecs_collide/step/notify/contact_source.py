"""What the events ask of a response."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ecs_collide.kernels.calls import Cell
from ecs_collide.step.notify import contact
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.hits import HardHit

End = tuple[int, int, int]
"""Entity A, entity B and the way they touched (`TOUCHING`)."""
Start = tuple[int, int, int, int]
"""Entity A, entity B, the way they touch and the row of their contact."""


class ContactSource(Protocol):
    """The contacts of a step, as far as the events are told of them."""

    has_own_contacts: bool
    """Whether it has contacts that belong to no pair of the broadphase."""
    crossed: list[tuple[int, int]]
    """Sensor and entity of each sensor that was crossed within the step, until Notify takes them."""
    least_hit: Cell
    """From which speed on contacts are hits [m/s], inf where nobody wants to know."""

    def contacts(self) -> ContactView:
        """This step's contacts as arrays."""

    def contacts_of(self, entity: int, body: int) -> list[contact.Contact]:
        """This step's contacts of an entity, whose body is in a row, in order; others may be gone since."""

    def touching(self, a: int, b: int) -> bool:
        """Whether two entities touch by a contact of its own."""

    def touching_entities(self) -> np.ndarray:
        """The entities of all that touch by contacts of its own (k, 2)."""

    def changes(self, is_heard: bool) -> tuple[list[End], list[Start]]:
        """What ceased and what began to touch by contacts of its own; nothing where nobody listens."""

    def hits(self) -> list[HardHit]:
        """Who hit whom in this step faster than `least_hit`."""

    def release(self) -> list[End]:
        """Forget all contacts; return what touched by contacts of its own."""
