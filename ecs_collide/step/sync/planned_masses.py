"""The masses of the bodies of a change, or the error for a body without a valid one."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import NoReturn

import numpy as np

from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.components.described import shorten_repr
from ecs_collide.data.bodies import MASS
from ecs_collide.errors import PhysicsError
from ecs_collide.kernels.simd import lane_array
from ecs_collide.shapes.mass import MassProperties
from ecs_collide.step.sync import compute_masses as weigh
from ecs_collide.step.sync.attachments import geometry_of_masses
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.body_table import BodyTable
from ecs_collide.step.sync.component_columns import NUMBERS


def masses_of(table: BodyTable, sums: Mapping[int, MassProperties]) -> np.ndarray:
    """Return the rows of `body_mass` for bodies (n, 5). Raises PhysicsError for a body without a valid mass.

    `sums` has the mass of each body with attached colliders, by its place in the table.
    """
    bodies, integers, numbers = table
    masses, weight = lane_array((len(bodies), MASS.WIDTH)), np.empty(2)
    if not bodies:
        return masses
    geometry = [body.geometry for body in bodies]
    for place, total in sums.items():
        geometry[place], numbers[place, NUMBERS.DENSITY] = geometry_of_masses(bodies[place], total), 1.0
    invalid = weigh.compute_body_masses(integers, numbers, np.array(geometry), weight, masses)
    if invalid >= 0:
        _refuse_mass(bodies[invalid], *weight.tolist())
    return masses


def _refuse_mass(body: Body, mass: float, inertia: float) -> NoReturn:
    """Raise the PhysicsError for a body whose mass [kg] or inertia [kg m^2] is invalid."""
    collider = body.components.collider
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
