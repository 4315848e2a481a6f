"""Contacts of a step as arrays, for hooks between the systems and for vectorised game logic."""

from __future__ import annotations

import numpy as np

from ecs_collide.common.view_repr import describe_pairs
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.step.notify import contact, contact_records


class ContactView:
    """Numpy views of the contacts of a step; entry k of every array belongs to the same contact.

    `points`, `separations` and `friction_impulse` are the names that `Contact` has for `point`, `separation` and
    `tangent_impulse`. In a `Contact` A is the smaller id; here A may be either.

    Between Narrowphase and Response, a processor of the game may write in place `enabled`, `friction`, `restitution`,
    `surface_speed`, `rolling_resistance`, `normal` and `separation`. The response uses the new values. The views are
    valid until the next step.
    """

    def __init__(self, contacts: Contacts, count: int, entities: np.ndarray, bodies: BodyColumns) -> None:
        """Make the views of the first `count` contacts, which belong to `entities` (m, 2)."""
        self._contacts = contacts
        self._bodies = bodies
        self.count = count
        self.body = contacts.body[:count]
        """Body rows of A and B (m, 2): rows of `positions` and the other views of the world."""
        self.entity_a = entities[:, 0]
        """Entity A of each contact (m,)."""
        self.entity_b = entities[:, 1]
        """Entity B of each contact (m,)."""
        self.point_count = contacts.point_count[:count]
        """Number of contact points, 1 or 2 (m,); the second point of a contact with one is undefined."""
        self.normal = contacts.normal[:count]
        """Unit normal from A to B: it points away from the surface of A (m, 2)."""
        self.point = contacts.point[:count]
        """World position of each point [m] (m, 2, 2)."""
        self.separation = contacts.separation[:count]
        """Gap at each point [m], negative for an overlap (m, 2)."""
        self.friction = contacts.friction[:count]
        """Combined friction (m,)."""
        self.restitution = contacts.restitution[:count]
        """Combined restitution (m,)."""
        self.surface_speed = contacts.surface_speed[:count]
        """Speed at which the surfaces carry B against A along (normal_y, -normal_x) [m/s] (m,)."""
        self.rolling_resistance = contacts.rolling_resistance[:count]
        """Combined rolling resistance (m,)."""
        self.part_a = contacts.part[:count, CONTACT_BODY.A]
        """Number of the link of a chain, or of the part of a compound, with which A touches; else 0 (m,)."""
        self.part_b = contacts.part[:count, CONTACT_BODY.B]
        """Number of the link or part with which B touches (m,)."""
        self.enabled = contacts.enabled[:count]
        """False for a contact without a response in this step (m,)."""
        self.normal_impulse = contacts.normal_impulse[:count]
        """Impulse of this step along the normal, after Response [N s] (m, 2)."""
        self.tangent_impulse = contacts.tangent_impulse[:count]
        """Friction impulse of this step along (normal_y, -normal_x), after Response [N s] (m, 2)."""
        self.approach_speed = contacts.approach_speed[:count]
        """Speed at which the surfaces approached before the contact acted, after Response [m/s] (m, 2)."""

    @property
    def body_a(self) -> np.ndarray:
        """Entity whose body the collider of `entity_a` belongs to, itself unless it is attached (m,)."""
        entities: np.ndarray = self._bodies.arrays.entity[self.body[:, CONTACT_BODY.A]]
        return entities

    @property
    def body_b(self) -> np.ndarray:
        """Entity whose body the collider of `entity_b` belongs to, itself unless it is attached (m,)."""
        entities: np.ndarray = self._bodies.arrays.entity[self.body[:, CONTACT_BODY.B]]
        return entities

    @property
    def points_a(self) -> np.ndarray:
        """World position of each point on the surface of A before the step moved the bodies [m] (m, 2, 2), a copy."""
        return self._points_at(-0.5)

    @property
    def points_b(self) -> np.ndarray:
        """World position of each point on the surface of B before the step moved the bodies [m] (m, 2, 2), a copy."""
        return self._points_at(0.5)

    def _points_at(self, part: float) -> np.ndarray:
        """Return the points, moved along the normals by a part of their separations [m] (m, 2, 2)."""
        places: np.ndarray = self.point + part * self.separation[:, :, None] * self.normal[:, None, :]
        return places

    @property
    def points(self) -> np.ndarray:
        """World position of each point [m] (m, 2, 2): another name of `point`."""
        return self.point

    @property
    def separations(self) -> np.ndarray:
        """Gap at each point [m], negative for an overlap (m, 2): another name of `separation`."""
        return self.separation

    @property
    def friction_impulse(self) -> np.ndarray:
        """Friction impulse along (normal_y, -normal_x) after Response [N s] (m, 2): `tangent_impulse`."""
        return self.tangent_impulse

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return describe_pairs(self, self.entity_a, self.entity_b)

    def snapshot(self, k: int) -> contact.Contact:
        """Return contact k as a lasting `Contact`."""
        return self.snapshots(np.array([range(self.count)[k]], np.int64))[0]

    def snapshots(self, rows: np.ndarray) -> list[contact.Contact]:
        """Return the contacts in some rows (k,) int64 as lasting `Contact` objects."""
        entities = np.column_stack((self.entity_a[rows], self.entity_b[rows], self.body_a[rows], self.body_b[rows]))
        records, numbers = contact_records.record_tables(len(rows))
        contact_records.record_rows(rows, entities, self._contacts, records, numbers)
        return contact.contacts_from(records, numbers)
