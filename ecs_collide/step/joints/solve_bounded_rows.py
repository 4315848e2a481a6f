"""Solve limits, motors, friction and targets together with their trees: a Schur complement.

Each is a row with bounds for its impulse mu, which affects all bodies of the tree. Let z_r be the motion of the tree
under an impulse 1 in row r: one solve of the trees for each r, of all trees together. Then D_ir = J_i z_r, and

    w = (D + Gamma) mu + q,    q = J v + b,    low <= mu <= high,    w = 0 where mu is between its bounds

is a small dense problem (`box_lcp.py`). So a motor at the root of a long arm feels the whole arm. The rows of a tree
with more than `WIDEST` rows are solved one by one instead, and the tree after each round.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.kernels.simd import LANES
from ecs_collide.step.joints.box_lcp import solve_bounded, stays_at_bound
from ecs_collide.step.joints.rows import bounded_rows as roles
from ecs_collide.step.joints.rows.body_lanes import add_numbers, clear_numbers
from ecs_collide.step.joints.rows.bounded_rows import (
    BOUNDED,
    BOUNDED_INDEX,
    WIDEST,
    WORK,
    own_diagonal,
    speed_of,
)
from ecs_collide.step.joints.solve_trees import select_blocks, solve_trees
from ecs_collide.step.joints.trees.tree_rows import BLOCK, LANE, NONE

ROUNDS = 8
"""Number of passes over the rows of a tree with more than `WIDEST` rows."""


@device
def apply_to_bodies(bounded, k, amount, numbers):
    """Add the motion of a row's two bodies alone under an impulse. Writes ADDED of body lanes."""
    row = bounded.row[k]
    sides = (BOUNDED_INDEX.CHILD, BOUNDED.ARM_CHILD, amount), (BOUNDED_INDEX.PARENT, BOUNDED.ARM_PARENT, -amount)
    for side, arm, signed in sides:
        mass = bounded.row_index[k, side] + LANES * LANE.MASS_X
        added = bounded.row_index[k, side] + LANES * LANE.ADDED
        x, y = row[BOUNDED.NORMAL_X], row[BOUNDED.NORMAL_Y]
        if side == BOUNDED_INDEX.PARENT and bounded.row_index[k, BOUNDED_INDEX.ROLE] == roles.ROPE:
            x, y = x + row[BOUNDED.SKEW_X], y + row[BOUNDED.SKEW_Y]
        numbers[added] += numbers[mass] * x * signed
        numbers[added + LANES] += numbers[mass + LANES] * y * signed
        numbers[added + 2 * LANES] += numbers[mass + 2 * LANES] * row[arm] * signed


@device
def find_responses(trees, bounded):
    """Compute the response of each tree's rows to each other. Writes bounded_matrix."""
    tree_count = len(bounded.start) - 1
    most = 0
    for tree in range(tree_count):
        rows = bounded.start[tree + 1] - bounded.start[tree]
        if rows <= WIDEST:
            most = max(most, rows)
    for column in range(most):
        clear_numbers(trees, LANE.ADDED)
        for tree in range(tree_count):
            first, rows = bounded.start[tree], bounded.start[tree + 1] - bounded.start[tree]
            trees.is_selected[tree] = column < rows <= WIDEST
            if trees.is_selected[tree]:
                apply_to_bodies(bounded, first + column, 1.0, trees.lane_numbers)
        select_blocks(trees)
        solve_trees(trees, LANE.ADDED, BLOCK.ZERO, NONE, True)
        for tree in range(tree_count):
            first, rows = bounded.start[tree], bounded.start[tree + 1] - bounded.start[tree]
            if trees.is_selected[tree]:
                for k in range(first, first + rows):
                    bounded.matrix[k, column] = speed_of(bounded, k, trees.lane_numbers, LANE.ADDED)


@device
def solve_bounded_velocities(trees, bounded, touched_only):
    """Solve the bounded rows for velocities, after the trees. Writes velocities, IMPULSE, BOUNDED, LOAD."""
    solve_bounded_rows(trees, bounded, LANE.VX, False, touched_only)


@device
def shift_bounded_rows(trees, bounded):
    """Solve the bounded rows for the movements of a projection. Writes SHIFT of body lanes."""
    solve_bounded_rows(trees, bounded, LANE.SHIFT, True, False)


@subroutine
def solve_bounded_rows(trees, bounded, column, is_projection, touched_only):
    """Solve the bounded rows for motions in body lanes from `column` on, for which the trees are solved.

    A tree with up to `WIDEST` rows is solved by `box_lcp.py`, a larger one by iterations. With `touched_only`, trees
    that are not touched keep their motions.
    """
    impulse = NONE if is_projection else BLOCK.IMPULSE
    clear_numbers(trees, LANE.ADDED)
    has_large, any_needs_impulse = solve_small_trees(trees, bounded, column, is_projection, touched_only)
    if any_needs_impulse:
        add_responses(trees, column, impulse)
    for _ in range(ROUNDS if has_large else 0):
        clear_numbers(trees, LANE.ADDED)
        iterate_large_trees(trees, bounded, column, is_projection, touched_only)
        add_responses(trees, column, impulse)


@device
def solve_small_trees(trees, bounded, column, is_projection, touched_only):
    """Solve the rows of each tree with up to `WIDEST` rows; return if any tree has more, and if any needs impulses."""
    has_large, any_needs_impulse = False, False
    for tree in range(len(bounded.start) - 1):
        first, rows = bounded.start[tree], bounded.start[tree + 1] - bounded.start[tree]
        trees.is_selected[tree] = False
        if rows == 0 or not is_solved(trees, tree, touched_only):
            continue
        if rows > WIDEST:
            has_large = True
            continue
        if not set_up_problem(bounded, first, rows, trees.lane_numbers, column, is_projection):
            continue
        any_needs_impulse, trees.is_selected[tree] = True, True
        solve_bounded(bounded, first, rows)
        if share_forces(bounded, first, rows, is_projection):
            solve_bounded(bounded, first, rows)
            share_forces(bounded, first, rows, is_projection)
        for k in range(first, first + rows):
            apply_to_bodies(bounded, k, bounded.row[k, BOUNDED.ADDED], trees.lane_numbers)
            if not is_projection:
                add_to_impulses(trees, bounded, k)
    return has_large, any_needs_impulse


@device
def iterate_large_trees(trees, bounded, column, is_projection, touched_only):
    """Solve the rows of each tree with more than `WIDEST` rows once, one after the other."""
    for tree in range(len(bounded.start) - 1):
        first, rows = bounded.start[tree], bounded.start[tree + 1] - bounded.start[tree]
        trees.is_selected[tree] = rows > WIDEST and is_solved(trees, tree, touched_only)
        if trees.is_selected[tree]:
            for k in range(first, first + rows):
                solve_alone(bounded, k, trees.lane_numbers, column, is_projection)
                if not is_projection:
                    add_to_impulses(trees, bounded, k)


@device
def is_solved(trees, tree, touched_only):
    """Return True if a solve of all trees, or of the touched ones alone, has this tree."""
    return trees.is_touched[tree] or not touched_only


@device
def set_up_problem(bounded, first, rows, numbers, column, is_projection):
    """Write q and the bounds of a tree's rows to `work`; return True if any row needs an impulse.

    The bounds apply to the impulse of the whole substep.
    """
    work = bounded.work
    needs_impulse = False
    for i in range(rows):
        k = first + i
        row = bounded.row[k]
        bias, low, high = fields_for(is_projection)
        so_far = 0.0 if is_projection else row[BOUNDED.IMPULSE]
        speed = speed_of(bounded, k, numbers, column)
        work[WORK.Q, i] = speed + row[bias] + row[BOUNDED.GAMMA] * so_far
        if not is_projection:
            work[WORK.Q, i] += limit_chord(row, speed)
        work[WORK.LOW, i], work[WORK.HIGH, i] = row[low] - so_far, row[high] - so_far
        needs_impulse = needs_impulse or not stays_at_bound(work, i)
    return needs_impulse


@device
def limit_chord(row, speed):
    """Return the chord correction of a limit that is approached at -`speed`.

    It sends the bodies back no faster than they arrive, both against the limit.
    """
    chord = row[BOUNDED.CHORD]
    if chord >= 0.0:
        return chord
    arrival = speed + row[BOUNDED.BIAS] - 2.0 * row[BOUNDED.APPROACH]
    return max(chord, min(arrival, 0.0))


@device
def share_forces(bounded, first, rows, is_projection):
    """Bound rows ACROSS by what the rows ALONG leave of their common force; return True if any got less.

    Reads IMPULSE. Writes ADDED, and the bounds in `work`.
    """
    work, any_is = bounded.work, False
    for i in range(1, rows):
        k = first + i
        # The bound on the shift of an anchor is no force.
        is_shift = is_projection and bounded.row[k, BOUNDED.SHIFT_HIGH] > 0.0
        if bounded.row_index[k, BOUNDED_INDEX.ROLE] != roles.ACROSS or is_shift:
            continue
        row, most = bounded.row[k], remaining_bound(bounded, k, bounded.row[k - 1, BOUNDED.ADDED])
        work[WORK.LOW, i], work[WORK.HIGH, i] = -most - row[BOUNDED.IMPULSE], most - row[BOUNDED.IMPULSE]
        new = min(max(row[BOUNDED.ADDED], work[WORK.LOW, i]), work[WORK.HIGH, i])
        any_is = any_is or new != row[BOUNDED.ADDED]
        row[BOUNDED.ADDED] = new
    return any_is


@device
def remaining_bound(bounded, k, added):
    """Return the bound of row k across if the row before it, along, bears so much more: a chord of a circle."""
    along, most = bounded.row[k - 1, BOUNDED.IMPULSE] + added, bounded.row[k, BOUNDED.HIGH]
    return sqrt(max((most - along) * (most + along), 0.0))


@device
def fields_for(is_projection):
    """Return the columns of bias, lower and upper bound."""
    if is_projection:
        return BOUNDED.SHIFT_BIAS, BOUNDED.SHIFT_LOW, BOUNDED.SHIFT_HIGH
    return BOUNDED.BIAS, BOUNDED.LOW, BOUNDED.HIGH


@device
def add_to_impulses(trees, bounded, k):
    """Add the impulse of a row to its joint's impulses and load. Writes BOUNDED, LOAD."""
    row = bounded.row[k]
    place = bounded.row_index[k, BOUNDED_INDEX.LANE]
    part = bounded.row_index[k, BOUNDED_INDEX.ROLE]
    field, lane, added = trees.blocks[place // LANES], place % LANES, row[BOUNDED.ADDED]
    row[BOUNDED.IMPULSE] += added
    if part not in (roles.ALONG, roles.ACROSS):
        field[BLOCK.BOUNDED + part, lane] = row[BOUNDED.IMPULSE]
    else:
        field[BLOCK.BOUNDED + roles.ALONG, lane] += row[BOUNDED.NORMAL_X] * added
        field[BLOCK.BOUNDED + roles.ACROSS, lane] += row[BOUNDED.NORMAL_Y] * added
    if part == roles.ROPE:  # the load of a rope is its pull, in any direction
        field[BLOCK.LOAD, lane] += added
        return
    field[BLOCK.LOAD, lane] += row[BOUNDED.NORMAL_X] * added
    field[BLOCK.LOAD + 1, lane] += row[BOUNDED.NORMAL_Y] * added
    if row[BOUNDED.NORMAL_X] == 0.0 and row[BOUNDED.NORMAL_Y] == 0.0:  # a gear reports the torque on B
        arm = row[BOUNDED.ARM_CHILD] if field[BLOCK.SIGN, lane] > 0.0 else row[BOUNDED.ARM_PARENT]
        field[BLOCK.LOAD + 2, lane] += arm * added


@device
def solve_alone(bounded, k, numbers, column, is_projection):
    """Solve one row as if its bodies were free. Writes ADDED of the row and of body lanes."""
    row = bounded.row[k]
    bias, low, high = fields_for(is_projection)
    k_own = own_diagonal(bounded, k, numbers) + row[BOUNDED.GAMMA]
    so_far = 0.0 if is_projection else row[BOUNDED.IMPULSE]
    speed = speed_of(bounded, k, numbers, column) + speed_of(bounded, k, numbers, LANE.ADDED)
    speed_error = speed + row[bias] + row[BOUNDED.GAMMA] * so_far
    if not is_projection:
        speed_error += limit_chord(row, speed)
    new = so_far - speed_error / k_own if k_own > 0.0 else so_far
    least, most = row[low], row[high]
    if bounded.row_index[k, BOUNDED_INDEX.ROLE] == roles.ACROSS and not is_projection:
        most = remaining_bound(bounded, k, 0.0)
        least = -most
    row[BOUNDED.ADDED] = min(max(new, least), most) - so_far
    apply_to_bodies(bounded, k, row[BOUNDED.ADDED], numbers)


@device
def add_responses(trees, column, impulse):
    """Solve the selected trees for the added motions, and add the result to `column` of body lanes."""
    select_blocks(trees)
    solve_trees(trees, LANE.ADDED, BLOCK.ZERO, impulse, True)
    add_numbers(trees, column, LANE.ADDED)
