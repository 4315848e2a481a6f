"""The `CollidingEntities` of the current esper world."""

from __future__ import annotations

from collections import defaultdict

import esper
import numpy as np

from ecs_collide.components import CollidingEntities
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR, PairColumns
from ecs_collide.step.notify.contact_source import OwnContacts
from ecs_collide.step.sync.held_kinds import any_held


def any_colliding_entities() -> bool:
    """Return True if any entity of the current esper world has, or may have, a `CollidingEntities`."""
    return any_held(CollidingEntities.kinds())


def fill_colliding_entities(pairs: PairColumns, own_contacts: OwnContacts | None) -> None:
    """Write to each `CollidingEntities` the entities that touch its own."""
    held = _held()
    if not held:
        return
    touching = touching_entities(pairs, own_contacts)
    entities = np.array(sorted(entity for entity, _ in held), np.int64)
    nearest = entities[np.minimum(np.searchsorted(entities, touching), len(entities) - 1)]
    partners: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in touching[(nearest[:, 0] == touching[:, 0]) | (nearest[:, 1] == touching[:, 1])].tolist():
        partners[a].add(b)
        partners[b].add(a)
    for entity, component in held:
        component.entities = tuple(sorted(partners.get(entity, ())))


def touching_entities(pairs: PairColumns, own_contacts: OwnContacts | None) -> np.ndarray:
    """Return the entities of all pairs that touch, parked or not, possibly with repetitions (k, 2)."""
    index = pairs.arrays.index
    slots = (index[:, PAIR.TOUCHING] != of_pair.APART) & (index[:, PAIR.ROW] != of_pair.FREE)
    of_pairs = index[slots, of_pair.ENTITIES]
    return of_pairs if own_contacts is None else np.concatenate((of_pairs, own_contacts.touching_entities()))


def _held() -> list[tuple[int, CollidingEntities]]:
    """Return all `CollidingEntities` with their entities, those of derived classes included."""
    if not any_colliding_entities():
        return []
    return [each for kind in CollidingEntities.kinds() for each in esper.get_component(kind)]
