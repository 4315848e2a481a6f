"""The pairs that began and that ceased to touch in this step."""

from __future__ import annotations

from ecs_collide.common.pair_roles import touching_of_overlap
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.common.touch_rows import write_end, write_start
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel


@device
def contact_touches(contacts, row, gap):
    """Return True if an enabled contact carried an impulse in this step or leaves at most `gap` [m].

    It has no branches, since none could be predicted.
    """
    first = (contacts.normal_impulse[row, 0] > 0.0) | (contacts.separation[row, 0] <= gap)
    second = (contacts.normal_impulse[row, 1] > 0.0) | (contacts.separation[row, 1] <= gap)
    return contacts.enabled[row] & (first | (second & (contacts.point_count[row] > 1)))


@device
def overlaps(contacts, row):
    """Return True if the two bodies of a contact overlap."""
    return contacts.separation[row, 0] <= 0.0 or (contacts.point_count[row] > 1 and contacts.separation[row, 1] <= 0.0)


@device
def is_listed(way, listeners):
    """Return True if a bit of `listeners` is set for a way of touching; APART has none."""
    return (listeners >> way) & 1 != 0


@device
def way_of_touching(pair, was, contacts, tolerances):
    """Return the way in which a pair touches in this step, given its row of pair_index and its way in the last step."""
    contact = pair[PAIR.CONTACT]
    gap = tolerances.touch if was == of_pair.APART else tolerances.slop
    touches = contact_touches(contacts, max(contact, 0), gap)
    now = of_pair.COLLIDES if touches & (contact >= 0) else of_pair.APART
    if contact < of_pair.NO_CONTACT:
        now = -contact
    elif contact >= 0 and not contacts.enabled[contact] and overlaps(contacts, contact):
        now = touching_of_overlap(pair[PAIR.ROLE])
    return now


@kernel
def update_touching(
    live: Ints,
    pair_index: IntTable,
    piece_index: IntTable,
    contacts: Contacts,
    tolerances: Tolerances,
    start_listeners: int,
    end_listeners: int,
    candidates: Ints,
    started: IntTable,
    ended: IntTable,
):
    """Update the way of touching of each pair, and list starts and ends that have listeners.

    A pair starts to touch by an impulse or at a gap of `tolerances.touch`. It ceases without an impulse past the slop.
    Bit 1 << `TOUCHING` of `start_listeners` and `end_listeners` is set for each way of touching that is listed. If
    one of the bodies has several pieces, the bits of both count.

    Returns the number of starts and ends together, of starts, and of ends. Reads the contacts. Writes pair_index
    (TOUCHING), `started` and `ended`, and `candidates` (s,), scratch space.
    """
    count, started_count, ended_count = 0, 0, 0
    for slot in live:
        # written always, and overwritten by the next pair: cheaper than a branch that cannot be predicted
        candidates[count] = slot
        count += int(
            (pair_index[slot, PAIR.CONTACT] != of_pair.NO_CONTACT) | (pair_index[slot, PAIR.TOUCHING] != of_pair.APART)
        )
    for slot in candidates[:count]:
        pair = pair_index[slot]
        was = pair[PAIR.TOUCHING]
        now = way_of_touching(pair, was, contacts, tolerances)
        if now == was:
            continue
        pair[PAIR.TOUCHING] = now
        several = piece_index[pair[PAIR.PIECE_A], PIECE.SEVERAL] | piece_index[pair[PAIR.PIECE_B], PIECE.SEVERAL]
        start_ways, end_ways = start_listeners, end_listeners
        if several != 0:  # touches of several pieces are counted, which takes both lists
            start_ways = end_ways = start_listeners | end_listeners
        if was != of_pair.APART and is_listed(was, end_ways):
            write_end(ended[ended_count], pair, was, several)
            ended_count += 1
        if now != of_pair.APART and is_listed(now, start_ways):
            write_start(started[started_count], slot, pair, now, several)
            started_count += 1
    return started_count + ended_count, started_count, ended_count
