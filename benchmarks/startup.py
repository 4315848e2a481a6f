"""Time from starting Python to the end of the first step, compared with importing numpy and esper.

A checkout also checks whether its sources have changed, and its environment has more packages to search. The ratios of
a game are those of a package that is installed from a wheel.
"""

from __future__ import annotations

import os
import sys
from time import time

from benchmarks.process import output_of

STARTS = 15

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


def seconds_to_first_step(program: str) -> float:
    """Start Python on ``program``; return the seconds until its first step was done."""
    start = time()
    return float(output_of([sys.executable, "-c", program + FIRST_STEP], {**os.environ}).split()[-1]) - start


def report_startup() -> str:
    """Return a table: for each program the shortest of several starts [s], and its ratio to numpy and esper alone."""
    best = dict.fromkeys(WORLDS, float("inf"))
    for _ in range(STARTS):
        for name, program in WORLDS.items():
            best[name] = min(best[name], seconds_to_first_step(program))
    lines = [f"{'world':<24}{'start s':>8}{'ratio':>8}   (to the end of one step; least of {STARTS})"]
    bare, *_ = best.values()
    lines += [f"{name:<24}{best[name]:>8.3f}{best[name] / bare:>8.2f}" for name in WORLDS]
    return "\n".join(lines)
