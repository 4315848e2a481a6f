"""Excluded pairs: two bodies or attached colliders that joints or the game keep from colliding.

Their pairs of pieces are skipped when pairs are found. The row of a body stands for all pieces that belong to it, the
row of an attached collider for its own pieces alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import FOUND, PAIR, Pairs
from ecs_collide.data.pieces import PIECE
from ecs_collide.data.row_lists import rows_where
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.kernel import device
from ecs_collide.step.broadphase.sorted_rows import is_among

NO_PAIRS = np.zeros((0, 2), np.int64)
SHIFT = 32
"""Bits of a key that hold the greater body row; the lesser row stands above them."""
NO_KEY = np.iinfo(np.int64).max
"""Key behind the last one in use."""


class ExcludedPairs:
    """The pairs of bodies that do not collide, and what changed in them since the last update."""

    state_list = list_state(
        values="version", contents="_reasons _excluded _freed", renewed={"_is_listed": False}, left_out="_keys"
    )

    def __init__(self) -> None:
        self.version = 0
        """Number that rises whenever `keys` changes."""
        self._keys = np.zeros(0, np.int64)
        self._is_listed = True
        """True if `_keys` holds the present keys."""
        self._reasons = Counter[int]()
        """Number of joints and lists of the game that keep each pair from colliding."""
        self._excluded: set[int] = set()
        """Keys of the pairs that were excluded since the last update."""
        self._freed: set[int] = set()
        """Keys of the pairs that may collide again since then."""

    @property
    def has_changed(self) -> bool:
        """True if any pair changed since the last update."""
        return bool(self._excluded or self._freed)

    @property
    def keys(self) -> np.ndarray:
        """Sorted keys of the pairs of bodies that do not collide, then `NO_KEY` in spare room (k,) int64.

        The array stays the same until it is too small.
        """
        if not self._is_listed:
            count = len(self._reasons)
            if count > len(self._keys):
                self._keys = np.empty(next_capacity(len(self._keys), count), np.int64)
            self._keys[:count] = sorted(self._reasons)
            self._keys[count:] = NO_KEY
            self._is_listed = True
        return self._keys

    def change(self, removed: Iterable[tuple[int, int]], added: Iterable[tuple[int, int]]) -> None:
        """Remove and add reasons for pairs of body rows not to collide, from the next update on.

        Each pair in `removed` loses one reason, each pair in `added` gains one.
        """
        reasons, changed = self._reasons, {_key(*pair) for pair in (*removed, *added)}
        before = reasons.keys() & changed
        reasons.update(_key(*pair) for pair in added)
        reasons.subtract(_key(*pair) for pair in removed)
        after = {key for key in changed if reasons[key]}
        for key in changed - after:
            del reasons[key]
        if after != before:
            excluded, freed = after - before, before - after
            self._excluded, self._freed = (
                (self._excluded - freed) | (excluded - self._freed),
                (self._freed - excluded) | (freed - self._excluded),
            )
            self._is_listed = False
            self.version += 1

    def pop_changes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return and clear the changes since the last update.

        The first array holds the pairs of body rows that were excluded, the second those that may collide again, (k, 2)
        int64 each.
        """
        excluded, freed = (
            np.array([divmod(key, 1 << SHIFT) for key in sorted(keys)], np.int64).reshape(-1, 2)
            for keys in (self._excluded, self._freed)
        )
        self._excluded, self._freed = set(), set()
        return excluded, freed


def _key(a: int, b: int) -> int:
    """Return the key of a pair of body rows."""
    return (min(a, b) << SHIFT) | max(a, b)


@device
def is_key(keys, a, b):
    """Return True if the key of a pair of body rows is among sorted keys."""
    return is_among(keys, (min(a, b) << SHIFT) | max(a, b))


@device
def are_excluded(a, b, keys, pieces):
    """Return True if the bodies or colliders of two pieces are kept from colliding."""
    body_a, body_b = pieces.index[a, PIECE.BODY], pieces.index[b, PIECE.BODY]
    if is_key(keys, body_a, body_b):
        return True
    collider_a, collider_b = pieces.index[a, PIECE.COLLIDER], pieces.index[b, PIECE.COLLIDER]
    if collider_a == body_a and collider_b == body_b:
        return False
    return is_key(keys, collider_a, body_b) or is_key(keys, body_a, collider_b) or is_key(keys, collider_a, collider_b)


@device
def drop_excluded_pairs(found, count, keys, pieces):
    """Keep those of the first `count` found pairs whose bodies and colliders may collide; return their number."""
    left = 0
    for k in range(count):
        if not are_excluded(found[k, FOUND.FIRST], found[k, FOUND.SECOND], keys, pieces):
            found[left, FOUND.FIRST], found[left, FOUND.SECOND] = found[k, FOUND.FIRST], found[k, FOUND.SECOND]
            left += 1
    return left


def slots_between(bodies: np.ndarray, pairs: Pairs) -> np.ndarray:
    """Return the slots of all pairs between the given pairs of bodies or colliders (k, 2), lesser row first."""
    if len(bodies) == 0:
        return np.zeros(0, np.int64)
    index, (lesser, greater) = pairs.index, bodies.T
    wanted = (lesser << SHIFT) | greater
    is_between = np.zeros(len(pairs.index), np.bool_)
    for a, b in product((PAIR.BODY_A, PAIR.COLLIDER_A), (PAIR.BODY_B, PAIR.COLLIDER_B)):
        keys = (np.minimum(index[:, a], index[:, b]) << SHIFT) | np.maximum(index[:, a], index[:, b])
        is_between |= np.isin(keys, wanted)
    slots: np.ndarray = rows_where((index[:, PAIR.ROW] != of_pair.FREE) & is_between)
    return slots
