"""Pairs that fast bodies may reach within the step to come, for hooks of a game.

A sweep stops a body before the broadphase has its pair with the obstacle, so a hook would never see it. These pairs are
found when a hook reads the pairs or contacts of the step. They have columns of their own. The solver does not read
them, so hooks do not change how bodies move; the sweeps leave out those that a hook disables.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import ENDED, FOUND, PAIR, SIDES, PairColumns, Pairs
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.broadphase.pair_update_arrays import Exchange
from ecs_collide.step.continuous.find_reachable import (
    find_pairs_without_contact,
    find_reachable_pairs,
    new_predictions,
    predict_motions,
    store_reachable_pairs,
)
from ecs_collide.step.continuous.reachable_manifolds import write_reachable_manifolds
from ecs_collide.step.continuous.sweep_scratch import SweepScratch
from ecs_collide.step.narrowphase.collect_contacts import collect_contacts
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE, kind_rows

NO_PAIRS, NO_PREDICTIONS, NO_FOUND = (
    PairColumns(len(PAIR_TABLE), 0),
    new_predictions(0),
    np.zeros((0, FOUND.WIDTH), np.int64),
)
"""Columns without room, which all worlds share."""


class ReachablePairs:
    """Owns the pairs that are found for the hooks of one step, and appends their contacts to those of the step."""

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        pairs: PairColumns,
        finder: PairFinder,
        contact_finder: ContactFinder,
        slop: float,
    ) -> None:
        self.columns = NO_PAIRS
        """The pairs; the hook may disable them. They are made for the first hook that reads pairs or contacts."""
        self.contact_count = 0
        """Number of their contacts, in the rows behind those of the step."""
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._finder = finder
        self._contact_finder = contact_finder
        self._slop = slop
        self.is_found = self._has_contacts = False
        """True if the pairs, or their contacts, were found in this step."""
        self._found = NO_FOUND
        self._predictions = NO_PREDICTIONS

    @property
    def arrays(self) -> Pairs:
        """The columns of the pairs."""
        return self.columns.arrays

    def clear(self) -> None:
        """Forget the pairs of an earlier step."""
        if self.is_found:
            arrays = self.columns.arrays
            slots = arrays.order[: arrays.row_start.item(-1)]
            arrays.index[slots, PAIR.ROW] = of_pair.FREE
            arrays.sides[SIDES.SECOND, slots] = arrays.sides[SIDES.FIRST, slots]
            arrays.awake[slots] = False
            arrays.used.fill(0)
            arrays.row_start.fill(0)
            arrays.in_use[0] = 0
            self.columns.enable_all()
            self.is_found = self._has_contacts = False
            self.contact_count = 0

    def find(
        self,
        awake: np.ndarray,
        trees: np.ndarray,
        gravity: tuple[float, float],
        dt: float,
        kinematic_limit: float,
        stop_at_moving: bool,
        scratch: SweepScratch,
    ) -> None:
        """Find the pairs of a step of dt [s], unless they were found already, with the sweeps' `scratch` space.

        `trees` are the joint trees of the bodies. A kinematic body is fast if it moves by more than `kinematic_limit`
        [m].
        """
        if self.is_found:
            return
        self.is_found = True
        if self.columns is NO_PAIRS:
            self.columns = PairColumns(len(PAIR_TABLE))
        bodies, pieces, count = self._bodies.arrays, self._pieces.arrays, len(self._bodies.arrays.kind)
        self._predictions = predictions = new_predictions(count)
        farthest = predict_motions(
            awake,
            bodies,
            self._bodies.span,
            self._pairs.arrays,
            trees,
            gravity,
            dt,
            self._slop,
            kinematic_limit,
            predictions,
        )
        while True:
            search = self._finder.search.arrays._replace(found=self._found)
            found_count = find_reachable_pairs(
                self._finder.movers.arrays,
                bodies,
                pieces,
                search,
                predictions,
                farthest,
                stop_at_moving,
                scratch.nearby,
            )
            if found_count <= len(self._found):
                break
            self._found = np.zeros((next_capacity(len(self._found), found_count), FOUND.WIDTH), np.int64)
        self._store(found_count)

    def _store(self, count: int) -> None:
        """Store the first `count` found pairs."""
        columns = self.columns
        columns.reserve(count)
        exchange = Exchange(
            pairs=columns.arrays,
            free_slots=columns.free_slots,
            kind_row=kind_rows(),
            lost=np.zeros((0, ENDED.WIDTH), np.int64),
            lost_count=np.zeros(1, np.int64),
        )
        store_reachable_pairs(self._found, count, exchange, self._bodies.arrays, self._pieces.arrays)

    def add_contacts(self, scratch: SweepScratch) -> None:
        """Append the contacts of the pairs that were found to those of the step, unless that was done already.

        Pairs of the broadphase that have no contact yet, since their gap is too wide, get one here too.
        """
        if self._has_contacts:
            return
        self._has_contacts = True
        live = self._pairs.awake_count
        if live > len(self._found):
            self._found = np.zeros((next_capacity(len(self._found), live), FOUND.WIDTH), np.int64)
        self._store(find_pairs_without_contact(self._pairs.arrays, self._bodies.arrays, self._predictions, self._found))
        arrays = self.columns.arrays
        slots, first = self.columns.live, self._contact_finder.count
        if len(slots) == 0:
            return
        bodies, pieces = self._bodies.arrays, self._pieces.arrays
        self._contact_finder.reserve_contacts(len(slots))
        contacts = self._contact_finder.contacts
        write_reachable_manifolds(bodies, pieces, arrays, self._predictions, scratch, self._slop)
        stop = collect_contacts(slots, first, bodies, pieces, arrays, contacts, self._contact_finder.details)
        for column in (contacts.normal_impulse, contacts.tangent_impulse, contacts.approach_speed):
            column[first:stop] = 0.0
        self.contact_count = stop - first
