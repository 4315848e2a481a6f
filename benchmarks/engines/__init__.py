"""The engines, one adapter file each; ``ENGINES`` lists them."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, cast

from benchmarks.engines.engine import Engine
from benchmarks.scene import Circle, Scene


class EngineRow(NamedTuple):
    """The location of an engine's adapter."""

    module: str
    class_name: str
    circles_only: bool = False
    """True if the engine supports only circles as dynamic bodies."""


ENGINES: dict[str, EngineRow] = {
    "ecs_collide": EngineRow("benchmarks.engines.ecs_collide_engine", "EcsCollideEngine"),
    "ecs_collide.exact": EngineRow("benchmarks.engines.ecs_collide_engine", "EcsCollideExactEngine", circles_only=True),
    "pymunk": EngineRow("benchmarks.engines.pymunk_engine", "PymunkEngine"),
    "pymunk.batch": EngineRow("benchmarks.engines.pymunk_engine", "PymunkBatchEngine"),
    "pyb2d3": EngineRow("benchmarks.engines.pyb2d3_engine", "Pyb2d3Engine"),
}


def able(scene: Scene, engines: dict[str, type[Engine]]) -> dict[str, type[Engine]]:
    """Return those of the engines that can run a scene."""
    circles = all(isinstance(shape, Circle) for group in scene.moving_groups for shape in group.shapes)
    simple = circles and not scene.pins
    return {name: engine for name, engine in engines.items() if simple or not ENGINES[name].circles_only}


class Found(NamedTuple):
    """Engines that can run here, and the reasons why others cannot."""

    engines: dict[str, type[Engine]]
    missing: dict[str, str]


def find_engines(names: list[str]) -> Found:
    """Import the adapters of engines; those that cannot be imported are missing."""
    found = Found({}, {})
    for name in names:
        row = ENGINES[name]
        try:
            found.engines[name] = cast("type[Engine]", getattr(import_module(row.module), row.class_name))
        except (ImportError, AttributeError) as error:
            found.missing[name] = str(error)
    return found
