"""Convex polygon against circle, by the Voronoi regions of the polygon's edges and corners.

The edge with the greatest separation from the centre decides. If the centre is behind it, or in front of it between its
ends, the edge's normal is used. Past its ends the corner is used. Source: PC "curved shapes" (rows 10 and 11), for any
polygon.
"""

from __future__ import annotations

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import Pairs
from ecs_collide.data.pieces import PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import Pose, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, gather2, gather4, lane_bits, store, trailing_zeros
from ecs_collide.step.narrowphase import circle_circle, eight_pairs, separating_axes
from ecs_collide.step.narrowphase.approach import eight_approaches, store_approaching
from ecs_collide.step.narrowphase.convex_convex import BEST_EDGE, next_vertex
from ecs_collide.step.narrowphase.eight_pairs import LANE
from ecs_collide.step.narrowphase.pair_manifold import one_point

CIRCLE_REGION = layout(
    "regions of eight circles",
    after=BEST_EDGE,
    SEPARATION="distance of the circle's centre from the edge's line [m]",
    CENTER_X="circle's centre in A's axes, x [m]",
    CENTER_Y="circle's centre in A's axes, y [m]",
)
"""Rows of `Pairs.values`."""


@device
def region_manifold(edge, separation, a, b, x, y, pieces, gap):
    """Return the manifold of polygon piece a and a circle piece around (x, y), `separation` [m] in front of an edge."""
    vertices, normals = pieces.vertices, pieces.normals
    radius_a, radius_b = pieces.size[a, PIECE_SIZE.RADIUS], pieces.size[b, PIECE_SIZE.RADIUS]
    after = next_vertex(edge, a, pieces)
    ax, ay, bx, by = vertices[edge, X], vertices[edge, Y], vertices[after, X], vertices[after, Y]
    normal_x, normal_y = normals[edge, X], normals[edge, Y]
    if separation > 0.0:
        before = (x - ax) * (bx - ax) + (y - ay) * (by - ay) < 0.0
        if before or (x - bx) * (ax - bx) + (y - by) * (ay - by) < 0.0:
            corner_x, corner_y = (ax, ay) if before else (bx, by)
            return circle_circle.point_point(corner_x, corner_y, radius_a, x, y, radius_b, gap, normal_x, normal_y)
    depth = radius_a - separation
    return one_point(
        normal_x, normal_y, x + depth * normal_x, y + depth * normal_y, separation - radius_a - radius_b, 0
    )


@kernel
def polygon_circle_pairs(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, span: FloatTable, ahead: LookAhead):
    """Make the manifolds of the pairs in `slots` as `batch_kernel` does, with the edges of eight at once.

    Reads body_frame, the pieces, pair_enabled. Writes pair_index, pair_manifold, pair_impulse.
    """
    lanes, values = pairs.lanes, pairs.values
    for start in range(0, len(slots), LANES):
        enabled, had = eight_pairs.load_pairs(slots, start, pairs)
        most = separating_axes.load_corners(separating_axes.A, pieces, pairs)
        relative = eight_pairs.relative_poses(bodies, lanes)
        radius_a, _ = gather2(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_A)
        radius_b, x, y, _ = gather4(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_B)
        x, y = transform_point(relative, x, y)
        separation, edge = separating_axes.edges_before(x, y, most, pieces, pairs)
        gaps = eight_approaches(bodies, span, lanes, ahead).gap
        touching = enabled & ~lane_bits(separation > radius_a + radius_b + gaps)
        eight_pairs.clear_manifolds(had & ~touching, pairs)
        store(values, CIRCLE_REGION.X, relative.x)
        store(values, CIRCLE_REGION.Y, relative.y)
        store(values, CIRCLE_REGION.COS, relative.cos)
        store(values, CIRCLE_REGION.SIN, relative.sin)
        store(values, CIRCLE_REGION.EDGE, edge)
        store(values, CIRCLE_REGION.SEPARATION, separation)
        store(values, CIRCLE_REGION.CENTER_X, x)
        store(values, CIRCLE_REGION.CENTER_Y, y)
        store(values, CIRCLE_REGION.GAP, gaps)
        while touching != 0:
            lane = trailing_zeros(touching)
            touching &= touching - 1
            pose = Pose(
                x=values[CIRCLE_REGION.X, lane],
                y=values[CIRCLE_REGION.Y, lane],
                cos=values[CIRCLE_REGION.COS, lane],
                sin=values[CIRCLE_REGION.SIN, lane],
            )
            a, b, edge_row = lanes[LANE.PIECE_A, lane], lanes[LANE.PIECE_B, lane], int(values[CIRCLE_REGION.EDGE, lane])
            m = region_manifold(
                edge_row,
                values[CIRCLE_REGION.SEPARATION, lane],
                a,
                b,
                values[CIRCLE_REGION.CENTER_X, lane],
                values[CIRCLE_REGION.CENTER_Y, lane],
                pieces,
                values[CIRCLE_REGION.GAP, lane],
            )
            store_approaching(pairs, lanes[LANE.SLOT, lane], m, pose, bodies, span, ahead)
