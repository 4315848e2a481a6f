"""Memory of characters from one motion to the next: floors, and which characters stand on each other.

A character is known by the row of its body. It counts as standing on its floor as long as it is where its last motion
left it. A floor that is a character itself is a *carrier*. It has a list of its *riders*, linked from rider to rider.
"""

from __future__ import annotations

from math import inf

from ecs_collide.data.bodies import POSE
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.kernels.layout import layout

NO_BODY = -1
NEVER = -1
STACKED = 64
"""Greatest number of characters on top of each other that are known to ride on the lowest one."""

REMEMBERED = layout(
    "remembered of a character",
    X="position of its origin along x after its last motion [m]",
    Y="position of its origin along y after its last motion [m]",
    FLOOR_X="expected centre of mass of its floor after the step, x [m]",
    FLOOR_Y="expected centre of mass of its floor after the step, y [m]",
    FLOOR_ANGLE="expected angle of its floor after the step [rad]",
    AT_X="place at which it will stand on the floor, x [m]",
    AT_Y="place at which it will stand on the floor, y [m]",
    NORMAL_X="outward unit normal of its floor, x",
    NORMAL_Y="outward unit normal of its floor, y",
    FLOOR_VX="velocity of its floor along x [m/s]",
    FLOOR_VY="velocity of its floor along y [m/s]",
    FLOOR_WAY="way of the floor in the step, by its speed at that place [m]",
    WENT_X="velocity of its last motion along x [m/s]",
    WENT_Y="velocity of its last motion along y [m/s]",
    MOVED_X="scratch space: way of a rider along x [m]",
    MOVED_Y="scratch space: way of a rider along y [m]",
)


class Memory(Bundle):
    """Memory of characters; every array but the last two has one row per body."""

    values: FloatTable = rows_of(REMEMBERED)
    """Columns of `REMEMBERED` (n, 16)."""
    floor: Ints
    """Row of the body on which it stands, `NO_BODY` for none (n,)."""
    floor_entity: Ints
    """Entity of that body, as another one may get its row (n,)."""
    carrier: Ints
    """The floor if that is a character, else `NO_BODY` (n,)."""
    first_rider: Ints
    """First body that stands on it, `NO_BODY` for none (n,)."""
    next_rider: Ints
    """Next body that stands on the same carrier, `NO_BODY` for none (n,)."""
    mask: Ints
    """Layers that stopped it in its last motion, as bits (n,)."""
    moved_at: Ints
    """Number of steps before its last motion, `NEVER` for a body that is no character (n,)."""
    listed: Ints
    """Place in the list of bodies of the motion under way (n,)."""
    queue: Ints
    """Scratch space: riders that are carried (n,)."""
    now: Ints
    """Number of steps so far (1,)."""
    rider_count: Ints
    """Number of characters that stand on characters (1,)."""


@device
def is_character(body, memory):
    """Return True if a body was moved as a character at any time."""
    return memory.moved_at[body] != NEVER


@device
def is_in_place(body, memory, bodies, skin):
    """Return True if a character is where its last motion, or its carrier's, left it, up to a skin [m]."""
    values, pose = memory.values, bodies.pose
    return (
        memory.moved_at[body] != NEVER
        and abs(pose[body, POSE.X] - values[body, REMEMBERED.X]) <= skin
        and abs(pose[body, POSE.Y] - values[body, REMEMBERED.Y]) <= skin
    )


@device
def floor_of(body, memory, bodies, skin):
    """Return the row of the body on which a character still stands from its last motion, else `NO_BODY`."""
    floor = memory.floor[body]
    if floor == NO_BODY or bodies.entity[floor] != memory.floor_entity[body]:
        return NO_BODY
    return floor if is_in_place(body, memory, bodies, skin) else NO_BODY


@subroutine
def rides_on(body, root, memory, bodies, skin):
    """Return True if a body stands on a character, or on one that stands on it, and so on."""
    for _ in range(STACKED):
        carrier = memory.carrier[body]
        if carrier == NO_BODY or not is_in_place(body, memory, bodies, skin):
            return False
        if carrier == root:
            return True
        body = carrier
    return False


@subroutine
def leave_carrier(body, memory):
    """Remove a character from the riders of its carrier."""
    carrier = memory.carrier[body]
    if carrier == NO_BODY:
        return
    after = memory.next_rider[body]
    rider = memory.first_rider[carrier]
    if rider == body:
        memory.first_rider[carrier] = after
    else:
        while memory.next_rider[rider] != body:
            rider = memory.next_rider[rider]
        memory.next_rider[rider] = after
    memory.carrier[body] = memory.next_rider[body] = NO_BODY
    memory.rider_count[0] -= 1


@subroutine
def stand_on(body, floor, memory, bodies):
    """Record the floor of a character, `NO_BODY` for none."""
    memory.floor[body] = floor
    memory.floor_entity[body] = bodies.entity[floor] if floor != NO_BODY else 0
    carrier = floor if floor != NO_BODY and is_character(floor, memory) else NO_BODY
    if carrier == memory.carrier[body]:
        return
    leave_carrier(body, memory)
    if carrier != NO_BODY and not rides_on(carrier, body, memory, bodies, inf):
        memory.carrier[body], memory.next_rider[body] = carrier, memory.first_rider[carrier]
        memory.first_rider[carrier] = body
        memory.rider_count[0] += 1


@kernel
def forget_characters(rows: Ints, memory: Memory):
    """Clear the rows of removed bodies, which other bodies may get."""
    for row in rows:
        if row < len(memory.floor) and is_character(row, memory):
            leave_carrier(row, memory)
            while memory.first_rider[row] != NO_BODY:
                leave_carrier(memory.first_rider[row], memory)
            memory.floor[row], memory.moved_at[row] = NO_BODY, NEVER
