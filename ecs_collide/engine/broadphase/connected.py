"""Bodies that a joint keeps from colliding: their pairs are left out when they are found, and so cost nothing later."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ecs_collide.columns import pairs as of_pair, pieces as of_piece
from ecs_collide.columns.pairs import Pairs
from ecs_collide.columns.pieces import Pieces

NO_KEYS = np.zeros(0, np.int64)
NO_PAIRS = np.zeros((0, 2), np.int64)
SHIFT = 32
"""A key has the lesser body row above this many bits, and the greater one in them."""


class Connected:
    """Which two bodies do not collide, and which that did not at the last update now do, or the other way round."""

    def __init__(self) -> None:
        self.version = 0
        """A new number whenever others collide or do not."""
        self._keys = NO_KEYS
        """Of the pairs that do not collide, sorted."""
        self._parted = NO_KEYS
        """Pairs of bodies that ceased to collide since the last update."""
        self._freed = NO_KEYS
        """Pairs that may collide again."""

    @property
    def is_empty(self) -> bool:
        """Whether all bodies collide, as at the last update."""
        return not (len(self._keys) or len(self._freed))

    def set_pairs(self, rows: Iterable[tuple[int, int]]) -> None:
        """These pairs of body rows do not collide, from the next update on."""
        self.version += 1
        pairs = np.array(sorted({(min(pair), max(pair)) for pair in rows}), np.int64).reshape(-1, 2)
        keys = (pairs[:, 0] << SHIFT) | pairs[:, 1]
        before = np.union1d(np.setdiff1d(self._keys, self._parted), self._freed)  # as at the last update
        self._parted, self._freed = np.setdiff1d(keys, before), np.setdiff1d(before, keys)
        self._keys = keys

    def without(self, found: np.ndarray, pieces: Pieces) -> np.ndarray:
        """Those of some pairs of pieces (n, 2) whose bodies may collide."""
        if len(found) == 0 or len(self._keys) == 0:
            return found
        a, b = pieces.index[found[:, 0], of_piece.BODY], pieces.index[found[:, 1], of_piece.BODY]
        keys = (np.minimum(a, b) << SHIFT) | np.maximum(a, b)
        nearest = self._keys[np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)]
        left: np.ndarray = found[nearest != keys]
        return left

    def sift(self, found: np.ndarray, count: int, pieces: Pieces) -> int:
        """Keep, of the first `count` pairs of pieces, those whose bodies may collide; return how many these are."""
        if self.is_empty:
            return count
        left = self.without(found[:count], pieces)
        found[: len(left)] = left
        return len(left)

    def taken_changes(self) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of body rows (k, 2) that do not collide any more, and that do again, since the last update."""
        if not (len(self._parted) or len(self._freed)):
            return NO_PAIRS, NO_PAIRS
        changes = tuple(
            np.column_stack((keys >> SHIFT, keys & ((1 << SHIFT) - 1))) for keys in (self._parted, self._freed)
        )
        self._parted = self._freed = NO_KEYS
        return changes[0], changes[1]


def slots_between(bodies: np.ndarray, pairs: Pairs) -> np.ndarray:
    """The slots of the pairs of any of these two bodies each, rows in ascending order (k, 2)."""
    if len(bodies) == 0:
        return np.zeros(0, np.int64)
    index = pairs.index
    a, b = index[:, of_pair.BODY_A], index[:, of_pair.BODY_B]
    keys = (np.minimum(a, b) << SHIFT) | np.maximum(a, b)
    wanted = (bodies[:, 0] << SHIFT) | bodies[:, 1]
    slots: np.ndarray = np.flatnonzero((index[:, of_pair.ROW] != of_pair.FREE) & np.isin(keys, wanted))
    return slots
