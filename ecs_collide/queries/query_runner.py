"""How a question is put to a world: with what has changed, to those whom its filters let through, until the answer."""

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
    cast_rays as along_ray,
    cast_shape as along_motion,
    find_nearest as nearest,
    find_overlaps as at_place,
    query_results as answers,
    query_shapes as form,
)
from ecs_collide.queries.query_filter import Audience
from ecs_collide.queries.query_scene import Whereabouts
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import integer, non_negative

Where: TypeAlias = Callable[[int], object]
Inside: TypeAlias = Literal["start", "exit", "skip"]
INSIDE = ("start", "exit", "skip")


class Asker:
    """Puts questions to a world."""

    __slots__ = ("_audience", "_few", "_place", "_starts", "_whereabouts", "pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        """What the systems drive."""
        self._whereabouts = Whereabouts(pipeline)
        self._audience = Audience(pipeline.bodies, pipeline.membership)
        self._place = np.empty((1, 2))
        self._starts, self._few = np.empty(2, np.int64), np.empty(64, np.int64)
        """Room for a question at one place and for most answers to it."""

    def _ask(self, mask: int, ignore: Iterable[int], sensors: bool, where: Where | None) -> Audience:
        """Begin a question, with all that the game has changed."""
        self.pipeline.bring_in()
        audience = self._audience
        if audience.is_open:  # a question within the game's own function of another one
            audience = Audience(self.pipeline.bodies, self.pipeline.membership)
        return audience(mask, ignore, sensors, where, self._deleted())

    def _deleted(self) -> Iterable[int]:
        """The entities that esper is to delete at the beginning of the next `process`."""
        return getattr(esper, "_dead_entities", ()) if self.pipeline.events.is_in_current_world else ()

    def _first_hit(self, ray: tuple[float, ...], from_inside: bool, audience: Audience) -> answers.Hit | None:
        """What a ray first meets of what is not hidden."""
        scene = self._whereabouts.look(audience.question)
        entity, u, x, y, normal_x, normal_y = along_ray.first_hit_of(*ray, from_inside, scene)
        return answers.Hit(entity, u, (x, y), (normal_x, normal_y)) if entity else None

    def _left(self, ray: tuple[float, ...], inside: Inside, audience: Audience) -> list[answers.Hit]:
        """Hide the entities in which a ray starts, if they are not met there; return where it leaves them, if asked."""
        if inside not in INSIDE:
            raise ValueError(f"inside must be one of {', '.join(map(repr, INSIDE))}, got {inside!r}")
        left: list[answers.Hit] = []
        if inside == "start":
            return left
        for entity in self._one(at_place.holding, (np.array([ray[:2]]),), (), audience):
            audience.hide(entity)
            if inside == "exit":
                left += self._exits(entity, ray)
        return left

    def _exits(self, entity: int, ray: tuple[float, ...]) -> list[answers.Hit]:
        """Where a ray leaves the entity that it starts in, if it does."""
        member = self.pipeline.membership.members[entity]
        shape = member.shape
        x, y, angle = self.pipeline.bodies.arrays.pose[member.row].tolist()
        c, s = cosine_and_sine(angle)
        ends = [(c * (px - x) + s * (py - y), c * (py - y) - s * (px - x)) for px, py in (ray[:2], ray[2:])]
        assert shape is not None
        u, normal_x, normal_y = map(float, find_first_hit(shape_contour.contour(shape), *ends[0], *ends[1], True))
        if isnan(u):
            return []
        place = ray[0] + u * (ray[2] - ray[0]), ray[1] + u * (ray[3] - ray[1])
        return [answers.Hit(entity, u, place, (c * normal_x - s * normal_y, s * normal_x + c * normal_y))]

    def _all_hits(self, rays: np.ndarray, from_inside: bool, audience: Audience) -> answers.AllHits:
        """All that rays meet and the game's own function accepts."""
        starts, room = np.empty(len(rays) + 1, np.int64), 8 * len(rays)
        while True:
            bodies, hit = np.empty(room, np.int64), np.empty((room, 4))
            scene = self._whereabouts.look(audience.question)
            count = along_ray.all_hits(rays, from_inside, scene, starts, bodies, hit)
            if count <= room:
                break
            room = count
        entity, ray = (
            scene.bodies.entity[bodies[:count]],
            owners_of(starts),
        )
        order = np.lexsort((entity, hit[:count, along_ray.FRACTION], ray))
        if audience.is_choosy:
            order = order[audience.those_accepted(entity)[order]]
        hit, ray = hit[order], ray[order]
        fraction = hit[:, along_ray.FRACTION].copy()
        point = rays[ray, :2] + fraction[:, None] * (rays[ray, 2:] - rays[ray, :2])
        normal = hit[:, along_ray.NORMAL_X : along_ray.NORMAL_Y + 1] + 0.0  # never -0.0
        return answers.AllHits(starts_of(ray, len(rays)), entity[order], fraction, point, normal)

    def _first_touches(self, shape: Contour, motions: np.ndarray, audience: Audience) -> answers.Hits:
        """What a shape first touches that the game's own function accepts."""
        hits, placed = room_for_hits(len(motions)), room_for_rows(shape)
        while True:
            scene = self._whereabouts.look(audience.question)
            along_motion.first_touches(shape, motions, scene, placed, *hits)
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
    ) -> answers.Found:
        """The entities at many places."""
        scene, starts, room = self._whereabouts.look(audience.question), np.empty(size + 1, np.int64), 4 * size
        while True:
            found = np.empty(room, np.int64)
            count = kernel(*asked, scene, *scratch, starts, found)
            if count <= room:
                break
            room = count
        entity, place = found[:count], owners_of(starts)
        order = np.lexsort((entity, place))
        if not audience.is_choosy:
            return answers.Found(starts, entity[order])
        order = order[audience.those_accepted(entity)[order]]
        return answers.Found(starts_of(place[order], size), entity[order])

    def _nearest_to(self, places: np.ndarray, count: int, reach: float, audience: Audience) -> answers.Nearest:
        """The nearest to each of some points that the game's own function accepts."""
        most = integer(count, "count", 1, 1 << 31)
        limit = inf if reach == inf else non_negative(reach, "reach")
        most = min(most, len(self.pipeline.membership.members))
        shape, placed = (len(places), most), np.empty((1, CONTOUR.WIDTH))
        while True:
            found = answers.Nearest(np.empty(shape, np.int64), np.full(shape, np.nan), np.full((*shape, 2), np.nan))
            scene = self._whereabouts.look(audience.question)
            if most:
                nearest.nearest_to(places, limit, form.POINT, scene, placed, *found)
            if not audience.hide_refused(found.entity):
                return found


def starts_of(place: np.ndarray, size: int) -> np.ndarray:
    """Where each of `size` places begins in rows that are sorted by place (size + 1,)."""
    return np.searchsorted(place, np.arange(size + 1)).astype(np.int64)


def owners_of(starts: np.ndarray) -> np.ndarray:
    """The place of each row, where it is known at which row each place begins (size + 1,)."""
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts).astype(np.intp))


def room_for_hits(size: int) -> answers.Hits:
    return answers.Hits(np.empty(size, np.int64), np.empty(size), np.empty((size, 2)), np.empty((size, 2)))


def room_for_rows(shape: Contour) -> np.ndarray:
    """Scratch for the rows of a contour."""
    return np.empty((len(shape.rows), CONTOUR.WIDTH))
