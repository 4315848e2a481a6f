"""Memory of a body: components, esper's records, columns, pairs and contacts.

Two runs are made, each in a process of its own, because they disturb each other. One traces allocations of Python and
numpy, the other measures the growth of the process. Both begin after a tiny version of the scene has run, so that
neither modules nor compiled kernels count. The description of the scene is created before as well.
"""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
from functools import partial
from pathlib import Path

from benchmarks.engines import able, find_engines
from benchmarks.memory_parts import report_parts
from benchmarks.process import output_of
from benchmarks.scene import Scene
from benchmarks.scenes.gas import gas
from benchmarks.scenes.sparse_polygons import sparse_polygons

SCENES = {"sparse_polygons": sparse_polygons, "gas": gas}
STEPS = 60


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def traced_bytes() -> int:
    """Return the bytes that Python and numpy have allocated since tracing began."""
    return tracemalloc.get_traced_memory()[0]


def bytes_per_body(engine_name: str, scene_name: str, count: int, way: str) -> float:
    """Return the bytes of a body; runs in a process of its own. ``way`` is "traced" or "resident"."""
    engine_class = find_engines([engine_name]).engines[engine_name]
    make = SCENES[scene_name]
    scene: Scene = make(count)
    tiny = engine_class(make(64))
    for _ in range(STEPS):
        tiny.step()
    tiny.read_poses()
    tiny.close()
    del tiny
    gc.collect()
    if way == "traced":
        tracemalloc.start()
    measure = traced_bytes if way == "traced" else resident_bytes
    before = measure()
    engine = engine_class(scene)
    for _ in range(STEPS):
        engine.step()
    engine.read_poses()
    gc.collect()
    return (measure() - before) / scene.moving_count


def report_memory(engines: list[str], count: int = 20_000) -> str:
    """Return a table of bytes per body."""
    lines = [
        f"{'scene':<18}{'engine':<14}{'traced B/body':>15}{'resident B/body':>17}   ({count:,} bodies, {STEPS} steps)"
    ]
    found = find_engines(engines).engines
    for scene, make in SCENES.items():
        for engine in able(make(64), found):
            figures = map(partial(_in_a_process, engine, scene, count), ("traced", "resident"))
            traced, resident = (f"{figure:,.0f}" for figure in figures)
            lines.append(f"{scene:<18}{engine:<14}{traced:>15}{resident:>17}")
    lines.append("traced: by Python and numpy; resident: growth of the process, C engines included.")
    lines.append("The large arrays of ecs_collide have pages of their own on Linux, which are not traced.")
    if "ecs_collide" in found:
        lines += ["", report_parts(SCENES)]
    return "\n".join(lines)


def _in_a_process(engine: str, scene: str, count: int, way: str) -> float:
    """Measure in a new process."""
    command = [sys.executable, "-m", "benchmarks.memory", engine, scene, str(count), way]
    return float(output_of(command).split()[-1])


if __name__ == "__main__":
    print(bytes_per_body(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]))
