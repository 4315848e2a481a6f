"""What the solver of the joints knows of the bodies, lane by lane: see `forest/layout.py`."""

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
from ecs_collide.step.joints.block_algebra import Triple, load_symmetric, load_triple, store_symmetric, store_triple
from ecs_collide.step.joints.trees import tree_rows as layout

FASTEST = 3e4
"""What a tree moves no body faster than, in push-out speeds: loops that cannot fit would gain speed without end."""
LARGEST_TURN = 0.7853981633974483
"""What a body that swings on a joint turns in a substep at most, an eighth of a turn: where the links of a rope turn by
more as it cracks like a whip, no projection finds the way back. A wheel about its axle may turn as fast as any body."""


@device
def go_to(trees, grove):
    """Go through this grove from now on, or through all of them. Writes span."""
    for k in range(len(trees.span)):
        trees.span[k] = trees.grove[grove, k]


@device
def triple_of(trees, block, side, column):
    """Three numbers of the children, or of the parents, of a block."""
    above = trees.straight[block, side]
    if above != layout.NONE:
        return load_triple(trees.seat[above], column)
    fetch(trees, block, side, column, 3)
    return load_triple(trees.passing, 0)


@device
def put_triple(trees, block, side, column, a):
    """Write them."""
    above = trees.straight[block, side]
    if above != layout.NONE:
        store_triple(trees.seat[above], column, a)
    else:
        store_triple(trees.passing, 0, a)
        bring(trees, block, side, column, 3)


@device
def pose_of(trees, block, side):
    """Where the children, or the parents, of a block are: the movement, then cosine and sine of its turn."""
    above = trees.straight[block, side]
    if above != layout.NONE:
        seat = trees.seat[above]
        return load_triple(seat, layout.DX), load(seat, layout.COS), load(seat, layout.SIN)
    fetch(trees, block, side, layout.DX, 5)
    return load_triple(trees.passing, 0), load(trees.passing, 3), load(trees.passing, 4)


@device
def response_of(trees, block, side):
    """What the children, or the parents, of a block answer with, and all that hangs on them."""
    above = trees.straight[block, side]
    if above != layout.NONE:
        return load_symmetric(trees.seat[above], layout.RESPONSE)
    fetch(trees, block, side, layout.RESPONSE, 6)
    return load_symmetric(trees.passing, 0)


@device
def put_response(trees, block, side, w):
    """Write that."""
    above = trees.straight[block, side]
    if above != layout.NONE:
        store_symmetric(trees.seat[above], layout.RESPONSE, w)
    else:
        store_symmetric(trees.passing, 0, w)
        bring(trees, block, side, layout.RESPONSE, 6)


@subroutine
def fetch(trees, block, side, column, count):
    """Copy some numbers, up to six, out of seats in any lanes. Writes `passing`."""
    for k in range(count):
        numbers = trees.numbers[LANES * (column + k) :]
        store(trees.passing, k, gather(numbers, trees.index, (block, side)))


@subroutine
def bring(trees, block, side, column, count):
    """Copy `passing` to seats in any lanes, but for those of empty lanes."""
    for lane in range(LANES):
        if trees.index[block, layout.TREE, lane] != layout.NONE:
            seat = trees.index[block, side, lane] + LANES * column
            for k in range(count):
                trees.numbers[seat + LANES * k] = trees.passing[k, lane]


@device
def seat_bodies(trees, bodies):
    """Look up the solver's rows and the masses at the start of a step; return the greatest spin [rad/s].

    Reads body_solver_row, body_mass, body_velocity. Writes seat_index, seat (MASS and what follows).
    """
    greatest, nothing, index = 0.0, splat(0.0), trees.seat_index
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        seat = trees.seat[s]
        for lane in range(LANES):
            body = index[s, layout.SEAT_BODY, lane]
            is_there = body != layout.NONE
            index[s, layout.SEAT_ROW, lane] = bodies.solver_row[body] if is_there else 0
            seat[layout.IS_TAKEN, lane] = 1.0 if is_there else 0.0
            if is_there:
                greatest = max(greatest, abs(bodies.velocity[body, VELOCITY.ANGULAR]))
        is_there = load(seat, layout.IS_TAKEN) > 0.0
        mass_x, mass_y, inertia, _ = gather4(bodies.mass, MASS.INVERSE_X, index, (s, layout.SEAT_PLACE))
        mass = select(is_there, mass_x, 0.0), select(is_there, mass_y, 0.0), select(is_there, inertia, 0.0)
        store_triple(seat, layout.MASS_X, Triple(*mass))
        store(seat, layout.OWN_INERTIA, mass[2])
        store(seat, layout.SWINGS, nothing)
    return greatest


@device
def take_up(trees, table, column, seat_column):
    """Take up three numbers of each body out of a table of the solver's rows."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        x, y, w, _ = gather4(table, column, trees.seat_index, (s, layout.SEAT_ROW))
        store_triple(trees.seat[s], seat_column, Triple(x, y, w))


@device
def give_back(trees, table, column, seat_column):
    """Write them there. What stands behind the three in the table stays."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        rows, a = (s, layout.SEAT_ROW), load_triple(trees.seat[s], seat_column)
        _, _, _, behind = gather4(table, column, trees.seat_index, rows)
        scatter4(table, column, trees.seat_index, rows, a.x, a.y, a.z, behind)


@device
def integrate(trees):
    """Gravity, forces and damping, where no contact counts. Writes seat (velocity, SHIFT)."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        seat = trees.seat[s]
        for k in range(3):
            unhindered = (load(seat, layout.VX + k) + load(seat, layout.GAIN + k)) * load(seat, layout.FACTOR + k)
            store(seat, layout.VX + k, unhindered)
            store(seat, layout.SHIFT + k, unhindered)


@device
def keep_velocities(trees):
    """Keep how the bodies move before a solve, as `integrate` does. Writes seat (SHIFT)."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        store_triple(trees.seat[s], layout.SHIFT, load_triple(trees.seat[s], layout.VX))


@device
def bound_speed(seat, fastest, h):
    """Bring bodies down to the largest speed [m/s] and spin: what they move in a substep has an end.

    Reads and writes seat (velocity).
    """
    v = load_triple(seat, layout.VX)
    square = v.x * v.x + v.y * v.y
    flies, turns = square > fastest * fastest, absolute(v.z) * h > LARGEST_TURN
    if any_lane(flies | turns):
        share = fastest / square_root(select(flies, square, 1.0))
        most = select(load(seat, layout.SWINGS) > 0.0, splat(LARGEST_TURN / h), LARGEST_SPIN)
        x, y = select(flies, share * v.x, v.x), select(flies, share * v.y, v.y)
        store_triple(seat, layout.VX, Triple(x, y, select(turns, minimum(maximum(v.z, -most), most), v.z)))


@device
def bound_speeds(trees, push_out_speed, h):
    """Do that with all bodies of the trees."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        bound_speed(trees.seat[s], FASTEST * push_out_speed, h)


@device
def move_bodies(trees, push_out_speed, h):
    """Move all bodies of the trees by a substep of h [s], and not faster than bodies may be. Writes seat."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        seat = trees.seat[s]
        bound_speed(seat, FASTEST * push_out_speed, h)
        for k in range(3):
            store(seat, layout.DX + k, load(seat, layout.DX + k) + h * load(seat, layout.VX + k))


@device
def turn_bodies(trees):
    """Write cosine and sine of what the bodies have turned since the step began."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        seat = trees.seat[s]
        angle = load(seat, layout.DA)
        if any_lane(absolute(angle) > SMALL):
            cosine, sine = cos_sin_lanes(angle)
        else:
            cosine, sine = cos_sin_small_lanes(angle)
        store(seat, layout.COS, cosine)
        store(seat, layout.SIN, sine)


@device
def clear(trees, column):
    """Set three numbers of each body to 0."""
    nothing = splat(0.0)
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        store_triple(trees.seat[s], column, Triple(nothing, nothing, nothing))


@device
def add(trees, column, added):
    """Add three numbers of each body to three others."""
    for s in range(trees.span[layout.FIRST_SEAT], trees.span[layout.STOP_SEAT]):
        seat = trees.seat[s]
        for k in range(3):
            store(seat, column + k, load(seat, column + k) + load(seat, added + k))
