"""Touches of bodies of several pieces.

Two entities touch from the first touch of any two of their pieces until the last two pieces part.
"""

from __future__ import annotations

from collections import Counter

from ecs_collide.data.state_list import list_state

Touch = tuple[int, int, int]
"""The smaller entity, the larger one and the way they touch (`TOUCHING`)."""


class TouchCounts:
    """The number of pairs of pieces by which two entities touch."""

    state_list = list_state(contents="_counts")

    def __init__(self) -> None:
        self._counts: Counter[Touch] = Counter()

    def update(self, ended: list[Touch], started: list[tuple[int, int, int, int]]) -> tuple[list[Touch], list[int]]:
        """Count the pairs of pieces that ceased and that began to touch.

        Returns the entities that ceased to touch, and the numbers of those in `started` (each with the slot of a pair
        in fourth place) that made two entities touch.
        """
        before: dict[Touch, int] = {}
        first: dict[Touch, int] = {}
        for end in ended:
            before.setdefault(end, self._counts[end])
            self._counts[end] -= 1
        for number, start in enumerate(started):
            key = start[:3]
            before.setdefault(key, self._counts[key])
            first.setdefault(key, number)
            self._counts[key] += 1
        for key in before:
            if self._counts[key] == 0:
                del self._counts[key]
        over = [key for key, count in before.items() if count > 0 and key not in self._counts]
        new_hits = [number for key, number in first.items() if before[key] == 0 and key in self._counts]
        return over, new_hits
