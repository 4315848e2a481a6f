"""The stage of Broadphase: the candidate pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ecs_collide.data.bodies import BodyColumns
from ecs_collide.kernels.calls import Call, Input, LiveNumber
from ecs_collide.step.body_frames import BodyFrames
from ecs_collide.step.bookkeeping import clear_marks, read_number
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.notify.contact_events import ContactEvents
from ecs_collide.step.plan import StepPoint
from ecs_collide.step.step_state import StepState


class PairStage:
    """Renews boxes and pairs: in kernels if only places of pieces have changed, else in Python."""

    def __init__(
        self,
        state: StepState,
        bodies: BodyColumns,
        pair_finder: PairFinder,
        contact_finder: ContactFinder,
        frames: BodyFrames,
        contact_events: ContactEvents,
    ) -> None:
        self._state = state
        self._bodies = bodies
        self._pair_finder = pair_finder
        self._contact_finder = contact_finder
        self._frames = frames
        self._contact_events = contact_events
        self._gate, self._gate_result = np.zeros((2, 1), np.int64)

    def prepare(self) -> None:
        """Make room, and open the gate if more than places of moving pieces has changed."""
        finder = self._pair_finder
        self._gate[0] = self._frames.has_unplaced_statics or not finder.only_movers_changed()
        finder.prepare()

    def inputs(self) -> Iterable[Input]:
        """Return the columns, and the rows of the pair table in use."""
        return (
            *self._pair_finder.inputs(),
            (self._state, "settings"),
            (self._bodies.moved_statics, "marks"),
            (self._contact_finder, "used_rows"),
        )

    @property
    def ends_list(self) -> bool:
        """True if the gate is open."""
        return self._gate.item() > 0

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the gate, the calls that place moved static pieces, and the call of the usual update."""
        yield StepPoint.PAIRS, Call(read_number, (self._gate,), self._gate_result, most=0)
        if self.ends_list:
            return
        yield StepPoint.PAIRS, self._pair_finder.relocation_call()
        for call in self._pair_finder.seam_calls():
            yield StepPoint.SEAMS, call
        update = self._pair_finder.update_call(
            LiveNumber(self._state.look_ahead), self._contact_finder.used_rows, self._contact_events.listeners
        )
        yield StepPoint.RENEWAL, update
        moved = self._bodies.moved_statics
        yield StepPoint.RENEWAL, Call(clear_marks, (moved.marked, moved.count, moved.marks))

    def resume(self, point: StepPoint) -> StepPoint:
        """Update the pairs in Python, renew the seams around moved static bodies, or finish the usual update."""
        if point is StepPoint.SEAMS:
            if self._pair_finder.finish_seams():
                self._contact_finder.regroup()
            return StepPoint.RENEWAL
        statics = self._frames.pop_moved_statics()
        if point is StepPoint.PAIRS:
            has_changed = self._pair_finder.update(statics, self._state.look_ahead.item())
            self._contact_finder.update_welding()
        else:
            has_changed = self._pair_finder.finish_update(statics)
        self._pair_finder.relocated.add(statics)
        if has_changed:
            self._contact_finder.regroup()
        return StepPoint.MANIFOLDS
