"""A small dense problem with bounds: w = A x + q, low <= x <= high.

w = 0 where x is between its bounds, w >= 0 at low, w <= 0 at high.

Method: an active set. Solve for the free unknowns; move those that exceed a bound to it, and free those at a bound that
w drives back. All unknowns change in the same round at first, which nearly always ends the search. Later only the first
one changes (Murty's rule), which always ends for a positive definite matrix. A is symmetric, so A = L D L^T.

Rows may contradict each other along one axis, as a motor at the limit of its joint does. A is singular then, and some
row must go to its bound. So each row yields by a part of its diagonal. Motors yield more than limits, which therefore
hold against a motor without a bound. A pivot near 0 all the same belongs to bodies that nothing moves; its unknown is
left out.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.step.joints.rows.bounded_rows import BOUNDED, BOUNDED_INDEX, UPPER, WORK

AT_LOW, FREE, AT_HIGH = -1, 0, 1
AT_ONCE = 8
"""Rounds in which all are changed at once."""
PIVOT = 1e-11
"""The least part of a diagonal that may be left as a pivot."""
LIMITS_YIELD, OTHERS_YIELD = 1e-10, 1e-6
"""Softness of rows, as parts of the diagonal."""


@subroutine
def solve_bounded(bounded, first, count):
    """Solve for the impulses of one tree's rows, `count` rows from `first` on. Writes ADDED.

    Reads bounded_matrix, bounded_row, and q and the bounds in `work`.
    """
    row, work, side = bounded.row, bounded.work, bounded.side
    for i in range(count):
        work[WORK.X, i] = 0.0
        side[i] = AT_LOW if stays_at_bound(work, i) else FREE
    for attempt in range(AT_ONCE + 2 * count):
        solve_free(bounded, first, count)
        if not update_active_set(bounded, first, count, attempt >= AT_ONCE):
            break
    for i in range(count):
        row[first + i, BOUNDED.ADDED] = min(max(work[WORK.X, i], work[WORK.LOW, i]), work[WORK.HIGH, i])


@device
def stays_at_bound(work, i):
    """Return True if an unknown with lower bound 0 can stay there by itself, such as a limit that is not reached."""
    return work[WORK.LOW, i] == 0.0 and work[WORK.Q, i] >= 0.0


@device
def row_response(bounded, first, i, j):
    """Return A_ij: the response of the rows to each other, with their compliances."""
    d = bounded.matrix[first + max(i, j), min(i, j)]
    if i != j:
        return d
    yielding = LIMITS_YIELD if bounded.row_index[first + i, BOUNDED_INDEX.ROLE] <= UPPER else OTHERS_YIELD
    return d * (1.0 + yielding) + bounded.row[first + i, BOUNDED.GAMMA]


@device
def solve_free(bounded, first, count):
    """Set x of the unknowns at a bound to that bound, and x of the others so that w = 0.

    Writes to `work` L below the diagonal, 1 / D on it, and the products L D above it.
    """
    work, side = bounded.work, bounded.side
    for i in range(count):
        if side[i] == AT_LOW:
            work[WORK.X, i] = work[WORK.LOW, i]
        elif side[i] == AT_HIGH:
            work[WORK.X, i] = work[WORK.HIGH, i]
    for i in range(count):
        if side[i] != FREE:
            continue
        right = -work[WORK.Q, i]
        for j in range(count):
            if side[j] != FREE:
                right -= row_response(bounded, first, i, j) * work[WORK.X, j]
        diagonal = row_response(bounded, first, i, i)
        pivot = diagonal
        for j in range(i):
            if side[j] != FREE:
                continue
            total = row_response(bounded, first, i, j)
            for k in range(j):
                if side[k] == FREE:
                    total -= work[k, i] * work[j, k]
            work[j, i] = total
            work[i, j] = total * work[j, j]
            pivot -= work[i, j] * total
            right -= work[i, j] * work[WORK.X, j]
        work[i, i] = 1.0 / pivot if pivot > PIVOT * diagonal else 0.0
        work[WORK.X, i] = right
    for up in range(count):
        i = count - 1 - up
        if side[i] == FREE:
            x = work[WORK.X, i] * work[i, i]
            for j in range(i + 1, count):
                if side[j] == FREE:
                    x -= work[j, i] * work[WORK.X, j]
            work[WORK.X, i] = x


@device
def update_active_set(bounded, first, count, one_by_one):
    """Move unknowns to bounds that they exceed, and free those that w drives back; return True if any changed."""
    work, side = bounded.work, bounded.side
    changed = False
    for i in range(count):
        if side[i] == FREE:
            new = (
                AT_LOW
                if work[WORK.X, i] < work[WORK.LOW, i]
                else AT_HIGH
                if work[WORK.X, i] > work[WORK.HIGH, i]
                else FREE
            )
        else:
            w = work[WORK.Q, i]
            for j in range(count):
                w += row_response(bounded, first, i, j) * work[WORK.X, j]
            back = w < 0.0 if side[i] == AT_LOW else w > 0.0
            new = FREE if back and work[WORK.LOW, i] < work[WORK.HIGH, i] else side[i]
        if new != side[i]:
            side[i] = new
            changed = True
            if one_by_one:
                return True
    return changed
