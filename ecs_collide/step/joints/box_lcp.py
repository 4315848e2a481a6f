"""A small dense problem with bounds: w = A x + q, low <= x <= high, w = 0 where x lies between, w >= 0 at low, <= 0
at high.

By an active set: solve for the unknowns taken to be free; those that leave their bounds are put there, those at a bound
that w drives back are freed. All at once first, which nearly always ends it; then only the first one (Murty's rule),
which always does for a matrix that is positive definite. A is symmetric, so A = L D L^T does.

Rows may ask for different things along one axis: a motor that stands at its joint's limit, or one with a brake. Then A
is singular, and some row must go to its bound. So each yields by a part of its diagonal, which lets what they cannot
all have drive them there; motors yield more than limits, which hold also where a motor has no bound. A pivot that is as
good as 0 all the same is of bodies that nothing moves: that unknown is left out.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.step.joints import limit_rows as of_extra

AT_LOW, FREE, AT_HIGH = -1, 0, 1
AT_ONCE = 8
"""Rounds in which all are changed at once."""
PIVOT = 1e-11
"""The least part of a diagonal that may be left as a pivot ..."""
LIMITS_YIELD, OTHERS_YIELD = 1e-10, 1e-6
"""... and by which parts of it rows yield."""

# rows of `work` behind the matrix: q, then x, then the bounds
Q, X, LOW, HIGH = (of_extra.WIDEST + k for k in range(4))


@subroutine
def solve_bounded(extras, first, count):
    """Solve for the impulses of one tree's rows. Reads extra_matrix, extra_row, and of `work` q and the bounds.

    Writes ADDED.
    """
    row, work, place = extras.row, extras.work, extras.place
    for i in range(count):
        work[X, i] = 0.0
        place[i] = AT_LOW if is_content(work, i) else FREE
    for attempt in range(AT_ONCE + 2 * count):
        solve_free(extras, first, count)
        if not change_places(extras, first, count, attempt >= AT_ONCE):
            break
    for i in range(count):
        row[first + i, of_extra.ADDED] = min(max(work[X, i], work[LOW, i]), work[HIGH, i])


@device
def is_content(work, i):
    """Whether an unknown that can only grow from 0 has no need to, as far as it knows: a limit that is not reached."""
    return work[LOW, i] == 0.0 and work[Q, i] >= 0.0


@device
def element(extras, first, i, j):
    """A_ij: how rows answer to each other, and the compliance of each."""
    d = extras.matrix[first + max(i, j), min(i, j)]
    if i != j:
        return d
    yielding = LIMITS_YIELD if extras.index[first + i, of_extra.PART] <= of_extra.UPPER else OTHERS_YIELD
    return d * (1.0 + yielding) + extras.row[first + i, of_extra.GAMMA]


@device
def solve_free(extras, first, count):
    """Set x of the unknowns at a bound to that, and of the others so that w = 0.

    Writes to `work` L below the diagonal, 1 / D on it, and the products L D above it.
    """
    work, place = extras.work, extras.place
    for i in range(count):
        if place[i] == AT_LOW:
            work[X, i] = work[LOW, i]
        elif place[i] == AT_HIGH:
            work[X, i] = work[HIGH, i]
    for i in range(count):
        if place[i] != FREE:
            continue
        right = -work[Q, i]
        for j in range(count):
            if place[j] != FREE:
                right -= element(extras, first, i, j) * work[X, j]
        diagonal = element(extras, first, i, i)
        pivot = diagonal
        for j in range(i):
            if place[j] != FREE:
                continue
            total = element(extras, first, i, j)
            for k in range(j):
                if place[k] == FREE:
                    total -= work[k, i] * work[j, k]
            work[j, i] = total
            work[i, j] = total * work[j, j]
            pivot -= work[i, j] * total
            right -= work[i, j] * work[X, j]
        work[i, i] = 1.0 / pivot if pivot > PIVOT * diagonal else 0.0
        work[X, i] = right
    for up in range(count):
        i = count - 1 - up
        if place[i] == FREE:
            x = work[X, i] * work[i, i]
            for j in range(i + 1, count):
                if place[j] == FREE:
                    x -= work[j, i] * work[X, j]
            work[X, i] = x


@device
def change_places(extras, first, count, one_by_one):
    """Put unknowns at bounds that they pass, free those that are driven back; return whether any was."""
    work, place = extras.work, extras.place
    changed = False
    for i in range(count):
        if place[i] == FREE:
            new = AT_LOW if work[X, i] < work[LOW, i] else AT_HIGH if work[X, i] > work[HIGH, i] else FREE
        else:
            w = work[Q, i]
            for j in range(count):
                w += element(extras, first, i, j) * work[X, j]
            back = w < 0.0 if place[i] == AT_LOW else w > 0.0
            new = FREE if back and work[LOW, i] < work[HIGH, i] else place[i]
        if new != place[i]:
            place[i] = new
            changed = True
            if one_by_one:
                return True
    return changed
