"""Which block and lane each branch of a tree batch gets.

Branches that may share a block are a *lot*. The branches of loops are one lot. Other lots have one level and one kind,
and hold one child of each parent. Starting at the roots, children get the lanes of their parents if that fills more
than half of a block. The branches of a lot that are left over fill blocks of their own.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES

BRANCH = layout(
    "branch of a joint tree",
    ENTITY="entity of the joint",
    JOINT="joint row",
    KIND="kind of the joint",
    CHILD="body row of the child, -1 for a body that is not dynamic or the world",
    PARENT="body row of the parent",
    B_IS_CHILD="1 if body B of the joint is the child",
    IN_LOOP="1 if the joint is between bodies of loops",
    LEVEL="number of joints from the parent to the root; 0 in a loop",
    SIBLING="number of joints of this kind that hang on the parent before it; 0 in a loop",
)

PLACE = layout("place of a branch", BLOCK="joint block", LANE="lane in it")

# Rows of scratch space
MEMBERS, ORDER, BLOCK_OF = 0, 1, 2


@device
def may_share_block(branch, k, m):
    """Return True if two branches may share a block."""
    same_level = branch[k, BRANCH.IN_LOOP] == branch[m, BRANCH.IN_LOOP] and (
        branch[k, BRANCH.LEVEL] == branch[m, BRANCH.LEVEL]
    )
    same_kind = branch[k, BRANCH.KIND] == branch[m, BRANCH.KIND]
    return same_level and same_kind and branch[k, BRANCH.SIBLING] == branch[m, BRANCH.SIBLING]


@device
def count_under(branch, start, stop, above, members, order):
    """Count the branches of a lot under each lane block, and list these blocks in `order`; return their number."""
    groups = 0
    for k in range(start, stop):
        lane_block = above[branch[k, BRANCH.PARENT]] // LANES
        if members[lane_block] == 0:
            order[groups] = lane_block
            groups += 1
        members[lane_block] += 1
    return groups


@device
def split_groups(order, groups, members, block_of, created):
    """Assign a joint block to each lane block that fills more than half of one, or is the only one.

    Writes the joint block to `block_of`. For other lane blocks it writes -1 less the number of their first branch among
    all that are left over. Returns the number of joint blocks and the number of branches that are left over.
    """
    left_over = 0
    for k in range(groups):
        lane_block = order[k]
        if members[lane_block] > LANES // 2 or groups == 1:
            block_of[lane_block] = created
            created += 1
        else:
            block_of[lane_block] = -1 - left_over
            left_over += members[lane_block]
        members[lane_block] = 0
    return created, left_over


@device
def fill_lot(branch, start, stop, created, above, scratch, place):
    """Assign places to the branches of one lot of a tree; return the number of joint blocks so far."""
    members, order, block_of = scratch[MEMBERS], scratch[ORDER], scratch[BLOCK_OF]
    groups = count_under(branch, start, stop, above, members, order)
    first, left_over = split_groups(order, groups, members, block_of, created)
    for k in range(start, stop):
        lane_block, lane = above[branch[k, BRANCH.PARENT]] // LANES, above[branch[k, BRANCH.PARENT]] % LANES
        if block_of[lane_block] >= 0:
            place[k, PLACE.BLOCK], place[k, PLACE.LANE] = block_of[lane_block], lane
        else:
            number = -1 - block_of[lane_block]
            block_of[lane_block] -= 1
            place[k, PLACE.BLOCK], place[k, PLACE.LANE] = first + number // LANES, number % LANES
    return first + (left_over + LANES - 1) // LANES


@device
def place_branches(branch, roots, above, scratch, place):
    """Assign blocks, numbered from 0, and lanes to the branches of a tree batch; return the number of blocks.

    Args:
        branch: columns BRANCH, lot by lot, deepest first, those of loops last (j, 9).
        roots: body rows of the roots.
        above: zeros, one for each body row; used up.
        scratch: zeros, at least as many columns as branches and roots; used up (3, n).
        place: columns PLACE, written (j, 2).
    """
    for number in range(len(roots)):
        above[roots[number]] = number
    offset = (len(roots) + LANES - 1) // LANES  # lane blocks of the roots come first, then those of the children
    created, stop = 0, len(branch)
    while stop > 0:
        start, before = stop - 1, created
        while start > 0 and may_share_block(branch, start - 1, stop - 1):
            start -= 1
        if branch[start, BRANCH.IN_LOOP] != 0:
            for k in range(start, stop):
                place[k, PLACE.BLOCK], place[k, PLACE.LANE] = created + (k - start) // LANES, (k - start) % LANES
            created += (stop - start + LANES - 1) // LANES
        else:
            created = fill_lot(branch, start, stop, created, above, scratch, place)
        for k in range(start, stop):
            if branch[k, BRANCH.IN_LOOP] == 0 and branch[k, BRANCH.CHILD] >= 0:
                above[branch[k, BRANCH.CHILD]] = LANES * (offset + place[k, PLACE.BLOCK]) + place[k, PLACE.LANE]
            # The loop below adds the number of all blocks, which puts the deepest first.
            place[k, PLACE.BLOCK] -= created + before
        stop = start
    for k in range(len(branch)):
        place[k, PLACE.BLOCK] += created
    return created
