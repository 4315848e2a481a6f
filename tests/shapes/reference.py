"""Slow references: mass properties of a piece by way of shapely, and the point set that a piece stands for."""

import math
from collections.abc import Iterable

import numpy as np
import shapely

from ecs_collide.shapes import MassProperties, Piece, PieceKind
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.shapes.piece import FloatArray
from ecs_collide.validate import Vector2

QUADRANT_SEGMENTS = 1024
"""Inscribed polygon in place of each quarter circle: its area is 4e-7 too small."""

ARC_SEGMENTS = 400
"""In place of each radian of an arc, off by 8e-7 of the radius; at least 300, as flat arcs have large radii."""


def outline_of(piece: Piece) -> shapely.Polygon:
    """Return the piece as a shapely polygon."""
    core: shapely.Geometry
    if piece.kind == PieceKind.CIRCLE:
        core = shapely.Point(piece.vertices[0])
    elif piece.kind == PieceKind.CAPSULE:
        core = shapely.LineString(piece.vertices)
    elif piece.kind == PieceKind.OUTLINE:
        core = outlined(piece)
    else:
        core = shapely.Polygon(piece.vertices)
    grown = shapely.buffer(core, piece.radius, quad_segs=QUADRANT_SEGMENTS) if piece.radius else core
    assert isinstance(grown, shapely.Polygon)
    return grown


def outlined(piece: Piece) -> shapely.Polygon:
    """Return a piece of kind OUTLINE as a shapely polygon: in order, its corners and points on its arcs."""
    points: list[Vector2] = []
    for index, (vertex, row) in enumerate(zip(piece.vertices, piece.outline, strict=True)):
        following = piece.vertices[(index + 1) % len(piece.vertices)]
        if row[OUTLINE.CORNER_RADIUS] > 0.0:
            points.extend(
                arc_points(
                    vertex,
                    row[OUTLINE.CORNER_RADIUS],
                    row[OUTLINE.FROM_X : OUTLINE.FROM_Y + 1],
                    row[OUTLINE.TO_X : OUTLINE.TO_Y + 1],
                )
            )
        else:
            points.append((float(vertex[0]), float(vertex[1])))
        if row[OUTLINE.ARC_RADIUS] > 0.0:
            center = row[OUTLINE.ARC_X : OUTLINE.ARC_Y + 1]
            backwards = arc_points(center, row[OUTLINE.ARC_RADIUS], following - center, vertex - center)
            points.extend(backwards[::-1])
    return shapely.Polygon(points)


def arc_points(center: FloatArray, radius: float, first: FloatArray, last: FloatArray) -> list[Vector2]:
    """Return points on a circle between two directions, counter-clockwise, without the ends."""
    start = math.atan2(first[1], first[0])
    turn = (math.atan2(last[1], last[0]) - start) % (2.0 * math.pi)
    angles = start + turn * np.linspace(0.0, 1.0, max(round(turn * ARC_SEGMENTS), 300))[1:-1]
    x, y = center[0] + radius * np.cos(angles), center[1] + radius * np.sin(angles)
    return list(zip(x.tolist(), y.tolist(), strict=True))


def mass_properties_of(pieces: Iterable[Piece]) -> MassProperties:
    """Integrate over the triangles from a point to each edge; edge midpoints integrate quadratics exactly."""
    area, first_moment, about_origin = 0.0, np.zeros(2), 0.0
    for piece in pieces:
        a = np.array(shapely.geometry.polygon.orient(outline_of(piece)).exterior.coords)[:-1]
        b = np.roll(a, -1, axis=0)
        areas = 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
        squares = [(middle * middle).sum(axis=1) for middle in (0.5 * a, 0.5 * b, 0.5 * (a + b))]
        area += float(areas.sum())
        first_moment += areas @ (a + b) / 3.0
        about_origin += float(areas @ np.mean(squares, axis=0))
    x, y = (first_moment / area).tolist()
    return MassProperties(area, (x, y), about_origin - area * (x * x + y * y))
