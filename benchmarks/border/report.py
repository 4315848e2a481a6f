"""Measurement and report of the border rows, with ratios.

The ratio of a row refers to plain classes with slots if no engine takes part, else to pymunk. The ratio of a
hook refers to the step without it, measured in turns.

Garbage collection is on, and first frames count, as in a game. A tiny run of each row loads the kernels beforehand: a
game pays for them once, at its start. Objects of the engines' modules are exempt from collection.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from importlib import import_module
from math import inf
from time import process_time
from types import ModuleType
from typing import Any

from benchmarks import table
from benchmarks.border.rows import ENGINES, ROWS, Row

TINY = 16
"""Size of a row in a quick run."""
PEERS = ("slots", "pymunk")
"""Engines of the ratio: the first of these that has the row's task."""
ROUNDS = 2
"""Number of rounds; the fastest counts, since other work of the machine only adds time."""


ADDITION_ROUNDS = 15
"""Number of rounds of a row with an addition, whose two times are short and close to each other."""


def find_modules(note: Callable[[str], None]) -> dict[str, ModuleType]:
    """Return the task modules of the engines that can be imported."""
    found = {}
    for engine, module in ENGINES.items():
        try:
            found[engine] = import_module(module)
        except ImportError as error:
            note(f"not found, left out: {engine} ({error})")
    return found


def measure(row: Row, modules: dict[str, ModuleType], rounds: int) -> dict[str, float]:
    """Return the mean processor time of a frame [s] of each engine with the task, in the fastest round."""
    makers = {name: getattr(module, row.task) for name, module in modules.items() if hasattr(module, row.task)}
    return measure_in_turns(makers, row, rounds)


def measure_addition(row: Row, module: ModuleType, rounds: int) -> tuple[float, float]:
    """Return the mean processor time of a frame [s] with an addition, and without it, in the fastest rounds."""
    assert row.without is not None
    times = measure_in_turns({name: getattr(module, name) for name in (row.task, row.without)}, row, rounds)
    return times[row.task], times[row.without]


def measure_in_turns(makers: Mapping[str, Callable[[int], Any]], row: Row, rounds: int) -> dict[str, float]:
    """Return the mean processor time of a frame [s] of each task, in the fastest round; the tasks take turns."""
    times = dict.fromkeys(makers, inf)
    for _ in range(rounds):
        for name, make in makers.items():
            task = make(row.size)
            gc.collect()
            start = process_time()
            for _ in range(row.frames):
                task()
            times[name] = min(times[name], (process_time() - start) / row.frames)
            task.close()
    return times


def report_border(note: Callable[[str], None], *, quick: bool, markdown: bool) -> str:
    """Return the whole table."""
    modules = find_modules(note)
    gc.freeze()
    for row in ROWS:
        measure(row._replace(size=TINY, frames=1), modules, 1)
    lines = [("ms a frame", *modules, "ratio")]
    for row in ROWS:
        note(row.title)
        sized = row._replace(size=TINY, frames=1) if quick else row
        if row.without is not None:
            with_it, without_it = measure_addition(sized, modules["ecs_collide"], 1 if quick else ADDITION_ROUNDS)
            times, ratio = {"ecs_collide": with_it}, f"{with_it / without_it:.2f}"
        else:
            times = measure(sized, modules, 1 if quick else ROUNDS)
            peer = next((name for name in PEERS if name in times), None)
            ratio = f"{times['ecs_collide'] / times[peer]:.2f}" if peer else ""
        lines.append((row.title, *(_milliseconds(times.get(name)) for name in modules), ratio))
    gc.unfreeze()
    return table.markdown(lines) if markdown else table.text(lines)


def _milliseconds(time: float | None) -> str:
    """Return a time in milliseconds, as text."""
    return "" if time is None else f"{1e3 * time:.3g}" if time < 1.0 else f"{1e3 * time:.0f}"
