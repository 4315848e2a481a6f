"""Where an entity is."""

from __future__ import annotations

from typing import Any

from ecs_collide import validate
from ecs_collide.components.view import View
from ecs_collide.validate import coordinate, finite, vector2


class Transform(View):
    """Position [m] and angle [rad, counter-clockwise; up to 1e15] of an entity's origin.

    Writing is a teleport: the body is put there, without a collision on the way.
    """

    __slots__ = ()

    def __init__(self, x: float = 0.0, y: float = 0.0, angle: float = 0.0) -> None:
        turn = validate.angle(angle, "Transform.angle")
        super().__init__([coordinate(x, "Transform.x"), finite(y, "Transform.y"), turn])

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
    def angle(self) -> float:
        return self._cells.values[self._at + 2]

    @angle.setter
    def angle(self, value: float) -> None:
        self._write(2, self._checked(validate.angle, value, "angle"), "angle")

    @property
    def position(self) -> tuple[float, float]:
        """(x, y) [m]."""
        values, at = self._cells.values, self._at
        return values[at], values[at + 1]

    @position.setter
    def position(self, value: tuple[float, float]) -> None:
        x, y = self._checked(vector2, value, "position")
        self._write(0, x, "x")
        self._write(1, y, "y")

    @property
    def pose(self) -> tuple[float, float, float]:
        """(x, y, angle) [m, m, rad] in one read."""
        values, at = self._cells.values, self._at
        return values[at], values[at + 1], values[at + 2]

    def _arguments(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "angle": self.angle}
