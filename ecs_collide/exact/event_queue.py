"""Queue of the predicted events: a binary heap ordered by time.

An event carries the numbers of impacts that its two partners had when it was predicted. If either has had an impact
since, the event is void. So no event has to be searched and removed.
"""

from __future__ import annotations

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.exact_rows import BALL_INDEX, COUNTS, EVENT
from ecs_collide.kernels.kernel import device, subroutine


@device
def partner_impacts(simulation, other):
    """Return the number of impacts of a partner, which is 0 for a feature."""
    if other == codes.HORIZON_EVENT or other >= simulation.counts[COUNTS.BALLS]:
        return 0
    return simulation.ball_index[other, BALL_INDEX.IMPACTS]


@device
def is_void(simulation, place):
    """Return True if a partner of the event at a place of the heap has had another impact since its prediction."""
    if (
        simulation.event[place, EVENT.BALL_IMPACTS]
        != simulation.ball_index[simulation.event[place, EVENT.BALL], BALL_INDEX.IMPACTS]
    ):
        return True
    return simulation.event[place, EVENT.PARTNER_IMPACTS] != partner_impacts(
        simulation, simulation.event[place, EVENT.PARTNER]
    )


@device
def push_event(simulation, time, ball, other):
    """Add an event to the queue. There must be room for it."""
    times, event, ball_index = simulation.event_time, simulation.event, simulation.ball_index
    place = simulation.counts[COUNTS.EVENTS]
    simulation.counts[COUNTS.EVENTS] = place + 1
    while place > 0:
        parent = (place - 1) >> 1
        if times[parent] <= time:
            break
        times[place] = times[parent]
        for k in range(EVENT.WIDTH):
            event[place, k] = event[parent, k]
        place = parent
    times[place] = time
    event[place, EVENT.BALL] = ball
    event[place, EVENT.PARTNER] = other
    event[place, EVENT.BALL_IMPACTS] = ball_index[ball, BALL_INDEX.IMPACTS]
    event[place, EVENT.PARTNER_IMPACTS] = partner_impacts(simulation, other)


@device
def sift_down(times, event, place, stop):
    """Move the event at `place` down to its position among the first `stop` events of the heap."""
    time = times[place]
    ball, other = event[place, EVENT.BALL], event[place, EVENT.PARTNER]
    ball_count, partner_impacts_then = event[place, EVENT.BALL_IMPACTS], event[place, EVENT.PARTNER_IMPACTS]
    while True:
        child = 2 * place + 1
        if child >= stop:
            break
        if child + 1 < stop and times[child + 1] < times[child]:
            child += 1
        if times[child] >= time:
            break
        times[place] = times[child]
        for k in range(EVENT.WIDTH):
            event[place, k] = event[child, k]
        place = child
    times[place] = time
    event[place, EVENT.BALL], event[place, EVENT.PARTNER] = ball, other
    event[place, EVENT.BALL_IMPACTS], event[place, EVENT.PARTNER_IMPACTS] = ball_count, partner_impacts_then


@device
def drop_first(simulation):
    """Remove the earliest event."""
    last = simulation.counts[COUNTS.EVENTS] - 1
    simulation.counts[COUNTS.EVENTS] = last
    if last == 0:
        return
    simulation.event_time[0] = simulation.event_time[last]
    for k in range(EVENT.WIDTH):
        simulation.event[0, k] = simulation.event[last, k]
    sift_down(simulation.event_time, simulation.event, 0, last)


@subroutine
def drop_void(simulation):
    """Remove all void events."""
    times, event = simulation.event_time, simulation.event
    kept = 0
    for place in range(simulation.counts[COUNTS.EVENTS]):
        if is_void(simulation, place):
            continue
        times[kept] = times[place]
        for k in range(EVENT.WIDTH):
            event[kept, k] = event[place, k]
        kept += 1
    simulation.counts[COUNTS.EVENTS] = kept
    for place in range(kept // 2 - 1, -1, -1):
        sift_down(simulation.event_time, simulation.event, place, kept)
