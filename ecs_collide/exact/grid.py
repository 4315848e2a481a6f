"""Boxes of balls, and the grid that finds them: m by m cells on a torus.

The plane is wound around the cells. m is a power of two, and m² is at least the number of balls. So balls far away from
the others cost no memory. Each ball is in one cell, that of the centre of its box. No box is larger than a cell, so
boxes that overlap are in neighbouring cells.

This holds for fast balls, too. The box of a fast ball ends at a time before the step does, its *horizon*. An event then
updates the box, and changes neither place nor velocity. Balls that are several times larger than the others, or
extremely fast, have no cell, and stand in a list of their own.
"""

from __future__ import annotations

from math import floor, sqrt

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.exact_rows import BALL, BALL_INDEX, COUNTS, SCALARS
from ecs_collide.exact.flight import place_in_flight, reach, velocity_in_flight
from ecs_collide.exact.impact_time import NEVER
from ecs_collide.geometry.aabb import BOX
from ecs_collide.kernels.kernel import device

FAST = 2.5
"""Distance that a cell has room for, in mean (rms) movements of a step. A value too small doubles the step's time."""

LARGE_RADIUS = 4.0
"""Radius above which balls have no cell, in mean radii."""

LEAST_REACH = 0.5
"""Least distance that a cell has room for, in radii, for balls at rest that are pushed later."""

CELLS_CROSSED = 1e5
"""Number of cells that a ball may cross in a step. A faster ball has no cell, as it would have too many horizons."""

FARTHEST = 2.0**40
"""Number of cells from the origin beyond which balls share a cell."""
ROUNDING = 1e-13
"""Approach speed that is rounding, in speeds of the fastest ball."""


@device
def choose_cells(simulation, dt, cell_scale):
    """Choose the size of cells; return the radius [m] above which a ball has no cell. Reads ball. Writes scalars."""
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
    """Compute the box of ball i from `now` [s] on, and its horizon; return its cell."""
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
    """Return the number of the cell at a coordinate in units of cells."""
    return floor(max(-FARTHEST, min(FARTHEST, place)))


@device
def link(simulation, i, cell):
    """Add ball i to the list of a cell."""
    head = simulation.cell_head
    first = head[cell]
    simulation.ball_index[i, BALL_INDEX.CELL] = cell
    simulation.ball_index[i, BALL_INDEX.AFTER] = first
    simulation.ball_index[i, BALL_INDEX.BEFORE] = -1
    if first >= 0:
        simulation.ball_index[first, BALL_INDEX.BEFORE] = i
    head[cell] = i


@device
def unlink(simulation, i):
    """Remove ball i from the list of its cell."""
    head = simulation.cell_head
    after, before = simulation.ball_index[i, BALL_INDEX.AFTER], simulation.ball_index[i, BALL_INDEX.BEFORE]
    if before >= 0:
        simulation.ball_index[before, BALL_INDEX.AFTER] = after
    else:
        head[simulation.ball_index[i, BALL_INDEX.CELL]] = after
    if after >= 0:
        simulation.ball_index[after, BALL_INDEX.BEFORE] = before


@device
def update_box(simulation, i, now):
    """Compute the box of ball i from `now` [s] on, and move the ball to the right cell."""
    if simulation.ball_index[i, BALL_INDEX.CELL] != codes.NO_CELL and is_too_fast(simulation, i, now):
        unlink(simulation, i)
        add_large(simulation, i)
    cell = set_box(simulation, i, now)
    if simulation.ball_index[i, BALL_INDEX.CELL] in (codes.NO_CELL, cell):
        return
    unlink(simulation, i)
    link(simulation, i, cell)


@device
def is_too_fast(simulation, i, now):
    """Return True if ball i would cross more than CELLS_CROSSED cells in the rest of the step."""
    ball, scalars = simulation.ball, simulation.scalars
    room = scalars[SCALARS.CELL_SIZE] - 2.0 * ball[i, BALL.RADIUS] - scalars[SCALARS.SLOP]
    return max(abs(ball[i, BALL.VX]), abs(ball[i, BALL.VY])) * (scalars[SCALARS.DT] - now) > CELLS_CROSSED * room


@device
def add_large(simulation, i):
    """Add ball i to the balls without a cell."""
    counts = simulation.counts
    simulation.ball_index[i, BALL_INDEX.CELL] = codes.NO_CELL
    simulation.large[counts[COUNTS.LARGE_BALLS]] = i
    counts[COUNTS.LARGE_BALLS] += 1


@device
def list_large(simulation, limit):
    """List the balls above the radius `limit` [m] or too fast for a cell. Writes `large`, ball_index (CELL)."""
    counts = simulation.counts
    counts[COUNTS.LARGE_BALLS] = 0
    for i in range(counts[COUNTS.BALLS]):
        simulation.ball_index[i, BALL_INDEX.CELL] = 0
        if simulation.ball[i, BALL.RADIUS] > limit or is_too_fast(simulation, i, 0.0):
            add_large(simulation, i)
