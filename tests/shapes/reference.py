"""Slow references: mass properties of a piece by way of shapely, and the point set that a piece stands for."""

import numpy as np
import shapely

from ecs_collide.shapes import MassProperties, Piece, PieceKind

QUADRANT_SEGMENTS = 1024
"""Inscribed polygon in place of each quarter circle: its area is 4e-7 too small."""


def outline_of(piece: Piece) -> shapely.Polygon:
    """Return the piece as a shapely polygon."""
    core: shapely.Geometry
    if piece.kind == PieceKind.CIRCLE:
        core = shapely.Point(piece.vertices[0])
    elif piece.kind == PieceKind.CAPSULE:
        core = shapely.LineString(piece.vertices)
    else:
        core = shapely.Polygon(piece.vertices)
    grown = shapely.buffer(core, piece.radius, quad_segs=QUADRANT_SEGMENTS) if piece.radius else core
    assert isinstance(grown, shapely.Polygon)
    return grown


def mass_properties_of(piece: Piece) -> MassProperties:
    """Integrate over the triangles from the centroid to each edge; edge midpoints integrate quadratics exactly."""
    outline = outline_of(piece)
    centroid = np.array(outline.centroid.coords[0])
    a = np.array(outline.exterior.coords)[:-1] - centroid
    b = np.roll(a, -1, axis=0)
    areas = 0.5 * np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    squares = [(middle * middle).sum(axis=1) for middle in (0.5 * a, 0.5 * b, 0.5 * (a + b))]
    second_moment = float(areas @ np.mean(squares, axis=0))
    return MassProperties(outline.area, (float(centroid[0]), float(centroid[1])), second_moment)
