"""Growth of a step with the number of bodies: three scenes from 100 to 100,000, as time per body.

The neighbourhood of a body is equal at all sizes: the gas and the polygons have a fixed fill, the pile grows in width
only. An engine whose next step would take longer than ``LONGEST_STEP`` is left out from that size on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import thread_time_ns
from typing import NamedTuple

from benchmarks import table
from benchmarks.engines.engine import Engine
from benchmarks.scene import Scene
from benchmarks.scenes.circle_pile import circle_pile
from benchmarks.scenes.gas import gas
from benchmarks.scenes.sparse_polygons import sparse_polygons
from benchmarks.turns import compare

SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
ENGINES = ("ecs_collide", "pymunk", "pyb2d3")
LONGEST_STEP = 1.0  # s
PILE_DEPTH = 20  # circles
FRAMES = 20
"""Number of timed steps, equal at all sizes, since the time of a settling pile changes from step to step."""
QUICK_SIZES, QUICK_FRAMES = (40, 120), 5


def wide_pile(count: int) -> Scene:
    """Return circles that settle, with the same depth at any count."""
    return circle_pile(count, columns=count // PILE_DEPTH)


class GrowthScene(NamedTuple):
    """A scene that scales, and the engines that run it."""

    make: Callable[[int], Scene]
    engines: tuple[str, ...] = ENGINES


SCENES = {
    f"circles settling, {PILE_DEPTH} deep": GrowthScene(wide_pile),
    "elastic gas, 30 % fill": GrowthScene(gas, (*ENGINES, "ecs_collide.exact")),
    "sparse polygons, 7 % fill": GrowthScene(sparse_polygons),
}


class Point(NamedTuple):
    """The result of one engine in one scene at one size."""

    scene: str
    engine: str
    bodies: int
    step_ms: float
    """Median processor time of the step alone, not affected by other processes [ms]."""

    @property
    def nanoseconds(self) -> float:
        """Time per body [ns]."""
        return 1e6 * self.step_ms / self.bodies


def measure_growth(
    engines: dict[str, type[Engine]], note: Callable[[str], None], *, quick: bool = False
) -> list[Point]:
    """Measure all scenes at all sizes; ``note`` receives progress."""
    sizes, frames = (QUICK_SIZES, QUICK_FRAMES) if quick else (SIZES, FRAMES)
    points: list[Point] = []
    for title, (make, names) in SCENES.items():
        running = {name: engine for name, engine in engines.items() if name in names}
        for size, following in zip(sizes, [*sizes[1:], sizes[-1]], strict=True):
            scene = replace(make(size), frames=frames, frames_per_turn=5, checks=())
            if not running:
                break
            note(f"{title}: {size:,} bodies, {', '.join(running)}")
            new = [
                Point(title, run.engine, size, run.engine_ms) for run in compare(scene, running, clock=thread_time_ns)
            ]
            points += new
            for point in new:
                if 1e-3 * point.step_ms * following / size > LONGEST_STEP:
                    del running[point.engine]
    return points


def growth_table(points: Sequence[Point], *, markdown: bool = False) -> str:
    """Return a row for each scene and engine, with a column for each size: nanoseconds per body."""
    sizes = sorted({point.bodies for point in points})
    rows = [["ns per body and step", "engine", *(f"{size:,}" for size in sizes)]]
    for scene, engine in dict.fromkeys((point.scene, point.engine) for point in points):
        found = {p.bodies: f"{p.nanoseconds:,.0f}" for p in points if (p.scene, p.engine) == (scene, engine)}
        rows.append([scene, engine, *(found.get(size, "") for size in sizes)])
    return (table.markdown if markdown else table.text)(rows, left=2)
