"""Velocity of a body."""

from __future__ import annotations

from ecs_collide.components.view import View
from ecs_collide.data.bodies import VELOCITY
from ecs_collide.native import Field, Fields
from ecs_collide.validate import coordinate, finite, vector2


class Velocity(View):
    """Velocity of the centre of mass and angular velocity.

    An entity with a Velocity is dynamic unless its `RigidBody` has another kind. Without a `Collider` gravity, damping
    and forces move it, and it collides with nothing.
    """

    __slots__ = ()

    x = Field(VELOCITY.X, finite)
    """Velocity of the centre of mass along x [m/s]."""
    y = Field(VELOCITY.Y, finite)
    """Velocity of the centre of mass along y [m/s]."""
    angular = Field(VELOCITY.ANGULAR, finite)
    """Angular velocity [rad/s], counter-clockwise if y points up."""
    linear: Fields[tuple[float, float]] = Fields(VELOCITY.X, 2, vector2)
    """Velocity (x, y) [m/s]."""

    def __init__(self, x: float = 0.0, y: float = 0.0, angular: float = 0.0) -> None:
        if not self._init_plain(x, y, angular):
            self._init_numbers(
                coordinate(x, "Velocity.x"), finite(y, "Velocity.y"), finite(angular, "Velocity.angular")
            )
