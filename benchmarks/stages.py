"""Times of the parts of a step: microseconds in each system and in each kernel, scene by scene, ours alone.

Times of systems are those of ``physics.statistics``. For kernels an equal scene is played in turns with the first, and
every call of a kernel is timed from Python. This includes the transfer of its arguments. All figures are means over the
faster half of the steps, so that the parts add up and interrupted steps do not count.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from statistics import fmean, median
from time import perf_counter_ns
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from benchmarks import table
from benchmarks.engines.ecs_collide_engine import EcsCollideEngine
from benchmarks.scene import Scene
from benchmarks.turns import no_garbage_collection
from ecs_collide.kernels import module as compiled_module
from ecs_collide.kernels.calls import NOT_AT_FIRST, Call, CallList
from ecs_collide.kernels.kernel import KERNEL_MODE, KERNELS, KernelMode
from ecs_collide.step.narrowphase import contact_finder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE

FRAMES = 100
SMALLEST_SHARE = 0.03
"""Share of a step below which a kernel is listed with the others."""


class StageTimes(NamedTuple):
    """Times of one scene [µs]."""

    scene: str
    step: float
    systems: dict[str, float]
    kernels: dict[str, float]
    """Times of the kernels, in the order of their first calls."""
    around: float
    """Time in Python, around the kernels."""


class Stopwatch:
    """Times of steps and of their parts [ns]."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.parts: list[dict[str, int]] = []

    def record(self, step: int, parts: dict[str, int]) -> None:
        """Record one step."""
        self.steps.append(step)
        self.parts.append(parts)

    def means(self) -> tuple[float, dict[str, float]]:
        """Return the means of the faster half [µs]: the step and its parts."""
        limit = median(self.steps)
        fast = [k for k, step in enumerate(self.steps) if step <= limit]
        names = dict.fromkeys(name for parts in self.parts for name in parts)
        means = {name: 1e-3 * fmean(self.parts[k].get(name, 0) for k in fast) for name in names}
        return 1e-3 * fmean(self.steps[k] for k in fast), means


@contextmanager
def timed_kernels(spent: dict[str, int]) -> Iterator[None]:
    """Add the time of every call of a kernel to ``spent`` [ns]; timed functions replace those of all modules.

    Lists of calls that are prepared meanwhile are timed call by call. Lists prepared before are not timed, so a world
    whose kernels are timed must make all its steps here.
    """

    def timed(kernel: Any) -> Any:
        name = names[kernel]

        def call(*args: Any) -> Any:
            start = perf_counter_ns()
            try:
                return kernel(*args)
            finally:
                spent[name] += perf_counter_ns() - start

        call.__wrapped__ = kernel  # type: ignore[attr-defined]
        return call

    def timed_list(calls: tuple[Call, ...], at: np.ndarray, begins: tuple[int, ...], times: np.ndarray) -> CallList:
        kernels = [call.kernel.__wrapped__ for call in calls]  # type: ignore[attr-defined]
        places = np.zeros((len(calls), 1), np.int64)
        singles = [
            prepared_call_list((call._replace(kernel=kernel),), place, (), times)
            for call, kernel, place in zip(calls, kernels, places, strict=True)
        ]

        def run(first: int, stop: int) -> int:
            if at[0] != first:
                return NOT_AT_FIRST
            for number in range(first, stop):
                places[number] = 0
                start = perf_counter_ns()
                has_reported = singles[number](0, 1) == 0
                spent[names[kernels[number]]] += perf_counter_ns() - start
                if has_reported:
                    at[0] = ~number
                    return number
            at[0] = stop if stop < len(calls) else 0
            return stop

        return run

    names = kernel_names()
    prepared_call_list = compiled_module.prepared_call_list
    with ExitStack() as stack:
        for module in _modules():
            found = {key: timed(value) for key, value in vars(module).items() if _is_among(value, names)}
            stack.enter_context(patch.dict(vars(module), found))
        table = tuple(row._replace(kernel=timed(row.kernel)) for row in PAIR_TABLE)
        stack.enter_context(patch.object(contact_finder, "PAIR_TABLE", table))
        stack.enter_context(patch.object(compiled_module, "prepared_call_list", timed_list))
        yield


def kernel_names() -> dict[Any, str]:
    """Return package and name of every kernel."""
    if KERNEL_MODE is KernelMode.PREBUILT:
        full = {kernel: name for name, kernel in compiled_module.kernels().items()}
    else:
        full = {function: name for name, function in KERNELS.items()}
    pairs = [row.kernel for row in PAIR_TABLE]
    return {kernel: _short(name, kernel in pairs) for kernel, name in full.items()}


def _short(name: str, is_pair: bool) -> str:
    """Return package and name of a kernel as shown."""
    package, _, kernel = name.removeprefix("step.").partition(".")
    return f"{package}: {kernel.rpartition('.')[2].partition('#')[0].removesuffix('_pairs' if is_pair else '')}"


def _modules() -> list[ModuleType]:
    """Return the loaded modules of the package.

    All of their files have run. One that ran later would put its kernels in place of the timed ones.
    """
    modules: list[ModuleType] = []
    while True:
        loaded = [module for name, module in sys.modules.items() if name.startswith("ecs_collide.")]
        if len(loaded) == len(modules):
            return modules
        modules = loaded
        for module in modules:
            dir(module)


def _is_among(value: Any, names: dict[Any, str]) -> bool:
    """Return True if a value is a kernel."""
    return callable(value) and isinstance(value, Hashable) and value in names


def measure_stages(scene: Scene, frames: int = FRAMES) -> StageTimes:
    """Play the scene's warm-up, then ``frames`` for the systems and as many for the kernels, in turns."""
    engine, timed_engine = EcsCollideEngine(scene), EcsCollideEngine(scene)
    in_systems, in_kernels = Stopwatch(), Stopwatch()
    spent: dict[str, int] = defaultdict(int)

    def step_timed() -> int:
        timed_engine.activate()
        spent.clear()
        with timed_kernels(spent):
            return _time(timed_engine)

    def step_plain() -> int:
        engine.activate()
        return _time(engine)

    try:
        for _ in range(scene.warmup):
            step_plain()
            step_timed()
        with no_garbage_collection():
            for _ in range(frames):
                step = step_plain()
                milliseconds = engine.physics.statistics.milliseconds
                in_systems.record(step, {name: round(1e6 * time) for name, time in milliseconds.items()})
                in_kernels.record(step_timed(), dict(spent))
    finally:
        timed_engine.close()
        engine.close()
    step_with_clock, kernels = in_kernels.means()
    return StageTimes(scene.name, *in_systems.means(), kernels, step_with_clock - sum(kernels.values()))


def _time(engine: EcsCollideEngine) -> int:
    """Make a step; return its time [ns]."""
    start = perf_counter_ns()
    engine.step()
    return perf_counter_ns() - start


def stages_tables(measured: Sequence[StageTimes], *, markdown: bool = False) -> str:
    """Return a table of the systems and one of the kernels, with a column for each scene [µs]."""
    form = table.markdown if markdown else table.text
    headings = [times.scene for times in measured]
    systems = [["system [µs]", *headings]]
    systems += [[name, *_cells(times.systems.get(name) for times in measured)] for name in measured[0].systems]
    systems.append(["step", *_cells(times.step for times in measured)])
    kernels = [["kernel [µs]", *headings]]
    shown = list(dict.fromkeys(name for times in measured for name in times.kernels if _is_large(name, measured)))
    packages = list(dict.fromkeys(map(_package, shown)))
    shown.sort(key=lambda name: packages.index(_package(name)))
    kernels += [[name, *_cells(times.kernels.get(name) for times in measured)] for name in shown]
    others = [sum(time for name, time in times.kernels.items() if name not in shown) for times in measured]
    kernels.append(["other kernels", *_cells(others)])
    kernels.append(["Python around them", *_cells(times.around for times in measured)])
    return f"{form(systems)}\n\n{form(kernels)}"


def _package(name: str) -> str:
    """Return the package of a kernel."""
    return name.partition(":")[0]


def _is_large(name: str, measured: Sequence[StageTimes]) -> bool:
    """Return True if a kernel has a large share in some scene."""
    return any(times.kernels.get(name, 0.0) > SMALLEST_SHARE * times.step for times in measured)


def _cells(times: Iterable[float | None]) -> list[str]:
    """Return times as text."""
    return ["" if time is None else f"{time:.1f}" if time < 100.0 else f"{time:,.0f}" for time in times]
