"""A contact, as events and queries report it."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ecs_collide.data.field_docs import document_fields
from ecs_collide.native import make_contacts
from ecs_collide.step.notify.contact_records import RECORD, RECORD_NUMBERS
from ecs_collide.validate import Vector2


@document_fields
@dataclass(frozen=True, slots=True)
class Contact:
    """A contact between two entities in one step; it does not change later.

    `entity_a` has the smaller id. A contact that has ended has no points and a zero normal.
    """

    entity_a: int
    """Entity with the smaller id."""
    entity_b: int
    """Entity with the larger id."""
    normal: Vector2 = (0.0, 0.0)
    """Unit normal from A to B: it points away from the surface of `entity_a`."""
    points: tuple[Vector2, ...] = ()
    """World positions of the contact points [m], one or two."""
    separations: tuple[float, ...] = ()
    """Gap at each point before the step moved the bodies [m], negative for an overlap."""
    normal_impulse: float = 0.0
    """Impulse along the normal in this step [N s]."""
    friction_impulse: float = 0.0
    """Impulse across the normal in this step, along (normal_y, -normal_x) on B [N s]."""
    approach_speed: float = 0.0
    """Approach speed along the normal before the contact acted [m/s], 0 if they moved apart."""
    body_a: int = 0
    """Entity whose body the collider of `entity_a` belongs to: `entity_a` itself, unless it is attached to another."""
    body_b: int = 0
    """Entity whose body the collider of `entity_b` belongs to."""
    part_a: int = 0
    """Number of the link of a `Chain`, or of the part of a `Compound`, with which `entity_a` touches; else 0."""
    part_b: int = 0
    """Number of the link or part with which `entity_b` touches."""

    def __post_init__(self) -> None:
        """Set a body that is not given to the entity itself."""
        if self.body_a == 0:
            object.__setattr__(self, "body_a", self.entity_a)
        if self.body_b == 0:
            object.__setattr__(self, "body_b", self.entity_b)

    @property
    def points_a(self) -> tuple[Vector2, ...]:
        """Place of each point on the surface of A before the step moved the bodies [m]; `points` lie half way to B."""
        return self._points_at(-0.5)

    @property
    def points_b(self) -> tuple[Vector2, ...]:
        """Place of each point on the surface of B before the step moved the bodies [m]."""
        return self._points_at(0.5)

    def _points_at(self, part: float) -> tuple[Vector2, ...]:
        """Return the points, moved along the normal by a part of their separation [m]."""
        normal_x, normal_y = self.normal
        return tuple(
            [
                (x + part * gap * normal_x, y + part * gap * normal_y)
                for (x, y), gap in zip(self.points, self.separations, strict=True)
            ]
        )

    @property
    def tangent_impulse(self) -> float:
        """Impulse across the normal: the name that `ContactView` has for `friction_impulse` [N s]."""
        return self.friction_impulse

    def part_of(self, entity: int) -> int:
        """Return the number of the link or part with which `entity` touches. Raises ValueError if it is not in it."""
        return self.part_b if self.other(entity) == self.entity_a else self.part_a

    def other(self, entity: int) -> int:
        """Return the entity with which `entity` is in contact. Raises ValueError if it is neither of the two."""
        if entity == self.entity_a:
            return self.entity_b
        if entity == self.entity_b:
            return self.entity_a
        raise ValueError(f"entity {entity} is not part of {self!r}")


_MEMBERS = tuple([vars(Contact)[field.name] for field in fields(Contact)])
"""The slots of a contact's fields, in their order."""


def ended_contacts(entities: list[tuple[int, int, int, int]]) -> list[Contact]:
    """Return contacts that have ended, of an entity A, a larger one B, and the entities of their bodies."""
    records = np.zeros((len(entities), RECORD.WIDTH), np.int64)
    numbers = np.zeros((len(entities), RECORD_NUMBERS.WIDTH))
    records[:, : RECORD.PART_A] = entities
    return contacts_from(records, numbers)


def contacts_from(records: np.ndarray, numbers: np.ndarray) -> list[Contact]:
    """Return the contacts of some records, rows of `RECORD` and of `RECORD_NUMBERS`, see `contact_records.py`."""
    return make_contacts(Contact, _MEMBERS, records, numbers)
