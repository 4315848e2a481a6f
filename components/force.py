"""Constant forces on a body."""

from __future__ import annotations

from ecs_collide.components.view import View
from ecs_collide.data.bodies import FORCE
from ecs_collide.native import Field
from ecs_collide.validate import coordinate, finite


class Force(View):
    """Constant external force at the centre of mass and torque, which act until changed."""

    __slots__ = ()

    x = Field(FORCE.X, finite)
    """Force along x [N]."""
    y = Field(FORCE.Y, finite)
    """Force along y [N]."""
    torque = Field(FORCE.TORQUE, finite)
    """Torque [N m], counter-clockwise if y points up."""

    def __init__(self, x: float = 0.0, y: float = 0.0, torque: float = 0.0) -> None:
        if not self._init_plain(x, y, torque):
            self._init_numbers(coordinate(x, "Force.x"), finite(y, "Force.y"), finite(torque, "Force.torque"))
