"""Sorted lists of the bodies that can move, updated as bodies are added, removed and changed."""

from __future__ import annotations

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import Bodies
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import kernel

STATIC, KINEMATIC = int(BodyKind.STATIC), int(BodyKind.KINEMATIC)


@kernel
def list_mobile(before: Ints, changed: Ints, high: int, kind: Ints, after: Ints):
    """Write the bodies that can move: those of `before`, of which the sorted rows in `changed` are tested again.

    All rows in use are below `high`. Returns how many there are.
    """
    count, k = 0, 0
    for row in changed:
        while k < len(before) and before[k] < row:
            after[count] = before[k]
            count, k = count + 1, k + 1
        if k < len(before) and before[k] == row:
            k += 1
        if row < high and kind[row] != STATIC:
            after[count] = row
            count += 1
    while k < len(before):
        after[count] = before[k]
        count, k = count + 1, k + 1
    return count


@kernel
def split_mobile(mobile: Ints, bodies: Bodies, awake: Ints, parked: Ints):
    """Write those of the bodies that can move which a step moves, and the kinematic ones that are parked.

    The latter are among the former. Returns how many there are of each. Reads body_kind, body_island.
    """
    awake_count, parked_count = 0, 0
    for row in mobile:
        is_asleep, is_kinematic = bodies.island[row] != 0, bodies.kind[row] == KINEMATIC
        if not is_asleep or is_kinematic:
            awake[awake_count] = row
            awake_count += 1
        if is_asleep and is_kinematic:
            parked[parked_count] = row
            parked_count += 1
    return awake_count, parked_count
