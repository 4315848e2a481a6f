"""Which normals may be had where parts of a piece are covered.

The other piece must have come in through the edge or corner that gives the normal: its middle is on that side, and it
is not wholly behind. Otherwise a far corner of an inner tile would throw a box off a floor of tiles. None of this is
asked where the other piece's middle is inside.

Nothing here asks how deep the two are in each other: from a floor without thickness the only way out is the way in.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.geometry.pose import transform_point
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase import outline_edges, pair_manifold as manifold, piece_corners as corners


@device
def is_guarded_against(side, other, relative, pieces):
    """Whether a piece with a covered part takes normals only from where the other one's middle is, which is outside."""
    if not side.is_guarded:
        return False
    x, y = middle_of(other, relative)
    return is_outside(side, x, y, 0.0, pieces)


@device
def middle_of(other, relative):
    """The middle of the other piece, as seen from this body [m]."""
    return transform_point(relative, other.x, other.y)


@device
def is_outside(side, x, y, margin, pieces):
    """Whether a point is more than `margin` [m] in front of any edge or arc of a piece's hull."""
    for k in range(side.start, side.stop):
        if (
            corners.edge_state(side, k, pieces) != of_outline.ZERO_LENGTH
            and outline_edges.is_in_front(side, k, x, y, pieces) > margin
        ):
            return True
        radius = corners.corner_radius(k, pieces)
        if radius > 0.0:
            dx, dy = x - pieces.vertices[k, 0], y - pieces.vertices[k, 1]
            distance = sqrt(dx * dx + dy * dy)
            if distance > radius + margin and corners.corner_faces(side, k, dx / distance, dy / distance, pieces):
                return True
    return False


@device
def came_through_edge(side, axis, other, middle_x, middle_y, reach, pieces):
    """Whether the other piece, of this middle, is in front of the edge of a guarded piece's axis, not wholly behind.

    The middle of a rod is in the same plane as its ends: it may lie behind by the reach.
    """
    margin = reach if other.is_thin else 0.0
    return (
        axis.highest + other.radius + side.radius >= -margin
        and outline_edges.is_in_front(side, axis.edge, middle_x, middle_y, pieces) > -margin
    )


@device
def is_below_surface(side, k, middle_x, middle_y, pieces):
    """Whether edge k is out of reach for what has its middle there, because the surface goes on flat across its end.

    Of tiles that share no more than a corner the sides are bare, but nothing on the floor that their tops are has come
    in between them: at the corner the top's end is flat, and the side's is hidden in the wedge below.
    """
    before, after = corners.corner_before(side, k), corners.corner_after(side, k)
    return (
        corners.end_state(side, k, OUTLINE.START, pieces) == of_outline.CONCAVE
        and corners.end_state(side, before, OUTLINE.STOP, pieces) == of_outline.FLAT
        and outline_edges.is_in_front(side, before, middle_x, middle_y, pieces) > 0.0
    ) or (
        corners.end_state(side, k, OUTLINE.STOP, pieces) == of_outline.CONCAVE
        and corners.end_state(side, after, OUTLINE.START, pieces) == of_outline.FLAT
        and outline_edges.is_in_front(side, after, middle_x, middle_y, pieces) > 0.0
    )


@device
def may_poke(side, axis, other, middle_x, middle_y, relative, reach, pieces):
    """Whether the corner of a guarded piece, of this middle, that is closest to an edge may poke into it.

    A piece whose middle is in front of the edge may poke through it as deep as it likes, but not beside it, unless the
    surface goes on straight there. Any other must have its corner inside of the edge's piece.
    """
    x, y = manifold.in_a(relative, pieces.vertices, axis.corner)
    radius = corners.corner_radius(axis.corner, pieces)
    x, y = x - radius * axis.normal_x, y - radius * axis.normal_y
    if outline_edges.is_in_front(side, axis.edge, middle_x, middle_y, pieces) > 0.0:
        before, behind = outline_edges.overhang(side, axis.edge, x, y, pieces)
        end, past = (OUTLINE.START, before) if before > behind else (OUTLINE.STOP, behind)
        return past <= side.radius + reach or corners.end_state(side, axis.edge, end, pieces) == of_outline.FLAT
    in_front = (x - side.x) * axis.normal_x + (y - side.y) * axis.normal_y
    return in_front > -reach and not is_outside(side, x, y, side.radius + reach, pieces)


@device
def came_to_corner(side, k, other, relative, in_front, reach, pieces):
    """Whether the other piece came in over corner k of a guarded piece.

    `in_front`: how far the other's middle is in front of the corner [m].
    """
    return in_front > corners.corner_radius(k, pieces) - reach and not is_within(side, k, other, relative, pieces)


@device
def is_within(side, k, other, relative, pieces):
    """Whether all of the other piece is closer to the centre of arc k than the arc."""
    radius = corners.corner_radius(k, pieces)
    if radius == 0.0:
        return False
    for j in range(other.start, other.stop):
        x, y = manifold.in_a(relative, pieces.vertices, j)
        x, y = x - pieces.vertices[k, 0], y - pieces.vertices[k, 1]
        if sqrt(x * x + y * y) + corners.corner_radius(j, pieces) + other.radius > radius:
            return False
    return True
