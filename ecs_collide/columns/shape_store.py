"""The vertices of all shapes in use: colliders of equal shapes share them, the last one frees them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from ecs_collide.columns.growth import RowPool, grown, next_capacity
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.shapes import MassProperties, Shape, measure, terrain
from ecs_collide.shapes.mass import flat, polygons
from ecs_collide.shapes.piece import NO_PIECES, Hull, PieceRows

T = TypeVar("T")


class StoredShape:
    """A shape, where its pieces are once they are stored, and how many colliders use it."""

    __slots__ = ("forms", "mass", "shape", "users")

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.mass: MassProperties | None = None
        """None where its numbers leave their range."""
        self.forms: tuple[int, ...] = ()
        """The row of each piece in `ShapeStore.forms`; none as long as it is not stored."""
        self.users = 0

    def can_follow(self, former: StoredShape) -> bool:
        """Whether a collider may exchange a former shape for this one and keep the pieces that both have."""
        return self.shape.can_follow(former.shape)


class Splice(NamedTuple):
    """How the list of a terrain's pieces changes."""

    left: list[int]
    """Places of those that go, in the former list."""
    came: list[int]
    """Places of those that come, in the list that follows."""

    def apply(self, former: tuple[T, ...], fresh: Iterable[T]) -> tuple[T, ...]:
        """The list that follows a former one."""
        items = list(former)
        for place in reversed(self.left):
            del items[place]
        for place, item in zip(self.came, fresh, strict=True):
            items.insert(place, item)
        return tuple(items)


def masses_of(shapes: list[Shape]) -> list[MassProperties | None]:
    """The mass properties of shapes, None where numbers leave their range; all plain polygons in one call."""
    plain = {k: corners for k, shape in enumerate(shapes) if (corners := shape.corners_alone()) is not None}
    found: list[MassProperties | None] = [None] * len(shapes)
    for k, properties in zip(plain, polygons(list(plain.values())) if plain else (), strict=True):
        found[k] = properties
    if len(plain) < len(shapes):
        with np.errstate(all="ignore"):
            for k, shape in enumerate(shapes):
                if k not in plain:
                    try:
                        found[k] = shape.mass_properties()
                    except ArithmeticError:
                        continue
    return found


class ShapeStore:
    """Puts shapes into the pools of the piece columns and takes them out again."""

    def __init__(self, columns: PieceColumns) -> None:
        self._columns = columns
        self._shapes: dict[Shape, StoredShape] = {}
        self._rows = RowPool()
        self.forms = np.zeros((64, measure.FORM_WIDTH))
        """Of each stored piece where it is in the pools, and its size [m] (f, 10): see `measure.py`."""

    def prepared(self, shapes: Iterable[Shape | None]) -> list[StoredShape | None]:
        """What will stand for each shape, the same for equal ones, with its mass properties; nothing is stored yet."""
        found: list[StoredShape | None] = []
        new: dict[Shape, StoredShape] = {}
        seen: dict[int, StoredShape] = {}  # by identity: to hash an outline takes as long as it has corners
        for shape in shapes:
            if shape is None:
                found.append(None)
                continue
            stored = seen.get(id(shape))
            if stored is None:
                stored = self._shapes.get(shape) or new.setdefault(shape, StoredShape(shape))
                seen[id(shape)] = stored
            found.append(stored)
        if new:
            for stored, mass in zip(new.values(), masses_of(list(new)), strict=True):
                stored.mass = mass
        return found

    def release(self, leaving: Iterable[StoredShape]) -> None:
        """One collider less uses each of these."""
        unused: list[int] = []
        for stored in leaving:
            stored.users -= 1
            if stored.users == 0:
                del self._shapes[stored.shape]
                unused += stored.forms
                stored.forms = ()
        self._discard(unused)

    def store(self, prepared: Iterable[StoredShape]) -> None:
        """Put those shapes into the pools that are not there, all in one call."""
        new = list({id(stored): stored for stored in prepared if not stored.forms}.values())
        if not new:
            return
        hulls = {each: hull for each in new if (hull := each.shape.hull()) is not None}
        others = {each: each.shape.piece_rows() for each in new if each not in hulls}
        shares = [1] * len(hulls) + [len(rows.counts) for rows in others.values()]
        centers = [each.mass.centroid for each in chain(hulls, others) if each.mass is not None]
        pieces = PieceRows.joined(others.values()) if others else NO_PIECES
        rows = self._put(list(hulls.values()), pieces, np.repeat(np.array(centers), shares, axis=0))
        first = 0
        for each, share in zip(chain(hulls, others), shares, strict=True):
            each.forms = tuple(rows[first : first + share])
            self._shapes[each.shape] = each
            first += share

    def exchange(self, former: StoredShape, stored: StoredShape) -> Splice:
        """Let the one collider of a terrain go over to another that can follow it; return how the pieces change."""
        assert isinstance(former.shape, terrain.Terrain) and isinstance(stored.shape, terrain.Terrain)
        assert stored.mass is not None
        source, new = stored.shape.patch(former.shape)
        is_left = np.ones(len(former.forms), np.bool_)
        is_left[source[source >= 0]] = False
        splice = Splice(np.flatnonzero(is_left).tolist(), np.flatnonzero(source < 0).tolist())
        fresh = self._put([], new, np.tile(stored.mass.centroid, (len(new.counts), 1))) if new.counts else []
        self._discard([former.forms[k] for k in splice.left])
        stored.forms = splice.apply(former.forms, fresh)
        stored.users, former.users, former.forms = 1, 0, ()
        del self._shapes[former.shape]
        self._shapes[stored.shape] = stored
        return splice

    def _put(self, hulls: list[Hull], others: PieceRows, centers: np.ndarray) -> list[int]:
        """Put pieces into the pools, relative to `centers` [m] (p, 2); return their rows of `forms`."""
        counts = [len(hull.corners) for hull in hulls] + others.counts
        starts, rows = self._columns.take_corners(counts), self._take_rows(len(counts))
        runs = np.zeros((len(counts), measure.RUN_WIDTH), np.int64)
        runs[:, measure.START], runs[:, measure.COUNT], runs[:, measure.FORM] = starts, counts, rows
        runs[: len(hulls), measure.IS_PLAIN] = 1
        self.forms[rows, measure.KIND] = [hull.kind for hull in hulls] + others.kinds
        self.forms[rows, measure.RADIUS] = [hull.radius for hull in hulls] + others.radii
        given = flat(hull.corners for hull in hulls)
        arrays, scratch = self._columns.arrays, np.empty((max(counts), 4))
        if others.counts:
            given = np.concatenate((given, others.vertices))
            first, lengths = np.array(starts[len(hulls) :], np.int64), np.array(others.counts, np.intp)
            corners = np.arange(len(others.vertices)) + np.repeat(first - np.cumsum(lengths) + lengths, lengths)
            arrays.normals[corners], arrays.outlines[corners] = others.normals, others.outline
        measure.set_up(runs, given, centers, arrays.vertices, arrays.normals, arrays.outlines, scratch, self.forms)
        return rows

    def _take_rows(self, count: int) -> list[int]:
        rows = self._rows.take(count)
        capacity = next_capacity(len(self.forms), self._rows.high)
        if capacity > len(self.forms):
            self.forms = grown(self.forms, capacity)
        return rows

    def _discard(self, rows: list[int]) -> None:
        """Free what pieces have in the pools, and their rows."""
        if not rows:
            return
        for start, count in self.forms[rows, measure.FIRST : measure.CORNERS + 1].astype(np.int64).tolist():
            self._columns.discard(start, count)
        self._rows.give_back(rows)
