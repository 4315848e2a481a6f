"""Pairs of bodies or attached colliders that the game keeps from colliding, as long as both exist."""

from __future__ import annotations

from ecs_collide.data.state_list import list_state
from ecs_collide.step.broadphase.excluded_pairs import ExcludedPairs

EXACT_REFUSAL = "the exact response has no ignored pairs; use group or mask"
"""Reason for which a world with the exact response can have no such pairs."""


class IgnoredPairs:
    """The pairs of body rows that do not collide because the game says so."""

    state_list = list_state(contents="_pairs")

    def __init__(self, excluded_pairs: ExcludedPairs) -> None:
        self._excluded_pairs = excluded_pairs
        self._pairs: set[tuple[int, int]] = set()
        """Body rows, the lesser one first."""

    def put(self, a: int, b: int, is_ignored: bool) -> None:
        """Make two bodies or attached colliders collide from the next step on, or not."""
        pair = min(a, b), max(a, b)
        if is_ignored and pair not in self._pairs:
            self._pairs.add(pair)
            self._excluded_pairs.change((), (pair,))
        if not is_ignored and pair in self._pairs:
            self._pairs.remove(pair)
            self._excluded_pairs.change((pair,), ())

    def forget(self, rows: list[int]) -> None:
        """Drop the pairs of removed bodies and colliders, whose rows others may get."""
        if self._pairs:
            removed = set(rows)
            excluded = {pair for pair in self._pairs if not removed.isdisjoint(pair)}
            self._pairs -= excluded
            self._excluded_pairs.change(sorted(excluded), ())
