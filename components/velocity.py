"""How fast an entity moves."""

from __future__ import annotations

from typing import Any

from ecs_collide.components.view import View
from ecs_collide.validate import coordinate, finite, vector2


class Velocity(View):
    """Velocity of the centre of mass [m/s] and angular velocity [rad/s].

    An entity that has one is dynamic unless its `RigidBody` says otherwise. Without a `Collider` it moves
    (gravity, damping, forces) and meets nothing.
    """

    __slots__ = ()

    def __init__(self, x: float = 0.0, y: float = 0.0, angular: float = 0.0) -> None:
        super().__init__([coordinate(x, "Velocity.x"), finite(y, "Velocity.y"), finite(angular, "Velocity.angular")])

    @property
    def x(self) -> float:
        return self._cells.values[self._at]

    @x.setter
    def x(self, value: float) -> None:
        self._write(0, value, "x")

    @property
    def y(self) -> float:
        return self._cells.values[self._at + 1]

    @y.setter
    def y(self, value: float) -> None:
        self._write(1, value, "y")

    @property
    def angular(self) -> float:
        return self._cells.values[self._at + 2]

    @angular.setter
    def angular(self, value: float) -> None:
        self._write(2, value, "angular")

    @property
    def linear(self) -> tuple[float, float]:
        """(x, y) [m/s]."""
        values, at = self._cells.values, self._at
        return values[at], values[at + 1]

    @linear.setter
    def linear(self, value: tuple[float, float]) -> None:
        x, y = self._checked(vector2, value, "linear")
        self._write(0, x, "x")
        self._write(1, y, "y")

    def _arguments(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "angular": self.angular}
