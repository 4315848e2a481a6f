"""Small scenes and helpers for tests that run whole steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import esper

import ecs_collide as ec
from ecs_collide.systems import System, priority_between

STEP = 1 / 60


def disk(x: float = 0.0, y: float = 0.0, *, moving: bool = True, **collider: Any) -> int:
    """A disk of radius 0.5, dynamic or static."""
    components: list[Any] = [ec.Transform(x, y), ec.Collider(ec.Circle(0.5), **collider)]
    if moving:
        components.append(ec.Velocity())
    return esper.create_entity(*components)


def floor(**collider: Any) -> int:
    """A static half-plane under y = 0."""
    return esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane(), **collider))


def run(steps: int = 1, dt: float = STEP) -> None:
    for _ in range(steps):
        esper.process(dt)


def transform(entity: int) -> ec.Transform:
    return esper.component_for_entity(entity, ec.Transform)


def velocity(entity: int) -> ec.Velocity:
    return esper.component_for_entity(entity, ec.Velocity)


def collider(entity: int) -> ec.Collider:
    return esper.component_for_entity(entity, ec.Collider)


class Hook(esper.Processor):
    """A game's own processor."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action

    def process(self, *args: Any, **kwargs: Any) -> None:
        self.action()


def hook(before: type[System], after: type[System], action: Callable[[], object]) -> None:
    """Do something between two systems in every step."""
    esper.add_processor(Hook(action), priority_between(before, after))


def hook_once(before: type[System], after: type[System], action: Callable[[], object]) -> None:
    """Do something between two systems in the next step only."""
    todo = [action]

    def act() -> None:
        if todo:
            todo.pop()()

    hook(before, after, act)


ENDS = {"collision_end": "collision_start", "sensor_exit": "sensor_enter"}


def open_touches(events: Iterable[tuple[Any, ...]], touches: Counter[tuple[Any, ...]] | None = None) -> Counter[Any]:
    """What has started and not ended; fails where an end has no start before it or a start comes twice.

    `touches`: what was open before these events, brought up to date.
    """
    touches = Counter() if touches is None else touches
    for name, *entities in events:
        key = (ENDS.get(name, name), *entities)
        touches[key] += -1 if name in ENDS else 1
        assert touches[key] in (0, 1), f"{name} {entities}"
        if touches[key] == 0:
            del touches[key]
    return touches
