"""Contact columns: this step's contact manifolds, one dense row each, between Narrowphase and the next.

A game's own processor between Narrowphase and Response may write `enabled`, `friction`, `restitution`,
`surface_speed`, `rolling_resistance`, `normal` and `separation`: the response takes what it finds.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.kernels.arrays import Flags, FloatCube, Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle


class Contacts(Bundle):
    """This step's contacts; every array has one row per contact, the second axis is the manifold's point."""

    pair: Ints
    """Slot of the pair (m,) int64."""
    body: IntTable
    """Body rows of A and B (m, 2) int64."""
    point_count: Ints
    """1 or 2 (m,) int64."""
    normal: FloatTable
    """Unit normal from A to B (m, 2)."""
    point: FloatCube
    """World position half way between the surfaces [m] (m, 2, 2)."""
    separation: FloatTable
    """Gap, negative where they overlap [m] (m, 2)."""
    friction: Floats
    """Combined coefficient of friction (m,)."""
    restitution: Floats
    """Combined coefficient of restitution (m,)."""
    surface_speed: Floats
    """How fast the surfaces carry B against A along (normal_y, -normal_x) [m/s] (m,)."""
    rolling_resistance: Floats
    """Combined coefficient of rolling resistance (m,)."""
    enabled: Flags
    """False: no response in this step (m,) bool."""
    normal_impulse: FloatTable
    """Impulse of the whole step along the normal, known after Response [N s] (m, 2)."""
    tangent_impulse: FloatTable
    """Friction impulse of the whole step along (normal_y, -normal_x) [N s] (m, 2)."""
    approach_speed: FloatTable
    """Speed along the normal at which the surfaces approached before the contact acted, known after Response [m/s]
    (m, 2)."""


def contact_arrays(capacity: int) -> Contacts:
    """Empty contact columns for `capacity` contacts."""
    return Contacts(
        pair=np.zeros(capacity, np.int64),
        body=np.zeros((capacity, 2), np.int64),
        point_count=np.zeros(capacity, np.int64),
        normal=np.zeros((capacity, 2)),
        point=np.zeros((capacity, 2, 2)),
        separation=np.zeros((capacity, 2)),
        friction=np.zeros(capacity),
        restitution=np.zeros(capacity),
        surface_speed=np.zeros(capacity),
        rolling_resistance=np.zeros(capacity),
        enabled=np.zeros(capacity, np.bool_),
        normal_impulse=np.zeros((capacity, 2)),
        tangent_impulse=np.zeros((capacity, 2)),
        approach_speed=np.zeros((capacity, 2)),
    )
