"""Bodies of the joint solver, eight at a time: columns LANE of `trees/tree_rows.py`."""

from __future__ import annotations

from ecs_collide.common.tolerances import LARGEST_SPIN
from ecs_collide.data.bodies import MASS, VELOCITY
from ecs_collide.geometry.rotation import SMALL, cos_sin_lanes, cos_sin_small_lanes
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import (
    LANES,
    absolute,
    any_lane,
    gather,
    gather4,
    load,
    maximum,
    minimum,
    scatter4,
    select,
    splat,
    square_root,
    store,
)
from ecs_collide.step.joints.rows.block_algebra import (
    Triple,
    dot,
    load_symmetric,
    load_triple,
    row_of_child,
    row_of_parent,
    store_symmetric,
    store_triple,
)
from ecs_collide.step.joints.trees.tree_rows import BATCH, FREE_COORDINATE, INDEX, LANE, LANE_INDEX, NONE

FASTEST = 3e4
"""Largest speed of a body in a tree, in push-out speeds: loops that cannot fit would gain speed without end."""
LARGEST_TURN = 0.7853981633974483
"""Largest rotation in a substep of a body that swings on a joint, an eighth of a turn [rad].

If the links of a rope turn by more, as it cracks like a whip, no projection finds the way back. A wheel on its axle may
turn as fast as any body.
"""


@device
def select_batch(trees, batch):
    """Select a tree batch, or ALL, for the following kernels. Writes span."""
    for k in range(len(trees.span)):
        trees.span[k] = trees.batches[batch, k]


@device
def triple_of(trees, block, side, column):
    """Return three numbers of the children or the parents (`side`) of a block, from `column` of their lanes on."""
    lane_block = trees.direct[block, side]
    if lane_block != NONE:
        return load_triple(trees.lanes[lane_block], column)
    gather_numbers(trees, block, side, column, 3)
    return load_triple(trees.scratch, 0)


@device
def put_triple(trees, block, side, column, a):
    """Write three numbers of the children or the parents of a block."""
    lane_block = trees.direct[block, side]
    if lane_block != NONE:
        store_triple(trees.lanes[lane_block], column, a)
    else:
        store_triple(trees.scratch, 0, a)
        scatter_numbers(trees, block, side, column, 3)


@device
def pose_of(trees, block, side):
    """Return movement, cosine and sine of the rotation of the children or the parents of a block."""
    lane_block = trees.direct[block, side]
    if lane_block != NONE:
        lanes = trees.lanes[lane_block]
        return load_triple(lanes, LANE.DX), load(lanes, LANE.COS), load(lanes, LANE.SIN)
    gather_numbers(trees, block, side, LANE.DX, 5)
    return load_triple(trees.scratch, 0), load(trees.scratch, 3), load(trees.scratch, 4)


@device
def response_of(trees, block, side):
    """Return the inverse mass matrices of the children or the parents of a block, with all that hangs on them."""
    lane_block = trees.direct[block, side]
    if lane_block != NONE:
        return load_symmetric(trees.lanes[lane_block], LANE.RESPONSE)
    gather_numbers(trees, block, side, LANE.RESPONSE, 6)
    return load_symmetric(trees.scratch, 0)


@device
def put_response(trees, block, side, w):
    """Write the inverse mass matrices of the children or the parents of a block."""
    lane_block = trees.direct[block, side]
    if lane_block != NONE:
        store_symmetric(trees.lanes[lane_block], LANE.RESPONSE, w)
    else:
        store_symmetric(trees.scratch, 0, w)
        scatter_numbers(trees, block, side, LANE.RESPONSE, 6)


@device
def free_speed(trees, block, column):
    """Return the velocity of the free coordinate of eight joints, by three numbers of body lanes."""
    field = trees.blocks[block]
    child, parent = triple_of(trees, block, INDEX.CHILD, column), triple_of(trees, block, INDEX.PARENT, column)
    return dot(row_of_child(field, FREE_COORDINATE), child) - dot(row_of_parent(field, FREE_COORDINATE), parent)


@device
def lanes_of_trees(trees, s, flags, value):
    """Return the mask of eight bodies that belong to trees whose flag is `value`. Writes scratch."""
    for lane in range(LANES):
        tree = trees.lane_index[s, LANE_INDEX.TREE, lane]
        trees.scratch[0, lane] = 1.0 if tree != NONE and flags[tree] == value else 0.0
    return load(trees.scratch, 0) > 0.0


@subroutine
def gather_numbers(trees, block, side, column, count):
    """Copy up to six numbers out of any lanes. Writes scratch."""
    for k in range(count):
        numbers = trees.lane_numbers[LANES * (column + k) :]
        store(trees.scratch, k, gather(numbers, trees.block_index, (block, side)))


@subroutine
def scatter_numbers(trees, block, side, column, count):
    """Copy scratch to any lanes, except for the empty lanes of the block."""
    for lane in range(LANES):
        if trees.block_index[block, INDEX.TREE, lane] != NONE:
            lanes = trees.block_index[block, side, lane] + LANES * column
            for k in range(count):
                trees.lane_numbers[lanes + LANES * k] = trees.scratch[k, lane]


@device
def load_lanes(trees, bodies):
    """Write solver rows and masses of all body lanes at the start of a step; return the largest spin [rad/s].

    Reads body_solver_row, body_mass, body_velocity. Writes lane_index, the masses, OWN_INERTIA, MAX_SPIN.
    """
    greatest, index = 0.0, trees.lane_index
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        for lane in range(LANES):
            body = index[s, LANE_INDEX.BODY, lane]
            is_there = body != NONE
            index[s, LANE_INDEX.SOLVER_ROW, lane] = bodies.solver_row[body] if is_there else 0
            if is_there:
                greatest = max(greatest, abs(bodies.velocity[body, VELOCITY.ANGULAR]))
        mass_x, mass_y, inertia, _ = gather4(bodies.mass, MASS.INVERSE_X, index, (s, LANE_INDEX.GATHERED_BODY))
        store_triple(lanes, LANE.MASS_X, Triple(mass_x, mass_y, inertia))
        store(lanes, LANE.MAX_SPIN, splat(LARGEST_SPIN))
        for lane in range(LANES):
            if index[s, LANE_INDEX.BODY, lane] == NONE:
                for k in range(3):
                    lanes[LANE.MASS_X + k, lane] = 0.0
        store(lanes, LANE.OWN_INERTIA, load(lanes, LANE.INERTIA))
    return greatest


@device
def gather_bodies(trees, table, column, lane_column):
    """Copy three numbers of each body out of a table of solver rows, to `lane_column` of its lane."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        x, y, w, _ = gather4(table, column, trees.lane_index, (s, LANE_INDEX.SOLVER_ROW))
        store_triple(trees.lanes[s], lane_column, Triple(x, y, w))


@device
def scatter_bodies(trees, table, column, lane_column):
    """Copy three numbers of each body lane to a table of solver rows; the fourth number there stays."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        rows, a = (s, LANE_INDEX.SOLVER_ROW), load_triple(trees.lanes[s], lane_column)
        _, _, _, behind = gather4(table, column, trees.lane_index, rows)
        scatter4(table, column, trees.lane_index, rows, a.x, a.y, a.z, behind)


@device
def integrate(trees):
    """Apply gravity, forces and damping, if no tree has a contact. Writes velocity and SHIFT of body lanes."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        for k in range(3):
            unhindered = (load(lanes, LANE.VX + k) + load(lanes, LANE.GAIN + k)) * load(lanes, LANE.FACTOR + k)
            store(lanes, LANE.VX + k, unhindered)
            store(lanes, LANE.SHIFT + k, unhindered)


@device
def save_velocities(trees):
    """Copy the velocities before a solve to SHIFT."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        store_triple(trees.lanes[s], LANE.SHIFT, load_triple(trees.lanes[s], LANE.VX))


@device
def limit_speed(lanes, max_speed, h):
    """Limit speed [m/s] and spin of eight bodies: movement in a substep stays bounded.

    Reads and writes the velocity of body lanes.
    """
    v = load_triple(lanes, LANE.VX)
    square = v.x * v.x + v.y * v.y
    flies, turns = square > max_speed * max_speed, absolute(v.z) * h > LARGEST_TURN
    if any_lane(flies | turns):
        share = max_speed / square_root(select(flies, square, 1.0))
        most = load(lanes, LANE.MAX_SPIN)
        x, y = select(flies, share * v.x, v.x), select(flies, share * v.y, v.y)
        store_triple(lanes, LANE.VX, Triple(x, y, select(turns, minimum(maximum(v.z, -most), most), v.z)))


@device
def limit_speeds(trees, push_out_speed, h):
    """Limit speed and spin of all bodies of the trees."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        limit_speed(trees.lanes[s], FASTEST * push_out_speed, h)


@device
def move_bodies(trees, push_out_speed, h):
    """Move all bodies of the trees by a substep of h [s], at limited speed. Writes velocity and movement."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        limit_speed(lanes, FASTEST * push_out_speed, h)
        for k in range(3):
            store(lanes, LANE.DX + k, load(lanes, LANE.DX + k) + h * load(lanes, LANE.VX + k))


@device
def turn_bodies(trees):
    """Write cosine and sine of the bodies' rotation since the step began. Writes COS, SIN."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        angle = load(lanes, LANE.DA)
        if any_lane(absolute(angle) > SMALL):
            cosine, sine = cos_sin_lanes(angle)
        else:
            cosine, sine = cos_sin_small_lanes(angle)
        store(lanes, LANE.COS, cosine)
        store(lanes, LANE.SIN, sine)


@device
def clear_numbers(trees, column):
    """Set three numbers of each body lane to 0."""
    nothing = splat(0.0)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        store_triple(trees.lanes[s], column, Triple(nothing, nothing, nothing))


@device
def add_numbers(trees, column, added):
    """Add three numbers of each body lane to three others."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        lanes = trees.lanes[s]
        for k in range(3):
            store(lanes, column + k, load(lanes, column + k) + load(lanes, added + k))
