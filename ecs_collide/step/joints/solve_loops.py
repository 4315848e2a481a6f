"""Solve the webs, the bodies that loops run through: a band matrix, eliminated from one rim to the other.

A change of velocity u that the joints of a web ask for takes impulses lambda = -Gamma^-1 (J u + e), which give
M u = J^T lambda:

    (M + J^T Gamma^-1 J) u = -J^T Gamma^-1 e                  e = J v + b

M^-1 is what a body and all the trees that hang on it answer with (`factor.py`). The matrix has a block of 3 x 3 for
each body, and one for each two that are joined. Bodies that are near to each other stand near to each other in it, so
it is a band. It is positive definite, whatever loops contradict each other, and its Cholesky factors, L D L^T block by
block, fill the band and nothing else. A web of n bodies that is w bodies across costs n w^2, and gapes as little as a
tree does. What cannot move along an axis has 1 on the diagonal there, and nothing beside.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, gather, load, select, splat, store
from ecs_collide.step.joints.block_algebra import Symmetric, Triple, error_of, inverse, row_of_child, row_of_parent
from ecs_collide.step.joints.trees import tree_rows as layout
from ecs_collide.step.joints.trees.loop_layout import CHILD, LANE, PARENT

LEAST_RESPONSE = 1e-14
"""A tree that hangs on a body takes away from what this answers with; so much of its own inverse mass is left for sure.

Less is rounding, and may be below zero: of two kilometres of rod on a body of two milligrams nothing else is left.
"""

# what a joint adds to the blocks of its child and its parent on the diagonal, in the order of `Symmetric`, and to the
# one between them, row by row
OF_CHILD, OF_PARENT, BETWEEN = 0, 6, 12


@subroutine
def factor_web(trees):
    """Fill the band and eliminate its bodies. Reads seat (RESPONSE, masses), the rows and GAMMA. Writes web_band."""
    web = trees.web
    begin_band(web, trees.numbers)
    joint = 0
    for block in range(trees.span[layout.IN_TREES], trees.span[layout.STOP]):
        share_joints(trees, block)
        while joint < len(web.joint) and web.joint[joint, LANE] // LANES == block:
            add_joint(web, joint)
            joint += 1
    for k in range(len(web.body)):
        eliminate(web, k)


@device
def begin_band(web, numbers):
    """Put the masses on the diagonal. Writes web_band, web_free."""
    band = web.band
    for k in range(len(band)):
        band[k] = 0.0
    for k in range(len(web.body)):
        free, own = web.free[k], web.seat[k] + LANES * layout.MASS_X
        response = web.seat[k] + LANES * layout.RESPONSE
        for i in range(3):
            free[i] = 1.0 if numbers[own + LANES * i] > 0.0 else 0.0
        mass = inverse(
            Symmetric(
                numbers[response] + LEAST_RESPONSE * numbers[own] if free[0] > 0.0 else 1.0,
                numbers[response + LANES] + LEAST_RESPONSE * numbers[own + LANES] if free[1] > 0.0 else 1.0,
                numbers[response + 2 * LANES] + LEAST_RESPONSE * numbers[own + 2 * LANES] if free[2] > 0.0 else 1.0,
                numbers[response + 3 * LANES],
                numbers[response + 4 * LANES],
                numbers[response + 5 * LANES],
            )
        )
        at, width = web.start[k], web.width[k]
        band[at], band[at + 1], band[at + 2] = mass.xx, mass.xy, mass.xz
        band[at + width + 1], band[at + width + 2], band[at + 2 * width + 2] = mass.yy, mass.yz, mass.zz


@device
def free_part(row, mass):
    """A row of J without what is along locked axes."""
    return Triple(select(mass.x > 0.0, row.x, 0.0), select(mass.y > 0.0, row.y, 0.0), select(mass.z > 0.0, row.z, 0.0))


@device
def share_joints(trees, block):
    """What eight joints add to the matrix, J^T Gamma^-1 J. Writes web_share."""
    field, share = trees.field[block], trees.web.share
    of_child = gathered(trees, block, layout.CHILD, layout.MASS_X)
    of_parent = gathered(trees, block, layout.PARENT, layout.MASS_X)
    for k in range(21):
        store(share, k, splat(0.0))
    for i in range(3):
        strength = 1.0 / load(field, layout.GAMMA + i)
        c = free_part(row_of_child(field, i), of_child)
        p = free_part(row_of_parent(field, i), of_parent)
        add_square(share, OF_CHILD, c, strength)
        add_square(share, OF_PARENT, p, strength)
        add_products(share, BETWEEN, (0.0 - strength) * c.x, p)
        add_products(share, BETWEEN + 3, (0.0 - strength) * c.y, p)
        add_products(share, BETWEEN + 6, (0.0 - strength) * c.z, p)


@device
def add_square(share, at, a, strength):
    """Add a a^T, so many times."""
    x, y = strength * a.x, strength * a.y
    add_products(share, at, 1.0, Triple(x * a.x, y * a.y, strength * a.z * a.z))
    add_products(share, at + 3, 1.0, Triple(x * a.y, x * a.z, y * a.z))


@device
def add_products(share, at, factor, a):
    """Add three numbers, so many times."""
    store(share, at, load(share, at) + factor * a.x)
    store(share, at + 1, load(share, at + 1) + factor * a.y)
    store(share, at + 2, load(share, at + 2) + factor * a.z)


@device
def add_joint(web, joint):
    """Add to the band what the joint in its lane adds."""
    band, share, lane = web.band, web.share, web.joint[joint, LANE] % LANES
    child, parent = web.joint[joint, CHILD], web.joint[joint, PARENT]
    for side in range(2):
        body, of_body = (child, OF_CHILD) if side == 0 else (parent, OF_PARENT)
        at, width = web.start[body], web.width[body]
        band[at] += share[of_body, lane]
        band[at + 1] += share[of_body + 3, lane]
        band[at + 2] += share[of_body + 4, lane]
        band[at + width + 1] += share[of_body + 1, lane]
        band[at + width + 2] += share[of_body + 5, lane]
        band[at + 2 * width + 2] += share[of_body + 2, lane]
    first, other = min(child, parent), max(child, parent)
    of_row, of_column = (3, 1) if child < parent else (1, 3)
    at, width = web.start[first] + 3 * (other - first), web.width[first]
    for i in range(3):
        for j in range(3):
            band[at + i * width + j] += share[BETWEEN + of_row * i + of_column * j, lane]


@device
def eliminate(web, k):
    """Take body k out of the equations of all behind it: its rows become L^T, without the diagonal."""
    band, rows = web.band, web.row_of_three
    at, width = web.start[k], web.width[k]
    one, two = at + width, at + 2 * width
    pivot = inverse(Symmetric(band[at], band[one + 1], band[two + 2], band[at + 1], band[at + 2], band[one + 2]))
    inverses = web.pivot[k]
    inverses[0], inverses[1], inverses[2] = pivot.xx, pivot.yy, pivot.zz
    inverses[3], inverses[4], inverses[5] = pivot.xy, pivot.xz, pivot.yz
    for i in range(3):
        for j in range(3):
            band[at + i * width + j] = 0.0
    for column in range(0, width, LANES):
        a, b, c = load(band, at + column), load(band, one + column), load(band, two + column)
        store(rows, (0, column), pivot.xx * a + pivot.xy * b + pivot.xz * c)
        store(rows, (1, column), pivot.xy * a + pivot.yy * b + pivot.yz * c)
        store(rows, (2, column), pivot.xz * a + pivot.yz * b + pivot.zz * c)
    for i in range(3):
        store(rows, (i, width), splat(0.0))
    for target in range(k + 1, web.last[k] + 1):
        if is_joined(band, at + 3 * (target - k), width):
            eliminate_from(web, target, 3 * (target - k), k)
    for column in range(0, width, LANES):
        for i in range(3):
            store(band, at + i * width + column, load(rows, (i, column)))


@device
def is_joined(band, at, width):
    """Whether there is anything in a block: of what reaches far, such as a spoke, most is empty."""
    for i in range(3):
        for j in range(3):
            if band[at + i * width + j] != 0.0:
                return True
    return False


@device
def eliminate_from(web, target, before, k):
    """Take out of the rows of one body behind it, `before` columns on, what body k has to do with it."""
    band, rows, at, width = web.band, web.row_of_three, web.start[k], web.width[k]
    one, two = at + width, at + 2 * width
    a0, b0, c0 = band[at + before], band[one + before], band[two + before]
    a1, b1, c1 = band[at + before + 1], band[one + before + 1], band[two + before + 1]
    a2, b2, c2 = band[at + before + 2], band[one + before + 2], band[two + before + 2]
    first = web.start[target] - before
    second, third = first + web.width[target], first + 2 * web.width[target]
    for column in range(before, 3 * (web.last[k] - k + 1), LANES):
        x, y, z = load(rows, (0, column)), load(rows, (1, column)), load(rows, (2, column))
        store(band, first + column, load(band, first + column) - (a0 * x + b0 * y + c0 * z))
        store(band, second + column, load(band, second + column) - (a1 * x + b1 * y + c1 * z))
        store(band, third + column, load(band, third + column) - (a2 * x + b2 * y + c2 * z))


@subroutine
def solve_web(trees, column, bias, impulse):
    """Solve for three numbers of the seats of the webs' bodies, as `solve_trees` does."""
    web = trees.web
    pull_together(trees, column, bias)
    for k in range(len(web.body)):
        substitute_forward(web, k)
    for up in range(len(web.body)):
        substitute_back(web, len(web.body) - 1 - up)
    for k in range(len(web.body)):
        for i in range(3):
            trees.numbers[web.seat[k] + LANES * (column + i)] += web.motion[3 * k + i]
    if impulse == layout.NONE:
        return
    for block in range(trees.span[layout.IN_TREES], trees.span[layout.STOP]):
        given = asked_impulse(trees, block, column, bias)
        field = trees.field[block]
        store(field, impulse, load(field, impulse) + given.x)
        store(field, impulse + 1, load(field, impulse + 1) + given.y)
        store(field, impulse + 2, load(field, impulse + 2) + given.z)


@device
def gathered(trees, block, side, column):
    """Three numbers of the children, or the parents, of eight joints of a web, who sit anywhere."""
    numbers, rows = trees.numbers[LANES * column :], (block, side)
    return Triple(
        gather(numbers, trees.index, rows),
        gather(numbers[LANES:], trees.index, rows),
        gather(numbers[2 * LANES :], trees.index, rows),
    )


@device
def asked_impulse(trees, block, column, bias):
    """-Gamma^-1 e of eight joints."""
    field = trees.field[block]
    child, parent = gathered(trees, block, layout.CHILD, column), gathered(trees, block, layout.PARENT, column)
    e = error_of(field, child, parent, bias)
    nothing = splat(0.0)
    return Triple(
        (nothing - e.x) / load(field, layout.GAMMA),
        (nothing - e.y) / load(field, layout.GAMMA + 1),
        (nothing - e.z) / load(field, layout.GAMMA + 2),
    )


@device
def pull_together(trees, column, bias):
    """The right hand side, -J^T Gamma^-1 e. Writes web_motion."""
    web, motion, share = trees.web, trees.web.motion, trees.web.share
    for k in range(len(motion)):
        motion[k] = 0.0
    joint = 0
    for block in range(trees.span[layout.IN_TREES], trees.span[layout.STOP]):
        field = trees.field[block]
        given = asked_impulse(trees, block, column, bias)
        store_push(share, 0, given, row_of_child(field, 0), row_of_child(field, 1), row_of_child(field, 2))
        store_push(share, 3, given, row_of_parent(field, 0), row_of_parent(field, 1), row_of_parent(field, 2))
        while joint < len(web.joint) and web.joint[joint, LANE] // LANES == block:
            lane, child, parent = web.joint[joint, LANE] % LANES, web.joint[joint, CHILD], web.joint[joint, PARENT]
            for i in range(3):
                motion[3 * child + i] += share[i, lane]
                motion[3 * parent + i] -= share[3 + i, lane]
            joint += 1
    for k in range(len(web.body)):
        for i in range(3):
            motion[3 * k + i] *= web.free[k, i]


@device
def store_push(share, at, given, row0, row1, row2):
    """Write J^T of three impulses."""
    store(share, at, row0.x * given.x + row1.x * given.y + row2.x * given.z)
    store(share, at + 1, row0.y * given.x + row1.y * given.y + row2.y * given.z)
    store(share, at + 2, row0.z * given.x + row1.z * given.y + row2.z * given.z)


@device
def substitute_forward(web, k):
    """What body k asks of all behind it; then its own part, divided by the pivot."""
    band, motion, pivot = web.band, web.motion, web.pivot[k]
    at, width, first = web.start[k], web.width[k], 3 * k
    x, y, w = motion[first], motion[first + 1], motion[first + 2]
    if x == 0.0 and y == 0.0 and w == 0.0:
        return
    for column in range(0, width, LANES):
        part = x * load(band, at + column) + y * load(band, at + width + column)
        part = part + w * load(band, at + 2 * width + column)
        store(motion, first + column, load(motion, first + column) - part)
    motion[first] = pivot[0] * x + pivot[3] * y + pivot[4] * w
    motion[first + 1] = pivot[3] * x + pivot[1] * y + pivot[5] * w
    motion[first + 2] = pivot[4] * x + pivot[5] * y + pivot[2] * w


@device
def substitute_back(web, k):
    """The motion of body k, given those of all behind it."""
    band, motion, sums = web.band, web.motion, web.share
    at, width, first = web.start[k], web.width[k], 3 * k
    x, y, w = splat(0.0), splat(0.0), splat(0.0)
    for column in range(0, width, LANES):
        behind = load(motion, first + column)
        x = x + load(band, at + column) * behind
        y = y + load(band, at + width + column) * behind
        w = w + load(band, at + 2 * width + column) * behind
    store(sums, 0, x)
    store(sums, 1, y)
    store(sums, 2, w)
    for i in range(3):
        halves = (sums[i, 0] + sums[i, 4]) + (sums[i, 1] + sums[i, 5])
        motion[first + i] -= halves + ((sums[i, 2] + sums[i, 6]) + (sums[i, 3] + sums[i, 7]))
