"""What is noted of a step that has come to its end in one chain of calls."""

from __future__ import annotations

from ecs_collide.common import statistics
from ecs_collide.kernels.arrays import Flags, Floats, Ints
from ecs_collide.kernels.kernel import stage


@stage
def number_in(cell: Ints):
    """What stands in an array (1,): a chain that asks for it ends where it is too great."""
    return cell[0]


@stage
def note_completed(
    touched: Ints,
    touched_count: Ints,
    touched_marks: Flags,
    row_start: Ints,
    contact_count: int,
    stopped: Ints,
    dt: float,
    last_dt: Floats,
    counts: Ints,
):
    """Fill in the counts (9,) of `Statistics`, and clear what was only for this step of dt [s].

    `touched` are the rows that were put elsewhere, as `DirtyRows` has them; `row_start` those of the pair table; in
    `stopped` (1,) stands how many bodies were stopped. Writes last_dt (1,) [s].
    """
    for k in range(touched_count[0]):
        touched_marks[touched[k]] = False
    touched_count[0] = 0
    last_dt[0] = dt
    counts[statistics.STEPS] += 1
    counts[statistics.PAIRS] = row_start[-1]
    counts[statistics.CONTACTS] = contact_count
    counts[statistics.STOPPED_BODIES] = stopped[0]
    stopped[0] = 0
