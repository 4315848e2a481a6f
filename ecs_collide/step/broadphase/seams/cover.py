"""The intervals of a straight edge that other pieces cover.

The edge runs from p along the unit vector u, its outward normal is n, and S is a neighbour with edge normals m. S
covers a point of the edge that is behind all edges of S. Each edge of S has its own limit for the signed distance d:

    | m to n                        | covered where        | purpose                                         |
    |-------------------------------|----------------------|-------------------------------------------------|
    | faces it (n·m < -PARALLEL)    | d <= tolerance       | remove two faces that meet, with a gap or not   |
    | same way (n·m > PARALLEL)     | d <= -FLUSH tolerance| keep the higher of two stacked surfaces         |
    | otherwise                     | d <= 0               | remove parts inside S                           |

Two surfaces that face the same way are flush if they differ by at most FLUSH tolerances all along. Only the surface of
the piece of higher rank stays. All flush pieces must choose the same one, although flush is not transitive. Therefore S
does not count where a third surface is higher than S by more than that. A surface may then exist twice, but never
vanishes.

Intervals closer to each other or to the edge's end than the tolerance are joined. Intervals no longer than the
tolerance are dropped.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.step.broadphase.seams import seam_arrays as of_seam
from ecs_collide.step.broadphase.seams.seam_arrays import SIDE

PARALLEL = 0.9999
FLUSH = 1e-5
LEVEL = 1e-12
"""Slope below which an edge counts as level."""


@device
def interval_below(low, high, distance, rate):
    """Return the interval of [low, high] in which distance + rate t <= 0; an empty one ends before it begins."""
    if abs(rate) < LEVEL:
        return (low, high) if distance <= 0.0 else (high, low)
    if rate > 0.0:
        return low, min(high, -distance / rate)
    return max(low, -distance / rate), high


@device
def interval_behind(x, y, ux, uy, length, sides, edge, start, stop, tolerance):
    """Return the interval of an edge that a piece with straight edges covers.

    Returns low and high [m], True if the edge is flush with a surface of the piece, and the height of that surface
    above the edge [m].
    """
    low, high = 0.0, length
    has_same = False
    for j in range(start, stop):
        mx, my = sides[j, SIDE.NORMAL_X], sides[j, SIDE.NORMAL_Y]
        along = mx * uy - my * ux
        if along > PARALLEL:
            if edge[j] == of_seam.LINE_BACK:  # the edge faces the side from which the line lets everything pass
                return 0.0, 0.0, False, 0.0
            has_same = True
            continue
        distance = mx * (x - sides[j, SIDE.X]) + my * (y - sides[j, SIDE.Y])
        limit = tolerance if along < -PARALLEL else 0.0
        low, high = interval_below(low, high, distance - limit, mx * ux + my * uy)
        if low >= high:
            return 0.0, 0.0, False, 0.0
    if stop - start == 2:  # a thin piece has no edges that bound its length
        ax, ay = -sides[start, SIDE.NORMAL_Y], sides[start, SIDE.NORMAL_X]
        rate = ax * ux + ay * uy
        low, high = interval_below(
            low, high, ax * (x - sides[start + 1, SIDE.X]) + ay * (y - sides[start + 1, SIDE.Y]), rate
        )
        low, high = interval_below(low, high, ax * (sides[start, SIDE.X] - x) + ay * (sides[start, SIDE.Y] - y), -rate)
        if low >= high:
            return 0.0, 0.0, False, 0.0
    if not has_same:
        return low, high, False, 0.0

    is_flush, height = False, 0.0
    for j in range(start, stop):
        mx, my = sides[j, SIDE.NORMAL_X], sides[j, SIDE.NORMAL_Y]
        if mx * uy - my * ux > PARALLEL:
            distance = mx * (x - sides[j, SIDE.X]) + my * (y - sides[j, SIDE.Y])
            rate = mx * ux + my * uy
            first, last = distance + rate * low, distance + rate * high
            if max(abs(first), abs(last)) <= FLUSH * tolerance:
                is_flush, height = True, -0.5 * (first + last)
            else:
                low, high = interval_below(low, high, distance + FLUSH * tolerance, rate)
            if low >= high:
                return 0.0, 0.0, False, 0.0
    return low, high, is_flush, height


@device
def interval_facing(x, y, ux, uy, length, sides, edge, start, stop, tolerance):
    """Return the interval (low, high) [m] of an edge that a straight edge of any piece touches face to face."""
    for j in range(start, stop):
        mx, my = sides[j, SIDE.NORMAL_X], sides[j, SIDE.NORMAL_Y]
        if edge[j] != of_seam.STRAIGHT or mx * uy - my * ux > -PARALLEL:
            continue
        following = j + 1 if j + 1 < stop else start
        low = max(0.0, ux * (sides[following, SIDE.X] - x) + uy * (sides[following, SIDE.Y] - y))
        high = min(length, ux * (sides[j, SIDE.X] - x) + uy * (sides[j, SIDE.Y] - y))
        distance = mx * (x - sides[j, SIDE.X]) + my * (y - sides[j, SIDE.Y])
        rate = mx * ux + my * uy
        apart = max(abs(distance + rate * low), abs(distance + rate * high))
        if low < high and apart <= tolerance:
            return low, high
    return 0.0, 0.0


@device
def cover_edge(x, y, ux, uy, length, near, near_count, runs):
    """Write the covered intervals of an edge to runs.low and runs.high [m], in order; return their number.

    The edge starts at (x, y) [m] and runs along the unit vector (ux, uy). Pieces of its own body do not cover it.
    """
    count, flush_count = 0, 0
    for number in range(1, near_count):
        if near.is_own[number]:
            continue
        is_flush, height = False, 0.0
        start, stop, tolerance = near.start[number], near.start[number + 1], near.tolerance[number]
        if near.is_straight[number]:
            low, high, is_flush, height = interval_behind(
                x, y, ux, uy, length, near.sides, near.edge, start, stop, tolerance
            )
        else:
            low, high = interval_facing(x, y, ux, uy, length, near.sides, near.edge, start, stop, tolerance)
        if low >= high:
            continue
        if is_flush:
            runs.flush_low[flush_count], runs.flush_high[flush_count] = low, high
            runs.flush_tolerance[flush_count] = tolerance
            runs.flush_height[flush_count] = height
            runs.flush_outranks[flush_count] = near.outranks[number]
            flush_count += 1
        else:
            count = insert_run(runs, count, low, high, tolerance)
    for k in range(flush_count):
        if runs.flush_outranks[k] and not has_higher_surface(runs, flush_count, k):
            count = insert_run(runs, count, runs.flush_low[k], runs.flush_high[k], runs.flush_tolerance[k])
    return join_runs(runs, count, length)


@device
def has_higher_surface(runs, flush_count, k):
    """Return True if a third surface is above flush interval k at some place."""
    for other in range(flush_count):
        if (
            runs.flush_height[other] > runs.flush_height[k] + FLUSH * runs.flush_tolerance[k]
            and runs.flush_low[other] < runs.flush_high[k]
            and runs.flush_high[other] > runs.flush_low[k]
        ):
            return True
    return False


@device
def insert_run(runs, count, low, high, tolerance):
    """Insert an interval among the `count` present ones, sorted by low; return their number."""
    k = count
    while k > 0 and (runs.low[k - 1] > low or (runs.low[k - 1] == low and runs.high[k - 1] > high)):
        runs.low[k], runs.high[k], runs.tolerance[k] = runs.low[k - 1], runs.high[k - 1], runs.tolerance[k - 1]
        k -= 1
    runs.low[k], runs.high[k], runs.tolerance[k] = low, high, tolerance
    return count + 1


@device
def join_runs(runs, count, length):
    """Join sorted intervals that overlap or nearly do, and drop very short ones; return the remaining number."""
    kept, k = 0, 0
    while k < count:
        low, high, first, last = runs.low[k], runs.high[k], runs.tolerance[k], runs.tolerance[k]
        k += 1
        while k < count and runs.low[k] <= high + min(last, runs.tolerance[k]):
            if runs.high[k] > high:
                high, last = runs.high[k], runs.tolerance[k]
            k += 1
        if high - low > min(first, last):
            runs.low[kept] = 0.0 if low <= first else low
            runs.high[kept] = length if high >= length - last else high
            kept += 1
    return kept
