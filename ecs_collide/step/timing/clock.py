"""From the time of frames to steps: with a fixed dt, as many as are due.

The time of a frame is added to what was left of the last one, and makes as many whole steps as it holds. What is left
is how far the picture is ahead of the last step, which interpolation shows. Where more than `max_steps` are due the
rest is dropped: the game goes slower than the clock, but a slow frame does not make the next one slower still.
"""

from __future__ import annotations

from ecs_collide.common.settings import Settings

ROUNDING = 1e-9
"""A step is due when so much of it is missing, as a fraction: frames of 0.1 s make five steps of 0.02 s."""


class Clock:
    """Knows how many steps are due."""

    def __init__(self, settings: Settings) -> None:
        self.time_scale = 1.0
        """Game time in a unit of the time that is passed; 0 is a pause."""
        self.due = 0
        """Steps of this frame that are still to be made."""
        self.ahead = 0.0
        """The time of frames that no step has been made of yet [s]."""
        self._fixed_dt = settings.fixed_dt
        self._max_steps = settings.max_steps

    def pass_frame(self, length: float | None) -> None:
        """Take in a frame of a length [s], or one that makes a step."""
        assert self._fixed_dt is not None, "without fixed_dt every frame is a step"
        self.ahead += self.time_scale * (self._fixed_dt if length is None else length)
        steps = int(min(self.ahead / self._fixed_dt + ROUNDING, 1e9))
        self.ahead = max(0.0, self.ahead - steps * self._fixed_dt) if steps < 1e9 else 0.0
        self.due = min(steps, self._max_steps)

    @property
    def fraction(self) -> float:
        """How much of the next step has passed, from 0 up to, but not including, 1; 1 without a fixed dt."""
        return 1.0 if self._fixed_dt is None else min(self.ahead / self._fixed_dt, 1.0 - ROUNDING)
