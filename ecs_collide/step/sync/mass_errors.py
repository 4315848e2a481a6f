"""Errors for bodies without a valid mass."""

from __future__ import annotations

from math import isfinite
from typing import NoReturn

from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.components.described import shorten_repr
from ecs_collide.errors import PhysicsError
from ecs_collide.step.sync import compute_masses as weigh
from ecs_collide.step.sync.body_definition import Body


def refuse_mass(body: Body, mass: float, inertia: float) -> NoReturn:
    """Raise the PhysicsError for a body whose mass [kg] or inertia [kg m^2] is invalid."""
    collider = body.parts.collider
    if body.kind is DYNAMIC and body.shape is not None and not body.shape.is_bounded:
        raise PhysicsError(
            f"entity {body.entity} is dynamic, but its Collider.shape is unbounded and has no finite mass: "
            f"remove its Velocity, or give it RigidBody(BodyKind.STATIC): {shorten_repr(body.shape)}"
        )
    if body.stored is not None and not all(map(isfinite, body.stored.centroid)):
        raise PhysicsError(
            f"entity {body.entity}: its Collider.shape has no finite centre of mass, because it is too small or too "
            f"large: {shorten_repr(body.shape)}"
        )
    name, value = ("mass", mass) if weigh.is_out_of_range(mass) else ("inertia", inertia)
    density = "none" if collider is None else collider.density
    raise PhysicsError(
        f"entity {body.entity} is dynamic but its {name} comes out as {value} (Collider.density {density}): "
        f"give the Collider a density above 0, or the entity a RigidBody({name}=...), up to {weigh.HEAVIEST:g}"
    )
