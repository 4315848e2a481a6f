"""Compile every kernel of a step by playing small worlds: every row of the pair table, seams, sweeps, both responses.

And those of the functions on any two shapes, by one call of each.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import esper

from ecs_collide.components import Collider, RigidBody, Transform, Velocity
from ecs_collide.install import install, uninstall
from ecs_collide.jit import cache_folder, compile_statistics
from ecs_collide.queries import distance, manifold, overlap, ray_cast, time_of_impact
from ecs_collide.shapes import Box, Capsule, Circle, HalfPlane, Ring, Sector, Shape
from ecs_collide.tuning import ISLAND_INTERVAL, SLEEP_TIME

SHAPES: tuple[Shape, ...] = (Circle(0.5), Capsule((-0.5, 0.0), (0.5, 0.0), 0.2), Box(1.0, 1.0), Sector(0.5, 1.0))
WORLD = "ecs_collide: compiling ahead"
HERE = (0.0, 0.0, 0.0)
NEAR = (0.8, 0.1, 0.2)


def compile_ahead() -> None:
    """Compile what is not on disk yet, and say what was done. The current esper world stays as it is."""
    before = esper.current_world
    esper.switch_world(WORLD)
    try:
        _play_impulse_response()
        _play_exact_response()
        _ask()
    finally:
        esper.switch_world(before)
        esper.delete_world(WORLD)
    count, seconds = compile_statistics()
    done = f"{count} kernels compiled in {seconds:.1f} s" if count else "everything was compiled already"
    print(f"{done}; kept in {cache_folder()}")


def _play_impulse_response() -> None:
    physics = install(gravity=(0.0, -10.0))
    esper.create_entity(Transform(), Collider(HalfPlane()))
    esper.create_entity(Transform(), Collider(Ring(60.0)))
    for place, (first, second) in enumerate(combinations_with_replacement(SHAPES, 2)):
        esper.create_entity(Transform(3.0 * place, 0.4), Velocity(), Collider(first))
        esper.create_entity(Transform(3.0 * place, 1.2), Velocity(), Collider(second))
        esper.create_entity(Transform(59.7, 3.0 * place), Velocity(), Collider(first))
    for x in (-10.0, -9.0):  # two tiles with a seam
        esper.create_entity(Transform(x, 5.0), Collider(Box(1.0, 1.0)))
    esper.create_entity(Transform(-20.0, 5.5), Velocity(900.0, 0.0), Collider(Circle(0.2)), RigidBody(bullet=True))
    for _ in range(2):
        esper.process(1 / 60)
    sleeper = esper.create_entity(Transform(0.0, 20.0), Velocity(), Collider(Circle(1.0)), RigidBody(gravity_scale=0.0))
    for dt in (SLEEP_TIME + ISLAND_INTERVAL, 1 / 60):
        esper.process(dt)
    physics.wake(sleeper)
    esper.process(1 / 60)
    uninstall()
    esper.clear_database()


def _play_exact_response() -> None:
    install(gravity=(0.0, -10.0), response="exact")
    for shape in (HalfPlane(), Ring(20.0), Box(1.0, 1.0, (5.0, 0.0))):
        esper.create_entity(Transform(), Collider(shape))
    for x in (0.0, 0.9):
        esper.create_entity(Transform(x, 0.6), Velocity(), Collider(Circle(0.5), restitution=0.5))
    for _ in range(2):
        esper.process(1 / 60)
    uninstall()
    esper.clear_database()


def _ask() -> None:
    for shape in (Sector(0.5, 2.5), Ring(3.0)):
        overlap(shape, HERE, Circle(0.5), NEAR)
        distance(shape, HERE, Circle(0.5), NEAR)
        manifold(shape, HERE, Circle(0.5), NEAR)
        time_of_impact(shape, HERE, NEAR, Circle(0.5), NEAR, HERE)
        ray_cast(shape, HERE, (5.0, 0.0), (0.0, 0.0))
