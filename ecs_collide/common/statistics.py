"""Counts and times of the last step."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from ecs_collide.data.field_docs import document_fields
from ecs_collide.data.state_list import list_state

STAGES = "Synchronise", "Broadphase", "Narrowphase", "Response", "Notify"

STEPS, BODIES, MOVING_BODIES, SLEEPING_BODIES, PAIRS, CONTACTS, STOPPED_BODIES, IMPACTS, EVENT_CAP_HITS = range(9)
"""Index of each count in `counts`."""


class Count:
    """Attribute that reads and writes one of the counts."""

    def __init__(self, place: int) -> None:
        self._place = place

    @overload
    def __get__(self, statistics: None, owner: type) -> Count: ...
    @overload
    def __get__(self, statistics: Statistics, owner: type) -> int: ...
    def __get__(self, statistics: Any, owner: type) -> Any:
        return self if statistics is None else statistics.counts.item(self._place)

    def __set__(self, statistics: Statistics, value: int) -> None:
        statistics.counts[self._place] = value


@document_fields
class Statistics:
    """Counts and times of the last step."""

    state_list = list_state(arrays="counts", left_out="times _recorded")

    __slots__ = ("_recorded", "counts", "times")

    steps = Count(STEPS)
    """Number of steps since `install`."""
    bodies = Count(BODIES)
    """Number of bodies."""
    moving_bodies = Count(MOVING_BODIES)
    """Number of bodies that are not static."""
    sleeping_bodies = Count(SLEEPING_BODIES)
    """Number of moving bodies that are asleep."""
    pairs = Count(PAIRS)
    """Number of pairs whose fat boxes overlap and of which a body is awake."""
    contacts = Count(CONTACTS)
    """Number of contacts of which a body is awake."""
    stopped_bodies = Count(STOPPED_BODIES)
    """Number of fast bodies that were stopped where they touched another one on their path."""
    impacts = Count(IMPACTS)
    """Number of impacts that the exact response processed."""
    event_cap_hits = Count(EVENT_CAP_HITS)
    """Number of circles whose impacts in a step exceeded the limit of the exact response and lost all energy."""

    counts: np.ndarray
    """All counts, where kernels can write to them (9,)."""
    times: np.ndarray
    """Time at which each system began, if it was the first one of a slice, and at which it was done [s] (5, 2)."""

    def __init__(self) -> None:
        self.counts = np.zeros(EVENT_CAP_HITS + 1, np.int64)
        self.times = np.zeros((len(STAGES), 2))
        self._recorded: dict[str, float] = {}
        """Milliseconds of the systems that a game has derived or added."""

    def __repr__(self) -> str:
        names = [name for name, value in vars(Statistics).items() if isinstance(value, Count)]
        return f"Statistics({', '.join(f'{name}={getattr(self, name)}' for name in names)})"

    @property
    def milliseconds(self) -> dict[str, float]:
        """Time of each system by its name [ms]."""
        found, earlier = {}, 0.0
        for name, (begun, done) in zip(STAGES, self.times.tolist(), strict=True):
            if done > 0.0:
                found[name] = 1e3 * (done - max(begun, earlier))
            earlier = done
        return found | self._recorded

    def record(self, name: str, seconds: float) -> None:
        """Record the time of a system that is not one of the five."""
        self._recorded[name] = 1e3 * seconds

    @property
    def awake_bodies(self) -> int:
        """Number of bodies that a step moves."""
        return self.moving_bodies - self.sleeping_bodies
