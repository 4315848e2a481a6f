"""How long it takes from starting Python to the end of the first step, beside what importing numpy and esper takes.

Cold, with no kernels stored, counts where numba compiles them. A checkout also looks whether its sources have changed,
and its environment has more to look through: ratios are those of a game where the package is installed from a wheel.
"""

from __future__ import annotations

import os
import sys
import tempfile
from time import time

from benchmarks.process import output_of

WARM_STARTS = 15

BARE = "import numpy, esper\n"
CIRCLES = """
import esper, ecs_collide as ec
ec.install(gravity=(0.0, -9.81))
ec.spawn(ec.Circle(0.5), [(1.1 * (i % 10), 0.9 * (i // 10)) for i in range(100)], velocities=[(0.0, 0.0)] * 100)
ec.spawn(ec.Circle(50.0), [(5.0, -50.6)])
"""
EVERYTHING = (
    CIRCLES
    + """
shapes = [ec.Box(1, 1), ec.Capsule((-0.4, 0), (0.4, 0), 0.2), ec.Polygon([(0, 0), (1, 0), (0, 1)]), ec.Circle(0.4)]
ec.spawn([shapes[i % 4] for i in range(64)], [(0.7 * (i % 8), 20 + 0.7 * (i // 8)) for i in range(64)],
         velocities=[(0.0, 0.0)] * 64)
ec.spawn([ec.Segment((0, 0), (9, 0)), ec.HalfPlane((0, 1), 0.0), ec.Box(9, 1)], [(0, 20), (0, 19.5), (4, 25)])
"""
)
SINGLE = """
import esper, ecs_collide as ec
ec.install(gravity=(0.0, -9.81))
esper.create_entity(ec.Transform(0.0, 5.0), ec.Velocity(2.0, 0.0), ec.Collider(ec.Circle(0.5)))
"""
FIRST_STEP = "esper.process(1 / 60)\nimport time\nprint(time.time())\n"
WORLDS = {"numpy and esper alone": BARE, "one circle": SINGLE, "100 circles": CIRCLES, "all shapes": EVERYTHING}


def seconds_to_first_step(program: str, cache: str) -> float:
    """Starts Python on ``program`` with this folder for compiled kernels, and asks when its first step was done."""
    environment = {**os.environ, "ECS_COLLIDE_CACHE": cache}
    start = time()
    return float(output_of([sys.executable, "-c", program + FIRST_STEP], environment).split()[-1]) - start


def report_startup() -> str:
    """A table of seconds: the first start of each program, the shortest of later ones in turns, and by what factor."""
    with tempfile.TemporaryDirectory(prefix="ecs_collide_cache_") as cache:
        cold = {name: seconds_to_first_step(program, cache) for name, program in WORLDS.items()}
        warm = dict.fromkeys(WORLDS, float("inf"))
        for _ in range(WARM_STARTS):
            for name, program in WORLDS.items():
                warm[name] = min(warm[name], seconds_to_first_step(program, cache))
    lines = [
        f"{'world':<24}{'cold s':>8}{'warm s':>8}{'ratio':>8}   (to the end of one step; warm: least of {WARM_STARTS})"
    ]
    bare, *_ = warm.values()
    lines += [f"{name:<24}{cold[name]:>8.2f}{warm[name]:>8.3f}{warm[name] / bare:>8.2f}" for name in WORLDS]
    return "\n".join(lines)
