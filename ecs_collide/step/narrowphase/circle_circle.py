"""Circle against circle: the normal joins the centres, d = |c_b - c_a| - (r_a + r_b).

Source: CC "static circle collision", OC "circle and circle collision". The documents leave out coincident centres; they
take A's x axis as the normal here.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import IMPULSE, MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import rotate_vector_back, transform_point
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.simd import LANES, gather4, lane_bits, select, square_root, store, trailing_zeros
from ecs_collide.step.narrowphase import eight_pairs, pair_manifold as manifold
from ecs_collide.step.narrowphase.approach import eight_approaches, gap_speed, meets
from ecs_collide.step.narrowphase.eight_pairs import LANE

ROUNDING = 1e-10
"""Fraction of the radii below which rounding decides the direction from centre to centre."""


@device
def point_point(ax, ay, radius_a, bx, by, radius_b, gap, normal_x, normal_y):
    """Return the manifold of two circles, or none if their gap exceeds `gap` [m].

    If the centres coincide, the given normal is used.
    """
    dx, dy = bx - ax, by - ay
    distance_squared = dx * dx + dy * dy
    limit = radius_a + radius_b + gap
    if distance_squared > limit * limit:
        return manifold.no_contact()
    distance = sqrt(distance_squared)
    if distance > ROUNDING * limit:
        normal_x, normal_y = dx / distance, dy / distance
    return manifold.one_point(
        normal_x, normal_y, ax + radius_a * normal_x, ay + radius_a * normal_y, distance - radius_a - radius_b, 0
    )


@kernel
def circle_circle_pairs(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, span: FloatTable, ahead: LookAhead):
    """Make the manifolds of the pairs in `slots` as `batch_kernel` does, eight at once.

    Reads body_frame, the pieces, pair_enabled. Writes pair_index, pair_manifold, pair_impulse.
    """
    lanes, values, index = pairs.lanes, pairs.values, pairs.index
    for start in range(0, len(slots), LANES):
        enabled, had = eight_pairs.load_pairs(slots, start, pairs)
        relative = eight_pairs.relative_poses(bodies, lanes)
        radius_a, ax, ay, _ = gather4(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_A)
        radius_b, bx, by, _ = gather4(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_B)
        x, y = transform_point(relative, bx, by)
        dx, dy = x - ax, y - ay
        distance_squared = dx * dx + dy * dy
        approach = eight_approaches(bodies, span, lanes, ahead)
        limit = radius_a + radius_b + approach.gap
        touching = enabled & ~lane_bits(distance_squared > limit * limit)
        if touching != 0:
            distance = square_root(distance_squared)
            directed = distance > ROUNDING * limit
            divisor = select(directed, distance, 1.0)
            normal_x, normal_y = select(directed, dx / divisor, 1.0), select(directed, dy / divisor, 0.0)
            x, y = ax + radius_a * normal_x, ay + radius_a * normal_y
            separation = distance - radius_a - radius_b
            speeds = gap_speed(approach, relative, x, y, separation, normal_x, normal_y)
            touching &= lane_bits(meets(separation, speeds, ahead))
            store(values, MANIFOLD.NORMAL_X, normal_x)
            store(values, MANIFOLD.NORMAL_Y, normal_y)
            store(values, MANIFOLD.ANCHOR_A, x)
            store(values, MANIFOLD.ANCHOR_A + 1, y)
            x, y = x + (separation * normal_x - relative.x), y + (separation * normal_y - relative.y)
            x, y = rotate_vector_back(relative, x, y)
            store(values, MANIFOLD.ANCHOR_B, x)
            store(values, MANIFOLD.ANCHOR_B + 1, y)
        eight_pairs.clear_manifolds(had & ~touching, pairs)
        while touching != 0:
            lane = trailing_zeros(touching)
            slot = lanes[LANE.SLOT, lane]
            for k in range(MANIFOLD.ANCHOR_B + 2):
                pairs.manifold[slot, k] = values[k, lane]
            if (had >> lane) & 1 == 0:
                index[slot, PAIR.POINT_COUNT], index[slot, PAIR.FEATURE_0] = 1, 0
                pairs.impulse[slot, IMPULSE.NORMAL], pairs.impulse[slot, IMPULSE.TANGENT] = 0.0, 0.0
            touching &= touching - 1
