"""Results of the queries of a world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ecs_collide.data.field_docs import document_fields
from ecs_collide.validate import Vector2


@document_fields
class Hit(NamedTuple):
    """The entity that a ray or a moving shape hits, and where."""

    entity: int
    """Entity that is hit."""
    fraction: float
    """Fraction of the path, 0 at its start, 1 at its end."""
    point: Vector2
    """Point of contact [m]."""
    normal: Vector2
    """Outward unit normal of the entity's surface, (0, 0) for a ray that starts inside."""


@document_fields
class Hits(NamedTuple):
    """The entities that many rays or moving shapes hit, as arrays with one row for each."""

    entity: np.ndarray
    """Entity that is hit, 0 for none (n,) int64."""
    fraction: np.ndarray
    """Fraction of the path, NaN for no hit (n,)."""
    point: np.ndarray
    """Point of contact [m], NaN for no hit (n, 2)."""
    normal: np.ndarray
    """Outward unit normal of the surface, (0, 0) if a ray starts inside, NaN for no hit (n, 2)."""


@document_fields
class AllHits(NamedTuple):
    """All hits of many rays or moving shapes: those of the first, then those of the second, each in order of its path.

    Rows starts[i] to starts[i + 1] - 1 belong to path i; `np.diff(starts)` is the number of hits of each path.
    """

    starts: np.ndarray
    """First row of each path, and the number of all hits (n + 1,) int64."""
    entity: np.ndarray
    """Entity that is hit (k,) int64."""
    fraction: np.ndarray
    """Fraction of the path (k,)."""
    point: np.ndarray
    """Point of contact [m] (k, 2)."""
    normal: np.ndarray
    """Outward unit normal of the surface (k, 2)."""


@document_fields
class Found(NamedTuple):
    """The entities at many places: those of the first place, then those of the second, each in ascending order.

    entity[starts[i] : starts[i + 1]] are the entities at place i; `np.diff(starts)` is the number at each place.
    """

    starts: np.ndarray
    """First row of each place, and the number of all rows (n + 1,) int64."""
    entity: np.ndarray
    """Entity (k,) int64."""


@document_fields
class Near(NamedTuple):
    """An entity and its distance from a point."""

    entity: int
    """Entity."""
    distance: float
    """Distance from the point to the entity's shape [m], 0 inside."""
    point: Vector2
    """Nearest point of the shape [m], the point itself inside."""


@document_fields
class Nearest(NamedTuple):
    """The entities nearest to many points, as arrays with one row for each point, sorted by distance."""

    entity: np.ndarray
    """Entity, 0 if there are no more (n, count) int64."""
    distance: np.ndarray
    """Distance [m], NaN if there are no more (n, count)."""
    point: np.ndarray
    """Nearest point of the shape [m], NaN if there are no more (n, count, 2)."""
