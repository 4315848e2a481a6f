"""Solve joint loops: a band matrix, eliminated from one rim to the other.

A change of velocity u by the joints of loops takes impulses lambda = -Gamma^-1 (J u + e), which give M u = J^T lambda:

    (M + J^T Gamma^-1 J) u = -J^T Gamma^-1 e                  e = J v + b

M^-1 is the response of a body with all the trees that hang on it (`factor_trees.py`). The matrix has a block of 3 x 3
for each body, and one for each joined pair. Bodies that are near to each other are near in the matrix as well, so it
is a band. It is positive definite even if loops contradict each other. Its Cholesky factors, L D L^T block by block,
fill the band and nothing else. Loops of n bodies that are w bodies across cost n w^2. Locked axes have 1 on the
diagonal and 0 beside it.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES, gather, load, select, splat, store
from ecs_collide.step.joints.rows.block_algebra import Symmetric, Triple, error_of, inverse, row_of_child, row_of_parent
from ecs_collide.step.joints.trees.loop_layout import LOOP_JOINT, SHARE
from ecs_collide.step.joints.trees.matrix_layout import SYMMETRIC
from ecs_collide.step.joints.trees.tree_rows import BATCH, BLOCK, INDEX, LANE, NONE

LEAST_RESPONSE = 1e-14
"""Least response of a body, as a part of its own inverse mass. Trees that hang on it reduce its response; below this
limit it is rounding, and may be negative."""


@subroutine
def factor_loops(trees):
    """Fill the band and eliminate its bodies. Reads RESPONSE and masses of body lanes, the rows, GAMMA. Writes band."""
    loops = trees.loops
    fill_band(loops, trees.lane_numbers)
    joint = 0
    for block in range(trees.span[BATCH.STOP_TREES], trees.span[BATCH.STOP_BLOCK]):
        compute_shares(trees, block)
        while joint < len(loops.joint) and loops.joint[joint, LOOP_JOINT.LANE] // LANES == block:
            add_joint(loops, joint)
            joint += 1
    for k in range(len(loops.body)):
        eliminate(loops, k)


@device
def fill_band(loops, numbers):
    """Write the masses on the diagonal. Writes band, free."""
    band = loops.band
    for k in range(len(band)):
        band[k] = 0.0
    for k in range(len(loops.body)):
        free, own = loops.free[k], loops.lane[k] + LANES * LANE.MASS_X
        response = loops.lane[k] + LANES * LANE.RESPONSE
        for i in range(3):
            free[i] = 1.0 if numbers[own + LANES * i] > 0.0 else 0.0
        mass = inverse(
            Symmetric(
                xx=numbers[response + LANES * SYMMETRIC.XX] + LEAST_RESPONSE * numbers[own] if free[0] > 0.0 else 1.0,
                yy=numbers[response + LANES * SYMMETRIC.YY] + LEAST_RESPONSE * numbers[own + LANES]
                if free[1] > 0.0
                else 1.0,
                zz=numbers[response + LANES * SYMMETRIC.ZZ] + LEAST_RESPONSE * numbers[own + 2 * LANES]
                if free[2] > 0.0
                else 1.0,
                xy=numbers[response + LANES * SYMMETRIC.XY],
                xz=numbers[response + LANES * SYMMETRIC.XZ],
                yz=numbers[response + LANES * SYMMETRIC.YZ],
            )
        )
        at, width = loops.start[k], loops.width[k]
        band[at], band[at + 1], band[at + 2] = mass.xx, mass.xy, mass.xz
        band[at + width + 1], band[at + width + 2], band[at + 2 * width + 2] = mass.yy, mass.yz, mass.zz


@device
def unlocked_part(row, mass):
    """Return a row of J without its parts along locked axes."""
    return Triple(select(mass.x > 0.0, row.x, 0.0), select(mass.y > 0.0, row.y, 0.0), select(mass.z > 0.0, row.z, 0.0))


@device
def compute_shares(trees, block):
    """Compute what eight joints add to the matrix, J^T Gamma^-1 J. Writes share."""
    field, share = trees.blocks[block], trees.loops.share
    of_child = gather_lanes(trees, block, INDEX.CHILD, LANE.MASS_X)
    of_parent = gather_lanes(trees, block, INDEX.PARENT, LANE.MASS_X)
    for k in range(SHARE.WIDTH):
        store(share, k, splat(0.0))
    for i in range(3):
        strength = 1.0 / load(field, BLOCK.GAMMA + i)
        c = unlocked_part(row_of_child(field, i), of_child)
        p = unlocked_part(row_of_parent(field, i), of_parent)
        add_square(share, SHARE.OF_CHILD, c, strength)
        add_square(share, SHARE.OF_PARENT, p, strength)
        add_products(share, SHARE.BETWEEN, (0.0 - strength) * c.x, p)
        add_products(share, SHARE.BETWEEN + 3, (0.0 - strength) * c.y, p)
        add_products(share, SHARE.BETWEEN + 6, (0.0 - strength) * c.z, p)


@device
def add_square(share, at, a, strength):
    """Add strength a a^T to the share of eight joints, from column `at` on."""
    x, y = strength * a.x, strength * a.y
    add_products(share, at, 1.0, Triple(x * a.x, y * a.y, strength * a.z * a.z))
    add_products(share, at + 3, 1.0, Triple(x * a.y, x * a.z, y * a.z))


@device
def add_products(share, at, factor, a):
    """Add factor times three numbers to the share of eight joints, from column `at` on."""
    store(share, at, load(share, at) + factor * a.x)
    store(share, at + 1, load(share, at + 1) + factor * a.y)
    store(share, at + 2, load(share, at + 2) + factor * a.z)


@device
def add_joint(loops, joint):
    """Add the share of a joint to the band."""
    band, share, lane = loops.band, loops.share, loops.joint[joint, LOOP_JOINT.LANE] % LANES
    child, parent = loops.joint[joint, LOOP_JOINT.CHILD], loops.joint[joint, LOOP_JOINT.PARENT]
    for side in range(2):
        body, joints_of_body = (child, SHARE.OF_CHILD) if side == 0 else (parent, SHARE.OF_PARENT)
        at, width = loops.start[body], loops.width[body]
        band[at] += share[joints_of_body + SYMMETRIC.XX, lane]
        band[at + 1] += share[joints_of_body + SYMMETRIC.XY, lane]
        band[at + 2] += share[joints_of_body + SYMMETRIC.XZ, lane]
        band[at + width + 1] += share[joints_of_body + SYMMETRIC.YY, lane]
        band[at + width + 2] += share[joints_of_body + SYMMETRIC.YZ, lane]
        band[at + 2 * width + 2] += share[joints_of_body + SYMMETRIC.ZZ, lane]
    first, other = min(child, parent), max(child, parent)
    of_row, of_column = (3, 1) if child < parent else (1, 3)
    at, width = loops.start[first] + 3 * (other - first), loops.width[first]
    for i in range(3):
        for j in range(3):
            band[at + i * width + j] += share[SHARE.BETWEEN + of_row * i + of_column * j, lane]


@device
def eliminate(loops, k):
    """Eliminate body k from the equations of all bodies behind it: its rows become L^T, without the diagonal."""
    band, rows = loops.band, loops.row_of_three
    at, width = loops.start[k], loops.width[k]
    one, two = at + width, at + 2 * width
    pivot = inverse(
        Symmetric(xx=band[at], yy=band[one + 1], zz=band[two + 2], xy=band[at + 1], xz=band[at + 2], yz=band[one + 2])
    )
    inverses = loops.pivot[k]
    inverses[SYMMETRIC.XX], inverses[SYMMETRIC.YY], inverses[SYMMETRIC.ZZ] = pivot.xx, pivot.yy, pivot.zz
    inverses[SYMMETRIC.XY], inverses[SYMMETRIC.XZ], inverses[SYMMETRIC.YZ] = pivot.xy, pivot.xz, pivot.yz
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
    for target in range(k + 1, loops.last[k] + 1):
        if is_joined(band, at + 3 * (target - k), width):
            eliminate_from(loops, target, 3 * (target - k), k)
    for column in range(0, width, LANES):
        for i in range(3):
            store(band, at + i * width + column, load(rows, (i, column)))


@device
def is_joined(band, at, width):
    """Return True if a 3 x 3 block holds any number; most blocks of far-reaching bodies are zero."""
    for i in range(3):
        for j in range(3):
            if band[at + i * width + j] != 0.0:
                return True
    return False


@device
def eliminate_from(loops, target, before, k):
    """Subtract the part of body k from the rows of a body behind it, `before` columns on."""
    band, rows, at, width = loops.band, loops.row_of_three, loops.start[k], loops.width[k]
    one, two = at + width, at + 2 * width
    a0, b0, c0 = band[at + before], band[one + before], band[two + before]
    a1, b1, c1 = band[at + before + 1], band[one + before + 1], band[two + before + 1]
    a2, b2, c2 = band[at + before + 2], band[one + before + 2], band[two + before + 2]
    first = loops.start[target] - before
    second, third = first + loops.width[target], first + 2 * loops.width[target]
    for column in range(before, 3 * (loops.last[k] - k + 1), LANES):
        x, y, z = load(rows, (0, column)), load(rows, (1, column)), load(rows, (2, column))
        store(band, first + column, load(band, first + column) - (a0 * x + b0 * y + c0 * z))
        store(band, second + column, load(band, second + column) - (a1 * x + b1 * y + c1 * z))
        store(band, third + column, load(band, third + column) - (a2 * x + b2 * y + c2 * z))


@subroutine
def solve_loops(trees, column, bias, impulse):
    """Solve for three numbers of the lanes of the loops' bodies, as `solve_trees` does."""
    loops = trees.loops
    set_right_side(trees, column, bias)
    for k in range(len(loops.body)):
        substitute_forward(loops, k)
    for up in range(len(loops.body)):
        substitute_back(loops, len(loops.body) - 1 - up)
    for k in range(len(loops.body)):
        for i in range(3):
            trees.lane_numbers[loops.lane[k] + LANES * (column + i)] += loops.motion[3 * k + i]
    if impulse == NONE:
        return
    for block in range(trees.span[BATCH.STOP_TREES], trees.span[BATCH.STOP_BLOCK]):
        given = bias_impulse(trees, block, column, bias)
        field = trees.blocks[block]
        store(field, impulse, load(field, impulse) + given.x)
        store(field, impulse + 1, load(field, impulse + 1) + given.y)
        store(field, impulse + 2, load(field, impulse + 2) + given.z)


@device
def gather_lanes(trees, block, side, column):
    """Return three numbers of the children or parents of eight joints of loops, out of any lanes."""
    numbers, rows = trees.lane_numbers[LANES * column :], (block, side)
    return Triple(
        gather(numbers, trees.block_index, rows),
        gather(numbers[LANES:], trees.block_index, rows),
        gather(numbers[2 * LANES :], trees.block_index, rows),
    )


@device
def bias_impulse(trees, block, column, bias):
    """Return -Gamma^-1 e of eight joints."""
    field = trees.blocks[block]
    child, parent = gather_lanes(trees, block, INDEX.CHILD, column), gather_lanes(trees, block, INDEX.PARENT, column)
    e = error_of(field, child, parent, bias)
    nothing = splat(0.0)
    return Triple(
        (nothing - e.x) / load(field, BLOCK.GAMMA),
        (nothing - e.y) / load(field, BLOCK.GAMMA + 1),
        (nothing - e.z) / load(field, BLOCK.GAMMA + 2),
    )


@device
def set_right_side(trees, column, bias):
    """Compute the right hand side, -J^T Gamma^-1 e. Writes motion."""
    loops, motion, share = trees.loops, trees.loops.motion, trees.loops.share
    for k in range(len(motion)):
        motion[k] = 0.0
    joint = 0
    for block in range(trees.span[BATCH.STOP_TREES], trees.span[BATCH.STOP_BLOCK]):
        field = trees.blocks[block]
        given = bias_impulse(trees, block, column, bias)
        store_products(share, 0, given, row_of_child(field, 0), row_of_child(field, 1), row_of_child(field, 2))
        store_products(share, 3, given, row_of_parent(field, 0), row_of_parent(field, 1), row_of_parent(field, 2))
        while joint < len(loops.joint) and loops.joint[joint, LOOP_JOINT.LANE] // LANES == block:
            lane = loops.joint[joint, LOOP_JOINT.LANE] % LANES
            child = loops.joint[joint, LOOP_JOINT.CHILD]
            parent = loops.joint[joint, LOOP_JOINT.PARENT]
            for i in range(3):
                motion[3 * child + i] += share[i, lane]
                motion[3 * parent + i] -= share[3 + i, lane]
            joint += 1
    for k in range(len(loops.body)):
        for i in range(3):
            motion[3 * k + i] *= loops.free[k, i]


@device
def store_products(share, at, given, row0, row1, row2):
    """Write J^T of three impulses to the share of eight joints, from column `at` on."""
    store(share, at, row0.x * given.x + row1.x * given.y + row2.x * given.z)
    store(share, at + 1, row0.y * given.x + row1.y * given.y + row2.y * given.z)
    store(share, at + 2, row0.z * given.x + row1.z * given.y + row2.z * given.z)


@device
def substitute_forward(loops, k):
    """Subtract the part of body k from all bodies behind it; then divide its own by the pivot."""
    band, motion, pivot = loops.band, loops.motion, loops.pivot[k]
    at, width, first = loops.start[k], loops.width[k], 3 * k
    x, y, w = motion[first], motion[first + 1], motion[first + 2]
    if x == 0.0 and y == 0.0 and w == 0.0:
        return
    for column in range(0, width, LANES):
        part = x * load(band, at + column) + y * load(band, at + width + column)
        part = part + w * load(band, at + 2 * width + column)
        store(motion, first + column, load(motion, first + column) - part)
    motion[first] = pivot[SYMMETRIC.XX] * x + pivot[SYMMETRIC.XY] * y + pivot[SYMMETRIC.XZ] * w
    motion[first + 1] = pivot[SYMMETRIC.XY] * x + pivot[SYMMETRIC.YY] * y + pivot[SYMMETRIC.YZ] * w
    motion[first + 2] = pivot[SYMMETRIC.XZ] * x + pivot[SYMMETRIC.YZ] * y + pivot[SYMMETRIC.ZZ] * w


@device
def substitute_back(loops, k):
    """Compute the motion of body k from those of all bodies behind it."""
    band, motion, sums = loops.band, loops.motion, loops.share
    at, width, first = loops.start[k], loops.width[k], 3 * k
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
