"""What an entity holds of physics' components.

esper keys by the exact class. A game's own subclass of a component is filed under its own, and is looked for there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import esper

from ecs_collide.components import Collider, Force, RigidBody, Transform, Velocity
from ecs_collide.components.view import View
from ecs_collide.errors import PhysicsError


class Parts(NamedTuple):
    """The components of one entity that the physics knows; None where it has none."""

    transform: Transform | None = None
    velocity: Velocity | None = None
    collider: Collider | None = None
    rigid_body: RigidBody | None = None
    force: Force | None = None

    @property
    def is_body(self) -> bool:
        """Whether anything asks for physics."""
        return any(part is not None for part in self[1:])


NOTHING = Parts()

TYPES: tuple[type[View], ...] = (Transform, Velocity, Collider, RigidBody, Force)
"""The component types in the order of `Parts`; a subclass of one counts as that one."""


def classes() -> tuple[tuple[type[View], ...], ...]:
    """For each of `TYPES`, it and all classes derived from it."""
    return _classes(View.class_count)


@lru_cache(maxsize=1)
def _classes(count: int) -> tuple[tuple[type[View], ...], ...]:
    found = []
    for component_type in TYPES:
        derived = [component_type]
        for each in derived:
            derived.extend(each.__subclasses__())
        found.append(tuple(dict.fromkeys(derived)))
    return tuple(found)


def parts_of(entity: int) -> Parts:
    """What an entity of the current esper world holds now; `NOTHING` itself where that is nothing.

    Raises PhysicsError where it holds a component and one of a subclass, and where it was given `Velocity` and not
    `Velocity()`, which esper files under `type`.
    """
    given = esper.try_component(entity, type)
    if given is not None and issubclass(given, View):
        raise PhysicsError(
            f"entity {entity} was given the class {given.__name__}: write {given.__name__}(...), not {given.__name__}"
        )
    parts = []
    for component_type, derived in zip(TYPES, classes(), strict=True):
        held = esper.try_component(entity, component_type)
        if len(derived) > 1:
            components = [one for kind in derived if (one := esper.try_component(entity, kind)) is not None]
            if len(components) > 1:
                names = " and ".join(type(component).__name__ for component in components)
                raise PhysicsError(
                    f"entity {entity} has two components that are a {component_type.__name__}, {names}: "
                    "remove one of them"
                )
            held = components[0] if components else None
        parts.append(held)
    return Parts(*parts) if any(part is not None for part in parts) else NOTHING  # type: ignore[arg-type]
