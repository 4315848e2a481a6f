"""Convex pieces: the common form of shapes in broadphase and narrowphase.

A piece is the Minkowski sum of the convex hull of its vertices and a disk of its radius.

| kind       | vertices (k, 2)              | normals (k, 2)                |
|------------|------------------------------|-------------------------------|
| CIRCLE     | the centre                   | zero                          |
| CAPSULE    | a, b                         | to the right of a → b, b → a  |
| POLYGON    | 3 or more, counter-clockwise | outward from the edge i → i+1 |
| OUTLINE    | 2 or more, counter-clockwise | outward from the edge i → i+1 |
| HALF_PLANE | normal * offset              | outward from the solid        |
| RING       | the centre                   | zero                          |

An outline row describes each corner and the edge from it to the next (`outline.py`). A piece of kind OUTLINE is a
capsule or polygon with arcs, or with parts that other pieces hide.

Two kinds are unbounded. A half-plane is the side of the line through its vertex that its normal points away from. A
wedge of a ring is the region beyond the radius of its arc, between two directions less than half a turn apart.
"""

import itertools
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import measure, outline as of_outline
from ecs_collide.shapes.material import Material
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.validate import Vector2

FloatArray: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


class PieceKind(IntEnum):
    """Kind of a piece; the values index the pair table."""

    CIRCLE = 0
    CAPSULE = 1
    POLYGON = 2
    OUTLINE = 3
    HALF_PLANE = 4
    RING = 5


UNBOUNDED = (PieceKind.HALF_PLANE, PieceKind.RING)
"""Unbounded kinds: a body with such a piece cannot be dynamic."""


class Piece(NamedTuple):
    """One convex piece in shape coordinates; all arrays are C-contiguous float64."""

    kind: PieceKind
    """Kind of the piece."""
    vertices: FloatArray
    """Corners, see the table above [m] (k, 2)."""
    normals: FloatArray
    """Outward unit normals of the edges (k, 2)."""
    radius: float
    """Rounding radius [m]."""
    outline: FloatArray
    """Rows of `outline.py`, one for each corner (k, 12)."""
    part: int = 0
    """Number of the link of a chain, or of the part of a compound, that it belongs to."""
    material: Material | None = None
    """Material of that part, None for that of the collider."""

    def moved(self, offset: FloatArray) -> "Piece":
        """Return the piece moved by `offset` [m] (2,)."""
        outline, is_arc = self.outline, self.outline[:, OUTLINE.ARC_RADIUS] > 0.0
        if is_arc.any():
            outline = outline.copy()
            outline[is_arc, OUTLINE.ARC_X : OUTLINE.ARC_Y + 1] += offset
        return self._replace(vertices=self.vertices + offset, outline=outline)

    def turned(self, angle: float) -> "Piece":
        """Return the piece rotated about the origin by `angle` [rad]."""
        cosine, sine = cosine_and_sine(angle)

        def turned(vectors: FloatArray) -> FloatArray:
            x, y = vectors[:, 0], vectors[:, 1]
            return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=1)

        outline = self.outline.copy()
        for x in (OUTLINE.ARC_X, OUTLINE.FROM_X, OUTLINE.TO_X):
            outline[:, x : x + 2] = turned(outline[:, x : x + 2])
        return self._replace(vertices=turned(self.vertices), normals=turned(self.normals), outline=outline)


class Hull(NamedTuple):
    """A piece without arcs that is open to contacts all round."""

    kind: PieceKind
    """CIRCLE, CAPSULE or POLYGON."""
    corners: tuple[Vector2, ...]
    """Centre of a circle, ends of a capsule, or three or more counter-clockwise corners of a polygon [m]."""
    radius: float
    """Rounding radius [m]."""

    def piece(self) -> Piece:
        """Return the hull as a piece."""
        vertices = np.array(self.corners)
        if self.kind is PieceKind.CIRCLE:
            return Piece(
                kind=self.kind,
                vertices=vertices,
                normals=np.zeros((1, 2)),
                radius=self.radius,
                outline=of_outline.round_outline(),
            )
        normals = edge_normals(vertices)
        return Piece(
            kind=self.kind,
            vertices=vertices,
            normals=normals,
            radius=self.radius,
            outline=of_outline.plain_outline(normals),
        )


class PieceRows(NamedTuple):
    """Many pieces as columns: p pieces, with their v corners one after the other."""

    kinds: list[int]
    """Kind of each piece (p)."""
    counts: list[int]
    """Number of corners of each piece (p)."""
    radii: list[float]
    """Rounding radius of each piece [m] (p)."""
    vertices: FloatArray
    """Corners [m] (v, 2)."""
    normals: FloatArray
    """Outward unit normals of the edges (v, 2)."""
    outline: FloatArray
    """Outline rows (v, 12)."""
    parts: list[int]
    """Number of the part that each piece belongs to (p)."""
    materials: list[Material | None]
    """Material of each piece, None for that of the collider (p)."""

    @classmethod
    def of(cls, pieces: Sequence[Piece]) -> Self:
        """Return pieces as columns."""
        kinds, vertices, normals, radii, outlines, parts, materials = zip(*pieces, strict=True)
        return cls(
            kinds=list(map(int, kinds)),
            counts=list(map(len, vertices)),
            radii=list(radii),
            vertices=np.concatenate(vertices),
            normals=np.concatenate(normals),
            outline=np.concatenate(outlines),
            parts=list(parts),
            materials=list(materials),
        )

    @classmethod
    def joined(cls, groups: Sequence[Self]) -> Self:
        """Return the pieces of one or more groups as columns; of one group itself."""
        if len(groups) == 1:
            return groups[0]
        kinds, counts, radii, vertices, normals, outlines, parts, materials = zip(*groups, strict=True)
        flat = itertools.chain.from_iterable
        return cls(
            kinds=list(flat(kinds)),
            counts=list(flat(counts)),
            radii=list(flat(radii)),
            vertices=np.concatenate(vertices),
            normals=np.concatenate(normals),
            outline=np.concatenate(outlines),
            parts=list(flat(parts)),
            materials=list(flat(materials)),
        )

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces one by one, as new arrays."""
        stops = np.cumsum(self.counts)[:-1]
        arrays = (np.split(array, stops) for array in (self.vertices, self.normals, self.outline))
        return tuple(
            Piece(
                kind=PieceKind(kind),
                vertices=vertices.copy(),
                normals=normals.copy(),
                radius=radius,
                outline=outline.copy(),
                part=part,
                material=material,
            )
            for kind, radius, vertices, normals, outline, part, material in zip(
                self.kinds, self.radii, *arrays, self.parts, self.materials, strict=True
            )
        )


NO_PIECES = PieceRows(
    kinds=[],
    counts=[],
    radii=[],
    vertices=np.zeros((0, 2)),
    normals=np.zeros((0, 2)),
    outline=np.zeros((0, OUTLINE.WIDTH)),
    parts=[],
    materials=[],
)
"""Columns of no piece."""


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
    outline = of_outline.unbounded_outline(normal, normal, (0.0, 0.0), 0.0)
    return Piece(kind=PieceKind.HALF_PLANE, vertices=normals * offset, normals=normals, radius=0.0, outline=outline)


def ring_piece(center: Vector2, radius: float, first: Vector2, last: Vector2) -> Piece:
    """Return the wedge beyond `radius` [m] from `center` [m], from direction `first` to `last`."""
    outline = of_outline.unbounded_outline(first, last, center, radius)
    return Piece(
        kind=PieceKind.RING, vertices=np.array([center]), normals=np.zeros((1, 2)), radius=0.0, outline=outline
    )


def bounds(piece: Piece) -> tuple[FloatArray, FloatArray]:
    """Return the lower left and upper right corner [m] (2,) of a piece's box, without its radius."""
    scratch = np.empty((len(piece.vertices), measure.SIDE.WIDTH))
    low_x, low_y, high_x, high_y, *_ = measure.measure_piece(
        float(piece.radius), piece.vertices, piece.outline, scratch
    )
    return np.array((low_x, low_y)), np.array((high_x, high_y))


def edge_normals(vertices: FloatArray) -> FloatArray:
    """Return the unit normals (k, 2) to the right of the edges i → i+1 between `vertices` (k, 2), cyclically."""
    normals = np.empty((len(vertices), 2))
    measure.find_normals(np.ascontiguousarray(vertices, np.float64), normals)
    return normals
