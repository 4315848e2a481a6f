"""Which contacts of a step are hits: most steps have none, and then nobody has to look at its pairs."""

from __future__ import annotations

from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import PAIR
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, stage

# A row of `found`, which sorts as hits do: the entities, the smaller one first; the speed against each other [m/s],
# negated; the contact's first point [m]; the row of the contact
SMALLER, LARGER, NEGATED_SPEED, POINT_X, POINT_Y, CONTACT = range(6)
HIT_WIDTH = 6


@device
def hit_speed(contacts, row, least):
    """The speed of approach of a contact that is a hit: it is above `least`, and carried an impulse; else 0 [m/s]."""
    speed = max(contacts.approach_speed[row, 0], contacts.approach_speed[row, 1])
    impulse = max(contacts.normal_impulse[row, 0], contacts.normal_impulse[row, 1])
    return speed if speed > least and impulse > 0.0 else 0.0


@stage
def list_hits(
    order: Ints,
    pair_count: int,
    pair_index: IntTable,
    contacts: Contacts,
    contact_count: int,
    dt: float,
    least: float,
    remembered: Ints,
    found: FloatTable,
):
    """List the hits among the pairs in the first slots of `order`, of an approach faster than `least` [m/s].

    Returns how many there are, 0 in a step of no length. A contact may belong to several pairs, as on the seam of two
    tiles. If no contact is a hit, those of the step before are forgotten.

    Writes `remembered` (1,) and `found` (h, 6), as far as there is room.
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
        if count < len(found):
            a, b = pair_index[slot, PAIR.ENTITY_A], pair_index[slot, PAIR.ENTITY_B]
            found[count, SMALLER], found[count, LARGER] = min(a, b), max(a, b)
            found[count, NEGATED_SPEED] = -speed
            found[count, POINT_X], found[count, POINT_Y] = contacts.point[row, 0, X], contacts.point[row, 0, Y]
            found[count, CONTACT] = row
        count += 1
    return count
