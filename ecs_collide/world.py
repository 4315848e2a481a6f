"""The physics of one esper world: its columns, its stages in order, and what a game may ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from math import cos, sin

import numpy as np

from ecs_collide.advice import Advice
from ecs_collide.broadphase.boxes import refresh_frames
from ecs_collide.broadphase.finder import PairFinder
from ecs_collide.columns.bodies import LOCAL_X, BodyColumns
from ecs_collide.columns.pairs import PairColumns
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.components import BodyKind
from ecs_collide.contact import Contact
from ecs_collide.contact_events import ContactEvents
from ecs_collide.contact_view import ContactView
from ecs_collide.continuous.sweeper import Sweeper
from ecs_collide.errors import PhysicsError
from ecs_collide.events import EventQueue
from ecs_collide.interrupts import Uninterrupted
from ecs_collide.membership.membership import Member, Membership
from ecs_collide.narrowphase.contact_finder import ContactFinder
from ecs_collide.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.pair_view import PairView
from ecs_collide.response.exact.response import ExactResponse
from ecs_collide.response.impulse import ImpulseResponse
from ecs_collide.settings import Settings
from ecs_collide.sleeping.sleepers import Sleepers
from ecs_collide.statistics import Statistics
from ecs_collide.tuning import SHORTEST_SUBSTEP, Tolerances
from ecs_collide.validate import LARGEST, LARGEST_ANGLE, finite, vector2

NO_ROWS = np.zeros(0, np.int64)

# How far a step is: none under way, and then what has run of it
COMPLETE, SYNCHRONISED, PAIRED, FOUND, ANSWERED = "Notify", "Synchronise", "Broadphase", "Narrowphase", "Response"


class PhysicsWorld:
    """The physics of one esper world, made by `install`.

    The numpy views have one row for each body, in the order in which they were adopted; a free row has entity 0.
    They may be written: what moves is taken as found at the next step. After writing rows of static or sleeping bodies
    call `moved`. A body keeps its row as long as it lives. The views are renewed when the world grows, and when most
    bodies have gone, so fetch them anew in each step; they end with the last row in use, at the latest when more rows
    are free than in use.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.statistics = Statistics()
        self.dt = 0.0
        """Length of the step that is under way, or was the last [s]."""
        self.tolerances = Tolerances.for_length_unit(settings.length_unit)._replace(
            bounce_speed=settings.bounce_speed, sleep_speed=settings.sleep_speed
        )
        self._bodies = BodyColumns()
        self._pieces = PieceColumns()
        self._pairs = PairColumns(len(PAIR_TABLE))
        self._contact_finder = ContactFinder(self._bodies, self._pieces, self._pairs, self.tolerances)
        self._finder = PairFinder(self._bodies, self._pieces, self._pairs, self.tolerances)
        self._exact = None
        if settings.response == "exact":
            self._exact = ExactResponse(self._bodies, self._pieces, self._pairs, self.tolerances, settings.length_unit)
        check = None if self._exact is None else self._exact.check
        self._membership = Membership(self._bodies, self._pieces, self._finder, self.tolerances, check)
        self._advice = Advice()
        self._membership.arriving = self._advice.on_arrival
        self._sleepers = Sleepers(
            self._bodies,
            self._pieces,
            self._pairs,
            self._finder,
            self._contact_finder,
            self._membership,
            self.tolerances,
        )
        sweeper = Sweeper(
            self._bodies, self._pieces, self._pairs, self._finder, self._contact_finder, self.tolerances.slop
        )
        self._impulse = ImpulseResponse(self._bodies, self._pairs, self._contact_finder, sweeper, self.tolerances)
        self._events = EventQueue.of_current_world()
        self._contact_events = ContactEvents(
            self._pieces,
            self._pairs,
            self._finder,
            self._contact_finder,
            sweeper,
            self._exact,
            self.tolerances,
            self._events.handlers,
        )
        self._done = COMPLETE
        """The system that ran last."""
        self._is_answered = True
        """Whether the world's own response ran in the last step."""
        self._touched_statics = NO_ROWS
        """Rows of static bodies that were put elsewhere, until Broadphase takes them."""

    # The stages of a step, in order. Each is called by the system of the same name.

    def synchronise(self, dt: float) -> None:
        """Bring in what the game changed since the last step. Raises PhysicsError, with nothing done, if it cannot."""
        self._events.check_current()
        self._advice.on_step(dt)
        self._advice.on_writing(self._bodies)
        self._take_changes()
        self._done = SYNCHRONISED
        self.dt = dt

    def _take_changes(self) -> None:
        self._sleepers.wake_disturbed()
        plan = self._membership.plan()
        if self._exact is not None:
            self._exact.check_spin(self._membership, plan)
        if plan is not None:
            for rows in (self._sleepers.awake, self._put_elsewhere()):
                changes = np.isin(self._bodies.arrays.entity[rows], plan.change.entities)
                self._refresh_frames(rows[~changes])
            with Uninterrupted():
                self._membership.carry_out(plan)
        self._refresh_frames(self._sleepers.awake)
        statics = self._put_elsewhere()
        if len(statics):
            self._refresh_frames(statics)
        self._touched_statics = statics
        self._bodies.touched.clear()

    def _put_elsewhere(self) -> np.ndarray:
        """Rows of the static bodies that were put elsewhere since Broadphase last looked."""
        touched = self._bodies.touched
        if not touched and len(self._touched_statics) == 0:
            return NO_ROWS
        rows = np.array(sorted(touched.union(self._touched_statics.tolist())), np.int64)
        statics: np.ndarray = rows[self._bodies.arrays.kind[rows] == BodyKind.STATIC]
        return statics

    def _refresh_frames(self, rows: np.ndarray) -> None:
        bad_row = refresh_frames(rows, self._bodies.arrays)
        if bad_row >= 0:
            raise self._bad_number(bad_row)

    def find_pairs(self) -> None:
        """Bring the candidate pairs up to date."""
        if self._done != SYNCHRONISED and self._stands_still(PAIRED, SYNCHRONISED):
            return
        with Uninterrupted():
            self._update_pairs()
            self._done = PAIRED

    def _update_pairs(self) -> None:
        pairs, exact = self._pairs, self._exact
        if exact is not None and not exact.needs_pairs(self._membership, self._touched_statics):
            return
        changed = self._touched_statics
        if self._finder.update(self._touched_statics):
            self._contact_finder.regroup()
        self._touched_statics = NO_ROWS
        pairs.enable_all()
        if exact is not None:
            exact.leave_sensors(self._contact_finder.live)
            if exact.is_stale(self._membership) or len(changed):
                exact.renew(self._membership)

    def find_contacts(self) -> None:
        """Make the contact manifolds of the pairs, and this step's contact rows."""
        if self._done != PAIRED and self._stands_still(FOUND, PAIRED):
            return
        self._contact_finder.make_manifolds()  # made anew in each step: only waking must not be interrupted
        while self._sleepers.wake_touched():
            self._contact_finder.make_manifolds()
        self._contact_finder.collect(self._membership.movers)
        if not self._is_answered:
            self._contact_finder.leave_unanswered()
        self._done = FOUND

    def respond(self) -> None:
        """Answer the contacts and move the bodies."""
        if self._done != FOUND and self._stands_still(ANSWERED, FOUND):
            return
        with Uninterrupted():
            self._answer()
            self._done = ANSWERED

    def _answer(self) -> None:
        if self.dt / self.settings.substeps < SHORTEST_SUBSTEP:
            self._contact_finder.leave_unanswered()
            if self._exact is not None:
                self._exact.pause()
            return
        touched = self._bodies.touched
        if touched:  # teleports since Synchronise
            rows = np.array(sorted(touched), np.int64)
            self._refresh_frames(rows[self._bodies.arrays.kind[rows] != BodyKind.STATIC])
        if self._exact is not None:
            self._exact.respond(self.settings.gravity, self.dt)
            return
        self.statistics.stopped_bodies = self._impulse.respond(self._sleepers.awake, self.settings, self.dt)

    def notify(self) -> None:
        """Complete the step and send its events."""
        if self._done not in (FOUND, ANSWERED) and self._stands_still(COMPLETE, FOUND):
            return
        with Uninterrupted():
            self._complete_step()
        if self._events.is_waiting:
            self._events.send()

    def _complete_step(self) -> None:
        """Bring up to date what is known of the step, put bodies to sleep, and have events sent."""
        if self._done == FOUND:
            self._tell_no_answer()
        self._is_answered = self._done == ANSWERED
        statistics = self.statistics
        statistics.steps += 1
        statistics.bodies = len(self._membership.members)
        statistics.moving_bodies = len(self._membership.movers)
        statistics.pairs = len(self._contact_finder.live)
        statistics.contacts = self._contact_finder.count
        if self._exact is not None:
            solver = self._exact.solver
            statistics.contacts = self._exact.contact_count
            statistics.impacts, statistics.event_cap_hits = solver.impacts, solver.cap_hits
        events = self._contact_events.gather() + self._contact_events.hits(self.settings.hit_speed, self.dt)
        if self.settings.sleeping and self._exact is None and self.dt > 0.0:
            self._sleepers.fall_asleep(self.settings.gravity, self.dt)
        statistics.sleeping_bodies = self._sleepers.count
        self._events.put(events)
        self._done = COMPLETE

    def _tell_no_answer(self) -> None:
        """Nothing has answered the contacts, but perhaps a response of the game's own: the last answer is not told."""
        if self._is_answered:
            self._contact_finder.leave_unanswered()
        if self._exact is not None:
            self._exact.pause()

    @property
    def _under_way(self) -> bool:
        """Between Synchronise and Notify: bodies must not come or go."""
        return self._done != COMPLETE

    def _stands_still(self, system: str, needed: str) -> bool:
        """Whether no step is under way, so that a system has nothing to do.

        Raises PhysicsError where one is and what the system needs has not run in it: what it would read is of an
        earlier step, and may have been freed.
        """
        if self._done == COMPLETE:
            return True
        raise PhysicsError(
            f"{system} runs after {self._done} in this step, but it needs {needed} just before: has a system been "
            "removed from esper, or added twice or with another priority? Put it back, or call uninstall(). "
            "An esper.process that fails within this step leads here too"
        )

    def release(self) -> None:
        """Let go of all entities, and send the ends of all contacts."""
        with Uninterrupted():
            self._membership.release()
            self._contact_finder.clear()
            self._touched_statics = NO_ROWS
            self._done = COMPLETE
            self._events.put(self._contact_events.release())
        self._events.send()

    # What a game may ask.

    @property
    def gravity(self) -> tuple[float, float]:
        """Acceleration of every dynamic body, times its `gravity_scale` [m/s^2]."""
        return self.settings.gravity

    @gravity.setter
    def gravity(self, value: tuple[float, float]) -> None:
        gravity = vector2(value, "gravity")
        if gravity != self.settings.gravity:
            self._bodies.written.update(np.flatnonzero(self._bodies.arrays.island).tolist())
        self.settings = self.settings._replace(gravity=gravity)

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
        return PairView(self._pairs, self._contact_finder.live)

    @property
    def contacts(self) -> ContactView:
        """This step's contacts as arrays, without those of two bodies of which none is awake."""
        return self._contact_events.contacts()

    def contacts_of(self, entity: int) -> list[Contact]:
        """The contacts of an entity, with what sleeps as they were when it fell asleep."""
        self._member(entity)
        now, asleep = self.contacts, self._sleepers.contacts.of(entity)
        its = (now.entity_a == entity) | (now.entity_b == entity)
        found = [now.snapshot(int(k)) for k in np.flatnonzero(its)]
        told = {(contact.entity_a, contact.entity_b) for contact in found}  # those that fell asleep in this step
        kept = [asleep.snapshot(k) for k in range(len(asleep))]
        return found + [contact for contact in kept if (contact.entity_a, contact.entity_b) not in told]

    def touching(self, a: int, b: int) -> bool:
        """Whether two entities touch; a sensor touches what it overlaps."""
        return self._contact_events.touching(a, b)

    def row_of(self, entity: int) -> int:
        """The row of an entity in the views. Raises PhysicsError where it has no body."""
        return self._member(entity).row

    def mass_of(self, entity: int) -> float:
        """Mass of an entity's body [kg], infinite where nothing can move it."""
        inverse = self._bodies.arrays.mass[self._member(entity).row, :2].max()
        return float(1.0 / inverse) if inverse > 0.0 else float("inf")

    def apply_impulse(
        self, entity: int, impulse: tuple[float, float], point: tuple[float, float] | None = None
    ) -> None:
        """Change a body's velocity at once by an impulse [N s] at a world point [m], or at its centre of mass."""
        row = self._member(entity).row
        push = self._wrench(row, vector2(impulse, "impulse"), point, 0.0)
        self._advice.on_push(entity, int(self._bodies.arrays.kind[row]), "apply_impulse")
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
        """Push a body in the next step by a force [N] at a world point [m], or at its centre, and a torque [N m]."""
        row = self._member(entity).row
        push = self._wrench(row, vector2(force, "force"), point, finite(torque, "torque"))
        self._advice.on_push(entity, int(self._bodies.arrays.kind[row]), "apply_force")
        self._add(self._bodies.arrays.push, row, push, "force")
        self._bodies.written.add(row)

    def wake(self, entity: int) -> None:
        """Wake a body with its island; one that is awake stays so for longer."""
        self._bodies.written.add(self._member(entity).row)

    def is_awake(self, entity: int) -> bool:
        """Whether a body takes part in the steps: static ones never do, nor do kinematic ones that stand still."""
        row = self._member(entity).row
        if not self._under_way:
            self._sleepers.wake_disturbed()
        bodies = self._bodies.arrays
        return bool(bodies.kind[row] != BodyKind.STATIC and bodies.island[row] == 0)

    def moved(self, entities: Iterable[int]) -> None:
        """Say that rows of static or sleeping bodies were written through the views."""
        self._bodies.touched.update(self._member(entity).row for entity in entities)

    def state_hash(self) -> str:
        """A hash of every body's entity, pose and velocity, equal exactly if all their bits are.

        With sleeping, how long each has been at rest and which island it sleeps in belong to it.
        """
        if not self._under_way:
            self._sleepers.wake_disturbed()
        high = self._bodies.rows.high
        bodies = self._bodies.arrays
        digest = blake2b(digest_size=16)
        columns = [bodies.entity, bodies.pose, bodies.velocity]
        if self.settings.sleeping:
            columns += [bodies.still, bodies.island]
            digest.update(np.float64(self._sleepers.waited).tobytes())
        for column in columns:
            digest.update(column[:high].tobytes())
        return digest.hexdigest()

    def _member(self, entity: int) -> Member:
        if not self._under_way and self._events.is_in_current_world and not self._membership.is_current(entity):
            with Uninterrupted():
                self._membership.update()  # it may have been created or changed since the last step
        member = self._membership.members.get(entity)
        if member is None:
            later = " (what comes during a step gets its body at the next one)" if self._under_way else ""
            raise PhysicsError(
                f"entity {entity} has no body{later}: it needs a Transform and a Collider, Velocity, RigidBody or Force"
            )
        return member

    def _add(self, column: np.ndarray, row: int, amount: Sequence[float], name: str) -> None:
        total = [old + more for old, more in zip(column[row].tolist(), amount, strict=True)]
        if not all(abs(number) <= LARGEST for number in total):
            raise ValueError(f"entity {self._bodies.arrays.entity[row]}: its {name} would become {total}")
        column[row] = total

    def _wrench(
        self, row: int, force: tuple[float, float], point: tuple[float, float] | None, torque: float
    ) -> tuple[float, float, float]:
        """Force and torque about the centre of mass."""
        if point is not None:
            point = vector2(point, "point")
            x, y, angle = self._bodies.arrays.pose[row].tolist()
            local_x, local_y = self._bodies.arrays.mass[row, LOCAL_X : LOCAL_X + 2].tolist()
            finite(angle, f"entity {self._bodies.arrays.entity[row]}: Transform.angle")
            c, s = cos(angle), sin(angle)
            arm_x = point[0] - (x + c * local_x - s * local_y)
            arm_y = point[1] - (y + s * local_x + c * local_y)
            torque += arm_x * force[1] - arm_y * force[0]
        return *force, torque

    def _bad_number(self, row: int) -> PhysicsError:
        bodies = self._bodies.arrays
        fields = (
            ("Transform", ("x", "y", "angle"), bodies.pose),
            ("Velocity", ("x", "y", "angular"), bodies.velocity),
            ("Force", ("x", "y", "torque"), bodies.force),
            ("apply_force's", ("x", "y", "torque"), bodies.push),
        )
        bad = [
            f"{component}.{name} is {column[row, k]}"
            for component, names, column in fields
            for k, name in enumerate(names)
            if not abs(column[row, k]) <= (LARGEST_ANGLE if name == "angle" else LARGEST)
        ]
        return PhysicsError(
            f"entity {bodies.entity[row]}: {', '.join(bad)}; numbers must be finite and "
            f"not exceed {LARGEST:g}, angles {LARGEST_ANGLE:g}. The step was not made"
        )
