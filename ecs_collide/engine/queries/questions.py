"""The questions that a game may ask of a world.

All see every entity with a `Transform` and a `Collider` as it is now, with what was written through components,
created, changed and deleted since the last step; after writing a row through a view, say so with `moved`. Between the
systems of a step they see it as that step does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import cos, inf, isnan, sin
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.pose import Pose, pose_of, poses_of
from ecs_collide.contours.contour import ROW_WIDTH, Contour
from ecs_collide.contours.first_hit import first_hit
from ecs_collide.contours.shape_contour import contour
from ecs_collide.engine.pipeline import Pipeline
from ecs_collide.engine.queries import along_motion, along_ray, at_place, nearest
from ecs_collide.engine.queries.answers import AllHits, Found, Hit, Hits, Near, Nearest
from ecs_collide.engine.queries.audience import Audience
from ecs_collide.engine.queries.form import POINT, UPRIGHT_BOX, checked_shape
from ecs_collide.engine.queries.whereabouts import Whereabouts
from ecs_collide.shapes import Shape
from ecs_collide.validate import Vector2, integer, non_negative, number_rows, number_sequence, points, vector2

Where: TypeAlias = Callable[[int], object]
Inside: TypeAlias = Literal["start", "exit", "skip"]
INSIDE = ("start", "exit", "skip")

NO_ROWS, NO_HITS = np.zeros(0, np.int64), np.zeros((0, 4))


class Questions:
    """Rays, points, boxes and shapes among the entities of a world, one at a time or many at once in arrays.

    Common to all: `mask`, the layers that are asked; `ignore`, entities that are left out; `sensors`, whether sensors
    are asked too; `where`, a function that says of an entity whether it counts. Entities come in ascending order where
    nothing else orders them. What just touches counts.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        """What the systems drive."""
        self._whereabouts = Whereabouts(pipeline)
        self._audience = Audience(pipeline.bodies, pipeline.membership)
        self._place = np.empty((1, 2))
        self._starts, self._few = np.empty(2, np.int64), np.empty(64, np.int64)
        """Room for a question at one place and for most answers to it."""

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
    ) -> Hit | None:
        """What the ray from `origin` to `end` [m] first meets, or None.

        An entity in which the ray starts is met at once, with fraction 0 and the normal (0, 0); with `inside="skip"` it
        is left out, and with `inside="exit"` it is met where the ray leaves it. A ray that starts on a surface meets it
        at 0 if it goes in. Of entities met at one place it is the one of the lowest id. Raises TypeError or ValueError,
        naming the argument, for bad ones.
        """
        ray = vector2(origin, "origin") + vector2(end, "end")
        with self._ask(mask, ignore, sensors, where) as audience:
            left = self._left(ray, inside, audience) if inside != "start" else []
            while True:
                scene = self._whereabouts.look(audience.question)
                entity, u, x, y, normal_x, normal_y = along_ray.first_hit_of(
                    *ray, inside == "start", scene, NO_ROWS, NO_HITS
                )
                if not entity or not audience.is_choosy or audience.accepts(entity):
                    break
                audience.hide(entity)
        hit = Hit(entity, u, (x, y), (normal_x, normal_y)) if entity else None
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
    ) -> list[Hit]:
        """Everything that the ray from `origin` to `end` [m] meets, each entity once, in the order of the way."""
        ray = vector2(origin, "origin") + vector2(end, "end")
        with self._ask(mask, ignore, sensors, where) as audience:
            hits = self._left(ray, inside, audience)
            _, *columns = self._all_hits(np.array([ray]), inside == "start", audience)
        for entity, u, point, normal in zip(*(column.tolist() for column in columns)):
            hits.append(Hit(entity, u, tuple(point), tuple(normal)))
        return sorted(hits, key=_by_place)

    def ray_casts(
        self,
        origins: ArrayLike,
        ends: ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> Hits:
        """`ray_cast` for many rays at once: `origins` and `ends` [m] are (n, 2), or one point for all rays (2,).

        Raises TypeError or ValueError where these are no points, or not equally many.
        """
        rays = _side_by_side(points(origins, "origins"), points(ends, "ends"), ("origins", "ends"))
        hits = _room_for_hits(len(rays))
        with self._ask(mask, ignore, sensors, where) as audience:
            while True:
                along_ray.first_hits(rays, True, self._whereabouts.look(audience.question), *hits)
                if not audience.hide_refused(hits.entity):
                    return hits

    def ray_casts_all(
        self,
        origins: ArrayLike,
        ends: ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> AllHits:
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
    ) -> Hit | None:
        """What a shape first touches on its way from pose to pose, or None; x, y and angle each change evenly.

        What it touches at the start is met at once, whichever way it moves; the normal is then that of the shortest way
        out. How exact it is says `time_of_impact`. Raises TypeError or ValueError, naming the argument, for bad ones,
        and ValueError for a shape without end.
        """
        form, motion = checked_shape(shape), (*pose_of(start, "start"), *pose_of(end, "end"))
        with self._ask(mask, ignore, sensors, where) as audience:
            hits = self._first_touches(form, np.array([motion]), audience)
        entity = hits.entity.item()
        if not entity:
            return None
        point, normal = hits.point.tolist()[0], hits.normal.tolist()[0]
        return Hit(entity, hits.fraction.item(), (point[0], point[1]), (normal[0], normal[1]))

    def shape_casts(
        self,
        shape: Shape,
        starts: ArrayLike,
        ends: ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> Hits:
        """`shape_cast` of one shape along many ways: `starts` and `ends` are poses (n, 3), or one for all ways (3,)."""
        form = checked_shape(shape)
        motions = _side_by_side(poses_of(starts, "starts"), poses_of(ends, "ends"), ("starts", "ends"))
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._first_touches(form, motions, audience)

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
        points: ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> Found:
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
            asked = np.array([sides]), UPRIGHT_BOX
            return self._one(at_place.meeting_boxes, asked, (_room_for_rows(UPRIGHT_BOX),), audience)

    def aabb_queries(
        self,
        boxes: ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> Found:
        """`aabb_query` for many boxes [m] (n, 4) at once."""
        sides = number_rows(boxes, "boxes", 4)
        if (sides[:, :2] > sides[:, 2:]).any():
            raise ValueError("boxes must be (min_x, min_y, max_x, max_y), none above its opposite")
        with self._ask(mask, ignore, sensors, where) as audience:
            asked = sides, UPRIGHT_BOX
            return self._many(at_place.meeting_boxes, len(sides), asked, (_room_for_rows(UPRIGHT_BOX),), audience)

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
        form, there = checked_shape(shape), np.array([pose_of(pose, "pose")])
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._one(at_place.meeting, (form, there), (_room_for_rows(form),), audience)

    def shape_queries(
        self,
        shape: Shape,
        poses: ArrayLike,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> Found:
        """`shape_query` of one shape at many poses (n, 3)."""
        form, places = checked_shape(shape), np.atleast_2d(poses_of(poses, "poses"))
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._many(at_place.meeting, len(places), (form, places), (_room_for_rows(form),), audience)

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
    ) -> list[Near]:
        """The `count` entities nearest to a point, no further than `reach` [m]: by distance, then by id."""
        place = np.array([vector2(point, "point")])
        with self._ask(mask, ignore, sensors, where) as audience:
            found = self._nearest_to(place, count, reach, audience)
        rows = zip(found.entity[0].tolist(), found.distance[0].tolist(), found.point[0].tolist())
        return [Near(entity, distance, (x, y)) for entity, distance, (x, y) in rows if entity]

    def nearest_to_each(
        self,
        points: ArrayLike,
        count: int = 1,
        reach: float = inf,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        sensors: bool = False,
        where: Where | None = None,
    ) -> Nearest:
        """`nearest` for many points [m] (n, 2) at once."""
        places = number_rows(points, "points", 2)
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._nearest_to(places, count, reach, audience)

    def _ask(self, mask: int, ignore: Iterable[int], sensors: bool, where: Where | None) -> Audience:
        """Begin a question, with all that the game has changed."""
        self.pipeline.bring_in()
        audience = self._audience
        if audience.is_open:  # a question within the game's own function of another one
            audience = Audience(self.pipeline.bodies, self.pipeline.membership)
        return audience(mask, ignore, sensors, where)

    def _left(self, ray: tuple[float, ...], inside: Inside, audience: Audience) -> list[Hit]:
        """Hide the entities in which a ray starts, if they are not met there; return where it leaves them, if asked."""
        if inside not in INSIDE:
            raise ValueError(f"inside must be one of {', '.join(map(repr, INSIDE))}, got {inside!r}")
        left: list[Hit] = []
        if inside == "start":
            return left
        for entity in self._one(at_place.holding, (np.array([ray[:2]]),), (), audience):
            audience.hide(entity)
            if inside == "exit":
                left += self._exits(entity, ray)
        return left

    def _exits(self, entity: int, ray: tuple[float, ...]) -> list[Hit]:
        """Where a ray leaves the entity that it starts in, if it does."""
        member = self.pipeline.membership.members[entity]
        shape = member.blueprint.shape
        x, y, angle = self.pipeline.bodies.arrays.pose[member.row].tolist()
        c, s = cos(angle), sin(angle)
        ends = [(c * (px - x) + s * (py - y), c * (py - y) - s * (px - x)) for px, py in (ray[:2], ray[2:])]
        assert shape is not None
        u, normal_x, normal_y = map(float, first_hit(contour(shape), *ends[0], *ends[1], True))
        if isnan(u):
            return []
        place = ray[0] + u * (ray[2] - ray[0]), ray[1] + u * (ray[3] - ray[1])
        return [Hit(entity, u, place, (c * normal_x - s * normal_y, s * normal_x + c * normal_y))]

    def _all_hits(self, rays: np.ndarray, from_inside: bool, audience: Audience) -> AllHits:
        """All that rays meet and the game's own function accepts."""
        starts, room = np.empty(len(rays) + 1, np.int64), 8 * len(rays)
        while True:
            bodies, hit = np.empty(room, np.int64), np.empty((room, 4))
            scene = self._whereabouts.look(audience.question)
            count = along_ray.all_hits(rays, from_inside, scene, starts, bodies, hit)
            if count <= room:
                break
            room = count
        entity, ray = scene.bodies.entity[bodies[:count]], np.repeat(np.arange(len(rays)), np.diff(starts))
        order = np.lexsort((entity, hit[:count, along_ray.FRACTION], ray))
        if audience.is_choosy:
            order = order[audience.those_accepted(entity)[order]]
        hit, ray = hit[order], ray[order]
        fraction = hit[:, along_ray.FRACTION].copy()
        point = rays[ray, :2] + fraction[:, None] * (rays[ray, 2:] - rays[ray, :2])
        normal = hit[:, along_ray.NORMAL_X : along_ray.NORMAL_Y + 1] + 0.0  # never -0.0
        return AllHits(_starts_of(ray, len(rays)), entity[order], fraction, point, normal)

    def _first_touches(self, form: Contour, motions: np.ndarray, audience: Audience) -> Hits:
        """What a shape first touches that the game's own function accepts."""
        hits, placed = _room_for_hits(len(motions)), _room_for_rows(form)
        while True:
            scene = self._whereabouts.look(audience.question)
            along_motion.first_touches(form, motions, scene, placed, *hits)
            if not audience.hide_refused(hits.entity):
                return hits

    def _one(
        self, kernel: Callable[..., int], asked: tuple[object, ...], scratch: tuple[object, ...], audience: Audience
    ) -> list[int]:
        """The entities at one place."""
        scene, found = self._whereabouts.look(audience.question), self._few
        count = kernel(*asked, scene, *scratch, self._starts, found)
        if count > len(found):
            found = np.empty(count, np.int64)
            count = kernel(*asked, scene, *scratch, self._starts, found)
        entities: list[int] = found[:count].tolist()
        entities.sort()
        return [entity for entity in entities if audience.accepts(entity)] if audience.is_choosy else entities

    def _many(
        self,
        kernel: Callable[..., int],
        size: int,
        asked: tuple[object, ...],
        scratch: tuple[object, ...],
        audience: Audience,
    ) -> Found:
        """The entities at many places."""
        scene, starts, room = self._whereabouts.look(audience.question), np.empty(size + 1, np.int64), 4 * size
        while True:
            found = np.empty(room, np.int64)
            count = kernel(*asked, scene, *scratch, starts, found)
            if count <= room:
                break
            room = count
        entity, place = found[:count], np.repeat(np.arange(size), np.diff(starts))
        order = np.lexsort((entity, place))
        if not audience.is_choosy:
            return Found(starts, entity[order])
        order = order[audience.those_accepted(entity)[order]]
        return Found(_starts_of(place[order], size), entity[order])

    def _nearest_to(self, places: np.ndarray, count: int, reach: float, audience: Audience) -> Nearest:
        """The nearest to each of some points that the game's own function accepts."""
        most = integer(count, "count", 1, 1 << 31)
        limit = inf if reach == inf else non_negative(reach, "reach")
        most = min(most, len(self.pipeline.membership.members))
        shape, placed = (len(places), most), np.empty((1, ROW_WIDTH))
        while True:
            found = Nearest(np.empty(shape, np.int64), np.full(shape, np.nan), np.full((*shape, 2), np.nan))
            scene = self._whereabouts.look(audience.question)
            if most:
                nearest.nearest_to(places, limit, POINT, scene, placed, *found)
            if not audience.hide_refused(found.entity):
                return found


def _by_place(hit: Hit) -> tuple[float, int]:
    return hit.fraction, hit.entity


def _side_by_side(starts: np.ndarray, ends: np.ndarray, names: tuple[str, str]) -> np.ndarray:
    """Rows of starts and ends, each (n, k) or, for one that all have, (k,), as (n, 2 k)."""
    if starts.ndim == ends.ndim == 2 and len(starts) != len(ends):
        raise ValueError(f"{names[0]} and {names[1]} must be equally many, got {len(starts)} and {len(ends)}")
    width = starts.shape[-1]
    both = np.empty((len(starts) if starts.ndim == 2 else len(ends) if ends.ndim == 2 else 1, 2 * width))
    both[:, :width], both[:, width:] = starts, ends
    return both


def _starts_of(place: np.ndarray, size: int) -> np.ndarray:
    """Where each of `size` places begins in rows that are sorted by place (size + 1,)."""
    starts: np.ndarray = np.searchsorted(place, np.arange(size + 1))
    return starts


def _room_for_hits(size: int) -> Hits:
    return Hits(np.empty(size, np.int64), np.empty(size), np.empty((size, 2)), np.empty((size, 2)))


def _room_for_rows(form: Contour) -> np.ndarray:
    """Scratch for the rows of a contour."""
    return np.empty((len(form.rows), ROW_WIDTH))
