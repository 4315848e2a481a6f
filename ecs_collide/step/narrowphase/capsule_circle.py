"""Capsule (or segment) against circle: the closest point of the capsule's axis, then circle against circle.

Source: OC "circle and line segment collision".
"""

from __future__ import annotations

from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.point_on_segment import segment_fraction
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.step.narrowphase.batch_kernel import batch_kernel
from ecs_collide.step.narrowphase.circle_circle import point_point
from ecs_collide.step.narrowphase.pair_manifold import no_contact, one_point, to_axes_of_a


@device
def capsule_circle(a, b, relative, pieces, gap):
    """Return the manifold of capsule piece a and circle piece b.

    A circle whose centre lies on the capsule's axis is pushed out along the normal of the axis.
    """
    vertices, normals = pieces.vertices, pieces.normals
    v = pieces.index[a, PIECE.VERTEX_START]
    radius_a, radius_b = pieces.size[a, PIECE_SIZE.RADIUS], pieces.size[b, PIECE_SIZE.RADIUS]
    x, y = to_axes_of_a(relative, vertices, pieces.index[b, PIECE.VERTEX_START])
    ax, ay, bx, by = vertices[v, X], vertices[v, Y], vertices[v + 1, X], vertices[v + 1, Y]
    u = segment_fraction(ax, ay, bx, by, x, y)
    normal_x, normal_y = normals[v, X], normals[v, Y]
    if u == 0.0:
        return point_point(ax, ay, radius_a, x, y, radius_b, gap, normal_x, normal_y)
    if u == 1.0:
        return point_point(bx, by, radius_a, x, y, radius_b, gap, normal_x, normal_y)
    height = (x - ax) * normal_x + (y - ay) * normal_y
    if height < 0.0:
        normal_x, normal_y, height = -normal_x, -normal_y, -height
    if height - radius_a - radius_b > gap:
        return no_contact()
    out = radius_a - height
    return one_point(normal_x, normal_y, x + out * normal_x, y + out * normal_y, height - radius_a - radius_b, 0)


capsule_circle_pairs = batch_kernel(capsule_circle)
