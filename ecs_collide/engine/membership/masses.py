"""How heavy bodies are."""

from __future__ import annotations

from math import inf, isfinite
from typing import TypeAlias

from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.engine.membership.body import Body
from ecs_collide.errors import PhysicsError

HEAVIEST = 1e100
"""Largest mass [kg] and inertia [kg m^2]: products with speeds and with each other stay finite."""

MassRow: TypeAlias = tuple[float, float, float, float, float]


def mass_row(body: Body) -> MassRow:
    """The row of `body_mass`: inverse masses [1/kg], inverse inertia [1/(kg m^2)], centre of mass [m].

    Mass and inertia come from the RigidBody, else from the collider's density; a body without a collider weighs
    1 kg and has an inertia of 1 kg m^2 unless its RigidBody says otherwise. Raises PhysicsError where the shape's mass,
    or the body's, leaves the range of numbers.
    """
    geometry = None if body.stored is None else body.stored.mass
    x, y = (0.0, 0.0) if geometry is None else geometry.centroid
    if body.stored is not None and (geometry is None or not (isfinite(x) and isfinite(y))):
        raise PhysicsError(
            f"entity {body.entity}: Collider.shape {body.shape!r} is too small or too large: it has no centre of mass"
        )
    if body.kind is not DYNAMIC:
        return 0.0, 0.0, 0.0, x, y
    _, _, collider, rigid_body, _ = body.parts
    mass, inertia = 1.0, 1.0
    if geometry is not None and collider is not None:
        mass = collider.density * geometry.area
        inertia = collider.density * geometry.second_moment
    if rigid_body is not None:
        if rigid_body.mass is not None:
            mass = rigid_body.mass
            per_mass = 1.0
            if geometry is not None:
                per_mass = geometry.second_moment / geometry.area if geometry.area > 0.0 else 0.0
            inertia = per_mass * mass
        if rigid_body.inertia is not None:
            inertia = rigid_body.inertia
    for value, name in ((mass, "mass"), (inertia, "inertia")):
        if not 0.0 < value <= HEAVIEST or 1.0 / value == inf:
            density = "none" if collider is None else collider.density
            raise PhysicsError(
                f"entity {body.entity} is dynamic but its {name} comes out as {value} (Collider.density {density}): "
                f"give the Collider a density above 0, or the entity a RigidBody({name}=...), up to {HEAVIEST:g}"
            )
    per_mass, per_inertia = 1.0 / mass, 1.0 / inertia
    if rigid_body is None:
        return per_mass, per_mass, per_inertia, x, y
    return (
        0.0 if rigid_body.lock_x else per_mass,
        0.0 if rigid_body.lock_y else per_mass,
        0.0 if rigid_body.lock_rotation else per_inertia,
        x,
        y,
    )
