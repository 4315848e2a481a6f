"""Bodies of a change beside the numbers of their components."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.step.sync.body_definition import Body


class BodyTable(NamedTuple):
    """Bodies that will be added or changed, and the numbers of their components, a row for each body."""

    bodies: list[Body]
    integers: np.ndarray
    """Columns of `INTEGERS` (n, ...) int64."""
    numbers: np.ndarray
    """Columns of `NUMBERS` (n, ...)."""

    def where(self, is_kept: np.ndarray) -> BodyTable:
        """Return the table of some of the bodies, given as a mask (n,) bool."""
        bodies = [body for body, keep in zip(self.bodies, is_kept.tolist(), strict=True) if keep]
        return BodyTable(bodies, self.integers[is_kept], self.numbers[is_kept])
