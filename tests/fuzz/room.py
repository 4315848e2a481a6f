"""One esper world of a case: its content, its events, and the expectations of its next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper

import ecs_collide as ec
from ecs_collide.components.joints.joint import Joint
from ecs_collide.systems import SCHEDULE
from ecs_collide.systems.schedule import SPACING, priorities
from tests.fuzz.components import with_transform

ENDS = {"collision_end": "collision_start", "sensor_exit": "sensor_enter"}

Touch = tuple[str, int, int]
"""Name of an event that starts, and its two entities."""


class Fault(Exception):
    """A violated condition; `kind` is a short name by which shrinking recognises it."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class Raised(Exception):
    """The error that hooks and handlers of a case raise on purpose."""


class Call(esper.Processor):
    """A processor that calls a function; esper removes processors by class, so each gets a class of its own."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action

    def process(self, *args: Any, **kwargs: Any) -> None:
        self.action()


FIRST = priorities(0)[SCHEDULE[0]]
"""Priority of the first system."""

PLACES = tuple(FIRST + SPACING / 2 - SPACING * k for k in range(len(SCHEDULE) + 1))
"""Priorities for a game's own processors: before the first system, between any two, and after the last."""


class JointModel:
    """The expected state of a world's joints, and the events of joints that are still due."""

    def __init__(self) -> None:
        self.fresh: dict[int, bool] = {}
        """Entities with joints that were new to the world before Synchronise; True for joints that never worked."""
        self.former_bodies: set[int] = set()
        """Entities that had bodies then."""
        self.working: dict[int, Joint] = {}
        """Joints that worked after the last Synchronise, and whose break was not reported."""
        self.connected: set[tuple[int, int]] = set()
        """Entities that did not collide then."""
        self.ending: set[int] = set()
        """Entities of joints of which `joint_end` has to come."""
        self.breaking: set[int] = set()
        """Entities of joints of which `joint_break` has to come, that work again or are gone already."""
        self.former: set[int] = set()
        """Entities whose events of a world that was uninstalled may still come: a handler of one of them did that."""

    def uninstalled(self) -> JointModel:
        """Facts that remain when the world is deleted."""
        after = JointModel()
        after.former = self.ending | self.breaking | {e for e, joint in self.working.items() if joint.broken}
        return after

    def take_in(self, working: dict[int, Joint], held: Callable[[int], object]) -> None:
        """Record the working joints.

        A joint that worked, is still held and has not broken has ended. So has one that never worked and was taken in.
        """
        for entity, joint in self.working.items():
            if joint.broken:
                self.breaking.add(entity)
            elif entity not in working and held(entity) is joint:
                self.ending.add(entity)
        for entity, is_unused in self.fresh.items():
            given = held(entity)
            if is_unused and entity not in working and isinstance(given, Joint) and not given.broken:
                self.ending.add(entity)
        self.working = working
        self.connected = {
            (min(joint.a, joint.b), max(joint.a, joint.b))
            for joint in working.values()
            if joint.b is not None and not joint.collide_connected
        }

    def mended(self, entity: int) -> None:
        """Record that a joint works again; its break may still have to be sent."""
        joint = self.working.get(entity)
        if joint is not None and joint.broken:
            del self.working[entity]
            self.breaking.add(entity)

    def hear(self, name: str, entity: int) -> str | None:
        """Record an event; return its fault, if any."""
        if entity in self.former:
            self.former.discard(entity)
            return None
        broken = [entity for entity, joint in self.working.items() if joint.broken]
        known = self.ending if name == "joint_end" else self.breaking.union(broken)
        if entity not in known:
            return f"{name} of {entity}, where there may be one of {sorted(known)}"
        self.ending.discard(entity) if name == "joint_end" else self.breaking.discard(entity)
        if entity in broken:
            del self.working[entity]
        return None

    def unreported(self) -> str | None:
        """Return the events that are missing when a step is complete."""
        broken = sorted(self.breaking.union(entity for entity, joint in self.working.items() if joint.broken))
        if self.ending or broken:
            return f"joints {sorted(self.ending)} have ended, {broken} have broken, and no event was sent"
        return None


class Room:
    """The model of an esper world."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.physics: ec.PhysicsWorld | None = None
        self.entities: dict[int, int] = {}
        """Entity of each label that was given in this world."""
        self.loose: list[Any] = []
        """Components that were taken off, to be used again."""
        self.handlers: list[tuple[str, Any]] = []
        """Handlers by event name: esper keeps weak references only."""
        self.deeds: dict[str, list[Any]] = {}
        """Operation that handlers do at each event, and how many times more."""
        self.hooks: list[type[Call]] = []
        self.open: set[Touch] = set()
        """Touches that have started and not ended."""
        self.joints = JointModel()
        self.expected: set[int] = set()
        """Entities for which the next step must raise an error."""
        self.digest = b""
        """Values of the columns before Synchronise."""
        self.has_rest_of_step = False
        """True if a step that Ctrl-C broke off was to be completed then."""
        self.synchronised = False
        """True if the step under way has passed Synchronise."""
        self.is_looked_at = False
        """True if slow checks are made in this step."""
        self.acted = 0
        """Number of operations by hooks and handlers since then."""
        self.parted: list[tuple[int, int]] = []
        """Divisors and remainders of sums of entities whose pairs a hook switched off in this step."""
        self.rounds = 0
        """Number of steps of the present frame that have passed Synchronise."""
        self.is_wild = False
        """True if the world has numbers with which a step may fail, though only with an error."""
        self.is_shuffled = False
        """True if processors were added or removed in this step, so that esper may have skipped some."""
        self.is_interrupted = False
        """True if a step was interrupted."""
        self.is_crippled = False
        """True if a system is missing: steps may fail, but must not crash or hang."""

    def add(self, priority: float, action: Callable[[], object]) -> type[Call]:
        """Add a processor to the current esper world; return its class."""
        kind = type("Call", (Call,), {})
        esper.add_processor(kind(action), priority)  # type: ignore[arg-type]  # esper only sorts by it
        return kind

    @property
    def is_bound(self) -> bool:
        """True if the game's own `Spot` takes the place of Transform."""
        return self.physics is not None and self.physics.settings.transform is not None

    def holders(self) -> list[tuple[int, dict[type[Any], Any]]]:
        """Entities with their components, if this is the current world; with a Transform that comes with a Spot."""
        holders = list(esper._entities.items())
        if self.physics is None or not self.is_bound:
            return holders
        (bound,) = self.physics.pipeline.bound_components
        return [(entity, with_transform(held, bound._ours.get(entity))) for entity, held in holders]

    def hear(self, name: str, a: int, b: int) -> str | None:
        """Record an event; return its fault, if any."""
        touch = (ENDS.get(name, name), a, b)
        if name in ENDS:
            if touch not in self.open:
                return f"{name} of {a} and {b} without a start"
            self.open.remove(touch)
        else:
            if touch in self.open:
                return f"{name} of {a} and {b} twice without an end"
            self.open.add(touch)
        return None
