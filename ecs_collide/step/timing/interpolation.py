"""Poses between the last two steps, for pictures that are taken between steps.

A picture shows where a body was on the way of the last step: as far on it as the clock is ahead of that step. Nothing
is foreseen, so nothing is shown where it never was. What is not where the step left it was put elsewhere since, by
whatever means, and is shown where it is.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.bodies import BodyColumns


class Interpolation:
    """The poses of all bodies before and after the last step."""

    def __init__(self, bodies: BodyColumns, is_on: bool) -> None:
        self._bodies = bodies
        self._is_on = is_on
        """Whether there are pictures between steps."""
        self._before = self._after = self._begun = np.zeros((0, 3))

    def begin(self) -> None:
        """Note where the bodies are before they move."""
        if self._is_on:
            self._begun = self._bodies.arrays.pose[: self._bodies.rows.high].copy()

    def end(self) -> None:
        """Note where they came to."""
        if self._is_on:
            self._before = self._begun
            self._after = self._bodies.arrays.pose[: self._bodies.rows.high].copy()

    def forget(self, rows: list[int]) -> None:
        """Bodies have gone: whoever gets these rows was not where they were."""
        known = len(self._after)
        self._after[[row for row in rows if row < known]] = np.nan

    def poses(self, fraction: float) -> np.ndarray:
        """The poses to show, that part of the last step's way from its start [m, m, rad] (n, 3)."""
        high = self._bodies.rows.high
        shown = self._bodies.arrays.pose[:high].copy()
        known = min(high, len(self._after), len(self._before))
        now, before = shown[:known], self._before[:known]
        moved = (now == self._after[:known]).all(axis=1)
        now[moved] = before[moved] + fraction * (now[moved] - before[moved])
        return shown

    def pose(self, row: int, fraction: float) -> tuple[float, float, float]:
        """One of these poses, whose cost does not grow with the world."""
        now = x, y, angle = tuple(self._bodies.arrays.pose[row].tolist())
        if row >= min(len(self._after), len(self._before)) or tuple(self._after[row].tolist()) != now:
            return now
        old_x, old_y, old_angle = self._before[row].tolist()
        return (
            old_x + fraction * (x - old_x),
            old_y + fraction * (y - old_y),
            old_angle + fraction * (angle - old_angle),
        )
