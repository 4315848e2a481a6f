"""Constant forces on a body."""

from __future__ import annotations

from typing import Any

from ecs_collide.components.view import View
from ecs_collide.native import Field
from ecs_collide.validate import coordinate, finite


class Force(View):
    """Constant external force at the centre of mass and torque, which act until changed."""

    __slots__ = ()

    x = Field(0, finite)
    """Force along x [N]."""
    y = Field(1, finite)
    """Force along y [N]."""
    torque = Field(2, finite)
    """Torque [N m], counter-clockwise if y points up."""

    def __init__(self, x: float = 0.0, y: float = 0.0, torque: float = 0.0) -> None:
        if not self._init_plain(x, y, torque):
            self._init_numbers(coordinate(x, "Force.x"), finite(y, "Force.y"), finite(torque, "Force.torque"))

    def _arguments(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "torque": self.torque}
