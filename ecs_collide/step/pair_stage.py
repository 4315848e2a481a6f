"""The stage of Broadphase: the candidate pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.kernels.calls import Call
from ecs_collide.step.bookkeeping import read_number
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.broadphase.update_pairs import NOTHING_LEFT
from ecs_collide.step.changes import Changes
from ecs_collide.step.narrowphase.contact_finder import FIRST_WELDED, ContactFinder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.step.notify.contact_events import ContactEvents
from ecs_collide.step.plan import StepPoint


class PairStage:
    """Renews boxes and pairs: in one call if only places of moving pieces have changed, else in Python."""

    def __init__(
        self, pair_finder: PairFinder, contact_finder: ContactFinder, changes: Changes, contact_events: ContactEvents
    ) -> None:
        self._pair_finder = pair_finder
        self._contact_finder = contact_finder
        self._changes = changes
        self._contact_events = contact_events
        self._gate, self._gate_result = np.zeros((2, 1), np.int64)

    def prepare(self) -> tuple[object, ...]:
        """Open the gate if more than places of moving pieces has changed; return the columns."""
        finder = self._pair_finder
        self._gate[0] = len(self._changes.touched_statics) > 0 or not finder.only_movers_changed()
        return *finder.columns, self._contact_finder.is_welding

    def calls(self) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the gate and the call of the usual update."""
        yield StepPoint.PAIRS, Call(read_number, (self._gate,), self._gate_result, most=0)
        stop_row = len(PAIR_TABLE) if self._contact_finder.is_welding else FIRST_WELDED
        renewal = self._pair_finder.renewal(stop_row, self._contact_events.has_listeners)
        yield StepPoint.RENEWAL, renewal._replace(most=NOTHING_LEFT)

    def resume(self, point: StepPoint) -> StepPoint:
        """Update the pairs in Python, or finish the usual update."""
        if point is StepPoint.PAIRS:
            has_changed = self._pair_finder.update(self._changes.pop_moved_statics())
            self._contact_finder.update_welding()
        else:
            has_changed = self._pair_finder.finish_renewal()
        if has_changed:
            self._contact_finder.regroup()
        return StepPoint.MANIFOLDS
