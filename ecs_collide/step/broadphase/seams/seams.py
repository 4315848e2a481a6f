"""Seams: the outlines of pieces follow what their neighbours cover.

A static piece is covered by static pieces, a kinematic piece by pieces that move as one with it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pieces import PIECE, PieceColumns
from ecs_collide.data.row_lists import each_once, rows_where
from ecs_collide.data.state_list import list_state
from ecs_collide.kernels.calls import Call, Input, LiveSlice
from ecs_collide.shapes import PieceKind
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree
from ecs_collide.step.broadphase.seams import build_outline as build, neighbours, seam_arrays as of_seam
from ecs_collide.step.broadphase.seams.links import Links
from ecs_collide.step.broadphase.seams.seam_arrays import (
    CHANGE,
    SOURCE,
    LinkTable,
    PieceTrees,
    grown_columns,
    make_scratch,
    seam_columns,
)

NO_ROWS = np.zeros(0, np.int64)
NO_BOXES = np.zeros((0, 4))
NO_COLUMNS, NO_SCRATCH = seam_columns(0), make_scratch(0, 0, 0, 0)
"""Columns and scratch space without room, which all worlds share."""


class Seams:
    """Stores outlines for static and kinematic pieces that have neighbours, and removes them again.

    No outline is stored and no kernel for them runs until two pieces are near each other.
    """

    state_list = list_state(
        values="_is_awake",
        arrays="_columns",
        contents="_removed",
        objects="_links",
        left_out="_scratch _affected_count _found _built _tree _tolerances",
    )

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, tree: StaticTree, tolerances: Tolerances) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._tree = tree
        self._tolerances = tolerances
        self._is_awake = False
        self._columns = NO_COLUMNS
        self._scratch = NO_SCRATCH
        self._links = Links(bodies, pieces, tree, tolerances)
        self._affected_count, self._found = np.zeros((2, 1), np.int64)
        self._built = np.zeros(6, np.int64)
        """Results of the calls of `calls_for_moved`."""
        self._removed: list[np.ndarray] = []
        """Boxes of pieces removed since the last update, (g, 4) each [m]."""

    def add(self, rows: np.ndarray) -> None:
        """Add new pieces, whose columns are filled."""
        self._links.add(rows)

    @property
    def has_changes(self) -> bool:
        """True if pieces other than new static ones were added or removed since the last update."""
        return bool(self._removed) or self._links.has_changes

    @property
    def links(self) -> LinkTable:
        """Links of kinematic pieces. All seams are up to date while these and the static pieces do not change."""
        return self._links.table

    def prepare(self) -> None:
        """Make room for all pieces."""
        if self._is_awake:
            self._reserve_columns()

    def inputs(self) -> tuple[Input, ...]:
        """Return the attributes from which the calls of `calls_for_moved` are prepared, as owners and names."""
        return (
            (self, "_is_awake"),
            (self, "_columns"),
            (self, "_scratch"),
            (self._tree, "arrays"),
            (self._links.tree, "arrays"),
            (self._links, "table"),
        )

    def calls_for_moved(self, moved: LiveSlice) -> Iterator[Call]:
        """Yield the calls that renew the outlines around moved static pieces.

        They report if any outline has changed, or has to be made for the first time: see `finish_calls`.
        """
        columns, seams = (self._bodies.arrays, self._pieces.arrays), self._columns
        if not self._is_awake:
            yield Call(neighbours.have_neighbours, (moved, *columns, self._tree.arrays), self._found, most=0)
            return
        zero, count = np.zeros(1, np.int64), self._affected_count
        yield Call(neighbours.record_sources, (moved, *columns, seams))
        affected = LiveSlice(seams.affected, zero, count)
        yield Call(neighbours.find_affected, (moved, NO_BOXES, self._pieces.arrays, self._tree.arrays, seams), count)
        yield Call(build.build_outlines, (affected, 0, *self._build_arguments), self._built, most=0)

    @property
    def _build_arguments(self) -> tuple[object, ...]:
        """The last arguments of `build_outlines`."""
        trees = PieceTrees(self._tree.arrays, self._links.tree.arrays)
        return (
            self._bodies.arrays,
            self._pieces.arrays,
            trees,
            self._tolerances.slop,
            self._tolerances.parting_speed,
            self._columns,
            self._scratch,
        )

    def finish_calls(self, moved: np.ndarray) -> np.ndarray:
        """Do the work that the calls of `calls_for_moved` have reported; return what `update` returns."""
        if not self._is_awake:
            return self.update(moved)
        _, first, change_count, *_ = self._built.tolist()
        stored = self._place(self._scratch.out.changes[:change_count])
        left = self._columns.affected[first : self._affected_count.item()]
        return each_once(stored, self._rebuild(left)) if len(left) else np.sort(stored)

    def update(self, changed: np.ndarray) -> np.ndarray:
        """Update the outlines around changed pieces; return the sorted rows of pieces with a new kind or outline.

        `changed` are static pieces that are new or were moved. The surroundings of removed pieces and of changed links
        are updated too. The tree must hold the static pieces, and their boxes must be up to date.
        """
        restless = self._links.update(len(changed) > 0 or bool(self._removed))
        if len(changed) == 0 and not self._removed and len(restless) == 0:
            return NO_ROWS
        if not self._is_awake:
            if len(restless) == 0 and not neighbours.have_neighbours(
                changed, self._bodies.arrays, self._pieces.arrays, self._tree.arrays
            ):
                return NO_ROWS
            self._is_awake = True
            changed = self._statics()
        self._reserve_columns()
        neighbours.record_sources(
            np.concatenate((changed, restless)), self._bodies.arrays, self._pieces.arrays, self._columns
        )
        removed = np.concatenate(self._removed) if self._removed else NO_BOXES
        self._removed.clear()
        count = neighbours.find_affected(changed, removed, self._pieces.arrays, self._tree.arrays, self._columns)
        affected = self._columns.affected[:count]
        return self._rebuild(each_once(affected, restless) if len(restless) else affected)

    def _reserve_columns(self) -> None:
        """Make room for all pieces."""
        capacity = len(self._pieces.arrays.moved)
        if len(self._columns.state) < capacity:
            self._columns = grown_columns(self._columns, capacity)

    def _statics(self) -> np.ndarray:
        """Return the rows of the static pieces in the tree."""
        pieces = self._pieces.arrays
        rows = rows_where(pieces.leaf[: self._pieces.rows.high] >= 0)
        statics: np.ndarray = rows[self._bodies.arrays.kind[pieces.index[rows, PIECE.BODY]] == BodyKind.STATIC]
        return statics

    def keep_kind(self, rows: np.ndarray) -> np.ndarray:
        """Return a mask of those of the given pieces that are static and outlines by their shape (n,) bool."""
        owners = self._pieces.arrays.index[rows, PIECE.BODY]
        is_static = self._bodies.arrays.kind[owners] == BodyKind.STATIC
        kept: np.ndarray = is_static & (self._columns.source[rows, SOURCE.KIND] == PieceKind.OUTLINE)
        return kept

    def forget(self, rows: np.ndarray) -> None:
        """Remove pieces that are about to be freed; the next update renews the outlines around them."""
        self._links.forget(rows)
        if not self._is_awake:
            return
        columns = self._columns
        known = rows[rows < len(columns.state)]
        known = known[columns.state[known] != of_seam.ABSENT]
        if len(known) == 0:
            return
        self._removed.append(columns.box[known])
        self._discard(known[columns.state[known] == of_seam.SEAMED])
        columns.state[known] = of_seam.ABSENT

    def _discard(self, rows: np.ndarray) -> None:
        """Free the stored outlines of pieces."""
        columns = slice(PIECE.VERTEX_START, PIECE.VERTEX_COUNT + 1)
        for start, count in self._pieces.arrays.index[rows, columns].tolist():
            self._pieces.discard(start, count)

    def _rebuild(self, rows: np.ndarray) -> np.ndarray:
        """Make the outlines of `rows` and store those that have changed; return the rows of these."""
        changed, first = [], 0
        while first < len(rows):
            _, first, count, *needed = build.build_outlines(rows, first, *self._build_arguments)
            if count:
                changed.append(self._place(self._scratch.out.changes[:count]))
            elif first < len(rows):
                self._reserve(*needed)
        return np.sort(np.concatenate(changed)) if changed else NO_ROWS

    def _place(self, changes: np.ndarray) -> np.ndarray:
        """Store changed outlines in the columns; return the rows of their pieces."""
        rows = changes[:, CHANGE.ROW].copy()
        other = changes[changes[:, CHANGE.COUNT] >= 0]
        if len(other):
            places = other[:, CHANGE.ROW]
            self._discard(places[self._columns.state[places] == of_seam.SEAMED])
            starts = self._pieces.allocate_corners(other[:, CHANGE.COUNT].tolist())
            build.place_outlines(
                other,
                np.array(starts, np.int64),
                self._pieces.arrays,
                self._columns,
                self._scratch.out,
            )
        return rows

    def _reserve(self, near: int, vertices: int, corners: int) -> None:
        """Make room for the next piece and for many of its size."""
        scratch = self._scratch
        self._scratch = make_scratch(
            next_capacity(max(len(scratch.near.row), 64), near),
            next_capacity(max(len(scratch.near.edge), 256), vertices),
            next_capacity(max(len(scratch.out.vertices), 4096), corners),
            1024,
        )
