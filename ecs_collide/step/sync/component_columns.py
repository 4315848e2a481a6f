"""Columns of the two tables that `read_components` of `ecs_collide.native` writes: the values of components."""

from __future__ import annotations

from ecs_collide.data.bodies import FILTER, LIMIT, RULE, SURFACE
from ecs_collide.kernels.layout import layout

INTEGERS = layout(
    "component integers",
    KIND="BodyKind of the body, or NO_BODY; static for an attached collider",
    PRESENT="bits that say which components and settings are present",
    FILTER=("layer, mask and the other numbers of a Collider's filter; zeros if it is disabled", FILTER.WIDTH),
    RULE=("combine rules of a Collider", RULE.WIDTH),
)

NUMBERS = layout(
    "component numbers",
    DENSITY="of the Collider [kg/m^2]",
    MASS="of the RigidBody [kg]; NaN if it is not set",
    INERTIA="of the RigidBody [kg m^2]; NaN if it is not set",
    ONE_WAY=("direction of a one-way Collider; zeros for others", 2),
    SURFACE=("surface speed [m/s] and rolling resistance of the Collider", SURFACE.WIDTH),
    LIMIT=(
        "max_speed [m/s], max_angular_speed [rad/s] and sleep_speed [m/s] of the RigidBody; NaN if not set",
        LIMIT.WIDTH,
    ),
)

NO_BODY = -1
"""The `KIND` of an entity that takes no part in physics."""

HAS_COLLIDER, HAS_RIGID_BODY, HAS_FORCE, IS_BULLET, LOCKS_X, LOCKS_Y, LOCKS_ROTATION, STAYS_AWAKE = (
    1 << k for k in range(8)
)
"""Bits of `PRESENT`: components of the entity, and settings of its RigidBody."""
