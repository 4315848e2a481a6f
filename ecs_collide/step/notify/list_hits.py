"""The contacts of a step that are hits. Most steps have none; their pairs are not searched."""

from __future__ import annotations

import numpy as np

from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import PAIR
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout

HIT = layout(
    "hit of two bodies",
    SMALLER="smaller entity",
    LARGER="larger entity",
    CONTACT="contact row",
    PLACE="place of the contact in its source: the slot of the pair, or the contact row",
)
HIT_NUMBERS = layout(
    "numbers of a hit",
    SPEED="speed of approach [m/s]",
    POINT_X="first point of the contact, x [m]",
    POINT_Y="first point of the contact, y [m]",
)


class HitRows(Bundle):
    """Scratch space for the hits of a step."""

    hits: IntTable = rows_of(HIT)
    """Columns of `HIT` (h, 4) int64."""
    numbers: FloatTable = rows_of(HIT_NUMBERS)
    """Columns of `HIT_NUMBERS` (h, 3)."""
    order: Ints
    """Rows of the hits in order (h,) int64."""
    new: Ints
    """Places of the new hits (h,) int64."""


def hit_rows(capacity: int) -> HitRows:
    """Return scratch space for a number of hits."""
    return HitRows(
        hits=np.zeros((capacity, HIT.WIDTH), np.int64),
        numbers=np.zeros((capacity, HIT_NUMBERS.WIDTH)),
        order=np.zeros(capacity, np.int64),
        new=np.zeros(capacity, np.int64),
    )


@device
def hit_speed(contacts, row, threshold):
    """Return the approach speed of a contact that is a hit, else 0 [m/s].

    A hit is faster than `threshold`, and its contact carried an impulse.
    """
    speed = max(contacts.approach_speed[row, 0], contacts.approach_speed[row, 1])
    impulse = max(contacts.normal_impulse[row, 0], contacts.normal_impulse[row, 1])
    return speed if speed > threshold and impulse > 0.0 else 0.0


@device
def hit_comes_before(p, q, rows):
    """Return True if a hit comes before another one: by entities, the faster one, by point, by contact row."""
    hits, numbers = rows.hits, rows.numbers
    for column in (HIT.SMALLER, HIT.LARGER):
        if hits[p, column] != hits[q, column]:
            return hits[p, column] < hits[q, column]
    if numbers[p, HIT_NUMBERS.SPEED] != numbers[q, HIT_NUMBERS.SPEED]:
        return numbers[p, HIT_NUMBERS.SPEED] > numbers[q, HIT_NUMBERS.SPEED]
    for column in (HIT_NUMBERS.POINT_X, HIT_NUMBERS.POINT_Y):
        if numbers[p, column] != numbers[q, column]:
            return numbers[p, column] < numbers[q, column]
    return hits[p, HIT.CONTACT] < hits[q, HIT.CONTACT]


@device
def sift_down_hit(root, stop, rows):
    """Move an item of the heap `order` down to its place; no item below comes after it then."""
    order = rows.order
    child = 2 * root + 1
    while child < stop:
        if child + 1 < stop and hit_comes_before(order[child], order[child + 1], rows):
            child += 1
        if not hit_comes_before(order[root], order[child], rows):
            break
        order[root], order[child] = order[child], order[root]
        root, child = child, 2 * child + 1


@device
def sort_hits(count, rows):
    """Write the numbers of the first `count` hits to `order`, sorted: heap sort."""
    order = rows.order
    for k in range(count):
        order[k] = k
    for root in range(count // 2 - 1, -1, -1):
        sift_down_hit(root, count, rows)
    for stop in range(count - 1, 0, -1):
        order[0], order[stop] = order[stop], order[0]
        sift_down_hit(0, stop, rows)


@device
def select_new(count, rows, last, last_count):
    """Select the fastest hit of each two entities that are not among the `last` ones; return their number.

    Of equally fast hits, the one with the least point counts.

    Writes the places of these hits to `new`, in order of the entities. Writes the entities of all hits to `last`, whose
    first rows in use are sorted, and their number to last_count (1,).
    """
    hits, order = rows.hits, rows.order
    sort_hits(count, rows)
    pair_count, new_count, at = 0, 0, 0
    for k in range(count):
        hit = order[k]
        a, b = hits[hit, HIT.SMALLER], hits[hit, HIT.LARGER]
        before = order[max(pair_count - 1, 0)]
        if pair_count > 0 and hits[before, HIT.SMALLER] == a and hits[before, HIT.LARGER] == b:
            continue
        while at < last_count[0] and (last[at, 0] < a or (last[at, 0] == a and last[at, 1] < b)):
            at += 1
        if at == last_count[0] or last[at, 0] != a or last[at, 1] != b:
            rows.new[new_count] = hits[hit, HIT.PLACE]
            new_count += 1
        order[pair_count] = hit
        pair_count += 1
    for k in range(pair_count):
        last[k, 0], last[k, 1] = hits[order[k], HIT.SMALLER], hits[order[k], HIT.LARGER]
    last_count[0] = pair_count
    return new_count


@kernel
def select_hits(count: int, rows: HitRows, last: IntTable, last_count: Ints):
    """Select the new ones of the first `count` hits, see `select_new`."""
    return select_new(count, rows, last, last_count)


@kernel
def list_hits(
    order: Ints,
    pair_count: int,
    pair_index: IntTable,
    contacts: Contacts,
    contact_count: int,
    dt: float,
    threshold: float,
    rows: HitRows,
    last: IntTable,
    last_count: Ints,
):
    """List the hits among the pairs in the first slots of `order`; return the number of new ones, see `select_new`.

    A hit approaches faster than `threshold` [m/s]. A step without length has no hits. A contact may belong to several
    pairs, as on the seam of two tiles. There is room for a hit of each pair.
    """
    if dt == 0.0:
        return 0
    count = 0
    for row in range(contact_count):
        if hit_speed(contacts, row, threshold) > 0.0:
            count += 1
    if count == 0:
        last_count[0] = 0
        return 0
    count = 0
    for k in range(pair_count):
        slot = order[k]
        row = pair_index[slot, PAIR.CONTACT]
        if row < 0:
            continue
        speed = hit_speed(contacts, row, threshold)
        if speed == 0.0:
            continue
        a, b = pair_index[slot, PAIR.ENTITY_A], pair_index[slot, PAIR.ENTITY_B]
        rows.hits[count, HIT.SMALLER], rows.hits[count, HIT.LARGER] = min(a, b), max(a, b)
        rows.hits[count, HIT.CONTACT], rows.hits[count, HIT.PLACE] = row, slot
        rows.numbers[count, HIT_NUMBERS.SPEED] = speed
        rows.numbers[count, HIT_NUMBERS.POINT_X] = contacts.point[row, 0, X]
        rows.numbers[count, HIT_NUMBERS.POINT_Y] = contacts.point[row, 0, Y]
        count += 1
    return select_new(count, rows, last, last_count)
