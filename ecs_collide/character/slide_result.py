"""Results of moving characters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.data.field_docs import document_fields
from ecs_collide.validate import Vector2


@document_fields
class SlideHit(NamedTuple):
    """A surface that a character hit and along which it slid."""

    entity: int
    """Entity that it hit."""
    fraction: float
    """Fraction of the time, 0 at its start and 1 at its end."""
    normal: Vector2
    """Outward unit normal of the entity's surface."""
    push: float = 0.0
    """Force by which the character pushes the entity [N], 0 if it is not dynamic."""


@document_fields
class Slide(NamedTuple):
    """The result of `move_and_slide`: position, remaining velocity, and contact with floors and walls."""

    position: Vector2
    """New position of the origin [m]."""
    velocity: Vector2
    """Remaining velocity [m/s]: on a floor the part across `up`, relative to the floor, else all, in the world."""
    on_floor: bool
    """True if it stands on a floor."""
    on_wall: bool
    """True if it hit a wall, which is too steep to stand on, or is squeezed by one."""
    on_ceiling: bool
    """True if it hit a ceiling, or is squeezed by one."""
    floor: int | None
    """Entity of the floor, None in the air."""
    floor_velocity: Vector2
    """Velocity of the floor's surface at the contact [m/s], with its `surface_speed`; (0, 0) in the air."""
    hits: tuple[SlideHit, ...]
    """Surfaces that it hit, in order."""
    floor_normal: Vector2 = (0.0, 0.0)
    """Outward unit normal of the floor, (0, 0) in the air."""


@document_fields
class Slides(NamedTuple):
    """The results of moving many characters, as arrays with one row for each."""

    position: np.ndarray
    """New position of the origin [m] (n, 2)."""
    velocity: np.ndarray
    """Remaining velocity [m/s]: on a floor the part across `up`, relative to the floor, else all, in the world (n, 2).
    """
    on_floor: np.ndarray
    """True if it stands on a floor (n,) bool."""
    on_wall: np.ndarray
    """True if it hit a wall or is squeezed by one (n,) bool."""
    on_ceiling: np.ndarray
    """True if it hit a ceiling or is squeezed by one (n,) bool."""
    floor: np.ndarray
    """Entity of the floor, 0 in the air (n,) int64."""
    floor_velocity: np.ndarray
    """Velocity of the floor's surface at the contact [m/s], with its `surface_speed`; (0, 0) in the air (n, 2)."""
    floor_normal: np.ndarray
    """Outward unit normal of the floor, (0, 0) in the air (n, 2)."""


@document_fields
class Ground(NamedTuple):
    """Ground on which a body or a character stands."""

    entity: int
    """Entity of the floor."""
    normal: Vector2
    """Outward unit normal of the floor."""
    velocity: Vector2
    """Velocity at which the floor carries it [m/s]: that of the floor at this point, and the `surface_speed` there."""
    point: Vector2
    """Place on the floor at which it stands [m], the middle if it touches along an edge."""
