"""The form of a surface at a corner, and the contact normals that the corner allows.

The solid lies to the left of its outline. With the incoming unit tangent u and the outgoing one v, the outline turns
left by τ = atan2(u × v, u·v). The angle of free space is π + τ:

    τ >  TA   convex    the corner's normals lie between those of u and v, right(u) and right(v), counter-clockwise
    |τ| <= TA flat      the edges' normals leave no gap that needs a contact of its own
    τ < -TA   concave   a body that touches both sides cannot touch the corner first

TA prevents corners on finely divided curves, which are meant to be smooth.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ecs_collide.geometry.angles import angle_of
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.piece import FloatArray, Piece, PieceKind
from ecs_collide.validate import Vector2

ANGLE_TOLERANCE = 1e-3
"""Greatest turn of a surface that counts as flat, TA [rad]."""


class Corner(NamedTuple):
    """The form of the surface at a corner."""

    end: float
    """CONVEX, FLAT or CONCAVE."""
    first: Vector2 = (0.0, 0.0)
    """First normal of a convex corner, counter-clockwise."""
    last: Vector2 = (0.0, 0.0)
    """Last normal of a convex corner."""
    radius: float = 0.0
    """Radius if the corner is an arc, else 0 [m]."""


class Edge(NamedTuple):
    """An edge of an outline: its state, the surface at its ends, and the circle of an inward arc."""

    cover: float
    """State of the edge: `EDGE` of an outline row."""
    start: float = of_outline.CONVEX
    """Form of the surface at the start of the edge."""
    stop: float = of_outline.CONVEX
    """Form of the surface at the end of the edge."""
    arc_center: Vector2 = (0.0, 0.0)
    """Centre of an inward arc [m]."""
    arc_radius: float = 0.0
    """Radius of an inward arc, 0 for a straight edge [m]."""


NO_CORNER = Corner(of_outline.FLAT)
"""A vertex without contacts of its own."""

HIDDEN_EDGE, ZERO_LENGTH_EDGE = Edge(of_outline.HIDDEN), Edge(of_outline.ZERO_LENGTH)
BACK_EDGE = Edge(of_outline.BACK)
"""The back of a one-sided line."""


def turn_between(incoming: Vector2, outgoing: Vector2) -> float:
    """Return the left turn of an outline between two unit tangents, in [-π, π] [rad]."""
    (ax, ay), (bx, by) = incoming, outgoing
    turn: float = angle_of(ax * bx + ay * by, ax * by - ay * bx)
    return turn


def corner(incoming: Vector2, outgoing: Vector2, turn: float) -> Corner:
    """Return the corner between two unit tangents of an outline that turns left by `turn` [rad] there."""
    if turn > ANGLE_TOLERANCE:
        return Corner(of_outline.CONVEX, right_of(incoming), right_of(outgoing))
    return Corner(of_outline.FLAT if turn >= -ANGLE_TOLERANCE else of_outline.CONCAVE)


def exposed_edge(start: Corner, stop: Corner) -> Edge:
    """Return a straight edge that is open to contacts, between two corners."""
    return Edge(of_outline.EXPOSED, start.end, stop.end)


def right_of(direction: Vector2) -> Vector2:
    """Return `direction` rotated clockwise by a right angle: the outward normal of an edge."""
    return direction[1], -direction[0]


def outline_piece(vertices: FloatArray, normals: FloatArray, edges: Sequence[Edge], corners: Sequence[Corner]) -> Piece:
    """Return the piece with the given corners.

    Args:
        vertices: corners [m] (k, 2).
        normals: outward unit normals of the edges (k, 2).
        edges: edge from each vertex to the next.
        corners: corner at each vertex.
    """
    rows = [
        (
            *edge[:3],
            *edge.arc_center,
            edge.arc_radius,
            float(at.end == of_outline.CONVEX),
            *at.first,
            *at.last,
            at.radius,
        )
        for edge, at in zip(edges, corners, strict=True)
    ]
    return Piece(kind=PieceKind.OUTLINE, vertices=vertices, normals=normals, radius=0.0, outline=np.array(rows))
