"""The stage of Response: a response moves the bodies, unless the step is a pause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ecs_collide.components.body_kind import STATIC
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.kernels.calls import Call, Input, LiveNumber
from ecs_collide.step.body_frames import BodyFrames
from ecs_collide.step.bookkeeping import OPEN_GATE, clear_marks, read_number, store_length
from ecs_collide.step.greatest_speeds import keep_greatest_speeds
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.plan import StepPoint
from ecs_collide.step.response_protocol import ContactResponse
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.step_state import StepState
from ecs_collide.step.sync.place_attached import place_attached
from ecs_collide.step.timing.interpolation import Interpolation


class ResponseStage:
    """Gates for teleports and pauses, the calls of the world's response, and copies of the poses for interpolation."""

    ends_list = False

    def __init__(
        self,
        state: StepState,
        bodies: BodyColumns,
        frames: BodyFrames,
        contact_finder: ContactFinder,
        response: ContactResponse,
        interpolation: Interpolation,
        sleepers: Sleepers,
    ) -> None:
        self._state = state
        self._bodies = bodies
        self._frames = frames
        self._contact_finder = contact_finder
        self._response = response
        self._interpolation = interpolation
        self._sleepers = sleepers
        self._gate_result = np.zeros(1, np.int64)

    def prepare(self) -> None:
        """Make room for the copies of poses and for the response."""
        self._interpolation.prepare()
        self._response.prepare()

    def inputs(self) -> Iterable[Input]:
        """Return the columns of the response, and whether the step is a pause."""
        return (
            (self._state, "is_pause"),
            (self._bodies, "has_speed_limits"),
            (self._bodies, "attached"),
            *self._interpolation.inputs(),
            *self._response.inputs(),
        )

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the gates, the calls of the response, and those that note where the bodies have come to."""
        yield StepPoint.TELEPORTS, Call(read_number, (self._bodies.teleported.count,), self._gate_result, most=0)
        if self._state.is_pause:
            yield StepPoint.PAUSE, Call(read_number, (OPEN_GATE,), self._gate_result, most=0)
        for call in self._speed_limits():
            yield StepPoint.SOLVE, call
        for call in self._interpolation.calls_before():
            yield StepPoint.SOLVE, call
        yield from self._response.calls()
        for call in self._speed_limits():
            yield StepPoint.MOVED, call
        attached = self._bodies.attached
        if len(attached.collider):
            yield StepPoint.MOVED, Call(place_attached, (attached, self._bodies.arrays))
        for call in self._interpolation.calls_after():
            yield StepPoint.MOVED, call
        moved = self._interpolation.moved
        if len(moved.marks):  # only a world with a fixed_dt keeps marks
            yield StepPoint.MOVED, Call(clear_marks, (moved.marked, moved.count, moved.marks))
        yield StepPoint.MOVED, Call(store_length, (LiveNumber(self._state.length), self._contact_finder.last_dt))

    def _speed_limits(self) -> Iterator[Call]:
        """Yield the call that limits speeds, if any body has a limit."""
        if self._bodies.has_speed_limits:
            yield Call(keep_greatest_speeds, (self._sleepers.awake_slice, self._bodies.arrays))

    def resume(self, point: StepPoint) -> StepPoint:
        """Renew the frames of bodies that a hook moved, skip the response in a pause, or resume the response."""
        if point is StepPoint.TELEPORTS:
            teleported = self._bodies.teleported
            rows = teleported.rows()
            self._frames.update(rows[self._bodies.arrays.kind[rows] != STATIC])
            return StepPoint.PAUSE
        if point is StepPoint.PAUSE:
            self._response.pause()
            return StepPoint.TOUCHES
        return self._response.resume(point)
