"""The queries of a world at places: points, boxes, shapes, nearest entities; `world_casts.py` has those on paths.

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
from ecs_collide.queries.query_runner import QueryRunner, Where, new_contour_rows
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, number_rows, number_sequence, vector2


class WorldQueries:
    """Queries at places among the entities of a world, one at a time or many at once in arrays.

    All queries and casts have these filters. `mask` holds the layers to search, `ignore` lists entities to leave out,
    and `sensors` includes sensors. `where` is a function of an entity that returns True if the query may find it.
    Entities are in ascending order unless the query defines another order. Touching counts as overlapping.

    With a `layer`, a query is filtered as a collider of these layers would be. It finds colliders whose `mask` holds
    one of the layers, and colliders whose `sensor_mask` holds one count as sensors. Without it, their masks do not
    count. Groups never count.
    """

    __slots__ = ("_place", "_runner")

    def __init__(self, runner: QueryRunner) -> None:
        """Make the queries that a runner runs."""
        self._runner = runner
        self._place = np.empty((1, 2))
        """Room for a query at one point."""

    def point_query(
        self,
        point: Vector2,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[int]:
        """Return the entities whose shape contains a point [m]."""
        place = self._place
        place[0, X], place[0, Y] = vector2(point, "point")
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.overlaps_at_one(of_overlaps.find_at_points, (place,), (), filters)

    def point_queries(
        self,
        points: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Found:
        """Return the entities whose shape contains each of many points [m] (n, 2)."""
        places = number_rows(points, "points", 2)
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.overlaps(of_overlaps.find_at_points, (places,), (), filters)

    def aabb_query(
        self,
        box: tuple[float, float, float, float],
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
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
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            places = np.array([sides]), shapes.UPRIGHT_BOX
            return self._runner.overlaps_at_one(
                of_overlaps.find_overlapping_boxes, places, (new_contour_rows(shapes.UPRIGHT_BOX),), filters
            )

    def aabb_queries(
        self,
        boxes: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Found:
        """Return the entities whose shape overlaps each of many upright boxes [m] (n, 4)."""
        sides = number_rows(boxes, "boxes", 4)
        if (sides[:, :2] > sides[:, 2:]).any():
            raise ValueError("boxes must be (min_x, min_y, max_x, max_y), no minimum above its maximum")
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
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
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[int]:
        """Return the entities whose shape overlaps a shape at a pose. Raises ValueError for an unbounded shape."""
        contour, there = shapes.checked_shape(shape), np.array([pose_of(pose, "pose")])
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.overlaps_at_one(
                of_overlaps.find_overlapping_shape, (there, contour), (new_contour_rows(contour),), filters
            )

    def shape_queries(
        self,
        shape: Shape,
        poses: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Found:
        """Return the entities whose shape overlaps a shape at each of many poses (n, 3)."""
        contour = shapes.checked_shape(shape)
        places = np.atleast_2d(poses_of(poses, "poses"))
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
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
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[results.Near]:
        """Return the `count` entities nearest to a point, within `reach` [m], sorted by distance, then by id."""
        place = np.array([vector2(point, "point")])
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
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
        layer: int | None = None,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> results.Nearest:
        """Return the `count` entities nearest to each of many points [m] (n, 2), as `nearest` does for one."""
        places = number_rows(points, "points", 2)
        with self._runner.begin(mask, layer, ignore, sensors, where) as filters:
            return self._runner.nearest(places, count, reach, filters)
