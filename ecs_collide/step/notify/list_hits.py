"""The contacts of a step that are hits. Most steps have none; their pairs are not searched."""

from __future__ import annotations

from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import PAIR
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout

HIT = layout(
    "hit of two bodies",
    SMALLER="smaller entity",
    LARGER="larger entity",
    CONTACT="contact row",
)
HIT_NUMBERS = layout(
    "numbers of a hit",
    SPEED="speed of approach [m/s]",
    POINT_X="first point of the contact, x [m]",
    POINT_Y="first point of the contact, y [m]",
)


@device
def hit_speed(contacts, row, least):
    """Return the approach speed of a contact that is a hit, else 0 [m/s].

    A hit is faster than `least`, and its contact carried an impulse.
    """
    speed = max(contacts.approach_speed[row, 0], contacts.approach_speed[row, 1])
    impulse = max(contacts.normal_impulse[row, 0], contacts.normal_impulse[row, 1])
    return speed if speed > least and impulse > 0.0 else 0.0


@kernel
def list_hits(
    order: Ints,
    pair_count: int,
    pair_index: IntTable,
    contacts: Contacts,
    contact_count: int,
    dt: float,
    least: float,
    remembered: Ints,
    hits: IntTable,
    numbers: FloatTable,
):
    """List the hits among the pairs in the first slots of `order`, of an approach faster than `least` [m/s].

    Returns how many there are, 0 in a step of no length. A contact may belong to several pairs, as on the seam of two
    tiles. If no contact is a hit, those of the step before are forgotten.

    Writes `remembered` (1,), and `hits` and `numbers` as far as there is room.
    """
    if dt == 0.0:
        return 0
    count = 0
    for row in range(contact_count):
        if hit_speed(contacts, row, least) > 0.0:
            count += 1
    if count == 0:
        remembered[0] = 0
        return 0
    count = 0
    for k in range(pair_count):
        slot = order[k]
        row = pair_index[slot, PAIR.CONTACT]
        if row < 0:
            continue
        speed = hit_speed(contacts, row, least)
        if speed == 0.0:
            continue
        if count < len(hits):
            a, b = pair_index[slot, PAIR.ENTITY_A], pair_index[slot, PAIR.ENTITY_B]
            hits[count, HIT.SMALLER], hits[count, HIT.LARGER] = min(a, b), max(a, b)
            hits[count, HIT.CONTACT] = row
            numbers[count, HIT_NUMBERS.SPEED] = speed
            numbers[count, HIT_NUMBERS.POINT_X] = contacts.point[row, 0, X]
            numbers[count, HIT_NUMBERS.POINT_Y] = contacts.point[row, 0, Y]
        count += 1
    return count
