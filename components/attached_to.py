"""A place on another entity's body, to which the collider of an entity belongs."""

from __future__ import annotations

from ecs_collide import validate
from ecs_collide.components.view import View
from ecs_collide.native import Value
from ecs_collide.native.default_component import default_component
from ecs_collide.validate import coordinate, entity_id, finite


class AttachedTo(View):
    """Attaches the Collider of its entity to another entity's body; a game may change all attributes at any time.

    The collider keeps its own filter, material, sensor and events. It moves with the body, and pushes on it act on the
    body. A solid collider adds its mass to the body's, a sensor does not. The entity needs a Collider, and has no
    Velocity, RigidBody or Force. If it has a Transform, each step writes the place of the collider to it.

    When the body is deleted, the collider is in no body until `body` names another one.

    Args:
        body: entity with a Transform whose body the collider belongs to.
        x: place of the collider's origin in the body's axes from its origin, x [m].
        y: place of the collider's origin, y [m].
        angle: angle of the collider in the body's axes [rad].

    Raises TypeError or ValueError for values of a wrong type or size. The next step raises PhysicsError if the body is
    missing or is itself attached to a body.
    """

    __slots__ = ("_angle", "_body", "_worked_with", "_x", "_y")

    body = Value(entity_id)
    """Entity whose body the collider belongs to."""
    x = Value(coordinate)
    """Place of the collider's origin in the body's axes from its origin, x [m]."""
    y = Value(finite)
    """Place of the collider's origin in the body's axes from its origin, y [m]."""
    angle = Value(validate.angle)
    """Angle of the collider in the body's axes [rad]."""

    _worked_with: int | None
    """The body to which the collider belonged at the last step, or the last one that it lost."""

    def __init__(self, body: int, x: float = 0.0, y: float = 0.0, angle: float = 0.0) -> None:
        self._init_from(DEFAULT, body, x, y, angle)

    @property
    def place(self) -> tuple[float, float, float]:
        """Place of the collider's origin [m] and its angle [rad] in the body's axes."""
        return self.x, self.y, self.angle


DEFAULT = default_component(AttachedTo, 1)
DEFAULT.view._worked_with = None
