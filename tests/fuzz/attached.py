"""The model of attached colliders: their bodies, places and masses, worked out from esper's own tables."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, inf, sin
from typing import Any

import ecs_collide as ec

Held = dict[type[Any], Any]
Pose = tuple[float, float, float]

NO_PART = (ec.Velocity, ec.RigidBody, ec.Force)
"""Components that an attached entity may not have."""


def can_be_part(held: Held) -> bool:
    """Return True if an attached entity has what it needs and nothing that it may not have."""
    return ec.Collider in held and not any(kind in held for kind in NO_PART)


def parts_of(entity: int, bodies: Mapping[int, Held]) -> list[Held]:
    """Return the components of the entities that are attached to a body."""
    return [
        held
        for held in bodies.values()
        if ec.AttachedTo in held and held[ec.AttachedTo].body == entity and can_be_part(held)
    ]


def host_of(entity: int, bodies: Mapping[int, Held]) -> int:
    """Return the entity whose body the collider of an entity names: itself, unless it is attached."""
    attached = bodies.get(entity, {}).get(ec.AttachedTo)
    return entity if attached is None else int(attached.body)


def pose_in(held: Held, bodies: Mapping[int, Held]) -> Pose | None:
    """Return the pose of an entity with a place in the world, None without one."""
    attached = held.get(ec.AttachedTo)
    transform = (held if attached is None else bodies.get(attached.body, {})).get(ec.Transform)
    if transform is None:
        return None
    x, y, angle = transform.pose
    if attached is None:
        return x, y, angle
    along, across, turn = attached.place
    return x + cos(angle) * along - sin(angle) * across, y + sin(angle) * along + cos(angle) * across, angle + turn


def weigh(held: Held, parts: list[Held]) -> tuple[float, float]:
    """Return the mass and inertia that a body has by its collider and the solid ones that are attached to it.

    Without a mass of attached ones they are those of its own collider; without one they are 1 and 1.
    """
    own = [] if ec.Collider not in held else [(held[ec.Collider], (0.0, 0.0, 0.0))]
    others = [(part[ec.Collider], part[ec.AttachedTo].place) for part in parts if not part[ec.Collider].sensor]
    heavy = [(collider, place) for collider, place in others if collider.density > 0.0]
    weights = [_weight(collider, place) for collider, place in own + heavy if collider.density > 0.0 or not heavy]
    if not weights:
        return 1.0, 1.0
    mass = sum(each[0] for each in weights)
    if not 0.0 < mass < inf:
        return mass, sum(each[3] for each in weights)
    x, y = (sum(each[0] * each[k] for each in weights) / mass for k in (1, 2))
    return mass, sum(each[3] + each[0] * ((each[1] - x) ** 2 + (each[2] - y) ** 2) for each in weights)


def _weight(collider: ec.Collider, place: Pose) -> tuple[float, float, float, float]:
    """Return mass, centre x and y, and inertia about that of a collider at a place."""
    properties = collider.shape.mass_properties()
    (x, y), (along, across, angle) = properties.centroid, place
    return (
        collider.density * properties.area,
        along + cos(angle) * x - sin(angle) * y,
        across + sin(angle) * x + cos(angle) * y,
        collider.density * properties.second_moment,
    )
