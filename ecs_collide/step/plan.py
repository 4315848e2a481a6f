"""The plan of a step: one list of kernel calls, run in slices, resumed in Python where a call reports work.

A step is five systems, and each system is one stage. A stage lists its calls, each at a `StepPoint`. All calls
together are one list. A slice runs from the first call of one system to the last call of that system or a later one. It
ends before the next processor of the game.

A call that reports stops its slice. The stage does the work in Python, and returns the point from which the step goes
on. Calls are prepared from the columns and other objects that stages name as their inputs. If one of these is another
object afterwards, the list is built anew. A list that is built while a gate is open may end there: the step reports at
the gate, and the work may replace columns that later calls are prepared from.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import chain
from time import perf_counter
from typing import Protocol

import numpy as np

from ecs_collide.kernels.calls import NOT_AT_FIRST, Call, CallList, Input, call_list
from ecs_collide.native.guards import has_same
from ecs_collide.step.step_state import StepState


class StepPoint(IntEnum):
    """A place in a step at which Python may have work."""

    DISTURBED = 0
    """Synchronise: the game wrote to bodies that sleep or are static."""
    FRAMES = 1
    """Frames of the bodies that move; a number may be out of range."""
    PAIRS = 2
    """Broadphase: more has changed than places of moving pieces."""
    SEAMS = 3
    """Outlines around moved static bodies have changed."""
    RENEWAL = 4
    """Boxes and pairs of the moving pieces; pairs may need more room."""
    MANIFOLDS = 5
    """Narrowphase: manifolds of the pairs."""
    REQUESTED_SLEEP = 6
    """The game puts bodies to sleep."""
    WAKES = 7
    """Sleeping bodies touched by others wake."""
    CONTACTS = 8
    """Contact rows."""
    TELEPORTS = 9
    """Response: a hook moved bodies since Synchronise."""
    PAUSE = 10
    """The step is too short to move anything."""
    SOLVE = 11
    """Velocities and poses of the bodies."""
    SWEEPS = 12
    """Fast bodies are stopped at what they would pass through."""
    SQUEEZE = 13
    """Squeezed bodies stay on their side of static ones."""
    MOVED = 14
    """All bodies are at their new places."""
    TOUCHES = 15
    """Notify: pairs that began and ceased to touch, and hits."""
    EVENTS = 16
    """Events to send, joints to break, `CollidingEntities` to fill."""
    REST = 17
    """Bodies may fall asleep."""
    END = 18
    """Counts of the completed step."""


SYNCHRONISE, BROADPHASE, NARROWPHASE, RESPONSE, NOTIFY = range(5)
"""Numbers of the systems."""

FIRST_POINTS = StepPoint.DISTURBED, StepPoint.PAIRS, StepPoint.MANIFOLDS, StepPoint.TELEPORTS, StepPoint.TOUCHES
"""The first point of each system."""

SYSTEM_OF = tuple([sum(point >= first for first in FIRST_POINTS) - 1 for point in StepPoint])
"""The system of each point."""


class Stage(Protocol):
    """The part of a step that one system runs."""

    @property
    def ends_list(self) -> bool:
        """True if the list may end with the calls of this stage, of which the first one is sure to report."""

    def prepare(self) -> None:
        """Reserve room and set gates."""

    def inputs(self) -> Iterable[Input]:
        """Return the attributes from which the calls are prepared; they are compared by identity.

        `calls` must not give another object to any of them, nor may a later stage.
        """

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls in order, each with its point. Points ascend."""

    def resume(self, point: StepPoint) -> StepPoint:
        """Do the work that a call at this point reported; return the point from which the step continues."""


class StepPlan:
    """The calls of a step as one list, and the place that the present step has reached in it."""

    def __init__(
        self, stages: Sequence[Stage], state: StepState, times: np.ndarray, steady_points: frozenset[StepPoint]
    ) -> None:
        self.at = np.zeros(1, np.int64)
        """The next call; ~k if call k has reported; 0 if no step is under way (1,)."""
        self.begins: tuple[int, ...] = (0,) * 5
        """The first call of each system."""
        self.stops: tuple[int, ...] = (0,) * 5
        """The call after the last one of each system."""
        self._stages = tuple(stages)
        self._state = state
        self._steady_points = steady_points
        """The points at which the work of Python replaces no column."""
        self._times = times
        """Start and end of each system [s] (5, 2)."""
        self._guards: Sequence[Callable[[], bool]] = ()
        """A guard of each stage, see `_make_guards`; none if the list has to be built again."""
        self._points: tuple[StepPoint, ...] = ()
        """The point of each call."""
        self._first: tuple[int, ...] = ()
        """The first call of each point, or of the next point that has calls."""
        self.run: CallList = lambda first, stop: NOT_AT_FIRST
        """Makes the calls from `first` to before `stop`, see `call_list`."""

    def renew(self) -> None:
        """Build the list anew if a stage is prepared from other objects now. A step that is under way is lost."""
        stages, is_current = self._prepare()
        if not is_current:
            self._guards = ()  # after Ctrl-C the list is built again, and so is a list that ends early
            self._build(stages)
            if len(stages) == len(self._stages):
                self._guards = self._make_guards()
        self._state.is_list_current = True

    def _prepare(self) -> tuple[Sequence[Stage], bool]:
        """Prepare the stages whose calls the list is to have; return them, and True if it has been built from them."""
        is_current, reached = len(self._guards) > 0, self._point
        for number, (stage, first) in enumerate(zip(self._stages, FIRST_POINTS, strict=True)):
            stage.prepare()
            is_current = is_current and self._guards[number]()
            if stage.ends_list and reached < first:
                return self._stages[: number + 1], is_current
        return self._stages, is_current

    def _make_guards(self) -> list[Callable[[], bool]]:
        """Return for each stage a function that returns True while its inputs that no stage before has are the same."""
        seen = set[Input]()
        guards = []
        for stage in self._stages:
            new = [each for each in stage.inputs() if each not in seen]
            seen.update(new)
            guards.append(has_same(new))
        return guards

    def _build(self, stages: Sequence[Stage]) -> None:
        """Build the list from the calls of stages."""
        self._points, calls = zip(*chain.from_iterable([stage.calls() for stage in stages]), strict=True)
        numbers = list(map(int, self._points))  # which are compared faster
        self._first = tuple([bisect_left(numbers, point) for point in range(len(StepPoint))])
        self.begins = tuple([self._first[point] for point in FIRST_POINTS])
        self.stops = (*self.begins[1:], len(calls))
        self.run = call_list(calls, self.at, self.begins, self._times)

    def resume(self, reported: int, end: int) -> None:
        """Do the work that a call has reported, and go on with the step to the end of the system `end`."""
        stop = NOT_AT_FIRST
        while reported != stop:
            point = self._points[reported]
            system = SYSTEM_OF[point]
            try:
                then = self._stages[system].resume(point)
            except BaseException:
                self.at[0] = 0
                self._state.is_list_current = False  # a part of the work may have been done
                raise
            if point < StepPoint.EVENTS:
                self._state.has_worked[0] = 1
                if point not in self._steady_points:
                    self.renew()
            if SYSTEM_OF[then] > system:
                self._times[system, 1] = perf_counter()
            first, stop = self._first[then], self.stops[end]
            if first >= stop:
                self.stop_at(stop)
                return
            self.at[0] = first
            reported = self.run(first, stop)

    def stop_at(self, call: int) -> None:
        """Have the step go on with a call, or be complete behind the last one."""
        self.at[0] = call if call < self.stops[NOTIFY] else 0

    @property
    def is_under_way(self) -> bool:
        """True between the first call of a step and its last one."""
        return self.at.item() != 0

    @property
    def _point(self) -> StepPoint:
        """The point of the call that is next or has reported; the first one if no step is under way."""
        at = self.at.item()
        return self._points[at if at >= 0 else ~at] if at else StepPoint.DISTURBED

    @property
    def system(self) -> int:
        """The number of the system that is to run next, or that has work left, in the step under way."""
        at = self.at.item()
        call = at if at >= 0 else ~at
        return next(system for system, stop in enumerate(self.stops) if call < stop)
