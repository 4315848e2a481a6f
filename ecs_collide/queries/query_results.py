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
    """The same for many rays or motions, as arrays with one row for each."""

    entity: np.ndarray
    """The entity, 0 where nothing is met (n,) int64."""
    fraction: np.ndarray
    """NaN where nothing is met (n,)."""
    point: np.ndarray
    """NaN where nothing is met [m] (n, 2)."""
    normal: np.ndarray
    """(0, 0) where a ray starts inside, NaN where nothing is met (n, 2)."""


class AllHits(NamedTuple):
    """Everything that many rays meet, one ray's hits behind the other's, each in the order of the way.

    Those of ray i are the rows from starts[i] on and before starts[i + 1]; `np.diff(starts)` says how many they are.
    """

    starts: np.ndarray
    """Where each ray's hits begin, and where the last one's end (n + 1,) int64."""
    entity: np.ndarray
    """(k,) int64."""
    fraction: np.ndarray
    """(k,)."""
    point: np.ndarray
    """[m] (k, 2)."""
    normal: np.ndarray
    """(k, 2)."""


class Found(NamedTuple):
    """The entities at many places, one place's behind the other's, each in ascending order.

    Those at place i are entity[starts[i] : starts[i + 1]]; `np.diff(starts)` says how many they are.
    """

    starts: np.ndarray
    """Where each place's entities begin, and where the last one's end (n + 1,) int64."""
    entity: np.ndarray
    """(k,) int64."""


class Near(NamedTuple):
    """An entity and how far it is."""

    entity: int
    distance: float
    """From the point to the entity's shape, 0 inside [m]."""
    point: Vector2
    """The nearest point of the shape, the point itself inside [m]."""


class Nearest(NamedTuple):
    """The same for many points, as arrays with one row for each, by distance from left to right."""

    entity: np.ndarray
    """0 where there are no more (n, count) int64."""
    distance: np.ndarray
    """NaN where there are no more [m] (n, count)."""
    point: np.ndarray
    """NaN where there are no more [m] (n, count, 2)."""
