"""What became of a character that was moved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.validate import Vector2


class SlideHit(NamedTuple):
    """A surface that a character ran into and slid along."""

    entity: int
    fraction: float
    """When, 0 at the start of the time and 1 at its end."""
    normal: Vector2
    """Outward unit normal of the entity's surface."""


class Slide(NamedTuple):
    """Where a character is after `move_and_slide`, and how it stands."""

    position: Vector2
    """Of its origin, which it has been moved to [m]."""
    velocity: Vector2
    """What is left of its velocity [m/s]: on a floor the part across `up`, seen from that, else all, from the world."""
    on_floor: bool
    on_wall: bool
    """Whether it ran into what is too steep to stand on, or is squeezed by that; `on_ceiling` alike."""
    on_ceiling: bool
    floor: int | None
    """The entity that it stands on."""
    floor_velocity: Vector2
    """Of that where it stands, (0, 0) in the air [m/s]."""
    hits: tuple[SlideHit, ...]
    """What it ran into, in order."""


class Slides(NamedTuple):
    """The same of many characters, as arrays with one row for each."""

    position: np.ndarray
    """[m] (n, 2)."""
    velocity: np.ndarray
    """[m/s] (n, 2)."""
    on_floor: np.ndarray
    """(n,) bool."""
    on_wall: np.ndarray
    """(n,) bool."""
    on_ceiling: np.ndarray
    """(n,) bool."""
    floor: np.ndarray
    """0 in the air (n,) int64."""
    floor_velocity: np.ndarray
    """[m/s] (n, 2)."""
