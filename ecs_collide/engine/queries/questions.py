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

from ecs_collide.columns import pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pieces import Pieces
from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.contour import ROW_WIDTH, Contour
from ecs_collide.contours.first_hit import first_hit
from ecs_collide.contours.shape_contour import contour
from ecs_collide.engine.pipeline import Pipeline
from ecs_collide.engine.queries import along_ray, at_place
from ecs_collide.engine.queries.answers import Hit, Hits, Near
from ecs_collide.engine.queries.asked import find_in_box
from ecs_collide.engine.queries.audience import Audience
from ecs_collide.engine.queries.form import POINT, box_contour, checked_shape, way_box
from ecs_collide.engine.queries.whereabouts import Whereabouts
from ecs_collide.shapes import Shape
from ecs_collide.validate import LARGEST, Vector2, integer, non_negative, number_sequence, points, vector2

Where: TypeAlias = Callable[[int], object]
Inside: TypeAlias = Literal["start", "exit", "skip"]
INSIDE = ("start", "exit", "skip")

NO_ROWS, NO_HITS = np.zeros(0, np.int64), np.zeros((0, 4))

FIRST_REACH = 64.0
GROWTH = 3.0
"""A search for what is nearest looks so many slops to each side, and then so many times further."""


class Questions:
    """Rays, points, boxes and shapes among the entities of a world.

    Common to all: `mask`, the layers that are asked; `ignore`, entities that are left out; `sensors`, whether sensors
    are asked too; `where`, a function that says of an entity whether it counts. Entities come in ascending order where
    nothing else orders them. What just touches counts.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        """What the systems drive."""
        self._whereabouts = Whereabouts(pipeline)
        self._audience = Audience(pipeline.bodies, pipeline.membership)
        self._met = np.empty(5)

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
        ray = (*vector2(origin, "origin"), *vector2(end, "end"))
        with self._ask(mask, ignore, sensors, where) as audience:
            left = self._left(ray, inside, audience)
            while True:
                nearby, loaded = self._whereabouts.look(), self._whereabouts.loaded
                u, x, y, _, body = along_ray.first_hit_of(
                    *ray, inside == "start", audience.question, *self._columns(), nearby, loaded, NO_ROWS, NO_HITS
                )
                if body == along_ray.NOBODY or audience.accepts(body):
                    break
                audience.hide(body)
            if body != along_ray.NOBODY:
                left.append(self._hit(body, u, x, y, ray))
        return min(left, key=_by_place) if left else None

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
        ray = (*vector2(origin, "origin"), *vector2(end, "end"))
        with self._ask(mask, ignore, sensors, where) as audience:
            hits = self._left(ray, inside, audience)
            bodies, found = np.empty(16, np.int64), np.empty((16, 4))
            while True:
                nearby = self._whereabouts.look()
                count = along_ray.all_hits(
                    *ray, inside == "start", audience.question, *self._columns(), nearby, self._whereabouts.loaded,
                    bodies, found,
                )  # fmt: skip
                if count <= len(bodies):
                    break
                bodies, found = np.empty(count, np.int64), np.empty((count, 4))
            order = np.lexsort((found[:count, along_ray.SLOPE], found[:count, along_ray.FRACTION], bodies[:count]))
            bodies, first = np.unique(bodies[order], return_index=True)
            for body, (u, x, y, _) in zip(bodies.tolist(), found[order[first]].tolist()):
                if audience.accepts(body):
                    hits.append(self._hit(body, u, x, y, ray))
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
        rays = _rays(points(origins, "origins"), points(ends, "ends"))
        bodies, hit = np.empty(len(rays), np.int64), np.empty((len(rays), 4))
        with self._ask(mask, ignore, sensors, where) as audience:
            self._first_hits(rays, True, audience, bodies, hit)
        missed = bodies == along_ray.NOBODY
        hit[missed] = np.nan
        fraction = hit[:, along_ray.FRACTION].copy()
        return Hits(
            np.where(missed, 0, self.pipeline.bodies.arrays.entity[bodies]),
            fraction,
            rays[:, :2] + fraction[:, None] * (rays[:, 2:] - rays[:, :2]),
            hit[:, along_ray.NORMAL_X : along_ray.NORMAL_Y + 1] + 0.0,  # never -0.0
        )

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
        placed = np.empty((len(form.rows), ROW_WIDTH))
        with self._ask(mask, ignore, sensors, where) as audience:
            while True:
                count = self._find(way_box(form, motion), audience)
                rows, loaded = self._whereabouts.rows, self._whereabouts.loaded
                piece = at_place.first_met(form, *motion, rows, count, *self._columns(), loaded, placed, self._met)
                if piece < 0:
                    return None
                body = int(self.pipeline.pieces.arrays.index[piece, of_piece.BODY])
                time, x, y, normal_x, normal_y = self._met.tolist()
                if audience.accepts(body):
                    return Hit(self._entity(body), time, (x, y), (normal_x + 0.0, normal_y + 0.0))
                audience.hide(body)

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
        x, y = vector2(point, "point")
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._accepted(self._holding(x, y, audience), audience)

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
            return self._accepted(self._meeting(box_contour(*sides), (0.0, 0.0, 0.0), sides, audience), audience)

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
        form, there = checked_shape(shape), pose_of(pose, "pose")
        with self._ask(mask, ignore, sensors, where) as audience:
            return self._accepted(self._meeting(form, there, way_box(form, (*there, *there)), audience), audience)

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
        x, y = vector2(point, "point")
        most, limit = integer(count, "count", 1, 1 << 31), inf if reach == inf else non_negative(reach, "reach")
        span = FIRST_REACH * self.pipeline.tolerances.slop
        with self._ask(mask, ignore, sensors, where) as audience:
            while True:
                span = min(span, limit) if span < LARGEST else limit
                found = [near for near in self._measured(x, y, span, audience) if near.distance <= span]
                if len(found) >= most or span == limit:
                    return sorted(found, key=lambda near: (near.distance, near.entity))[:most]
                span = GROWTH * span

    def _ask(self, mask: int, ignore: Iterable[int], sensors: bool, where: Where | None) -> Audience:
        """Begin a question, with all that the game has changed."""
        self.pipeline.bring_in()
        audience = self._audience
        if audience.is_open:  # a question within the game's own function of another one
            audience = Audience(self.pipeline.bodies, self.pipeline.membership)
        return audience(mask, ignore, sensors, where)

    def _columns(self) -> tuple[Bodies, Pieces]:
        return self.pipeline.bodies.arrays, self.pipeline.pieces.arrays

    def _entity(self, body: int) -> int:
        return int(self.pipeline.bodies.arrays.entity[body])

    def _first_hits(
        self, rays: np.ndarray, from_inside: bool, audience: Audience, bodies: np.ndarray, hit: np.ndarray
    ) -> None:
        """Fill in what each ray first meets that the game's own function accepts."""
        while True:
            nearby = self._whereabouts.look()
            along_ray.first_hits(
                rays, from_inside, audience.question, *self._columns(), nearby, self._whereabouts.loaded, bodies, hit
            )
            if not audience.is_choosy:
                return
            refused = [body for body in set(bodies.tolist()) - {along_ray.NOBODY} if not audience.accepts(body)]
            if not refused:
                return
            for body in refused:
                audience.hide(body)

    def _hit(self, body: int, u: float, normal_x: float, normal_y: float, ray: tuple[float, ...]) -> Hit:
        place = float(ray[0] + u * (ray[2] - ray[0])), float(ray[1] + u * (ray[3] - ray[1]))
        normal = float(normal_x) + 0.0, float(normal_y) + 0.0  # never -0.0; numpy scalars without the JIT
        return Hit(self._entity(body), float(u), place, normal)

    def _left(self, ray: tuple[float, ...], inside: Inside, audience: Audience) -> list[Hit]:
        """Hide the entities in which a ray starts, if they are not met there; return where it leaves them, if asked."""
        if inside not in INSIDE:
            raise ValueError(f"inside must be one of {', '.join(map(repr, INSIDE))}, got {inside!r}")
        left: list[Hit] = []
        if inside == "start":
            return left
        for body in self._holding(ray[0], ray[1], audience):
            audience.hide(body)
            if inside == "exit" and audience.accepts(body):
                left += self._exits(body, ray)
        return left

    def _exits(self, body: int, ray: tuple[float, ...]) -> list[Hit]:
        """Where a ray leaves the entity that it starts in, if it does."""
        shape = self.pipeline.membership.members[self._entity(body)].blueprint.shape
        x, y, angle = self.pipeline.bodies.arrays.pose[body].tolist()
        c, s = cos(angle), sin(angle)
        ends = [(c * (px - x) + s * (py - y), c * (py - y) - s * (px - x)) for px, py in (ray[:2], ray[2:])]
        assert shape is not None
        u, normal_x, normal_y = map(float, first_hit(contour(shape), *ends[0], *ends[1], True))
        if isnan(u):
            return []
        return [self._hit(body, u, c * normal_x - s * normal_y, s * normal_x + c * normal_y, ray)]

    def _find(self, box: tuple[float, ...], audience: Audience) -> int:
        """List the pieces that may meet a box [m]; return how many they are."""
        nearby = self._whereabouts.look()
        where = self._whereabouts
        count: int = find_in_box(*box, audience.question, *self._columns(), nearby, where.hits, where.rows)
        return count

    def _bodies_of(self, count: int) -> list[int]:
        """The bodies of the first `count` pieces listed, each once."""
        rows = self._whereabouts.rows[:count]
        found: list[int] = np.unique(self.pipeline.pieces.arrays.index[rows, of_piece.BODY]).tolist()
        return found

    def _accepted(self, bodies: list[int], audience: Audience) -> list[int]:
        return sorted(self._entity(body) for body in bodies if audience.accepts(body))

    def _holding(self, x: float, y: float, audience: Audience) -> list[int]:
        """The bodies that hold a point [m]."""
        count = self._find((x, y, x, y), audience)
        rows, loaded = self._whereabouts.rows, self._whereabouts.loaded
        return self._bodies_of(at_place.keep_holding(x, y, rows, count, *self._columns(), loaded))

    def _meeting(
        self, form: Contour, pose: tuple[float, float, float], box: tuple[float, ...], audience: Audience
    ) -> list[int]:
        """The bodies that a shape meets, whose box [m] holds it."""
        count = self._find(box, audience)
        placed = np.empty((len(form.rows), ROW_WIDTH))
        rows, loaded = self._whereabouts.rows, self._whereabouts.loaded
        return self._bodies_of(at_place.keep_meeting(form, *pose, rows, count, *self._columns(), loaded, placed))

    def _measured(self, x: float, y: float, span: float, audience: Audience) -> list[Near]:
        """The entities with a piece within so much of a point [m] along both axes, and how far they are."""
        count = self._find((x - span, y - span, x + span, y + span), audience)
        near, placed = np.empty((count, 3)), np.empty((1, ROW_WIDTH))
        rows, loaded = self._whereabouts.rows, self._whereabouts.loaded
        at_place.measure(POINT, x, y, rows, count, *self._columns(), loaded, placed, near)
        bodies = self.pipeline.pieces.arrays.index[rows[:count], of_piece.BODY]
        order = np.lexsort((near[:, 0], bodies))
        bodies, first = np.unique(bodies[order], return_index=True)
        return [
            Near(self._entity(body), distance, (place_x, place_y))
            for body, (distance, place_x, place_y) in zip(bodies.tolist(), near[order[first]].tolist())
            if audience.accepts(body)
        ]


def _by_place(hit: Hit) -> tuple[float, int]:
    return hit.fraction, hit.entity


def _rays(origins: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Rays (n, 4) from points (n, 2) or (2,)."""
    if origins.ndim == ends.ndim == 2 and len(origins) != len(ends):
        raise ValueError(f"origins and ends must be equally many, got {len(origins)} and {len(ends)}")
    rays = np.empty((len(origins) if origins.ndim == 2 else len(ends) if ends.ndim == 2 else 1, 4))
    rays[:, :2], rays[:, 2:] = origins, ends
    return rays
