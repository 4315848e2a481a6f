"""The continuous part of a step: what the sweeps need, and their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BODY_SPAN, BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import PairColumns
from ecs_collide.data.pieces import PIECE, PieceColumns
from ecs_collide.data.row_lists import HeldRows, each_once, rows_where
from ecs_collide.kernels.calls import Call, Cell, Run
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.continuous import body_motions as of_track
from ecs_collide.step.continuous.body_motions import (
    Tracks,
    least_core_of,
    mark_fast,
    mark_kinematic,
    no_tracks,
    stop_bodies,
)
from ecs_collide.step.continuous.pushed_bodies import shorten_pushes
from ecs_collide.step.continuous.squeeze import hold_pressed
from ecs_collide.step.continuous.sweep import settle_crossed
from ecs_collide.step.continuous.sweep_fast import ALL_STOPPED, TO_RESERVE, sweep_fast
from ecs_collide.step.continuous.sweep_scratch import ROLE, SweepScratch
from ecs_collide.step.narrowphase.contact_finder import ContactFinder
from ecs_collide.step.plan import StepPoint

NO_ROWS = np.zeros(0, np.int64)
NO_PAIRS = np.zeros((0, 2), np.int64)
NONE_CROSSED = np.zeros((0, 3), np.int64)

FOUND = "near", "met", "crossed", "off"
"""The tables of the scratch space in which `sweep_fast` lists pairs, in the order in which it tells how many."""

LEFT, STOPPED, CROSSED = 0, 1, 4
"""Where among its results stands what is left to do, how many were stopped, and how many pairs were crossed."""


class Sweeper:
    """Stops fast bodies before they pass through anything."""

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
        self._tracks: Tracks | None = None
        rows, no_pieces = np.zeros((0, CONTOUR.WIDTH)), np.zeros(0, np.int64)
        self._scratch = SweepScratch(
            rows,
            rows,
            rows,
            off=NO_PAIRS,
            off_count=np.zeros(1, np.int64),
            fast=no_pieces,
            box=np.zeros((0, 4)),
            nearby=no_pieces,
            near=NO_PAIRS,
            met=NO_PAIRS,
            crossed=NONE_CROSSED,
        )
        self._kinematic = HeldRows()
        """The kinematic bodies whose collider has an end."""
        self.has_kinematic = False
        """Whether there are any."""
        self._least = np.zeros(1)
        """How far one of them has to go in a step to pass over some dynamic body, asleep or not [m]."""
        self._has_obstacles = False
        """Whether anything is static or has no end."""
        self._population = -1
        """That of the finder for which these three were found."""
        self._pressed, self._starts = np.zeros(0, np.bool_), np.zeros((0, 3))
        """Scratch space of `hold_pressed`."""
        self._marked, self._marked_kinematic = np.zeros(3, np.int64), np.zeros(2, np.int64)
        """What `mark_fast` and `mark_kinematic` returned ..."""
        self._swept = np.zeros(6, np.int64)
        """... and what `sweep_fast` did."""
        self.stopped = self._swept[STOPPED : STOPPED + 1]
        """How many of them were stopped."""
        self.trees = NO_ROWS
        """The tree of joints of each body row, -1 where it has none; empty where there are none (n,) int64."""
        self.crossed: list[tuple[int, int]] = []
        """Who is told and of whom, where something was crossed within a step, until Notify takes them."""

    def has_targets(self) -> bool:
        """Whether there is anything that a fast body could pass through."""
        self._look_at_pieces()
        return self._has_obstacles or self.has_kinematic or self._has_bullets

    @property
    def _has_bullets(self) -> bool:
        return bool(self._bodies.span[: self._bodies.rows.high, BODY_SPAN.BULLET].any())

    @property
    def columns(self) -> tuple[object, ...]:
        """The objects that the calls are prepared from, beside the bodies, the contacts and the tracks."""
        return self.has_kinematic, self._kinematic.run, self._scratch, self._pieces.arrays, *self._finder.places

    def calls(
        self, movers: Run, tracks: Tracks, trees: np.ndarray, gravity: tuple[float, float], dt: Cell
    ) -> Iterator[tuple[StepPoint, Call]]:
        """Yield the calls that stop fast bodies before they pass through anything, and those for squeezed bodies."""
        bodies, span, least = self._bodies.arrays, self._bodies.span, Cell(self._least)
        yield StepPoint.SOLVE, Call(mark_fast, (movers, bodies, tracks, span, self._slop), self._marked)
        if self.has_kinematic:
            kinematic = self._kinematic.run, least, bodies, tracks, span
            yield StepPoint.SOLVE, Call(mark_kinematic, kinematic, self._marked_kinematic)
        yield StepPoint.SWEEPS, self._sweeping(tracks, trees, gravity, dt)
        if self.has_kinematic:
            finder = self._contact_finder
            touching = finder.contacts, Cell(finder.counts[1:])
            yield StepPoint.SQUEEZE, Call(hold_pressed, (*touching, *self._pressing(tracks)))

    def _sweeping(self, tracks: Tracks, trees: np.ndarray, gravity: tuple[float, float], dt: Cell) -> Call:
        contacts, search = self._contact_finder, self._finder.search
        counted, *movers = self._finder.movers.arrays
        listed = Cell(counted), *movers
        farthest, has_bullets = Cell(self._marked.view(np.float64)[1:2]), Cell(self._marked[2:])
        farthest_kinematic = Cell(self._marked_kinematic.view(np.float64)[1:]) if self.has_kinematic else 0.0
        marked = farthest, has_bullets, farthest_kinematic, int(self.has_kinematic), trees
        columns = self._bodies.arrays, self._pieces.arrays, self._pairs.arrays
        touching = contacts.contacts, Cell(contacts.counts[1:])
        room = tracks, self._bodies.span, search, self._scratch, self._slop
        given = (*listed, *marked, *columns, *touching, *room, gravity, dt)
        return Call(sweep_fast, given, self._swept, most=ALL_STOPPED)

    def resume(self, tracks: Tracks, gravity: tuple[float, float], dt: float) -> StepPoint:
        """Make room for what the call of the sweeps has found, or stop the bodies that it names."""
        if self._swept[LEFT] == TO_RESERVE:
            self._reserve()
            return StepPoint.SWEEPS
        self._settle(tracks, gravity, dt)
        return StepPoint.SQUEEZE

    def _reserve(self) -> None:
        """Make room for what was found."""
        scratch = self._scratch
        for name, count in zip(FOUND, self._swept[-len(FOUND) :].tolist(), strict=True):
            table = getattr(scratch, name)
            if count > len(table):
                room = np.zeros((next_capacity(len(table), count), table.shape[1]), np.int64)
                scratch = scratch._replace(**{name: room})
        self._scratch = scratch

    def _settle(self, tracks: Tracks, gravity: tuple[float, float], dt: float) -> None:
        """Stop what the sweeps found, see how far it is pushed on, and tell the sensors that it crossed."""
        bodies, crossed = self._bodies.arrays, int(self._swept[CROSSED])
        if crossed:
            self._tell_crossed(settle_crossed(crossed, bodies, self._pieces.arrays, tracks, self._scratch))
        asleep = pushed = NO_ROWS
        if tracks.counts[of_track.STOPPED_COUNT]:
            asleep, pushed = self._hold_back(tracks)
        self._swept[STOPPED] = stop_bodies(bodies, tracks, gravity, dt)
        if len(asleep):
            bodies.velocity[asleep] = 0.0
            self._bodies.written.update(pushed.tolist())  # they wake at the next step

    def _pressing(self, tracks: Tracks) -> tuple[Any, ...]:
        """What `hold_pressed` takes besides the contacts: it keeps what is pressed on its side of what is static."""
        bodies = self._bodies
        if len(self._pressed) < len(bodies.arrays.kind):
            self._pressed = np.zeros(len(bodies.arrays.kind), np.bool_)
            self._starts = np.zeros((len(bodies.arrays.kind), 3))
        return bodies.arrays, tracks, bodies.span, self._pressed, self._starts, self._slop

    def _hold_back(self, tracks: Tracks) -> tuple[np.ndarray, np.ndarray]:
        """See how far those that are stopped are pushed on, and what they hang together with.

        Returns those that sleep, and those of them that are pushed.
        """
        finder, bodies = self._finder, self._bodies.arrays
        stopped = tracks.stopped[: tracks.counts[of_track.STOPPED_COUNT]]
        asleep = stopped[bodies.island[stopped] != 0]
        pushed = asleep[tracks.stop[asleep, of_track.PUSHED_AT] <= 1.0]
        if (tracks.stop[stopped, of_track.PUSHED_AT] <= 1.0).any():
            shorten_pushes(
                finder.mobile,
                finder.unbounded,
                bodies,
                self._pieces.arrays,
                tracks,
                finder.tree.arrays,
                self._bodies.span,
                self._scratch,
                self._slop,
            )
        if len(self.trees):
            self._stop_trees(tracks)
        return asleep, pushed

    def _stop_trees(self, tracks: Tracks) -> None:
        """Stop what hangs together where the first of it is stopped: a body put back alone would tear its joints."""
        stopped = tracks.stopped[: tracks.counts[of_track.STOPPED_COUNT]]
        earliest = np.ones(len(self.trees) + 1)
        np.minimum.at(earliest, self.trees[stopped], tracks.stop[stopped, of_track.STOP])
        earliest[-1] = 1.0  # of those that have no tree
        ends = earliest[self.trees]
        held = np.setdiff1d(rows_where(ends < 1.0), stopped, assume_unique=True)
        count = len(stopped) + len(held)
        tracks.stopped[len(stopped) : count] = held
        tracks.counts[of_track.STOPPED_COUNT] = count
        in_trees = tracks.stopped[:count][self.trees[tracks.stopped[:count]] >= 0]
        tracks.stop[in_trees, of_track.STOP] = ends[in_trees]

    def tracks_for(self, state: np.ndarray) -> Tracks:
        """The tracks, with room for all bodies, over the solver's present rows."""
        count = len(self._bodies.arrays.kind)
        if self._tracks is None or len(self._tracks.fast) < count:
            self._tracks = no_tracks(count, state)
        elif self._tracks.state is not state:
            self._tracks = self._tracks._replace(state=state)
        return self._tracks

    def _look_at_pieces(self) -> None:
        """After pieces came, went or changed: see which are kinematic; make room for any two contours, and for all."""
        if self._population == self._finder.population:
            return
        self._population = self._finder.population
        self._has_obstacles = self._finder.has_obstacles
        rows = self._finder.mobile
        kinematic = np.empty(len(rows), np.int64)
        count, least_core = least_core_of(rows, self._bodies.arrays, self._pieces.arrays, self._bodies.span, kinematic)
        self._kinematic.hold(each_once(kinematic[:count]) if count else NO_ROWS)
        self.has_kinematic = count > 0
        self._least[0] = of_track.FAST * max(least_core, self._slop)
        scratch = self._scratch
        corners = self._pieces.longest
        if corners > len(scratch.a):
            scratch = scratch._replace(**dict(zip(("a", "b", "placed"), np.zeros((3, corners, CONTOUR.WIDTH)))))
        if len(rows) > len(scratch.fast):
            capacity = next_capacity(len(scratch.fast), len(rows))
            fast, nearby = np.zeros((2, capacity), np.int64)
            scratch = scratch._replace(fast=fast, nearby=nearby, box=np.zeros((capacity, 4)))
        self._scratch = scratch

    def _tell_crossed(self, count: int) -> None:
        bodies, index = self._bodies.arrays, self._pieces.arrays.index
        crossed = self._scratch.crossed[:count]
        entities = bodies.entity[index[crossed[:, :ROLE], PIECE.BODY]]
        for (a, b), role in zip(entities.tolist(), crossed[:, ROLE].tolist(), strict=True):
            for crossing, told in (((a, b), of_pair.TELLS_A), ((b, a), of_pair.TELLS_B)):
                if role & told and crossing not in self.crossed:
                    self.crossed.append(crossing)
