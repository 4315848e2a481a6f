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
    """A convex piece in the pools."""

    kind: int
    vertex_start: int
    vertex_count: int
    size: tuple[float, float, float, float, float]
    """Radius, then centre and half extents of the box without it [m], relative to the shape's centroid."""


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
        kinds, outlines, radii, shares, ready = [], [], [], [], []
        for each in new:
            hull = each.shape.hull()
            pieces = each.shape.pieces() if hull is None else ()
            if hull is not None:
                kinds.append((hull.kind, 1))
                outlines.append(hull.corners)
                radii.append(hull.radius)
            for piece in pieces:
                ready.append((len(kinds), piece))
                kinds.append((piece.kind, 0))
                outlines.append(piece.vertices.tolist())
                radii.append(piece.radius)
            shares.append(max(len(pieces), 1))
        sizes = np.empty((len(kinds), measure.SIZE_WIDTH))
        sizes[:, measure.RADIUS] = radii
        centers = np.repeat(np.array([each.mass.centroid for each in new if each.mass is not None]), shares, axis=0)
        counts = list(map(len, outlines))
        starts = self._columns.take_corners(counts)
        arrays = self._columns.arrays
        for number, piece in ready:
            corners = slice(starts[number], starts[number] + counts[number])
            arrays.normals[corners], arrays.outlines[corners] = piece.normals, piece.outline
        runs = [(kind, start, count, plain) for (kind, plain), start, count in zip(kinds, starts, counts, strict=True)]
        scratch = np.empty((max(counts), 4))
        measure.set_up(
            np.array(runs),
            flat(outlines),
            centers,
            arrays.vertices,
            arrays.normals,
            arrays.outlines,
            scratch,
            sizes,
        )
        stored = [
            (StoredPiece(int(kind), start, count, (radius, x, y, half_x, half_y)), core, extent)
            for (kind, start, count, _), (radius, x, y, half_x, half_y, core, extent) in zip(
                runs, sizes.tolist(), strict=True
            )
        ]
        first = 0
        for each, share in zip(new, shares, strict=True):
            each.pieces, cores, extents = zip(*stored[first : first + share], strict=True)
            each.core, each.extent = min(cores), max(extents)
            self._shapes[each.shape] = each
            first += share
