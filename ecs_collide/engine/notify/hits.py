"""Hits: two bodies that meet faster than a threshold, one for each pair of entities and impact."""

from __future__ import annotations

import numpy as np

from ecs_collide.columns import pairs as of_pair
from ecs_collide.columns.contacts import Contacts

HardHit = tuple[int, int, int]
"""Entity A, the smaller one, entity B, and the row of their contact."""


def hits_of_pairs(live: np.ndarray, pair_index: np.ndarray, contacts: Contacts, least: float) -> list[HardHit]:
    """The hits of this step among the pairs in slots `live`, of an approach faster than `least` [m/s].

    A hit's contact has carried an impulse. A contact may belong to several pairs, as on the seam of two tiles.
    """
    slots = live[pair_index[live, of_pair.CONTACT] >= 0]
    rows = pair_index[slots, of_pair.CONTACT]
    speeds = contacts.approach_speed[rows].max(axis=1)
    hits = np.flatnonzero((speeds > least) & (contacts.normal_impulse[rows].max(axis=1) > 0.0))
    rows = rows[hits]
    entities = pair_index[slots[hits]][:, [of_pair.ENTITY_A, of_pair.ENTITY_B]]
    return hardest(entities, speeds[hits], contacts.point[rows, 0], rows)


def hardest(entities: np.ndarray, speeds: np.ndarray, points: np.ndarray, rows: np.ndarray) -> list[HardHit]:
    """The fastest hit of each pair of entities (k, 2), in order of the entities; of equal ones that of the least point.

    `speeds` [m/s] (k,), `points` [m] (k, 2), `rows` of the contacts (k,).
    """
    low, high = entities.min(axis=1), entities.max(axis=1)
    order = np.lexsort((points[:, 1], points[:, 0], -speeds, high, low))
    hits = zip(low[order].tolist(), high[order].tolist(), rows[order].tolist(), strict=True)
    first: dict[tuple[int, int], int] = {}
    for a, b, row in hits:
        first.setdefault((a, b), row)
    return [(a, b, row) for (a, b), row in first.items()]


class HitMemory:
    """Who hit whom in the last step.

    The soft contacts of a step may leave a part of the approach to the next one, where it is no hit of its own.
    """

    def __init__(self) -> None:
        self.remembered = np.zeros(1, np.int64)
        """Whether the last step had hits, which a step without any lets be forgotten (1,)."""
        self._last: set[tuple[int, int]] = set()
        """Who hit whom in the last step that had hits."""

    def begun(self, hits: list[HardHit]) -> list[HardHit]:
        """Those hits of this step whose entities did not hit each other in the last one."""
        begun = [hit for hit in hits if not (self.remembered[0] and hit[:2] in self._last)]
        self._last, self.remembered[0] = {hit[:2] for hit in hits}, len(hits) > 0
        return begun
