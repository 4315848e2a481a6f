"""Where an entity is."""

from __future__ import annotations

from typing import Any

from ecs_collide import validate
from ecs_collide.components.view import View
from ecs_collide.data.native import Field, Fields
from ecs_collide.validate import LARGEST_ANGLE, coordinate, finite, vector2


class Transform(View):
    """Position [m] and angle [rad, counter-clockwise; up to 1e15] of an entity's origin.

    Writing is a teleport: the body is put there, without a collision on the way.
    """

    __slots__ = ()

    x = Field(0, finite)
    y = Field(1, finite)
    angle = Field(2, validate.angle, -LARGEST_ANGLE, LARGEST_ANGLE)
    position: Fields[tuple[float, float]] = Fields(0, 2, vector2)
    """(x, y) [m]."""
    pose: Fields[tuple[float, float, float]] = Fields(0, 3)
    """(x, y, angle) [m, m, rad] in one read."""

    def __init__(self, x: float = 0.0, y: float = 0.0, angle: float = 0.0) -> None:
        if not self._take(x, y, angle):
            turn = validate.angle(angle, "Transform.angle")
            self._hold(coordinate(x, "Transform.x"), finite(y, "Transform.y"), turn)

    def _arguments(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "angle": self.angle}
