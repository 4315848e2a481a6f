"""Impulses, forces and explosions from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import sqrt

import numpy as np

from ecs_collide.api.body_lookup import find_body
from ecs_collide.api.body_places import center_of, origin_and_turn
from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.body_kind import DYNAMIC
from ecs_collide.contours import shape_contour, shape_support
from ecs_collide.data.bodies import MASS
from ecs_collide.queries.world_queries import WorldQueries
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync.present_pose import present_pose
from ecs_collide.validate import LARGEST, Vector2, finite, non_negative, vector2


class Pushes:
    """The calls that push bodies; a push on an attached collider pushes the body that it belongs to."""

    __slots__ = ("_bodies", "_pipeline", "_queries")

    def __init__(self, pipeline: Pipeline, queries: WorldQueries) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._bodies = pipeline.bodies
        self._queries = queries

    def apply_impulse(
        self,
        entity: int,
        impulse: tuple[float, float],
        point: tuple[float, float] | None = None,
        angular: float = 0.0,
        *,
        local: bool = False,
    ) -> None:
        """Change a body's velocity at once by an impulse [N s], and by an angular impulse [N m s].

        The impulse acts at a world point [m], or at the centre of mass. With `local`, impulse and point are given in
        the body's axes, the point from its origin.
        """
        row = find_body(self._pipeline, entity).host.row
        push = self._wrench(row, vector2(impulse, "impulse"), point, finite(angular, "angular"), local)
        self._pipeline.usage_warnings.check_push(entity, self._bodies.arrays.kind.item(row), "apply_impulse")
        inverse_mass = self._bodies.arrays.mass[row, :3].tolist()
        change = [part * inverse for part, inverse in zip(push, inverse_mass, strict=True)]
        self._add(self._bodies.arrays.velocity, row, change, "velocity")
        self._bodies.written.add(row)

    def apply_force(
        self,
        entity: int,
        force: tuple[float, float],
        point: tuple[float, float] | None = None,
        torque: float = 0.0,
        *,
        local: bool = False,
    ) -> None:
        """Push a body by a force [N] at a world point [m], or at its centre of mass, and by a torque [N m].

        With `local`, force and point are given in the body's axes, the point from its origin.

        The force acts during all steps of the next frame. With `fixed_dt`, and in a pause, a frame may have no step.
        Then the force acts in the next frame that has one, unless the body is pushed again before. A force that is
        given in a system that derives from `BeforeStep`, between the systems or in a handler acts in one step: the one
        under way, or the next one.
        """
        row = find_body(self._pipeline, entity).host.row
        push = self._wrench(row, vector2(force, "force"), point, finite(torque, "torque"), local)
        self._push(entity, row, push, "apply_force")

    def apply_acceleration(
        self, entity: int, acceleration: tuple[float, float], angular: float = 0.0, *, local: bool = False
    ) -> None:
        """Accelerate a body [m/s^2], and its rotation [rad/s^2], for as long as `apply_force` pushes.

        Bodies of any mass get equal accelerations. With `local`, the acceleration is given in the body's axes.
        """
        row = find_body(self._pipeline, entity).host.row
        wanted = self._wrench(row, vector2(acceleration, "acceleration"), None, finite(angular, "angular"), local)
        inverse_mass = self._bodies.arrays.mass[row, :3].tolist()
        push = [part / inverse if inverse > 0.0 else 0.0 for part, inverse in zip(wanted, inverse_mass, strict=True)]
        self._push(entity, row, push, "apply_acceleration")

    def explode(
        self,
        center: tuple[float, float],
        radius: float,
        impulse: float,
        falloff: float = 0.0,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
        where: Callable[[int], bool] | None = None,
    ) -> list[int]:
        """Push dynamic bodies away from a point [m] at once; return their entities, the nearest first.

        Each body within `radius` [m] gets `impulse` [N s/m] for each metre of its width across the direction from
        `center`, and so does each collider that is attached to a body. Beyond, over the distance `falloff` [m], the
        impulse falls to 0. It acts at the point nearest to `center`, or at the centre of mass of a body that contains
        `center`. A body centred there gets none. A negative impulse pulls. Nothing shields what is behind it: use
        `where` and `ray_cast` for that.
        """
        x, y = vector2(center, "center")
        inner, outer = non_negative(radius, "radius"), non_negative(falloff, "falloff")
        strength = finite(impulse, "impulse")
        self._pipeline.update_bodies()
        count = max(len(self._pipeline.body_sync.mobile) + len(self._bodies.attached.collider), 1)
        pushed = []
        for near in self._queries.nearest(
            (x, y), count, inner + outer, mask=mask, ignore=ignore, where=self._only_dynamic(where)
        ):
            fraction = 1.0 - max(near.distance - inner, 0.0) / outer if outer > 0.0 else 1.0
            body = find_body(self._pipeline, near.entity)
            point = near.point if near.distance > 0.0 else center_of(self._bodies.arrays, body.host.row)
            away_x, away_y = point[0] - x, point[1] - y
            distance = sqrt(away_x * away_x + away_y * away_y)
            if distance == 0.0 or body.shape is None:
                continue
            away_x, away_y = away_x / distance, away_y / distance
            across = -away_y, away_x
            _, _, angle = present_pose(body, self._bodies.arrays)
            width = shape_support.find_shape_width(shape_contour.contour(body.shape), angle, across)
            amount = strength * fraction * width
            self.apply_impulse(near.entity, (amount * away_x, amount * away_y), point)
            pushed.append(near.entity)
        return pushed

    def _only_dynamic(self, where: Callable[[int], bool] | None) -> Callable[[int], bool]:
        """Return a function that accepts the dynamic entities that the game's `where` accepts."""
        kind, members = self._bodies.arrays.kind, self._pipeline.body_sync.members
        return lambda entity: kind.item(members[entity].host.row) == DYNAMIC and (where is None or where(entity))

    def _push(self, entity: int, row: int, push: Sequence[float], call: str) -> None:
        """Add a force [N, N, N m] to the forces that act on a body until the end of the frame."""
        self._pipeline.usage_warnings.check_push(entity, self._bodies.arrays.kind.item(row), call)
        self._pipeline.begin_push(row)
        self._add(self._bodies.arrays.push, row, push, "force")
        self._bodies.written.add(row)

    def _add(self, column: np.ndarray, row: int, amount: Sequence[float], name: str) -> None:
        total = [old + more for old, more in zip(column[row].tolist(), amount, strict=True)]
        if not all([abs(number) <= LARGEST for number in total]):
            raise ValueError(f"entity {self._bodies.arrays.entity[row]}: its {name} would become {total}")
        column[row] = total

    def _wrench(
        self, row: int, force: Vector2, point: tuple[float, float] | None, torque: float, local: bool
    ) -> tuple[float, float, float]:
        """Return force [N] and torque about the centre of mass [N m] of a force at a point, in world axes."""
        if not local:
            if point is not None:
                at_x, at_y = vector2(point, "point")
                center_x, center_y = center_of(self._bodies.arrays, row)
                torque += (at_x - center_x) * force[1] - (at_y - center_y) * force[0]
            return *force, torque
        if point is not None:
            at_x, at_y = vector2(point, "point")
            local_x, local_y = self._bodies.arrays.mass[row, MASS.LOCAL_X : MASS.LOCAL_Y + 1].tolist()
            torque += (at_x - local_x) * force[1] - (at_y - local_y) * force[0]
        _, _, cosine, sine = origin_and_turn(self._bodies.arrays, row)
        return cosine * force[0] - sine * force[1], sine * force[0] + cosine * force[1], torque
