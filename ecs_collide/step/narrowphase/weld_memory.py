"""What the welding of contacts remembers from one step to the next, and its scratch space.

An impulse belongs to a corner of the body that carries the contact, not to the piece that the corner stood on: so the
next step begins with it whichever piece the corner has come to.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import Bodies, BodyColumns
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pairs import IMPULSE, PAIR, Pairs
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import device, stage

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)

KEPT_NORMAL = 0.999
"""Cosine from which a point's normal counts as that of the last step, 2.6 degrees."""

NONE = -1
NOT_ITS_OWN = -1
"""Corner of a point that is at a corner of the other body."""


class Welds(Bundle):
    """Scratch space, and what is remembered from the last step."""

    head: Ints
    """First pair of each body row, -1 between steps (n,) int64."""
    next: Ints
    """The pair after each pair of a body; of a welded pair the one that has its points (s,) int64."""
    order: Ints
    """The pairs in order (s,) int64."""
    corner: IntTable
    """The body's own corner at each point of a contact row, or -1 (m, 2) int64."""
    start: Ints
    """First remembered point of each body row, or -1 (n,) int64."""
    owner: IntTable
    """Body row and corner of each remembered point (r, 2) int64."""
    memory: FloatTable
    """Its normal (towards the body), normal and tangent impulse [N s] (r, 4)."""


@device
def carrier(slot, bodies, pairs):
    """The body whose contact it is, the other one, and 1 or -1: whether the normal leads to it or from it."""
    a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
    if bodies.kind[a] == DYNAMIC or bodies.kind[b] == STATIC:
        return a, b, -1.0
    return b, a, 1.0


@device
def warm_start_row(row, bodies, pairs, contacts, welds):
    """Take the impulses that the body's corners had in the last step, on whatever piece they stood."""
    slot = contacts.pair[row]
    body, _, sign = carrier(slot, bodies, pairs)
    for k in range(contacts.point_count[row]):
        if welds.corner[row, k] == NOT_ITS_OWN:
            continue
        normal_impulse, tangent_impulse = 0.0, 0.0
        at = welds.start[body]
        while at != NONE and at < len(welds.owner) and welds.owner[at, 0] == body:
            along = contacts.normal[row, 0] * welds.memory[at, 0] + contacts.normal[row, 1] * welds.memory[at, 1]
            if welds.owner[at, 1] == welds.corner[row, k] and along * sign > KEPT_NORMAL:
                normal_impulse, tangent_impulse = welds.memory[at, 2], welds.memory[at, 3]
                break
            at += 1
        pairs.impulse[slot, IMPULSE.NORMAL + k] = normal_impulse
        pairs.impulse[slot, IMPULSE.TANGENT + k] = tangent_impulse


@stage
def remember_impulses(
    first: int, count: int, remembered: int, bodies: Bodies, pairs: Pairs, contacts: Contacts, welds: Welds
):
    """Remember the impulses of the contact rows from `first` to `count`; return how many points they are.

    `remembered` is what the last call returned. Reads pair_impulse. Writes weld_start, weld_owner, weld_memory.
    """
    for k in range(remembered):
        welds.start[welds.owner[k, 0]] = NONE
        welds.owner[k, 0] = NONE
    points = 0
    for row in range(first, count):
        slot = contacts.pair[row]
        body, _, sign = carrier(slot, bodies, pairs)
        for k in range(contacts.point_count[row]):
            if welds.corner[row, k] == NOT_ITS_OWN:
                continue
            if points == 0 or welds.owner[points - 1, 0] != body:
                welds.start[body] = points
            welds.owner[points, 0], welds.owner[points, 1] = body, welds.corner[row, k]
            welds.memory[points, 0] = sign * contacts.normal[row, 0]
            welds.memory[points, 1] = sign * contacts.normal[row, 1]
            welds.memory[points, 2] = pairs.impulse[slot, IMPULSE.NORMAL + k]
            welds.memory[points, 3] = pairs.impulse[slot, IMPULSE.TANGENT + k]
            points += 1
    return points


class WeldColumns:
    """Owns the arrays above and their growth."""

    def __init__(self) -> None:
        self.arrays = Welds(
            np.full(0, NONE, np.int64),
            np.zeros(0, np.int64),
            np.zeros(0, np.int64),
            np.zeros((0, 2), np.int64),
            np.full(0, NONE, np.int64),
            np.full((0, 2), NONE, np.int64),
            np.zeros((0, 4)),
        )
        self.remembered = np.zeros(1, np.int64)
        """What `remember_impulses` returned last."""

    def forget(self, rows: list[int]) -> None:
        """Remember nothing of some bodies."""
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
            arrays = arrays._replace(next=np.zeros(slots, np.int64), order=np.zeros(slots, np.int64))
        if rows > len(arrays.corner):
            room = next_capacity(len(arrays.corner), rows)
            owner, memory = np.full((2 * room, 2), NONE, np.int64), np.zeros((2 * room, 4))
            owner[: len(arrays.owner)] = arrays.owner
            memory[: len(arrays.memory)] = arrays.memory
            arrays = arrays._replace(corner=np.zeros((room, 2), np.int64), owner=owner, memory=memory)
        self.arrays = arrays
