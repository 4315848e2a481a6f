"""Number of steps of a frame with a fixed dt.

The time of a frame is added to the rest of the last one, and makes as many whole steps as it holds. The new rest is the
time by which the picture is ahead of the last step, which interpolation shows. If more than `max_steps` are due, the
others are dropped. The game then runs slower than the clock, but a slow frame does not make the next one even slower.
"""

from __future__ import annotations

from ecs_collide.common.settings import Settings
from ecs_collide.data.state_list import list_state

ROUNDING = 1e-9
"""Fraction of a step that may be missing when it is due, so that frames of 0.1 s make five steps of 0.02 s."""


class Clock:
    """Clock of a world with a fixed dt."""

    state_list = list_state(values="time_scale due ahead late_frames", left_out="_fixed_dt _max_steps")

    def __init__(self, settings: Settings) -> None:
        self.time_scale = 1.0
        """Game time in a unit of frame time; 0 is a pause."""
        self.due = 0
        """Number of steps of this frame that are still to be made."""
        self.ahead = 0.0
        """Frame time that no step has used yet [s]."""
        self.late_frames = 0
        """Number of successive frames, up to this one, in which steps were dropped."""
        self._fixed_dt = settings.fixed_dt
        self._max_steps = settings.max_steps

    def advance_frame(self, length: float | None) -> None:
        """Add a frame of a length [s]; None: of one step."""
        assert self._fixed_dt is not None, "without fixed_dt every frame is a step"
        self.ahead += self.time_scale * (self._fixed_dt if length is None else length)
        steps = int(min(self.ahead / self._fixed_dt + ROUNDING, 1e9))
        self.ahead = max(0.0, self.ahead - steps * self._fixed_dt) if steps < 1e9 else 0.0
        self.due = min(steps, self._max_steps)
        self.late_frames = self.late_frames + 1 if steps > self.due else 0

    @property
    def fraction(self) -> float:
        """Fraction of the next step that has passed, at least 0 and less than 1; 1 without a fixed dt."""
        return 1.0 if self._fixed_dt is None else min(self.ahead / self._fixed_dt, 1.0 - ROUNDING)
