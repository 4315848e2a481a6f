"""What two bodies are to each other: whether their contacts are answered, and who of them is told of an overlap.

A pair is solid where one of the two is dynamic and neither is a sensor to the other. Who asks is told:

- a body that detects, whatever the kinds of the two;
- a sensor, of what is none itself, and a body of those layers to which it is one; for these one of the two has to be
  kinematic or dynamic.

Two bodies that are neither solid to each other nor told of each other do not meet.
"""

from __future__ import annotations

from ecs_collide.common.one_way_side import is_one_way
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import FILTER
from ecs_collide.kernels.kernel import device

STATIC, DYNAMIC = int(BodyKind.STATIC), int(BodyKind.DYNAMIC)


@device
def filters_agree(filters, a, b):
    """Whether no filter keeps two bodies apart.

    A shared group that is not 0 decides alone: positive always meets, negative never does. Otherwise each body's layer
    must be in the other's mask.
    """
    group = filters[a, FILTER.GROUP]
    if group != 0 and group == filters[b, FILTER.GROUP]:
        return group > 0
    return (filters[a, FILTER.LAYER] & filters[b, FILTER.MASK]) != 0 and (
        filters[b, FILTER.LAYER] & filters[a, FILTER.MASK]
    ) != 0


@device
def are_sensors(filters, a, b):
    """Whether either of two bodies is a sensor to the other."""
    return (
        filters[a, FILTER.SENSOR]
        | filters[b, FILTER.SENSOR]
        | (filters[a, FILTER.SENSOR_MASK] & filters[b, FILTER.LAYER])
        | (filters[b, FILTER.SENSOR_MASK] & filters[a, FILTER.LAYER])
    ) != 0


@device
def senses(filters, a, b):
    """Whether body a is told of body b for being a sensor, 0 or 1."""
    if filters[a, FILTER.SENSOR_MASK] & filters[b, FILTER.LAYER] != 0:
        return 1
    return filters[a, FILTER.SENSOR] & ~filters[b, FILTER.SENSOR]


@device
def role_of(a, b, bodies):
    """`ROLE` of a pair of two bodies, 0 where they do not meet. Reads body_filter, body_kind, body_one_way."""
    filters = bodies.filter
    if a == b or not filters_agree(filters, a, b):
        return 0
    told_a, told_b = filters[a, FILTER.DETECT], filters[b, FILTER.DETECT]
    most = max(bodies.kind[a], bodies.kind[b])
    if not are_sensors(filters, a, b):
        role = of_pair.SOLID if most == DYNAMIC else 0
        if role != 0 and (is_one_way(a, bodies) or is_one_way(b, bodies)):
            role |= of_pair.ONE_WAY
    else:
        role = 0
        if most != STATIC:
            told_a, told_b = told_a | senses(filters, a, b), told_b | senses(filters, b, a)
    return role | told_a * of_pair.TELLS_A | told_b * of_pair.TELLS_B


@device
def is_answered(role):
    """Whether a pair of this `ROLE` is answered in this step, unless its contact is across a one-way direction."""
    return role & (of_pair.SOLID | of_pair.PASSED | of_pair.PASSES) == of_pair.SOLID


@device
def way_told(role):
    """`TOUCHING` of a pair of this `ROLE` that overlaps and is not answered; APART where nobody wants to know."""
    told = (role // of_pair.TELLS_A) & 3
    return of_pair.COLLIDES + told if told != 0 else of_pair.APART
