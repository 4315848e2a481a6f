"""The normals that a contact may have where other pieces cover parts of a piece.

The other piece must have entered through the edge or corner that gives the normal. So its centre is on that side, and
it is not wholly behind. Otherwise a far corner of an inner tile would throw a box off a floor of tiles. These
conditions do not apply if the other piece's centre is inside.

No condition uses the depth of overlap: the only way out of a floor without thickness is the way in.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.geometry.pose import rotate_vector_back, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase import joined_ends, outline_edges, pair_manifold as manifold, piece_corners as corners

FLAT_AGAINST = 0.999
"""Cosine from which an edge lies flat against another one."""


class AllowedNormals(NamedTuple):
    """Restrictions on the normals of a piece against the other piece of its pair."""

    is_guarded: bool
    """True if normals come only from the side of the other's centre."""
    end: int
    """Corner that is all the other may meet, or `NO_END`, see `joined_ends.py`."""


@device
def find_allowed_normals(side, other, relative, old_x, old_y, reach, pieces):
    """Return the restrictions on a piece's normals; (`old_x`, `old_y`) is the pair's normal in the last step."""
    x, y = middle_of(other, relative)
    return AllowedNormals(
        is_guarded=is_guarded_against(side, other, relative, pieces),
        end=joined_ends.only_end_met(side, other, relative, x, y, old_x, old_y, reach, pieces),
    )


@device
def is_guarded_against(side, other, relative, pieces):
    """Return True if a piece with a covered part takes normals only from the side of the other's centre.

    That is so if the centre is outside the piece.
    """
    if not side.is_guarded:
        return False
    x, y = middle_of(other, relative)
    return is_outside(side, x, y, 0.0, pieces)


@device
def middle_of(other, relative):
    """Return the centre of the other piece in this body's axes [m]."""
    return transform_point(relative, other.x, other.y)


@device
def is_outside(side, x, y, margin, pieces):
    """Return True if a point is more than `margin` [m] in front of any edge or arc of a piece's hull."""
    for k in range(side.start, side.stop):
        if (
            corners.edge_state(side, k, pieces) != of_outline.ZERO_LENGTH
            and outline_edges.distance_in_front(side, k, x, y, pieces) > margin
        ):
            return True
        radius = corners.corner_radius(side, k, pieces)
        if radius > 0.0:
            dx, dy = x - pieces.vertices[k, X], y - pieces.vertices[k, Y]
            distance = sqrt(dx * dx + dy * dy)
            if distance > radius + margin and corners.corner_faces(side, k, dx / distance, dy / distance, pieces):
                return True
    return False


@device
def came_through_edge(side, axis, other, middle_x, middle_y, reach, pieces):
    """Return True if the other piece is in front of the edge of a guarded piece's axis, and not wholly behind.

    `middle_x` and `middle_y` are its centre. A piece with its centre in front of a straight edge is not wholly behind.
    The centre of a rod is level with its ends, so it may lie behind the edge by the reach.
    """
    margin = reach if other.is_thin else 0.0
    return (
        axis.highest + other.radius + side.radius >= -margin
        and outline_edges.distance_in_front(side, axis.edge, middle_x, middle_y, pieces) > -margin
    )


@device
def is_below_surface(side, k, middle_x, middle_y, pieces):
    """Return True if edge k is out of reach of a piece with this centre, because a flat surface spans its end.

    The sides of tiles that share only a corner are exposed. Yet no body on the floor that their tops form has entered
    between them. At the corner the end of the top is flat, and the side lies hidden in the wedge below.
    """
    before, after = corners.corner_before(side, k), corners.corner_after(side, k)
    return (
        corners.end_state(side, k, OUTLINE.START, pieces) == of_outline.CONCAVE
        and corners.end_state(side, before, OUTLINE.STOP, pieces) == of_outline.FLAT
        and outline_edges.distance_in_front(side, before, middle_x, middle_y, pieces) > 0.0
    ) or (
        corners.end_state(side, k, OUTLINE.STOP, pieces) == of_outline.CONCAVE
        and corners.end_state(side, after, OUTLINE.START, pieces) == of_outline.FLAT
        and outline_edges.distance_in_front(side, after, middle_x, middle_y, pieces) > 0.0
    )


@device
def is_flank_below_surface(side, axis, other, relative, pieces):
    """Return True if the other piece's edge that lies flat against the axis's edge is out of reach of this piece.

    So the side of a block, on whose top the surface of a one-sided line goes on, does not stop what slides there.
    """
    if other.is_plain:
        return False
    away_x, away_y = rotate_vector_back(relative, -axis.normal_x, -axis.normal_y)
    middle_x, middle_y = rotate_vector_back(relative, side.x - relative.x, side.y - relative.y)
    for k in (axis.corner, corners.corner_before(other, axis.corner)):
        along = pieces.normals[k, X] * away_x + pieces.normals[k, Y] * away_y
        if along > FLAT_AGAINST and is_below_surface(other, k, middle_x, middle_y, pieces):
            return True
    return False


@device
def may_penetrate(side, axis, other, middle_x, middle_y, relative, reach, pieces):
    """Return True if the corner of a guarded piece that is closest to an edge may penetrate it.

    A piece with its centre in front of the edge may penetrate to any depth, but not beside the edge unless the surface
    continues flat there. The corner of any other piece must lie inside the edge's piece. `middle_x` and `middle_y` are
    the guarded piece's centre.
    """
    x, y = manifold.to_axes_of_a(relative, pieces.vertices, axis.corner)
    radius = corners.corner_radius(other, axis.corner, pieces)
    x, y = x - radius * axis.normal_x, y - radius * axis.normal_y
    if outline_edges.distance_in_front(side, axis.edge, middle_x, middle_y, pieces) > 0.0:
        before, behind = outline_edges.overhang(side, axis.edge, x, y, pieces)
        end, past = (OUTLINE.START, before) if before > behind else (OUTLINE.STOP, behind)
        return past <= side.radius + reach or corners.end_state(side, axis.edge, end, pieces) == of_outline.FLAT
    in_front = (x - side.x) * axis.normal_x + (y - side.y) * axis.normal_y
    return in_front > -reach and not is_outside(side, x, y, side.radius + reach, pieces)


@device
def came_over_corner(side, k, other, relative, in_front, reach, pieces):
    """Return True if the other piece entered over corner k of a guarded piece.

    `in_front` is the distance of the other's centre in front of the corner [m].
    """
    return in_front > corners.corner_radius(side, k, pieces) - reach and not is_within(side, k, other, relative, pieces)


@device
def is_within(side, k, other, relative, pieces):
    """Return True if all of the other piece lies inside the circle of arc k."""
    radius = corners.corner_radius(side, k, pieces)
    if radius == 0.0:
        return False
    for j in range(other.start, other.stop):
        x, y = manifold.to_axes_of_a(relative, pieces.vertices, j)
        x, y = x - pieces.vertices[k, X], y - pieces.vertices[k, Y]
        if sqrt(x * x + y * y) + corners.corner_radius(other, j, pieces) + other.radius > radius:
            return False
    return True
