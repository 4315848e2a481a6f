"""Ring against any bounded piece, from inside: R - |c - o| - r for each corner of the piece.

A ring is entered by the corner that is farthest from its centre; an arc's is in the direction away from it. The piece
of the ring is a wedge, which answers for the corners between its two directions; two of them share the normal half way
between theirs, for a manifold has one. Source: EQ (2), one circle inside the other.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns import pieces as of_piece
from ecs_collide.compiled.kernels import device
from ecs_collide.engine.narrowphase.batch import batch_kernel
from ecs_collide.engine.narrowphase.corners import corner_faces, corner_radius, side_of
from ecs_collide.engine.narrowphase.manifold import LocalManifold, in_a, no_contact, one_point
from ecs_collide.geometry.cone import in_wedge
from ecs_collide.geometry.pose import turned_back
from ecs_collide.shapes import outline as of_outline


@device
def ring_convex(a, b, relative, pieces, reach):
    """The manifold of ring piece a and a bounded piece b; the normal points to the centre."""
    vertices, v = pieces.vertices, pieces.index[a, of_piece.VERTEX_START]
    wedge = pieces.outlines[v]
    ring_radius = wedge[of_outline.ARC_RADIUS]
    from_x, from_y, to_x, to_y = (
        wedge[of_outline.FROM_X],
        wedge[of_outline.FROM_Y],
        wedge[of_outline.TO_X],
        wedge[of_outline.TO_Y],
    )
    side = side_of(b, pieces, False)
    lowest, found, found_x, found_y = reach, -1, 0.0, 0.0
    second_lowest, second, second_x, second_y = reach, -1, 0.0, 0.0
    for k in range(side.start, side.stop):
        x, y = in_a(relative, vertices, k)
        x, y = x - vertices[v, 0], y - vertices[v, 1]
        distance = sqrt(x * x + y * y)
        radius = side.radius + corner_radius(k, pieces)
        separation = ring_radius - distance - radius
        if separation > second_lowest:
            continue
        # from the centre any direction is as good
        x, y = (x / distance, y / distance) if distance > 0.0 else (from_x, from_y)
        if not in_wedge(from_x, from_y, to_x, to_y, x, y):
            continue
        local_x, local_y = turned_back(relative, x, y)
        if corner_radius(k, pieces) > 0.0 and not corner_faces(side, k, local_x, local_y, pieces):
            continue
        if separation < lowest:
            second_lowest, second, second_x, second_y = lowest, found, found_x, found_y
            lowest, found, found_x, found_y = separation, k, x, y
        else:
            second_lowest, second, second_x, second_y = separation, k, x, y
    if found < 0:
        return no_contact()
    if second < 0:
        x, y = vertices[v, 0] + ring_radius * found_x, vertices[v, 1] + ring_radius * found_y
        return one_point(-found_x, -found_y, x, y, lowest, found)
    x, y = found_x + second_x, found_y + second_y
    length = sqrt(x * x + y * y)
    normal_x, normal_y = -x / length, -y / length
    # from B's surface back along the common normal
    out0, out1 = ring_radius - lowest, ring_radius - second_lowest
    x0, y0 = vertices[v, 0] + out0 * found_x, vertices[v, 1] + out0 * found_y
    x1, y1 = vertices[v, 0] + out1 * second_x, vertices[v, 1] + out1 * second_y
    return LocalManifold(
        2,
        normal_x,
        normal_y,
        x0 - lowest * normal_x,
        y0 - lowest * normal_y,
        lowest,
        found,
        x1 - second_lowest * normal_x,
        y1 - second_lowest * normal_y,
        second_lowest,
        second,
    )


ring_convex_pairs = batch_kernel(ring_convex)
