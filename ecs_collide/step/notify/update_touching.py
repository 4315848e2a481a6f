"""The pairs that began and that ceased to touch in this step."""

from __future__ import annotations

from ecs_collide.common.pair_roles import touching_of_overlap
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout

STARTED = layout(
    "start of a touch",
    ENTITY_A="entity A",
    ENTITY_B="entity B",
    KERNEL_MODE="way of touching, see `TOUCHING` in data/pairs.py",
    CONTACT="contact row",
    PIECES="`SEVERAL_PIECES` if one of the bodies has several pieces, else `ONE_PIECE`",
)
ENDED = layout(
    "end of a touch",
    ENTITY_A="entity A",
    ENTITY_B="entity B",
    KERNEL_MODE="way of touching, see `TOUCHING` in data/pairs.py",
    PIECES="`ONE_PIECE`, `SEVERAL_PIECES` or, if a body is gone, `BODY_REMOVED`",
)


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


@kernel
def update_touching(
    live: Ints,
    pair_index: IntTable,
    piece_index: IntTable,
    contacts: Contacts,
    touch_gap: float,
    part_gap: float,
    has_listeners: int,
    started: IntTable,
    ended: IntTable,
):
    """Update the way of touching of each pair.

    Returns how many changes need Python, how many pairs started to touch, and how many ceased. All changes need Python
    if `has_listeners` is not 0, or if any of them is of a body of several pieces; else none does.

    A pair starts to touch by an impulse or at a gap of `touch_gap` [m]. It ceases without an impulse past `part_gap`
    [m]. Reads the contacts. Writes pair_index (TOUCHING), `started` and `ended`.
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
            now = touching_of_overlap(pair_index[slot, PAIR.ROLE])
        if now == was:
            continue
        pair_index[slot, PAIR.TOUCHING] = now
        several = (
            piece_index[pair_index[slot, PAIR.PIECE_A], PIECE.SEVERAL]
            | piece_index[pair_index[slot, PAIR.PIECE_B], PIECE.SEVERAL]
        )
        any_several = any_several or several != 0
        if was != of_pair.APART:
            ended[ended_count, ENDED.ENTITY_A] = pair_index[slot, PAIR.ENTITY_A]
            ended[ended_count, ENDED.ENTITY_B] = pair_index[slot, PAIR.ENTITY_B]
            ended[ended_count, ENDED.KERNEL_MODE] = was
            ended[ended_count, ENDED.PIECES] = several
            ended_count += 1
        if now != of_pair.APART:
            started[started_count, STARTED.ENTITY_A] = pair_index[slot, PAIR.ENTITY_A]
            started[started_count, STARTED.ENTITY_B] = pair_index[slot, PAIR.ENTITY_B]
            started[started_count, STARTED.KERNEL_MODE] = now
            started[started_count, STARTED.CONTACT] = contact
            started[started_count, STARTED.PIECES] = several
            started_count += 1
    is_wanted = has_listeners != 0 or any_several
    return started_count + ended_count if is_wanted else 0, started_count, ended_count
