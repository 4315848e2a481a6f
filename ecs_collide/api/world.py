"""What a game sees of the physics of one esper world."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ecs_collide.api.responses import RESPONSES
from ecs_collide.character.character_movement import Walking
from ecs_collide.common.settings import Settings
from ecs_collide.common.statistics import Statistics
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components import BodyKind
from ecs_collide.components.body_kind import KINEMATIC, STATIC
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import MASS
from ecs_collide.data.pairs import PAIR
from ecs_collide.errors import PhysicsError
from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.step.notify.contact_view import ContactView
from ecs_collide.step.notify.pair_view import PairView
from ecs_collide.step.pipeline import Pipeline
from ecs_collide.validate import LARGEST, finite, non_negative, vector2

if TYPE_CHECKING:
    from ecs_collide.step.joints.joint_view import JointView
    from ecs_collide.step.notify.contact import Contact
    from ecs_collide.step.sync.body_definition import Body


class PhysicsWorld(Walking):
    """The physics of one esper world, made by `install`.

    The numpy views have one row for each body, in the order in which they were adopted; a free row has entity 0.
    They may be written: what moves is taken as found at the next step. After writing rows of static or sleeping bodies
    call `moved`. A body keeps its row as long as it lives. The views are renewed when the world grows, and when most
    bodies have gone, so fetch them anew in each step; they end with the last row in use, at the latest when more rows
    are free than in use.
    """

    __slots__ = ("__weakref__", "_bodies")

    def __init__(self, settings: Settings) -> None:
        super().__init__(Pipeline(settings, RESPONSES[settings.response]))
        self._bodies = self.pipeline.bodies

    def __setattr__(self, name: str, value: object) -> None:
        try:
            super().__setattr__(name, value)
        except AttributeError:
            if hasattr(type(self), name):
                raise
            raise AttributeError(f"PhysicsWorld has no attribute {name!r}: {_advice(name)}") from None

    @property
    def settings(self) -> Settings:
        """What `install` was told."""
        return self.pipeline.settings

    @property
    def statistics(self) -> Statistics:
        """Counts and times of the last step."""
        return self.pipeline.statistics

    @property
    def dt(self) -> float:
        """Length of the step that is under way, or was the last [s]; 0 in a frame in which none was due."""
        return self.pipeline.dt

    @property
    def time_scale(self) -> float:
        """How fast time goes: what `esper.process` is given is multiplied by it. 0 is a pause, 0.5 slow motion."""
        return self.pipeline.clock.time_scale

    @time_scale.setter
    def time_scale(self, value: float) -> None:
        self.pipeline.clock.time_scale = non_negative(value, "time_scale")

    @property
    def fraction(self) -> float:
        """With `fixed_dt`, how much of the next step the last frame has left over, from 0 to below 1; else 1."""
        return self.pipeline.clock.fraction

    @property
    def interpolated_poses(self) -> np.ndarray:
        """Where to draw each row's entity between the last two steps, by `fraction` [m, m, rad] (n, 3), a copy.

        What was put elsewhere since the last step is where it is. Without `fixed_dt` all are.
        """
        return self.pipeline.interpolation.poses(self.fraction)

    def interpolated_pose(self, entity: int) -> tuple[float, float, float]:
        """Where to draw an entity: one row of `interpolated_poses`."""
        return self.pipeline.interpolation.pose(self._member(entity).row, self.fraction)

    @property
    def tolerances(self) -> Tolerances:
        """Lengths and speeds under which things count as equal, at rest or touching."""
        return self.pipeline.tolerances

    @property
    def gravity(self) -> tuple[float, float]:
        """Acceleration of every dynamic body, times its `gravity_scale` [m/s^2]."""
        return self.settings.gravity

    @gravity.setter
    def gravity(self, value: tuple[float, float]) -> None:
        gravity = vector2(value, "gravity")
        if gravity != self.settings.gravity:
            self._bodies.written.update(np.flatnonzero(self._bodies.arrays.island).tolist())
        self.pipeline.change_settings(self.settings._replace(gravity=gravity))

    @property
    def entities(self) -> np.ndarray:
        """Entity of each row, 0 in a free one (n,)."""
        return self._bodies.arrays.entity[: self._bodies.rows.high]

    @property
    def positions(self) -> np.ndarray:
        """Position of each entity's origin [m] (n, 2)."""
        return self._bodies.arrays.pose[: self._bodies.rows.high, :2]

    @property
    def angles(self) -> np.ndarray:
        """Angle of each entity [rad] (n,)."""
        return self._bodies.arrays.pose[: self._bodies.rows.high, 2]

    @property
    def velocities(self) -> np.ndarray:
        """Velocity of each centre of mass [m/s] (n, 2)."""
        return self._bodies.arrays.velocity[: self._bodies.rows.high, :2]

    @property
    def angular_velocities(self) -> np.ndarray:
        """Angular velocity of each body [rad/s] (n,)."""
        return self._bodies.arrays.velocity[: self._bodies.rows.high, 2]

    @property
    def pairs(self) -> PairView:
        """The candidate pairs as arrays, without those of two bodies of which none is awake."""
        return PairView(self.pipeline.pairs, self.pipeline.pairs.live)

    @property
    def contacts(self) -> ContactView:
        """This step's contacts as arrays, without those of two bodies of which none is awake."""
        return self.pipeline.response.contacts()

    def contacts_of(self, entity: int) -> list[Contact]:
        """The contacts of an entity, with what sleeps as they were when it fell asleep."""
        found = self.pipeline.response.contacts_of(entity, self._member(entity).row)
        told = {(contact.entity_a, contact.entity_b) for contact in found}  # those that fell asleep in this step
        kept = self.pipeline.sleepers.contacts.of(self.pipeline.touches.slots_of(entity))
        return found + [contact for contact in kept if (contact.entity_a, contact.entity_b) not in told]

    def touching(self, a: int, b: int) -> bool:
        """Whether the last step found that two entities touch when it began; a sensor touches what it overlaps."""
        return self.pipeline.touches.touching(a, b)

    def colliding(self, entity: int) -> list[int]:
        """The entities that touch an entity, ascending; sensors, and what a sensor overlaps, are among them."""
        self._member(entity)
        return self.pipeline.touches.colliding(entity)

    @property
    def joints(self) -> JointView:
        """The joints that work, as arrays, with what they bore in the last step."""
        return self.pipeline.joints.view()

    def joints_of(self, entity: int) -> list[int]:
        """The entities of the joints of a body, ascending, broken ones too."""
        self._member(entity)
        return self.pipeline.joints.of_body(entity)

    def row_of(self, entity: int) -> int:
        """The row of an entity in the views. Raises PhysicsError where it has no body."""
        return self._member(entity).row

    def mass_of(self, entity: int) -> float:
        """Mass of an entity's body [kg], infinite where nothing can move it."""
        row = self._member(entity).row  # first: a body that is brought in now may make the columns longer
        inverse: float = max(self._bodies.arrays.mass[row, :2].tolist())
        return 1.0 / inverse if inverse > 0.0 else float("inf")

    def apply_impulse(
        self, entity: int, impulse: tuple[float, float], point: tuple[float, float] | None = None
    ) -> None:
        """Change a body's velocity at once by an impulse [N s] at a world point [m], or at its centre of mass."""
        row = self._member(entity).row
        push = self._wrench(row, vector2(impulse, "impulse"), point, 0.0)
        self.pipeline.advice.on_push(entity, self._bodies.arrays.kind.item(row), "apply_impulse")
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
        """Push a body by a force [N] at a world point [m], or at its centre, and a torque [N m].

        It acts in the step that is under way, or in all steps of the next frame. With `fixed_dt`, and in a pause, a
        frame may have none: then it acts in the next one that has, unless the body is pushed anew before.
        """
        row = self._member(entity).row
        push = self._wrench(row, vector2(force, "force"), point, finite(torque, "torque"))
        self.pipeline.advice.on_push(entity, self._bodies.arrays.kind.item(row), "apply_force")
        self.pipeline.begin_push(row)
        self._add(self._bodies.arrays.push, row, push, "force")
        self._bodies.written.add(row)

    def move_to(self, entity: int, position: tuple[float, float], angle: float | None = None) -> None:
        """Have a kinematic body be at a place [m] when the next frame is over, and turned by an angle [rad].

        It gets the velocity that takes it there, and so pushes and carries what is in its way: a lift, a paddle that
        follows the mouse. It turns by the shorter way, and not at all without an angle. A frame without a step does not
        move it; where it is not sent on it stands still after the frame. PhysicsError if the body is not kinematic.
        """
        row = self._member(entity).row
        x, y = vector2(position, "position")
        turned = None if angle is None else finite(angle, "angle")
        kind = self._bodies.arrays.kind.item(row)
        if kind != KINEMATIC:
            name = BodyKind(kind).name.lower()
            raise PhysicsError(
                f"entity {entity} is {name}: move_to moves kinematic bodies, RigidBody(BodyKind.KINEMATIC)"
            )
        self.pipeline.goals.add(row, (x, y, turned))

    def wake(self, entity: int) -> None:
        """Wake a body with its island; one that is awake stays so for longer."""
        self._bodies.written.add(self._member(entity).row)

    def drop_through(self, entity: int, platform: int | None = None) -> None:
        """Let an entity fall through the one-way platform that it stands on, or all of them if none is named.

        It passes until it is outside of it again. What does not stand on one stays as it is.
        """
        row = self._member(entity).row
        if platform is not None:
            self._member(platform)
        pairs = self.pipeline.pairs.arrays.index
        slots = self.pipeline.touches.slots_of(entity)
        others = np.where(pairs[slots, PAIR.BODY_A] == row, pairs[slots, PAIR.BODY_B], pairs[slots, PAIR.BODY_A])
        is_meant = self._bodies.arrays.one_way[others].any(axis=1) & (pairs[slots, PAIR.ROLE] & of_pair.ONE_WAY != 0)
        if platform is not None:
            is_meant &= self._bodies.arrays.entity[others] == platform
        pairs[slots[is_meant], PAIR.ROLE] |= of_pair.PASSES | of_pair.DROPPED
        self._bodies.written.add(row)

    def is_awake(self, entity: int) -> bool:
        """Whether a body takes part in the steps: static ones never do, nor do kinematic ones that stand still."""
        row = self._member(entity).row
        if not self.pipeline.is_under_way:
            self.pipeline.wake_disturbed()
        bodies = self._bodies.arrays
        return bool(bodies.kind.item(row) != STATIC and bodies.island.item(row) == 0)

    def moved(self, entities: Iterable[int]) -> None:
        """Say that rows of static or sleeping bodies were written through the views."""
        self._bodies.touched.update(self._member(entity).row for entity in entities)

    def state_hash(self) -> str:
        """A hash of every body's entity, pose and velocity, equal exactly if all their bits are.

        With sleeping, how long each has been at rest and which island it sleeps in belong to it; and so does what
        joints bore in the last substep, which the next one begins with.
        """
        from hashlib import blake2b  # few games ask, and it is slow to load

        if not self.pipeline.is_under_way:
            self.pipeline.wake_disturbed()
        high = self._bodies.rows.high
        bodies = self._bodies.arrays
        digest = blake2b(digest_size=16)
        columns = [bodies.entity, bodies.pose, bodies.velocity]
        if self.settings.sleeping:
            columns += [bodies.still, bodies.island]
            digest.update(np.float64(self.pipeline.sleepers.waited).tobytes())
        for column in columns:
            digest.update(column[:high].tobytes())
        for entity, row in self.pipeline.joints.rows:
            digest.update(np.int64(entity).tobytes() + self.pipeline.joints.graph.columns.arrays.load[row].tobytes())
        return digest.hexdigest()

    def _member(self, entity: int) -> Body:
        membership = self.pipeline.membership
        if self.pipeline.may_bring_in and not membership.is_current(entity):
            self.pipeline.bring_in()  # it may have been created or changed since the last step
        member = membership.members.get(entity)
        if member is None:
            later = " (what comes during a step gets its body at the next one)" if self.pipeline.is_under_way else ""
            raise PhysicsError(
                f"entity {entity} has no body{later}: it needs a Transform and a Collider, Velocity, RigidBody or Force"
            )
        return member

    def _add(self, column: np.ndarray, row: int, amount: Sequence[float], name: str) -> None:
        total = [old + more for old, more in zip(column[row].tolist(), amount, strict=True)]
        if not all([abs(number) <= LARGEST for number in total]):
            raise ValueError(f"entity {self._bodies.arrays.entity[row]}: its {name} would become {total}")
        column[row] = total

    def _wrench(
        self, row: int, force: tuple[float, float], point: tuple[float, float] | None, torque: float
    ) -> tuple[float, float, float]:
        """Force and torque about the centre of mass."""
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


def _advice(name: str) -> str:
    """What to write instead of an attribute that there is not."""
    from difflib import get_close_matches

    from ecs_collide.api.install import install

    arguments = install.__kwdefaults__ or {}
    there_are = [each for each in dir(PhysicsWorld) if not each.startswith("_")]
    for near in get_close_matches(name, [*there_are, *arguments], n=1, cutoff=0.7):
        if near in there_are:
            return f"did you mean {near!r}?"
        return f"{near!r} is an argument of install, and stays as it was given there: ec.install({near}=...)"
    return "keep what is the game's own elsewhere, in a component for instance"
