"""Measures the rows and prints them, with the ratio to plain slots where an engine has no part in it, else to pymunk.

Garbage collection is on, and first frames count, as they do in a game. Kernels are loaded before, by a tiny run of
each row: a game pays for them once, at its start. What the modules of all engines hold is taken from the collector.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module
from math import inf
from time import process_time
from types import ModuleType

from benchmarks import table
from benchmarks.border.rows import ENGINES, ROWS, Row

TINY = 16
"""Size of a row that only shows that all works."""
PEERS = ("slots", "pymunk")
"""What the ratio refers to: the first of these that has the row's task."""
ROUNDS = 2
"""The fastest counts: what else the machine does only adds."""


def find_modules(note: Callable[[str], None]) -> dict[str, ModuleType]:
    """Those of the engines that can be imported."""
    found = {}
    for engine, module in ENGINES.items():
        try:
            found[engine] = import_module(module)
        except ImportError as error:
            note(f"not found, left out: {engine} ({error})")
    return found


def measure(row: Row, modules: dict[str, ModuleType], rounds: int) -> dict[str, float]:
    """Mean processor time of a frame [s] in the fastest round, of each engine that has the task; they take turns."""
    times = {name: inf for name, module in modules.items() if hasattr(module, row.task)}
    for _ in range(rounds):
        for name, fastest in times.items():
            task = getattr(modules[name], row.task)(row.size)
            gc.collect()
            start = process_time()
            for _ in range(row.frames):
                task()
            times[name] = min(fastest, (process_time() - start) / row.frames)
            task.close()
    return times


def report_border(note: Callable[[str], None], *, quick: bool, markdown: bool) -> str:
    """The whole table."""
    modules = find_modules(note)
    gc.freeze()
    for row in ROWS:
        measure(row._replace(size=TINY, frames=1), modules, 1)
    lines = [("ms a frame", *modules, "ratio")]
    for row in ROWS:
        note(row.title)
        times = measure(row._replace(size=TINY, frames=1) if quick else row, modules, 1 if quick else ROUNDS)
        peer = next((name for name in PEERS if name in times), None)
        ratio = f"{times['ecs_collide'] / times[peer]:.2f}" if peer else ""
        lines.append((row.title, *(_milliseconds(times.get(name)) for name in modules), ratio))
    gc.unfreeze()
    return table.markdown(lines) if markdown else table.text(lines)


def _milliseconds(time: float | None) -> str:
    return "" if time is None else f"{1e3 * time:.3g}" if time < 1.0 else f"{1e3 * time:.0f}"
