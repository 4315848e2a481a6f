"""Selection of the pairs that need a new manifold: not those clearly apart, nor those that hardly moved.

Two pieces are apart if their boxes are, each in its own body's axes. The separating axes are then the four directions
of the boxes' edges (PC "SAT", row 12). For boxes this is the whole test; the pairs' kernels do the rest.

A pair keeps its manifold while its points have moved by less than a tolerance since it was made. This saves time, and
features that do not flip let a stack come to rest. A manifold of one point, as of a corner on an edge, does not
constrain rotation. Its normal belongs to the pose that it was made for. With the same tolerance a house of cards slides
down. Such a manifold is therefore made anew after a fiftieth of the tolerance.

Of pairs with outlines, only those of two dynamic bodies keep theirs. It depends on the two shapes alone. Against other
bodies it depends on neighbours as well, which may come or go.
"""

from __future__ import annotations

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import rotate_vector_back, transform_point
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.simd import LANES, absolute, gather2, gather4, lane_bits, maximum, select
from ecs_collide.step.narrowphase import eight_pairs
from ecs_collide.step.narrowphase.approach import eight_approaches, gaps_along
from ecs_collide.step.narrowphase.eight_pairs import LANE

DYNAMIC = int(BodyKind.DYNAMIC)

SLACK = 1.0 + 1e-6
"""Factor on the reach: boxes within rounding of it must not count as apart."""

FAR = 1e300
"""A squared distance larger than any motion [m^2]."""


@device
def are_apart(relative, bodies, pieces, span, lanes, ahead):
    """Return a mask of the pairs whose boxes are too far apart for a contact along an axis of one of them."""
    approach = eight_approaches(bodies, span, lanes, ahead)
    radius_a, x_a, y_a, half_xa = gather4(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_A)
    radius_b, x_b, y_b, half_xb = gather4(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_B)
    _, half_ya = gather2(pieces.size, PIECE_SIZE.HALF_X, lanes, LANE.PIECE_A)
    _, half_yb = gather2(pieces.size, PIECE_SIZE.HALF_X, lanes, LANE.PIECE_B)
    x, y = transform_point(relative, x_b, y_b)
    x, y = x - x_a, y - y_a
    radii, vx, vy = radius_a + radius_b, approach.x, approach.y
    c, s = absolute(relative.cos), absolute(relative.sin)
    limit_x, limit_y = (
        radii + SLACK * gaps_along(x, vx, approach, ahead),
        radii + SLACK * gaps_along(y, vy, approach, ahead),
    )
    along_a = (absolute(x) - half_xa - (c * half_xb + s * half_yb) > limit_x) | (
        absolute(y) - half_ya - (s * half_xb + c * half_yb) > limit_y
    )
    x, y = rotate_vector_back(relative, x, y)
    vx, vy = rotate_vector_back(relative, vx, vy)
    limit_x, limit_y = (
        radii + SLACK * gaps_along(x, vx, approach, ahead),
        radii + SLACK * gaps_along(y, vy, approach, ahead),
    )
    along_b = (absolute(x) - half_xb - (c * half_xa + s * half_ya) > limit_x) | (
        absolute(y) - half_yb - (s * half_xa + c * half_ya) > limit_y
    )
    return along_a | along_b


@device
def squared_motions(relative, pieces, pairs):
    """Return the square of the largest motion of each manifold's points since it was made [m^2]."""
    made_x, made_y, made_cos, made_sin = gather4(pairs.manifold, MANIFOLD.MADE_X, pairs.lanes, LANE.SLOT)
    radius, _ = gather2(pieces.size, PIECE_SIZE.RADIUS, pairs.lanes, LANE.PIECE_B)
    half_x, half_y = gather2(pieces.size, PIECE_SIZE.HALF_X, pairs.lanes, LANE.PIECE_B)
    x, y = relative.x - made_x, relative.y - made_y
    turn = made_cos * relative.sin - made_sin * relative.cos
    cosine = made_cos * relative.cos + made_sin * relative.sin
    reach = turn * (half_x + half_y + radius)
    return select(cosine > 0.0, maximum(x * x + y * y, reach * reach), FAR)


@device
def find_reusable_manifolds(relative, pieces, pairs, tolerance):
    """Return bits of the pairs that moved by less than `tolerance` [m] since their manifold was made."""
    two_points = 0
    for lane in range(LANES):
        two_points |= (pairs.index[pairs.lanes[LANE.SLOT, lane], PAIR.POINT_COUNT] >> 1) << lane
    motion, alone = squared_motions(relative, pieces, pairs), tuning.RECYCLE_ONE_POINT * tolerance
    return (two_points & lane_bits(motion < tolerance * tolerance)) | lane_bits(motion < alone * alone)


@device
def find_dynamic(bodies, lanes):
    """Return bits of the pairs of two dynamic bodies."""
    dynamic = 0
    for lane in range(LANES):
        kind_a, kind_b = bodies.kind[lanes[LANE.BODY_A, lane]], bodies.kind[lanes[LANE.BODY_B, lane]]
        dynamic |= int(kind_a == DYNAMIC and kind_b == DYNAMIC) << lane
    return dynamic


@kernel
def cull_pairs(
    slots: Ints,
    bodies: Bodies,
    pieces: Pieces,
    pairs: Pairs,
    span: FloatTable,
    ahead: LookAhead,
    recycle: float,
    dynamic_alone: int,
    left: Ints,
):
    """Write the pairs in `slots` that need a new manifold to `left` (eight longer than `slots`); return their number.

    Gaps are as in `approach.py`. A manifold is kept up to a motion of `recycle` [m]; 0 keeps none.
    If `dynamic_alone` is not 0, only two dynamic bodies keep it. Reads body_frame, body_velocity, body_kind, body_span,
    piece_size, pair_enabled, pair_manifold. Writes pair_index (point count) of pairs that have no manifold.
    """
    count = 0
    lanes = pairs.lanes
    for start in range(0, len(slots), LANES):
        enabled, had = eight_pairs.load_pairs(slots, start, pairs)
        relative = eight_pairs.relative_poses(bodies, lanes)
        kept = 0
        if recycle > 0.0 and had != 0:
            kept = enabled & had & find_reusable_manifolds(relative, pieces, pairs, recycle)
            if kept != 0 and dynamic_alone != 0:
                kept &= find_dynamic(bodies, lanes)
        near = enabled & ~kept
        if near != 0:
            near &= ~lane_bits(are_apart(relative, bodies, pieces, span, lanes, ahead))
            for lane in range(LANES):
                left[count] = lanes[LANE.SLOT, lane]
                count += (near >> lane) & 1
        eight_pairs.clear_manifolds(had & ~(near | kept), pairs)
    return count
