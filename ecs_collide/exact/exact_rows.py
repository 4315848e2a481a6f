"""Arrays of the exact response: balls, cells, events, impacts and contacts.

A ball is a dynamic circle. A feature is one edge or corner of an obstacle (`feature_rows.py`). Partners share one
numbering: 0 to n-1 are balls, n + f is feature f. The row of a ball holds its state at its own time, which is that of
its last impact. Its box holds all places that it passes until its horizon.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data.growth import next_capacity
from ecs_collide.exact import exact_codes as codes
from ecs_collide.geometry.aabb import BOX
from ecs_collide.kernels.arrays import Floats, FloatTable, HalfInts, HalfIntTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import lane_array

BALL = layout(
    "ball",
    X="place at its own time, x [m]",
    Y="place at its own time, y [m]",
    VX="velocity at its own time, x [m/s]",
    VY="velocity at its own time, y [m/s]",
    TIME="its own time, from the step's start [s]",
    RADIUS="radius [m]",
    PULL_X="acceleration from its own time on, x [m/s^2]",
    PULL_Y="acceleration from its own time on, y [m/s^2]",
)

BALL_INDEX = layout(
    "ball index",
    IMPACTS="number of impacts in this step; events with an older number are void",
    PARTNER="last partner, NO_PARTNER or SEVERAL_PARTNERS",
    STEP_IMPACTS="number of impacts towards the impact limit",
    IS_PENDING="1 while the next impacts of the ball are still to be predicted",
    CELL="cell of the grid, or NO_CELL",
    AFTER="next ball in the same cell, -1 after the last one",
    BEFORE="previous ball in the same cell, -1 before the first one",
    BODY="body row",
)

BALL_BODY = layout("ball by body row", BALL="ball", BODY="body row")

WEIGHT = layout(
    "ball weight",
    INVERSE_MASS_X="inverse mass along x [1/kg]",
    INVERSE_MASS_Y="inverse mass along y [1/kg]",
    FREE_X="acceleration without contacts, x [m/s^2]",
    FREE_Y="acceleration without contacts, y [m/s^2]",
    REST_SPEED="approach speed below which the ball comes to rest [m/s]",
    UNUSED=("padding to a cache line", 3),
)

SUPPORT = layout(
    "ball support",
    STATE="FREE, SETTLED, HELD, PACKED or STOPPED",
    STALLED="number of impacts since time last passed between two of them",
)

EVENT = layout(
    "event",
    BALL="ball",
    PARTNER="partner, or HORIZON_EVENT",
    BALL_IMPACTS="number of impacts of the ball when the event was predicted",
    PARTNER_IMPACTS="number of impacts of the partner when the event was predicted",
)

PAIR = layout("pair of partners", FIRST="the partner with the smaller number, a ball", SECOND="the other partner")

GROUP = layout(
    "pair of a group of impacts",
    after=PAIR,
    COMPONENT="first pair of the connected component",
    SETTLES="1 if the pair comes to rest",
)

CONTACT = layout("contact at the start of a step", after=PAIR, STATE="OVERLAPPING, RESTING or RESTED")

TOUCH = layout(
    "touch",
    NORMAL_X="unit normal from the first to the second partner, x",
    NORMAL_Y="unit normal from the first to the second partner, y",
    IMPULSE="impulse along the normal [N s]",
    GAP="gap [m]",
)

GROUP_TOUCH = layout(
    "touch of a group of impacts",
    after=TOUCH,
    RESTITUTION="coefficient of restitution",
    SPEED="relative speed along the normal [m/s]",
    APPROACH="approach speed before any impulse [m/s]",
)

CONTACT_TOUCH = layout(
    "touch of a contact",
    after=TOUCH,
    TOTAL="impulse of the whole step [N s]; while overlap is removed, the gap to reach [m]",
    LAST_IMPULSE="impulse before the last pass of the solver [N s]",
    MASS="effective mass along the normal [kg]; 0 if the contact is not solved",
    CLOSING_SPEED="speed at which the gap may close [m/s]",
)

OLD_CONTACT = layout(
    "contact of the last step",
    LOW="body row; the lower one of two balls",
    HIGH="body row of the other ball, or minus the number of the feature minus one",
)

IMPACT_BODY = layout("bodies of an impact", A="body row of A", B="body row of B")

IMPACT = layout(
    "recorded impact",
    NORMAL_X="unit normal from A to B, x",
    NORMAL_Y="unit normal from A to B, y",
    PLACE_X="place, x [m]",
    PLACE_Y="place, y [m]",
    IMPULSE="impulse along the normal [N s]",
    GAP="gap [m]",
    APPROACH="approach speed [m/s]; 0 for a resting contact",
    PART="part of the shape of B, as a float",
)

COUNTS = layout(
    "counts of a simulation",
    BALLS="balls",
    FEATURES="features",
    EVENTS="events in the queue",
    FOUND="events of the prediction under way",
    TO_SEARCH="balls whose next impacts are to be predicted",
    IMPACTS="impacts in this step",
    RECORDS="recorded impacts and contacts",
    CAP_HITS="balls that reached the impact limit in this step",
    CANDIDATES="pairs of partners whose boxes overlap at the step's start",
    CONTACTS="contacts at the step's start",
    LARGE_BALLS="balls without a cell",
    CELL_MASK="columns of the grid minus one, a bit mask",
    CELL_BITS="number of bits in CELL_MASK",
    ALL_MEET="1 if no filter keeps any two partners apart",
    OLD_CONTACTS="contacts kept from the last step",
    STEPS="steps since the bodies were last read",
    HAS_PULL="1 if gravity or a force has accelerated any ball",
)

SCALARS = layout(
    "scalars of a simulation",
    DT="length of the step [s]",
    CELL_SIZE="side of a cell [m]",
    INVERSE_CELL="1 / CELL_SIZE [1/m]",
    SLOP="slop [m]",
    QUIET_SPEED="approach speed that is rounding [m/s]",
    NOW="time of the event under way, from the step's start [s]",
    LENGTH_UNIT="length unit of the game [m]",
    BUMPER_SPEED="speed up to which a restitution above 1 drives a pair apart [m/s]",
)


class Simulation(Bundle):
    """Arrays of the exact response. Python replaces an array that is too short between two kernels."""

    ball: FloatTable = rows_of(BALL)
    """State of each ball, see BALL (n, 8)."""
    weight: FloatTable = rows_of(WEIGHT)
    """Inverse mass and free acceleration of each ball, see WEIGHT (n, 8)."""
    support: IntTable = rows_of(SUPPORT)
    """Support of each ball, see SUPPORT (n, 2) int64."""
    box: FloatTable = rows_of(BOX)
    """Box of the places of each ball until its horizon, see BOX [m] (n, 4)."""
    ball_index: HalfIntTable = rows_of(BALL_INDEX)
    """Impact counts, grid links and body row of each ball, see BALL_INDEX (n, 8) int32."""
    by_body: IntTable = rows_of(BALL_BODY)
    """Balls in the order of their body rows, see BALL_BODY: body columns are fast in that order (n, 2) int64."""
    clear_box: FloatTable = rows_of(BOX)
    """Larger box of each ball without a static feature, see BOX; empty if none is known [m] (n, 4)."""
    horizon: Floats
    """Time up to which the box of each ball holds [s] (n,)."""
    large: Ints
    """Balls without a cell (n,) int64."""
    cell_head: HalfInts
    """First ball of each cell, -1 if it is empty (cells,) int32."""
    event_time: Floats
    """Times of the event queue, a binary heap [s] (e,)."""
    event: HalfIntTable = rows_of(EVENT)
    """Events of the queue, see EVENT (e, 4) int32."""
    found_time: Floats
    """Times of the events of the prediction under way [s] (k,)."""
    found_partner: Ints
    """Partners of the events of the prediction under way (k,) int64."""
    to_search: Ints
    """Balls whose next impacts are to be predicted (n,) int64."""
    ball_component: Ints
    """Smallest component among the pairs of each ball in a group of impacts (n,) int64."""
    candidate: IntTable = rows_of(PAIR)
    """Partners whose boxes overlap at the step's start, see PAIR (c, 2) int64."""
    group: IntTable = rows_of(GROUP)
    """Pairs that hit at the same time, see GROUP (g, 4) int64."""
    group_touch: FloatTable = rows_of(GROUP_TOUCH)
    """Touches of these pairs, see GROUP_TOUCH (g, 7)."""
    contact: IntTable = rows_of(CONTACT)
    """Contacts at the step's start, see CONTACT (r, 3) int64."""
    contact_touch: FloatTable = rows_of(CONTACT_TOUCH)
    """Touches of these contacts, see CONTACT_TOUCH (r, 8)."""
    old_contact: IntTable = rows_of(OLD_CONTACT)
    """Contacts that rested in the last step, see OLD_CONTACT (r, 2) int64."""
    old_impulse: Floats
    """Impulses of these contacts [N s] (r,)."""
    old_next: Ints
    """Next old contact with the same LOW, -1 after the last one (r,) int64."""
    old_head: Ints
    """First old contact of each body row, -1 if there is none (bodies,) int64."""
    impact_body: IntTable = rows_of(IMPACT_BODY)
    """Body rows of the recorded impacts and contacts, see IMPACT_BODY (m, 2) int64."""
    impact: FloatTable = rows_of(IMPACT)
    """Recorded impacts and contacts of this step, see IMPACT (m, 8)."""
    counts: Ints
    """Counts, see COUNTS (17,) int64."""
    scalars: Floats
    """Scalars of the step and the world, see SCALARS (8,)."""


ROOMS: dict[str, tuple[str, ...]] = {
    "ball": (
        "ball",
        "weight",
        "support",
        "box",
        "ball_index",
        "by_body",
        "clear_box",
        "horizon",
        "large",
        "to_search",
        "ball_component",
    ),
    "body": ("old_head",),
    "cell": ("cell_head",),
    "event": ("event_time", "event"),
    "found": ("found_time", "found_partner"),
    "candidate": ("candidate",),
    "group": ("group", "group_touch"),
    "contact": ("contact", "contact_touch", "old_contact", "old_impulse", "old_next"),
    "record": ("impact_body", "impact"),
}
"""Arrays that grow together."""

ROOM_FOR = {
    codes.MORE_EVENTS: "event",
    codes.MORE_FOUND: "found",
    codes.MORE_CANDIDATES: "candidate",
    codes.MORE_CONTACTS: "contact",
    codes.MORE_RECORDS: "record",
}
"""Arrays that are to grow, by the result of a kernel."""


def new_simulation() -> Simulation:
    """Return empty arrays, each with a little room."""
    return Simulation(
        ball=lane_array((16, BALL.WIDTH)),
        weight=lane_array((16, WEIGHT.WIDTH)),
        support=np.zeros((16, SUPPORT.WIDTH), np.int64),
        box=lane_array((16, BOX.WIDTH)),
        ball_index=lane_array((16, BALL_INDEX.WIDTH), np.int32),
        by_body=np.zeros((16, BALL_BODY.WIDTH), np.int64),
        clear_box=np.zeros((16, BOX.WIDTH)),
        horizon=np.zeros(16),
        large=np.zeros(16, np.int64),
        cell_head=np.full(16, -1, np.int32),
        event_time=np.zeros(256),
        event=np.zeros((256, EVENT.WIDTH), np.int32),
        found_time=np.zeros(64),
        found_partner=np.zeros(64, np.int64),
        to_search=np.zeros(16, np.int64),
        ball_component=np.zeros(16, np.int64),
        candidate=np.zeros((64, PAIR.WIDTH), np.int64),
        group=np.zeros((64, GROUP.WIDTH), np.int64),
        group_touch=np.zeros((64, GROUP_TOUCH.WIDTH)),
        contact=np.zeros((64, CONTACT.WIDTH), np.int64),
        contact_touch=np.zeros((64, CONTACT_TOUCH.WIDTH)),
        old_contact=np.zeros((64, OLD_CONTACT.WIDTH), np.int64),
        old_impulse=np.zeros(64),
        old_next=np.zeros(64, np.int64),
        old_head=np.full(16, -1, np.int64),
        impact_body=np.zeros((256, IMPACT_BODY.WIDTH), np.int64),
        impact=np.zeros((256, IMPACT.WIDTH)),
        counts=np.zeros(COUNTS.WIDTH, np.int64),
        scalars=np.zeros(SCALARS.WIDTH),
    )


def with_room(simulation: Simulation, room: str, needed: int) -> Simulation:
    """Return the simulation with at least `needed` rows in the arrays of a room; their contents are kept."""
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
    return simulation._replace(**longer)
