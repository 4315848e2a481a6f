"""Questions of a game about one character or body: what it stands on, and whether it has room."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.api.body_lookup import find_body
from ecs_collide.api.body_places import center_of
from ecs_collide.api.touch_calls import TouchCalls
from ecs_collide.character import slide_result as results
from ecs_collide.character.character_movement import SKIN, CharacterMovement
from ecs_collide.character.floors_and_riders import NO_BODY, REMEMBERED
from ecs_collide.character.rules import MAX_SLOPE, RuleArguments, RuleReader
from ecs_collide.common.pair_roles import are_sensors, filters_agree
from ecs_collide.components import ALL_LAYERS
from ecs_collide.components.body_kind import STATIC
from ecs_collide.components.character_controller import Up
from ecs_collide.contours import shape_contour
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.shape_distance import find_least_distance
from ecs_collide.contours.shape_support import find_shape_end
from ecs_collide.data.bodies import SURFACE
from ecs_collide.queries.world_queries import WorldQueries
from ecs_collide.shapes import Shape
from ecs_collide.shapes.material import MATERIAL_VALUE
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.step.sync.body_definition import Body
from ecs_collide.step.sync.present_pose import present_pose
from ecs_collide.validate import Vector2, vector2

if TYPE_CHECKING:
    from ecs_collide.character.slide_result import Ground

OVERLAP = 10.0
"""Overlap that still counts as touching [skins]."""


class GroundCalls:
    """The calls that say what an entity stands on and whether it has room."""

    __slots__ = ("_characters", "_pipeline", "_queries", "_rules", "_touches")

    def __init__(
        self, pipeline: Pipeline, touches: TouchCalls, queries: WorldQueries, characters: CharacterMovement
    ) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._touches = touches
        self._queries = queries
        self._characters = characters
        self._rules = RuleReader(pipeline)

    def ground_of(self, entity: int, *, up: Up = "gravity", max_slope: float = MAX_SLOPE) -> Ground | None:
        """Return what an entity stands on, None in the air.

        For a dynamic body it is the flattest surface that it touched in the last step, if that is no steeper than
        `max_slope` [rad]. For a character that `move_and_slide` has moved it is the floor of that motion, and the
        velocity is `Slide.floor_velocity`.

        Args:
            entity: a body or a character.
            up: direction away from the ground; by default against gravity.
            max_slope: steepest floor [rad].

        Raises:
            PhysicsError: the entity has no body.
            TypeError or ValueError: an argument, named in the message, is wrong.
        """
        body = find_body(self._pipeline, entity)
        up_x, up_y, least_up, _, _ = self._rules.read(RuleArguments(up, max_slope)).request
        memory = self._characters.memory.arrays
        if body.row < len(memory.floor) and memory.floor.item(body.row) != NO_BODY:
            return self._remembered(body)
        best: Ground | None = None
        for contact in self._touches.contacts_of(entity):
            sign = 1.0 if contact.entity_b == entity else -1.0
            normal = sign * contact.normal[0], sign * contact.normal[1]
            rise = normal[0] * up_x + normal[1] * up_y
            if rise < least_up or (best and rise <= best.normal[0] * up_x + best.normal[1] * up_y):
                continue
            other, count = contact.other(entity), len(contact.points)
            x, y = (sum(point[axis] for point in contact.points) / count for axis in (0, 1))
            velocity = self._surface_velocity(other, contact.part_of(other), normal, (x, y))
            best = results.Ground(other, normal, velocity, (x, y))
        return best

    def fits(
        self,
        entity: int,
        shape: Shape | None = None,
        position: Vector2 | None = None,
        *,
        mask: int = ALL_LAYERS,
        ignore: Iterable[int] = (),
    ) -> bool:
        """Return True if an entity would be in nothing solid with another shape, at another position, or both.

        A game calls it before a crouching character stands up and gets the greater shape. Sensors, one-way colliders,
        what the filters of the entity let pass, and surfaces that it only touches do not count.

        Args:
            entity: an entity with a collider.
            shape: shape to test, bounded; None for its own.
            position: place of its origin [m]; None for its own. Its angle stays.
            mask: layers that count, as bits.
            ignore: entities that do not count.

        Raises:
            PhysicsError: the entity has no body.
            TypeError or ValueError: an argument, named in the message, is wrong.
        """
        body = find_body(self._pipeline, entity)
        form = body.shape if shape is None else shape
        if form is None:
            raise ValueError(f"entity {entity} has no Collider: say which shape is to fit")
        bodies = self._pipeline.bodies.arrays
        x, y, angle = present_pose(body, bodies)
        x, y = (x, y) if position is None else vector2(position, "position")
        found = self._queries.shape_query(form, (x, y, angle), mask=mask, ignore=[*ignore, entity])
        return not any([self._is_in(form, (x, y, angle), body, other) for other in found])

    def _is_in(self, shape: Shape, pose: tuple[float, float, float], body: Body, other: int) -> bool:
        """Return True if a shape that stands for a body's is inside a solid entity by more than it touches it."""
        bodies, member = self._pipeline.bodies.arrays, self._pipeline.body_sync.members[other]
        if member.host is body.host:
            return False
        filters, rows = bodies.filter, (body.row, member.row)
        if not filters_agree(filters, *rows) or are_sensors(filters, *rows) or bodies.one_way[member.row].any():
            return False
        assert member.shape is not None, "found by its shape"
        first = shape_contour.contour(member.shape)
        second = shape_contour.contour(shape)
        scratch = np.empty((len(second.rows), CONTOUR.WIDTH))
        gap = find_least_distance(first, second, present_pose(member, bodies), pose, scratch, inf, -inf)
        return bool(gap < -OVERLAP * SKIN * self._pipeline.settings.length_unit)

    def _remembered(self, body: Body) -> Ground | None:
        """Return the floor of a character's last motion, None if it was removed or the character was put elsewhere."""
        memory, bodies = self._characters.memory.arrays, self._pipeline.bodies.arrays
        values, floor = memory.values[body.row].tolist(), memory.floor.item(body.row)
        x, y, _ = pose = tuple(bodies.pose[body.row].tolist())
        skin = SKIN * self._pipeline.settings.length_unit
        away = max(abs(x - values[REMEMBERED.X]), abs(y - values[REMEMBERED.Y]))
        entity = bodies.entity.item(floor)
        if away > skin or entity != memory.floor_entity.item(body.row):
            return None
        assert body.shape is not None, "a character has a shape"
        normal = values[REMEMBERED.NORMAL_X], values[REMEMBERED.NORMAL_Y]
        velocity = values[REMEMBERED.FLOOR_VX], values[REMEMBERED.FLOOR_VY]
        point = find_shape_end(shape_contour.contour(body.shape), pose, (-normal[0], -normal[1]))
        return results.Ground(entity, normal, velocity, point)

    def _surface_velocity(self, entity: int, part: int, normal: Vector2, point: Vector2) -> Vector2:
        """Return the velocity [m/s] of the surface of a part of an entity's shape at a point [m]."""
        bodies, pieces = self._pipeline.bodies.arrays, self._pipeline.pieces.arrays
        member = self._pipeline.body_sync.members[entity]
        speed = bodies.surface.item(member.row, SURFACE.SPEED)
        for piece in member.pieces:
            number, given = pieces.part[piece].tolist()
            if number == part and given >> MATERIAL_VALUE.SPEED & 1:
                speed = pieces.material.item(piece, MATERIAL_VALUE.SPEED)
        vx, vy, spin = (0.0, 0.0, 0.0) if member.host.kind is STATIC else bodies.velocity[member.host.row].tolist()
        x, y = center_of(bodies, member.host.row)
        return vx - spin * (point[1] - y) + speed * normal[1], vy + spin * (point[0] - x) - speed * normal[0]
