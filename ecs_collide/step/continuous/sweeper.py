"""Continuous collision of a step: the calls of the sweeps, and their work in Python."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.common.look_ahead import FAST
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import BOX, PIECE, PieceColumns
from ecs_collide.data.row_lists import StableRows, each_once
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input, LiveNumber, LiveSlice
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import lane_array
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.continuous.body_motions import (
    COUNTS,
    STOP,
    BodyMotions,
    find_least_core,
    mark_fast,
    mark_kinematic,
    new_motions,
    stop_bodies,
)
from ecs_collide.step.continuous.pushed_bodies import shorten_pushes
from ecs_collide.step.continuous.reachable_pairs import ReachablePairs
from ecs_collide.step.continuous.squeeze import START, keep_squeezed_outside
from ecs_collide.step.continuous.sweep import filter_crossed
from ecs_collide.step.continuous.sweep_fast import ALL_STOPPED, TO_RESERVE, SweepNeighbours, sweep_fast
from ecs_collide.step.continuous.sweep_scratch import CROSSED, PIECES, SweepScene, new_scratch
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.plan import StepPoint

NO_ROWS = np.zeros(0, np.int64)

SWEPT = layout(
    "results of a sweep",
    LEFT="work that is left",
    STOPPED="number of bodies stopped",
    CANDIDATES="number of candidates",
    BULLETS="number of bullet pairs",
    CROSSED="number of crossed pairs",
    DISABLED="number of disabled pairs",
)

TABLES = {
    "candidates": SWEPT.CANDIDATES,
    "bullets": SWEPT.BULLETS,
    "crossed": SWEPT.CROSSED,
    "disabled": SWEPT.DISABLED,
}
"""Tables of the scratch space that `sweep_fast` fills, and the results that say how many rows each needs."""


class Sweeper:
    """Stage that stops fast bodies before they pass through anything."""

    state_list = list_state(
        values="has_kinematic _has_obstacles",
        arrays="_kinematic_limit",
        contents="crossed",
        objects="_kinematic",
        renewed={"_piece_version": -1},
        left_out="reachable _motions _scratch _squeezed _starts _swept stopped trees _slop",
    )

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        pairs: PairColumns,
        finder: PairFinder,
        contact_finder: ContactFinder,
        slop: float,
    ) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._pairs = pairs
        self._finder = finder
        self._contact_finder = contact_finder
        self._slop = slop
        self.reachable = ReachablePairs(bodies, pieces, pairs, finder, contact_finder, slop)
        """Pairs that fast bodies may reach in this step, if a hook reads pairs or contacts."""
        self._motions: BodyMotions | None = None
        self._scratch = new_scratch()
        self._kinematic = StableRows()
        """Kinematic bodies whose collider is bounded."""
        self.has_kinematic = False
        """True if there are any such bodies."""
        self._kinematic_limit = np.zeros(1)
        """Movement in a step above which a kinematic body is fast: it may pass over a dynamic body [m] (1,)."""
        self._has_obstacles = False
        """True if any piece is static or unbounded."""
        self._piece_version = -1
        """Version of the finder's pieces that the values above were computed from."""
        self._squeezed = np.zeros(0, np.bool_)
        """Scratch space of `keep_squeezed_outside`."""
        self._starts = np.zeros((0, START.WIDTH))
        """Scratch space of `keep_squeezed_outside`."""
        self._swept = np.zeros(SWEPT.WIDTH, np.int64)
        """Results of `sweep_fast`, see SWEPT."""
        self.stopped = self._swept[SWEPT.STOPPED : SWEPT.STOPPED + 1]
        """Number of bodies that were stopped (1,) int64."""
        self.trees = NO_ROWS
        """Joint tree of each body row, -1 if it is in none; empty if there are no trees (n,) int64."""
        self.crossed: list[tuple[int, int]] = []
        """Pairs of entities that crossed within a step, the sensor's listener first, until Notify takes them."""

    def find_reachable(self, awake: np.ndarray, trees: np.ndarray, gravity: tuple[float, float], dt: float) -> None:
        """Find the pairs that the `awake` bodies may reach in a step of dt [s], before it is solved."""
        if self.has_targets():
            self.reachable.find(
                awake, trees, gravity, dt, self._kinematic_limit.item(), self._stop_at_moving, self._scratch
            )

    def add_reachable_contacts(self) -> None:
        """Append the contacts of these pairs to those of the step."""
        self.reachable.add_contacts(self._scratch)

    def has_targets(self) -> bool:
        """Return True if there is anything that a fast body could pass through."""
        self._read_pieces()
        return self._has_obstacles or self._stop_at_moving

    @property
    def _stop_at_moving(self) -> bool:
        """True if any body that can move, awake or not, stops fast ones."""
        return self.has_kinematic or self._bodies.has_bullets

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which the calls are prepared, beside the bodies, the contacts and the motions."""
        return (
            (self, "has_kinematic"),
            (self._bodies, "has_bullets"),
            (self._kinematic, "live"),
            (self, "_scratch"),
            (self.reachable, "arrays"),
            *self._finder.places(),
        )

    def calls(
        self, awake: LiveSlice, motions: BodyMotions, trees: np.ndarray, gravity: tuple[float, float], dt: LiveNumber
    ) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls that stop fast bodies before they pass through anything, and those for squeezed bodies.

        `awake` are the rows of the bodies that move in the step.
        """
        bodies, span = self._bodies.arrays, self._bodies.span
        scene, finder = self._scene(motions, trees), self._contact_finder
        yield StepPoint.SOLVE, Call(mark_fast, (awake, bodies, motions, span, self._slop))
        if self.has_kinematic:
            kinematic = self._kinematic.live, LiveNumber(self._kinematic_limit), bodies, motions, span
            yield StepPoint.SOLVE, Call(mark_kinematic, kinematic)
        movers = self._finder.movers.arrays
        neighbours = SweepNeighbours(
            search=self._finder.search.arrays,
            pairs=self._pairs.arrays,
            reachable=self.reachable.arrays,
            contacts=finder.contacts,
            movers=movers.rows,
            owners=movers.bodies,
        )
        sweep = (
            scene,
            neighbours,
            LiveNumber(movers.in_use),
            LiveNumber(finder.counts[1:]),
            int(self.has_kinematic),
            int(self._bodies.has_bullets),
            int(self._bodies.has_one_way),
            LiveNumber(self._pairs.some_disabled),
            gravity,
            dt,
        )
        yield StepPoint.SWEEPS, Call(sweep_fast, sweep, self._swept, most=ALL_STOPPED)
        if self.has_kinematic:
            self._reserve_squeeze()
            squeeze = finder.contacts, LiveNumber(finder.counts[1:]), scene, self._squeezed, self._starts
            yield StepPoint.SQUEEZE, Call(keep_squeezed_outside, squeeze)

    def resume(self, motions: BodyMotions, gravity: tuple[float, float], dt: float) -> StepPoint:
        """Make room for the pairs that the call of the sweeps has found, or stop the bodies; return the next point."""
        if self._swept[SWEPT.LEFT] == TO_RESERVE:
            self._reserve()
            return StepPoint.SWEEPS
        self._apply_stops(motions, gravity, dt)
        return StepPoint.SQUEEZE

    def _scene(self, motions: BodyMotions, trees: np.ndarray) -> SweepScene:
        """Return the scene of the sweeps over the present columns."""
        return SweepScene(
            bodies=self._bodies.arrays,
            pieces=self._pieces.arrays,
            span=self._bodies.span,
            motions=motions,
            scratch=self._scratch,
            trees=trees,
            slop=self._slop,
        )

    def _reserve(self) -> None:
        """Make room for the pairs that were found."""
        scratch = self._scratch
        for name, result in TABLES.items():
            table, count = getattr(scratch, name), int(self._swept[result])
            if count > len(table):
                room = np.zeros((next_capacity(len(table), count), table.shape[1]), np.int64)
                scratch = scratch._replace(**{name: room})
        self._scratch = scratch

    def _reserve_squeeze(self) -> None:
        """Make room for all bodies in the scratch space of `keep_squeezed_outside`."""
        count = len(self._bodies.arrays.kind)
        if len(self._squeezed) < count:
            self._squeezed = np.zeros(count, np.bool_)
            self._starts = np.zeros((count, START.WIDTH))

    def _apply_stops(self, motions: BodyMotions, gravity: tuple[float, float], dt: float) -> None:
        """Stop the bodies that the sweeps found, limit their pushes, and record the crossings of sensors."""
        bodies, crossed = self._bodies.arrays, int(self._swept[SWEPT.CROSSED])
        scene = self._scene(motions, self.trees)
        if crossed:
            self._record_crossed(filter_crossed(crossed, scene))
        asleep = pushed = NO_ROWS
        if motions.counts[COUNTS.STOPPED]:
            asleep, pushed = self._limit_pushes(scene)
        self._swept[SWEPT.STOPPED] = stop_bodies(bodies, motions, gravity, dt)
        if len(asleep):
            bodies.velocity[asleep] = 0.0
            self._bodies.written.update(pushed.tolist())  # they wake at the next step

    def _limit_pushes(self, scene: SweepScene) -> tuple[np.ndarray, np.ndarray]:
        """Limit the pushes of stopped bodies.

        Returns the stopped bodies that sleep, and those of them that are pushed.
        """
        finder, motions = self._finder, scene.motions
        stopped = motions.stopped[: motions.counts[COUNTS.STOPPED]]
        asleep = stopped[scene.bodies.island[stopped] != 0]
        pushed = asleep[motions.stop[asleep, STOP.PUSH_TIME] <= 1.0]
        if (motions.stop[stopped, STOP.PUSH_TIME] <= 1.0).any():
            shorten_pushes(finder.search.mobile.rows, finder.search.unbounded, finder.tree.arrays, scene)
        return asleep, pushed

    def motions_for(self, state: np.ndarray) -> BodyMotions:
        """Return the motions, with room for all bodies, over the present rows of the solver."""
        count = len(self._bodies.arrays.kind)
        if self._motions is None or len(self._motions.fast) < count:
            self._motions = new_motions(count, state)
        elif self._motions.state is not state:
            self._motions = self._motions._replace(state=state)
        return self._motions

    def _read_pieces(self) -> None:
        """If pieces have changed: list the kinematic bodies, and make room for contours and for all moving pieces."""
        if self._piece_version == self._finder.piece_version:
            return
        self._piece_version = self._finder.piece_version
        self._has_obstacles = self._finder.has_obstacles
        rows, scratch = self._finder.search.mobile.rows, self._scratch
        self.has_kinematic = self._finder.kinematic_count > 0 and self._list_kinematic(rows)
        corners = self._pieces.longest
        if corners > len(scratch.a):
            a, b, placed = np.zeros((3, corners, CONTOUR.WIDTH))
            scratch = scratch._replace(a=a, b=b, placed=placed)
        if len(rows) > len(scratch.fast):
            capacity = next_capacity(len(scratch.fast), len(rows))
            fast, nearby, stopping = lane_array((3, capacity), np.int64)
            box = lane_array((capacity, BOX.WIDTH))
            scratch = scratch._replace(fast=fast, nearby=nearby, stopping=stopping, box=box)
        self._scratch = scratch

    def _list_kinematic(self, pieces: np.ndarray) -> bool:
        """List the bodies of kinematic ones among bounded pieces that can move; return True if there are any."""
        kinematic, least_core = np.empty(len(pieces), np.int64), np.zeros(1)
        count = find_least_core(
            pieces, self._bodies.arrays, self._pieces.arrays, self._bodies.span, kinematic, least_core
        )
        self._kinematic.store_rows(each_once(kinematic[:count]))
        self._kinematic_limit[0] = FAST * max(least_core.item(), self._slop)
        return bool(count > 0)

    def _record_crossed(self, count: int) -> None:
        """Record the entities of the crossed pairs, for each listener."""
        bodies, index = self._bodies.arrays, self._pieces.arrays.index
        crossed = self._scratch.crossed[:count]
        entities = bodies.entity[index[crossed[:, : PIECES.WIDTH], PIECE.COLLIDER]]
        for (a, b), role in zip(entities.tolist(), crossed[:, CROSSED.ROLE].tolist(), strict=True):
            for crossing, notified in (((a, b), of_pair.NOTIFIES_A), ((b, a), of_pair.NOTIFIES_B)):
                if role & notified and crossing not in self.crossed:
                    self.crossed.append(crossing)
