"""The role of a pair of pieces: whether contacts push, and which collider gets the events of an overlap.

A pair is solid if one body is dynamic and neither collider is a sensor to the other. These colliders get events of an
overlap:

- a detecting collider, whatever the kinds of the two bodies;
- a sensor, for colliders that are no sensors; and a collider with a sensor mask, for the layers in it. One of the two
  bodies must be kinematic or dynamic.

Two colliders that are neither solid to each other nor get events do not collide, nor do two of one body.

A body without attached colliders has its own collider in its row.
"""

from __future__ import annotations

from ecs_collide.common.one_way_side import is_one_way
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import FILTER
from ecs_collide.data.pieces import PIECE
from ecs_collide.kernels.kernel import device

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)


@device
def filters_agree(filters, a, b):
    """Return True if the filters of two colliders let them collide.

    A shared group other than 0 decides alone: positive collides, negative does not. Otherwise the layer of each
    collider must be in the mask of the other.
    """
    group = filters[a, FILTER.GROUP]
    if group != 0 and group == filters[b, FILTER.GROUP]:
        return group > 0
    return (filters[a, FILTER.LAYER] & filters[b, FILTER.MASK]) != 0 and (
        filters[b, FILTER.LAYER] & filters[a, FILTER.MASK]
    ) != 0


@device
def are_sensors(filters, a, b):
    """Return True if either of two colliders is a sensor to the other."""
    return (
        filters[a, FILTER.SENSOR]
        | filters[b, FILTER.SENSOR]
        | (filters[a, FILTER.SENSOR_MASK] & filters[b, FILTER.LAYER])
        | (filters[b, FILTER.SENSOR_MASK] & filters[a, FILTER.LAYER])
    ) != 0


@device
def detects(filters, a, b):
    """Return 1 if collider a gets the events of collider b as a sensor, else 0."""
    if filters[a, FILTER.SENSOR_MASK] & filters[b, FILTER.LAYER] != 0:
        return 1
    return filters[a, FILTER.SENSOR] & ~filters[b, FILTER.SENSOR]


@device
def role_of(p, q, bodies, pieces):
    """Return the `ROLE` of a pair of pieces, 0 if they do not collide.

    Reads piece_index, body_filter, body_kind, body_one_way.
    """
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    a, b = pieces.index[p, PIECE.COLLIDER], pieces.index[q, PIECE.COLLIDER]
    filters = bodies.filter
    if body_p == body_q or not filters_agree(filters, a, b):
        return 0
    notifies_a, notifies_b = filters[a, FILTER.DETECT], filters[b, FILTER.DETECT]
    most = max(bodies.kind[body_p], bodies.kind[body_q])
    if not are_sensors(filters, a, b):
        role = of_pair.SOLID if most == DYNAMIC else 0
        if role != 0 and (is_one_way(a, bodies) or is_one_way(b, bodies)):
            role |= of_pair.ONE_WAY
    else:
        role = 0
        if most != STATIC:
            notifies_a, notifies_b = notifies_a | detects(filters, a, b), notifies_b | detects(filters, b, a)
    return role | notifies_a * of_pair.NOTIFIES_A | notifies_b * of_pair.NOTIFIES_B


@device
def has_response(role):
    """Return True if contacts of a pair of this `ROLE` push, unless the contact is across a one-way direction."""
    return role & (of_pair.SOLID | of_pair.PASSED | of_pair.PASSES | of_pair.BEHIND) == of_pair.SOLID


@device
def touching_of_overlap(role):
    """Return the `TOUCHING` of an overlapping pair of this `ROLE` that does not push; APART without a listener."""
    notified = (role // of_pair.NOTIFIES_A) & 3
    return of_pair.COLLIDES + notified if notified != 0 else of_pair.APART


@device
def smaller_first(entity_a, entity_b, way):
    """Return the entities of a pair and its way of touching with the smaller entity as A."""
    if entity_a < entity_b:
        return entity_a, entity_b, way
    if way == of_pair.A_SENSES:
        way = of_pair.B_SENSES
    elif way == of_pair.B_SENSES:
        way = of_pair.A_SENSES
    return entity_b, entity_a, way
