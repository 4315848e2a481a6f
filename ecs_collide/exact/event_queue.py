"""The events to come: a binary heap ordered by time.

An event carries the number of impacts that its two partners had had when it was foreseen. Where either has had one
since, the event is void: nothing has to be searched and removed.
"""

from __future__ import annotations

from ecs_collide.exact import exact_rows as layout
from ecs_collide.kernels.kernel import device, subroutine


@device
def other_count(ball_index, counts, other):
    """The number of impacts of a partner; a feature's is always 0."""
    if other == layout.HORIZON_EVENT or other >= counts[layout.BALLS]:
        return 0
    return ball_index[other, layout.COUNT]


@device
def is_void(event, ball_index, counts, place):
    """Whether a partner of the event at a place of the heap has had another impact since."""
    if event[place, layout.BALL_COUNT] != ball_index[event[place, layout.BALL], layout.COUNT]:
        return True
    return event[place, layout.OTHER_COUNT] != other_count(ball_index, counts, event[place, layout.OTHER])


@device
def push_event(simulation, time, ball, other):
    """Enter an event. There must be room for it."""
    times, event, ball_index = simulation.event_time, simulation.event, simulation.ball_index
    place = simulation.counts[layout.EVENTS]
    simulation.counts[layout.EVENTS] = place + 1
    while place > 0:
        parent = (place - 1) >> 1
        if times[parent] <= time:
            break
        times[place] = times[parent]
        for k in range(4):
            event[place, k] = event[parent, k]
        place = parent
    times[place] = time
    event[place, layout.BALL] = ball
    event[place, layout.OTHER] = other
    event[place, layout.BALL_COUNT] = ball_index[ball, layout.COUNT]
    event[place, layout.OTHER_COUNT] = other_count(simulation.ball_index, simulation.counts, other)


@device
def sift_down(times, event, place, stop):
    """Let the event at `place` sink among the first `stop` events of the heap."""
    time = times[place]
    ball, other = event[place, layout.BALL], event[place, layout.OTHER]
    ball_count, partner_count = event[place, layout.BALL_COUNT], event[place, layout.OTHER_COUNT]
    while True:
        child = 2 * place + 1
        if child >= stop:
            break
        if child + 1 < stop and times[child + 1] < times[child]:
            child += 1
        if times[child] >= time:
            break
        times[place] = times[child]
        for k in range(4):
            event[place, k] = event[child, k]
        place = child
    times[place] = time
    event[place, layout.BALL], event[place, layout.OTHER] = ball, other
    event[place, layout.BALL_COUNT], event[place, layout.OTHER_COUNT] = ball_count, partner_count


@device
def drop_first(simulation):
    """Take the earliest event out."""
    last = simulation.counts[layout.EVENTS] - 1
    simulation.counts[layout.EVENTS] = last
    if last == 0:
        return
    simulation.event_time[0] = simulation.event_time[last]
    for k in range(4):
        simulation.event[0, k] = simulation.event[last, k]
    sift_down(simulation.event_time, simulation.event, 0, last)


@subroutine
def drop_void(simulation):
    """Take all void events out."""
    times, event = simulation.event_time, simulation.event
    kept = 0
    for place in range(simulation.counts[layout.EVENTS]):
        if is_void(simulation.event, simulation.ball_index, simulation.counts, place):
            continue
        times[kept] = times[place]
        for k in range(4):
            event[kept, k] = event[place, k]
        kept += 1
    simulation.counts[layout.EVENTS] = kept
    for place in range(kept // 2 - 1, -1, -1):
        sift_down(simulation.event_time, simulation.event, place, kept)
