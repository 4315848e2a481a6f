"""The vertices of all shapes in use: colliders of equal shapes share them, the last one frees them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.shapes import MassProperties, Polygon, Shape, measure
from ecs_collide.shapes.mass import flat, polygons


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
        for shape in shapes:
            if shape is None:
                found.append(None)
                continue
            stored = self._shapes.get(shape) or new.get(shape)
            if stored is None:
                stored = new[shape] = StoredShape(shape)
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
        runs, outlines, radii, shares, ready = [], [], [], [], []
        for each in new:
            hull = each.shape.hull()
            if hull is not None:
                runs.append((int(hull.kind), len(hull.corners), 1))
                outlines.append(hull.corners)
                radii.append(hull.radius)
                shares.append(1)
                continue
            pieces = each.shape.pieces()
            for piece in pieces:
                ready.append((len(runs), piece))
                runs.append((int(piece.kind), len(piece.vertices), 0))
                outlines.append(piece.vertices.tolist())
                radii.append(piece.radius)
            shares.append(len(pieces))
        kinds, counts, _ = map(list, zip(*runs, strict=True))
        starts = self._columns.take_corners(counts)
        arrays = self._columns.arrays
        for number, piece in ready:
            corners = slice(starts[number], starts[number] + counts[number])
            arrays.normals[corners], arrays.outlines[corners] = piece.normals, piece.outline
        table = np.empty((len(runs), 4), np.int64)
        table[:, measure.KIND], table[:, measure.START] = kinds, starts
        table[:, measure.COUNT : measure.IS_PLAIN + 1] = np.array(runs)[:, 1:]
        sizes = np.empty((len(runs), measure.SIZE_WIDTH))
        sizes[:, measure.RADIUS] = radii
        centers = np.array([each.mass.centroid for each in new if each.mass is not None])
        if len(runs) > len(new):
            centers = np.repeat(centers, shares, axis=0)
        measure.set_up(
            table,
            flat(outlines),
            centers,
            arrays.vertices,
            arrays.normals,
            arrays.outlines,
            np.empty((max(counts), 4)),
            sizes,
        )
        columns = sizes.T.tolist()
        stored = list(map(StoredPiece, kinds, starts, counts, *columns[: measure.CORE]))
        cores, extents = columns[measure.CORE], columns[measure.EXTENT]
        first = 0
        for each, share in zip(new, shares, strict=True):
            each.pieces = tuple(stored[first : first + share])
            each.core, each.extent = min(cores[first : first + share]), max(extents[first : first + share])
            self._shapes[each.shape] = each
            first += share
