"""Boxes of balls, and the cells in which they are found: a grid on a torus.

The plane is wound around m by m cells, m a power of two and m² at least the number of balls, so balls far outside the
crowd cost no memory. Each ball is in one cell, that of the middle of its box. As no box is larger than a cell, boxes
that overlap are in neighbouring cells.

That a box is never larger than a cell holds for fast balls too: theirs ends at a time before the step does, the
horizon, and an event then renews it, which touches neither place nor velocity. Balls several times larger than
the others, or absurdly fast, are in no cell but in a list of their own.
"""

from __future__ import annotations

from math import floor, sqrt

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.exact_rows import BALL, BALL_INDEX, BOX, COUNTS, SCALARS
from ecs_collide.exact.flight import place_in_flight, reach, velocity_in_flight
from ecs_collide.exact.impact_time import NEVER
from ecs_collide.kernels.kernel import device

FAST = 2.5
"""How far a ball of the cell's size may move in a step, in mean (rms) movements: too small doubles the step's time."""

LARGE_RADIUS = 4.0
"""Balls above so many mean radii are in no cell."""

LEAST_REACH = 0.5
"""Movement that a cell has room for at least, in radii: something may yet push balls that are all at rest."""

CELLS_CROSSED = 1e5
"""Cells that a ball may cross in a step; what is faster is in none, for its horizons would have no end."""

FARTHEST = 2.0**40  # cells from the origin; beyond that, balls share a cell
ROUNDING = 1e-13
"""Approach speed, in units of the fastest ball's, that is rounding."""


@device
def choose_cells(simulation, dt, cell_scale):
    """Set the size of cells; return the radius [m] above which a ball is in none. Reads the balls. Writes scalars."""
    ball, scalars, counts = simulation.ball, simulation.scalars, simulation.counts
    n = counts[COUNTS.BALLS]
    radius_sum, square_sum, fastest = 0.0, 0.0, 0.0
    for i in range(n):
        vx, vy = velocity_in_flight(simulation.ball, i, dt)
        square = vx * vx + vy * vy
        radius_sum += ball[i, BALL.RADIUS]
        square_sum += square
        fastest = max(fastest, square)
    limit = LARGE_RADIUS * radius_sum / max(n, 1)
    largest = 0.0
    for i in range(n):
        if ball[i, BALL.RADIUS] <= limit:
            largest = max(largest, ball[i, BALL.RADIUS])
    fastest = sqrt(fastest)
    way = max(min(fastest, FAST * sqrt(square_sum / max(n, 1))) * dt, LEAST_REACH * largest)
    scalars[SCALARS.CELL_SIZE] = 2.0 * largest + scalars[SCALARS.SLOP] + way * cell_scale
    scalars[SCALARS.INVERSE_CELL] = 1.0 / scalars[SCALARS.CELL_SIZE]
    scalars[SCALARS.QUIET_SPEED] = ROUNDING * (fastest + scalars[SCALARS.LENGTH_UNIT])
    return limit


@device
def set_box(simulation, i, now):
    """Renew the box of ball i from `now` [s] on, and its horizon; return its cell."""
    ball, scalars, counts = simulation.ball, simulation.scalars, simulation.counts
    x, y = place_in_flight(simulation.ball, i, now)
    vx, vy = velocity_in_flight(simulation.ball, i, now)
    rest = scalars[SCALARS.DT] - now
    half = ball[i, BALL.RADIUS] + 0.5 * scalars[SCALARS.SLOP]
    horizon = NEVER
    if simulation.ball_index[i, BALL_INDEX.CELL] != codes.NO_CELL:
        room = scalars[SCALARS.CELL_SIZE] - 2.0 * half
        speed = max(abs(vx) + abs(ball[i, BALL.PULL_X]) * rest, abs(vy) + abs(ball[i, BALL.PULL_Y]) * rest)
        if speed * rest > room:
            rest = room / speed
            horizon = now + rest
    low_x, high_x = reach(vx, ball[i, BALL.PULL_X], rest)
    low_y, high_y = reach(vy, ball[i, BALL.PULL_Y], rest)
    simulation.box[i, BOX.MIN_X], simulation.box[i, BOX.MAX_X] = x + low_x - half, x + high_x + half
    simulation.box[i, BOX.MIN_Y], simulation.box[i, BOX.MAX_Y] = y + low_y - half, y + high_y + half
    simulation.horizon[i] = horizon
    inverse, mask = scalars[SCALARS.INVERSE_CELL], counts[COUNTS.CELL_MASK]
    column = cell_number(0.5 * (simulation.box[i, BOX.MIN_X] + simulation.box[i, BOX.MAX_X]) * inverse) & mask
    row = cell_number(0.5 * (simulation.box[i, BOX.MIN_Y] + simulation.box[i, BOX.MAX_Y]) * inverse) & mask
    return (row << counts[COUNTS.CELL_BITS]) | column


@device
def cell_number(place):
    """The whole number below a coordinate in units of cells."""
    return floor(max(-FARTHEST, min(FARTHEST, place)))


@device
def link(simulation, i, cell):
    """Put ball i into a cell."""
    head = simulation.cell_head
    first = head[cell]
    (
        simulation.ball_index[i, BALL_INDEX.CELL],
        simulation.ball_index[i, BALL_INDEX.AFTER],
        simulation.ball_index[i, BALL_INDEX.BEFORE],
    ) = (
        cell,
        first,
        -1,
    )
    if first >= 0:
        simulation.ball_index[first, BALL_INDEX.BEFORE] = i
    head[cell] = i


@device
def unlink(simulation, i):
    """Take ball i out of its cell."""
    head = simulation.cell_head
    after, before = simulation.ball_index[i, BALL_INDEX.AFTER], simulation.ball_index[i, BALL_INDEX.BEFORE]
    if before >= 0:
        simulation.ball_index[before, BALL_INDEX.AFTER] = after
    else:
        head[simulation.ball_index[i, BALL_INDEX.CELL]] = after
    if after >= 0:
        simulation.ball_index[after, BALL_INDEX.BEFORE] = before


@device
def renew_box(simulation, i, now):
    """Renew the box of ball i from `now` [s] on and put it into the right cell."""
    if simulation.ball_index[i, BALL_INDEX.CELL] != codes.NO_CELL and is_too_fast(simulation, i, now):
        unlink(simulation, i)
        enlist(simulation, i)
    cell = set_box(simulation, i, now)
    if simulation.ball_index[i, BALL_INDEX.CELL] in (codes.NO_CELL, cell):
        return
    unlink(simulation, i)
    link(simulation, i, cell)


@device
def is_too_fast(simulation, i, now):
    """Whether ball i would cross so many cells in what is left of the step that it had better be in none."""
    ball, scalars = simulation.ball, simulation.scalars
    room = scalars[SCALARS.CELL_SIZE] - 2.0 * ball[i, BALL.RADIUS] - scalars[SCALARS.SLOP]
    return max(abs(ball[i, BALL.VX]), abs(ball[i, BALL.VY])) * (scalars[SCALARS.DT] - now) > CELLS_CROSSED * room


@device
def enlist(simulation, i):
    """Put ball i among those that are in no cell."""
    counts = simulation.counts
    simulation.ball_index[i, BALL_INDEX.CELL] = codes.NO_CELL
    simulation.large[counts[COUNTS.LARGE_BALLS]] = i
    counts[COUNTS.LARGE_BALLS] += 1


@device
def list_large(simulation, limit):
    """Sort out the balls of more than `limit` [m], and those that are too fast. Writes `large` and the balls' cells."""
    counts = simulation.counts
    counts[COUNTS.LARGE_BALLS] = 0
    for i in range(counts[COUNTS.BALLS]):
        simulation.ball_index[i, BALL_INDEX.CELL] = 0
        if simulation.ball[i, BALL.RADIUS] > limit or is_too_fast(simulation, i, 0.0):
            enlist(simulation, i)
