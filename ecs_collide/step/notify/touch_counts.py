"""Touches of bodies of several pieces.

Two entities touch from the first touch of any two of their pieces until the last two pieces part. The pairs of pieces
that touch are counted only in steps in which such pairs change, and only for the entities of these pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ecs_collide.common.pair_roles import smaller_first
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR, SIDES, Pairs
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import kernel

Touch = tuple[int, int, int]
"""The smaller entity, the larger one and the way they touch (`TOUCHING`)."""


class ChangedTouches(NamedTuple):
    """The touches of entities that a step has changed."""

    ended: list[Touch]
    """Entities of which the last two pieces have parted."""
    started: list[int]
    """Places in the list of starts at which the first two pieces of two entities touch."""


def find_changed_touches(
    removed: Sequence[Touch], parted: Sequence[Touch], started: Sequence[Touch], pairs: Pairs
) -> ChangedTouches:
    """Return the touches of entities that begin or end with those of their pieces.

    Args:
        removed: touch of each pair that was dropped with one of its bodies.
        parted: touch of each other pair that ceased to touch.
        started: touch of each pair that started to touch, those of bodies of one piece included.
        pairs: all pairs after these changes.
    """
    removals, endings, starts = Counter(removed), Counter(parted), Counter(started)
    touches = sorted({*removals, *endings, *starts})
    counts = np.zeros(len(touches), np.int64)
    count_pairs(np.array(touches, np.int64).reshape(-1, 3), pairs.index, pairs.sides, counts)
    now = dict(zip(touches, counts.tolist()))
    rest = {touch: now[touch] - starts[touch] + endings[touch] for touch in touches}
    """Number of pairs that touched in the last step, without those of removed bodies."""
    ended = [touch for touch in removals if rest[touch] == 0]
    ended += [touch for touch in endings if rest[touch] > 0 and now[touch] == 0]
    first = {touch: number for number, touch in reversed(list(enumerate(started))) if rest[touch] == 0}
    return ChangedTouches(ended, sorted(first.values()))


@kernel
def count_pairs(touches: IntTable, pair_index: IntTable, sides: IntTable, counts: Ints) -> None:
    """Count the pairs of pieces by which entities touch; `touches` has a row for each `Touch`, ascending."""
    for slot in range(len(pair_index)):
        way = pair_index[slot, PAIR.TOUCHING]
        if way == of_pair.APART or sides[SIDES.FIRST, slot] == sides[SIDES.SECOND, slot]:
            continue
        a, b, way = smaller_first(pair_index[slot, PAIR.ENTITY_A], pair_index[slot, PAIR.ENTITY_B], way)
        low, high = 0, len(touches)
        while low < high:
            middle = (low + high) // 2
            x, y, z = touches[middle, 0], touches[middle, 1], touches[middle, 2]
            if x < a or (x == a and (y < b or (y == b and z < way))):
                low = middle + 1
            else:
                high = middle
        if low < len(touches) and touches[low, 0] == a and touches[low, 1] == b and touches[low, 2] == way:
            counts[low] += 1
