"""What pushes an entity all the time."""

from __future__ import annotations

from typing import Any

from ecs_collide.components.view import View
from ecs_collide.validate import coordinate, finite


class Force(View):
    """Constant external force at the centre of mass [N] and torque [N m], until changed."""

    __slots__ = ()

    def __init__(self, x: float = 0.0, y: float = 0.0, torque: float = 0.0) -> None:
        super().__init__([coordinate(x, "Force.x"), finite(y, "Force.y"), finite(torque, "Force.torque")])

    @property
    def x(self) -> float:
        return self._read(0)

    @x.setter
    def x(self, value: float) -> None:
        self._write(0, value, "x")

    @property
    def y(self) -> float:
        return self._read(1)

    @y.setter
    def y(self, value: float) -> None:
        self._write(1, value, "y")

    @property
    def torque(self) -> float:
        return self._read(2)

    @torque.setter
    def torque(self, value: float) -> None:
        self._write(2, value, "torque")

    def _arguments(self) -> dict[str, Any]:
        return {"x": self.x, "y": self.y, "torque": self.torque}
