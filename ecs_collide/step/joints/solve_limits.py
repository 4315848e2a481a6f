"""Solve limits and motors together with the trees that they are in: a Schur complement.

Each is a row with bounds for its impulse mu, which is felt by all bodies of the tree. Let z_r be the motion of the tree
after an impulse 1 in row r (one solve of the trees each, of all trees at once), then D_ir = J_i z_r, and

    w = (D + Gamma) mu + q,    q = J v + b,    low <= mu <= high,    w = 0 where mu lies between its bounds

is a small dense problem (`bounded.py`). So a motor at the root of a long arm feels the whole arm. Where a tree has more
than `WIDEST` rows they are gone through one by one instead, and the trees solved after each round.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints import limit_rows as of_extra
from ecs_collide.step.joints.body_lanes import add, clear
from ecs_collide.step.joints.box_lcp import HIGH, LOW, Q, is_content, solve_bounded
from ecs_collide.step.joints.limit_rows import own_diagonal, speed_of
from ecs_collide.step.joints.solve_trees import choose_blocks, solve_trees
from ecs_collide.step.joints.trees import tree_rows as layout

ROUNDS = 8
"""How often the rows of a tree with more are gone through."""


@device
def apply_to_bodies(extras, k, amount, numbers):
    """Give the bodies of a row what an impulse does to them by themselves. Writes seat (EXTRA)."""
    row = extras.row[k]
    sides = (of_extra.CHILD, of_extra.ARM_CHILD, amount), (of_extra.PARENT, of_extra.ARM_PARENT, -amount)
    for side, arm, signed in sides:
        mass = extras.index[k, side] + LANES * layout.MASS_X
        extra = extras.index[k, side] + LANES * layout.EXTRA
        numbers[extra] += numbers[mass] * row[of_extra.NORMAL_X] * signed
        numbers[extra + LANES] += numbers[mass + LANES] * row[of_extra.NORMAL_Y] * signed
        numbers[extra + 2 * LANES] += numbers[mass + 2 * LANES] * row[arm] * signed


@device
def answer_extras(trees, extras):
    """Find out how the rows of each tree answer to each other. Writes extra_matrix."""
    tree_count = len(extras.start) - 1
    most = 0
    for tree in range(tree_count):
        rows = extras.start[tree + 1] - extras.start[tree]
        if rows <= of_extra.WIDEST:
            most = max(most, rows)
    for column in range(most):
        clear(trees, layout.EXTRA)
        for tree in range(tree_count):
            first, rows = extras.start[tree], extras.start[tree + 1] - extras.start[tree]
            trees.chosen[tree] = column < rows <= of_extra.WIDEST
            if trees.chosen[tree]:
                apply_to_bodies(extras, first + column, 1.0, trees.numbers)
        choose_blocks(trees)
        solve_trees(trees, layout.EXTRA, layout.NOTHING, layout.NONE, True)
        for tree in range(tree_count):
            first, rows = extras.start[tree], extras.start[tree + 1] - extras.start[tree]
            if trees.chosen[tree]:
                for k in range(first, first + rows):
                    extras.matrix[k, column] = speed_of(extras, k, trees.numbers, layout.EXTRA)


@device
def solve_extra_velocities(trees, extras, touched_only):
    """Solve the rows for the velocities, which the trees are solved for. Writes seat, IMPULSE, GIVEN, BORNE."""
    solve_extras(trees, extras, layout.VX, False, touched_only)


@device
def shift_extras(trees, extras):
    """Solve the rows for the movements of a projection. Writes seat (SHIFT)."""
    solve_extras(trees, extras, layout.SHIFT, True, False)


@subroutine
def solve_extras(trees, extras, column, projecting, touched_only):
    """Solve the rows for motions, in the seats from `column` on, for which the trees have been solved.

    Trees without a contact keep what they have where it is `touched_only`.
    """
    has_large, any_asks = False, False
    clear(trees, layout.EXTRA)
    for tree in range(len(extras.start) - 1):
        first, rows = extras.start[tree], extras.start[tree + 1] - extras.start[tree]
        trees.chosen[tree] = False
        if rows == 0 or (touched_only and not trees.is_touched[tree]):
            continue
        if rows > of_extra.WIDEST:
            has_large = True
            continue
        if not ask(extras, first, rows, trees.numbers, column, projecting):
            continue
        any_asks, trees.chosen[tree] = True, True
        solve_bounded(extras, first, rows)
        if share_forces(extras, first, rows):
            solve_bounded(extras, first, rows)
            share_forces(extras, first, rows)
        for k in range(first, first + rows):
            apply_to_bodies(extras, k, extras.row[k, of_extra.ADDED], trees.numbers)
            if not projecting:
                add_to_impulses(trees, extras, k)
    impulse = layout.NONE if projecting else layout.IMPULSE
    if any_asks:
        add_answers(trees, column, impulse)
    for _ in range(ROUNDS if has_large else 0):
        clear(trees, layout.EXTRA)
        for tree in range(len(extras.start) - 1):
            first, rows = extras.start[tree], extras.start[tree + 1] - extras.start[tree]
            trees.chosen[tree] = rows > of_extra.WIDEST and not (touched_only and not trees.is_touched[tree])
            if trees.chosen[tree]:
                for k in range(first, first + rows):
                    solve_alone(extras, k, trees.numbers, column, projecting)
                    if not projecting:
                        add_to_impulses(trees, extras, k)
        add_answers(trees, column, impulse)


@device
def ask(extras, first, rows, numbers, column, projecting):
    """Write q and the bounds of a tree's rows to `work`: bounds are those of the substep's impulse with the new one.

    Returns whether any row asks for an impulse at all.
    """
    work = extras.work
    asks = False
    for i in range(rows):
        k = first + i
        row = extras.row[k]
        bias, low, high = fields_for(projecting)
        so_far = 0.0 if projecting else row[of_extra.IMPULSE]
        work[Q, i] = speed_of(extras, k, numbers, column) + row[bias] + row[of_extra.GAMMA] * so_far
        work[LOW, i], work[HIGH, i] = row[low] - so_far, row[high] - so_far
        asks = asks or not is_content(work, i)
    return asks


@device
def share_forces(extras, first, rows):
    """Leave to what pulls across the sliding, or the way to a target, what a force has left beside what pulls along it.

    Returns whether that was too little for any. Reads IMPULSE. Writes ADDED, and of `work` the bounds.
    """
    work, any_is = extras.work, False
    for i in range(1, rows):
        k = first + i
        if extras.index[k, of_extra.PART] != of_extra.ACROSS:
            continue
        row, most = extras.row[k], left_across(extras, k, extras.row[k - 1, of_extra.ADDED])
        work[LOW, i], work[HIGH, i] = -most - row[of_extra.IMPULSE], most - row[of_extra.IMPULSE]
        new = min(max(row[of_extra.ADDED], work[LOW, i]), work[HIGH, i])
        any_is = any_is or new != row[of_extra.ADDED]
        row[of_extra.ADDED] = new
    return any_is


@device
def left_across(extras, k, added):
    """What row k may give across, where the one before it, along, gets so much more than it has: a circle's chord."""
    along, most = extras.row[k - 1, of_extra.IMPULSE] + added, extras.row[k, of_extra.HIGH]
    return sqrt(max((most - along) * (most + along), 0.0))


@device
def fields_for(projecting):
    """Which fields of a row say what is asked for, and the bounds."""
    if projecting:
        return of_extra.SHIFT_BIAS, of_extra.SHIFT_LOW, of_extra.SHIFT_HIGH
    return of_extra.BIAS, of_extra.LOW, of_extra.HIGH


@device
def add_to_impulses(trees, extras, k):
    """Put down what a row has added to its joint's impulses."""
    row, place, part = extras.row[k], extras.index[k, of_extra.LANE], extras.index[k, of_extra.PART]
    field, lane, added = trees.field[place // LANES], place % LANES, row[of_extra.ADDED]
    row[of_extra.IMPULSE] += added
    if part < of_extra.ALONG:
        field[layout.GIVEN + part, lane] = row[of_extra.IMPULSE]
    else:
        field[layout.GIVEN + of_extra.ALONG, lane] += row[of_extra.NORMAL_X] * added
        field[layout.GIVEN + of_extra.ACROSS, lane] += row[of_extra.NORMAL_Y] * added
    field[layout.BORNE, lane] += row[of_extra.NORMAL_X] * added
    field[layout.BORNE + 1, lane] += row[of_extra.NORMAL_Y] * added
    if row[of_extra.NORMAL_X] == 0.0 and row[of_extra.NORMAL_Y] == 0.0:
        field[layout.BORNE + 2, lane] += row[of_extra.ARM_CHILD] * added


@device
def solve_alone(extras, k, numbers, column, projecting):
    """Solve one row as if its bodies were free. Writes seat (EXTRA), ADDED."""
    row = extras.row[k]
    bias, low, high = fields_for(projecting)
    k_own = own_diagonal(extras, k, numbers) + row[of_extra.GAMMA]
    so_far = 0.0 if projecting else row[of_extra.IMPULSE]
    speed = speed_of(extras, k, numbers, column) + speed_of(extras, k, numbers, layout.EXTRA)
    asked = speed + row[bias] + row[of_extra.GAMMA] * so_far
    new = so_far - asked / k_own if k_own > 0.0 else so_far
    least, most = row[low], row[high]
    if extras.index[k, of_extra.PART] == of_extra.ACROSS and not projecting:
        most = left_across(extras, k, 0.0)
        least = -most
    row[of_extra.ADDED] = min(max(new, least), most) - so_far
    apply_to_bodies(extras, k, row[of_extra.ADDED], numbers)


@device
def add_answers(trees, column, impulse):
    """Let the chosen trees answer to what the rows did, and add that."""
    choose_blocks(trees)
    solve_trees(trees, layout.EXTRA, layout.NOTHING, impulse, True)
    add(trees, column, layout.EXTRA)
