"""Convex polygon against circle, by the Voronoi regions of the polygon's edges and corners.

The edge of greatest separation from the centre decides: inside it, or in front of its middle, the edge's
normal counts; past its ends the corner does. Source: PC "curved shapes" (rows 10 and 11), for any polygon.
"""

from __future__ import annotations

from ecs_collide.columns.pieces import RADIUS, VERTEX_COUNT, VERTEX_START
from ecs_collide.jit import device
from ecs_collide.narrowphase.batch import batch_kernel
from ecs_collide.narrowphase.circle_circle import point_point
from ecs_collide.narrowphase.manifold import in_a, no_contact, one_point


@device
def polygon_circle(a, b, relative, pieces, reach):
    """The manifold of polygon piece a and circle piece b."""
    vertices, normals = pieces.vertices, pieces.normals
    start, count = pieces.index[a, VERTEX_START], pieces.index[a, VERTEX_COUNT]
    radius_a, radius_b = pieces.size[a, RADIUS], pieces.size[b, RADIUS]
    x, y = in_a(relative, vertices, pieces.index[b, VERTEX_START])
    edge = start
    separation = (x - vertices[start, 0]) * normals[start, 0] + (y - vertices[start, 1]) * normals[start, 1]
    for k in range(start + 1, start + count):
        s = (x - vertices[k, 0]) * normals[k, 0] + (y - vertices[k, 1]) * normals[k, 1]
        if s > separation:
            separation, edge = s, k
    if separation > radius_a + radius_b + reach:
        return no_contact()
    after = edge + 1 if edge + 1 < start + count else start
    ax, ay, bx, by = vertices[edge, 0], vertices[edge, 1], vertices[after, 0], vertices[after, 1]
    normal_x, normal_y = normals[edge, 0], normals[edge, 1]
    if separation > 0.0:
        if (x - ax) * (bx - ax) + (y - ay) * (by - ay) < 0.0:
            return point_point(ax, ay, radius_a, x, y, radius_b, reach, normal_x, normal_y)
        if (x - bx) * (ax - bx) + (y - by) * (ay - by) < 0.0:
            return point_point(bx, by, radius_a, x, y, radius_b, reach, normal_x, normal_y)
    depth = radius_a - separation
    return one_point(
        normal_x, normal_y, x + depth * normal_x, y + depth * normal_y, separation - radius_a - radius_b, 0
    )


polygon_circle_pairs = batch_kernel(polygon_circle)
