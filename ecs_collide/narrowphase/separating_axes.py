"""The separating axes of eight pairs of convex polygons at once: which edge each is farthest in front of.

The separation of a hull from an edge is min over its vertices v of (v - e).n, with e on the edge and n its normal; the
best axis is the edge whose separation is greatest (PC "SAT", row 12). Vertices are taken two by two, as they stand
side by side in the pool. Where a polygon has fewer than another lane's its last two come again, which changes nothing.
"""

from __future__ import annotations

from ecs_collide.columns.pieces import VERTEX_COUNT, VERTEX_START
from ecs_collide.jit import device
from ecs_collide.narrowphase.eight_pairs import PIECES_A, PIECES_B, VERTICES_A, VERTICES_B
from ecs_collide.simd import LANES, gather4, load, minimum, select, splat

# pair_lanes, besides those of `eight_pairs`: the last but one vertex of A and of B; the vertices in hand of either
LAST_A, LAST_B, EDGES, CORNERS = range(7, 11)
LAST = LAST_A - VERTICES_A


@device
def take_corners(pieces, pairs):
    """Look up where the vertices of eight pairs stand; return the most that an A has, and a B.

    Reads piece_index. Writes pair_lanes.
    """
    lanes = pairs.lanes
    most_a, most_b = 0, 0
    for lane in range(LANES):
        a, b = lanes[PIECES_A, lane], lanes[PIECES_B, lane]
        start_a, count_a = pieces.index[a, VERTEX_START], pieces.index[a, VERTEX_COUNT]
        start_b, count_b = pieces.index[b, VERTEX_START], pieces.index[b, VERTEX_COUNT]
        lanes[VERTICES_A, lane], lanes[VERTICES_B, lane] = start_a, start_b
        lanes[LAST_A, lane], lanes[LAST_B, lane] = start_a + count_a - 2, start_b + count_b - 2
        most_a, most_b = max(most_a, count_a), max(most_b, count_b)
    return most_a, most_b


@device
def take_two(k, side, rows, pairs):
    """Take vertices k and k + 1 of each polygon of a side (or its last two) into `rows` of pair_lanes."""
    lanes = pairs.lanes
    for lane in range(LANES):
        lanes[rows, lane] = min(lanes[side, lane] + k, lanes[side + LAST, lane])


@device
def best_edges(relative, side, other, most, most_of_other, pieces, pairs):
    """The greatest separation [m] over the edges of each polygon of a side, and the edge's row in the pool (vectors).

    `relative` is the other body as seen from this one; of equal edges the first counts.
    """
    lanes, values = pairs.lanes, pairs.values
    for lane in range(LANES):
        values[0, lane], values[1, lane] = lanes[side, lane], lanes[side + LAST, lane]
    first, last = load(values, 0), load(values, 1)
    best, edge = splat(-1e300), first
    for k in range(0, most, 2):
        take_two(k, side, EDGES, pairs)
        row = minimum(first + float(k), last)
        nx0, ny0, nx1, ny1 = gather4(pieces.normals, 0, lanes, EDGES)
        x0, y0, x1, y1 = gather4(pieces.vertices, 0, lanes, EDGES)
        base0 = (relative.x - x0) * nx0 + (relative.y - y0) * ny0
        base1 = (relative.x - x1) * nx1 + (relative.y - y1) * ny1
        lx0, ly0 = relative.cos * nx0 + relative.sin * ny0, relative.cos * ny0 - relative.sin * nx0
        lx1, ly1 = relative.cos * nx1 + relative.sin * ny1, relative.cos * ny1 - relative.sin * nx1
        lowest0, lowest1 = splat(1e300), splat(1e300)
        for j in range(0, most_of_other, 2):
            take_two(j, other, CORNERS, pairs)
            x0, y0, x1, y1 = gather4(pieces.vertices, 0, lanes, CORNERS)
            lowest0 = minimum(lowest0, minimum(base0 + lx0 * x0 + ly0 * y0, base0 + lx0 * x1 + ly0 * y1))
            lowest1 = minimum(lowest1, minimum(base1 + lx1 * x0 + ly1 * y0, base1 + lx1 * x1 + ly1 * y1))
        edge = select(lowest0 > best, row, edge)
        best = select(lowest0 > best, lowest0, best)
        edge = select(lowest1 > best, row + 1.0, edge)
        best = select(lowest1 > best, lowest1, best)
    return best, edge
