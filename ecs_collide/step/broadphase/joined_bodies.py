"""Bodies that a joint keeps from colliding: their pairs are left out when they are found, and so cost nothing later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR, Pairs
from ecs_collide.data.pieces import PIECE
from ecs_collide.data.row_lists import each_once, rows_where
from ecs_collide.kernels.kernel import device
from ecs_collide.step.broadphase.sorted_rows import is_among

NO_KEYS = np.zeros(0, np.int64)
NO_PAIRS = np.zeros((0, 2), np.int64)
SHIFT = 32
"""A key has the lesser body row above this many bits, and the greater one in them."""


class Connected:
    """Which two bodies do not collide, and which that did not at the last update now do, or the other way round."""

    def __init__(self) -> None:
        self.version = 0
        """A new number whenever others collide or do not."""
        self.keys = NO_KEYS
        """Of the pairs that do not collide, sorted."""
        self._reasons = Counter[int]()
        """By how many joints each of them is kept."""
        self._parted = NO_KEYS
        """Pairs of bodies that ceased to collide since the last update."""
        self._freed = NO_KEYS
        """Pairs that may collide again."""

    @property
    def has_changed(self) -> bool:
        """Whether any collide or do not, other than at the last update."""
        return bool(len(self._parted) or len(self._freed))

    def relink(self, gone: Iterable[tuple[int, int]], come: Iterable[tuple[int, int]]) -> None:
        """Pairs of body rows that have one reason less not to collide, or one more, from the next update on."""
        reasons, changed = self._reasons, {_key(*pair) for pair in (*gone, *come)}
        before = reasons.keys() & changed
        reasons.update(_key(*pair) for pair in come)
        reasons.subtract(_key(*pair) for pair in gone)
        joined = {key for key in changed if reasons[key]}
        for key in changed - joined:
            del reasons[key]
        if joined != before:
            self._set_keys(each_once(np.fromiter(reasons, np.int64, len(reasons))))

    def _set_keys(self, keys: np.ndarray) -> None:
        """From the next update on, these do not collide."""
        self.version += 1
        before = np.setdiff1d(self.keys, self._parted, assume_unique=True)
        before = each_once(before, self._freed)  # as at the last update
        self._parted = np.setdiff1d(keys, before, assume_unique=True)
        self._freed = np.setdiff1d(before, keys, assume_unique=True)
        self.keys = keys

    def taken_changes(self) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of body rows (k, 2) that do not collide any more, and that do again, since the last update."""
        changes = tuple(
            np.column_stack((keys >> SHIFT, keys & ((1 << SHIFT) - 1))) for keys in (self._parted, self._freed)
        )
        self._parted = self._freed = NO_KEYS
        return changes[0], changes[1]


def _key(a: int, b: int) -> int:
    return (min(a, b) << SHIFT) | max(a, b)


@device
def leave_out_connected(found, count, keys, pieces):
    """Keep, of the first `count` pairs of pieces, those whose bodies may collide; return how many these are."""
    left = 0
    for k in range(count):
        a, b = pieces.index[found[k, 0], PIECE.BODY], pieces.index[found[k, 1], PIECE.BODY]
        if not is_among(keys, (min(a, b) << SHIFT) | max(a, b)):
            found[left, 0], found[left, 1] = found[k, 0], found[k, 1]
            left += 1
    return left


def slots_between(bodies: np.ndarray, pairs: Pairs) -> np.ndarray:
    """The slots of the pairs of any of these two bodies each, rows in ascending order (k, 2)."""
    if len(bodies) == 0:
        return np.zeros(0, np.int64)
    index = pairs.index
    a, b = index[:, PAIR.BODY_A], index[:, PAIR.BODY_B]
    keys = (np.minimum(a, b) << SHIFT) | np.maximum(a, b)
    wanted = (bodies[:, 0] << SHIFT) | bodies[:, 1]
    slots: np.ndarray = rows_where((index[:, PAIR.ROW] != of_pair.FREE) & np.isin(keys, wanted))
    return slots
