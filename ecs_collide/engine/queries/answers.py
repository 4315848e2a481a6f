"""What the questions to a world answer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.validate import Vector2


class Hit(NamedTuple):
    """The entity that a ray or a moved shape meets, and where."""

    entity: int
    fraction: float
    """0 at the start of the way, 1 at its end."""
    point: Vector2
    """Where they touch [m]."""
    normal: Vector2
    """Outward unit normal of the entity's surface; (0, 0) for a ray that starts inside."""


class Hits(NamedTuple):
    """The same for many rays, as arrays with one row for each."""

    entity: np.ndarray
    """The entity, 0 where a ray meets nothing (n,) int64."""
    fraction: np.ndarray
    """NaN where a ray meets nothing (n,)."""
    point: np.ndarray
    """NaN where a ray meets nothing [m] (n, 2)."""
    normal: np.ndarray
    """(0, 0) where a ray starts inside, NaN where it meets nothing (n, 2)."""


class Near(NamedTuple):
    """An entity and how far it is."""

    entity: int
    distance: float
    """From the point to the entity's shape, 0 inside [m]."""
    point: Vector2
    """The nearest point of the shape, the point itself inside [m]."""
