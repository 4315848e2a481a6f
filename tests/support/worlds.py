"""Esper worlds of their own for tests, builders of entities, and the events that a world sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import esper

import ecs_collide as ec
from tests.support.events import EventLog, entities_of

DT = 1.0 / 60.0

_numbers = count()


@contextmanager
def esper_world() -> Iterator[str]:
    """Enter a new, empty esper world; afterwards delete all worlds created meanwhile, and enter the former one."""
    before, known = esper.current_world, set(esper.list_worlds())
    name = f"test world {next(_numbers)}"
    esper.switch_world(name)
    try:
        yield name
    finally:
        for world in set(esper.list_worlds()) - known:
            esper.switch_world(world)
            esper.event_registry.clear()  # a handler that dies in another world makes esper print a KeyError
        esper.switch_world(before)
        for world in set(esper.list_worlds()) - known:
            esper.delete_world(world)


class Game:
    """An installed world with its events in their order: (step, event name, arguments)."""

    def __init__(self, world: str, physics: ec.PhysicsWorld) -> None:
        self.world = world
        self.physics = physics
        self.events: list[tuple[int, str, tuple[Any, ...]]] = []
        self.steps = 0
        self._log = EventLog(hear=lambda name, arguments: self.events.append((self.steps, name, arguments)))

    def step(self, count: int = 1, dt: float = DT) -> None:
        """Make `count` steps; events carry the number of the step in which they came, from 0."""
        for _ in range(count):
            esper.process(dt)
            self.steps += 1

    def named_pairs(self) -> list[tuple[Any, ...]]:
        """Return all events so far as (name, entity, entity), in their order."""
        return [(name, *entities_of(arguments)) for _, name, arguments in self.events]

    def contacts(self, name: str) -> list[ec.Contact]:
        """Return the contacts of all `collision_start` or `collision_end` events so far."""
        return [arguments[0] for _, event, arguments in self.events if event == name]

    def pose(self, entity: int) -> tuple[float, float, float]:
        """Return the pose of an entity [m, m, rad]."""
        return esper.component_for_entity(entity, ec.Transform).pose

    def velocity(self, entity: int) -> tuple[float, float, float]:
        """Return the velocity of an entity [m/s, m/s, rad/s]."""
        velocity = esper.component_for_entity(entity, ec.Velocity)
        return velocity.x, velocity.y, velocity.angular


@contextmanager
def game(**settings: Any) -> Iterator[Game]:
    """Enter a new esper world with the plugin installed."""
    with esper_world() as world:
        yield Game(world, ec.install(**settings))


def ground(friction: float = 0.5, restitution: float = 0.0, angle_normal: tuple[float, float] = (0.0, 1.0)) -> int:
    """Create a static half-plane through the origin."""
    shape = ec.HalfPlane(angle_normal)
    return esper.create_entity(ec.Transform(), ec.Collider(shape, friction=friction, restitution=restitution))


def dynamic(
    shape: ec.Shape,
    position: tuple[float, float] = (0.0, 0.0),
    velocity: tuple[float, float] = (0.0, 0.0),
    *more: Any,
    angle: float = 0.0,
    angular: float = 0.0,
    **collider: Any,
) -> int:
    """Create a dynamic entity; `more` are further components."""
    return esper.create_entity(
        ec.Transform(*position, angle), ec.Velocity(*velocity, angular), ec.Collider(shape, **collider), *more
    )


def static(shape: ec.Shape, position: tuple[float, float] = (0.0, 0.0), *, angle: float = 0.0, **collider: Any) -> int:
    """Create an entity that nothing moves."""
    return esper.create_entity(ec.Transform(*position, angle), ec.Collider(shape, **collider))


def kinematic(
    shape: ec.Shape,
    position: tuple[float, float] = (0.0, 0.0),
    velocity: tuple[float, float] = (0.0, 0.0),
    *more: Any,
    angle: float = 0.0,
    angular: float = 0.0,
    **collider: Any,
) -> int:
    """Create a kinematic entity, a platform or a character for instance; `more` are further components."""
    body = ec.RigidBody(ec.BodyKind.KINEMATIC)
    return dynamic(shape, position, velocity, body, *more, angle=angle, angular=angular, **collider)


def set_collider(name: str, value: Any) -> Callable[[int], object]:
    """Return a function that sets an attribute of an entity's collider."""
    return lambda entity: setattr(collider(entity), name, value)


def make_static(*entities: int) -> None:
    """Give entities a static rigid body in place of the one that they have."""
    for entity in entities:
        esper.add_component(entity, ec.RigidBody(ec.BodyKind.STATIC))


def disk(x: float = 0.0, y: float = 0.0, *, moving: bool = True, **collider: Any) -> int:
    """Create a disk of radius 0.5, dynamic or static."""
    shape = ec.Circle(0.5)
    return dynamic(shape, (x, y), **collider) if moving else static(shape, (x, y), **collider)


def floor(**collider: Any) -> int:
    """Create a static half-plane under y = 0."""
    return static(ec.HalfPlane(), **collider)


def run(steps: int = 1, dt: float = DT) -> None:
    """Make steps of the current world."""
    for _ in range(steps):
        esper.process(dt)


def transform(entity: int) -> ec.Transform:
    """Return the Transform of an entity."""
    return esper.component_for_entity(entity, ec.Transform)


def velocity(entity: int) -> ec.Velocity:
    """Return the Velocity of an entity."""
    return esper.component_for_entity(entity, ec.Velocity)


def collider(entity: int) -> ec.Collider:
    """Return the Collider of an entity."""
    return esper.component_for_entity(entity, ec.Collider)
