"""Process the events of a step in the order of their times."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import Pieces
from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.event_queue import drop_first, is_void
from ecs_collide.exact.exact_rows import BALL_INDEX, COUNTS, EVENT, PAIR, SCALARS, Simulation
from ecs_collide.exact.find_neighbours import predict_impacts
from ecs_collide.exact.grid import update_box
from ecs_collide.exact.impacts import resolve_group
from ecs_collide.exact.step_kernels import Obstacles
from ecs_collide.kernels.kernel import kernel


@kernel
def run_events(simulation: Simulation, obstacles: Obstacles, bodies: Bodies, pieces: Pieces):
    """Process events until none is left in the step; return DONE, or the arrays that need more room.

    After making room, call it again: it continues at the same event.
    """
    counts, scalars, ball_index = simulation.counts, simulation.scalars, simulation.ball_index
    event = simulation.event
    while True:
        # Predict the next impacts of the balls that have changed.
        now = scalars[SCALARS.NOW]
        while counts[COUNTS.TO_SEARCH] > 0:
            i = simulation.to_search[counts[COUNTS.TO_SEARCH] - 1]
            missing = predict_impacts(simulation, obstacles, bodies, i, now)
            if missing != codes.DONE:
                return missing
            ball_index[i, BALL_INDEX.IS_PENDING] = 0
            counts[COUNTS.TO_SEARCH] -= 1
        if counts[COUNTS.RECORDS] + len(simulation.group) > len(simulation.impact):
            return codes.MORE_RECORDS
        # Collect the impacts of the same time, or one horizon.
        count = 0
        limit = 1e300
        while counts[COUNTS.EVENTS] > 0 and simulation.event_time[0] <= limit and count < len(simulation.group):
            void = is_void(simulation, 0)
            time, i, other = simulation.event_time[0], int(event[0, EVENT.BALL]), int(event[0, EVENT.PARTNER])
            if not void and other == codes.HORIZON_EVENT and count > 0:
                break
            drop_first(simulation)
            if void:
                continue
            if other == codes.HORIZON_EVENT:
                scalars[SCALARS.NOW] = time
                simulation.to_search[0] = i
                counts[COUNTS.TO_SEARCH] = 1
                break
            if count == 0:
                scalars[SCALARS.NOW] = time
                limit = time + codes.SAME_TIME
            simulation.group[count, PAIR.FIRST], simulation.group[count, PAIR.SECOND] = min(i, other), max(i, other)
            count += 1
        # Resolve them, and update the boxes of their balls.
        if count > 0:
            resolve_group(simulation, obstacles, bodies, pieces, count, scalars[SCALARS.NOW])
        if counts[COUNTS.TO_SEARCH] == 0:
            return codes.DONE
        for k in range(counts[COUNTS.TO_SEARCH]):
            i = simulation.to_search[k]
            ball_index[i, BALL_INDEX.IS_PENDING] = 1
            update_box(simulation, i, scalars[SCALARS.NOW])
