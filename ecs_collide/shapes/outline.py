"""Outlines: the description of the corners and edges of a piece, which all stages read.

Outline rows are stored beside the vertices and edge normals of `piece.py`, one for each corner of a piece of any kind.
Thus only the pair table depends on kinds. Edges, arcs, hidden and unbounded edges are defined here.

A corner is a point of the solid without an edge normal: its normals are those between the normals of its two edges. It
may be an arc. Its vertex is then the arc's centre, and the corner reaches `CORNER_RADIUS` from it in the directions
between `FROM` and `TO`. The ends of such an arc are corners of their own. Edges of no length lead to and from it.

An edge may be an arc that bends inwards (a hollow edge): the solid ends at the circle of `ARC_RADIUS` around `ARC`,
which passes through both ends. A straight edge has `ARC_RADIUS` 0.

A piece of one corner has no edge with ends. The edge of a circle has no length, and its corner faces everywhere: `FROM`
and `TO` are 0. Any other edge of a piece of one corner is unbounded, and its corner gives no contacts. It is the line
of a half-plane, or the arc of a ring's wedge around the corner, in the directions between `FROM` and `TO`.

If another piece of the same body, or of another static body, covers an edge, no body can come from that side. The edge
is hidden and gives no contact. An edge is hidden as a whole or not at all. A corner gives contacts only in the
directions between `FROM` and `TO`. It gives none if `CORNER` is 0, because the surface is flat or concave there.

A line that is solid from one side has a front, its first edge, and a back, its last one. The back lets everything pass.

The states of edges and corners stand in the same float row as the lengths. A row is the unit that shapes, seams and
contours copy, cut and compare, and the seams' tables must equal a full rebuild to the bit.
"""

from typing import Any, TypeAlias

import numpy as np

from ecs_collide.kernels.layout import layout
from ecs_collide.validate import Vector2

FloatArray: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

OUTLINE = layout(
    "piece outline",
    EDGE="edge to the next corner: `ZERO_LENGTH`, `HIDDEN`, `EXPOSED` or `BACK`",
    START="surface at the edge's start: `CONVEX`, `FLAT` or `CONCAVE`",
    STOP="surface at the edge's end: `CONVEX`, `FLAT` or `CONCAVE`",
    ARC_X="centre of the edge's arc, x [m]",
    ARC_Y="centre of the edge's arc, y [m]",
    ARC_RADIUS="radius of the edge's arc, 0 for a straight edge [m]",
    CORNER="1 if the corner gives contacts",
    FROM_X="first normal of the corner, x",
    FROM_Y="first normal of the corner, y",
    TO_X="last normal of the corner, counter-clockwise, x",
    TO_Y="last normal of the corner, counter-clockwise, y",
    CORNER_RADIUS="radius of a corner that is an arc, else 0 [m]",
)

ZERO_LENGTH, HIDDEN, EXPOSED, BACK = -1.0, 0.0, 1.0, 2.0
"""Values of `EDGE`: no length, hidden by another piece, open to contacts, or the back of a one-sided line."""

CONVEX, FLAT, CONCAVE = 0.0, 1.0, 2.0
"""Values of `START` and `STOP`: form of the surface at the edge's two ends."""


def plain_outline(normals: FloatArray) -> FloatArray:
    """Return the outline (k, 12) of a polygon or capsule with edge `normals` (k, 2): all edges straight and exposed."""
    outline = np.zeros((len(normals), OUTLINE.WIDTH))
    outline[:, OUTLINE.EDGE] = EXPOSED
    outline[:, OUTLINE.CORNER] = 1.0
    outline[1:, OUTLINE.FROM_X : OUTLINE.FROM_Y + 1] = normals[:-1]
    outline[0, OUTLINE.FROM_X : OUTLINE.FROM_Y + 1] = normals[-1]
    outline[:, OUTLINE.TO_X : OUTLINE.TO_Y + 1] = normals
    return outline


def round_outline() -> FloatArray:
    """Return the outline (1, 12) of a circle: one corner that faces everywhere."""
    outline = np.zeros((1, OUTLINE.WIDTH))
    outline[0, [OUTLINE.EDGE, OUTLINE.CORNER]] = ZERO_LENGTH, 1.0
    return outline


def unbounded_outline(first: Vector2, last: Vector2, arc_center: Vector2, arc_radius: float) -> FloatArray:
    """Return the outline (1, 12) of an unbounded edge between two directions.

    `arc_radius` is 0 for a line [m].
    """
    row = [0.0] * OUTLINE.WIDTH
    row[OUTLINE.EDGE], row[OUTLINE.ARC_RADIUS] = EXPOSED, arc_radius
    row[OUTLINE.ARC_X], row[OUTLINE.ARC_Y] = arc_center
    row[OUTLINE.FROM_X], row[OUTLINE.FROM_Y] = first
    row[OUTLINE.TO_X], row[OUTLINE.TO_Y] = last
    return np.array([row])
