"""Characters that the game steers and that stop at obstacles."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, pi
from typing import Literal, TypeAlias

from ecs_collide.components.collider import ALL_LAYERS, checked_mask
from ecs_collide.data.field_docs import document_fields
from ecs_collide.hints import Hinting
from ecs_collide.shapes.short_repr import short_field_repr
from ecs_collide.validate import Vector2, finite, flag, non_negative, vector2

STEEPEST = pi / 2.0 - 1e-3
"""Largest `max_slope` [rad]."""


Up: TypeAlias = Vector2 | Literal["gravity"] | None
"""Direction away from the ground; None in a game that is seen from above."""


def checked_up(value: object, name: str) -> Up:
    """Return the direction away from the ground. Raises TypeError or ValueError, naming the argument."""
    if value is None or (isinstance(value, str) and value == "gravity"):
        return None if value is None else "gravity"
    if isinstance(value, str):
        raise TypeError(f"{name} must be a direction (x, y), 'gravity', or None, got {value!r}")
    x, y = vector2(value, name)
    if x == y == 0.0:
        raise ValueError(f"{name} must not be (0, 0): write None if the game is seen from above")
    return x, y


def checked_slope(value: object, name: str) -> float:
    """Return the steepest slope of a floor [rad]. Raises TypeError or ValueError, naming the argument."""
    slope = finite(value, name)
    if not 0.0 <= slope <= STEEPEST:
        raise ValueError(f"{name} must lie between 0 and a little less than a right angle, got {value}")
    return slope


def checked_brace(value: object, name: str) -> float:
    """Return a brace force [N], which may be infinite. Raises TypeError or ValueError, naming the argument."""
    return inf if value == inf else non_negative(value, name)


@document_fields
@dataclass(slots=True, eq=False, repr=False)
class CharacterController(Hinting):
    """Movement of an entity that `systems.MoveCharacters` moves in each step, and its result.

    The game writes `velocity`, and the system replaces it by the velocity that is left; add gravity in each frame.
    `PhysicsWorld.move_and_slide` documents the rules in detail. A bad argument raises TypeError or ValueError at
    once, and a bad value that is written later in the next step.
    """

    velocity: tuple[float, float] = (0.0, 0.0)
    """Velocity [m/s]; while the entity stands on a floor, relative to the floor and across `up`."""
    up: Up = "gravity"
    """Direction away from the ground; None if the game is seen from above. By default it is against gravity."""
    max_slope: float = pi / 4.0
    """Steepest slope of a floor [rad]."""
    step_height: float = 0.0
    """Greatest height of a step that the entity climbs [m]."""
    snap: float | None = None
    """Distance by which the entity follows the floor down [m].

    None: 0.1 m times `length_unit`, or `step_height` if that is greater.
    """
    drop_through: bool = False
    """True while the entity falls through `one_way` colliders."""
    mask: int = ALL_LAYERS
    """Layers of the obstacles, as bits."""
    mass: float | None = None
    """Mass by which the entity bears on dynamic floors [kg]; None: that of its RigidBody or collider."""
    push_force: float | None = None
    """Greatest force by which the entity pushes dynamic bodies [N]; None: its weight."""
    brace_force: float | None = None
    """Force by which the entity withstands dynamic bodies that run into it [N]; None: its weight; inf: all of them."""
    on_floor: bool = field(default=False, init=False)
    """True if the entity stands on a floor."""
    on_wall: bool = field(default=False, init=False)
    """True if the entity hit a wall or is squeezed by one."""
    on_ceiling: bool = field(default=False, init=False)
    """True if the entity hit a ceiling or is squeezed by one."""
    floor: int | None = field(default=None, init=False)
    """Entity of the floor, None in the air."""
    floor_velocity: tuple[float, float] = field(default=(0.0, 0.0), init=False)
    """Velocity of the floor at the contact [m/s]."""

    def __post_init__(self) -> None:
        vector2(self.velocity, "CharacterController.velocity")
        checked_up(self.up, "CharacterController.up")
        checked_slope(self.max_slope, "CharacterController.max_slope")
        non_negative(self.step_height, "CharacterController.step_height")
        flag(self.drop_through, "CharacterController.drop_through")
        checked_mask(self.mask, "CharacterController.mask")
        for name, check in (
            ("snap", non_negative),
            ("mass", non_negative),
            ("push_force", non_negative),
            ("brace_force", checked_brace),
        ):
            value = getattr(self, name)
            if value is not None:
                check(value, f"CharacterController.{name}")

    def __repr__(self) -> str:
        """Return the arguments and results that differ from those of a new controller."""
        return short_field_repr(self)
