"""Running a query: apply changes of the game, call a kernel, repeat without refused entities, sort the result.

Single and batched queries share these functions: a single query is a batch of one. A single ray has a kernel of its own
that returns numbers, since arrays for one ray would take longer than the ray.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, isnan
from typing import Literal, TypeAlias

import esper
import numpy as np

from ecs_collide.contours import shape_contour
from ecs_collide.contours.contour import CONTOUR, Contour
from ecs_collide.contours.first_hit import find_first_hit
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.queries import (
    cast_rays as of_rays,
    cast_shape as of_motions,
    find_nearest as of_nearest,
    find_overlaps as of_overlaps,
    query_results as results,
    query_shapes as shapes,
)
from ecs_collide.queries.cast_rays import HIT
from ecs_collide.queries.cast_shape import TOUCHED
from ecs_collide.queries.query_filter import QueryFilter
from ecs_collide.queries.query_scene import QueryScene
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync.present_pose import present_pose
from ecs_collide.validate import integer, non_negative

Where: TypeAlias = Callable[[int], object]
Inside: TypeAlias = Literal["start", "exit", "skip"]
CastInside: TypeAlias = Literal["start", "skip"]
INSIDE = ("start", "exit", "skip")
CAST_INSIDE = ("start", "skip")


def check_inside(inside: str, allowed: tuple[str, ...]) -> None:
    """Raise ValueError unless `inside` is one of the allowed words."""
    if inside not in allowed:
        raise ValueError(f"inside must be one of {', '.join(map(repr, allowed))}, got {inside!r}")


class QueryRunner:
    """Runs the kernels of queries on the present state of a world."""

    def __init__(self, pipeline: Pipeline) -> None:
        """Make a runner for the world that a pipeline steps."""
        self.pipeline = pipeline
        self.scene = QueryScene(pipeline)
        self._filter = QueryFilter(pipeline.bodies, pipeline.body_sync)
        self._starts, self._few = np.empty(2, np.int64), np.empty(64, np.int64)
        """Room for the result of most queries at one place."""

    def begin(
        self, mask: int, layer: int | None, ignore: Iterable[int], sensors: bool, where: Where | None
    ) -> QueryFilter:
        """Apply all changes of the game and return the filter of a new query."""
        self.pipeline.update_bodies()
        filters = self._filter
        if filters.is_in_use:  # the `where` of another query makes this one
            filters = QueryFilter(self.pipeline.bodies, self.pipeline.body_sync)
        return filters.begin(mask, layer, ignore, sensors, where, self._deleted())

    def _deleted(self) -> Iterable[int]:
        """Return the entities that esper deletes at the beginning of the next `process`."""
        events = self.pipeline.events
        if events.is_in_current_world:
            return getattr(esper, "_dead_entities", ())
        with events.own_world() as exists:
            return getattr(esper, "_dead_entities", ()) if exists else ()

    def first_hit(self, ray: tuple[float, ...], from_inside: bool, filters: QueryFilter) -> results.Hit | None:
        """Return the first entity on a ray that is not hidden."""
        entity, u, x, y, normal_x, normal_y = of_rays.first_hit_of(*ray, from_inside, self.scene.update(filters.arrays))
        return results.Hit(entity, u, (x, y), (normal_x, normal_y)) if entity else None

    def first_hits(self, rays: np.ndarray, filters: QueryFilter) -> results.Hits:
        """Return the first accepted entity on each ray."""
        hits = new_hit_arrays(len(rays))
        while True:
            of_rays.first_hits(rays, True, self.scene.update(filters.arrays), *hits)
            if not filters.hide_refused(hits.entity):
                return hits

    def find_exits(self, ray: tuple[float, ...], inside: Inside, filters: QueryFilter) -> list[results.Hit]:
        """Hide the entities in which a ray starts, unless `inside` is "start"; return the exits for "exit"."""
        check_inside(inside, INSIDE)
        exits: list[results.Hit] = []
        if inside == "start":
            return exits
        for entity in self.overlaps_at_one(of_overlaps.find_at_points, (np.array([ray[:2]]),), (), filters):
            filters.hide(entity)
            if inside == "exit":
                exits += self._find_exit(entity, ray)
        return exits

    def _find_exit(self, entity: int, ray: tuple[float, ...]) -> list[results.Hit]:
        """Return where a ray leaves the entity that it starts in, if it does."""
        member = self.pipeline.body_sync.members[entity]
        shape = member.shape
        x, y, angle = present_pose(member, self.pipeline.bodies.arrays)
        c, s = cosine_and_sine(angle)
        ends = [(c * (px - x) + s * (py - y), c * (py - y) - s * (px - x)) for px, py in (ray[:2], ray[2:])]
        assert shape is not None
        u, normal_x, normal_y = map(float, find_first_hit(shape_contour.contour(shape), *ends[0], *ends[1], True))
        if isnan(u):
            return []
        place = ray[0] + u * (ray[2] - ray[0]), ray[1] + u * (ray[3] - ray[1])
        return [results.Hit(entity, u, place, (c * normal_x - s * normal_y, s * normal_x + c * normal_y))]

    def all_hits(self, rays: np.ndarray, from_inside: bool, filters: QueryFilter) -> results.AllHits:
        """Return every accepted entity on each ray, in the order along the ray."""
        starts, room = np.empty(len(rays) + 1, np.int64), 8 * len(rays)
        while True:
            bodies, hit = np.empty(room, np.int64), np.empty((room, HIT.WIDTH))
            scene = self.scene.update(filters.arrays)
            count = of_rays.all_hits(rays, from_inside, scene, starts, bodies, hit)
            if count <= room:
                break
            room = count
        entity, ray = scene.bodies.entity[bodies[:count]], places_of_rows(starts)
        order = np.lexsort((entity, hit[:count, HIT.FRACTION], ray))
        if filters.has_predicate:
            order = order[filters.are_accepted(entity)[order]]
        hit, ray = hit[order], ray[order]
        fraction = hit[:, HIT.FRACTION].copy()
        point = rays[ray, :2] + fraction[:, None] * (rays[ray, 2:] - rays[ray, :2])
        normal = hit[:, HIT.NORMAL_X : HIT.NORMAL_Y + 1] + 0.0  # never -0.0
        return results.AllHits(starts_of(ray, len(rays)), entity[order], fraction, point, normal)

    def first_touches(self, shape: Contour, motions: np.ndarray, filters: QueryFilter) -> results.Hits:
        """Return the first accepted entity that a shape touches on each of some motions, pose to pose (n, 6)."""
        hits, placed = new_hit_arrays(len(motions)), new_contour_rows(shape)
        while True:
            of_motions.first_touches(shape, motions, self.scene.update(filters.arrays), placed, *hits)
            if not filters.hide_refused(hits.entity):
                return hits

    def first_touch(self, shape: Contour, motion: np.ndarray, inside: CastInside, filters: QueryFilter) -> results.Hits:
        """Return the first accepted entity that a shape touches on a motion, pose to pose (1, 6).

        With "skip", the entities that it touches at the start are hidden.
        """
        check_inside(inside, CAST_INSIDE)
        while True:
            hits = self.first_touches(shape, motion, filters)
            if inside == "start" or hits.fraction.item() != 0.0:
                return hits
            filters.hide(hits.entity.item())

    def all_touches(self, shape: Contour, motions: np.ndarray, filters: QueryFilter) -> results.AllHits:
        """Return every accepted entity that a shape touches on each of some motions, in the order along the path.

        The motions lead from pose to pose (n, 6).
        """
        starts = np.empty(len(motions) + 1, np.int64)
        room = 8 * len(motions)
        placed = new_contour_rows(shape)
        while True:
            hits = new_hit_arrays(room)
            touched = np.empty((room, TOUCHED.WIDTH), np.int64)
            entity, *places = hits
            scene = self.scene.update(filters.arrays)
            count = of_motions.all_touches(shape, motions, scene, placed, starts, entity, touched, *places)
            if count <= room:
                break
            room = count
        hits = results.Hits(*(column[:count] for column in hits))
        motion = places_of_rows(starts)
        order = np.lexsort((hits.entity, hits.fraction, motion))
        if filters.has_predicate:
            order = order[filters.are_accepted(hits.entity)[order]]
        return results.AllHits(starts_of(motion[order], len(motions)), *(column[order] for column in hits))

    def overlaps_at_one(
        self, kernel: Callable[..., int], places: tuple[object, ...], scratch: tuple[object, ...], filters: QueryFilter
    ) -> list[int]:
        """Return the accepted entities at one place, ascending."""
        found = self._overlaps(kernel, places, scratch, filters, self._starts, self._few)
        entities: list[int] = found.tolist()
        entities.sort()
        return [entity for entity in entities if filters.accepts(entity)] if filters.has_predicate else entities

    def overlaps(
        self, kernel: Callable[..., int], places: tuple[object, ...], scratch: tuple[object, ...], filters: QueryFilter
    ) -> results.Found:
        """Return the accepted entities at each of many places, ascending; `places` begins with the array of them."""
        size = len(places[0])  # type: ignore[arg-type]
        starts = np.empty(size + 1, np.int64)
        entity = self._overlaps(kernel, places, scratch, filters, starts, np.empty(4 * size, np.int64))
        place = places_of_rows(starts)
        order = np.lexsort((entity, place))
        if not filters.has_predicate:
            return results.Found(starts, entity[order])
        order = order[filters.are_accepted(entity)[order]]
        return results.Found(starts_of(place[order], size), entity[order])

    def _overlaps(
        self,
        kernel: Callable[..., int],
        places: tuple[object, ...],
        scratch: tuple[object, ...],
        filters: QueryFilter,
        starts: np.ndarray,
        found: np.ndarray,
    ) -> np.ndarray:
        """Return the entities at places, in no order within a place; write to `starts` where those of each begin."""
        scene = self.scene.update(filters.arrays)
        while True:
            count = kernel(*places, scene, *scratch, starts, found)
            if count <= len(found):
                return found[:count]
            found = np.empty(count, np.int64)

    def nearest(self, places: np.ndarray, count: int, reach: float, filters: QueryFilter) -> results.Nearest:
        """Return the accepted entities nearest to each of some points."""
        most = integer(count, "count", 1, 1 << 31)
        limit = inf if reach == inf else non_negative(reach, "reach")
        most = min(most, len(self.pipeline.body_sync.members))
        shape, placed = (len(places), most), np.empty((1, CONTOUR.WIDTH))
        while True:
            found = results.Nearest(np.empty(shape, np.int64), np.full(shape, np.nan), np.full((*shape, 2), np.nan))
            if most:
                of_nearest.nearest_to(places, limit, shapes.POINT, self.scene.update(filters.arrays), placed, *found)
            if not filters.hide_refused(found.entity):
                return found


def starts_of(place: np.ndarray, size: int) -> np.ndarray:
    """Return the first row of each of `size` places in rows that are sorted by place (size + 1,)."""
    return np.searchsorted(place, np.arange(size + 1)).astype(np.int64)


def places_of_rows(starts: np.ndarray) -> np.ndarray:
    """Return the place of each row, given the first row of each place (size + 1,)."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts).astype(np.intp))


def new_hit_arrays(size: int) -> results.Hits:
    """Return arrays for so many hits, not filled in."""
    return results.Hits(np.empty(size, np.int64), np.empty(size), np.empty((size, 2)), np.empty((size, 2)))


def new_contour_rows(shape: Contour) -> np.ndarray:
    """Return scratch space for the rows of a contour."""
    return np.empty((len(shape.rows), CONTOUR.WIDTH))
