"""The questions that every part of the broadphase asks of two pieces."""

from __future__ import annotations

from ecs_collide.common.pair_roles import role_of
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.aabb import rows_touch
from ecs_collide.kernels.kernel import device


@device
def may_collide(a, b, bodies, pieces):
    """Whether pieces a and b are of bodies that meet, see `role_of`; two pieces without end are never compared."""
    return role_of(pieces.index[a, PIECE.BODY], pieces.index[b, PIECE.BODY], bodies) != 0


@device
def is_new_pair(a, b, bodies, pieces):
    """Whether a and b have come to overlap since the last pair update; no table of pairs is needed to know."""
    return (
        rows_touch(pieces.box, a, pieces.box, b)
        and not rows_touch(pieces.old_box, a, pieces.old_box, b)
        and may_collide(a, b, bodies, pieces)
    )
