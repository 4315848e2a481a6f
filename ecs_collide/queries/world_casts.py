"""The casts of a world: rays, and shapes that move along a path.

They see the world and have the filters that `WorldQueries` describes.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.pose import Pose, pose_of, poses_of
from ecs_collide.queries import query_results as results, query_shapes as shapes
from ecs_collide.queries.query_runner import CAST_INSIDE, CastInside, Inside, QueryRunner, Where, check_inside
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, points, vector2


class WorldCasts:
    """Rays and moving shapes among the entities of a world, one at a time or many at once in arrays."""

    __slots__ = ("_runner",)

    def __init__(self, runner: QueryRunner) -> None:
        """Make the casts that a runner runs."""
        self._runner = runner

    def ray_cast(
        self,
        origin: Vector2,
        end: Vector2,
        *,
        inside: Inside = "start",
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Hit | None:
        """Return the first entity that the ray from `origin` to `end` [m] hits, or None.

        A ray that starts inside an entity hits it at fraction 0, with the normal (0, 0). With `inside="skip"` it passes
        through that entity, and with `inside="exit"` it hits the entity where it leaves it. A ray that starts on a
        surface and goes in hits it at fraction 0. Of several entities at one place the lowest id counts.

        Raises TypeError or ValueError, naming the argument, for a bad argument.
        """
        ray = vector2(origin, "origin") + vector2(end, "end")
        filters = self._runner.begin(mask, layer, ignore, sensors, where)
        if filters.hides_nothing and inside == "start":
            return self._runner.first_hit(ray, True, filters)
        with filters:
            exits = self._runner.find_exits(ray, inside, filters)
            while True:
                hit = self._runner.first_hit(ray, inside == "start", filters)
                if hit is None or filters.accepts(hit.entity):
                    break
                filters.hide(hit.entity)
        return min([*exits, hit] if hit else exits, key=_by_place) if exits else hit

    def ray_cast_all(
        self,
        origin: Vector2,
        end: Vector2,
        *,
        inside: Inside = "start",
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[results.Hit]:
        """Return all entities that the ray from `origin` to `end` [m] hits, each once, in the order along the ray."""
        ray = vector2(origin, "origin") + vector2(end, "end")
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            hits = self._runner.find_exits(ray, inside, filters)
            _, *columns = self._runner.all_hits(np.array([ray]), inside == "start", filters)
        for entity, u, point, normal in zip(*(column.tolist() for column in columns)):
            hits.append(results.Hit(entity, u, tuple(point), tuple(normal)))
        return sorted(hits, key=_by_place)

    def ray_casts(
        self,
        origins: np.typing.ArrayLike,
        ends: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Hits:
        """Return the first entity on each of many rays, as `ray_cast` does for one.

        `origins` and `ends` [m] are (n, 2), or one point for all rays (2,).

        Raises TypeError or ValueError if they are not points or differ in number.
        """
        rays = _side_by_side(points(origins, "origins"), points(ends, "ends"), ("origins", "ends"))
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.first_hits(rays, filters)

    def ray_casts_all(
        self,
        origins: np.typing.ArrayLike,
        ends: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.AllHits:
        """Return all entities on each of many rays; `origins` and `ends` [m] are (n, 2), or one point for all (2,)."""
        rays = _side_by_side(points(origins, "origins"), points(ends, "ends"), ("origins", "ends"))
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.all_hits(rays, True, filters)

    def shape_cast(
        self,
        shape: Shape,
        start: Pose,
        end: Pose,
        *,
        inside: CastInside = "start",
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Hit | None:
        """Return the first entity that a shape touches on its path from pose to pose, or None.

        x, y and angle each change evenly. A shape that touches an entity at the start hits it at fraction 0, whichever
        way it moves. The normal is then the direction of least penetration. With `inside="skip"` it passes through the
        entities that it touches at the start. `time_of_impact` documents the accuracy.

        Raises TypeError or ValueError, naming the argument, for a bad argument, and ValueError for an unbounded shape.
        """
        contour = shapes.checked_shape(shape)
        motion = (*pose_of(start, "start"), *pose_of(end, "end"))
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            hits = self._runner.first_touch(contour, np.array([motion]), inside, filters)
        entity = hits.entity.item()
        if not entity:
            return None
        point, normal = hits.point.tolist()[0], hits.normal.tolist()[0]
        return results.Hit(entity, hits.fraction.item(), (point[0], point[1]), (normal[0], normal[1]))

    def shape_cast_all(
        self,
        shape: Shape,
        start: Pose,
        end: Pose,
        *,
        inside: CastInside = "start",
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[results.Hit]:
        """Return all entities that a shape touches on its path from pose to pose, each once, in the order of the path.

        The path ends at no entity, and each is hit where `shape_cast` would hit it if it was alone. With
        `inside="skip"` the entities that the shape touches at the start are left out.

        Raises TypeError or ValueError, naming the argument, for a bad argument, and ValueError for an unbounded shape.
        """
        check_inside(inside, CAST_INSIDE)
        contour = shapes.checked_shape(shape)
        motion = (*pose_of(start, "start"), *pose_of(end, "end"))
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            _, *columns = self._runner.all_touches(contour, np.array([motion]), filters)
        return [
            results.Hit(entity, u, tuple(point), tuple(normal))
            for entity, u, point, normal in zip(*(column.tolist() for column in columns))
            if inside == "start" or u != 0.0
        ]

    def shape_casts(
        self,
        shape: Shape,
        starts: np.typing.ArrayLike,
        ends: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Hits:
        """Return the first entity that a shape touches on each of many paths, as `shape_cast` does for one.

        `starts` and `ends` are poses (n, 3), or one pose for all paths (3,).
        """
        contour = shapes.checked_shape(shape)
        motions = _side_by_side(poses_of(starts, "starts"), poses_of(ends, "ends"), ("starts", "ends"))
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.first_touches(contour, motions, filters)

    def shape_casts_all(
        self,
        shape: Shape,
        starts: np.typing.ArrayLike,
        ends: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.AllHits:
        """Return all entities that a shape touches on each of many paths, as `shape_cast_all` does for one.

        `starts` and `ends` are poses (n, 3), or one pose for all paths (3,).
        """
        contour = shapes.checked_shape(shape)
        motions = _side_by_side(poses_of(starts, "starts"), poses_of(ends, "ends"), ("starts", "ends"))
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.all_touches(contour, motions, filters)


def _by_place(hit: results.Hit) -> tuple[float, int]:
    return hit.fraction, hit.entity


def _side_by_side(starts: np.ndarray, ends: np.ndarray, names: tuple[str, str]) -> np.ndarray:
    """Return starts and ends side by side (n, 2 k); each is (n, k), or (k,) for all rows."""
    if starts.ndim == ends.ndim == 2 and len(starts) != len(ends):
        raise ValueError(f"{names[0]} and {names[1]} must be equally many, got {len(starts)} and {len(ends)}")
    width = starts.shape[-1]
    both = np.empty((len(starts) if starts.ndim == 2 else len(ends) if ends.ndim == 2 else 1, 2 * width))
    both[:, :width], both[:, width:] = starts, ends
    return both
