"""Starting impulses of contacts after a step of another length.

A contact starts with the impulse of the last substep. The same force needs an impulse in proportion to the length of a
step. Without this, a stack starts as if it had no weight after a very short step, and is thrown up after a long one.
"""

from __future__ import annotations

from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import Pairs
from ecs_collide.kernels.arrays import Floats
from ecs_collide.kernels.kernel import kernel

GREATEST_RATIO = 20.0
"""Greatest factor. The impulses of shorter steps are those of small errors of speed, not of forces."""


@kernel
def scale_impulses(count: int, contacts: Contacts, pairs: Pairs, dt: float, last_dt: Floats):
    """Scale the impulses of the first `count` contacts if a step of dt [s] follows one of `last_dt` (1,) [s].

    Writes pair_impulse, pair_rolling.
    """
    if dt == last_dt[0] or dt == 0.0 or last_dt[0] == 0.0:
        return
    ratio = min(dt / last_dt[0], GREATEST_RATIO)
    for row in range(count):
        slot = contacts.pair[row]
        for k in range(pairs.impulse.shape[1]):
            pairs.impulse[slot, k] *= ratio
        pairs.rolling[slot] *= ratio
