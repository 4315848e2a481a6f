"""The tables of the current esper world: entities, components by type, deleted entities, and the next entity."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import count
from typing import Any, TypeAlias

import esper

Entities: TypeAlias = dict[int, dict[type, Any]]
"""Components of each entity by the type under which esper files them."""


class Unused:
    """A class of components that no entity has: esper's list of them is another object after each change."""


def present_list() -> object:
    """Return an object that is another one as soon as anything was added to or removed from any entity."""
    return esper.get_component(Unused)


def read_entities() -> Entities:
    """Return a copy of the table of entities."""
    return {entity: held.copy() for entity, held in esper._entities.items()}


def read_dead() -> set[int]:
    """Return the entities that wait for their deletion."""
    return esper._dead_entities.copy()


def next_entity() -> int:
    """Return the number of the next entity that esper creates."""
    number = next(esper._entity_count)
    esper._entity_count = count(number)
    return number


def restore_entities(entities: Entities, replaced: Mapping[int, Any], watched: Mapping[type, set[int]]) -> None:
    """Make a copy of `entities` the table of entities.

    Args:
        entities: the table.
        replaced: objects that take the place of components, by the identities of these.
        watched: sets that report changes, by type. They are written without a report, and stand in the table also if
            they are empty.
    """
    table = esper._entities
    table.clear()
    if replaced:
        table.update(
            (entity, {kind: replaced.get(id(one), one) for kind, one in held.items()})
            for entity, held in entities.items()
        )
    else:
        table.update((entity, held.copy()) for entity, held in entities.items())
    owners: dict[type, list[int]] = {}
    for entity, held in entities.items():
        for kind in held:
            owners.setdefault(kind, []).append(entity)
    of_type = esper._components
    for kind in {**of_type, **owners, **watched}:
        _write_owners(of_type, kind, owners.get(kind, ()), watched.get(kind))
    esper.clear_cache()


def _write_owners(of_type: dict[type, set[int]], kind: type, owners: Collection[int], watched: set[int] | None) -> None:
    """Write the entities that have a component of a type. A set with the same entities stays as it is."""
    present = of_type.get(kind, set()) if watched is None else watched
    if len(present) != len(owners) or not present.issuperset(owners):
        set.clear(present)
        set.update(present, owners)
    if owners or watched is not None:
        of_type[kind] = present
    else:
        of_type.pop(kind, None)


def restore_others(dead: set[int], following: int) -> None:
    """Write the entities that wait for their deletion, and the number of the next entity."""
    esper._dead_entities.clear()
    esper._dead_entities.update(dead)
    esper._entity_count = count(following)
