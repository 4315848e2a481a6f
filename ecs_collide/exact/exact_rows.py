"""What the exact response keeps: balls, features, cells, events and impacts, each as flat rows.

A ball is a dynamic circle, a feature is one edge or corner of something that it can hit. Partners are numbered
together: 0 to n-1 are balls, n + f is feature f. A ball's row is where it was at its own time, which only an impact
renews; its box is where it will be until its horizon.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import next_capacity
from ecs_collide.kernels.arrays import Floats, FloatTable, HalfInts, HalfIntTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.simd import lane_array

# ball: state at its own time, and the acceleration from then on
X, Y, VX, VY, TIME, RADIUS, PULL_X, PULL_Y = range(8)

# box: where it will be, in four of a row's eight numbers; ...
MIN_X, MIN_Y, MAX_X, MAX_Y = range(4)

# ball_index: ... the other four's memory holds eight integers: number of impacts (events of an older number are void),
# last partner, impacts in this step, whether its next impacts are still to be found, cell, neighbours in its list,
# body row
COUNT, PARTNER, HITS, PENDING, CELL, AFTER, BEFORE, BODY_ROW = range(8, 16)

BALL_WIDTH = BOX_WIDTH = 8  # a cache line

NOBODY, SEVERAL = -1, -2
"""`PARTNER` of a ball that has hit nothing in this step, or several things at once."""

HORIZON_EVENT = -1
"""The partner in the event in which a ball's box runs out."""

LARGE = -1
"""The cell of a ball that is too large for any."""

CAPPED = 1 << 30
"""`HITS` of a ball that has reached the cap; from there on its impacts are counted anew."""

# weight: inverse mass by axis, acceleration without any contact, speed below which it comes to rest on what it meets
INVERSE_MASS_X, INVERSE_MASS_Y, FREE_X, FREE_Y, REST = range(5)
WEIGHT_WIDTH = 8  # a cache line

# hold: what carries the ball, impacts since the last one that time passed before
STATE, STALLED = 0, 1

FREE, SETTLED, HELD, PACKED, STOPPED = range(5)
"""`STATE`: nothing carries the ball, what it came to rest on within the step does, a feature that it rested on before,
balls; and it has stopped at the cap."""

# event: ball, partner, and the impacts that both have had
BALL, OTHER, BALL_COUNT, OTHER_COUNT = 0, 1, 2, 3

# group and contact: two partners, the smaller number first; of a group's, the component's first contact, of a
# contact at the step's start, whether it rests
FIRST, SECOND, RESTS, COMPONENT = 0, 1, 2, 2

OVERLAPPING, RESTING, RESTED = 0, 1, 2
"""`RESTS`: an overlap that only moves the two apart, a resting contact, and one that parted within the step."""

# group_touch and contact_touch: unit normal from the first to the second, impulse, gap, and ...
NORMAL_X, NORMAL_Y, IMPULSE, GAP = range(4)
# ... of a group's: restitution, relative speed along the normal, the speed of approach before any impulse, whether the
# pair comes to rest
BOUNCE, SPEED, APPROACH, SETTLES = 4, 5, 6, 7
# ... of a contact's: impulse of the whole step, impulse before the solver's last pass, effective mass, and the speed at
# which the gap may close
TOTAL, LAST_IMPULSE, MASS, CLOSING = 4, 5, 6, 7
TOUCH_WIDTH = 8  # a cache line

# impact_row: body rows of the two; impact: normal from A to B, place, impulse, gap, speed of approach
CARRIED, APART, APPROACHED = 4, 5, 6
IMPACT_WIDTH = 7

# counts, and a few more whole numbers
(
    BALLS,
    FEATURES,
    EVENTS,
    FRESH,
    TO_SEARCH,
    IMPACTS,
    RECORDS,
    CAP_HITS,
    CANDIDATES,
    CONTACTS,
    LARGE_BALLS,
    MASK,
    BITS,
    SAME_FILTER,
    OLD_CONTACTS,
    STEPS,
    PULLED,
) = range(17)

# scalars: of the step, and of the world
DT, CELL_SIZE, INVERSE_CELL, SLOP, QUIET, NOW, LENGTH_UNIT, BUMPER_SPEED = range(8)


SAME_TIME = 1e-13
"""Impacts that follow the first one within this time are taken together with it [s]."""

OVERLAP = 1e-9
"""Overlap that is more than rounding [length units]."""

PLAY = 1e-5
"""Overlap that is left to what rests: shifted in each step, it would never lie still [length units]."""


class Simulation(Bundle):
    """All arrays of the exact response; what is too short is exchanged for a longer one between two kernels."""

    ball: FloatTable
    """See above [m, m/s, s, m/s^2] (n, 8)."""
    weight: FloatTable
    """See above [1/kg, m/s^2, m/s] (n, 8)."""
    hold: IntTable
    """See above (n, 2) int64."""
    box: FloatTable
    """Where the ball will be until its horizon [m] (n, 8)."""
    ball_index: HalfIntTable
    """See above; the memory of `box` as integers (n, 16) int32."""
    by_body: IntTable
    """Each ball and its body row, by body rows: the columns are fast in their own order only (n, 2) int64."""
    clear: FloatTable
    """A larger box around it in which there is no static feature; empty if none is known [m] (n, 4)."""
    horizon: Floats
    """Time up to which the box holds [s] (n,)."""
    large: Ints
    """The balls that are too large for the cells (n,) int64."""
    head: HalfInts
    """First ball of each cell, -1 if it is empty (cells,) int32."""
    event_time: Floats
    """Binary heap of the events to come [s] (e,)."""
    event: HalfIntTable
    """See above (e, 4) int32."""
    fresh_time: Floats
    """Events of the search that is under way [s] (k,)."""
    fresh_other: Ints
    """Their partners (k,) int64."""
    to_search: Ints
    """Balls whose next impacts are to be found (n,) int64."""
    candidate: IntTable
    """Partners whose boxes overlap at the start of the step (c, 2) int64."""
    group: IntTable
    """Impacts at the same time (g, 3) int64."""
    group_touch: FloatTable
    """Their numbers (g, 8)."""
    contact: IntTable
    """Contacts at the start of the step (r, 3) int64."""
    contact_touch: FloatTable
    """Their numbers (r, 8)."""
    old_contact: IntTable
    """Body rows of the contacts that rested in the last step, a feature as minus its number minus one (r, 2) int64."""
    old_impulse: Floats
    """Their impulses [N s] (r,)."""
    old_next: Ints
    """Chains through them (r,) int64, from `old_head` (bodies,) int64."""
    old_head: Ints
    impact_row: IntTable
    """Body rows of A and B of the impacts and loaded contacts of this step (m, 2) int64."""
    impact: FloatTable
    """Normal from A to B, place [m], impulse [N s], gap [m], speed of approach [m/s] (m, 7)."""
    counts: Ints
    """The whole numbers above (17,) int64."""
    scalars: Floats
    """The numbers above (8,)."""


ROOMS: dict[str, tuple[str, ...]] = {
    "ball": ("ball", "weight", "hold", "box", "by_body", "clear", "horizon", "large", "to_search"),
    "body": ("old_head",),
    "cell": ("head",),
    "event": ("event_time", "event"),
    "fresh": ("fresh_time", "fresh_other"),
    "candidate": ("candidate",),
    "group": ("group", "group_touch"),
    "contact": ("contact", "contact_touch", "old_contact", "old_impulse", "old_next"),
    "record": ("impact_row", "impact"),
}
"""Which arrays grow together."""

DONE, MORE_EVENTS, MORE_FRESH, MORE_CANDIDATES, MORE_CONTACTS, MORE_RECORDS = range(6)
"""What a kernel came back for: nothing, or more room."""

ROOM_FOR = {
    MORE_EVENTS: "event",
    MORE_FRESH: "fresh",
    MORE_CANDIDATES: "candidate",
    MORE_CONTACTS: "contact",
    MORE_RECORDS: "record",
}


def new_simulation() -> Simulation:
    """Empty arrays, each with a little room."""
    box = lane_array((16, BOX_WIDTH))
    return Simulation(
        ball=lane_array((16, BALL_WIDTH)),
        weight=lane_array((16, WEIGHT_WIDTH)),
        hold=np.zeros((16, 2), np.int64),
        box=box,
        ball_index=box.view(np.int32),
        by_body=np.zeros((16, 2), np.int64),
        clear=np.zeros((16, 4)),
        horizon=np.zeros(16),
        large=np.zeros(16, np.int64),
        head=np.full(16, -1, np.int32),
        event_time=np.zeros(256),
        event=np.zeros((256, 4), np.int32),
        fresh_time=np.zeros(64),
        fresh_other=np.zeros(64, np.int64),
        to_search=np.zeros(16, np.int64),
        candidate=np.zeros((64, 2), np.int64),
        group=np.zeros((64, 3), np.int64),
        group_touch=np.zeros((64, TOUCH_WIDTH)),
        contact=np.zeros((64, 3), np.int64),
        contact_touch=np.zeros((64, TOUCH_WIDTH)),
        old_contact=np.zeros((64, 2), np.int64),
        old_impulse=np.zeros(64),
        old_next=np.zeros(64, np.int64),
        old_head=np.full(16, -1, np.int64),
        impact_row=np.zeros((256, 2), np.int64),
        impact=np.zeros((256, IMPACT_WIDTH)),
        counts=np.zeros(17, np.int64),
        scalars=np.zeros(8),
    )


def with_room(simulation: Simulation, room: str, needed: int) -> Simulation:
    """The simulation with at least `needed` rows in the arrays of a room; what they hold is kept."""
    present = len(getattr(simulation, ROOMS[room][0]))
    if needed <= present:
        return simulation
    capacity = next_capacity(present, needed)
    longer = {}
    for name in ROOMS[room]:
        old = getattr(simulation, name)
        longer[name] = lane_array((capacity, *old.shape[1:]), old.dtype)
        longer[name][: len(old)] = old
        longer[name][len(old) :] = -1 if old.dtype == np.int64 else 0
    if "box" in longer:
        longer["ball_index"] = longer["box"].view(np.int32)
    return simulation._replace(**longer)
