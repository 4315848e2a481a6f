"""The stage of Synchronise: what the game wrote, and the frames of the bodies that move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ecs_collide.data.bodies import BodyColumns
from ecs_collide.kernels.calls import Call, Input, LiveSlice
from ecs_collide.step.body_frames import BodyFrames
from ecs_collide.step.bookkeeping import clear_marks
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.changes import Changes
from ecs_collide.step.plan import StepPoint
from ecs_collide.step.sleep.sleepers import Sleepers
from ecs_collide.step.sync.place_attached import place_attached

NO_BAD_ROW = -1


class SyncStage:
    """Applies the numbers that the game wrote to awake bodies; `Changes` applies all other changes in Python."""

    ends_list = False

    def __init__(self, bodies: BodyColumns, sleepers: Sleepers, changes: Changes, frames: BodyFrames) -> None:
        self._bodies = bodies
        self._sleepers = sleepers
        self._changes = changes
        self._frames = frames
        self._disturbed_count, self._bad_row, self._zero = np.zeros((3, 1), np.int64)

    def prepare(self) -> None:
        """List the bodies that move."""
        self._sleepers.list_awake()

    def inputs(self) -> Iterable[Input]:
        """Return the columns of the bodies, and the lists of those that move and of those that stand still."""
        bodies, sleepers = self._bodies, self._sleepers
        return (
            (bodies, "arrays"),
            (bodies, "attached"),
            (bodies.teleported, "marks"),
            (bodies.written, "marks"),
            (sleepers, "parked_kinematic"),
            (sleepers, "awake_slice"),
        )

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls that sort the written rows, then those that renew the frames."""
        teleported = self._bodies.teleported
        for call in self._sleepers.disturbance_calls(self._disturbed_count):
            yield StepPoint.DISTURBED, call
        moved = self._bodies.moved_statics
        statics = LiveSlice(moved.marked, self._zero, moved.count), self._bodies.arrays
        yield StepPoint.FRAMES, Call(update_frames, statics, self._bad_row, most=NO_BAD_ROW)
        frames = self._sleepers.awake_slice, self._bodies.arrays
        yield StepPoint.FRAMES, Call(update_frames, frames, self._bad_row, most=NO_BAD_ROW)
        attached = self._bodies.attached
        if len(attached.collider):
            yield StepPoint.FRAMES, Call(place_attached, (attached, self._bodies.arrays))
        yield StepPoint.FRAMES, Call(clear_marks, (teleported.marked, teleported.count, teleported.marks))

    def resume(self, point: StepPoint) -> StepPoint:
        """Wake what was disturbed. Raise PhysicsError for a number out of range; the step is then not made."""
        if point is StepPoint.DISTURBED:
            self._changes.carry_out(self._changes.plan())
            return StepPoint.FRAMES
        raise self._frames.bad_number(self._bad_row.item())
