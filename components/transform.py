"""Position and angle of an entity."""

from __future__ import annotations

from ecs_collide import validate
from ecs_collide.components.view import View
from ecs_collide.data.bodies import POSE
from ecs_collide.native import Field, Fields
from ecs_collide.validate import LARGEST_ANGLE, coordinate, finite, vector2


class Transform(View):
    """Position and angle of an entity's origin.

    Writing to it teleports the body, without collisions on the way. A body that the game moves each frame should be
    kinematic. Its Velocity or `PhysicsWorld.move_to` should move it, so that it pushes other bodies.

    Components are compared by identity: `Transform(1, 2) == Transform(1, 2)` is False. Compare `pose` instead.
    """

    __slots__ = ()

    x = Field(POSE.X, finite)
    """Position along x [m]."""
    y = Field(POSE.Y, finite)
    """Position along y [m]."""
    angle = Field(POSE.ANGLE, validate.angle, -LARGEST_ANGLE, LARGEST_ANGLE)
    """Angle [rad], counter-clockwise if y points up, between ±1e15."""
    position: Fields[tuple[float, float]] = Fields(POSE.X, 2, vector2)
    """Position (x, y) [m]."""
    pose: Fields[tuple[float, float, float]] = Fields(POSE.X, 3)
    """Position and angle (x, y, angle) [m, m, rad] in one read."""

    def __init__(self, x: float = 0.0, y: float = 0.0, angle: float = 0.0) -> None:
        if not self._init_plain(x, y, angle):
            turn = validate.angle(angle, "Transform.angle")
            self._init_numbers(coordinate(x, "Transform.x"), finite(y, "Transform.y"), turn)
