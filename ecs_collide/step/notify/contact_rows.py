"""The contacts of an entity's pairs, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.data import pairs as of_pair
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.host_names import HostNames
from ecs_collide.data.pairs import PAIR, Pairs
from ecs_collide.step.notify.contact_view import snapshot

if TYPE_CHECKING:
    from ecs_collide.step.notify.contact import Contact


def touching_contacts(
    slots: np.ndarray, pairs: Pairs, contacts: Contacts, count: int, hosts: HostNames
) -> list[Contact]:
    """Return those of the first `count` contacts that belong to touching pairs in some slots, in order of their rows.

    Two pairs may share a contact, as on the seam of two tiles. It is listed once, and names the entities of the pair
    that owns it, if that pair is among the given ones.
    """
    named: dict[int, tuple[int, int]] = {}
    for slot, pair in zip(slots.tolist(), pairs.index[slots].tolist(), strict=True):
        row = pair[PAIR.CONTACT]
        if (
            0 <= row < count
            and pair[PAIR.TOUCHING] != of_pair.APART
            and (row not in named or slot == contacts.pair.item(row))
        ):
            named[row] = pair[PAIR.ENTITY_A], pair[PAIR.ENTITY_B]
    return [snapshot(contacts, row, *named[row], hosts) for row in sorted(named)]


def stored_contacts(slots: np.ndarray, pairs: Pairs, stored: Contacts, hosts: HostNames) -> list[Contact]:
    """Return the contacts that sleep stores of touching pairs in some slots, each once as in `touching_contacts`.

    Row k of `stored` is a copy of the contact of the pair in slot k. Its column `pair` is the slot of the owner.
    """
    of_owner: dict[int, tuple[int, int, int]] = {}
    for slot, pair in zip(slots.tolist(), pairs.index[slots].tolist(), strict=True):
        if (
            pair[PAIR.CONTACT] == of_pair.STORED
            and pair[PAIR.TOUCHING] != of_pair.APART
            and stored.point_count.item(slot) > 0
        ):
            owner = stored.pair.item(slot)
            if owner not in of_owner or slot == owner:
                of_owner[owner] = slot, pair[PAIR.ENTITY_A], pair[PAIR.ENTITY_B]
    return [snapshot(stored, *each, hosts) for each in of_owner.values()]
