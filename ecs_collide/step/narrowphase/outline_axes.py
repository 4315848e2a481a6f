"""Separating axes of outlines: along edge normals, and along the line between two corners that face each other.

The signed distance of two convex pieces is the greatest separation over all normals (PC "SAT", row 12). Corners may be
arcs. The distance then lies along an edge normal of either piece, or along the line between two corners that both face
that way: |c_b - c_a| - r_a - r_b.

The same maximum over the exposed edges and corners alone gives the contact's normal (row 13), where
`allowed_normals.py` allows it. A corner that another piece covers is left to that piece. So each search returns two
results: the separation over everything, and the axis that may give a contact.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import outline as of_outline
from ecs_collide.step.narrowphase import (
    allowed_normals as covering,
    joined_ends,
    pair_manifold as manifold,
    piece_corners as corners,
    thin_side,
)
from ecs_collide.step.narrowphase.outline_edges import NOTHING, Axis, arc_gap, distance_past_ends, straight_gap

CORNER_TIE = 1e-9
"""Fraction of the reach by which two corners must be better than an edge, which may give two points.

Against a circle, which has no edge, a corner may be worse by as much.
"""


@device
def best_edge(side, other, relative, old_x, old_y, limit, reach, allowed, other_allowed, pieces):
    """Return the greatest separation [m] over all edges of a piece, and the best edge that may give a contact.

    (`old_x`, `old_y`) is the normal to keep to, or (0, 0), see `thin_side.py`. `allowed` restricts the normals of this
    piece, `other_allowed` those of the other. The search stops at a separation above `limit`. If no edge may give a
    contact, `contact` of the second result is `NOTHING`. The third result is the best edge whose contact is left to a
    neighbour of the other piece. The fourth is the greatest separation of edges that lead to the other side.
    """
    middle_x, middle_y = covering.middle_of(other, relative)
    greatest, other_side = NOTHING, NOTHING
    best = left = no_axis(side, other)
    best_place = 1e300
    for k in range(side.start, side.stop):
        state = corners.edge_state(side, k, pieces)
        if state == of_outline.ZERO_LENGTH:
            continue
        if corners.is_hollow(side, k, pieces):
            axis = arc_gap(side, k, other, relative, pieces)
        else:
            axis = straight_gap(side, k, other, relative, pieces)
        along = axis.normal_x * old_x + axis.normal_y * old_y
        if along < thin_side.OTHER_SIDE:
            other_side = max(other_side, axis.separation)
            continue
        is_kept = along > thin_side.SAME_SIDE
        greatest = max(greatest, axis.separation)
        if greatest > limit:
            break
        if state != of_outline.EXPOSED or axis.rank < best.rank - CORNER_TIE * reach:
            continue
        if not joined_ends.end_allows(allowed.end, axis.normal_x, axis.normal_y, pieces):
            continue
        away_x, away_y = rotate_vector_back(relative, -axis.normal_x, -axis.normal_y)
        if not joined_ends.end_allows(other_allowed.end, away_x, away_y, pieces):
            continue
        # of edges in line with a covered edge between them, prefer the one below the other piece
        place = distance_past_ends(side, k, middle_x, middle_y, pieces)
        if axis.rank <= best.rank + CORNER_TIE * reach and place >= best_place:
            continue
        if allowed.is_guarded and not (
            is_kept or covering.came_through_edge(side, axis, other, middle_x, middle_y, reach, pieces)
        ):
            continue
        if covering.is_below_surface(side, k, middle_x, middle_y, pieces):
            continue
        if covering.is_flank_below_surface(side, axis, other, relative, pieces):
            continue
        if other_allowed.is_guarded and not (
            is_kept or covering.may_penetrate(side, axis, other, middle_x, middle_y, relative, reach, pieces)
        ):
            continue
        if not may_touch_corner(other, axis.corner, axis, relative, pieces):
            if axis.rank > left.rank:
                left = axis
            near = side.radius + other.radius + reach
            highest = min(near, axis.rank + 2.0 * reach) if axis.rank <= near else axis.rank + reach
            if not may_touch_next_corner(side, axis, other, relative, highest, pieces):
                continue
        best, best_place = axis, place
    return greatest, best, left, other_side


@device
def no_axis(side, other):
    """Return an axis that gives no contact."""
    return Axis(
        separation=NOTHING,
        contact=NOTHING,
        rank=NOTHING,
        highest=0.0,
        edge=side.start,
        corner=other.start,
        normal_x=0.0,
        normal_y=0.0,
    )


@device
def may_touch_corner(other, corner, axis, relative, pieces):
    """Return True if a corner of the other piece may give a contact with the normal of an axis."""
    local_x, local_y = rotate_vector_back(relative, -axis.normal_x, -axis.normal_y)
    return other.is_plain or corners.corner_allows(other, corner, local_x, local_y, pieces)


@device
def may_touch_next_corner(side, axis, other, relative, highest, pieces):
    """Return True if the flattest edge at the closest corner has another corner, at most `highest` [m] above the edge.

    The closest corner then belongs to a neighbour where the surface continues flat: both carry a body that lies on
    them, or that lands on them so fast that it is deep at first.
    """
    if corners.is_hollow(side, axis.edge, pieces):
        return False
    local_x, local_y = rotate_vector_back(relative, axis.normal_x, axis.normal_y)
    corner, has_corner = corners.flattest_neighbour(other, axis.corner, local_x, local_y, pieces)
    if not has_corner or not corners.is_corner(other, corner, pieces):
        return False
    x, y = manifold.to_axes_of_a(relative, pieces.vertices, corner)
    x, y = x - pieces.vertices[axis.edge, X], y - pieces.vertices[axis.edge, Y]
    return x * axis.normal_x + y * axis.normal_y <= highest


class Corners(NamedTuple):
    """Two corners that face each other: separation [m], the corners, normal in A's axes."""

    separation: float
    corner_a: int
    corner_b: int
    normal_x: float
    normal_y: float


@device
def no_corners(a, b):
    """Return two corners that give no contact."""
    return Corners(separation=NOTHING, corner_a=a.start, corner_b=b.start, normal_x=0.0, normal_y=0.0)


@device
def best_corners(a, b, relative, seen_from_b, old_x, old_y, reach, guarded_a, guarded_b, pieces):
    """Return the greatest separation [m] of corners that face each other, and the best two that may give a contact."""
    middle_x, middle_y = covering.middle_of(b, relative)
    greatest = NOTHING
    best = no_corners(a, b)
    for j in range(b.start, b.stop):
        corner_x, corner_y = manifold.to_axes_of_a(relative, pieces.vertices, j)
        radius_b = corners.corner_radius(b, j, pieces)
        for i in range(a.start, a.stop):
            dx, dy = corner_x - pieces.vertices[i, X], corner_y - pieces.vertices[i, Y]
            distance = sqrt(dx * dx + dy * dy)
            separation = distance - radius_b - corners.corner_radius(a, i, pieces)
            if distance == 0.0 or separation <= best.separation:
                continue
            x, y = dx / distance, dy / distance
            if not corners.is_closest(a, i, dx, dy, x, y, pieces):
                continue
            local_x, local_y = rotate_vector_back(relative, -x, -y)
            if not corners.is_closest(b, j, distance * local_x, distance * local_y, local_x, local_y, pieces):
                continue
            greatest = max(greatest, separation)
            if x * old_x + y * old_y < thin_side.OTHER_SIDE:
                continue
            if not (
                (a.is_bare or corners.corner_allows(a, i, x, y, pieces))
                and (b.is_bare or corners.corner_allows(b, j, local_x, local_y, pieces))
            ):
                continue
            in_front_a = (middle_x - pieces.vertices[i, X]) * x + (middle_y - pieces.vertices[i, Y]) * y
            if guarded_a and not covering.came_over_corner(a, i, b, relative, in_front_a, reach, pieces):
                continue
            in_front_b = (corner_x - a.x) * x + (corner_y - a.y) * y
            if guarded_b and not covering.came_over_corner(b, j, a, seen_from_b, in_front_b, reach, pieces):
                continue
            best = Corners(separation=separation, corner_a=i, corner_b=j, normal_x=x, normal_y=y)
    return greatest, best
