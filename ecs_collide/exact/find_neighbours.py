"""Find the balls and features that a ball may hit, which are those whose boxes overlap its own."""

from __future__ import annotations

from ecs_collide.common.tolerances import NO_END
from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.event_queue import drop_void, push_event
from ecs_collide.exact.exact_rows import BALL_INDEX, COUNTS, PAIR, SCALARS
from ecs_collide.exact.feature_rows import FEATURE_INDEX
from ecs_collide.exact.feature_tree import next_leaf
from ecs_collide.exact.gap import can_meet
from ecs_collide.exact.grid import cell_number
from ecs_collide.exact.impact_time import NEVER
from ecs_collide.exact.predict import impact_time
from ecs_collide.geometry.aabb import BOX, rows_touch
from ecs_collide.kernels.kernel import device

CLEAR_MARGIN = 2.0
"""Cells by which the clear box of a ball is larger than its box, on each side."""

CLEAR_TURNS = 4
"""Steps between two attempts to find a clear box."""


@device
def balls_meet(simulation, filters, i, j):
    """Return True if the boxes of two balls overlap and no filter keeps the balls apart."""
    return rows_touch(simulation.box, i, simulation.box, j) and (
        simulation.counts[COUNTS.ALL_MEET] != 0
        or can_meet(filters, simulation.ball_index[i, BALL_INDEX.BODY], simulation.ball_index[j, BALL_INDEX.BODY])
    )


@device
def feature_meets(simulation, obstacles, filters, i, f):
    """Return True if no filter keeps a ball and a feature apart."""
    return simulation.counts[COUNTS.ALL_MEET] != 0 or can_meet(
        filters, simulation.ball_index[i, BALL_INDEX.BODY], obstacles.index[f, FEATURE_INDEX.BODY]
    )


@device
def cell_range(simulation, i):
    """Return (first column, columns, first row, rows) of the cells in which partners of ball i may be."""
    box, mask = simulation.box, simulation.counts[COUNTS.CELL_MASK]
    if simulation.ball_index[i, BALL_INDEX.CELL] != codes.NO_CELL:
        cell = simulation.ball_index[i, BALL_INDEX.CELL]
        return (cell & mask) - 1, 3, (cell >> simulation.counts[COUNTS.CELL_BITS]) - 1, 3
    inverse = simulation.scalars[SCALARS.INVERSE_CELL]
    column = cell_number(box[i, BOX.MIN_X] * inverse) - 1
    row = cell_number(box[i, BOX.MIN_Y] * inverse) - 1
    columns = min(cell_number(box[i, BOX.MAX_X] * inverse) + 2 - column, mask + 1)
    rows = min(cell_number(box[i, BOX.MAX_Y] * inverse) + 2 - row, mask + 1)
    return column, columns, row, rows


@device
def is_in_clear_box(simulation, i):
    """Return True if the box of ball i lies in its clear box, which has no static feature."""
    box, clear = simulation.box, simulation.clear_box
    return (
        box[i, BOX.MIN_X] >= clear[i, BOX.MIN_X]
        and box[i, BOX.MIN_Y] >= clear[i, BOX.MIN_Y]
        and box[i, BOX.MAX_X] <= clear[i, BOX.MAX_X]
        and box[i, BOX.MAX_Y] <= clear[i, BOX.MAX_Y]
    )


@device
def find_clear_box(simulation, tree, i):
    """Search a larger box around that of ball i for static features; make it the clear box if there are none."""
    box, clear = simulation.box[i], simulation.clear_box[i]
    margin = CLEAR_MARGIN * simulation.scalars[SCALARS.CELL_SIZE]
    clear[BOX.MIN_X], clear[BOX.MIN_Y] = box[BOX.MIN_X] - margin, box[BOX.MIN_Y] - margin
    clear[BOX.MAX_X], clear[BOX.MAX_Y] = box[BOX.MAX_X] + margin, box[BOX.MAX_Y] + margin
    if next_leaf(tree, 0, simulation.clear_box, i) > 0:
        clear[BOX.MIN_X], clear[BOX.MAX_X] = NO_END, -NO_END


@device
def add_candidate(simulation, i, other):
    """Add a candidate pair; return False if there was no room for it."""
    count = simulation.counts[COUNTS.CANDIDATES]
    if count == len(simulation.candidate):
        return False
    first, second = min(i, other), max(i, other)
    simulation.candidate[count, PAIR.FIRST], simulation.candidate[count, PAIR.SECOND] = first, second
    simulation.counts[COUNTS.CANDIDATES] = count + 1
    return True


@device
def find_candidates(simulation, obstacles, filters):
    """List all pairs whose boxes overlap, each once; return False if there was no room for them."""
    simulation.counts[COUNTS.CANDIDATES] = 0
    for i in range(simulation.counts[COUNTS.BALLS]):
        is_large = simulation.ball_index[i, BALL_INDEX.CELL] == codes.NO_CELL
        if not add_balls_around(simulation, filters, i, is_large):
            return False
        if is_large and not add_large_balls(simulation, filters, i):
            return False
        if not add_features(simulation, obstacles, filters, i):
            return False
    return True


@device
def add_balls_around(simulation, filters, i, is_large):
    """Add the candidates of ball i among the balls in the cells around; return False if there was no room."""
    ball_index, head, counts = simulation.ball_index, simulation.cell_head, simulation.counts
    mask, bits = counts[COUNTS.CELL_MASK], counts[COUNTS.CELL_BITS]
    column, columns, row, rows = cell_range(simulation, i)
    if not is_large:  # half of the cells around: its own from here on, the one to the right, and the three above
        columns, rows = 3, 2
        row += 1
    for across in range(columns):
        for up in range(rows):
            if not is_large and up == 0 and across < 2:
                if across == 0:
                    continue
                j = ball_index[i, BALL_INDEX.AFTER]
            else:
                j = head[(((row + up) & mask) << bits) | ((column + across) & mask)]
            while j >= 0:
                if balls_meet(simulation, filters, i, j) and not add_candidate(simulation, i, j):
                    return False
                j = ball_index[j, BALL_INDEX.AFTER]
    return True


@device
def add_large_balls(simulation, filters, i):
    """Add the candidates of ball i among the later balls without a cell; return False if there was no room."""
    for k in range(simulation.counts[COUNTS.LARGE_BALLS]):
        j = simulation.large[k]
        if j > i and balls_meet(simulation, filters, i, j) and not add_candidate(simulation, i, j):
            return False
    return True


@device
def add_features(simulation, obstacles, filters, i):
    """Add the candidates of ball i among the features; return False if there was no room. Renews its clear box."""
    n, is_clear = simulation.counts[COUNTS.BALLS], is_in_clear_box(simulation, i)
    for k in range(1 if is_clear else 0, 2):
        tree = obstacles.still if k == 0 else obstacles.moving
        node, is_alone = 0, True
        while True:
            node = next_leaf(tree, node, simulation.box, i)
            if node == 0:
                break
            is_alone = False
            f = tree.start + node - tree.leaves
            if feature_meets(simulation, obstacles, filters, i, f) and not add_candidate(simulation, i, n + f):
                return False
        if k == 0 and is_alone and (i + simulation.counts[COUNTS.STEPS]) % CLEAR_TURNS == 0:
            find_clear_box(simulation, tree, i)
    return True


@device
def predict_impact(simulation, obstacles, bodies, i, other, now):
    """Return the time [s] at which ball i hits a partner, at least `now`; NEVER if a horizon comes before that.

    At its horizon the box of a ball is updated, and its pairs are predicted again. Impacts that may belong to a group
    of the same time are predicted now.
    """
    time = impact_time(simulation, obstacles, bodies, i, other)
    if time > simulation.horizon[i] + 2.0 * codes.SAME_TIME:
        return NEVER
    if other < simulation.counts[COUNTS.BALLS] and time > simulation.horizon[other] + 2.0 * codes.SAME_TIME:
        return NEVER
    return max(time, now)


@device
def add_partner(simulation, other):
    """Add a partner to those found; return False if there was no room for it."""
    count = simulation.counts[COUNTS.FOUND]
    if count == len(simulation.found_partner):
        return False
    simulation.found_partner[count] = other
    simulation.counts[COUNTS.FOUND] = count + 1
    return True


@device
def find_partners(simulation, obstacles, filters, i):
    """List all partners whose boxes overlap that of ball i; return False if there was no room for them.

    Balls whose own impacts are still to be predicted are left out: they will find ball i in turn.
    """
    box, ball_index, head, counts = simulation.box, simulation.ball_index, simulation.cell_head, simulation.counts
    mask, bits, n = counts[COUNTS.CELL_MASK], counts[COUNTS.CELL_BITS], counts[COUNTS.BALLS]
    counts[COUNTS.FOUND] = 0
    column, columns, row, rows = cell_range(simulation, i)
    for up in range(rows + 1):
        is_listed = up == rows  # balls without a cell come last
        for across in range(counts[COUNTS.LARGE_BALLS] if is_listed else columns):
            if is_listed:
                j = simulation.large[across]
            else:
                j = head[(((row + up) & mask) << bits) | ((column + across) & mask)]
            while j >= 0:
                if (
                    j != i
                    and ball_index[j, BALL_INDEX.IS_PENDING] == 0
                    and balls_meet(simulation, filters, i, j)
                    and not add_partner(simulation, j)
                ):
                    return False
                j = -1 if is_listed else ball_index[j, BALL_INDEX.AFTER]
    for k in range(2):
        tree = obstacles.still if k == 0 else obstacles.moving
        if k == 0 and is_in_clear_box(simulation, i):
            continue
        node = 0
        while True:
            node = next_leaf(tree, node, box, i)
            if node == 0:
                break
            f = tree.start + node - tree.leaves
            if feature_meets(simulation, obstacles, filters, i, f) and not add_partner(simulation, n + f):
                return False
    return True


@device
def predict_impacts(simulation, obstacles, bodies, i, now):
    """Add the next impacts of ball i and its horizon to the queue; return DONE, or the arrays that need more room.

    Without room, nothing has been added.
    """
    if not find_partners(simulation, obstacles, bodies.filter, i):
        return codes.MORE_FOUND
    count = 0
    for k in range(simulation.counts[COUNTS.FOUND]):
        other = simulation.found_partner[k]
        time = predict_impact(simulation, obstacles, bodies, i, other, now)
        if time < NEVER:
            simulation.found_time[count], simulation.found_partner[count] = time, other
            count += 1
    simulation.counts[COUNTS.FOUND] = count
    return queue_found(simulation, i)


@device
def queue_found(simulation, i):
    """Move the events found for ball i to the queue; return DONE, or MORE_EVENTS with nothing done."""
    counts = simulation.counts
    room = len(simulation.event_time) - 1
    if counts[COUNTS.EVENTS] + counts[COUNTS.FOUND] > room:
        drop_void(simulation)
        if counts[COUNTS.EVENTS] + counts[COUNTS.FOUND] > room:
            return codes.MORE_EVENTS
    for k in range(counts[COUNTS.FOUND] + 1):
        time, other = simulation.horizon[i], codes.HORIZON_EVENT
        if k < counts[COUNTS.FOUND]:
            time, other = simulation.found_time[k], simulation.found_partner[k]
        if time < NEVER:
            push_event(simulation, time, i, other)
    return codes.DONE
