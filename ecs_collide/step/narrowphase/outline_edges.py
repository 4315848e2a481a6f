"""The distance of one piece in front of an edge of another.

Corners may be arcs, so the separation along an edge's normal is that of the corner that comes closest. An inward arc
(row 15) replaces its edge's normal: every corner of the other piece in its span is R - |c - o| - r away.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.geometry.edge import over_edge
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.step.narrowphase.pair_manifold import to_axes_of_a
from ecs_collide.step.narrowphase.piece_corners import (
    corner_after,
    corner_faces,
    corner_radius,
    hollow_gap,
    is_hollow,
    lowest_corner,
)

NOTHING = -1e300
"""Separation of an axis that gives no contact."""


class Axis(NamedTuple):
    """An edge of a piece as a separating axis: separations [m], closest corner of the other piece, normal in own axes.

    `separation` counts all corners. `contact` is that of the corner to touch: for an inward arc, the closest one in its
    span. `highest` is the distance that the other piece's corners reach in front of an inward arc [m], 0 for a straight
    edge.
    """

    separation: float
    contact: float
    rank: float
    """The lesser of both, by which axes compare: a corner behind an arc counts more than one in its span."""
    highest: float
    edge: int
    corner: int
    normal_x: float
    normal_y: float


@device
def straight_gap(side, k, other, relative, pieces):
    """Return a straight edge as an axis; `relative` is the pose of the other body relative to this one."""
    normal_x, normal_y = pieces.normals[k, X], pieces.normals[k, Y]
    local_x, local_y = rotate_vector_back(relative, normal_x, normal_y)
    height, corner = lowest_corner(other, local_x, local_y, pieces)
    x, y = relative.x - pieces.vertices[k, X], relative.y - pieces.vertices[k, Y]
    gap = height + (x * normal_x + y * normal_y)
    return Axis(
        separation=gap,
        contact=gap,
        rank=gap,
        highest=0.0,
        edge=k,
        corner=corner,
        normal_x=normal_x,
        normal_y=normal_y,
    )


@device
def arc_gap(side, k, other, relative, pieces):
    """Return an inward arc as an axis; outside the arc's span its chord is used."""
    chord_x, chord_y = pieces.normals[k, X], pieces.normals[k, Y]
    best = Axis(
        separation=1e300,
        contact=NOTHING,
        rank=NOTHING,
        highest=0.0,
        edge=k,
        corner=other.start,
        normal_x=chord_x,
        normal_y=chord_y,
    )
    lowest, highest, contact = 1e300, -1e300, 1e300
    for corner in range(other.start, other.stop):
        x, y = to_axes_of_a(relative, pieces.vertices, corner)
        gap, normal_x, normal_y, in_span = hollow_gap(side, k, x, y, pieces)
        if not in_span:
            normal_x, normal_y = chord_x, chord_y
            gap = (x - pieces.vertices[k, X]) * chord_x + (y - pieces.vertices[k, Y]) * chord_y
        radius = corner_radius(other, corner, pieces)
        if radius > 0.0:
            local_x, local_y = rotate_vector_back(relative, normal_x, normal_y)
            if not corner_faces(other, corner, -local_x, -local_y, pieces):
                continue
            gap -= radius
        lowest, highest = min(lowest, gap), max(highest, gap + 2.0 * radius)
        if in_span and gap < contact:
            contact = gap
            best = Axis(
                separation=lowest,
                contact=gap,
                rank=gap,
                highest=0.0,
                edge=k,
                corner=corner,
                normal_x=normal_x,
                normal_y=normal_y,
            )
    rank = min(lowest, best.contact)
    return Axis(
        separation=lowest,
        contact=best.contact,
        rank=rank,
        highest=highest,
        edge=k,
        corner=best.corner,
        normal_x=best.normal_x,
        normal_y=best.normal_y,
    )


@device
def distance_in_front(side, k, x, y, pieces):
    """Return the distance of a point in front of edge k [m]."""
    if is_hollow(side, k, pieces):
        gap, _, _, in_span = hollow_gap(side, k, x, y, pieces)
        if in_span:
            return gap
    vertices, normals = pieces.vertices, pieces.normals
    _, height = over_edge(vertices[k, X], vertices[k, Y], normals[k, X], normals[k, Y], x, y)
    return height


@device
def overhang(side, k, x, y, pieces):
    """Return the distances of a point before the start of edge k and behind its end [m], negative between them."""
    vertices, after = pieces.vertices, corner_after(side, k)
    normal_x, normal_y = pieces.normals[k, X], pieces.normals[k, Y]
    place, _ = over_edge(vertices[k, X], vertices[k, Y], normal_x, normal_y, x, y)
    behind, _ = over_edge(vertices[after, X], vertices[after, Y], normal_x, normal_y, x, y)
    return -place, behind


@device
def distance_past_ends(side, k, x, y, pieces):
    """Return the distance of a point past the ends of edge k [m], 0 between them."""
    before, behind = overhang(side, k, x, y, pieces)
    return max(before, behind, 0.0)
