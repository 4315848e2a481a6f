"""Contacts as compact records, from which `contacts_from` makes `Contact` objects.

A record holds what a `Contact` reports of one contact row. Entity A has the smaller id, and impulses are summed over
the points. Records are made of chosen contacts only.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.data.pairs import PAIR, SIDES, Pairs
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Flags, FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout

RECORD = layout(
    "contact record",
    ENTITY_A="smaller entity",
    ENTITY_B="larger entity",
    BODY_A="entity whose body the collider of A belongs to",
    BODY_B="entity whose body the collider of B belongs to",
    PART_A="part of the shape of A",
    PART_B="part of the shape of B",
    POINT_COUNT="number of points",
)
RECORD_NUMBERS = layout(
    "numbers of a contact record",
    NORMAL=("unit normal from A to B", 2),
    POINTS=("place of each point [m]", 4),
    SEPARATIONS=("gap at each point [m]", 2),
    NORMAL_IMPULSE="impulse along the normal [N s]",
    FRICTION_IMPULSE="impulse across the normal [N s]",
    APPROACH_SPEED="greatest speed of approach, 0 if the bodies moved apart [m/s]",
)
CONTACT_ENTITIES = layout(
    "entities of a contact",
    ENTITY_A="entity A of the contact row",
    ENTITY_B="entity B of the contact row",
    BODY_A="entity whose body the collider of A belongs to",
    BODY_B="entity whose body the collider of B belongs to",
)


def record_tables(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return tables for `count` records, rows of `RECORD` and of `RECORD_NUMBERS`."""
    return np.empty((count, RECORD.WIDTH), np.int64), np.empty((count, RECORD_NUMBERS.WIDTH))


@device
def write_record(k, row, contacts, entities, records, numbers):
    """Write record k: a contact row with its entities, in the order of `CONTACT_ENTITIES`."""
    entity_a, entity_b, body_a, body_b = entities
    part_a, part_b = contacts.part[row, CONTACT_BODY.A], contacts.part[row, CONTACT_BODY.B]
    sign = 1.0
    if entity_a > entity_b:
        entity_a, entity_b, body_a, body_b, part_a, part_b = entity_b, entity_a, body_b, body_a, part_b, part_a
        sign = -1.0
    records[k, RECORD.ENTITY_A], records[k, RECORD.ENTITY_B] = entity_a, entity_b
    records[k, RECORD.BODY_A], records[k, RECORD.BODY_B] = body_a, body_b
    records[k, RECORD.PART_A], records[k, RECORD.PART_B] = part_a, part_b
    point_count = contacts.point_count[row]
    records[k, RECORD.POINT_COUNT] = point_count
    numbers[k, RECORD_NUMBERS.NORMAL + X] = sign * contacts.normal[row, X]
    numbers[k, RECORD_NUMBERS.NORMAL + Y] = sign * contacts.normal[row, Y]
    along, across, approach = 0.0, 0.0, 0.0
    for point in range(point_count):
        numbers[k, RECORD_NUMBERS.POINTS + 2 * point + X] = contacts.point[row, point, X]
        numbers[k, RECORD_NUMBERS.POINTS + 2 * point + Y] = contacts.point[row, point, Y]
        numbers[k, RECORD_NUMBERS.SEPARATIONS + point] = contacts.separation[row, point]
        along += contacts.normal_impulse[row, point]
        across += contacts.tangent_impulse[row, point]
        approach = max(approach, contacts.approach_speed[row, point])
    numbers[k, RECORD_NUMBERS.NORMAL_IMPULSE] = along
    numbers[k, RECORD_NUMBERS.FRICTION_IMPULSE] = across
    numbers[k, RECORD_NUMBERS.APPROACH_SPEED] = approach


@kernel
def record_rows(rows: Ints, entities: IntTable, contacts: Contacts, records: IntTable, numbers: FloatTable):
    """Write the records of some contact rows, whose entities stand in columns of `CONTACT_ENTITIES` (k, 4)."""
    for k in range(len(rows)):
        of_row = (
            entities[k, CONTACT_ENTITIES.ENTITY_A],
            entities[k, CONTACT_ENTITIES.ENTITY_B],
            entities[k, CONTACT_ENTITIES.BODY_A],
            entities[k, CONTACT_ENTITIES.BODY_B],
        )
        write_record(k, rows[k], contacts, of_row, records, numbers)


@device
def entities_of_contact(slot, row, contacts, pairs, bodies):
    """Return the entities of a pair's contact, with A and B as in the contact row: see `CONTACT_ENTITIES`.

    The row may belong to another pair, as on the seam of two tiles. The two pairs have at least one body in common.
    """
    index = pairs.index
    a, b = index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B]
    entity_a, entity_b = index[slot, PAIR.ENTITY_A], index[slot, PAIR.ENTITY_B]
    if a == contacts.body[row, CONTACT_BODY.B] or b == contacts.body[row, CONTACT_BODY.A]:
        return entity_b, entity_a, bodies.entity[b], bodies.entity[a]
    return entity_a, entity_b, bodies.entity[a], bodies.entity[b]


@kernel
def record_pairs(
    slots: Ints,
    pairs: Pairs,
    bodies: Bodies,
    contacts: Contacts,
    stored: Contacts,
    records: IntTable,
    numbers: FloatTable,
):
    """Write the records of the contacts of pairs in some slots, which all have one: a row, or a stored one."""
    for k in range(len(slots)):
        slot = slots[k]
        row = pairs.index[slot, PAIR.CONTACT]
        if row == of_pair.STORED:
            write_record(k, slot, stored, entities_of_contact(slot, slot, stored, pairs, bodies), records, numbers)
        else:
            write_record(k, row, contacts, entities_of_contact(slot, row, contacts, pairs, bodies), records, numbers)


@device
def is_contact_of(slot, marked, pairs):
    """Return True if the pair in a slot touches and has a marked piece."""
    a, b = pairs.sides[SIDES.FIRST, slot], pairs.sides[SIDES.SECOND, slot]
    return a != b and (marked[a] or marked[b]) and pairs.index[slot, PAIR.TOUCHING] != of_pair.APART


@kernel
def find_touching_contacts(
    marked: Flags, pairs: Pairs, contacts: Contacts, contact_count: int, stored: Contacts, places: Ints, found: Ints
):
    """List the contacts of touching pairs with a marked piece, each by the slot of a pair; return their number.

    Contacts of this step come first, in order of their rows, then those that sleep stores, in order of their slots.
    Two pairs may share a contact, as on the seam of two tiles. It is listed once, by the pair that owns it, if that
    pair has a marked piece.

    `places` is scratch space of zeros, as long as there are slots and contact rows. Writes `found` (s,).
    """
    count, are_stored = 0, False
    for slot in range(len(found)):
        if is_contact_of(slot, marked, pairs):
            row = pairs.index[slot, PAIR.CONTACT]
            are_stored = are_stored or row == of_pair.STORED
            if 0 <= row < contact_count and (places[row] == 0 or contacts.pair[row] == slot):
                places[row] = slot + 1
    for row in range(contact_count):
        if places[row] != 0:
            found[count] = places[row] - 1
            places[row] = 0
            count += 1
    for slot in range(len(found) if are_stored else 0):
        if (
            is_contact_of(slot, marked, pairs)
            and pairs.index[slot, PAIR.CONTACT] == of_pair.STORED
            and stored.point_count[slot] > 0
        ):
            owner = stored.pair[slot]
            if places[owner] == 0:
                found[count] = slot
                count += 1
                places[owner] = count
            elif slot == owner:
                found[places[owner] - 1] = slot
    return count
