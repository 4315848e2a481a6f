"""What has changed among the entities since the last step.

esper returns the same list object from `get_component` until something is added or removed anywhere, so an
unchanged world is recognised by one comparison. After a change the lists are compared with what is known.

esper keys by the exact class. A game's own subclass of a component has a list of its own, and is looked for there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import esper

from ecs_collide.components import Collider, Force, RigidBody, Transform, Velocity
from ecs_collide.components.view import View
from ecs_collide.errors import PhysicsError


class Parts(NamedTuple):
    """The components of one entity that the physics knows; None where it has none."""

    transform: Transform | None
    velocity: Velocity | None
    collider: Collider | None
    rigid_body: RigidBody | None
    force: Force | None

    @property
    def is_body(self) -> bool:
        """Whether anything asks for physics."""
        return any(part is not None for part in self[1:])


TYPES: tuple[type[View], ...] = (Transform, Velocity, Collider, RigidBody, Force)
"""The component types in the order of `Parts`; a subclass of one counts as that one."""

Holdings = tuple[dict[int, View], ...]
"""For each of `TYPES`, which entity holds which component."""


class Change(NamedTuple):
    """The entities that differ from what was known, in order of their ids, and who holds what now."""

    entities: list[int]
    now: Holdings
    present: list[int]
    """Those of the entities that hold anything now."""

    def parts(self, entity: int) -> Parts:
        return Parts(*[held.get(entity) for held in self.now])  # type: ignore[arg-type]


class Roster:
    """Remembers who held what at the last step."""

    def __init__(self) -> None:
        self.known: Holdings = tuple({} for _ in TYPES)
        self.restructured: set[int] = set()
        """Entities whose components asked to be looked at again (a new shape, another kind, ...)."""
        self._seen: list[tuple[int, Transform]] | None = None

    def change(self) -> Change | None:
        """What differs from what is known, or None; nothing is remembered before `accept`."""
        listed = esper.get_component(Transform)
        if listed is self._seen and not self.restructured:
            return None
        entities = set(self.restructured)
        now = []
        for component_type, known in zip(TYPES, self.known, strict=True):
            held = _held(component_type)
            different = [entity for entity, component in held if known.get(entity) is not component]
            if different or len(held) != len(known):
                fresh = dict(held)
                if len(fresh) != len(held):
                    raise _two_of_a_kind(component_type, held)
                entities.update(different)
                entities.update(known.keys() - fresh.keys())
                now.append(fresh)
            else:
                now.append(known)
        _refuse_classes()
        present = set().union(*(held.keys() & entities for held in now))
        return Change(sorted(entities), tuple(now), sorted(present))

    def accept(self, change: Change) -> None:
        """The change has been carried out."""
        self.known = change.now
        self.restructured.clear()
        self._seen = esper.get_component(Transform)

    def holds(self, component: View, entity: int, kind: int) -> bool:
        """Whether, at the last step, `entity` held this very component as the given kind of part."""
        return self.known[kind].get(entity) is component


def _held(component_type: type[View]) -> Sequence[tuple[int, View]]:
    """The entities with a component of a type or of a subclass of it."""
    kinds = [component_type]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    if len(kinds) == 1:
        return esper.get_component(component_type)
    return list(chain.from_iterable(map(esper.get_component, dict.fromkeys(kinds))))


def _refuse_classes() -> None:
    """Raise PhysicsError where an entity was given `Velocity` and not `Velocity()`: esper files it under `type`."""
    for entity, component in esper.get_component(type):
        if issubclass(component, View):
            name = component.__name__
            raise PhysicsError(f"entity {entity} was given the class {name}: write {name}(...), not {name}")


def _two_of_a_kind(component_type: type[View], held: Sequence[tuple[int, View]]) -> PhysicsError:
    """What to say where an entity has a component and one of a subclass."""
    first: dict[int, View] = {}
    entity, second = next(pair for pair in held if first.setdefault(*pair) is not pair[1])
    names = " and ".join(type(component).__name__ for component in (first[entity], second))
    return PhysicsError(
        f"entity {entity} has two components that are a {component_type.__name__}, {names}: remove one of them"
    )
