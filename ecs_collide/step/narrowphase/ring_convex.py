"""Ring against any bounded piece, from inside: R - |c - o| - r for each corner of the piece.

The corner farthest from the ring's centre enters it first; an arc does so in the direction away from the centre. The
ring's piece is a wedge, which handles the corners between its two directions. Two points share the normal half way
between theirs, because a manifold has one normal. A one-sided line meets the ring if its front leads into it. Source:
EQ (2), one circle inside the other.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.common.front_side import is_one_sided, leads_back
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.geometry.cone import in_wedge
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase.batch_kernel import batch_kernel
from ecs_collide.step.narrowphase.pair_manifold import LocalManifold, no_contact, one_point, to_axes_of_a
from ecs_collide.step.narrowphase.piece_corners import corner_faces, corner_radius, side_of


class ReachingCorner(NamedTuple):
    """A corner that reaches towards the ring: gap [m], row or -1, and direction from the centre."""

    separation: float
    corner: int
    x: float
    y: float


@device
def reaching_corners(v, b, relative, pieces, gap):
    """Return the two corners of piece b with the least gaps, up to `gap` [m], to the ring's wedge at pool row v."""
    vertices, wedge, side = pieces.vertices, pieces.outlines[v], side_of(b, pieces, False)
    first = second = ReachingCorner(separation=gap, corner=-1, x=0.0, y=0.0)
    has_front = is_one_sided(b, pieces)
    for k in range(side.start, side.stop):
        x, y = to_axes_of_a(relative, vertices, k)
        inside, inward_x, inward_y = inside_arc(vertices[v, X], vertices[v, Y], wedge[OUTLINE.ARC_RADIUS], x, y)
        separation = inside - (side.radius + corner_radius(side, k, pieces))
        if separation > second.separation:
            continue
        x, y = -inward_x, -inward_y
        if x == 0.0 and y == 0.0:  # at the centre all directions are equal
            x, y = wedge[OUTLINE.FROM_X], wedge[OUTLINE.FROM_Y]
        if not in_wedge(wedge[OUTLINE.FROM_X], wedge[OUTLINE.FROM_Y], wedge[OUTLINE.TO_X], wedge[OUTLINE.TO_Y], x, y):
            continue
        local_x, local_y = rotate_vector_back(relative, x, y)
        if has_front and leads_back(b, local_x, local_y, pieces):
            continue
        if corner_radius(side, k, pieces) > 0.0 and not corner_faces(side, k, local_x, local_y, pieces):
            continue
        found = ReachingCorner(separation=separation, corner=k, x=x, y=y)
        if separation < first.separation:
            first, second = found, first
        else:
            second = found
    return first, second


@device
def ring_convex(a, b, relative, pieces, gap):
    """Return the manifold of ring piece a and a bounded piece b; the normal points to the centre."""
    v = pieces.index[a, PIECE.VERTEX_START]
    center_x, center_y, radius = pieces.vertices[v, X], pieces.vertices[v, Y], pieces.outlines[v, OUTLINE.ARC_RADIUS]
    first, second = reaching_corners(v, b, relative, pieces, gap)
    if first.corner < 0:
        return no_contact()
    if second.corner < 0:
        x, y = center_x + radius * first.x, center_y + radius * first.y
        return one_point(-first.x, -first.y, x, y, first.separation, first.corner)
    x, y = first.x + second.x, first.y + second.y
    length = sqrt(x * x + y * y)
    normal_x, normal_y = -x / length, -y / length
    # Shift the points from the surface of B to that of A along the common normal.
    out0, out1 = radius - first.separation, radius - second.separation
    x0, y0 = center_x + out0 * first.x, center_y + out0 * first.y
    x1, y1 = center_x + out1 * second.x, center_y + out1 * second.y
    return LocalManifold(
        point_count=2,
        normal_x=normal_x,
        normal_y=normal_y,
        x0=x0 - first.separation * normal_x,
        y0=y0 - first.separation * normal_y,
        separation0=first.separation,
        feature0=first.corner,
        x1=x1 - second.separation * normal_x,
        y1=y1 - second.separation * normal_y,
        separation1=second.separation,
        feature1=second.corner,
    )


ring_convex_pairs = batch_kernel(ring_convex)
