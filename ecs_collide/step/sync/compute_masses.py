"""Masses, inertias and centres of mass of many bodies in one call."""

from __future__ import annotations

from math import inf, isfinite, isnan

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import MASS
from ecs_collide.data.shape_store import GEOMETRY
from ecs_collide.kernels.arrays import Floats, FloatTable, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.sync import component_columns as of_component
from ecs_collide.step.sync.component_columns import INTEGERS, NUMBERS

DYNAMIC = int(BodyKind.DYNAMIC)

HEAVIEST = 1e100
"""Largest mass [kg] and inertia [kg m^2]: products with speeds and with each other stay finite."""


@kernel
def compute_body_masses(
    integers: IntTable, numbers: FloatTable, geometry: FloatTable, weight: Floats, masses: FloatTable
):
    """Write the rows of `body_mass` (n, 5): inverse masses [1/kg], inverse inertia [1/(kg m^2)], centre of mass [m].

    Mass and inertia come from the RigidBody, else from the collider's density. A body without a collider weighs 1 kg
    and has an inertia of 1 kg m^2, unless its RigidBody has others. `integers` and `numbers` are those of
    `read_components`, `geometry` has the columns of `GEOMETRY` (n, 4).

    Returns the first invalid body, or -1. A body is invalid if its shape has no centre of mass, if it is dynamic and
    unbounded, or if its mass or inertia is out of range. `weight` (2,) then holds these [kg, kg m^2]. Returns -1 if
    there is none.
    """
    for k in range(len(integers)):
        x, y = geometry[k, GEOMETRY.CENTROID_X], geometry[k, GEOMETRY.CENTROID_Y]
        weight[0], weight[1] = 0.0, 0.0
        if not (isfinite(x) and isfinite(y)):
            return k
        masses[k, :] = 0.0
        masses[k, MASS.LOCAL_X], masses[k, MASS.LOCAL_Y] = x, y
        if integers[k, INTEGERS.KIND] != DYNAMIC:
            continue
        mass, inertia = mass_and_inertia_of(numbers[k], geometry[k])
        weight[0], weight[1] = mass, inertia
        if geometry[k, GEOMETRY.AREA] == inf or is_out_of_range(mass) or is_out_of_range(inertia):
            return k
        present = integers[k, INTEGERS.PRESENT]
        masses[k, MASS.INVERSE_X] = 0.0 if present & of_component.LOCKS_X != 0 else 1.0 / mass
        masses[k, MASS.INVERSE_Y] = 0.0 if present & of_component.LOCKS_Y != 0 else 1.0 / mass
        masses[k, MASS.INVERSE_INERTIA] = 0.0 if present & of_component.LOCKS_ROTATION != 0 else 1.0 / inertia
    return -1


@device
def mass_and_inertia_of(numbers, geometry):
    """Return mass [kg] and inertia [kg m^2] of a dynamic body."""
    mass, inertia, per_mass = 1.0, 1.0, 1.0
    area, second_moment = geometry[GEOMETRY.AREA], geometry[GEOMETRY.SECOND_MOMENT]
    if not isnan(area):
        mass, inertia = numbers[NUMBERS.DENSITY] * area, numbers[NUMBERS.DENSITY] * second_moment
        per_mass = second_moment / area if area > 0.0 else 0.0
    if not isnan(numbers[NUMBERS.MASS]):
        mass = numbers[NUMBERS.MASS]
        inertia = per_mass * mass
    if not isnan(numbers[NUMBERS.INERTIA]):
        inertia = numbers[NUMBERS.INERTIA]
    return mass, inertia


@device
def is_out_of_range(value):
    """Return True if a mass or an inertia, or its inverse, is not positive and finite."""
    return not 0.0 < value <= HEAVIEST or 1.0 / value == inf
