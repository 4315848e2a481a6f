"""The continuous part of a step: what the sweeps need, and their order."""

from __future__ import annotations

import numpy as np

from ecs_collide.broadphase.finder import PairFinder
from ecs_collide.columns.bodies import SENSOR, BodyColumns
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pairs import PIECE_A, PIECE_B, PairColumns
from ecs_collide.columns.pieces import BODY, VERTEX_COUNT, PieceColumns
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.continuous.sweep import Scratch, settle_crossed, sweep_bullets, sweep_fast
from ecs_collide.continuous.tracks import (
    BULLET,
    EXTENT,
    PUSHED_AT,
    grown_tracks,
    mark_fast,
    no_tracks,
    note_starts,
    stop_bodies,
)
from ecs_collide.narrowphase.contact_finder import ContactFinder
from ecs_collide.queries.contour import ROW_WIDTH

NO_ROWS = np.zeros(0, np.int64)

BULLET_ROUNDS = 20
"""How often stopping times may change each other; two bullets need two rounds."""


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
        self._tracks = no_tracks()
        rows, nothing = np.zeros((0, ROW_WIDTH)), np.zeros((0, 2), np.int64)
        self._scratch = Scratch(rows, rows, rows, np.zeros((0, 4)), nothing, nothing)
        self.crossed: list[tuple[int, int]] = []
        """Sensor and entity of each sensor that was crossed within this step, until Notify takes them."""

    def begin(self, movers: np.ndarray) -> None:
        """Before the bodies move: note where they are."""
        self._tracks = grown_tracks(self._tracks, len(self._bodies.arrays.kind))
        note_starts(movers, self._bodies.arrays, self._tracks)

    def finish(self, movers: np.ndarray, gravity: tuple[float, float], dt: float) -> int:
        """After they moved: stop those that would have passed through something; return how many."""
        bodies, pieces, tracks, span = self._bodies.arrays, self._pieces.arrays, self._tracks, self._bodies.span
        if len(movers) == 0:
            return 0
        near = self._sleepers_near(movers)
        sleepers, everyone, moving = NO_ROWS, movers, self._finder.bounded_movers
        if len(near):
            sleepers = np.unique(pieces.index[near, BODY])
            note_starts(sleepers, bodies, tracks)
            everyone, moving = np.concatenate((movers, sleepers)), np.concatenate((moving, near))
        dynamic_count, kinematic_count = mark_fast(everyone, bodies, tracks, span, self._slop)
        if dynamic_count + kinematic_count == 0:
            return 0
        kinematic = np.flatnonzero(bodies.kind[pieces.index[moving, BODY]] == BodyKind.KINEMATIC)
        tree = self._finder.tree
        has_bullets = bool(span[movers, BULLET].any())
        self._reserve(len(moving))
        while True:
            scratch = self._scratch
            crossed = sweep_fast(
                moving,
                has_bullets or len(kinematic) > 0,
                self._finder.unbounded,
                kinematic,
                bodies,
                pieces,
                tracks,
                span,
                tree.arrays,
                tree.stack,
                scratch,
                self._slop,
            )
            if crossed <= len(scratch.crossed):
                break
            room = next_capacity(len(scratch.crossed), crossed)
            self._scratch = scratch._replace(crossed=np.zeros((room, 2), np.int64))
        if has_bullets:
            for _ in range(BULLET_ROUNDS):
                if not sweep_bullets(moving, bodies, pieces, tracks, span, scratch, self._slop):
                    break
        if crossed:
            self._tell_crossed(settle_crossed(crossed, bodies, pieces, tracks, scratch))
        pushed = sleepers[tracks.stop[sleepers, PUSHED_AT] <= 1.0]
        if len(pushed):
            stop_bodies(pushed, bodies, tracks, gravity, dt)
            bodies.velocity[pushed] = 0.0
            self._bodies.written.update(pushed.tolist())  # they wake at the next step
        return int(stop_bodies(movers, bodies, tracks, gravity, dt))

    def _sleepers_near(self, movers: np.ndarray) -> np.ndarray:
        """The sleeping pieces that a bullet or a kinematic body may have passed."""
        if self._finder.sleepers.count == 0:
            return NO_ROWS
        bodies, span, start = self._bodies.arrays, self._bodies.span, self._tracks.start
        rows = movers[(span[movers, BULLET] != 0.0) | (bodies.kind[movers] == BodyKind.KINEMATIC)]
        if len(rows) == 0:
            return NO_ROWS
        start, end, extent = start[rows, :2], bodies.frame[rows, :2], span[rows, EXTENT, None]
        boxes = np.column_stack((np.minimum(start, end) - extent, np.maximum(start, end) + extent))
        moved = (start != end).any(axis=1) | (bodies.velocity[rows] != 0.0).any(axis=1)
        return self._finder.sleepers.near(boxes[moved])

    def _reserve(self, moving: int) -> None:
        """Room for the contours of any two pieces, for the moving ones' boxes, and the pairs that are off."""
        scratch = self._scratch
        corners = int(self._pieces.arrays.index[: self._pieces.rows.high, VERTEX_COUNT].max())
        if corners > len(scratch.a):
            scratch = scratch._replace(**dict(zip(("a", "b", "placed"), np.zeros((3, corners, ROW_WIDTH)))))
        if moving > len(scratch.box):
            scratch = scratch._replace(box=np.zeros((next_capacity(len(scratch.box), moving), 4)))
        self._scratch = scratch._replace(off=self._switched_off())

    def _switched_off(self) -> np.ndarray:
        """The pairs of pieces that the game disabled in this step, as pairs or as contacts (k, 2)."""
        finder, pairs = self._contact_finder, self._pairs.arrays
        slots = finder.live[~pairs.enabled[finder.live]]
        contacts = finder.contacts.pair[: finder.count][~finder.contacts.enabled[: finder.count]]
        off: np.ndarray = pairs.index[np.concatenate((slots, contacts))][:, [PIECE_A, PIECE_B]]
        return off

    def _tell_crossed(self, count: int) -> None:
        bodies, index = self._bodies.arrays, self._pieces.arrays.index
        rows = index[self._scratch.crossed[:count], BODY]
        for (row, _), (entity, other_entity) in zip(rows.tolist(), bodies.entity[rows].tolist(), strict=True):
            is_sensor = bodies.filter[row, SENSOR] != 0
            crossing = (entity, other_entity) if is_sensor else (other_entity, entity)
            if crossing not in self.crossed:
                self.crossed.append(crossing)
