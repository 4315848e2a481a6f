"""The command `bench`: scenes in about a minute, on this machine, beside pymunk if it is installed."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from time import perf_counter
from typing import NamedTuple

import esper

import ecs_collide as ec

DT = 1 / 60
GRAVITY = (0.0, -10.0)
Body = tuple[str, float, float]
"""Kind, "circle" or "box" of diameter or side 1 m, and place of a dynamic body [m]."""


class BenchScene(NamedTuple):
    """A scene in words that both engines understand: bodies on a floor between two walls."""

    title: str
    bodies: list[Body]
    width: float
    """Distance of the walls [m]."""


def pyramid(rows: int) -> BenchScene:
    """Return a pyramid of boxes with a number of rows."""
    places = [
        ("box", column - 0.5 * (rows - row - 1), 0.5 + row) for row in range(rows) for column in range(rows - row)
    ]
    return BenchScene(f"pyramid, {len(places)} boxes", places, 4.0 * rows)


def heap(kind: str, count: int) -> BenchScene:
    """Return a number of bodies that fall into a box."""
    columns = math.isqrt(count)
    places = [
        (kind, 1.15 * (k % columns - 0.5 * (columns - 1)) + 0.1 * (k // columns % 3), 1.0 + 1.2 * (k // columns))
        for k in range(count)
    ]
    return BenchScene(
        f"{count} {'circles' if kind == 'circle' else 'boxes'} that fall into a box", places, 1.3 * columns
    )


SCENES = (pyramid(30), heap("circle", 1000), heap("box", 500), heap("circle", 10))


def run_bench(seconds: float = 60.0) -> int:
    """Print the median time of a step in each scene; return the exit status.

    Args:
        seconds: time for all scenes [s].
    """
    engines: dict[str, Callable[[BenchScene], Callable[[], None]]] = {"ecs_collide": our_step}
    if find_spec("pymunk") is not None:
        engines["pymunk"] = pymunk_step
    share, before = seconds / len(SCENES), esper.current_world
    print(f"{'milliseconds for a step':42}{''.join(f'{name:>13}' for name in engines)}")
    for scene in SCENES:
        times = measure_steps({name: make(scene) for name, make in engines.items()}, share)
        esper.switch_world(before)
        esper.delete_world(world_of(scene))
        ratio = f"{times['ecs_collide'] / times['pymunk']:12.2f} of pymunk" if "pymunk" in times else ""
        print(f"{scene.title:42}{''.join(f'{1e3 * time:13.3f}' for time in times.values())}{ratio}", flush=True)
    print(f"medians; Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    if "pymunk" not in engines:
        print("for a comparison: python -m pip install pymunk")
    return 0


def measure_steps(steps: dict[str, Callable[[], None]], seconds: float) -> dict[str, float]:
    """Return the median time of a step of each engine [s]. The engines take turns, step by step."""
    for step in steps.values():
        step()  # the first one loads kernels
    times: dict[str, list[float]] = {name: [] for name in steps}
    end = perf_counter() + seconds
    while perf_counter() < end or not times["ecs_collide"]:
        for name, step in steps.items():
            start = perf_counter()
            step()
            times[name].append(perf_counter() - start)
    return {name: median(each) for name, each in times.items()}


def world_of(scene: BenchScene) -> str:
    """Return the name of the esper world of a scene."""
    return f"bench {scene.title}"


def our_step(scene: BenchScene) -> Callable[[], None]:
    """Return a function that makes a step of the scene with this engine."""
    world = world_of(scene)
    esper.switch_world(world)
    ec.install(gravity=GRAVITY, sleeping=False)
    for normal, place in (((0, 1), (0, 0)), ((1, 0), (-0.5 * scene.width, 0)), ((-1, 0), (0.5 * scene.width, 0))):
        esper.create_entity(ec.Transform(*place), ec.Collider(ec.HalfPlane(normal)))
    shapes: dict[str, ec.Shape] = {"circle": ec.Circle(0.5), "box": ec.Box(1.0, 1.0)}
    ec.spawn([shapes[kind] for kind, *_ in scene.bodies], [place for _, *place in scene.bodies], velocities=(0, 0))

    def step() -> None:
        esper.switch_world(world)
        esper.process(DT)

    return step


def pymunk_step(scene: BenchScene) -> Callable[[], None]:
    """Return a function that makes a step of the scene with pymunk and 10 iterations."""
    import pymunk  # only where it is installed

    space = pymunk.Space()
    space.gravity = GRAVITY
    half = 0.5 * scene.width
    for a, b in (((-half, 0), (half, 0)), ((-half, 0), (-half, 1000)), ((half, 0), (half, 1000))):
        wall = pymunk.Segment(space.static_body, a, b, 0.0)
        wall.friction = 0.5
        space.add(wall)
    for kind, x, y in scene.bodies:
        is_circle = kind == "circle"
        mass = math.pi / 4 if is_circle else 1.0
        body = pymunk.Body(mass, mass / 8 if is_circle else mass / 6)
        body.position = x, y
        shape = pymunk.Circle(body, 0.5) if is_circle else pymunk.Poly.create_box(body, (1, 1))
        shape.friction = 0.5
        space.add(body, shape)
    return lambda: space.step(DT)
