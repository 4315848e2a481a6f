"""The candidate pairs as arrays, for hooks between Broadphase and Narrowphase."""

from __future__ import annotations

import numpy as np

from ecs_collide.common.view_repr import describe_pairs
from ecs_collide.data.pairs import ENTITIES, PairColumns


class PairView:
    """The pairs whose fat boxes overlap, and those that fast bodies may reach.

    Entry k of every array belongs to the same pair.
    """

    def __init__(self, *columns: PairColumns) -> None:
        self._columns = columns
        self._slots = [each.live for each in columns]
        entities = np.concatenate(
            [each.arrays.index[slots, ENTITIES] for each, slots in zip(columns, self._slots, strict=True)]
        )
        self.entity_a = entities[:, 0]
        """Entity A of each pair (p,)."""
        self.entity_b = entities[:, 1]
        """Entity B of each pair (p,)."""

    def __len__(self) -> int:
        return len(self.entity_a)

    def __repr__(self) -> str:
        return describe_pairs(self, self.entity_a, self.entity_b)

    def disable(self, which: np.ndarray) -> None:
        """Leave out the pairs that a mask or an index array selects, in this step.

        A collider that detects is notified of them all the same.
        """
        is_meant, first = np.zeros(len(self), np.bool_), 0
        is_meant[which] = True
        for columns, slots in zip(self._columns, self._slots, strict=True):
            chosen = is_meant[first : first + len(slots)]
            if chosen.any():
                columns.pass_through(slots[chosen])
            first += len(slots)
