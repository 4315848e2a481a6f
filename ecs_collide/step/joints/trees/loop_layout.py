"""How the equations of the webs are laid out: a band of 3 x 3 blocks, of which the upper half is kept.

The bodies of all webs stand one behind the other. Body i has three rows, which begin at its own columns and go on to
those of the last body that it reaches, through its joints or through what is eliminated before it; each is filled up
with zeros to whole vectors.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from ecs_collide.kernels.arrays import Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.simd import LANES, lane_array
from ecs_collide.step.joints.trees import lane_assignment as of_branch

# web_joint: 8 times the block, and the lane, of a joint in a web; the places of its child and parent among the bodies
LANE, CHILD, PARENT = range(3)


class Web(Bundle):
    """The webs that are awake, as kernels take them."""

    body: Ints
    """Body rows (n,) int64."""
    seat: Ints
    """And where they sit, in the trees' `numbers` (n,) int64."""
    joint: IntTable
    """The numbers above, block by block (j, 3) int64."""
    last: Ints
    """The last body that each one reaches (n,) int64."""
    start: Ints
    """Where the rows of each body begin in `band` (n,) int64."""
    width: Ints
    """How long each of them is (n,) int64."""
    band: Floats
    """The matrix, and what is eliminated (numbers,)."""
    pivot: FloatTable
    """The inverses of the blocks on the diagonal, in the order of `Symmetric` (n, 6)."""
    free: FloatTable
    """1 where the body can move along an axis, or turn, 0 where it is locked (n, 3)."""
    motion: Floats
    """The right hand side, and the solution: three numbers for each body (3 n, and room behind)."""
    row_of_three: FloatTable
    """Scratch space: the rows of a body before the elimination (3, longest, and room behind)."""
    share: FloatTable
    """Scratch space: what eight joints add (21, 8)."""


def lay_web(web: list[int], seats: np.ndarray, branches: np.ndarray, lane: np.ndarray) -> Web:
    """The webs' bodies in the order in which they are eliminated, where they sit, and the joints between them."""
    place = {body: k for k, body in enumerate(web)}
    named = branches[:, [of_branch.JOINT, of_branch.CHILD, of_branch.PARENT]].tolist()
    joints = sorted((lane.item(joint), place[child], place[parent]) for joint, child, parent in named)
    last = list(range(len(web)))
    for _, child, parent in joints:
        first = min(child, parent)
        last[first] = max(last[first], child, parent)
    last = list(accumulate(last, max))  # what a body is joined with is joined with each other once it is eliminated
    widths = [-(-3 * (end - k + 1) // LANES) * LANES for k, end in enumerate(last)]
    starts = [0, *accumulate(3 * width for width in widths)]
    longest = max(widths, default=0)
    return Web(
        np.array(web, np.int64),
        seats,
        np.array(joints, np.int64).reshape(-1, 3),
        np.array(last, np.int64),
        np.array(starts[:-1], np.int64),
        np.array(widths, np.int64),
        lane_array((starts[-1],)),
        np.zeros((len(web), 6)),
        np.zeros((len(web), 3)),
        lane_array((3 * len(web) + longest + LANES,)),
        lane_array((3, longest + 2 * LANES)),
        lane_array((21, LANES)),
    )


NO_WEB = lay_web([], np.zeros(0, np.int64), np.zeros((0, of_branch.WIDTH), np.int64), np.zeros(0, np.int64))
"""What there is where no joints make a loop."""
