"""The vertices of all shapes in use: colliders of equal shapes share them, the last one frees them."""

from __future__ import annotations

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
    """A shape's pieces in the pools, and how many colliders use it."""

    __slots__ = ("core", "extent", "mass", "pieces", "users")

    def __init__(self, pieces: tuple[StoredPiece, ...], core: float, extent: float, mass: MassProperties) -> None:
        self.pieces = pieces
        self.core = core
        """The least radius that is solid around the middle of a piece [m]."""
        self.extent = extent
        """How far the shape reaches from its centroid [m]; infinite for what has no end."""
        self.mass = mass
        self.users = 0


def masses_of(shapes: list[Shape]) -> list[MassProperties | None]:
    """The mass properties of shapes, None where numbers leave their range; all plain polygons in one call."""
    plain = [k for k, shape in enumerate(shapes) if type(shape) is Polygon and shape.radius == 0.0]
    found: list[MassProperties | None] = [None] * len(shapes)
    for k, properties in zip(plain, polygons([shapes[k].vertices for k in plain]), strict=True):  # type: ignore[attr-defined]
        found[k] = properties
    for k in set(range(len(shapes))).difference(plain):
        try:
            with np.errstate(all="ignore"):
                found[k] = shapes[k].mass_properties()
        except ArithmeticError:
            found[k] = None
    return found


class ShapeStore:
    """Puts shapes into the pools of the piece columns and takes them out again."""

    def __init__(self, columns: PieceColumns) -> None:
        self._columns = columns
        self._shapes: dict[Shape, StoredShape] = {}

    def get(self, shape: Shape) -> StoredShape | None:
        """The stored form of a shape that a collider has; None where none has it."""
        return self._shapes.get(shape)

    def __getitem__(self, shape: Shape) -> StoredShape:
        return self._shapes[shape]

    def acquire(self, shape: Shape) -> StoredShape:
        """The stored form of a shape, for one more collider."""
        stored = self._shapes[shape]
        stored.users += 1
        return stored

    def release(self, shape: Shape, users: int = 1) -> None:
        """So many colliders less use the shape."""
        stored = self._shapes[shape]
        stored.users -= users
        if stored.users == 0:
            del self._shapes[shape]
            for piece in stored.pieces:
                self._columns.discard(piece.vertex_start, piece.vertex_count)

    def store(self, shapes: dict[Shape, MassProperties]) -> None:
        """Put those of some shapes into the pools that are not there, all in one call."""
        new = {shape: mass for shape, mass in shapes.items() if shape not in self._shapes}
        if not new:
            return
        kinds, outlines, radii, shares, ready = [], [], [], [], []
        for shape in new:
            hull = shape.hull()
            pieces = shape.pieces() if hull is None else ()
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
        centers = np.repeat(np.array([mass.centroid for mass in new.values()]), shares, axis=0)
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
        for (shape, mass), share in zip(new.items(), shares, strict=True):
            pieces_of, cores, extents = zip(*stored[first : first + share], strict=True)
            self._shapes[shape] = StoredShape(pieces_of, min(cores), max(extents), mass)
            first += share
