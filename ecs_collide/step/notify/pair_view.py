"""The candidate pairs as arrays, for hooks between Broadphase and Narrowphase."""

from __future__ import annotations

import numpy as np

from ecs_collide.common.view_repr import describe_pairs
from ecs_collide.data.pairs import PAIR, PairColumns


class PairView:
    """The pairs whose fat boxes overlap. Entry k of every array belongs to the same pair."""

    def __init__(self, pairs: PairColumns, live: np.ndarray) -> None:
        self._pairs = pairs
        self._slots = live
        self.entity_a = pairs.arrays.index[live, PAIR.ENTITY_A]
        """Entity A of each pair (p,)."""
        self.entity_b = pairs.arrays.index[live, PAIR.ENTITY_B]
        """Entity B of each pair (p,)."""

    def __len__(self) -> int:
        return len(self._slots)

    def __repr__(self) -> str:
        return describe_pairs(self, self.entity_a, self.entity_b)

    def disable(self, which: np.ndarray) -> None:
        """Leave out the pairs that a mask or an index array selects, in this step.

        A collider that detects is notified of them all the same.
        """
        self._pairs.pass_through(self._slots[which])
