"""Counts and times of the last step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

STAGES = "Synchronise", "Broadphase", "Narrowphase", "Response", "Notify"


@dataclass(slots=True)
class Statistics:
    """What the last step had to do."""

    steps: int = 0
    """Steps since `install`."""
    bodies: int = 0
    moving_bodies: int = 0
    """Those of them that are not static."""
    sleeping_bodies: int = 0
    """Those of the moving ones that are asleep."""
    pairs: int = 0
    """Pairs whose fat boxes overlap, without those of which no body is awake."""
    contacts: int = 0
    stopped_bodies: int = 0
    """Fast bodies that were stopped where they touched something on their way."""
    impacts: int = 0
    """Impacts that the exact response processed."""
    event_cap_hits: int = 0
    """Circles that reached the exact response's cap of impacts in the step: their further ones gave nothing back."""
    times: np.ndarray = field(default_factory=lambda: np.zeros(len(STAGES) + 1), repr=False)
    """When a step that was made in one go began, and when each of its stages was done [s] (6,)."""
    are_passed: bool = field(default=False, repr=False)
    """Whether these are of the last step, and nobody has asked for `milliseconds` since."""
    _milliseconds: dict[str, float] = field(default_factory=dict, repr=False)

    @property
    def milliseconds(self) -> dict[str, float]:
        """Time of each system, by its name."""
        if self.are_passed:
            self._milliseconds.update(zip(STAGES, (1e3 * np.diff(self.times)).tolist(), strict=True))
            self.are_passed = False
        return self._milliseconds

    @property
    def awake_bodies(self) -> int:
        """Bodies that a step moves."""
        return self.moving_bodies - self.sleeping_bodies
