"""Compile every kernel of a step by playing small worlds: every row of the pair table, seams, sweeps, both responses.

And those of the functions on any two shapes, by one call of each. As many processes as there are cores share the work.
What all worlds need is compiled by that of circles, which the others wait for; beyond it no two need the same kernel:
bodies are swept in one of them only, and manifolds are not asked for, as the pair table's kernels make them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations_with_replacement
from multiprocessing import get_context
from time import perf_counter

import esper

from ecs_collide.algorithms import distance, overlap, ray_cast, time_of_impact
from ecs_collide.compiled.jit import cache_folder, compile_statistics
from ecs_collide.components import BodyKind, Collider, RigidBody, Transform, Velocity
from ecs_collide.engine.basis import tuning
from ecs_collide.install import install
from ecs_collide.shapes import Box, Capsule, Circle, HalfPlane, Ring, Sector, Shape

CONVEX: tuple[Shape, ...] = (Circle(0.5), Capsule((-0.5, 0.0), (0.5, 0.0), 0.2), Box(1.0, 1.0))
SOLID_SECTOR = Sector(0.5, 1.0)
GRAVITY = (0.0, -10.0)
HERE = (0.0, 0.0, 0.0)
NEAR = (0.8, 0.1, 0.2)


def compile_ahead() -> None:
    """Compile what is not on disk yet, and say what was done."""
    print("compiling what is not on disk yet", flush=True)
    start, total = perf_counter(), 0
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), _be_quiet) as pool:
        queries, circles = pool.submit(_compiled_by, ask), pool.submit(_compiled_by, play_circles)
        circles.result()
        others = {pool.submit(_compiled_by, play): name for name, play in WORLDS.items()}
        for done in as_completed(names := {queries: "queries", circles: "circles", **others}):
            total += done.result()
            print(f"{perf_counter() - start:5.1f} s: {names[done]}, {done.result()} kernels", flush=True)
    done_in = f"{total} kernels compiled in {perf_counter() - start:.1f} s"
    print(f"{done_in if total else 'everything was compiled already'}; kept in {cache_folder()}")


def _be_quiet() -> None:
    os.environ["ECS_COLLIDE_QUIET"] = "1"


def _compiled_by(play: Callable[[], None]) -> int:
    """How many kernels something needs that were not on disk."""
    before = compile_statistics().kernel_count
    esper.switch_world(play.__name__)
    play()
    return compile_statistics().kernel_count - before


def ask() -> None:
    """Questions on two shapes."""
    for shape in (Sector(0.5, 2.5), Ring(3.0)):
        overlap(shape, HERE, Circle(0.5), NEAR)
        distance(shape, HERE, Circle(0.5), NEAR)
        time_of_impact(shape, HERE, NEAR, Circle(0.5), NEAR, HERE)
        ray_cast(shape, HERE, (5.0, 0.0), (0.0, 0.0))


def play_circles() -> None:
    """Circles on a half-plane and on a circle; one floats, falls asleep and is woken by what is put beside it."""
    install(gravity=GRAVITY)
    esper.create_entity(Transform(0.0, 20.0), Velocity(), Collider(Circle(1.0)), RigidBody(gravity_scale=0.0))
    _put(HalfPlane())
    _put(Circle(1.0), 5.0)
    for x, y in ((0.0, 0.4), (0.0, 1.2), (5.0, 1.4)):
        _drop(Circle(0.5), x, y)
    _step()
    esper.process(tuning.SLEEP_TIME + tuning.ISLAND_INTERVAL)
    _put(Circle(1.0), 0.0, 21.0)
    _step()


def play_exact() -> None:
    """The exact response: circles within walls, on a box and on each other."""
    install(gravity=GRAVITY, response="exact")
    for shape in (HalfPlane(), Ring(20.0), Box(1.0, 1.0, (5.0, 0.0))):
        _put(shape)
    for x in (0.0, 0.9):
        esper.create_entity(Transform(x, 0.6), Velocity(), Collider(Circle(0.5), restitution=0.5))
    _step()


def play_sweeps() -> None:
    """A bullet."""
    install(gravity=GRAVITY)
    esper.create_entity(Transform(), Velocity(900.0, 0.0), Collider(Circle(0.2)), RigidBody(bullet=True))
    _step()


def play_convex() -> None:
    """Every two convex kinds, and each within a ring."""
    install(gravity=GRAVITY, continuous=False)
    _put(Ring(60.0))
    for place, (first, second) in enumerate(combinations_with_replacement(CONVEX, 2)):
        _drop(first, 3.0 * place, 0.4)
        _drop(second, 3.0 * place, 1.2)
        _drop(first, 59.7, 3.0 * place)
    _step()


def play_outlines() -> None:
    """Two tiles with a seam, and a body of several pieces; every other kind on both, and the body on a half-plane.

    And two tiles that move as one.
    """
    install(gravity=GRAVITY, continuous=False)
    _put(HalfPlane((0.0, 1.0), -10.0))
    for place, shape in enumerate((*CONVEX, SOLID_SECTOR)):
        for x in (10.0 * place, 10.0 * place + 1.0):
            _put(Box(1.0, 1.0), x)
        _drop(shape, 10.0 * place, 0.9)
        _drop(SOLID_SECTOR, 10.0 * place, -9.9)
    for x in (-10.0, -9.0):
        esper.create_entity(Transform(x), Velocity(1.0, 0.0), Collider(Box(1.0, 1.0)), RigidBody(BodyKind.KINEMATIC))
    _step()


WORLDS = {"outlines": play_outlines, "exact response": play_exact, "sweeps": play_sweeps, "convex shapes": play_convex}
"""The longest first."""


def _put(shape: Shape, x: float = 0.0, y: float = 0.0) -> None:
    esper.create_entity(Transform(x, y), Collider(shape))


def _drop(shape: Shape, x: float, y: float) -> None:
    esper.create_entity(Transform(x, y), Velocity(), Collider(shape))


def _step() -> None:
    for _ in range(2):
        esper.process(1 / 60)
