"""Which balls and features a ball might meet: those whose boxes overlap its own."""

from __future__ import annotations

from ecs_collide.common.tolerances import NO_END
from ecs_collide.exact import exact_rows as layout, features as of_feature
from ecs_collide.exact.event_queue import drop_void, push_event
from ecs_collide.exact.feature_tree import next_leaf
from ecs_collide.exact.gap import may_meet
from ecs_collide.exact.grid import cell_number
from ecs_collide.exact.impact_time import NEVER
from ecs_collide.exact.predict import impact_time
from ecs_collide.geometry.aabb import rows_touch
from ecs_collide.kernels.kernel import device

CLEAR_MARGIN = 2.0
"""By how many cells the box in which nothing static was found is larger than that of the ball, on each side."""

CLEAR_TURNS = 4
"""Steps between two attempts to find such a box."""


@device
def balls_meet(box, ball_index, counts, filters, i, j):
    """Whether the boxes of two balls overlap and no filter keeps them apart."""
    return rows_touch(box, i, box, j) and (
        counts[layout.SAME_FILTER] != 0
        or may_meet(filters, ball_index[i, layout.BODY_ROW], ball_index[j, layout.BODY_ROW])
    )


@device
def feature_meets(ball_index, counts, index, filters, i, f):
    """Whether no filter keeps a ball and a feature apart."""
    return counts[layout.SAME_FILTER] != 0 or may_meet(
        filters, ball_index[i, layout.BODY_ROW], index[f, of_feature.FEATURE_BODY]
    )


@device
def cell_range(simulation, i):
    """(first column, columns, first row, rows) of the cells in which partners of ball i may be."""
    box, mask = simulation.box, simulation.counts[layout.MASK]
    if simulation.ball_index[i, layout.CELL] != layout.LARGE:
        cell = simulation.ball_index[i, layout.CELL]
        return (cell & mask) - 1, 3, (cell >> simulation.counts[layout.BITS]) - 1, 3
    inverse = simulation.scalars[layout.INVERSE_CELL]
    column, row = (
        cell_number(box[i, layout.MIN_X] * inverse) - 1,
        cell_number(box[i, layout.MIN_Y] * inverse) - 1,
    )
    columns = min(cell_number(box[i, layout.MAX_X] * inverse) + 2 - column, mask + 1)
    rows = min(cell_number(box[i, layout.MAX_Y] * inverse) + 2 - row, mask + 1)
    return column, columns, row, rows


@device
def is_clear(simulation, i):
    """Whether the box of ball i lies in the larger one in which nothing static was found."""
    box, clear = simulation.box, simulation.clear
    return (
        box[i, layout.MIN_X] >= clear[i, layout.MIN_X]
        and box[i, layout.MIN_Y] >= clear[i, layout.MIN_Y]
        and box[i, layout.MAX_X] <= clear[i, layout.MAX_X]
        and box[i, layout.MAX_Y] <= clear[i, layout.MAX_Y]
    )


@device
def try_clear(simulation, tree, i):
    """Look for static features in a larger box around that of ball i; remember it if there are none."""
    box, clear = simulation.box[i], simulation.clear[i]
    margin = CLEAR_MARGIN * simulation.scalars[layout.CELL_SIZE]
    clear[layout.MIN_X], clear[layout.MIN_Y] = box[layout.MIN_X] - margin, box[layout.MIN_Y] - margin
    clear[layout.MAX_X], clear[layout.MAX_Y] = box[layout.MAX_X] + margin, box[layout.MAX_Y] + margin
    if next_leaf(tree, 0, clear) > 0:
        clear[layout.MIN_X], clear[layout.MAX_X] = NO_END, -NO_END


@device
def add_candidate(simulation, i, other):
    """Note a pair of the step's start; whether there was room for it."""
    count = simulation.counts[layout.CANDIDATES]
    if count == len(simulation.candidate):
        return False
    first, second = min(i, other), max(i, other)
    simulation.candidate[count, 0], simulation.candidate[count, 1] = first, second
    simulation.counts[layout.CANDIDATES] = count + 1
    return True


@device
def find_candidates(simulation, obstacles, filters):
    """List all pairs whose boxes overlap, each once; return whether there was room for them."""
    box, ball_index, head, counts = simulation.box, simulation.ball_index, simulation.head, simulation.counts
    mask, bits, n = counts[layout.MASK], counts[layout.BITS], counts[layout.BALLS]
    counts[layout.CANDIDATES] = 0
    for i in range(n):
        cell = ball_index[i, layout.CELL]
        is_large = cell == layout.LARGE
        column, columns, row, rows = cell_range(simulation, i)
        if not is_large:  # half of the cells around: its own from here on, the one to the right, and the three above
            columns, rows = 3, 2
            row += 1
        for across in range(columns):
            for up in range(rows):
                if not is_large and up == 0 and across < 2:
                    if across == 0:
                        continue
                    j = ball_index[i, layout.AFTER]
                else:
                    j = head[(((row + up) & mask) << bits) | ((column + across) & mask)]
                while j >= 0:
                    if balls_meet(box, ball_index, counts, filters, i, j) and not add_candidate(simulation, i, j):
                        return False
                    j = ball_index[j, layout.AFTER]
        if is_large:
            for k in range(counts[layout.LARGE_BALLS]):
                j = simulation.large[k]
                if j > i and balls_meet(box, ball_index, counts, filters, i, j) and not add_candidate(simulation, i, j):
                    return False
        for k in range(2):
            tree = obstacles.still if k == 0 else obstacles.moving
            if k == 0 and is_clear(simulation, i):
                continue
            node, is_alone = 0, True
            while True:
                node = next_leaf(tree, node, box[i])
                if node == 0:
                    break
                is_alone = False
                f = tree.start + node - tree.leaves
                if feature_meets(ball_index, counts, obstacles.index, filters, i, f) and not add_candidate(
                    simulation, i, n + f
                ):
                    return False
            if k == 0 and is_alone and (i + counts[layout.STEPS]) % CLEAR_TURNS == 0:
                try_clear(simulation, tree, i)
    return True


@device
def foresee(simulation, obstacles, material, i, other, now):
    """When ball i hits a partner, not before `now` [s]; NEVER if their boxes end before that.

    Past the end of a box the pair will be looked at again, when the box is renewed. What may belong to a group that
    is taken together before that is foreseen now.
    """
    time = impact_time(simulation, obstacles, material, i, other)
    if time > simulation.horizon[i] + 2.0 * layout.SAME_TIME:
        return NEVER
    if other < simulation.counts[layout.BALLS] and time > simulation.horizon[other] + 2.0 * layout.SAME_TIME:
        return NEVER
    return max(time, now)


@device
def add_partner(simulation, other):
    """Note a partner of the ball that is searched; whether there was room for it."""
    count = simulation.counts[layout.FRESH]
    if count == len(simulation.fresh_other):
        return False
    simulation.fresh_other[count] = other
    simulation.counts[layout.FRESH] = count + 1
    return True


@device
def find_partners(simulation, obstacles, filters, i):
    """List all whose boxes overlap that of ball i; return whether there was room for them.

    Balls that are still to be searched are left out: they will find ball i in their turn.
    """
    box, ball_index, head, counts = simulation.box, simulation.ball_index, simulation.head, simulation.counts
    mask, bits, n = counts[layout.MASK], counts[layout.BITS], counts[layout.BALLS]
    counts[layout.FRESH] = 0
    column, columns, row, rows = cell_range(simulation, i)
    for up in range(rows + 1):
        is_listed = up == rows  # the balls that are in no cell come last
        for across in range(counts[layout.LARGE_BALLS] if is_listed else columns):
            if is_listed:
                j = simulation.large[across]
            else:
                j = head[(((row + up) & mask) << bits) | ((column + across) & mask)]
            while j >= 0:
                if (
                    j != i
                    and ball_index[j, layout.PENDING] == 0
                    and balls_meet(box, ball_index, counts, filters, i, j)
                    and not add_partner(simulation, j)
                ):
                    return False
                j = -1 if is_listed else ball_index[j, layout.AFTER]
    for k in range(2):
        tree = obstacles.still if k == 0 else obstacles.moving
        if k == 0 and is_clear(simulation, i):
            continue
        node = 0
        while True:
            node = next_leaf(tree, node, box[i])
            if node == 0:
                break
            f = tree.start + node - tree.leaves
            if feature_meets(ball_index, counts, obstacles.index, filters, i, f) and not add_partner(simulation, n + f):
                return False
    return True


@device
def foresee_impacts(simulation, obstacles, bodies, i, now):
    """Enter the next impacts of ball i, and its horizon; return what there was too little room for, or DONE.

    Without room nothing has been entered.
    """
    if not find_partners(simulation, obstacles, bodies.filter, i):
        return layout.MORE_FRESH
    count = 0
    for k in range(simulation.counts[layout.FRESH]):
        other = simulation.fresh_other[k]
        time = foresee(simulation, obstacles, bodies.material, i, other, now)
        if time < NEVER:
            simulation.fresh_time[count], simulation.fresh_other[count] = time, other
            count += 1
    simulation.counts[layout.FRESH] = count
    return enter_fresh(simulation, i)


@device
def enter_fresh(simulation, i):
    """Move what was foreseen of ball i into the heap; return MORE_EVENTS, with nothing done, or DONE."""
    counts = simulation.counts
    room = len(simulation.event_time) - 1
    if counts[layout.EVENTS] + counts[layout.FRESH] > room:
        drop_void(simulation)
        if counts[layout.EVENTS] + counts[layout.FRESH] > room:
            return layout.MORE_EVENTS
    for k in range(counts[layout.FRESH] + 1):
        time, other = simulation.horizon[i], layout.HORIZON_EVENT
        if k < counts[layout.FRESH]:
            time, other = simulation.fresh_time[k], simulation.fresh_other[k]
        if time < NEVER:
            push_event(simulation, time, i, other)
    return layout.DONE
