"""What a piece says of each of its corners, and of the edge from it to the next: the one form that all stages read.

The rows stand beside the vertices and the edge normals of `piece.py`, one for each corner of a piece of any kind. So
only the pair table has to know kinds: what is an edge, an arc, open or without end is said here.

A corner is where the solid has no edge normal: the normals between those of the two edges that meet. It may be an arc:
then its vertex is the arc's centre, and the corner reaches `CORNER_RADIUS` from it in the directions between `FROM` and
`TO`. The ends of such an arc are corners of their own, and joints, edges without length, lead to and from it.

An edge may be an arc that bends inwards: the solid ends at the circle of `ARC_RADIUS` around `ARC`, which passes
through both ends. A straight edge has `ARC_RADIUS` 0.

A piece of one corner has no edge with ends. A circle's is a joint, and its corner faces everywhere: `FROM` and `TO` are
0. An edge of a piece of one corner that is no joint has no end, and its corner gives no contacts: the line of a
half-plane, or the arc of a ring's wedge around the corner itself, in the directions between `FROM` and `TO`.

Where another piece of the same body, or of another body that does not move, covers an edge, nothing can come from
that side: a covered edge gives no contact. A corner gives contacts only in the directions between `FROM` and `TO`, and
none where `CORNER` is 0, which it is where the surface goes on straight (flat) or turns inwards (concave). An edge is
covered from end to end or not at all.
"""

from typing import Any, TypeAlias

import numpy as np

from ecs_collide.kernels.layout import layout
from ecs_collide.validate import Vector2

FloatArray: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

OUTLINE = layout(
    "piece outline",
    EDGE="edge to the next corner: `JOINT`, `COVERED` or `EXPOSED`",
    START="how the surface continues at the edge's start: `CONVEX`, `FLAT` or `CONCAVE`",
    STOP="how the surface continues at the edge's end: `CONVEX`, `FLAT` or `CONCAVE`",
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

JOINT, COVERED, EXPOSED = -1.0, 0.0, 1.0
"""`EDGE`: no length, covered, or open to contacts."""

CONVEX, FLAT, CONCAVE = 0.0, 1.0, 2.0
"""`START` and `STOP`: how the surface goes on at the edge's two ends."""


def plain_outline(normals: FloatArray) -> FloatArray:
    """Return the outline (k, 12) of a polygon or capsule with edge `normals` (k, 2): all straight and exposed."""
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
    outline[0, [OUTLINE.EDGE, OUTLINE.CORNER]] = JOINT, 1.0
    return outline


def endless_outline(first: Vector2, last: Vector2, arc_center: Vector2, arc_radius: float) -> FloatArray:
    """Return the outline (1, 12) of an edge without end, between two directions; `arc_radius` [m] 0 for a line."""
    outline = np.zeros((1, OUTLINE.WIDTH))
    outline[0, [OUTLINE.EDGE, OUTLINE.ARC_X, OUTLINE.ARC_Y, OUTLINE.ARC_RADIUS]] = EXPOSED, *arc_center, arc_radius
    outline[0, [OUTLINE.FROM_X, OUTLINE.FROM_Y, OUTLINE.TO_X, OUTLINE.TO_Y]] = *first, *last
    return outline
