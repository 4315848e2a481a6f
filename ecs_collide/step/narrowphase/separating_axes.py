"""Separating axes of eight pairs with convex polygons at once: the edges with the greatest separation.

The separation of a hull from an edge is min over its vertices v of (v - e).n, with e on the edge and n its normal. The
best axis is the edge with the greatest separation (PC "SAT", row 12). Vertices are loaded two by two, as they lie side
by side in the pool. A polygon with fewer vertices than another lane's repeats its last two, which changes nothing.

The search for outlines (`outline_axes.py`) finds the same axes, one pair at a time and more slowly.
"""

from __future__ import annotations

from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, gather4, load, minimum, select, splat, store
from ecs_collide.step.narrowphase.eight_pairs import LANE

A, B = 0, 1

CORNER_LANE = layout(
    "lanes of eight pairs with corners",
    after=LANE,
    CORNER="vertex that is loaded, with the next one",
    FIRST_OF_A="first vertex of A",
    FIRST_OF_B="first vertex of B",
    LAST_OF_A="last vertex but one of A",
    LAST_OF_B="last vertex but one of B",
)
"""Rows of `Pairs.lanes`."""

EDGE_ROWS = layout("edges of eight polygons", FIRST="first edge", LAST="last edge but one")
"""Rows of `Pairs.values`."""


@device
def load_corners(side, pieces, pairs):
    """Load the vertices of the eight pieces of a side; return the greatest number of vertices, rounded up to even.

    Reads pair_lanes, piece_index. Writes pair_lanes, piece_corners [m].
    """
    lanes = pairs.lanes
    most = 0
    for lane in range(LANES):
        piece = lanes[LANE.PIECE_A + side, lane]
        start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
        lanes[CORNER_LANE.FIRST_OF_A + side, lane], lanes[CORNER_LANE.LAST_OF_A + side, lane] = start, start + count - 2
        most = max(most, count + (count & 1))
    for k in range(0, most, 2):
        select_two(k, side, lanes)
        x0, y0, x1, y1 = gather4(pieces.vertices, X, lanes, CORNER_LANE.CORNER)
        store(pieces.corners, (side, 2 * k), x0)
        store(pieces.corners, (side, 2 * k + 1), y0)
        store(pieces.corners, (side, 2 * k + 2), x1)
        store(pieces.corners, (side, 2 * k + 3), y1)
    return most


@device
def select_two(k, side, lanes):
    """Select vertices k and k + 1 of each polygon of a side, or its last two."""
    for lane in range(LANES):
        lanes[CORNER_LANE.CORNER, lane] = min(
            lanes[CORNER_LANE.FIRST_OF_A + side, lane] + k, lanes[CORNER_LANE.LAST_OF_A + side, lane]
        )


@device
def edge_rows(side, pairs):
    """Return the pool rows of the first and the last but one edge of each polygon of a side, as vectors of floats."""
    lanes, values = pairs.lanes, pairs.values
    for lane in range(LANES):
        values[EDGE_ROWS.FIRST, lane], values[EDGE_ROWS.LAST, lane] = (
            lanes[CORNER_LANE.FIRST_OF_A + side, lane],
            lanes[CORNER_LANE.LAST_OF_A + side, lane],
        )
    return load(values, EDGE_ROWS.FIRST), load(values, EDGE_ROWS.LAST)


@device
def best_edges(relative, side, most, most_of_other, pieces, pairs):
    """Return the greatest separation [m] over the edges of each polygon of a side, and the pool rows of the edges.

    `relative` is the pose of the other body relative to this one. Both results are vectors. Of equal edges the first
    counts.
    """
    lanes, corners = pairs.lanes, pieces.corners
    other = 1 - side
    first, last = edge_rows(side, pairs)
    best, edge = splat(-1e300), first
    for k in range(0, most, 2):
        select_two(k, side, lanes)
        row = minimum(first + float(k), last)
        nx0, ny0, nx1, ny1 = gather4(pieces.normals, X, lanes, CORNER_LANE.CORNER)
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
    """Return the greatest separations [m] of points (x, y) [m] from the edges of the polygons A, and the edges."""
    lanes, corners = pairs.lanes, pieces.corners
    first, last = edge_rows(A, pairs)
    best, edge = splat(-1e300), first
    for k in range(0, most, 2):
        select_two(k, A, lanes)
        row = minimum(first + float(k), last)
        nx0, ny0, nx1, ny1 = gather4(pieces.normals, X, lanes, CORNER_LANE.CORNER)
        x0, y0 = load(corners, (A, 2 * k)), load(corners, (A, 2 * k + 1))
        x1, y1 = load(corners, (A, 2 * k + 2)), load(corners, (A, 2 * k + 3))
        best, edge = better_axis(best, edge, (x - x0) * nx0 + (y - y0) * ny0, row)
        best, edge = better_axis(best, edge, (x - x1) * nx1 + (y - y1) * ny1, row + 1.0)
    return best, edge


@device
def better_axis(best, edge, separation, row):
    """Return the greater separation, and its edge."""
    is_better = separation > best
    return select(is_better, separation, best), select(is_better, row, edge)
