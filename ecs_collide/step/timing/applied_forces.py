"""AppliedForces by `apply_force`, which last for a frame, whatever number of steps the frame has.

A game that pushes in each frame means a force that acts all the time. So a push acts in all steps of its frame. If a
frame has no step, the push waits for a frame that has one. A newer push then replaces it, so that a pause does not
accumulate pushes. A push that is given within a frame, as by a handler, acts in one step, so that the length of frames
makes no difference.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.state_list import list_state
from ecs_collide.validate import LARGEST

NO_ROWS = np.zeros(0, np.int64)
NEVER = -1


class AppliedForces:
    """AppliedForces of the frame under way."""

    state_list = list_state(values="empty_frames _rows _push", arrays="_given_at", contents="_of_step")

    def __init__(self, bodies: BodyColumns) -> None:
        self.empty_frames = 0
        """Number of frames without a step."""
        self._bodies = bodies
        self._given_at = np.zeros(0, np.int64)
        """Time of the last push of each row, in frames and steps."""
        self._of_step: set[int] = set()
        """Rows whose push was given within a frame, and acts in the next step only."""
        self._rows, self._push = NO_ROWS, np.zeros((0, 3))
        """Rows that are pushed in all steps of this frame, and their pushes [N, N, N m] (k, 3)."""

    def begin_frame(self, steps: int) -> None:
        """Begin a frame with a number of steps."""
        self.empty_frames += steps == 0
        if steps > 1:
            bodies, high = self._bodies.arrays, self._bodies.rows.high
            lasts = bodies.push[:high].any(axis=1) & (bodies.kind[:high] == BodyKind.DYNAMIC)
            lasts[list(self._of_step)] = False
            self._rows = np.flatnonzero(lasts)
            self._push = bodies.push[self._rows]
        if steps > 0:
            self._of_step.clear()

    def forget(self, rows: list[int]) -> None:
        """Clear the pushes of removed bodies, whose rows other bodies may get."""
        self._of_step.difference_update(rows)
        if len(self._rows):
            stay = ~np.isin(self._rows, rows)
            self._rows, self._push = self._rows[stay], self._push[stay]

    def begin_step(self) -> None:
        """Push the bodies again before a further step of the frame, as each step clears the pushes."""
        push, rows = self._bodies.arrays.push, self._rows
        push[rows] = np.clip(push[rows] + self._push, -LARGEST, LARGEST)

    def begin_push(self, row: int, now: int, is_of_step: bool) -> None:
        """Clear an older push of a body that still waits for a step. Call it before the body is pushed.

        A push that `is_of_step` acts in one step, unless the body gets a push for the frame at the same time.
        """
        if row >= len(self._given_at):
            more = np.full(len(self._bodies.arrays.kind) - len(self._given_at), NEVER, np.int64)
            self._given_at = np.concatenate((self._given_at, more))
        if self._given_at[row] != now:
            self._bodies.arrays.push[row] = 0.0
            self._given_at[row] = now
            self._of_step.add(row)
        if not is_of_step:
            self._of_step.discard(row)
