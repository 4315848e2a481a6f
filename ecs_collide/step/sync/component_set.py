"""Components of one entity that the physics uses, None for each that it does not have."""

from collections.abc import Mapping
from functools import lru_cache
from operator import is_
from typing import Any, NamedTuple, TypeAlias

from ecs_collide.components import AttachedTo, Collider, Force, RigidBody, Transform, Velocity
from ecs_collide.components.view import View, classes_of
from ecs_collide.errors import PhysicsError


class ComponentSet(NamedTuple):
    """The components of one entity that the physics uses; None for missing ones."""

    transform: Transform | None = None
    velocity: Velocity | None = None
    collider: Collider | None = None
    rigid_body: RigidBody | None = None
    force: Force | None = None
    attached_to: AttachedTo | None = None


NOTHING = ComponentSet()

TYPES: tuple[type[View], ...] = (Transform, Velocity, Collider, RigidBody, Force, AttachedTo)
"""Component types in the order of `ComponentSet`; a subclass counts as its base."""


PLAIN = tuple((kind,) for kind in TYPES)
"""Result of `classes` if a game has derived no class."""


def classes() -> tuple[tuple[type[View], ...], ...]:
    """Return for each of `TYPES` the class and all classes derived from it."""
    return _classes(View.class_count)


@lru_cache(maxsize=1)
def _classes(count: int) -> tuple[tuple[type[View], ...], ...]:
    found = tuple(classes_of(component_type) for component_type in TYPES)
    return PLAIN if found == PLAIN else found


_new = tuple.__new__
"""Constructor of named tuples that takes half the time."""

Held: TypeAlias = Mapping[type, Any]
"""Components of an entity as esper files them."""


def components_of(entity: int, held: Held, kinds: tuple[tuple[type[View], ...], ...]) -> ComponentSet:
    """Return the components of an entity that the physics uses; `NOTHING` itself if there are none.

    `kinds` is the result of `classes()`. Raises PhysicsError if an entity holds a component and another one of a
    subclass. It also raises PhysicsError if an entity was given `Velocity` instead of `Velocity()`, which esper files
    under `type`.
    """
    given = held.get(type)
    if given is not None and issubclass(given, View):
        raise PhysicsError(
            f"entity {entity} was given the class {given.__name__}: write {given.__name__}(...), not {given.__name__}"
        )
    if kinds is PLAIN:
        get = held.get
        found = _new(
            ComponentSet,
            (get(Transform), get(Velocity), get(Collider), get(RigidBody), get(Force), get(AttachedTo)),
        )
    else:
        found = ComponentSet._make([_only(entity, held, derived) for derived in kinds])
    for component in found:
        if component is not None:
            return found
    return NOTHING


def are_same(components: ComponentSet, known: ComponentSet) -> bool:
    """Return True if both hold the same objects, whatever a subclass defines as equality."""
    return all(map(is_, components, known))


def _only(entity: int, held: Held, kinds: tuple[type[View], ...]) -> View | None:
    """Return the component of an entity that is of one of these types, the first being the base of the others."""
    components = [one for kind in kinds if (one := held.get(kind)) is not None]
    if len(components) > 1:
        names = " and ".join(type(component).__name__ for component in components)
        raise PhysicsError(
            f"entity {entity} has two components that are a {kinds[0].__name__}, {names}: remove one of them"
        )
    return components[0] if components else None
