"""Demos, and how they are played: each in an esper world of its own, in steps of 1/60 s."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from statistics import median
from types import TracebackType
from typing import NamedTuple

import esper

import ecs_collide as ec

DT = 1 / 60
Colour = tuple[int, int, int]
DARK: Colour = (26, 29, 38)
"""Usual background colour."""


class View(NamedTuple):
    """The visible part of the world [m]."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass
class Paint:
    """The drawing style of an entity. Without it, the kind and number of the entity decide."""

    colour: Colour
    trail: float = 0.0
    """Time for which the path of its origin stays visible [s]."""
    label: str = ""
    thread: tuple[float, float] | None = None
    """Point from which a line is drawn to the entity [m]."""
    shape: ec.Shape | None = None
    """Pale shape of an entity without a collider."""


class Keys(NamedTuple):
    """The keys that a player holds down, and the mouse."""

    walk: float = 0.0
    """-1 to the left, 1 to the right."""
    jump: bool = False
    pointer: tuple[float, float] | None = None
    """Mouse position in the world [m]; None outside the window."""


class Demo:
    """Base of the demos: a scene, its script, and a check of the outcome."""

    view = View(-8.0, -1.0, 8.0, 8.0)
    background = DARK
    frames = 240
    """Number of steps before `check`."""
    steps_per_picture = 2
    """Steps between two pictures of a GIF; if everything moves, each picture makes the file larger."""
    shows_joints = True
    """True if joints are drawn as dots and lines."""
    libraries: tuple[str, ...] = ()
    """Modules that the demo needs besides those of its pictures, of the extra `demos`."""
    keys_help = ""
    """Description of the keys, empty for demos without controls."""

    def setup(self) -> None:
        """Install the physics and create the entities in the current esper world, which is new."""
        raise NotImplementedError

    def script(self, frame: int) -> None:
        """Act before step number `frame`, which starts at 0."""

    def steer(self, keys: Keys) -> None:
        """Act before a step on the keys of the player, in place of `script`; for demos with `keys_help`."""

    def note(self) -> str:
        """Return an addition to the caption."""
        return ""

    def check(self) -> str:
        """Return the outcome after `frames` steps in one sentence. Raises AssertionError if it is wrong."""
        raise NotImplementedError


class Run:
    """One run of a demo: a context manager in which the demo's esper world is the current one."""

    numbers = count(1)

    def __init__(self, name: str, make: Callable[[], Demo]) -> None:
        self.name = name
        self.demo = make()
        self.frame = 0
        self.milliseconds: list[float] = []
        """Time of each step [ms] except the first, which loads the kernels."""
        self.most_contacts = 0
        self.result: str | None = None
        """Result of the check; None before it is due, and if it failed."""
        self.failure: str | None = None
        """Reason for which the check failed."""

    def __enter__(self) -> Run:
        self._outside = esper.current_world
        self._worlds = esper.list_worlds()
        esper.switch_world(f"{self.name} {next(self.numbers)}")
        try:
            self.demo.setup()
        except BaseException:
            self._leave()
            raise
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._leave()

    def _leave(self) -> None:
        own = [world for world in esper.list_worlds() if world not in self._worlds]
        esper.switch_world(self._outside)
        for world in own:  # the demo may have created worlds too
            esper.delete_world(world)

    def step(self, keys: Keys | None = None) -> None:
        """Make one step, steered by `keys` or else by the script; after the script's last step, check the outcome."""
        if keys is None:
            self.demo.script(self.frame)
        else:
            self.demo.steer(keys)
        esper.process(DT)
        self.frame += 1
        statistics = ec.physics().statistics
        if self.frame > 1:
            self.milliseconds.append(sum(statistics.milliseconds.values()))
        self.most_contacts = max(self.most_contacts, statistics.contacts)
        if self.frame == self.demo.frames and keys is None:
            try:
                self.result = self.demo.check()
            except AssertionError as error:
                self.failure = str(error)

    @property
    def step_time(self) -> float:
        """Return the median time of the last 120 steps [ms], 0 before the first."""
        return median(self.milliseconds[-120:]) if self.milliseconds else 0.0

    def caption(self) -> str:
        """Return name, time, bodies, contacts, time of a step and the note of the demo in one line."""
        statistics = ec.physics().statistics
        parts = [
            self.name,
            f"{self.frame * DT:.1f} s",
            f"bodies {statistics.bodies}",
            f"contacts {statistics.contacts}",
        ]
        if self.milliseconds:
            parts.append(f"{self.step_time:.2f} ms per step")
        parts += filter(None, [self.demo.note()])
        return "    ".join(parts)


def expect(condition: bool, message: str) -> None:
    """Raise AssertionError with `message` unless `condition` is True, even under `python -O`."""
    if not condition:
        raise AssertionError(message)
