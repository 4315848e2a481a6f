"""What kernels share that look at eight pairs at once, one in each lane."""

from __future__ import annotations

from ecs_collide.data.bodies import FRAME
from ecs_collide.data.pairs import PAIR
from ecs_collide.geometry.pose import Pose, find_relative_pose
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, gather4, trailing_zeros

# pair_lanes
SLOTS, PIECES_A, PIECES_B, BODIES_A, BODIES_B = range(5)


@device
def take_pairs(slots, start, pairs):
    """Take the eight pairs from `start` on; return as bits which are to have a manifold, and which had one.

    Lanes without a pair repeat the last one, and count as switched off. Reads pair_index, pair_enabled. Writes
    pair_lanes.
    """
    lanes, index = pairs.lanes, pairs.index
    last = len(slots) - 1
    enabled, had = 0, 0
    for lane in range(LANES):
        slot = slots[min(start + lane, last)]
        lanes[SLOTS, lane] = slot
        lanes[PIECES_A, lane], lanes[PIECES_B, lane] = index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B]
        lanes[BODIES_A, lane], lanes[BODIES_B, lane] = index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B]
        enabled |= int(pairs.enabled[slot]) << lane
        had |= min(index[slot, PAIR.POINT_COUNT], 1) << lane
    present = (1 << min(LANES, len(slots) - start)) - 1
    return enabled & present, had & present


@device
def forget_manifolds(lost, pairs):
    """Take their points from the pairs whose bits are set. Reads pair_lanes. Writes pair_index."""
    while lost != 0:
        pairs.index[pairs.lanes[SLOTS, trailing_zeros(lost)], PAIR.POINT_COUNT] = 0
        lost &= lost - 1


@device
def relative_poses(bodies, lanes):
    """The poses of the bodies B as seen from A, a `Pose` of vectors."""
    ax, ay, cos_a, sin_a = gather4(bodies.frame, FRAME.CENTER_X, lanes, BODIES_A)
    bx, by, cos_b, sin_b = gather4(bodies.frame, FRAME.CENTER_X, lanes, BODIES_B)
    return find_relative_pose(Pose(ax, ay, cos_a, sin_a), Pose(bx, by, cos_b, sin_b))
