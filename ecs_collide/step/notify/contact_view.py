"""This step's contacts as arrays, for hooks between the systems and for vectorised game logic."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.contacts import Contacts
from ecs_collide.step.notify import contact


class ContactView:
    """Numpy views on the contact rows; entry k of every array belongs to the same contact.

    Between Narrowphase and Response a processor of the game's own may write `enabled`, `friction`, `restitution`,
    `surface_speed`, `rolling_resistance`, `normal` and `separation` in place: the response takes what it finds. The
    views are valid until the next step.
    """

    def __init__(self, contacts: Contacts, count: int, entity_a: np.ndarray, entity_b: np.ndarray) -> None:
        self._contacts = contacts
        self.count = count
        self.body = contacts.body[:count]
        """Body rows of A and B (m, 2): rows of `positions` and the other views of the world."""
        self.entity_a = entity_a
        """Entity A of each contact (m,)."""
        self.entity_b = entity_b
        """Entity B of each contact (m,)."""
        self.point_count = contacts.point_count[:count]
        """1 or 2 (m,); the second point of a contact with one is meaningless."""
        self.normal = contacts.normal[:count]
        """Unit normal from A to B (m, 2)."""
        self.point = contacts.point[:count]
        """World position of each point [m] (m, 2, 2)."""
        self.separation = contacts.separation[:count]
        """Gap at each point, negative where they overlap [m] (m, 2)."""
        self.friction = contacts.friction[:count]
        """Combined friction (m,)."""
        self.restitution = contacts.restitution[:count]
        """Combined restitution (m,)."""
        self.surface_speed = contacts.surface_speed[:count]
        """How fast the surfaces carry B against A along (normal_y, -normal_x) [m/s] (m,)."""
        self.rolling_resistance = contacts.rolling_resistance[:count]
        """Combined rolling resistance (m,)."""
        self.enabled = contacts.enabled[:count]
        """False: no response in this step (m,)."""
        self.normal_impulse = contacts.normal_impulse[:count]
        """Impulse of this step along the normal, after Response [N s] (m, 2)."""
        self.tangent_impulse = contacts.tangent_impulse[:count]
        """Friction impulse of this step along (normal_y, -normal_x), after Response [N s] (m, 2)."""
        self.approach_speed = contacts.approach_speed[:count]
        """Speed at which the surfaces approached before the contact acted, after Response [m/s] (m, 2)."""

    def __len__(self) -> int:
        return self.count

    def snapshot(self, k: int, entities: tuple[int, int] | None = None) -> contact.Contact:
        """Contact k as a lasting `Contact`.

        `entities` are named where another pair shares the contact's points, as on the seam of two tiles.
        """
        a, b = self.entity_a.item(k), self.entity_b.item(k)
        if entities is not None and {a, b} != set(entities):
            shared, other = entities if entities[0] in (a, b) else entities[::-1]
            a, b = (shared, other) if shared == a else (other, shared)
        return snapshot(self._contacts, k, a, b)


def snapshot(contacts: Contacts, row: int, a: int, b: int) -> contact.Contact:
    """The contact in a row, of entities A and B, as a lasting `Contact`."""
    manifold = range(contacts.point_count.item(row))
    x, y = contacts.normal.item(row, 0), contacts.normal.item(row, 1)
    return contact.Contact(
        min(a, b),
        max(a, b),
        (x, y) if a < b else (-x, -y),
        tuple([(contacts.point.item(row, k, 0), contacts.point.item(row, k, 1)) for k in manifold]),
        tuple([contacts.separation.item(row, k) for k in manifold]),
        sum([contacts.normal_impulse.item(row, k) for k in manifold]),
        sum([contacts.tangent_impulse.item(row, k) for k in manifold]),
        max([0.0, *(contacts.approach_speed.item(row, k) for k in manifold)]),
    )
