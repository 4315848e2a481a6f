"""Half-plane against any convex piece: the lowest corner, less its radius and the piece's, over the line.

If a straight edge starts there, that corner and the other end of the flattest edge make the manifold. Source: OC
"generalised circle and ground collision" (row 4). `contours/piece_distance.py` finds the same corner in a contour, but
making the contour costs more than the manifold. A one-sided line meets the half-plane if its front leads into it.
"""

from __future__ import annotations

from ecs_collide.common.front_side import is_one_sided, leads_back
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.step.narrowphase.batch_kernel import batch_kernel
from ecs_collide.step.narrowphase.pair_manifold import LocalManifold, no_contact, to_axes_of_a
from ecs_collide.step.narrowphase.piece_corners import corner_radius, flattest_neighbour, lowest_corner, side_of


@device
def half_plane_convex(a, b, relative, pieces, gap):
    """Return the manifold of half-plane piece a and a bounded piece b."""
    vertices = pieces.vertices
    v = pieces.index[a, PIECE.VERTEX_START]
    normal_x, normal_y = pieces.normals[v, X], pieces.normals[v, Y]
    side = side_of(b, pieces, False)
    local_x, local_y = rotate_vector_back(relative, normal_x, normal_y)
    if is_one_sided(b, pieces) and leads_back(b, -local_x, -local_y, pieces):
        return no_contact()
    level = (vertices[v, X] - relative.x) * normal_x + (vertices[v, Y] - relative.y) * normal_y + side.radius
    height, corner = lowest_corner(side, local_x, local_y, pieces)
    separation0 = height - level
    if separation0 > gap:
        return no_contact()
    second, has_second = flattest_neighbour(side, corner, local_x, local_y, pieces)
    separation1 = vertices[second, X] * local_x + vertices[second, Y] * local_y - level
    x0, y0 = to_axes_of_a(relative, vertices, corner)
    x1, y1 = to_axes_of_a(relative, vertices, second)
    down0 = separation0 + side.radius + corner_radius(side, corner, pieces)
    down1 = separation1 + side.radius
    return LocalManifold(
        point_count=2 if has_second and separation1 <= gap else 1,
        normal_x=normal_x,
        normal_y=normal_y,
        x0=x0 - down0 * normal_x,
        y0=y0 - down0 * normal_y,
        separation0=separation0,
        feature0=corner,
        x1=x1 - down1 * normal_x,
        y1=y1 - down1 * normal_y,
        separation1=separation1,
        feature1=second,
    )


half_plane_convex_pairs = batch_kernel(half_plane_convex)
