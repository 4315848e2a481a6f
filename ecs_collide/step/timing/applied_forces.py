"""How long a push by `apply_force` lasts: it is there for a frame, whatever number of steps that makes.

A game that pushes in each frame means a force that acts all the time. So a push acts in all steps of the frame that it
is given for. Where a frame has no step, it waits for one that has; but what the game gives in the meantime stands in
its place, so that a pause or a picture between two steps does not gather a blow.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.validate import LARGEST

NO_ROWS = np.zeros(0, np.int64)
NEVER = -1


class Pushes:
    """The pushes of the frame that is under way."""

    def __init__(self, bodies: BodyColumns) -> None:
        self.empty_frames = 0
        """How many frames made no step."""
        self._bodies = bodies
        self._given_at = np.zeros(0, np.int64)
        """The time, in frames and steps, at which each row was last pushed."""
        self._rows, self._push = NO_ROWS, np.zeros((0, 3))
        """Who is pushed in all steps of this frame, and how."""

    def begin_frame(self, steps: int) -> None:
        """Take up a frame that makes so many steps."""
        self.empty_frames += steps == 0
        if steps > 1:
            bodies, high = self._bodies.arrays, self._bodies.rows.high
            self._rows = np.flatnonzero(bodies.push[:high].any(axis=1) & (bodies.kind[:high] == BodyKind.DYNAMIC))
            self._push = bodies.push[self._rows]

    def forget(self, rows: list[int]) -> None:
        """Bodies have gone: whoever gets these rows is not pushed for them."""
        if len(self._rows):
            stay = ~np.isin(self._rows, rows)
            self._rows, self._push = self._rows[stay], self._push[stay]

    def begin_step(self) -> None:
        """Before a further step of the frame, when the last one has used up what there was: push those again who are
        still there."""
        push, rows = self._bodies.arrays.push, self._rows
        push[rows] = np.clip(push[rows] + self._push, -LARGEST, LARGEST)

    def begin_push(self, row: int, now: int) -> None:
        """Before a body is pushed: forget what it was given before this time, if that still waits for a step."""
        if row >= len(self._given_at):
            more = np.full(len(self._bodies.arrays.kind) - len(self._given_at), NEVER, np.int64)
            self._given_at = np.concatenate((self._given_at, more))
        if self._given_at[row] != now:
            self._bodies.arrays.push[row] = 0.0
            self._given_at[row] = now
