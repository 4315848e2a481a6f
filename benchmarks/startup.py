"""How long it takes from starting Python to the end of the first step: with nothing compiled yet, and afterwards."""

from __future__ import annotations

import os
import sys
import tempfile
from statistics import median
from time import time

from benchmarks.process import output_of

WARM_STARTS = 5

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
FIRST_STEP = "esper.process(1 / 60)\nimport time\nprint(time.time())\n"


def seconds_to_first_step(program: str, cache: str) -> float:
    """Starts Python on ``program`` with this folder for compiled kernels, and asks when its first step was done."""
    environment = {**os.environ, "ECS_COLLIDE_CACHE": cache}
    start = time()
    return float(output_of([sys.executable, "-c", program + FIRST_STEP], environment).split()[-1]) - start


def report_startup() -> str:
    """A table of seconds, for a world of circles and for one of all shapes."""
    lines = [
        f"{'world':<16}{'cold s':>8}{'warm s':>8}   (Python, imports, set-up, one step; warm: median of {WARM_STARTS})"
    ]
    for name, program in (("circles", CIRCLES), ("all shapes", EVERYTHING)):
        with tempfile.TemporaryDirectory(prefix="ecs_collide_cache_") as cache:
            cold = seconds_to_first_step(program, cache)
            warm = median(seconds_to_first_step(program, cache) for _ in range(WARM_STARTS))
        lines.append(f"{name:<16}{cold:>8.2f}{warm:>8.2f}")
    return "\n".join(lines)
