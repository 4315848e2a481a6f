"""How a surface goes on at a corner, and which normals the corner allows.

The solid lies to the left of its outline. Where the outline comes in along the unit tangent u and goes out along v, it
turns left by τ = atan2(u × v, u·v), and the angle of free space is π + τ:

    τ >  TA   convex    the corner's normals lie between those of u and v, right(u) and right(v), counter-clockwise
    |τ| <= TA flat      the edges' normals leave no gap worth a contact of its own
    τ < -TA   concave   nothing that touches both sides can touch the corner first

TA keeps two edges of a finely divided curve from adding corners to what is meant to be smooth.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ecs_collide.geometry.angles import angle_of
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.piece import FloatArray, Piece, PieceKind
from ecs_collide.validate import Vector2

ANGLE_TOLERANCE = 1e-3
"""TA [rad]: a surface that turns by less goes on straight."""


class Corner(NamedTuple):
    """How the surface goes on here; for a convex corner its cone of normals and, where it is an arc, the radius [m]."""

    end: float
    first: Vector2 = (0.0, 0.0)
    last: Vector2 = (0.0, 0.0)
    radius: float = 0.0


class Edge(NamedTuple):
    """`EDGE`, `START` and `STOP` of an outline's edge, and the circle [m] of one that bends inwards."""

    cover: float
    start: float = of_outline.CONVEX
    stop: float = of_outline.CONVEX
    arc_center: Vector2 = (0.0, 0.0)
    arc_radius: float = 0.0


NO_CORNER = Corner(of_outline.FLAT)
"""A vertex that gives no contacts of its own."""

COVERED_EDGE, JOINT_EDGE = Edge(of_outline.COVERED), Edge(of_outline.JOINT)


def turn_between(incoming: Vector2, outgoing: Vector2) -> float:
    """Return the angle [rad] in [-π, π] by which an outline turns left between two unit tangents."""
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
    """Return `direction`, turned clockwise by a right angle: the outward normal of an edge."""
    return direction[1], -direction[0]


def outline_piece(vertices: FloatArray, normals: FloatArray, edges: Sequence[Edge], corners: Sequence[Corner]) -> Piece:
    """Return the piece with `vertices` [m] (k, 2), edge `normals` (k, 2), and an edge and a corner for each vertex."""
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
    return Piece(PieceKind.OUTLINE, vertices, normals, 0.0, np.array(rows))
