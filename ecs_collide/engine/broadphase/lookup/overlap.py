"""The questions that every part of the broadphase asks of two pieces."""

from __future__ import annotations

from ecs_collide.columns.bodies import GROUP, LAYER, MASK, SENSOR
from ecs_collide.columns.pieces import BODY, MAX_X, MAX_Y, MIN_X, MIN_Y
from ecs_collide.compiled.jit import device
from ecs_collide.components.body_kind import BodyKind

KINEMATIC, DYNAMIC = int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)


@device
def boxes_overlap(box, a, b):
    """Whether rows a and b of `box` (p, 4) overlap or touch."""
    return (
        box[a, MIN_X] <= box[b, MAX_X]
        and box[b, MIN_X] <= box[a, MAX_X]
        and box[a, MIN_Y] <= box[b, MAX_Y]
        and box[b, MIN_Y] <= box[a, MAX_Y]
    )


@device
def may_collide(a, b, bodies, pieces):
    """Whether pieces a and b are of different bodies that can meet and that no filter keeps apart.

    One of them must be dynamic; for a sensor it is enough that one of them moves. Two sensors never meet, and
    two pieces without end are never compared.
    A shared group that is not 0 decides alone: positive always collides, negative never does. Otherwise each
    body's layer must be in the other's mask.
    """
    row_a, row_b = pieces.index[a, BODY], pieces.index[b, BODY]
    if row_a == row_b:
        return False
    sensors = bodies.filter[row_a, SENSOR] + bodies.filter[row_b, SENSOR]
    enough = KINEMATIC if sensors == 1 else DYNAMIC
    if sensors == 2 or max(bodies.kind[row_a], bodies.kind[row_b]) < enough:
        return False
    group = bodies.filter[row_a, GROUP]
    if group != 0 and group == bodies.filter[row_b, GROUP]:
        return group > 0
    return (bodies.filter[row_a, LAYER] & bodies.filter[row_b, MASK]) != 0 and (
        bodies.filter[row_b, LAYER] & bodies.filter[row_a, MASK]
    ) != 0


@device
def is_new_pair(a, b, bodies, pieces):
    """Whether a and b have come to overlap since the last pair update; no table of pairs is needed to know."""
    return (
        boxes_overlap(pieces.box, a, b)
        and not boxes_overlap(pieces.old_box, a, b)
        and may_collide(a, b, bodies, pieces)
    )
