"""The vertices of all shapes in use: colliders of equal shapes share them, the last one frees them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import numpy as np

from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.shapes import MassProperties, Polygon, Shape, measure
from ecs_collide.shapes.mass import flat, polygons
from ecs_collide.shapes.piece import Hull, Piece


class StoredPiece(NamedTuple):
    """A convex piece in the pools, as `fill_pieces` takes it."""

    kind: int
    vertex_start: int
    vertex_count: int
    radius: float
    x: float
    y: float
    """The centre of the box without that radius [m], relative to the shape's centroid ..."""
    half_x: float
    half_y: float
    """... and its half extents [m]."""

    @property
    def size(self) -> tuple[float, ...]:
        """The last five."""
        return self[3:]


class StoredShape:
    """A shape's pieces in the pools, once they are there, and how many colliders use it."""

    __slots__ = ("core", "extent", "mass", "pieces", "shape", "users")

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.mass: MassProperties | None = None
        """None where its numbers leave their range."""
        self.pieces: tuple[StoredPiece, ...] = ()
        self.core = 0.0
        """The least radius that is solid around the middle of a piece [m]."""
        self.extent = 0.0
        """How far the shape reaches from its centroid [m]; infinite for what has no end."""
        self.users = 0


def masses_of(shapes: list[Shape]) -> list[MassProperties | None]:
    """The mass properties of shapes, None where numbers leave their range; all plain polygons in one call."""
    plain = {k: shape.vertices for k, shape in enumerate(shapes) if type(shape) is Polygon and shape.radius == 0.0}
    found: list[MassProperties | None] = [None] * len(shapes)
    for k, properties in zip(plain, polygons(list(plain.values())) if plain else (), strict=True):
        found[k] = properties
    with np.errstate(all="ignore"):
        for k, shape in enumerate(shapes):
            if k not in plain:
                with suppress(ArithmeticError):
                    found[k] = shape.mass_properties()
    return found


class ShapeStore:
    """Puts shapes into the pools of the piece columns and takes them out again."""

    def __init__(self, columns: PieceColumns) -> None:
        self._columns = columns
        self._shapes: dict[Shape, StoredShape] = {}

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
                stored = self._shapes.get(shape) or new.get(shape)
                if stored is None:
                    stored = new[shape] = StoredShape(shape)
                seen[id(shape)] = stored
            found.append(stored)
        for stored, mass in zip(new.values(), masses_of(list(new)), strict=True):
            stored.mass = mass
        return found

    def release(self, stored: StoredShape) -> None:
        """One collider less uses the shape."""
        stored.users -= 1
        if stored.users == 0:
            del self._shapes[stored.shape]
            for piece in stored.pieces:
                self._columns.discard(piece.vertex_start, piece.vertex_count)
            stored.pieces = ()

    def store(self, prepared: Iterable[StoredShape]) -> None:
        """Put those shapes into the pools that are not there, all in one call."""
        new = list({id(stored): stored for stored in prepared if not stored.pieces}.values())
        if not new:
            return
        hulls = {each: hull for each in new if (hull := each.shape.hull()) is not None}
        others = {each: each.shape.pieces() for each in new if each not in hulls}
        pieces = list(chain.from_iterable(others.values()))
        made: list[Hull | Piece] = [*hulls.values(), *pieces]
        kinds = [int(one.kind) for one in made]
        counts = [len(hull.corners) for hull in hulls.values()] + [len(piece.vertices) for piece in pieces]
        starts = self._columns.take_corners(counts)
        runs = np.zeros((len(kinds), measure.RUN_WIDTH), np.int64)
        runs[:, measure.START], runs[:, measure.COUNT] = starts, counts
        runs[: len(hulls), measure.IS_PLAIN] = 1
        sizes = np.empty((len(kinds), measure.SIZE_WIDTH))
        sizes[:, measure.RADIUS] = [one.radius for one in made]
        shares = [1] * len(hulls) + list(map(len, others.values()))
        centers = np.array([each.mass.centroid for each in chain(hulls, others) if each.mass is not None])
        given = flat(hull.corners for hull in hulls.values())
        if pieces:
            self._write_outlines(pieces, starts[len(hulls) :])
            centers = np.repeat(centers, shares, axis=0)
            given = np.concatenate([given, *(piece.vertices for piece in pieces)])
        arrays, scratch = self._columns.arrays, np.empty((max(counts), 4))
        measure.set_up(runs, given, centers, arrays.vertices, arrays.normals, arrays.outlines, scratch, sizes)
        columns = sizes.T.tolist()
        stored = list(map(StoredPiece, kinds, starts, counts, *columns[: measure.CORE]))
        cores, extents = columns[measure.CORE], columns[measure.EXTENT]
        first = 0
        for each, share in zip(chain(hulls, others), shares, strict=True):
            each.pieces = tuple(stored[first : first + share])
            each.core, each.extent = min(cores[first : first + share]), max(extents[first : first + share])
            self._shapes[each.shape] = each
            first += share

    def _write_outlines(self, pieces: list[Piece], starts: list[int]) -> None:
        """Write the normals and outlines of pieces, whose corners begin at `starts`, into the pools."""
        runs = [np.arange(start, start + len(piece.vertices)) for piece, start in zip(pieces, starts, strict=True)]
        corners, arrays = np.concatenate(runs), self._columns.arrays
        arrays.normals[corners] = np.concatenate([piece.normals for piece in pieces])
        arrays.outlines[corners] = np.concatenate([piece.outline for piece in pieces])
