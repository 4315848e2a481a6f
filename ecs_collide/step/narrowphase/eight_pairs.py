"""Functions for kernels that process eight pairs at once, one in each lane."""

from __future__ import annotations

from ecs_collide.data.bodies import FRAME
from ecs_collide.data.pairs import PAIR
from ecs_collide.geometry.pose import Pose, find_relative_pose
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, gather4, trailing_zeros

LANE = layout(
    "lanes of eight pairs",
    SLOT="slot of the pair",
    PIECE_A="row of piece A",
    PIECE_B="row of piece B",
    BODY_A="row of body A",
    BODY_B="row of body B",
)
"""Rows of `Pairs.lanes`."""


@device
def load_pairs(slots, start, pairs):
    """Load the eight pairs from `start` on; return bits of those that need a manifold, and of those that had one.

    Lanes without a pair repeat the last one and count as disabled. Reads pair_index, pair_enabled. Writes pair_lanes.
    """
    lanes, index = pairs.lanes, pairs.index
    last = len(slots) - 1
    enabled, had = 0, 0
    for lane in range(LANES):
        slot = slots[min(start + lane, last)]
        lanes[LANE.SLOT, lane] = slot
        lanes[LANE.PIECE_A, lane], lanes[LANE.PIECE_B, lane] = index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B]
        lanes[LANE.BODY_A, lane], lanes[LANE.BODY_B, lane] = index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B]
        enabled |= int(pairs.enabled[slot]) << lane
        had |= min(index[slot, PAIR.POINT_COUNT], 1) << lane
    present = (1 << min(LANES, len(slots) - start)) - 1
    return enabled & present, had & present


@device
def clear_manifolds(lost, pairs):
    """Remove the manifolds of the pairs whose bits are set. Reads pair_lanes. Writes pair_index."""
    while lost != 0:
        pairs.index[pairs.lanes[LANE.SLOT, trailing_zeros(lost)], PAIR.POINT_COUNT] = 0
        lost &= lost - 1


@device
def relative_poses(bodies, lanes):
    """Return the poses of the bodies B relative to A, a `Pose` of vectors."""
    ax, ay, cos_a, sin_a = gather4(bodies.frame, FRAME.CENTER_X, lanes, LANE.BODY_A)
    bx, by, cos_b, sin_b = gather4(bodies.frame, FRAME.CENTER_X, lanes, LANE.BODY_B)
    return find_relative_pose(Pose(x=ax, y=ay, cos=cos_a, sin=sin_a), Pose(x=bx, y=by, cos=cos_b, sin=sin_b))
