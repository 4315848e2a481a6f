"""The separating axes of eight pairs with convex polygons at once: the edge that the other piece is farthest before.

The separation of a hull from an edge is min over its vertices v of (v - e).n, with e on the edge and n its normal; the
best axis is the edge whose separation is greatest (PC "SAT", row 12). Vertices are taken two by two, as they stand
side by side in the pool. Where a polygon has fewer than another lane's its last two come again, which changes nothing.

The search of outlines (`outline_axes.py`) finds the same and more, one pair at a time. Through it two boxes take 390 ns
instead of 200, a box and a circle 230 instead of 43, clipping included.
"""

from __future__ import annotations

from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, gather4, load, minimum, select, splat, store
from ecs_collide.step.narrowphase.eight_pairs import PIECES_A

A, B = 0, 1

# pair_lanes, besides those of `eight_pairs`: the vertices in hand, and the first and the last but one of A and of B
CORNERS, FIRST_OF_A, FIRST_OF_B, LAST_OF_A, LAST_OF_B = range(5, 10)


@device
def take_corners(side, pieces, pairs):
    """Take the vertices of the eight pieces of a side; return the most that one has, made even.

    Reads pair_lanes, piece_index. Writes pair_lanes, piece_corners [m].
    """
    lanes = pairs.lanes
    most = 0
    for lane in range(LANES):
        piece = lanes[PIECES_A + side, lane]
        start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
        lanes[FIRST_OF_A + side, lane], lanes[LAST_OF_A + side, lane] = start, start + count - 2
        most = max(most, count + (count & 1))
    for k in range(0, most, 2):
        take_two(k, side, lanes)
        x0, y0, x1, y1 = gather4(pieces.vertices, 0, lanes, CORNERS)
        store(pieces.corners, (side, 2 * k), x0)
        store(pieces.corners, (side, 2 * k + 1), y0)
        store(pieces.corners, (side, 2 * k + 2), x1)
        store(pieces.corners, (side, 2 * k + 3), y1)
    return most


@device
def take_two(k, side, lanes):
    """Have vertices k and k + 1 of each polygon of a side, or its last two, in hand."""
    for lane in range(LANES):
        lanes[CORNERS, lane] = min(lanes[FIRST_OF_A + side, lane] + k, lanes[LAST_OF_A + side, lane])


@device
def edge_rows(side, pairs):
    """The pool rows of the first and of the last but one edge of each polygon of a side, as vectors of floats."""
    lanes, values = pairs.lanes, pairs.values
    for lane in range(LANES):
        values[0, lane], values[1, lane] = lanes[FIRST_OF_A + side, lane], lanes[LAST_OF_A + side, lane]
    return load(values, 0), load(values, 1)


@device
def best_edges(relative, side, most, most_of_other, pieces, pairs):
    """The greatest separation [m] over the edges of each polygon of a side, and that edge's row in the pool (vectors).

    `relative` is the other body as seen from this one; of equal edges the first counts.
    """
    lanes, corners = pairs.lanes, pieces.corners
    other = 1 - side
    first, last = edge_rows(side, pairs)
    best, edge = splat(-1e300), first
    for k in range(0, most, 2):
        take_two(k, side, lanes)
        row = minimum(first + float(k), last)
        nx0, ny0, nx1, ny1 = gather4(pieces.normals, 0, lanes, CORNERS)
        x0, y0 = load(corners, (side, 2 * k)), load(corners, (side, 2 * k + 1))
        x1, y1 = load(corners, (side, 2 * k + 2)), load(corners, (side, 2 * k + 3))
        base0 = (relative.x - x0) * nx0 + (relative.y - y0) * ny0
        base1 = (relative.x - x1) * nx1 + (relative.y - y1) * ny1
        lx0, ly0 = rotate_vector_back(relative, nx0, ny0)
        lx1, ly1 = rotate_vector_back(relative, nx1, ny1)
        lowest0, lowest1 = splat(1e300), splat(1e300)
        for j in range(most_of_other):
            x, y = load(corners, (other, 2 * j)), load(corners, (other, 2 * j + 1))
            lowest0 = minimum(lowest0, base0 + lx0 * x + ly0 * y)
            lowest1 = minimum(lowest1, base1 + lx1 * x + ly1 * y)
        best, edge = better_axis(best, edge, lowest0, row)
        best, edge = better_axis(best, edge, lowest1, row + 1.0)
    return best, edge


@device
def edges_before(x, y, most, pieces, pairs):
    """The same for the polygons A and points (x, y) [m] in their axes."""
    lanes, corners = pairs.lanes, pieces.corners
    first, last = edge_rows(A, pairs)
    best, edge = splat(-1e300), first
    for k in range(0, most, 2):
        take_two(k, A, lanes)
        row = minimum(first + float(k), last)
        nx0, ny0, nx1, ny1 = gather4(pieces.normals, 0, lanes, CORNERS)
        x0, y0 = load(corners, (A, 2 * k)), load(corners, (A, 2 * k + 1))
        x1, y1 = load(corners, (A, 2 * k + 2)), load(corners, (A, 2 * k + 3))
        best, edge = better_axis(best, edge, (x - x0) * nx0 + (y - y0) * ny0, row)
        best, edge = better_axis(best, edge, (x - x1) * nx1 + (y - y1) * ny1, row + 1.0)
    return best, edge


@device
def better_axis(best, edge, separation, row):
    """The greater separation, and its edge."""
    is_better = separation > best
    return select(is_better, separation, best), select(is_better, row, edge)
