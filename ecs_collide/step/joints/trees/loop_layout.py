"""Layout of the equations of joint loops: a band of 3 x 3 blocks, of which the upper half is stored.

The bodies of all loops stand one behind the other. Body i has three rows. They begin at its own columns and end at the
columns of the last body that it reaches. It reaches bodies through its joints, or through bodies that are eliminated
before it. Each row is filled up with zeros to whole vectors.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from ecs_collide.kernels.arrays import Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.joints.trees.lane_assignment import BRANCH
from ecs_collide.step.joints.trees.matrix_layout import SYMMETRIC

LOOP_JOINT = layout(
    "joint of a loop",
    LANE="8 times the joint block, plus the lane",
    CHILD="number of the child among the bodies of loops",
    PARENT="number of the parent among the bodies of loops",
)

SHARE = layout(
    "share of a joint in the matrix",
    OF_CHILD=("added to the child's block on the diagonal, see SYMMETRIC", SYMMETRIC.WIDTH),
    OF_PARENT=("added to the parent's block on the diagonal, see SYMMETRIC", SYMMETRIC.WIDTH),
    BETWEEN=("added to the block between both, row by row", 9),
)


class Loops(Bundle):
    """The joint loops that are awake, as kernels take them."""

    body: Ints
    """Body rows (n,) int64."""
    lane: Ints
    """Place of each body's lane in `lane_numbers` of the trees (n,) int64."""
    joint: IntTable = rows_of(LOOP_JOINT)
    """Columns LOOP_JOINT, block by block (j, 3) int64."""
    last: Ints
    """Last body that each body reaches (n,) int64."""
    start: Ints
    """Place of each body's first row in `band` (n,) int64."""
    width: Ints
    """Length of each body's rows (n,) int64."""
    band: Floats
    """The matrix, then its factors (numbers,)."""
    pivot: FloatTable = rows_of(SYMMETRIC)
    """Inverses of the blocks on the diagonal, columns SYMMETRIC (n, 6)."""
    free: FloatTable = rows_of(3)
    """Factor of each axis: 1 if the body can move along it, or turn, 0 if it is locked (n, 3)."""
    motion: Floats
    """The right hand side, then the solution: three numbers for each body (3 n, and room behind)."""
    row_of_three: FloatTable
    """Scratch space: rows of a body before its elimination (3, longest, and room behind)."""
    share: FloatTable = rows_of(LANES)
    """Scratch space, columns SHARE: what eight joints add to the matrix (21, 8)."""


def lay_out_loops(bodies: list[int], lanes: np.ndarray, branches: np.ndarray, joint_lanes: np.ndarray) -> Loops:
    """Return the layout of loops.

    Args:
        bodies: body rows in the order in which they are eliminated.
        lanes: place of each body's lane in `lane_numbers` (n,).
        branches: the joints between these bodies, columns BRANCH (j, 9).
        joint_lanes: 8 times the block of each of these joints, plus the lane (j,).
    """
    place = {body: k for k, body in enumerate(bodies)}
    ends = branches[:, [BRANCH.CHILD, BRANCH.PARENT]].tolist()
    joints = sorted(
        (lane, place[child], place[parent]) for lane, (child, parent) in zip(joint_lanes.tolist(), ends, strict=True)
    )
    last = list(range(len(bodies)))
    for _, child, parent in joints:
        first = min(child, parent)
        last[first] = max(last[first], child, parent)
    last = list(accumulate(last, max))  # the elimination of a body joins all bodies that it is joined with
    widths = [-(-3 * (end - k + 1) // LANES) * LANES for k, end in enumerate(last)]
    starts = [0, *accumulate(3 * width for width in widths)]
    longest = max(widths, default=0)
    return Loops(
        body=np.array(bodies, np.int64),
        lane=lanes,
        joint=np.array(joints, np.int64).reshape(-1, LOOP_JOINT.WIDTH),
        last=np.array(last, np.int64),
        start=np.array(starts[:-1], np.int64),
        width=np.array(widths, np.int64),
        band=lane_array((starts[-1],)),
        pivot=np.zeros((len(bodies), SYMMETRIC.WIDTH)),
        free=np.zeros((len(bodies), 3)),
        motion=lane_array((3 * len(bodies) + longest + LANES,)),
        row_of_three=lane_array((3, longest + 2 * LANES)),
        share=lane_array((SHARE.WIDTH, LANES)),
    )


NO_LOOPS = lay_out_loops([], np.zeros(0, np.int64), np.zeros((0, BRANCH.WIDTH), np.int64), np.zeros(0, np.int64))
"""The loops of a world that has none."""
