"""The simulation of a test: it plays the game, logs its events, records it, and checks what happens."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, hypot
from typing import Any, NamedTuple

import esper

from ecs_collide.api.install import physics
from ecs_collide.api.world import PhysicsWorld
from ecs_collide.components import Collider
from ecs_collide.errors import PhysicsError
from ecs_collide.recording import Recorder
from ecs_collide.step.notify.contact import Contact
from ecs_collide.step.notify.handlers import EVENTS, EventName, on
from ecs_collide.testing import checks
from ecs_collide.validate import integer, positive

DT = 1 / 60
"""Default length of a step [s]."""
KEPT = 10.0
"""Default length of the replay: the last seconds before a test failed [s]."""


class GameEvent(NamedTuple):
    """An event of the physics, as a simulation logs it."""

    time: float
    """Time of the simulation at which it was sent [s]."""
    frame: int
    """Number of the step in which it was sent, from 1."""
    name: str
    """Name of the event, such as "collision_start"."""
    arguments: tuple[Any, ...]
    """Arguments of its handlers: a `Contact`; a sensor and an entity; a joint, its force and torque; or a joint."""

    @property
    def contact(self) -> Contact:
        """Contact of an event of collisions. Raises AttributeError for another event."""
        if isinstance(self.arguments[0], Contact):
            return self.arguments[0]
        raise AttributeError(f"{self.name} has no contact")

    @property
    def entities(self) -> tuple[int, ...]:
        """Entities of the event: both of a contact, sensor and entity, or the joint's own."""
        first = self.arguments[0]
        if isinstance(first, Contact):
            return first.entity_a, first.entity_b
        return self.arguments[:1] if self.name.startswith("joint") else self.arguments


class GameSimulation:
    """The game of one test: it steps the current esper world, logs events, and checks what happens.

    The world needs physics by its first step; the game may install it itself.

    Args:
        dt: length of a step [s].
        keep: length of the replay [s]; None for all steps.
    """

    def __init__(self, dt: float = DT, *, keep: float | None = KEPT) -> None:
        self.dt = positive(dt, "dt")
        """Length of a step [s]."""
        self.process: Callable[[float], object] = esper.process
        """Function that makes one step of `dt`; a game with an update function of its own puts it here."""
        self.frame = 0
        """Number of steps so far."""
        self.time = 0.0
        """Time of all steps so far [s]."""
        self.events: list[GameEvent] = []
        """Events of the physics so far, in their order."""
        self.world = esper.current_world
        """Esper world of the last step."""
        self.recorder: Recorder | None = None
        """Recorder of the last steps; None before the first one."""
        self._keep = keep
        self._names: dict[int, str] = {}
        self._watched: set[str] = set()
        """Esper worlds whose events are logged."""
        self._recorded: PhysicsWorld | None = None
        self._watch()

    @property
    def physics(self) -> PhysicsWorld:
        """Physics of the current esper world. Raises PhysicsError if there is none."""
        return physics()

    def __repr__(self) -> str:
        return f"<GameSimulation: step {self.frame}, {self.time:.2f} s, {len(self.events)} events>"

    # Steps

    def step(self, count: int = 1) -> None:
        """Make steps.

        Args:
            count: number of steps.
        """
        for _ in range(integer(count, "count", 0, 1 << 62)):
            self._watch()
            self.frame += 1
            self.time += self.dt
            self.process(self.dt)
            self._watch()
            self._record()

    def simulate(self, seconds: float) -> None:
        """Make all steps of a time [s], at least one."""
        self.step(ceil(positive(seconds, "seconds") / self.dt - 1e-9))

    def run_until(self, predicate: Callable[[], object], timeout: float = 10.0, what: str = "") -> float:
        """Make steps until a condition is true, and return the time that it took [s].

        Args:
            predicate: function that returns the condition. It is called before the first step, too.
            timeout: longest time to wait for it [s].
            what: description of the condition for the error; the name of the function by default.

        Raises:
            AssertionError: the condition is not true in time. The error has the places of all named entities.
        """
        __tracebackhide__ = True
        return checks.run_until(self, predicate, timeout, what)

    # Entities

    def name(self, **entities: int) -> None:
        """Give entities names, which errors, pictures and replays show: `simulation.name(player=game.player)`."""
        self._names |= {entity: name for name, entity in entities.items()}

    def name_of(self, entity: int) -> str:
        """Return the name that the test has given an entity, "" if there is none."""
        return self._names.get(entity, "")

    @property
    def names(self) -> dict[int, str]:
        """Names of entities that still exist, a copy."""
        return {entity: name for entity, name in self._names.items() if esper.entity_exists(entity)}

    def describe(self, entity: int) -> str:
        """Return an entity as errors show it: with its name, or else with its components of the game and its shape."""
        if name := self._names.get(entity):
            return f"{name} (entity {entity})"
        if not esper.entity_exists(entity):
            return f"entity {entity}"
        components: tuple[Any, ...] = esper.components_for_entity(entity)
        own = [
            type(each).__name__ for each in components if not type(each).__module__.startswith("ecs_collide.components")
        ]
        shapes = [type(each.shape).__name__ for each in components if isinstance(each, Collider)]
        return f"entity {entity} ({', '.join(own + shapes)})" if own + shapes else f"entity {entity}"

    def pose(self, entity: int) -> tuple[float, float, float]:
        """Return the pose of an entity [m, m, rad]. Raises PhysicsError if it has no body."""
        row = self.physics.row_of(entity)
        x, y = self.physics.positions[row].tolist()
        return x, y, self.physics.angles.item(row)

    def position(self, entity: int) -> tuple[float, float]:
        """Return the position of an entity [m]. Raises PhysicsError if it has no body."""
        return self.pose(entity)[:2]

    def speed(self, entity: int) -> float:
        """Return the speed of an entity [m/s]. Raises PhysicsError if it has no body."""
        row = self.physics.row_of(entity)
        return hypot(*self.physics.velocities[row].tolist())

    def events_of(self, name: EventName, *entities: int) -> list[GameEvent]:
        """Return the events of a name so far, only those with all of the given entities.

        Args:
            name: name of the event.
            entities: entities that the event must have.

        Raises:
            ValueError: the physics sends no event of this name.
        """
        if name not in EVENTS:
            raise ValueError(f"the physics sends no {name!r}: there are {', '.join(EVENTS)}")
        return [event for event in self.events if event.name == name and set(entities) <= set(event.entities)]

    # Checks

    def assert_touching(self, a: int, b: int, *, timeout: float = 0.0) -> float:
        """Check that two entities touch or overlap, and return the time that it took [s].

        Args:
            a, b: entities.
            timeout: time in which they have to touch, with the steps that this takes [s]; 0 for now.

        Raises:
            AssertionError: they do not touch. The error has their distance and what touches them instead.
        """
        __tracebackhide__ = True
        return checks.assert_touching(self, a, b, timeout)

    def assert_never_touching(self, a: int, b: int, seconds: float = 0.0) -> None:
        """Check that two entities have not touched since the test began, nor do so in the next steps.

        Args:
            a, b: entities.
            seconds: time of further steps to make [s].

        Raises:
            AssertionError: they touch or have touched. The error has the time and the place.
        """
        __tracebackhide__ = True
        checks.assert_never_touching(self, a, b, seconds)

    def assert_comes_to_rest(self, *entities: int, timeout: float = 10.0, speed: float | None = None) -> float:
        """Make steps until entities have been at rest for a fifth of a second, and return the time that it took [s].

        Args:
            entities: entities; all bodies that can move by default.
            timeout: longest time to wait for it [s].
            speed: speed below which an entity is at rest [m/s], and angular speed [rad/s] in a game in metres;
                `install(sleep_speed=)` by default.

        Raises:
            AssertionError: one of them still moves. The error has its place and speed.
        """
        __tracebackhide__ = True
        return checks.assert_comes_to_rest(self, entities, timeout, speed)

    def assert_passes(
        self, entity: int, *, x: float | None = None, y: float | None = None, timeout: float = 10.0
    ) -> float:
        """Make steps until an entity gets from one side of a line to the other, and return the time that it took [s].

        Args:
            entity: entity.
            x: place of a vertical line [m].
            y: height of a horizontal line [m]; give one of the two.
            timeout: longest time to wait for it [s].

        Raises:
            AssertionError: the entity stays on its side, or is deleted. The error says how far it came.
            ValueError: not exactly one of `x` and `y` is given.
        """
        __tracebackhide__ = True
        return checks.assert_passes(self, entity, x, y, timeout)

    # What happens

    def _watch(self) -> None:
        """Log the events of the current esper world from now on, and record its physics as soon as there is one."""
        self.world = esper.current_world
        if self.world not in self._watched:
            self._watched.add(self.world)
            for name in EVENTS:
                on(name, self._logger(name))
        try:
            present = physics()
        except PhysicsError:
            return
        if present is not self._recorded:
            keep = None if self._keep is None else ceil(self._keep / self.dt)
            self._recorded = present
            self.recorder = Recorder(present, keep=keep, label=self.name_of)

    def _record(self) -> None:
        if self.recorder is not None and self._recorded is physics():
            self.recorder.frame()

    def _logger(self, name: str) -> Callable[..., None]:
        """Return a handler that logs an event."""

        def log(*arguments: Any) -> None:
            self.events.append(GameEvent(self.time, self.frame, name, arguments))

        return log
