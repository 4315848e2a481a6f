"""Convex pieces: the common form in which broadphase and narrowphase take shapes.

A piece is the Minkowski sum of the convex hull of its vertices and a disk of its radius.

| kind       | vertices (k, 2)              | normals (k, 2)                |
|------------|------------------------------|-------------------------------|
| CIRCLE     | the centre                   | zero                          |
| CAPSULE    | a, b                         | to the right of a → b, b → a  |
| POLYGON    | 3 or more, counter-clockwise | outward from the edge i → i+1 |
| OUTLINE    | 2 or more, counter-clockwise | outward from the edge i → i+1 |
| HALF_PLANE | normal * offset              | outward from the solid        |
| RING       | the centre                   | zero                          |

An outline row for each corner says the rest (`outline.py`). A piece of kind OUTLINE is a capsule or polygon with arcs,
or with parts that nothing can touch because other pieces cover them. Two kinds have no end. A half-plane is the side of
the line through its vertex that its normal points away from. A ring's wedge is what lies further from its centre than
the radius of its arc, between two directions less than half a turn apart, counter-clockwise.
"""

import itertools
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import measure, outline as of_outline
from ecs_collide.validate import Vector2

FloatArray: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


class PieceKind(IntEnum):
    """What a piece is; the values index the pair table."""

    CIRCLE = 0
    CAPSULE = 1
    POLYGON = 2
    OUTLINE = 3
    HALF_PLANE = 4
    RING = 5


UNBOUNDED = (PieceKind.HALF_PLANE, PieceKind.RING)
"""The kinds without end: nothing that has such a piece can be dynamic."""


class Piece(NamedTuple):
    """One convex piece: `vertices` [m] (k, 2) and unit `normals` (k, 2), C-contiguous float64, and `radius` [m].

    `outline` (k, 12) holds the fields named in `outline.py`.
    """

    kind: PieceKind
    vertices: FloatArray
    normals: FloatArray
    radius: float
    outline: FloatArray

    def moved(self, offset: FloatArray) -> "Piece":
        """Return the piece at another place, `offset` [m] (2,) away."""
        outline, is_arc = self.outline, self.outline[:, of_outline.ARC_RADIUS] > 0.0
        if is_arc.any():
            outline = outline.copy()
            outline[is_arc, of_outline.ARC_X : of_outline.ARC_Y + 1] += offset
        return self._replace(vertices=self.vertices + offset, outline=outline)

    def turned(self, angle: float) -> "Piece":
        """Return the piece, turned about the origin by `angle` [rad]."""
        cosine, sine = cosine_and_sine(angle)

        def turned(vectors: FloatArray) -> FloatArray:
            x, y = vectors[:, 0], vectors[:, 1]
            return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=1)

        outline = self.outline.copy()
        for x in (of_outline.ARC_X, of_outline.FROM_X, of_outline.TO_X):
            outline[:, x : x + 2] = turned(outline[:, x : x + 2])
        return self._replace(vertices=turned(self.vertices), normals=turned(self.normals), outline=outline)


class Hull(NamedTuple):
    """What a piece is made from that has no arcs and is open to contacts all round: kind, corners [m], radius [m]."""

    kind: PieceKind
    corners: tuple[Vector2, ...]
    """The centre of a circle, the ends of a capsule, or 3 or more of a polygon, counter-clockwise."""
    radius: float

    def piece(self) -> Piece:
        vertices = np.array(self.corners)
        if self.kind is PieceKind.CIRCLE:
            return Piece(self.kind, vertices, np.zeros((1, 2)), self.radius, of_outline.round_outline())
        normals = edge_normals(vertices)
        return Piece(self.kind, vertices, normals, self.radius, of_outline.plain_outline(normals))


class PieceRows(NamedTuple):
    """Pieces side by side, p of them, and their corners, v in all, one after the other."""

    kinds: list[int]
    counts: list[int]
    """How many corners each has."""
    radii: list[float]
    vertices: FloatArray
    """[m] (v, 2)."""
    normals: FloatArray
    """(v, 2)."""
    outline: FloatArray
    """(v, 12)."""

    @classmethod
    def of(cls, pieces: Sequence[Piece]) -> Self:
        """Return the same pieces side by side."""
        kinds, vertices, normals, radii, outlines = zip(*pieces, strict=True)
        corners = map(np.concatenate, (vertices, normals, outlines))
        return cls(list(map(int, kinds)), list(map(len, vertices)), list(radii), *corners)

    @classmethod
    def joined(cls, groups: Iterable["PieceRows"]) -> Self:
        """Return the pieces of one or more groups side by side."""
        kinds, counts, radii, vertices, normals, outlines = zip(*groups, strict=True)
        flat = itertools.chain.from_iterable
        corners = map(np.concatenate, (vertices, normals, outlines))
        return cls(list(flat(kinds)), list(flat(counts)), list(flat(radii)), *corners)

    def pieces(self) -> tuple[Piece, ...]:
        """Return the same pieces one by one, as new arrays."""
        stops = np.cumsum(self.counts)[:-1]
        arrays = (np.split(array, stops) for array in (self.vertices, self.normals, self.outline))
        return tuple(
            Piece(PieceKind(kind), vertices.copy(), normals.copy(), radius, outline.copy())
            for kind, radius, vertices, normals, outline in zip(self.kinds, self.radii, *arrays, strict=True)
        )


NO_PIECES = PieceRows([], [], [], np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, of_outline.OUTLINE_WIDTH)))


def circle_piece(center: Vector2, radius: float) -> Piece:
    """Return the disk of `radius` [m] around `center` [m]."""
    return Hull(PieceKind.CIRCLE, (center,), radius).piece()


def capsule_piece(a: Vector2, b: Vector2, radius: float) -> Piece:
    """Return all points within `radius` [m] of the segment from `a` to `b` [m]."""
    return Hull(PieceKind.CAPSULE, (a, b), radius).piece()


def polygon_piece(vertices: FloatArray, radius: float) -> Piece:
    """Return the convex polygon of counter-clockwise `vertices` [m] (k, 2), grown by `radius` [m]."""
    return Hull(PieceKind.POLYGON, tuple((x, y) for x, y in vertices.tolist()), radius).piece()


def half_plane_piece(normal: Vector2, offset: float) -> Piece:
    """Return the half-plane normal·p <= offset [m] of a unit `normal`."""
    normals = np.array([normal])
    outline = of_outline.endless_outline(normal, normal, (0.0, 0.0), 0.0)
    return Piece(PieceKind.HALF_PLANE, normals * offset, normals, 0.0, outline)


def ring_piece(center: Vector2, radius: float, first: Vector2, last: Vector2) -> Piece:
    """Return what is further than `radius` [m] from `center` [m], from the direction `first` to `last`."""
    outline = of_outline.endless_outline(first, last, center, radius)
    return Piece(PieceKind.RING, np.array([center]), np.zeros((1, 2)), 0.0, outline)


def bounds(piece: Piece) -> tuple[FloatArray, FloatArray]:
    """Return the lower left and upper right corner [m] (2,) of a piece's box, its radius left out."""
    low_x, low_y, high_x, high_y, *_ = _measured(piece)
    return np.array((low_x, low_y)), np.array((high_x, high_y))


def farthest(piece: Piece) -> float:
    """Return how far the piece reaches from the origin [m]; infinite without end."""
    return _measured(piece)[5]


def core_radius(piece: Piece) -> float:
    """Return the radius [m] of a disk inside the piece, not much less than the largest one; infinite without end."""
    return _measured(piece)[4]


def _measured(piece: Piece) -> tuple[float, float, float, float, float, float]:
    scratch = np.empty((len(piece.vertices), measure.SIDE.WIDTH))
    found: tuple[float, float, float, float, float, float] = measure.measure_piece(
        float(piece.radius), piece.vertices, piece.outline, scratch
    )
    return found


def edge_normals(vertices: FloatArray) -> FloatArray:
    """Return the unit normals (k, 2) to the right of the edges i → i+1 between `vertices` (k, 2), cyclically."""
    normals = np.empty((len(vertices), 2))
    measure.find_normals(np.ascontiguousarray(vertices, np.float64), normals)
    return normals
