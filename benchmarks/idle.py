"""The cost of bodies at rest: microseconds per step of worlds whose bodies all sleep or are static."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import esper

import ecs_collide as ec

DT = 1 / 60
COLUMN = 5
"""Number of boxes in a column."""


def nothing(count: int) -> None:
    """Create nothing: an empty world."""


def static_boxes(count: int) -> None:
    """Create static boxes with gaps."""
    ec.spawn(ec.Box(1.0, 1.0), [(1.5 * (k % 250), 1.5 * (k // 250)) for k in range(count)])


def sleeping_boxes(count: int) -> None:
    """Create columns of boxes on a floor."""
    ec.spawn(ec.HalfPlane(), [(0.0, 0.0)])
    places = [(2.0 * (k // COLUMN), 0.5 + k % COLUMN) for k in range(count)]
    ec.spawn(ec.Box(1.0, 1.0), places, velocities=(0.0, 0.0))


WORLDS: dict[str, Callable[[int], None]] = {"empty": nothing, "static": static_boxes, "asleep": sleeping_boxes}


def idle_times(count: int, rounds: int) -> dict[str, float]:
    """Return the median time of a step [s] in each world. The worlds take turns of 100 steps, once all bodies sleep."""
    times: dict[str, list[float]] = {name: [] for name in WORLDS}
    before = esper.current_world
    for name, make in WORLDS.items():
        esper.switch_world(f"idle {name}")
        physics = ec.install(gravity=(0.0, -9.81))
        make(count)
        esper.process(DT)
        while physics.statistics.awake_bodies:
            esper.process(DT)
    for _ in range(rounds):
        for name, samples in times.items():
            esper.switch_world(f"idle {name}")
            for _ in range(100):
                start = perf_counter()
                esper.process(DT)
                samples.append(perf_counter() - start)
    esper.switch_world(before)
    for name in WORLDS:
        esper.delete_world(f"idle {name}")
    return {name: median(samples) for name, samples in times.items()}


def report_idle(count: int = 50_000, rounds: int = 20) -> str:
    """Return a table of microseconds per step."""
    lines = [f"{'world':<10}{'us/step':>10}   ({count:,} bodies)"]
    lines += [f"{name:<10}{1e6 * time:>10.1f}" for name, time in idle_times(count, rounds).items()]
    return "\n".join(lines)
