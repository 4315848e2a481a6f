"""Which contacts are those of a body."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.contacts import CONTACT_BODY
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import kernel


def contact_rows(body: int, bodies: np.ndarray) -> np.ndarray:
    """Return the contacts, given by their body rows (m, 2), that involve a body (k,) int64, ascending."""
    found = np.empty(len(bodies), np.int64)
    return found[: rows_with(body, bodies, found)]


@kernel
def rows_with(body: int, bodies: IntTable, found: Ints):
    """Write the rows of `bodies` (m, 2) that name a body to `found`, with room for all (m,); return their number."""
    count = 0
    for row in range(len(bodies)):
        if bodies[row, CONTACT_BODY.A] == body or bodies[row, CONTACT_BODY.B] == body:
            found[count] = row
            count += 1
    return count
