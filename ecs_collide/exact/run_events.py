"""The events of a step in the order of their times."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import Pieces
from ecs_collide.exact import exact_rows as layout
from ecs_collide.exact.event_queue import drop_first, is_void
from ecs_collide.exact.exact_rows import Simulation
from ecs_collide.exact.find_neighbours import foresee_impacts
from ecs_collide.exact.grid import renew_box
from ecs_collide.exact.impacts import resolve_group
from ecs_collide.exact.step_kernels import Obstacles
from ecs_collide.kernels.kernel import stage


@stage
def run_events(simulation: Simulation, obstacles: Obstacles, bodies: Bodies, pieces: Pieces):
    """Process events until none is left in the step; return DONE, or what more room is needed for.

    After more room has been made it is called again, and goes on where it was.
    """
    counts, scalars, ball_index = simulation.counts, simulation.scalars, simulation.ball_index
    event = simulation.event
    while True:
        now = scalars[layout.NOW]
        while counts[layout.TO_SEARCH] > 0:
            i = simulation.to_search[counts[layout.TO_SEARCH] - 1]
            missing = foresee_impacts(simulation, obstacles, bodies, i, now)
            if missing != layout.DONE:
                return missing
            ball_index[i, layout.PENDING] = 0
            counts[layout.TO_SEARCH] -= 1
        if counts[layout.RECORDS] + len(simulation.group) > len(simulation.impact):
            return layout.MORE_RECORDS
        count = 0
        limit = 1e300
        while counts[layout.EVENTS] > 0 and simulation.event_time[0] <= limit and count < len(simulation.group):
            void = is_void(simulation.event, simulation.ball_index, simulation.counts, 0)
            time, i, other = simulation.event_time[0], int(event[0, layout.BALL]), int(event[0, layout.OTHER])
            if not void and other == layout.HORIZON_EVENT and count > 0:
                break
            drop_first(simulation)
            if void:
                continue
            if other == layout.HORIZON_EVENT:
                scalars[layout.NOW] = time
                simulation.to_search[0] = i
                counts[layout.TO_SEARCH] = 1
                break
            if count == 0:
                scalars[layout.NOW] = time
                limit = time + layout.SAME_TIME
            simulation.group[count, layout.FIRST], simulation.group[count, layout.SECOND] = min(i, other), max(i, other)
            count += 1
        if count > 0:
            resolve_group(simulation, obstacles, bodies, pieces, count, scalars[layout.NOW])
        if counts[layout.TO_SEARCH] == 0:
            return layout.DONE
        for k in range(counts[layout.TO_SEARCH]):
            i = simulation.to_search[k]
            ball_index[i, layout.PENDING] = 1
            renew_box(simulation, i, scalars[layout.NOW])
