"""Tests of two pieces that all parts of the broadphase share."""

from __future__ import annotations

from ecs_collide.common.pair_roles import role_of
from ecs_collide.geometry.aabb import rows_touch
from ecs_collide.kernels.kernel import device


@device
def may_collide(a, b, bodies, pieces):
    """Return True if two pieces meet, see `role_of`. Two unbounded pieces are never compared."""
    return role_of(a, b, bodies, pieces) != 0


@device
def is_new_pair(a, b, bodies, pieces):
    """Return True if two pieces overlap now, did not at the last pair update, and may collide."""
    return (
        rows_touch(pieces.box, a, pieces.box, b)
        and not rows_touch(pieces.old_box, a, pieces.old_box, b)
        and may_collide(a, b, bodies, pieces)
    )
