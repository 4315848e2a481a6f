"""The questions that every part of the broadphase asks of two pieces."""

from __future__ import annotations

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.compiled.kernels import device
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.geometry.box import rows_touch

KINEMATIC, DYNAMIC = int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)


@device
def may_collide(a, b, bodies, pieces):
    """Whether pieces a and b are of different bodies that can meet and that no filter keeps apart.

    One of them must be dynamic; for a sensor it is enough that one of them moves. Two sensors never meet, and
    two pieces without end are never compared.
    A shared group that is not 0 decides alone: positive always collides, negative never does. Otherwise each
    body's layer must be in the other's mask.
    """
    row_a, row_b = pieces.index[a, of_piece.BODY], pieces.index[b, of_piece.BODY]
    if row_a == row_b:
        return False
    sensors = bodies.filter[row_a, of_body.SENSOR] + bodies.filter[row_b, of_body.SENSOR]
    enough = KINEMATIC if sensors == 1 else DYNAMIC
    if sensors == 2 or max(bodies.kind[row_a], bodies.kind[row_b]) < enough:
        return False
    group = bodies.filter[row_a, of_body.GROUP]
    if group != 0 and group == bodies.filter[row_b, of_body.GROUP]:
        return group > 0
    return (bodies.filter[row_a, of_body.LAYER] & bodies.filter[row_b, of_body.MASK]) != 0 and (
        bodies.filter[row_b, of_body.LAYER] & bodies.filter[row_a, of_body.MASK]
    ) != 0


@device
def is_new_pair(a, b, bodies, pieces):
    """Whether a and b have come to overlap since the last pair update; no table of pairs is needed to know."""
    return (
        rows_touch(pieces.box, a, pieces.box, b)
        and not rows_touch(pieces.old_box, a, pieces.old_box, b)
        and may_collide(a, b, bodies, pieces)
    )
