"""Which pairs began and which ceased to touch in this step."""

from __future__ import annotations

from ecs_collide.common.pair_roles import way_told
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, stage


@device
def contact_touches(contacts, row, gap):
    """Return True if an enabled contact carried an impulse in this step or has a gap of at most `gap` [m].

    Without a branch: which of these it is nobody can foresee.
    """
    first = (contacts.normal_impulse[row, 0] > 0.0) | (contacts.separation[row, 0] <= gap)
    second = (contacts.normal_impulse[row, 1] > 0.0) | (contacts.separation[row, 1] <= gap)
    return contacts.enabled[row] & (first | (second & (contacts.point_count[row] > 1)))


@device
def overlaps(contacts, row):
    """Return True if the pieces of a contact overlap, enabled or not."""
    return contacts.separation[row, 0] <= 0.0 or (contacts.point_count[row] > 1 and contacts.separation[row, 1] <= 0.0)


@stage
def update_touching(
    live: Ints,
    pair_index: IntTable,
    piece_index: IntTable,
    contacts: Contacts,
    touch_gap: float,
    part_gap: float,
    is_heard: int,
    started: IntTable,
    ended: IntTable,
):
    """Bring each pair's way of touching up to date.

    Returns how many changes somebody wants to know of, how many pairs started and how many ended. All changes are
    wanted where `is_heard` is not 0, or where any of them is of a body of several pieces.

    A pair starts to touch by an impulse or at a gap of `touch_gap` [m], and ceases without an impulse past
    `part_gap` [m]. Of an overlap that is not answered is told who wants to know. Reads the contacts. Writes pair_index
    (touching), `started` (k, 5): entities, the way of touching that began, contact row, and 1 if one of the bodies has
    several pieces; and `ended` (k, 4), the same without a contact row.
    """
    started_count, ended_count, any_several = 0, 0, False
    for slot in live:
        was = pair_index[slot, PAIR.TOUCHING]
        contact = pair_index[slot, PAIR.CONTACT]
        touches = contact_touches(contacts, max(contact, 0), touch_gap if was == of_pair.APART else part_gap)
        now = of_pair.COLLIDES if touches & (contact >= 0) else of_pair.APART
        if contact < of_pair.NO_CONTACT:
            now = -contact
        elif contact >= 0 and not contacts.enabled[contact] and overlaps(contacts, contact):
            now = way_told(pair_index[slot, PAIR.ROLE])
        if now == was:
            continue
        pair_index[slot, PAIR.TOUCHING] = now
        several = (
            piece_index[pair_index[slot, PAIR.PIECE_A], PIECE.SEVERAL]
            | piece_index[pair_index[slot, PAIR.PIECE_B], PIECE.SEVERAL]
        )
        any_several = any_several or several != 0
        if was != of_pair.APART:
            ended[ended_count, 0] = pair_index[slot, PAIR.ENTITY_A]
            ended[ended_count, 1] = pair_index[slot, PAIR.ENTITY_B]
            ended[ended_count, 2] = was
            ended[ended_count, 3] = several
            ended_count += 1
        if now != of_pair.APART:
            started[started_count, 0] = pair_index[slot, PAIR.ENTITY_A]
            started[started_count, 1] = pair_index[slot, PAIR.ENTITY_B]
            started[started_count, 2] = now
            started[started_count, 3] = contact
            started[started_count, 4] = several
            started_count += 1
    is_wanted = is_heard != 0 or any_several
    return started_count + ended_count if is_wanted else 0, started_count, ended_count
