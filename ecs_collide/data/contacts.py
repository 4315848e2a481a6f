"""Contact columns: one dense row for each contact manifold of this step, valid until the next Narrowphase.

A processor of the game between Narrowphase and Response may write `enabled`, `friction`, `restitution`,
`surface_speed`, `rolling_resistance`, `normal` and `separation`. The response uses these values.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.kernels.arrays import Flags, FloatCube, Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import lane_array

CONTACT_BODY = layout("contact body", A="row of body A", B="row of body B")


class Contacts(Bundle):
    """The contacts of this step; every array has one row per contact. The second axis is the point of the manifold."""

    pair: Ints
    """Slot of the pair (m,) int64."""
    body: IntTable = rows_of(CONTACT_BODY)
    """Body rows, columns of `CONTACT_BODY` (m, 2) int64."""
    point_count: Ints
    """Number of points, 1 or 2 (m,) int64."""
    normal: FloatTable = rows_of(2)
    """Unit normal from A to B (m, 2)."""
    point: FloatCube = rows_of(2, 2)
    """World position half way between the surfaces [m] (m, 2, 2)."""
    separation: FloatTable = rows_of(2)
    """Gap, negative where the pieces overlap [m] (m, 2)."""
    friction: Floats
    """Combined coefficient of friction (m,)."""
    restitution: Floats
    """Combined coefficient of restitution (m,)."""
    surface_speed: Floats
    """Speed at which the surfaces carry B relative to A along (normal_y, -normal_x) [m/s] (m,)."""
    rolling_resistance: Floats
    """Combined coefficient of rolling resistance (m,)."""
    part: IntTable = rows_of(2)
    """Parts of the shapes of A and of B that touch, see `FORM_PART` (m, 2) int64."""
    enabled: Flags
    """False if the contact gets no response in this step (m,) bool."""
    missed: Flags
    """True if the pieces never touch in this step, so the response leaves the contact out (m,) bool."""
    normal_impulse: FloatTable = rows_of(2)
    """Impulse of the whole step along the normal, valid after Response [N s] (m, 2)."""
    tangent_impulse: FloatTable = rows_of(2)
    """Friction impulse of the whole step along (normal_y, -normal_x) [N s] (m, 2)."""
    approach_speed: FloatTable = rows_of(2)
    """Approach speed along the normal before the contact acted, valid after Response [m/s] (m, 2)."""


def contact_arrays(capacity: int) -> Contacts:
    """Return empty contact columns for `capacity` contacts."""
    return Contacts(
        pair=lane_array((capacity,), np.int64),
        body=lane_array((capacity, CONTACT_BODY.WIDTH), np.int64),
        point_count=lane_array((capacity,), np.int64),
        normal=lane_array((capacity, 2)),
        point=lane_array((capacity, 2, 2)),
        separation=lane_array((capacity, 2)),
        friction=lane_array((capacity,)),
        restitution=lane_array((capacity,)),
        surface_speed=lane_array((capacity,)),
        rolling_resistance=lane_array((capacity,)),
        part=lane_array((capacity, 2), np.int64),
        enabled=lane_array((capacity,), np.bool_),
        missed=lane_array((capacity,), np.bool_),
        normal_impulse=lane_array((capacity, 2)),
        tangent_impulse=lane_array((capacity, 2)),
        approach_speed=lane_array((capacity, 2)),
    )
