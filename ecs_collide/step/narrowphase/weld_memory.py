"""The memory of welded contacts from one step to the next, and their scratch space.

An impulse belongs to a corner of the body that carries the contact, not to the piece under the corner. So the next step
starts with it on whichever piece the corner stands then.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import Bodies, BodyColumns
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import IMPULSE, PAIR, Pairs
from ecs_collide.data.state_list import list_state
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import lane_array

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)

KEPT_NORMAL = 0.999
"""Cosine from which a point's normal counts as that of the last step, 2.6 degrees."""

NONE = -1
NOT_ITS_OWN = -1
"""Corner of a point that is at a corner of the other body."""

ROOM = 64
"""Rows of a new world, as bodies, pairs and contacts have them.

With less, the first welded contact would replace the arrays, and each restore of an earlier snapshot once more.
"""

OWNER = layout("owner of a remembered point", BODY="body row", CORNER="corner of the body, a row of the vertex pool")

MEMORY = layout(
    "remembered point",
    NORMAL_X="normal towards the body, x",
    NORMAL_Y="normal towards the body, y",
    NORMAL_IMPULSE="normal impulse [N s]",
    TANGENT_IMPULSE="tangent impulse [N s]",
)


class Welds(Bundle):
    """Scratch space of welding, and the points remembered from the last step."""

    head: Ints
    """First pair of each body row, -1 between steps (n,) int64."""
    next: Ints
    """Next pair of the same body (s,) int64."""
    order: Ints
    """Sorted pairs (s,) int64."""
    keeper: Ints
    """Pair that has the points of a pair that lost all of its own to others (s,) int64."""
    corner: IntTable = rows_of(2)
    """Corner of the carrier at each point of a contact row, or -1 (m, 2) int64."""
    start: Ints
    """First remembered point of each body row, or -1 (n,) int64."""
    owner: IntTable = rows_of(OWNER)
    """Body and corner of each remembered point, columns of `OWNER` (r, 2) int64."""
    memory: FloatTable = rows_of(MEMORY)
    """Normal and impulses of each remembered point, columns of `MEMORY` (r, 4)."""


@device
def carrier(slot, bodies, pairs):
    """Return the carrier of a contact, the other body, and 1 or -1 if the normal leads to or from the carrier."""
    a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
    if bodies.kind[a] == DYNAMIC or bodies.kind[b] == STATIC:
        return a, b, -1.0
    return b, a, 1.0


@device
def warm_start_row(row, bodies, pairs, contacts, welds):
    """Set the impulses of a row from those of the carrier's corners in the last step, on whatever piece."""
    slot = contacts.pair[row]
    body, _, sign = carrier(slot, bodies, pairs)
    for k in range(contacts.point_count[row]):
        if welds.corner[row, k] == NOT_ITS_OWN:
            continue
        normal_impulse, tangent_impulse = 0.0, 0.0
        at = welds.start[body]
        while at != NONE and at < len(welds.owner) and welds.owner[at, OWNER.BODY] == body:
            along = (
                contacts.normal[row, X] * welds.memory[at, MEMORY.NORMAL_X]
                + contacts.normal[row, Y] * welds.memory[at, MEMORY.NORMAL_Y]
            )
            if welds.owner[at, OWNER.CORNER] == welds.corner[row, k] and along * sign > KEPT_NORMAL:
                normal_impulse = welds.memory[at, MEMORY.NORMAL_IMPULSE]
                tangent_impulse = welds.memory[at, MEMORY.TANGENT_IMPULSE]
                break
            at += 1
        pairs.impulse[slot, IMPULSE.NORMAL + k] = normal_impulse
        pairs.impulse[slot, IMPULSE.TANGENT + k] = tangent_impulse


@kernel
def remember_impulses(
    first: int, count: int, remembered: int, bodies: Bodies, pairs: Pairs, contacts: Contacts, welds: Welds
):
    """Store the impulses of the contact rows from `first` to `count`; return the number of their points.

    `remembered` is what the last call returned. Reads pair_impulse. Writes weld_start, weld_owner, weld_memory.
    """
    for k in range(remembered):
        welds.start[welds.owner[k, OWNER.BODY]] = NONE
        welds.owner[k, OWNER.BODY] = NONE
    points = 0
    for row in range(first, count):
        slot = contacts.pair[row]
        body, _, sign = carrier(slot, bodies, pairs)
        for k in range(contacts.point_count[row]):
            if welds.corner[row, k] == NOT_ITS_OWN:
                continue
            if points == 0 or welds.owner[points - 1, OWNER.BODY] != body:
                welds.start[body] = points
            welds.owner[points, OWNER.BODY], welds.owner[points, OWNER.CORNER] = body, welds.corner[row, k]
            welds.memory[points, MEMORY.NORMAL_X] = sign * contacts.normal[row, X]
            welds.memory[points, MEMORY.NORMAL_Y] = sign * contacts.normal[row, Y]
            welds.memory[points, MEMORY.NORMAL_IMPULSE] = pairs.impulse[slot, IMPULSE.NORMAL + k]
            welds.memory[points, MEMORY.TANGENT_IMPULSE] = pairs.impulse[slot, IMPULSE.TANGENT + k]
            points += 1
    return points


class WeldColumns:
    """Owns the arrays of welding and their growth."""

    state_list = list_state(arrays="arrays remembered")

    def __init__(self) -> None:
        self.arrays = Welds(
            head=np.full(ROOM, NONE, np.int64),
            next=np.zeros(ROOM, np.int64),
            order=np.zeros(ROOM, np.int64),
            keeper=np.zeros(ROOM, np.int64),
            corner=np.zeros((ROOM, 2), np.int64),
            start=np.full(ROOM, NONE, np.int64),
            owner=np.full((2 * ROOM, OWNER.WIDTH), NONE, np.int64),
            memory=np.zeros((2 * ROOM, MEMORY.WIDTH)),
        )
        self.remembered = np.zeros(1, np.int64)
        """Number of remembered points (1,)."""

    def forget(self, rows: list[int]) -> None:
        """Drop the remembered points of some bodies."""
        if self.remembered.item() == 0:
            return
        known = len(self.arrays.start)
        self.arrays.start[[row for row in rows if row < known]] = NONE

    def reserve(self, bodies: BodyColumns, slots: int, rows: int) -> None:
        """Make room for all bodies, for pairs in `slots` slots, and for `rows` contact rows."""
        arrays = self.arrays
        body_count = len(bodies.arrays.kind)
        if body_count > len(arrays.head):
            start = np.full(body_count, NONE, np.int64)
            start[: len(arrays.start)] = arrays.start
            arrays = arrays._replace(head=np.full(body_count, NONE, np.int64), start=start)
        if slots > len(arrays.next):
            following, order, keeper = lane_array((3, slots), np.int64)
            arrays = arrays._replace(next=following, order=order, keeper=keeper)
        if rows > len(arrays.corner):
            room = next_capacity(len(arrays.corner), rows)
            owner = np.full((2 * room, OWNER.WIDTH), NONE, np.int64)
            memory = lane_array((2 * room, MEMORY.WIDTH))
            owner[: len(arrays.owner)] = arrays.owner
            memory[: len(arrays.memory)] = arrays.memory
            arrays = arrays._replace(corner=lane_array((room, 2), np.int64), owner=owner, memory=memory)
        self.arrays = arrays
