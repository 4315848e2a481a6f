"""Which block and lane each branch of a grove gets.

Branches that may share a block are a *lot*: those of a web; of the others those of one level and kind, that are the
same of their parent's children. From the roots on, children get the lanes of their parents, where more than half of a
block can be filled so; what is left over of a lot fills blocks of its own.
"""

from __future__ import annotations

from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.kernels.simd import LANES

# The columns of a table of branches: the fields of `Branch`
ENTITY, JOINT, KIND, CHILD, PARENT, B_IS_CHILD, IN_WEB, LEVEL, SIBLING = range(9)
WIDTH = 9

# place
BLOCK, LANE = 0, 1


@device
def is_one_lot(branch, k, m):
    """Whether two branches may share a block."""
    same_level = branch[k, IN_WEB] == branch[m, IN_WEB] and branch[k, LEVEL] == branch[m, LEVEL]
    return same_level and branch[k, KIND] == branch[m, KIND] and branch[k, SIBLING] == branch[m, SIBLING]


@device
def count_under(branch, start, stop, above, members, order):
    """Count the branches of a lot under each seat block, and list these in `order` as they come; how many they are."""
    groups = 0
    for k in range(start, stop):
        seat = above[branch[k, PARENT]] // LANES
        if members[seat] == 0:
            order[groups] = seat
            groups += 1
        members[seat] += 1
    return groups


@device
def part_groups(order, groups, members, block_of, created):
    """Give a block of its own to each seat block that fills more than half of one, or is the only one.

    Writes that to `block_of`, and of others -1 less the place of their first branch among all that are left over.
    Returns how many blocks there are then, and how many branches are left over.
    """
    left_over = 0
    for k in range(groups):
        seat = order[k]
        if members[seat] > LANES // 2 or groups == 1:
            block_of[seat] = created
            created += 1
        else:
            block_of[seat] = -1 - left_over
            left_over += members[seat]
        members[seat] = 0
    return created, left_over


@device
def fill_lot(branch, start, stop, created, above, members, order, block_of, place):
    """Give the branches of one lot of a tree their places; return how many blocks there are then."""
    groups = count_under(branch, start, stop, above, members, order)
    first, left_over = part_groups(order, groups, members, block_of, created)
    for k in range(start, stop):
        seat, lane = above[branch[k, PARENT]] // LANES, above[branch[k, PARENT]] % LANES
        if block_of[seat] >= 0:
            place[k, BLOCK], place[k, LANE] = block_of[seat], lane
        else:
            number = -1 - block_of[seat]
            block_of[seat] -= 1
            place[k, BLOCK], place[k, LANE] = first + number // LANES, number % LANES
    return first + (left_over + LANES - 1) // LANES


@stage
def place_branches(branch: IntTable, roots: Ints, above: Ints, scratch: IntTable, place: IntTable):
    """Give the branches of a grove their blocks, numbered from 0, and their lanes; return how many blocks there are.

    The branches (j, 9) stand lot by lot, deepest first, those of a web last. Writes `place` (j, 2), and uses up `above`
    (bodies,) and `scratch` (3, n), both zeros, n not less than the number of branches and roots.
    """
    members, order, block_of = scratch[0], scratch[1], scratch[2]
    for number in range(len(roots)):
        above[roots[number]] = number
    offset = (len(roots) + LANES - 1) // LANES  # where a body sits: the roots in the first blocks, and so on
    created, stop = 0, len(branch)
    while stop > 0:
        start, before = stop - 1, created
        while start > 0 and is_one_lot(branch, start - 1, stop - 1):
            start -= 1
        if branch[start, IN_WEB] != 0:
            for k in range(start, stop):
                place[k, BLOCK], place[k, LANE] = created + (k - start) // LANES, (k - start) % LANES
            created += (stop - start + LANES - 1) // LANES
        else:
            created = fill_lot(branch, start, stop, created, above, members, order, block_of, place)
        for k in range(start, stop):
            if branch[k, IN_WEB] == 0 and branch[k, CHILD] >= 0:
                above[branch[k, CHILD]] = LANES * (offset + place[k, BLOCK]) + place[k, LANE]
            place[k, BLOCK] -= created + before  # so that adding the number of all blocks puts the deepest first
        stop = start
    for k in range(len(branch)):
        place[k, BLOCK] += created
    return created
