"""A case in play: its worlds, the operations on them, and the faults that are found."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import esper
import numpy as np

import ecs_collide as ec
from ecs_collide.components.joints.joint import Joint
from ecs_collide.systems.schedule import SPACING
from tests.fuzz import checks
from tests.fuzz.components import Conditions
from tests.fuzz.cramped import spoil_what_was_left
from tests.fuzz.expect import joints_of, refused
from tests.fuzz.room import FIRST, PLACES, Fault, Raised, Room
from tests.fuzz.shapes import Data

EVENTS = ("collision_start", "collision_end", "sensor_enter", "sensor_exit")
JOINT_EVENTS = ("joint_break", "joint_end")

ENGINE = str(Path(ec.__file__).parent)


class Play:
    """The worlds of one case. `do` does an operation, so that hooks and handlers can do them too."""

    def __init__(self, do: Callable[[Play, Data], None], conditions: Conditions, thorough: int = 4) -> None:
        self.do = do
        self.conditions = conditions
        self.rooms: dict[str, Room] = {}
        self.attic: list[Any] = []
        """Handlers of worlds that are gone: esper prints an error where one dies while another world is current."""
        self.faults: list[Fault] = []
        self.said: checks.Said = {}
        self.trace: list[int] = []
        """A number for the state after every step."""
        self.count = 0
        """Number of operations that were done."""
        self.depth = 0
        """Number of steps and removals under way, one in a handler of another; all but one have events to send."""
        self.event: tuple[int, int] = (0, 0)
        """Entities of the event that is being handled."""
        self.endings = ExitStack()
        """Settings that are restored at the end of the case."""
        self.is_over = False
        """Handlers and hooks do nothing any more."""
        self.thorough = thorough
        """The checks that take long are made in every so many steps."""

    @property
    def room(self) -> Room:
        """The current esper world."""
        name = esper.current_world
        if name not in self.rooms:
            self.rooms[name] = self._furnished(Room(name))
        return self.rooms[name]

    def fault(self, kind: str, text: str) -> None:
        """Record a fault; the case ends after the operation."""
        self.faults.append(Fault(kind, text))

    def entity(self, reference: int | str) -> int | None:
        """Return the entity of a label, or the event's "a" or "b", if it is in the current world."""
        if isinstance(reference, str):
            entity: int | None = self.event["ab".index(reference)]
        else:
            entity = self.room.entities.get(reference)
        return entity if entity in esper._entities else None

    def refused(self) -> set[int]:
        """Entities of the current world that the next step must refuse."""
        room, physics = self.room, self.room.physics
        if physics is None:
            return refused(room.holders(), False)
        is_exact, model = physics.settings.response == "exact", room.joints
        if physics.pipeline.is_under_way:
            return refused(room.holders(), is_exact, model.fresh, model.former_bodies)
        members = physics.pipeline.body_sync.members
        return refused(room.holders(), is_exact, checks.fresh_joints(room, physics), members)

    def act(self, operations: tuple[Data, ...]) -> None:
        """Do the operations of a hook or a handler."""
        if self.is_over:
            return
        for operation in operations:
            self.room.acted += 1
            self.do(self, operation)
            self.room.acted += 1
        if not self.room.synchronised:
            self._note_fresh_joints()

    def process(self, *arguments: Any) -> None:
        """Make a step of the current world, and check all its conditions."""
        room = self.room
        outer = room.expected, room.synchronised, room.rounds, room.parted, room.is_shuffled
        room.expected, room.synchronised, room.rounds, room.parted, room.is_shuffled = set(), False, 0, [], False
        self.depth += 1
        if self.depth == 1:
            spoil_what_was_left()
        try:
            esper.process(*arguments)
        except Exception as error:
            outer = (*outer[:4], True)  # a step under way may be refused
            self._judge(room, error)
        else:
            if room.expected and not (room.is_wild or room.is_crippled or room.is_shuffled):
                self.fault("accepted", f"a step with entities {sorted(room.expected)}, which must be refused")
            unreported = room.joints.unreported() if self.depth == 1 and room is self.room and room.rounds else None
            if unreported is not None and not (room.is_crippled or room.is_shuffled or room.is_interrupted):
                self.fault("joint events", unreported)
        finally:
            self.depth -= 1
            if room.rounds == 0:
                outer = (*outer[:2], 0, *outer[3:])  # a step that is under way has been dropped
            if self.depth:
                room.expected, room.synchronised, room.rounds, room.parted, room.is_shuffled = outer
        if room.physics is not None:
            self.trace.append(checks.motion(room.physics))

    def unexpected(self, error: BaseException, what: str) -> None:
        """Record an unexpected error as a fault."""
        frames = traceback.extract_tb(error.__traceback__)
        where = next((frame for frame in reversed(frames) if frame.filename.startswith(ENGINE)), frames[-1]).name
        text = "".join(traceback.format_exception(error)[-6:])
        self.fault(f"{type(error).__name__} in {where}", f"{what}: {text}")

    def close(self) -> None:
        """End all worlds; every start must have had its end then."""
        self.is_over = True
        for name, room in list(self.rooms.items()):
            esper.switch_world(name)
            if room.physics is not None and not (room.is_crippled or self.faults):
                try:
                    ec.uninstall()
                except Exception as error:
                    self.unexpected(error, "uninstall at the end")
                if room.open:
                    self.fault("no end", f"{sorted(room.open)} have started, and not ended with uninstall")
            esper.event_registry.clear()
        esper.switch_world("default")
        for name in self.rooms:
            esper.delete_world(name)

    def _furnished(self, room: Room) -> Room:
        for name in (*EVENTS, *JOINT_EVENTS):
            handler = self._recorder(room, name)
            room.handlers.append((name, handler))
            esper.set_handler(name, handler)
        room.add(FIRST + SPACING / 4, self._before)
        room.add(FIRST - SPACING / 4, self._synchronised)
        room.add(PLACES[-2], self._answered)
        room.add(PLACES[-1] - 1, self._complete)
        return room

    def _recorder(self, room: Room, name: str) -> Any:
        def record(*arguments: Any) -> None:
            if self.room is not room:
                self.fault("wrong world", f"{name} of world {room.name} came in {self.room.name}")
            first = arguments[0]
            if name in JOINT_EVENTS:
                wrong = room.joints.hear(name, first)
            else:
                wrong = room.hear(name, *((first.entity_a, first.entity_b) if len(arguments) == 1 else arguments))
            if wrong is not None and not (name in JOINT_EVENTS and room.is_interrupted):
                self.fault("balance", wrong)  # a step that was broken off may have taken joints in unseen

        return record

    def _before(self) -> None:
        room = self.room
        if room.physics is not None:
            room.digest = checks.digest(room.physics)
            room.has_rest_of_step = room.physics.pipeline.is_under_way
            self._note_fresh_joints()

    def _note_fresh_joints(self) -> None:
        """Record the new joints before Synchronise, which takes them in."""
        if self.room.physics is not None:
            model, physics = self.room.joints, self.room.physics
            model.fresh, model.former_bodies = (
                checks.fresh_joints(self.room, physics),
                set(physics.pipeline.body_sync.members),
            )

    def _synchronised(self) -> None:
        room = self.room
        physics = room.physics
        if physics is None or not physics.pipeline.is_under_way:
            return
        room.synchronised, room.acted, room.parted = True, 0, []
        room.rounds += 1
        room.joints.take_in(checks.working_joints(physics), self._joint_of)
        if room.is_crippled or room.is_shuffled:
            return
        bodies, members = physics.pipeline.bodies.arrays, physics.pipeline.body_sync.members
        self._poses = {
            entity: (int(bodies.kind[member.host.row]), bodies.pose[member.row].tolist())
            for entity, member in members.items()
        }
        room.is_looked_at = physics.statistics.steps % self.thorough == 0
        if room.is_looked_at:
            room.expected = self.refused()
            self._put_down(checks.check_bodies(room, physics, self.said))
            self._put_down(checks.check_joints(room, physics))

    def _answered(self) -> None:
        """Prepare for another step of the same frame, which may be refused in its turn."""
        physics = self.room.physics
        if physics is not None and physics.pipeline.clock.due > 0:
            self.room.synchronised = False
            self._note_fresh_joints()

    def _joint_of(self, entity: int) -> Joint | None:
        return next(iter(joints_of(esper._entities.get(entity, {}))), None)

    def _complete(self) -> None:
        room, physics = self.room, self.room.physics
        if physics is None or room.is_shuffled or room.is_crippled or not room.rounds:
            return
        if not room.acted and not np.isfinite(physics.positions).all():  # a hook may write what the next step refuses
            self.fault("finite", f"positions of {physics.entities} are {physics.positions}")
        if room.acted or room.expected or room.is_wild:
            return
        self._put_down(checks.check_statics(physics, self._poses))
        if room.is_looked_at:
            self._put_down(checks.check_step(physics))
        if self.depth == 1 and room.is_looked_at:
            self._put_down(checks.check_touching(room, physics))
            self._put_down(checks.check_spots(room, physics))
            if physics.settings.response == "impulse":
                self._put_down(checks.check_pair_boxes(room, physics))

    def _put_down(self, wrong: checks.Wrong) -> None:
        for kind, text in wrong:
            self.fault(kind, text)
            break

    def _judge(self, room: Room, error: Exception) -> None:
        """Return True if a step may have ended with this error."""
        if isinstance(error, Raised):
            return
        if isinstance(error, ec.PhysicsError) and (room.is_crippled or room.is_wild or room.is_shuffled):
            return
        if isinstance(error, ec.PhysicsError) and not room.synchronised:
            if _names_spin_that_nobody_holds(error):
                return
            room.expected = self.refused()
            if room.expected:
                self._refused(room, error)
                return
        self.unexpected(error, "a step")

    def _refused(self, room: Room, error: ec.PhysicsError) -> None:
        words = str(error).replace(":", " ").replace(",", " ").split()
        if not any(str(entity) in words for entity in room.expected):
            self.fault("blame", f"{error} says nothing of {sorted(room.expected)}")
        if room.physics is None or room.rounds or room.is_bound:  # steps of this frame, or the game's own components
            return
        if room.has_rest_of_step:  # the step that Ctrl-C broke off was completed before this one was refused
            return
        if checks.digest(room.physics) != room.digest:
            self.fault("half done", f"{error} was raised with the columns changed")


def _names_spin_that_nobody_holds(error: ec.PhysicsError) -> bool:
    """Return True if the exact response refuses a kinematic body for a spin without a Velocity."""
    named = re.match(r"entity (\d+): .* a kinematic \w+ cannot turn", str(error))
    return named is not None and ec.Velocity not in esper._entities.get(int(named[1]), {})
