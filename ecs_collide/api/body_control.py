"""Acting on a body from outside: pushes, kinematic motion, waking, falling through platforms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ecs_collide.api.body_lookup import find_body
from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import KINEMATIC, STATIC
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import MASS
from ecs_collide.data.pairs import PAIR
from ecs_collide.errors import PhysicsError
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import LARGEST, finite, vector2


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

    def mass_of(self, entity: int) -> float:
        """Return the mass of an entity's body [kg], infinite if nothing can move it."""
        row = find_body(self._pipeline, entity).row  # first: bringing in a body may renew the columns
        inverse: float = max(self._bodies.arrays.mass[row, :2].tolist())
        return 1.0 / inverse if inverse > 0.0 else float("inf")

    def apply_impulse(
        self, entity: int, impulse: tuple[float, float], point: tuple[float, float] | None = None
    ) -> None:
        """Change a body's velocity at once by an impulse [N s] at a world point [m], or at its centre of mass."""
        row = find_body(self._pipeline, entity).row
        push = self._wrench(row, vector2(impulse, "impulse"), point, 0.0)
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
    ) -> None:
        """Push a body by a force [N] at a world point [m], or at its centre of mass, and by a torque [N m].

        The force acts during the step that is under way, or during all steps of the next frame. With `fixed_dt`, and in
        a pause, a frame may have no step. Then the force acts in the next frame that has one, unless the body is pushed
        again before.
        """
        row = find_body(self._pipeline, entity).row
        push = self._wrench(row, vector2(force, "force"), point, finite(torque, "torque"))
        self._pipeline.usage_warnings.check_push(entity, self._bodies.arrays.kind.item(row), "apply_force")
        self._pipeline.begin_push(row)
        self._add(self._bodies.arrays.push, row, push, "force")
        self._bodies.written.add(row)

    def move_to(self, entity: int, position: tuple[float, float], angle: float | None = None) -> None:
        """Send a kinematic body to a position [m] and an angle [rad], where it is at the end of the next frame.

        The body gets the velocity that takes it there, and so pushes and carries other bodies: a lift, or a paddle that
        follows the mouse. It turns the shorter way, and not at all without an angle. A frame without a step does not
        move it. After the frame it stands still unless it is sent on. Raises PhysicsError if the body is not kinematic.
        """
        row = find_body(self._pipeline, entity).row
        x, y = vector2(position, "position")
        turned = None if angle is None else finite(angle, "angle")
        kind = self._bodies.arrays.kind.item(row)
        if kind != KINEMATIC:
            name = BodyKind(kind).name.lower()
            raise PhysicsError(
                f"entity {entity} is {name}: move_to moves kinematic bodies, RigidBody(BodyKind.KINEMATIC)"
            )
        self._pipeline.move_targets.add(row, (x, y, turned))

    def wake(self, entity: int) -> None:
        """Wake a body and its island. A body that is awake stays awake for at least half a second more."""
        self._bodies.written.add(find_body(self._pipeline, entity).row)

    def is_awake(self, entity: int) -> bool:
        """Return True if a body takes part in the steps: never a static one, nor a kinematic one that stands still."""
        row = find_body(self._pipeline, entity).row
        if not self._pipeline.is_under_way:
            self._pipeline.wake_disturbed()
        bodies = self._bodies.arrays
        return bool(bodies.kind.item(row) != STATIC and bodies.island.item(row) == 0)

    def moved(self, entities: Iterable[int]) -> None:
        """Report that rows of static or sleeping bodies were written through the views."""
        self._bodies.touched.update(find_body(self._pipeline, entity).row for entity in entities)

    def drop_through(self, entity: int, platform: int | None = None) -> None:
        """Let an entity fall through the one-way platform on which it stands, or through all if none is named.

        It passes until it is outside the platform again. An entity that does not stand on one stays as it is.
        """
        row = find_body(self._pipeline, entity).row
        if platform is not None:
            find_body(self._pipeline, platform)
        pairs = self._pipeline.pairs.arrays.index
        slots = self._pipeline.touches.slots_of(entity)
        others = np.where(pairs[slots, PAIR.BODY_A] == row, pairs[slots, PAIR.BODY_B], pairs[slots, PAIR.BODY_A])
        is_meant = self._bodies.arrays.one_way[others].any(axis=1) & (pairs[slots, PAIR.ROLE] & of_pair.ONE_WAY != 0)
        if platform is not None:
            is_meant &= self._bodies.arrays.entity[others] == platform
        pairs[slots[is_meant], PAIR.ROLE] |= of_pair.PASSES | of_pair.DROPPED
        self._bodies.written.add(row)

    def _add(self, column: np.ndarray, row: int, amount: Sequence[float], name: str) -> None:
        total = [old + more for old, more in zip(column[row].tolist(), amount, strict=True)]
        if not all([abs(number) <= LARGEST for number in total]):
            raise ValueError(f"entity {self._bodies.arrays.entity[row]}: its {name} would become {total}")
        column[row] = total

    def _wrench(
        self, row: int, force: tuple[float, float], point: tuple[float, float] | None, torque: float
    ) -> tuple[float, float, float]:
        """Return force [N] and torque about the centre of mass [N m] of a force at a world point."""
        if point is not None:
            point = vector2(point, "point")
            x, y, angle = self._bodies.arrays.pose[row].tolist()
            local_x, local_y = self._bodies.arrays.mass[row, MASS.LOCAL_X : MASS.LOCAL_X + 2].tolist()
            finite(angle, f"entity {self._bodies.arrays.entity[row]}: Transform.angle")
            c, s = cosine_and_sine(angle)
            arm_x = point[0] - (x + c * local_x - s * local_y)
            arm_y = point[1] - (y + s * local_x + c * local_y)
            torque += arm_x * force[1] - arm_y * force[0]
        return *force, torque
