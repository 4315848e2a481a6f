"""Kernels between those of the stages: gates, marks, and the counts of a completed step."""

from __future__ import annotations

import numpy as np

from ecs_collide.common import statistics
from ecs_collide.kernels.arrays import Flags, Floats, Ints
from ecs_collide.kernels.kernel import kernel


@kernel
def read_number(cell: Ints):
    """Return the number in an array (1,). As a call that reports above 0 it is a gate: it brings Python into a step."""
    return cell[0]


OPEN_GATE = np.ones(1, np.int64)
"""The number of a gate that always brings Python into the step."""


@kernel
def clear_marks(marked: Ints, count: Ints, marks: Flags):
    """Clear the marks of all listed rows, and the list, see `DirtyRows`. Writes marks (n,) and count (1,)."""
    for k in range(count[0]):
        marks[marked[k]] = False
    count[0] = 0


@kernel
def store_length(dt: float, last_dt: Floats):
    """Write the length of a step that moved bodies [s] to last_dt (1,)."""
    last_dt[0] = dt


@kernel
def count_events(touch_count: int, lost_count: int, hit_count: int, overloaded: int, has_worked: int):
    """Return a number above 0 if Python has events to look for in this step.

    These are pairs that began or ceased to touch and have listeners, pairs that were dropped while they touched, hits,
    and joints above a threshold. `has_worked` is 1 if Python worked in this step, else 0.
    """
    return touch_count + lost_count + hit_count + overloaded + has_worked


@kernel
def store_counts(row_start: Ints, contact_count: int, stopped: Ints, counts: Ints):
    """Write the counts of a completed step, see `Statistics.counts`.

    `row_start` is that of the pair table; `stopped` (1,) the number of bodies that the sweeps stopped. It becomes 0.
    """
    counts[statistics.STEPS] += 1
    counts[statistics.PAIRS] = row_start[len(row_start) - 1]
    counts[statistics.CONTACTS] = contact_count
    counts[statistics.STOPPED_BODIES] = stopped[0]
    stopped[0] = 0
