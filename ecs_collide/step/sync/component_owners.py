"""Check that each component belongs to one entity of one world."""

from __future__ import annotations

from ecs_collide.components.described import shorten_repr
from ecs_collide.errors import PhysicsError
from ecs_collide.native import are_all_new
from ecs_collide.step.sync import owner_errors
from ecs_collide.step.sync.changed_entities import Change, EntityRegistry
from ecs_collide.step.sync.component_set import TYPES


def check_owners(change: Change, registry: EntityRegistry) -> None:
    """Raise PhysicsError if a component is given to two entities or still belongs to another one."""
    if not are_all_new(list(change.parts.values()), list(map(registry.known.get, change.parts)), TYPES):
        _check_each_owner(change, registry)


def _check_each_owner(change: Change, registry: EntityRegistry) -> None:
    owners: dict[int, int] = {}
    for entity, parts in change.parts.items():
        for number, component in enumerate(parts):
            if component is None:
                continue
            if not isinstance(component, TYPES[number]):
                expected = TYPES[number].__name__
                raise PhysicsError(f"entity {entity}: its {expected} is no {expected}: {shorten_repr(component)}")
            is_new = getattr(component, "_entity", entity) is None
            if is_new and id(component) not in owners:
                owners[id(component)] = entity
                continue
            if not hasattr(component, "_entity"):
                raise owner_errors.without_numbers(entity, component, f"{TYPES[number].__name__}.__init__")
            word = type(component).__name__.lower()
            other = owners.setdefault(id(component), entity)
            if other == entity and component._entity is not None:
                held_by = component._entity
                if not registry.holds(component, held_by, number):
                    raise owner_errors.of_another_world(entity, held_by, component, word)
                if held_by != entity and registry.will_hold(component, held_by, number, change):
                    other = held_by
            if other != entity:
                raise owner_errors.shared(other, entity, component, word)
