"""How fast an entity moves."""

from __future__ import annotations

from typing import Any

from ecs_collide.components.view import View
from ecs_collide.data.native import Field, Fields
from ecs_collide.validate import coordinate, finite, vector2


class Velocity(View):
    """Velocity of the centre of mass [m/s] and angular velocity [rad/s].

    An entity that has one is dynamic unless its `RigidBody` says otherwise. Without a `Collider` it moves
    (gravity, damping, forces) and meets nothing.
    """

    __slots__ = ()

    x = Field(0, finite)
    y = Field(1, finite)
    angular = Field(2, finite)
    linear: Fields[tuple[float, float]] = Fields(0, 2, vector2)
    """(x, y) [m/s]."""

    def __init__(self, x: float = 0.0, y: float = 0.0, angular: float = 0.0) -> None:
        if not self._take(x, y, angular):
            self._hold(coordinate(x, "Velocity.x"), finite(y, "Velocity.y"), finite(angular, "Velocity.angular"))

    def _arguments(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "angular": self.angular}
