"""A character that the game steers, and that stops at walls."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

from ecs_collide.components.collider import ALL_LAYERS


@dataclass(slots=True, eq=False)
class CharacterController:
    """Wishes for an entity that `systems.MoveCharacters` moves in each step, and how it fared.

    The game writes `velocity`, which that system replaces by what is left of it; add gravity to it in each frame. What
    the other fields mean is told by `PhysicsWorld.move_and_slide`.
    """

    velocity: tuple[float, float] = (0.0, 0.0)
    """[m/s], seen from the floor while it stands on one, and then across `up`."""
    up: tuple[float, float] | None = (0.0, 1.0)
    """None where the game is seen from above."""
    max_slope: float = pi / 4.0
    """[rad]."""
    step_height: float = 0.0
    """[m]."""
    snap: float | None = None
    """[m]."""
    drop_through: bool = False
    """Whether it falls through what is `one_way`, as long as this is True."""
    mask: int = ALL_LAYERS
    on_floor: bool = field(default=False, init=False)
    on_wall: bool = field(default=False, init=False)
    on_ceiling: bool = field(default=False, init=False)
    floor: int | None = field(default=None, init=False)
    """The entity that it stands on."""
    floor_velocity: tuple[float, float] = field(default=(0.0, 0.0), init=False)
    """[m/s]."""
