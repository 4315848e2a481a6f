"""Compile every kernel by stepping a small world in which every row of the pair table occurs."""

from __future__ import annotations

from itertools import combinations_with_replacement

import esper

from ecs_collide.components import Collider, Transform, Velocity
from ecs_collide.install import install
from ecs_collide.jit import cache_folder, compile_statistics
from ecs_collide.shapes import Box, Capsule, Circle, HalfPlane, Shape

SHAPES: tuple[Shape, ...] = (Circle(0.5), Capsule((-0.5, 0.0), (0.5, 0.0), 0.2), Box(1.0, 1.0))
WORLD = "ecs_collide: compiling ahead"


def compile_ahead() -> None:
    """Compile what is not on disk yet, and say what was done. The current esper world stays as it is."""
    before = esper.current_world
    esper.switch_world(WORLD)
    try:
        install(gravity=(0.0, -10.0))
        esper.create_entity(Transform(), Collider(HalfPlane()))
        for place, (first, second) in enumerate(combinations_with_replacement(SHAPES, 2)):
            esper.create_entity(Transform(3.0 * place, 0.4), Velocity(), Collider(first))
            esper.create_entity(Transform(3.0 * place, 1.2), Velocity(), Collider(second))
        esper.process(1 / 60)
    finally:
        esper.switch_world(before)
        esper.delete_world(WORLD)
    count, seconds = compile_statistics()
    done = f"{count} kernels compiled in {seconds:.1f} s" if count else "everything was compiled already"
    print(f"{done}; kept in {cache_folder()}")
