"""Acting on a body from outside: kinematic motion, waking, falling through platforms."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ecs_collide.api.body_lookup import find_body, find_own_body
from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import DYNAMIC, KINEMATIC, STATIC
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pairs import PAIR
from ecs_collide.errors import PhysicsError
from ecs_collide.step.broadphase.ignored_pairs import EXACT_REFUSAL
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import finite, flag, vector2


class BodyControl:
    """The calls that read or change a single body."""

    __slots__ = ("_bodies", "_pipeline")

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the calls for the world that a pipeline steps."""
        self._pipeline = pipeline
        self._bodies = pipeline.bodies

    def row_of(self, entity: int) -> int:
        """Return the row of an entity in the views. Raises PhysicsError if it has no body."""
        return find_body(self._pipeline, entity).row

    def move_to(self, entity: int, position: tuple[float, float], angle: float | None = None) -> None:
        """Send a kinematic body to a position [m] and an angle [rad], where it is at the end of the next frame.

        The body gets the velocity that takes it there, and so pushes and carries other bodies: a lift, or a paddle that
        follows the mouse. It turns the shorter way, and not at all without an angle. A frame without a step does not
        move it. After the frame it stands still unless it is sent on. A call in a system that derives from
        `BeforeStep`, between the systems or in a handler is for the next step instead of the frame.

        Raises PhysicsError if the body is not kinematic.
        """
        row = find_own_body(self._pipeline, entity, "move_to").row
        x, y = vector2(position, "position")
        turned = None if angle is None else finite(angle, "angle")
        kind = self._bodies.arrays.kind.item(row)
        if kind != KINEMATIC:
            name = BodyKind(kind).name.lower()
            raise PhysicsError(
                f"entity {entity} is {name}: move_to moves kinematic bodies, RigidBody(BodyKind.KINEMATIC)"
            )
        self._pipeline.move_targets.add(row, (x, y, turned), self._pipeline.is_in_frame)

    def wake(self, entity: int) -> None:
        """Wake a body and its island. A body that is awake stays awake for at least half a second more."""
        row = find_body(self._pipeline, entity).host.row
        self._pipeline.sleepers.requested.discard(row)
        self._bodies.written.add(row)

    def sleep(self, entity: int) -> None:
        """Put a dynamic body to sleep in the next step, with all bodies that touch it or are joined to it.

        It stays where it is then, also in mid-air, until something touches or changes it. It loses its velocity. What
        the game writes to it before that step does not wake it, nor does `can_sleep=False`. `wake` takes the request
        back. A kinematic body that moves and touches it wakes it at once. Raises PhysicsError if the body is not
        dynamic, or if bodies of this world do not sleep.
        """
        row = find_body(self._pipeline, entity).host.row
        kind = self._bodies.arrays.kind.item(row)
        if kind != DYNAMIC:
            raise PhysicsError(f"entity {entity} is {BodyKind(kind).name.lower()}: only dynamic bodies fall asleep")
        if not (self._pipeline.settings.sleeping and self._pipeline.response.sleeps):
            raise PhysicsError(
                f"entity {entity} cannot sleep: bodies of this world do not, since it has sleeping=False or the exact "
                "response"
            )
        self._pipeline.sleepers.requested.add(row)
        self._pipeline.invalidate()

    def is_awake(self, entity: int) -> bool:
        """Return True if a body takes part in the steps: never a static one, nor a kinematic one that stands still."""
        row = find_body(self._pipeline, entity).host.row
        if not self._pipeline.is_under_way:
            self._pipeline.wake_disturbed()
        bodies = self._bodies.arrays
        has_to_sleep = row in self._pipeline.sleepers.requested
        return bool(bodies.kind.item(row) != STATIC and bodies.island.item(row) == 0 and not has_to_sleep)

    def moved(self, entities: Iterable[int]) -> None:
        """Report that rows of static or sleeping bodies were written through the views."""
        self._bodies.teleported.update(find_body(self._pipeline, entity).row for entity in entities)

    def ignore(self, a: int, b: int, ignored: bool = True) -> None:
        """Let two entities pass through each other from the next step on, as long as both have bodies.

        They send no events and no sensor reports the other one. A body goes with all colliders that are attached to it,
        an attached collider goes alone. `ignored=False` lets them collide again. Joints that
        keep the two apart count beside this, and so does an `IgnoredEntities` component. Queries and `move_and_slide`
        have an `ignore` of their own. Raises ValueError for one entity twice, and PhysicsError with the exact response.
        """
        bodies = [find_body(self._pipeline, entity) for entity in (a, b)]
        is_ignored = flag(ignored, "ignored")
        if a == b:
            raise ValueError(f"a and b must be two entities, got {a} twice")
        if self._pipeline.response.pair_stage is not None:
            raise PhysicsError(f"entities {a} and {b}: {EXACT_REFUSAL}")
        self._pipeline.ignored_pairs.put(bodies[0].row, bodies[1].row, is_ignored)
        self._bodies.written.update([body.host.row for body in bodies])
        self._pipeline.invalidate()

    def drop_through(self, entity: int, platform: int | None = None) -> None:
        """Let an entity fall through the one-way platform on which it stands, or through all if none is named.

        The colliders that are attached to it fall with it. It passes until it is outside the platform again. An entity
        that does not stand on one stays as it is. Raises PhysicsError if the entity is static.
        """
        row = find_own_body(self._pipeline, entity, "drop_through").row
        if platform is not None:
            find_body(self._pipeline, platform)
        if self._bodies.arrays.kind.item(row) == STATIC:
            raise PhysicsError(f"entity {entity} is static: drop_through lets the body fall that stands on a platform")
        pairs = self._pipeline.pairs.arrays.index
        slots = self._pipeline.touches.slots_of_body(entity)
        is_first = pairs[slots, PAIR.BODY_A] == row
        others = np.where(is_first, pairs[slots, PAIR.COLLIDER_B], pairs[slots, PAIR.COLLIDER_A])
        is_meant = self._bodies.arrays.one_way[others].any(axis=1) & (pairs[slots, PAIR.ROLE] & of_pair.ONE_WAY != 0)
        if platform is not None:
            is_meant &= self._bodies.arrays.entity[others] == platform
        pairs[slots[is_meant], PAIR.ROLE] |= of_pair.PASSES | of_pair.DROPPED
        self._bodies.written.add(row)
