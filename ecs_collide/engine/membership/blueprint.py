"""What an entity's components ask for, checked and computed before anything is changed."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from typing import NamedTuple, TypeAlias

from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import DYNAMIC, STATIC
from ecs_collide.components.collider import NO_FILTER
from ecs_collide.engine.membership.parts import TYPES, Parts
from ecs_collide.engine.membership.roster import Change, Roster
from ecs_collide.errors import PhysicsError
from ecs_collide.shapes import Bitmap, MassProperties, Shape
from ecs_collide.shapes.terrain import Terrain
from ecs_collide.validate import LARGEST, LARGEST_ANGLE, Vector2

NOBODY = object()
"""Holds what has no numbers yet."""

HEAVIEST = 1e100
"""Largest mass [kg] and inertia [kg m^2]: products with speeds and with each other stay finite."""

FROM_ALL_SIDES = (0.0, 0.0)

MANY = 16
"""Of so many entities it is quicker to see first whether all their components are new."""


class Blueprint(NamedTuple):
    """A body to be: an entity, its components, and what follows from them."""

    entity: int
    parts: Parts
    kind: BodyKind
    shape: Shape | None
    filter: tuple[int, ...]
    """The row of `body_filter`."""
    one_way: Vector2
    """The row of `body_one_way`."""
    surface: tuple[float, float]
    """The row of `body_surface`."""

    @property
    def structure(self) -> tuple[object, ...]:
        """What a body cannot change and stay the same body: its contacts end when one of these differs.

        Two components are the same only if they are one object, whatever a subclass calls equal.
        """
        return id(self.parts.collider), self.shape, *self.standing

    @property
    def standing(self) -> tuple[object, ...]:
        """The part of that which a body of a static bitmap cannot change either."""
        return id(self.parts.transform), self.kind, self.filter, self.one_way

    @property
    def stored_form(self) -> Shape | None:
        """The shape as the pools have it."""
        return Terrain(self.shape) if type(self.shape) is Bitmap and self.kind is STATIC else self.shape


def blueprint_of(entity: int, parts: Parts) -> Blueprint | None:
    """The blueprint of an entity, None where it takes no part in physics. Raises PhysicsError if it cannot."""
    transform, velocity, collider, rigid_body, force = parts
    if velocity is None and collider is None and rigid_body is None and force is None:
        return None
    if transform is None:
        name = next(type(part).__name__ for part in parts if part is not None)
        raise PhysicsError(f"entity {entity} has a {name} but no Transform: add one, or remove the {name}")
    for part in parts:
        if part is not None and not part._is_sound():
            raise PhysicsError(f"entity {entity}: {part!r} has a number that is not finite, or beyond {LARGEST:g}")
    if abs(transform.angle) > LARGEST_ANGLE:
        raise PhysicsError(f"entity {entity}: the angle of {transform!r} is beyond {LARGEST_ANGLE:g}")
    kind = body_kind(parts)
    shape = None if collider is None else collider.shape
    if kind is DYNAMIC and shape is not None and not shape.is_bounded:
        raise PhysicsError(
            f"entity {entity}: Collider.shape {shape!r} cannot be dynamic, it has no finite mass: "
            "remove the Velocity or give it RigidBody(BodyKind.STATIC)"
        )
    if collider is None:
        return Blueprint(entity, parts, kind, None, NO_FILTER, FROM_ALL_SIDES, (0.0, 0.0))
    one_way, surface = collider.one_way or FROM_ALL_SIDES, (collider.surface_speed, collider.rolling_resistance)
    return Blueprint(entity, parts, kind, shape, collider._filter(), one_way, surface)


def body_kind(parts: Parts) -> BodyKind:
    """`RigidBody.kind`; without a RigidBody, dynamic if there is a Velocity and static if not."""
    if parts.rigid_body is not None:
        return parts.rigid_body.kind
    return STATIC if parts.velocity is None else DYNAMIC


MassRow: TypeAlias = tuple[float, float, float, float, float]


def mass_rows(blueprints: Iterable[Blueprint], geometries: Iterable[MassProperties | None]) -> list[MassRow]:
    """`mass_row` of each, but once for all that come alike: of one density and one geometry, as equal shapes have."""
    found: list[MassRow] = []
    alike: dict[tuple[int, BodyKind, float], MassRow] = {}
    for blueprint, geometry in zip(blueprints, geometries, strict=True):
        collider = blueprint.parts.collider
        if blueprint.parts.rigid_body is not None or collider is None:
            found.append(mass_row(blueprint, geometry))
            continue
        key = id(geometry), blueprint.kind, collider.density
        row = alike.get(key)
        if row is None:
            row = alike[key] = mass_row(blueprint, geometry)
        found.append(row)
    return found


def mass_row(blueprint: Blueprint, geometry: MassProperties | None) -> MassRow:
    """The row of `body_mass`: inverse masses [1/kg], inverse inertia [1/(kg m^2)], centre of mass [m].

    Mass and inertia come from the RigidBody, else from the collider's density; a body without a collider weighs
    1 kg and has an inertia of 1 kg m^2 unless its RigidBody says otherwise. `geometry` is that of its shape. Raises
    PhysicsError where that or the mass leaves the range of numbers.
    """
    center = (0.0, 0.0) if geometry is None else geometry.centroid
    if blueprint.shape is not None and (geometry is None or not (isfinite(center[0]) and isfinite(center[1]))):
        raise PhysicsError(
            f"entity {blueprint.entity}: Collider.shape {blueprint.shape!r} is too small or too large: "
            "it has no centre of mass"
        )
    if blueprint.kind is not DYNAMIC:
        return (0.0, 0.0, 0.0, *center)
    body, collider, entity = blueprint.parts.rigid_body, blueprint.parts.collider, blueprint.entity
    mass, inertia = 1.0, 1.0
    if geometry is not None and collider is not None:
        mass = collider.density * geometry.area
        inertia = collider.density * geometry.second_moment
    if body is not None and body.mass is not None:
        inertia = 1.0 if geometry is None else geometry.second_moment / geometry.area if geometry.area > 0.0 else 0.0
        inertia *= body.mass
        mass = body.mass
    if body is not None and body.inertia is not None:
        inertia = body.inertia
    for value, name in ((mass, "mass"), (inertia, "inertia")):
        if not 0.0 < value <= HEAVIEST or 1.0 / value == inf:
            density = "none" if collider is None else collider.density
            raise PhysicsError(
                f"entity {entity} is dynamic but its {name} comes out as {value} (Collider.density {density}): "
                f"give the Collider a density above 0, or the entity a RigidBody({name}=...), up to {HEAVIEST:g}"
            )
    lock_x, lock_y, lock_rotation = (
        (False, False, False) if body is None else (body.lock_x, body.lock_y, body.lock_rotation)
    )
    return (
        0.0 if lock_x else 1.0 / mass,
        0.0 if lock_y else 1.0 / mass,
        0.0 if lock_rotation else 1.0 / inertia,
        *center,
    )


def check_holders(change: Change, roster: Roster) -> None:
    """Raise PhysicsError where a component is given to two entities, or is still held elsewhere."""
    if len(change.parts) < MANY or not _are_new(change):
        _check_each_holder(change, roster)


def _are_new(change: Change) -> bool:
    """Whether all components are new and each is one entity's, which is quickly seen of many."""
    given: list[object] = []
    for kind, column in zip(TYPES, zip(*change.parts.values(), strict=True), strict=True):
        held = [part for part in column if part is not None]
        if held and set(map(type, held)) != {kind}:
            return False
        given += held
    holders = [getattr(part, "_entity", NOBODY) for part in given]
    return holders.count(None) == len(given) == len(set(map(id, given)))


def _check_each_holder(change: Change, roster: Roster) -> None:
    holder: dict[int, int] = {}
    for entity, parts in change.parts.items():
        for number, component in enumerate(parts):
            if component is None:
                continue
            if not isinstance(component, TYPES[number]):
                raise PhysicsError(f"entity {entity}: its {TYPES[number].__name__} is {component!r}, which is none")
            if getattr(component, "_entity", entity) is None and id(component) not in holder:  # as most that are new
                holder[id(component)] = entity
                continue
            name = type(component).__name__
            if not hasattr(component, "_entity"):
                raise PhysicsError(
                    f"entity {entity}: its {name} has no numbers yet: "
                    f"{name}.__init__ must call {TYPES[number].__name__}.__init__"
                )
            other = holder.setdefault(id(component), entity)
            if other == entity and component._entity is not None:
                held_by = component._entity
                if not roster.holds(component, held_by, number):
                    raise PhysicsError(
                        f"entity {entity}: {component!r} is still held by entity {held_by} of another world, or of "
                        f"one whose systems were removed without uninstall(): give this one a copy, "
                        f"copy.copy({name.lower()})"
                    )
                if held_by != entity and roster.will_hold(component, held_by, number, change):
                    other = held_by
            if other != entity:
                raise PhysicsError(
                    f"entities {other} and {entity} share one {name}, {component!r}: "
                    f"give each its own, copy.copy({name.lower()})"
                )
