"""Creation of many entities in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from reprlib import repr as excerpt
from typing import Any

import esper
import numpy as np

from ecs_collide.common.gc_pause import GcPause
from ecs_collide.components import Collider, Transform, Velocity
from ecs_collide.hints import arguments_of, unknown_keyword
from ecs_collide.native.default_component import DefaultComponent
from ecs_collide.shapes import Shape
from ecs_collide.step.sync.watched_sets import create_entities
from ecs_collide.validate import LARGEST, LARGEST_ANGLE


def spawn(
    shape: Shape | Sequence[Shape],
    positions: np.typing.ArrayLike,
    *,
    angles: np.typing.ArrayLike = 0.0,
    velocities: np.typing.ArrayLike | None = None,
    angular_velocities: np.typing.ArrayLike | None = None,
    extra: Callable[[int], Iterable[Any]] | None = None,
    **collider: Any,
) -> list[int]:
    """Create an entity with Transform and Collider for each position, and return the entities.

    Args:
        shape: one shape for all entities, or one for each.
        positions: positions [m] (n, 2).
        angles: one angle [rad] for all, or one for each (n,).
        velocities: one velocity [m/s] for all (2,), or one for each (n, 2). With velocities of either sort each entity
            gets a Velocity.
        angular_velocities: one angular velocity [rad/s] for all, or one for each (n,).
        extra: function of k that returns further components for the k-th entity.
        collider: other keywords go to each `Collider`.

    Raises:
        ValueError: lengths differ or a number is not finite; no entity is created.
        TypeError: a value is no number or no shape; no entity is created.
    """
    _check_names(collider)
    if not isinstance(shape, Shape | Iterable):
        raise TypeError(f"shape must be a Shape, or one for each position, got {shape!r}")
    if extra is not None and not callable(extra):
        raise TypeError(f"extra must be a function of k that returns components, got {excerpt(extra)}")
    places = _array(positions, "positions")
    if places.shape == (0,):
        places = places.reshape(0, 2)
    if places.ndim != 2 or places.shape[1] != 2:
        one = ": write [(x, y)] for one entity" if places.shape == (2,) else ""
        raise ValueError(f"positions must have the shape (n, 2), got {places.shape}{one}")
    count = len(places)
    shapes = [shape] * count if isinstance(shape, Shape) else list(shape)
    if len(shapes) != count:
        raise ValueError(f"shape must be one Shape or {count} of them, one for each position, got {len(shapes)}")
    turns = _broadcast(angles, (count,), "angles")
    moves = velocities is not None or angular_velocities is not None
    speeds = _broadcast((0.0, 0.0) if velocities is None else velocities, (count, 2), "velocities")
    spins = _broadcast(0.0 if angular_velocities is None else angular_velocities, (count,), "angular_velocities")

    with GcPause():
        return _created(shapes, places, turns, speeds if moves else None, spins, extra, collider)


def _created(
    shapes: Sequence[Shape],
    places: np.ndarray,
    turns: np.ndarray,
    speeds: np.ndarray | None,
    spins: np.ndarray,
    extra: Callable[[int], Iterable[Any]] | None,
    collider: dict[str, Any],
) -> list[int]:
    """Create entities from checked arguments.

    The components of a kind are created together, so that they lie side by side in memory when a game reads them.
    """
    transforms = [Transform(x, y, angle) for (x, y), angle in zip(places.tolist(), turns.tolist(), strict=True)]
    colliders = _colliders(shapes, collider)
    by_kind: list[list[Any]] = [transforms, colliders]
    if speeds is not None:
        by_kind.append([Velocity(x, y, spin) for (x, y), spin in zip(speeds.tolist(), spins.tolist(), strict=True)])
    if extra is None:
        return create_entities(by_kind)
    others = [_extra_components(extra, k) for k in range(len(shapes))]
    return [esper.create_entity(*own, *more) for *own, more in zip(*by_kind, others, strict=True)]


def _colliders(shapes: Sequence[Shape], collider: dict[str, Any]) -> list[Collider]:
    """Return a collider for each shape, as copies of a first one that is checked."""
    if not shapes:
        return []
    first = Collider(shapes[0], **collider)
    model = DefaultComponent(first, ("shape",), (shapes[0],), len(Collider.__slots__))
    colliders = [Collider.__new__(Collider) for _ in shapes]
    for one, shape in zip(colliders, shapes, strict=True):
        one._init_from(model, shape)
    return colliders


def _array(value: np.typing.ArrayLike, name: str) -> np.ndarray:
    """Return a float array of finite numbers."""
    try:
        given = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be an array of numbers, got {excerpt(value)}: {error}") from None
    if given.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be numbers, got {excerpt(value)}")
    array = given.astype(np.float64)
    if not np.isfinite(array).all():
        where = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name} must be finite, got {array[where]} at {list(where)}")
    largest = LARGEST_ANGLE if name == "angles" else LARGEST
    if (np.abs(array) > largest).any():
        where = tuple(int(k) for k in np.argwhere(np.abs(array) > largest)[0])
        raise ValueError(f"{name} must not exceed {largest:g} in magnitude, got {array[where]} at {list(where)}")
    return array


def _broadcast(value: np.typing.ArrayLike, shape: tuple[int, ...], name: str) -> np.ndarray:
    """Return an array with a row for each entity, from one row for all or one for each."""
    array = _array(value, name)
    if array.shape not in (shape, shape[1:]):
        raise ValueError(f"{name} must fit the shape {shape}, got {array.shape}: give one for all or one for each")
    return np.broadcast_to(array, shape)


def _check_names(collider: dict[str, Any]) -> None:
    """Raise TypeError for a keyword that neither `spawn` nor `Collider` takes."""
    known = arguments_of(Collider)
    for word in collider:
        if word not in known:
            raise unknown_keyword("spawn", word, known | arguments_of(spawn))


def _extra_components(extra: Callable[[int], Iterable[Any]], k: int) -> tuple[Any, ...]:
    """Return the further components of the k-th entity."""
    components = extra(k)
    if not isinstance(components, Iterable):
        kind = type(components).__name__
        raise TypeError(f"extra({k}) must return a tuple of components, such as ({kind}(...),), got one {kind}")
    return tuple(components)
