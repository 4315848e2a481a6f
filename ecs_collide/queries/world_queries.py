"""The questions that a game may ask of a world.

All see every entity with a `Transform` and a `Collider` as it is now, with what was written through components,
created, changed and deleted since the last step; after writing a row through a view, say so with `moved`. Between the
systems of a step they see it as that step does.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.pose import Pose, pose_of, poses_of
from ecs_collide.queries import (
    cast_rays as along_ray,
    find_overlaps as at_place,
    query_results as answers,
    query_shapes as form,
)
from ecs_collide.queries.query_runner import Asker, Inside, Where, room_for_hits, room_for_rows
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, number_rows, number_sequence, points, vector2


class Questions(Asker):
    """Rays, points, boxes and shapes among the entities of a world, one at a time or many at once in arrays.

    Common to all: `mask`, the layers that are asked; `ignore`, entities that are left out; `sensors`, whether sensors
    are asked too; `where`, a function that says of an entity whether it counts. Entities come in ascending order where
    nothing else orders them. What just touches counts.
    """

    __slots__ = ()

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
    ) -> answers.Hit | None:
        """What the ray from `origin` to `end` [m] first meets, or None.

        An entity in which the ray starts is met at once, with fraction 0 and the normal (0, 0); with `inside="skip"` it
        is left out, and with `inside="exit"` it is met where the ray leaves it. A ray that starts on a surface meets it
        at 0 if it goes in. Of entities met at one place it is the one of the lowest id. Raises TypeError or ValueError,
        naming the argument, for bad ones.
        """
        ray = vector2(origin, "origin") + vector2(end, "end")
        audience = self._ask(mask, ignore, sensors, where)
        if audience.is_plain and inside == "start":
            return self._first_hit(ray, True, audience)
        with audience:
            left = self._left(ray, inside, audience)
            while True:
                hit = self._first_hit(ray, inside == "start", audience)
                if hit is None or audience.accepts(hit.entity):
                    break
                audience.hide(hit.entity)
        return min([*left, hit] if hit else left, key=_by_place) if left else hit

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
    ) -> list[answers.Hit]:
        """Everything that the ray from `origin` to `end` [m] meets, each entity once, in the order of the way."""
        ray = vector2(origin, "origin") + vector2(end, "end")
        with self._ask(mask, ignore, sensors, where) as audience:
            hits = self._left(ray, inside, audience)
            _, *columns = self._all_hits(np.array([ray]), inside == "start", audience)
        for entity, u, point, normal in zip(*(column.tolist() for column in columns)):
            hits.append(answers.Hit(entity, u, tuple(point), tuple(normal)))
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
    ) -> answers.Hits:
        """`ray_cast` for many rays at once: `origins` and `ends` [m] are (n, 2), or one point for all rays (2,).

        Raises TypeError or ValueError where these are no points, or not equally many.
        """
        rays = _side_by_side(points(origins, "origins"), points(ends, "ends"), ("origins", "ends"))
        hits = room_for_hits(len(rays))
        with self._ask(mask, ignore, sensors, where) as audience:
            while True:
                along_ray.first_hits(rays, True, self._whereabouts.look(audience.question), *hits)
                if not audience.hide_refused(hits.entity):
                    return hits

    def ray_casts_all(
        self,
        origins: np.typing.ArrayLike,
        ends: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> answers.AllHits:
        """`ray_cast_all` for many rays at once, which are given as to `ray_casts`."""
        rays = _side_by_side(points(origins, "origins"), points(ends, "ends"), ("origins", "ends"))
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._all_hits(rays, True, audience)

    def shape_cast(
        self,
        shape: Shape,
        start: Pose,
        end: Pose,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> answers.Hit | None:
        """What a shape first touches on its way from pose to pose, or None; x, y and angle each change evenly.

        What it touches at the start is met at once, whichever way it moves; the normal is then that of the shortest way
        out. How exact it is says `time_of_impact`. Raises TypeError or ValueError, naming the argument, for bad ones,
        and ValueError for a shape without end.
        """
        asked, motion = form.checked_shape(shape), (*pose_of(start, "start"), *pose_of(end, "end"))
        with self._ask(mask, ignore, sensors, where) as audience:
            hits = self._first_touches(asked, np.array([motion]), audience)
        entity = hits.entity.item()
        if not entity:
            return None
        point, normal = hits.point.tolist()[0], hits.normal.tolist()[0]
        return answers.Hit(entity, hits.fraction.item(), (point[0], point[1]), (normal[0], normal[1]))

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
    ) -> answers.Hits:
        """`shape_cast` of one shape along many ways: `starts` and `ends` are poses (n, 3), or one for all ways (3,)."""
        asked = form.checked_shape(shape)
        motions = _side_by_side(poses_of(starts, "starts"), poses_of(ends, "ends"), ("starts", "ends"))
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._first_touches(asked, motions, audience)

    def point_query(
        self,
        point: Vector2,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[int]:
        """The entities whose shape holds a point [m]."""
        place = self._place
        place[0, 0], place[0, 1] = vector2(point, "point")
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._one(at_place.holding, (place,), (), audience)

    def point_queries(
        self,
        points: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> answers.Found:
        """`point_query` for many points [m] (n, 2) at once."""
        places = number_rows(points, "points", 2)
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._many(at_place.holding, len(places), (places,), (), audience)

    def aabb_query(
        self,
        box: tuple[float, float, float, float],
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> list[int]:
        """The entities whose shape meets an upright box (min_x, min_y, max_x, max_y) [m].

        Raises ValueError where a least number is above its greatest.
        """
        sides = number_sequence(box, "box")
        if len(sides) != 4 or sides[0] > sides[2] or sides[1] > sides[3]:
            raise ValueError(f"box must be (min_x, min_y, max_x, max_y), none above its opposite, got {box!r}")
        with self._ask(mask, ignore, sensors, where) as audience:
            asked = np.array([sides]), form.UPRIGHT_BOX
            return self._one(at_place.meeting_boxes, asked, (room_for_rows(form.UPRIGHT_BOX),), audience)

    def aabb_queries(
        self,
        boxes: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> answers.Found:
        """`aabb_query` for many boxes [m] (n, 4) at once."""
        sides = number_rows(boxes, "boxes", 4)
        if (sides[:, :2] > sides[:, 2:]).any():
            raise ValueError("boxes must be (min_x, min_y, max_x, max_y), none above its opposite")
        with self._ask(mask, ignore, sensors, where) as audience:
            asked = sides, form.UPRIGHT_BOX
            return self._many(at_place.meeting_boxes, len(sides), asked, (room_for_rows(form.UPRIGHT_BOX),), audience)

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
        """The entities whose shape meets a shape at a pose. Raises ValueError for one without end."""
        asked, there = form.checked_shape(shape), np.array([pose_of(pose, "pose")])
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._one(at_place.meeting, (asked, there), (room_for_rows(asked),), audience)

    def shape_queries(
        self,
        shape: Shape,
        poses: np.typing.ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> answers.Found:
        """`shape_query` of one shape at many poses (n, 3)."""
        asked, places = form.checked_shape(shape), np.atleast_2d(poses_of(poses, "poses"))
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._many(at_place.meeting, len(places), (asked, places), (room_for_rows(asked),), audience)

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
    ) -> list[answers.Near]:
        """The `count` entities nearest to a point, no further than `reach` [m]: by distance, then by id."""
        place = np.array([vector2(point, "point")])
        with self._ask(mask, ignore, sensors, where) as audience:
            found = self._nearest_to(place, count, reach, audience)
        rows = zip(found.entity[0].tolist(), found.distance[0].tolist(), found.point[0].tolist())
        return [answers.Near(entity, distance, (x, y)) for entity, distance, (x, y) in rows if entity]

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
    ) -> answers.Nearest:
        """`nearest` for many points [m] (n, 2) at once."""
        places = number_rows(points, "points", 2)
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._nearest_to(places, count, reach, audience)


def _by_place(hit: answers.Hit) -> tuple[float, int]:
    return hit.fraction, hit.entity


def _side_by_side(starts: np.ndarray, ends: np.ndarray, names: tuple[str, str]) -> np.ndarray:
    """Rows of starts and ends, each (n, k) or, for one that all have, (k,), as (n, 2 k)."""
    if starts.ndim == ends.ndim == 2 and len(starts) != len(ends):
        raise ValueError(f"{names[0]} and {names[1]} must be equally many, got {len(starts)} and {len(ends)}")
    width = starts.shape[-1]
    both = np.empty((len(starts) if starts.ndim == 2 else len(ends) if ends.ndim == 2 else 1, 2 * width))
    both[:, :width], both[:, width:] = starts, ends
    return both
