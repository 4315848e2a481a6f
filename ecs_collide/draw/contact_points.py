"""Contact points of a world, those between sleeping bodies included."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.api.world import PhysicsWorld
from ecs_collide.components import BodyKind


class ContactPoints(NamedTuple):
    """Contact points; a contact with two points has two rows."""

    entities: np.ndarray
    """Entities A and B (c, 2) int64."""
    point: np.ndarray
    """Place [m] (c, 2)."""
    normal: np.ndarray
    """Unit normal from A to B (c, 2)."""
    impulse: np.ndarray
    """Impulse of the last step along the normal [N s] (c,)."""


NO_CONTACTS = ContactPoints(
    entities=np.zeros((0, 2), np.int64), point=np.zeros((0, 2)), normal=np.zeros((0, 2)), impulse=np.zeros(0)
)


def contact_points(physics: PhysicsWorld) -> ContactPoints:
    """Return the contact points of the last step, and those with which sleeping bodies fell asleep."""
    view, bodies = physics.contacts, physics.pipeline.bodies.arrays
    kept, entities = physics.pipeline.sleepers.contacts.present()
    is_awake = (bodies.kind != BodyKind.STATIC) & (bodies.island == 0)
    rows = np.flatnonzero(is_awake[view.body].any(axis=1))  # the others fell asleep in this step, and are kept too
    now = view.point_count, view.point, view.normal, view.normal_impulse
    parts = (
        (view.entity_a[rows], view.entity_b[rows], *(column[rows] for column in now)),
        (*entities.T, kept.point_count, kept.point, kept.normal, kept.normal_impulse),
    )
    a, b, count, point, normal, impulse = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    both, two = np.stack((a, b), axis=1), count == 2
    return ContactPoints(
        entities=np.concatenate((both, both[two])),
        point=np.concatenate((point[:, 0], point[two, 1])),
        normal=np.concatenate((normal, normal[two])),
        impulse=np.concatenate((impulse[:, 0], impulse[two, 1])),
    )
