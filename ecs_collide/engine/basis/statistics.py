"""Counts and times of the last step."""

from __future__ import annotations

from dataclasses import dataclass, field


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
    passed: tuple[tuple[str, ...], tuple[float, ...]] | None = field(default=None, repr=False)
    """The systems of a step that was made at once, and when it began and each of them was done [s]."""
    _milliseconds: dict[str, float] = field(default_factory=dict, repr=False)

    @property
    def milliseconds(self) -> dict[str, float]:
        """Time of each system, by its name."""
        if self.passed is not None:
            names, times = self.passed
            for name, start, stop in zip(names, times, times[1:], strict=False):
                self._milliseconds[name] = 1e3 * (stop - start)
            self.passed = None
        return self._milliseconds

    @property
    def awake_bodies(self) -> int:
        """Bodies that a step moves."""
        return self.moving_bodies - self.sleeping_bodies
