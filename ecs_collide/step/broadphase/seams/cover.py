"""The parts of one straight edge that other pieces cover.

The edge runs from p along the unit vector u, its outward normal is n, and S is a neighbour with edge normals m. A point
of the edge is covered by S where it is behind all edges of S, each with a limit of its own to the signed distance d:

    | m to n                        | covered where        | so that                                         |
    |-------------------------------|----------------------|-------------------------------------------------|
    | faces it (n·m < -PARALLEL)    | d <= tolerance       | two faces that meet, with a gap or not, go      |
    | same way (n·m > PARALLEL)     | d <= -FLUSH tolerance| of two surfaces on each other the higher stays  |
    | otherwise                     | d <= 0               | what is inside S goes                           |

Where two surfaces that face the same way are flush, within FLUSH tolerances all along, only that of the piece which
comes first stays. All pieces flush there must choose the same one, although flush is not transitive: S does not
count where a third surface is higher than it by more than that. It may then happen that a surface is there twice, but
never that it is gone.

Parts closer to each other or to the edge's end than the tolerance are joined, and parts no longer than it are left out.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.step.broadphase.seams import seam_arrays as of_seam

PARALLEL = 0.9999
FLUSH = 1e-5
LEVEL = 1e-12
"""An edge that rises by less than this per length does not rise."""


@device
def part_below(low, high, distance, rate):
    """The part of [low, high] in which distance + rate t <= 0; empty parts end before they begin."""
    if abs(rate) < LEVEL:
        return (low, high) if distance <= 0.0 else (high, low)
    if rate > 0.0:
        return low, min(high, -distance / rate)
    return max(low, -distance / rate), high


@device
def part_behind(x, y, ux, uy, length, sides, start, stop, tolerance):
    """The part (low, high) [m] of an edge that a piece with straight edges covers, whether it is flush with a surface
    of the piece, and how far that is above the edge [m]."""
    low, high = 0.0, length
    has_same = False
    for j in range(start, stop):
        mx, my = sides[j, of_seam.NORMAL_X], sides[j, of_seam.NORMAL_Y]
        along = mx * uy - my * ux
        if along > PARALLEL:
            has_same = True
            continue
        distance = mx * (x - sides[j, of_seam.X]) + my * (y - sides[j, of_seam.Y])
        limit = tolerance if along < -PARALLEL else 0.0
        low, high = part_below(low, high, distance - limit, mx * ux + my * uy)
        if low >= high:
            return 0.0, 0.0, False, 0.0
    if stop - start == 2:  # a thin piece has no edges that say where it ends
        ax, ay = -sides[start, of_seam.NORMAL_Y], sides[start, of_seam.NORMAL_X]
        rate = ax * ux + ay * uy
        low, high = part_below(
            low, high, ax * (x - sides[start + 1, of_seam.X]) + ay * (y - sides[start + 1, of_seam.Y]), rate
        )
        low, high = part_below(
            low, high, ax * (sides[start, of_seam.X] - x) + ay * (sides[start, of_seam.Y] - y), -rate
        )
        if low >= high:
            return 0.0, 0.0, False, 0.0
    if not has_same:
        return low, high, False, 0.0

    is_flush, height = False, 0.0
    for j in range(start, stop):
        mx, my = sides[j, of_seam.NORMAL_X], sides[j, of_seam.NORMAL_Y]
        if mx * uy - my * ux > PARALLEL:
            distance = mx * (x - sides[j, of_seam.X]) + my * (y - sides[j, of_seam.Y])
            rate = mx * ux + my * uy
            first, last = distance + rate * low, distance + rate * high
            if max(abs(first), abs(last)) <= FLUSH * tolerance:
                is_flush, height = True, -0.5 * (first + last)
            else:
                low, high = part_below(low, high, distance + FLUSH * tolerance, rate)
            if low >= high:
                return 0.0, 0.0, False, 0.0
    return low, high, is_flush, height


@device
def part_faced(x, y, ux, uy, length, sides, edge, start, stop, tolerance):
    """The part (low, high) [m] of an edge on which a straight edge of any piece lies, facing it."""
    for j in range(start, stop):
        mx, my = sides[j, of_seam.NORMAL_X], sides[j, of_seam.NORMAL_Y]
        if edge[j] != of_seam.STRAIGHT or mx * uy - my * ux > -PARALLEL:
            continue
        following = j + 1 if j + 1 < stop else start
        low = max(0.0, ux * (sides[following, of_seam.X] - x) + uy * (sides[following, of_seam.Y] - y))
        high = min(length, ux * (sides[j, of_seam.X] - x) + uy * (sides[j, of_seam.Y] - y))
        distance = mx * (x - sides[j, of_seam.X]) + my * (y - sides[j, of_seam.Y])
        rate = mx * ux + my * uy
        apart = max(abs(distance + rate * low), abs(distance + rate * high))
        if low < high and apart <= tolerance:
            return low, high
    return 0.0, 0.0


@device
def cover_edge(x, y, ux, uy, length, near, near_count, runs):
    """Write the covered parts of an edge to runs.low and runs.high [m], in order; return their number.

    The edge starts at (x, y) [m] and goes along the unit vector (ux, uy). Pieces of its own body do not cover it.
    """
    count, flush_count = 0, 0
    for number in range(1, near_count):
        if near.is_own[number]:
            continue
        is_flush, height = False, 0.0
        start, stop, tolerance = near.start[number], near.start[number + 1], near.tolerance[number]
        if near.is_straight[number]:
            low, high, is_flush, height = part_behind(x, y, ux, uy, length, near.sides, start, stop, tolerance)
        else:
            low, high = part_faced(x, y, ux, uy, length, near.sides, near.edge, start, stop, tolerance)
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
        if runs.flush_outranks[k] and not is_overtopped(runs, flush_count, k):
            count = insert_run(runs, count, runs.flush_low[k], runs.flush_high[k], runs.flush_tolerance[k])
    return join_runs(runs, count, length)


@device
def is_overtopped(runs, flush_count, k):
    """Whether somewhere along flush part k there is a third surface above it."""
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
    """Put a part at its place among the `count` there are, sorted by low; return their number."""
    k = count
    while k > 0 and (runs.low[k - 1] > low or (runs.low[k - 1] == low and runs.high[k - 1] > high)):
        runs.low[k], runs.high[k], runs.tolerance[k] = runs.low[k - 1], runs.high[k - 1], runs.tolerance[k - 1]
        k -= 1
    runs.low[k], runs.high[k], runs.tolerance[k] = low, high, tolerance
    return count + 1


@device
def join_runs(runs, count, length):
    """Join the sorted parts that overlap or nearly do, and leave out the very short; return how many are left."""
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
