"""The queries of a world: rays, shapes along a path, points, boxes, shapes, nearest entities.

A query sees every entity with a `Transform` and a `Collider` in its present state. That includes all writes to
components and all entities created, changed or deleted since the last step. After writing a row through a numpy view,
call `moved`. Between the systems of a step a query sees the state that the step works with.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.pose import Pose, pose_of, poses_of
from ecs_collide.geometry.vector import X, Y
from ecs_collide.queries import find_overlaps as of_overlaps, query_results as results, query_shapes as shapes
from ecs_collide.queries.query_runner import CastInside, Inside, QueryRunner, Where, new_contour_rows
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, number_rows, number_sequence, points, vector2


class WorldQueries:
    """Queries among the entities of a world, one at a time or many at once in arrays.

    All queries have these filters. `mask` holds the layers to search, `ignore` lists entities to leave out, and
    `sensors` includes sensors. `where` is a function of an entity that returns True if the query may find it. Entities
    are in ascending order unless the query defines another order. Touching counts as overlapping.
    """

    __slots__ = ("_place", "_runner")

    def __init__(self, runner: QueryRunner) -> None:
        """Make the queries that a runner runs."""
        self._runner = runner
        self._place = np.empty((1, 2))
        """Room for a query at one point."""

    def ray_cast(
        self,
        origin: Vector2,
        end: Vector2,
        *,
        inside: Inside = "start",
        mask: int = ALL_LAYERS,
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
        filters = self._runner.begin(mask, ignore, sensors, where)
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
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[results.Hit]:
        """Return all entities that the ray from `origin` to `end` [m] hits, each once, in the order along the ray."""
        ray = vector2(origin, "origin") + vector2(end, "end")
        with self._runner.begin(mask, ignore, sensors, where) as filters:
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
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Hits:
        """Return the first entity on each of many rays, as `ray_cast` does for one.

        `origins` and `ends` [m] are (n, 2), or one point for all rays (2,).

        Raises TypeError or ValueError if they are not points or differ in number.
        """
        rays = _side_by_side(points(origins, "origins"), points(ends, "ends"), ("origins", "ends"))
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.first_hits(rays, filters)

    def ray_casts_all(
        self,
        origins: np.typing.ArrayLike,
        ends: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.AllHits:
        """Return all entities on each of many rays; `origins` and `ends` [m] are (n, 2), or one point for all (2,)."""
        rays = _side_by_side(points(origins, "origins"), points(ends, "ends"), ("origins", "ends"))
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.all_hits(rays, True, filters)

    def shape_cast(
        self,
        shape: Shape,
        start: Pose,
        end: Pose,
        *,
        inside: CastInside = "start",
        mask: int = ALL_LAYERS,
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
        contour, motion = shapes.checked_shape(shape), (*pose_of(start, "start"), *pose_of(end, "end"))
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            hits = self._runner.first_touch(contour, np.array([motion]), inside, filters)
        entity = hits.entity.item()
        if not entity:
            return None
        point, normal = hits.point.tolist()[0], hits.normal.tolist()[0]
        return results.Hit(entity, hits.fraction.item(), (point[0], point[1]), (normal[0], normal[1]))

    def shape_casts(
        self,
        shape: Shape,
        starts: np.typing.ArrayLike,
        ends: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Hits:
        """Return the first entity that a shape touches on each of many paths, as `shape_cast` does for one.

        `starts` and `ends` are poses (n, 3), or one pose for all paths (3,).
        """
        contour = shapes.checked_shape(shape)
        motions = _side_by_side(poses_of(starts, "starts"), poses_of(ends, "ends"), ("starts", "ends"))
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.first_touches(contour, motions, filters)

    def point_query(
        self,
        point: Vector2,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[int]:
        """Return the entities whose shape contains a point [m]."""
        place = self._place
        place[0, X], place[0, Y] = vector2(point, "point")
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.overlaps_at_one(of_overlaps.find_at_points, (place,), (), filters)

    def point_queries(
        self,
        points: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Found:
        """Return the entities whose shape contains each of many points [m] (n, 2)."""
        places = number_rows(points, "points", 2)
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.overlaps(of_overlaps.find_at_points, (places,), (), filters)

    def aabb_query(
        self,
        box: tuple[float, float, float, float],
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[int]:
        """Return the entities whose shape overlaps an upright box (min_x, min_y, max_x, max_y) [m].

        Raises ValueError if a minimum is above its maximum.
        """
        if hasattr(box, "right"):
            raise TypeError(
                f"box must be (min_x, min_y, max_x, max_y), got {box!r}, which holds x, y, width and height: "
                "write (rect.left, rect.top, rect.right, rect.bottom)"
            )
        sides = number_sequence(box, "box")
        if len(sides) != 4 or sides[0] > sides[2] or sides[1] > sides[3]:
            raise ValueError(f"box must be (min_x, min_y, max_x, max_y), no minimum above its maximum, got {box!r}")
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            places = np.array([sides]), shapes.UPRIGHT_BOX
            return self._runner.overlaps_at_one(
                of_overlaps.find_overlapping_boxes, places, (new_contour_rows(shapes.UPRIGHT_BOX),), filters
            )

    def aabb_queries(
        self,
        boxes: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Found:
        """Return the entities whose shape overlaps each of many upright boxes [m] (n, 4)."""
        sides = number_rows(boxes, "boxes", 4)
        if (sides[:, :2] > sides[:, 2:]).any():
            raise ValueError("boxes must be (min_x, min_y, max_x, max_y), no minimum above its maximum")
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            places = sides, shapes.UPRIGHT_BOX
            return self._runner.overlaps(
                of_overlaps.find_overlapping_boxes, places, (new_contour_rows(shapes.UPRIGHT_BOX),), filters
            )

    def shape_query(
        self,
        shape: Shape,
        pose: Pose,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[int]:
        """Return the entities whose shape overlaps a shape at a pose. Raises ValueError for an unbounded shape."""
        contour, there = shapes.checked_shape(shape), np.array([pose_of(pose, "pose")])
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.overlaps_at_one(
                of_overlaps.find_overlapping_shape, (there, contour), (new_contour_rows(contour),), filters
            )

    def shape_queries(
        self,
        shape: Shape,
        poses: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Found:
        """Return the entities whose shape overlaps a shape at each of many poses (n, 3)."""
        contour, places = shapes.checked_shape(shape), np.atleast_2d(poses_of(poses, "poses"))
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.overlaps(
                of_overlaps.find_overlapping_shape, (places, contour), (new_contour_rows(contour),), filters
            )

    def nearest(
        self,
        point: Vector2,
        count: int = 1,
        reach: float = inf,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[results.Near]:
        """Return the `count` entities nearest to a point, within `reach` [m], sorted by distance, then by id."""
        place = np.array([vector2(point, "point")])
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            found = self._runner.nearest(place, count, reach, filters)
        rows = zip(found.entity[0].tolist(), found.distance[0].tolist(), found.point[0].tolist())
        return [results.Near(entity, distance, (x, y)) for entity, distance, (x, y) in rows if entity]

    def nearest_to_each(
        self,
        points: np.typing.ArrayLike,
        count: int = 1,
        reach: float = inf,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Nearest:
        """Return the `count` entities nearest to each of many points [m] (n, 2), as `nearest` does for one."""
        places = number_rows(points, "points", 2)
        with self._runner.begin(mask, ignore, sensors, where) as filters:
            return self._runner.nearest(places, count, reach, filters)


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
