"""Check that each component and each joint belongs to one entity of one world."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ecs_collide.components.described import shorten_repr
from ecs_collide.errors import PhysicsError
from ecs_collide.native import are_all_new
from ecs_collide.step.sync.changed_entities import Change, EntityRegistry
from ecs_collide.step.sync.component_set import TYPES


def check_owners(change: Change, registry: EntityRegistry) -> None:
    """Raise PhysicsError if a component is given to two entities or still belongs to another one."""
    if are_all_new(list(change.components.values()), list(map(registry.known.get, change.components)), TYPES):
        return
    owners: dict[int, int] = {}
    for entity, held in change.components.items():
        for number, component in enumerate(held):
            if component is None:
                continue
            if not isinstance(component, TYPES[number]):
                expected = TYPES[number].__name__
                raise PhysicsError(f"entity {entity}: its {expected} is no {expected}: {shorten_repr(component)}")
            if getattr(component, "_entity", entity) is None and id(component) not in owners:
                owners[id(component)] = entity  # the usual case first
                continue
            check_owner(
                entity,
                component,
                type(component).__name__.lower(),
                owners,
                partial(registry.item_before, number),
                partial(registry.item_after, number, change),
            )


def check_owner(
    entity: int,
    component: object,
    word: str,
    owners: dict[int, int],
    held_before: Callable[[int], object],
    holds_after: Callable[[int], object],
) -> None:
    """Raise PhysicsError if a component of an entity has no numbers, or belongs to another entity or another world.

    `word` stands for the component in the advice. `owners` has the entity of each component of this change that was
    checked before, by `id`; this one is added to it. `held_before` and `holds_after` return what an entity held in the
    place of this component at the last step, and what it holds after the change.
    """
    name = type(component).__name__
    if not hasattr(component, "_entity"):
        raise PhysicsError(
            f"entity {entity}: its {name} has no numbers yet: {name}.__init__ must call super().__init__"
        )
    owner, other = component._entity, owners.setdefault(id(component), entity)
    if other == entity and owner is not None:
        if held_before(owner) is not component:
            raise PhysicsError(
                f"entity {entity}: its {name} still belongs to entity {owner} of another world, or of one whose "
                f"systems were removed without uninstall(). Give this entity a copy, copy.copy({word}): "
                f"{shorten_repr(component)}"
            )
        if holds_after(owner) is component:
            other = owner
    if other != entity:
        raise PhysicsError(
            f"entities {other} and {entity} share one {name}, which belongs to one entity only. Give each its own, "
            f"copy.copy({word}): {shorten_repr(component)}"
        )
