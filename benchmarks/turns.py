"""Runs of one scene in several engines, which take turns of a few frames, so that noise affects all alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter_ns
from typing import TypeAlias

from benchmarks.engines import able
from benchmarks.engines.engine import Engine
from benchmarks.scene import Check, FloatArray, Scene, State

Clock: TypeAlias = Callable[[], int]
"""A function that returns nanoseconds."""


@dataclass
class CheckResult:
    """The result of one quality figure."""

    label: str
    unit: str
    frame: int
    value: float


@dataclass
class Run:
    """The results of one engine in one scene."""

    engine: str
    engine_ns: list[int] = field(default_factory=list)
    frame_ns: list[int] = field(default_factory=list)
    checks: list[CheckResult] = field(default_factory=list)

    @property
    def engine_ms(self) -> float:
        """Median of the steps alone [ms]."""
        return median(self.engine_ns) / 1e6

    @property
    def frame_ms(self) -> float:
        """Median of the whole frames [ms]."""
        return median(self.frame_ns) / 1e6


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Collect garbage now and not inside, so that no engine pays for the garbage of another."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def advance(engine: Engine, frames: int) -> None:
    """Make untimed steps."""
    engine.activate()
    for _ in range(frames):
        engine.step()


def take_turn(engine: Engine, frames: int, run: Run, now: Clock) -> None:
    """Make timed whole frames."""
    engine.activate()
    step, read_poses = engine.step, engine.read_poses
    with no_garbage_collection():
        for _ in range(frames):
            start = now()
            step()
            stepped = now()
            read_poses()
            run.frame_ns.append(now() - start)
            run.engine_ns.append(stepped - start)


def checks_by_frame(scene: Scene, *, long: bool) -> list[tuple[int, list[Check]]]:
    """Return the selected checks, in order of time."""
    wanted: dict[int, list[Check]] = {}
    for check in scene.checks:
        if long or not check.long:
            wanted.setdefault(check.frame, []).append(check)
    return sorted(wanted.items())


class Player:
    """One engine that plays a scene and pauses when a quality figure is due."""

    def __init__(self, engine: Engine, scene: Scene, *, long: bool, clock: Clock) -> None:
        self.engine, self.scene, self.clock = engine, scene, clock
        self.run = Run(engine.name)
        self.frame = 0
        self.due = checks_by_frame(scene, long=long)

    def play(self, frames: int, *, timed: bool) -> None:
        """Play this many frames."""
        end = self.frame + frames
        while self.due and self.due[0][0] <= end:
            frame, checks = self.due.pop(0)
            self._forward(frame - 1, timed=timed)
            before = self.engine.poses()
            self._forward(frame, timed=timed)
            self._look(before, checks)
        self._forward(end, timed=timed)

    def finish(self) -> None:
        """Play, untimed, to the last quality figure."""
        if self.due:
            self.play(self.due[-1][0] - self.frame, timed=False)

    def _forward(self, frame: int, *, timed: bool) -> None:
        """Play to a frame."""
        frames = frame - self.frame
        if timed:
            take_turn(self.engine, frames, self.run, self.clock)
        else:
            advance(self.engine, frames)
        self.frame = frame

    def _look(self, before: FloatArray, checks: list[Check]) -> None:
        """Compute quality figures."""
        state = State(self.frame, self.engine.poses(), before, self.engine.velocities())
        for check in checks:
            value = check.value(self.scene, state)
            self.run.checks.append(CheckResult(check.label, check.unit, check.frame, value))


def compare(
    scene: Scene, engines: dict[str, type[Engine]], *, long: bool = False, clock: Clock = perf_counter_ns
) -> list[Run]:
    """Run the scene in each engine: the warm-up, the timed frames in turns, and the frames for quality figures."""
    with no_garbage_collection():
        players = [Player(engine(scene), scene, long=long, clock=clock) for engine in able(scene, engines).values()]
    gc.freeze()  # otherwise each collection between turns would search all objects of the scenes
    try:
        for player in players:
            player.play(scene.warmup, timed=False)
        for done in range(0, scene.frames, scene.frames_per_turn):
            for player in players:
                player.play(min(scene.frames_per_turn, scene.frames - done), timed=True)
        for player in players:
            player.finish()
    finally:
        gc.unfreeze()
        for player in players:
            player.engine.close()
    return [player.run for player in players]
