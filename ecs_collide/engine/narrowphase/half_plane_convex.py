"""Half-plane against any convex piece: signed distance of its vertices, (v - g).n - r.

The deepest vertex and the deeper of its neighbours make the manifold. Source: OC "generalised circle and
ground collision" (row 4).
"""

from __future__ import annotations

from ecs_collide.columns import pieces as of_piece
from ecs_collide.compiled.jit import device
from ecs_collide.engine.narrowphase.batch import batch_kernel
from ecs_collide.engine.narrowphase.manifold import LocalManifold, in_a, no_contact


@device
def half_plane_convex(a, b, relative, pieces, reach):
    """The manifold of half-plane piece a and a piece b of any other kind."""
    vertices = pieces.vertices
    v = pieces.index[a, of_piece.VERTEX_START]
    normal_x, normal_y = pieces.normals[v, 0], pieces.normals[v, 1]
    start, count, radius = (
        pieces.index[b, of_piece.VERTEX_START],
        pieces.index[b, of_piece.VERTEX_COUNT],
        pieces.size[b, of_piece.RADIUS],
    )
    local_x = relative.cos * normal_x + relative.sin * normal_y
    local_y = relative.cos * normal_y - relative.sin * normal_x
    level = (vertices[v, 0] - relative.x) * normal_x + (vertices[v, 1] - relative.y) * normal_y + radius
    deepest = start
    depth = vertices[start, 0] * local_x + vertices[start, 1] * local_y
    for k in range(start + 1, start + count):
        height = vertices[k, 0] * local_x + vertices[k, 1] * local_y
        if height < depth:
            depth, deepest = height, k
    if depth - level > reach:
        return no_contact()

    second, second_depth = deepest, depth
    point_count = 1
    if count > 1:
        before = deepest - 1 if deepest > start else start + count - 1
        after = deepest + 1 if deepest + 1 < start + count else start
        before_depth = vertices[before, 0] * local_x + vertices[before, 1] * local_y
        after_depth = vertices[after, 0] * local_x + vertices[after, 1] * local_y
        second, second_depth = (before, before_depth) if before_depth < after_depth else (after, after_depth)
        if second_depth - level <= reach:
            point_count = 2

    x0, y0 = in_a(relative, vertices, deepest)
    x1, y1 = in_a(relative, vertices, second)
    down0, down1 = radius + depth - level, radius + second_depth - level
    return LocalManifold(
        point_count,
        normal_x,
        normal_y,
        x0 - down0 * normal_x,
        y0 - down0 * normal_y,
        depth - level,
        deepest - start,
        x1 - down1 * normal_x,
        y1 - down1 * normal_y,
        second_depth - level,
        second - start,
    )


half_plane_convex_pairs = batch_kernel(half_plane_convex)
