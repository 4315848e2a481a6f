"""What a demo is, and how one is played: in an esper world of its own, one step of 1/60 s after another."""

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
"""The usual background."""


class View(NamedTuple):
    """The part of the world that is shown [m]."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass
class Paint:
    """How an entity is drawn. Without this component its kind and its id decide."""

    colour: Colour
    trail: float = 0.0
    """How long the path of its origin stays visible [s]."""
    label: str = ""
    thread: tuple[float, float] | None = None
    """A line is drawn from here to the entity [m]."""
    shape: ec.Shape | None = None
    """What is drawn, pale, of an entity without a collider."""


class Keys(NamedTuple):
    """What a player holds down, and where the mouse is."""

    walk: float = 0.0
    """-1 to the left, 1 to the right."""
    jump: bool = False
    pointer: tuple[float, float] | None = None
    """In the world [m]; None outside the window."""


class Demo:
    """Base of the demos: a scene, what happens in it, and how it has to end."""

    view = View(-8.0, -1.0, 8.0, 8.0)
    background = DARK
    frames = 240
    """Steps until `check` is due."""
    steps_per_picture = 2
    """Of which every one goes into a GIF: where all is in motion, each makes the file larger."""
    shows_joints = True
    """Whether dots and lines are drawn for them."""
    keys_help = ""
    """What the keys do; empty where there is nothing to steer."""

    def setup(self) -> None:
        """Install the physics and create the entities in the current esper world, which is new."""
        raise NotImplementedError

    def script(self, frame: int) -> None:
        """Act before step number `frame`, the first being 0."""

    def steer(self, keys: Keys) -> None:
        """Act before a step with what the player holds down, in place of `script`; for demos with `keys_help`."""

    def note(self) -> str:
        """Return what the caption says besides the usual."""
        return ""

    def check(self) -> str:
        """Return in one sentence what came out after `frames` steps. Raises AssertionError if it is not right."""
        raise NotImplementedError


class Run:
    """One playing of a demo; a context manager, in which the demo's esper world is the current one."""

    numbers = count(1)

    def __init__(self, name: str, make: Callable[[], Demo]) -> None:
        self.name = name
        self.demo = make()
        self.frame = 0
        self.milliseconds: list[float] = []
        """Time of each step but the first, which loads the kernels."""
        self.most_contacts = 0
        self.result: str | None = None
        """What the demo's check returned; None before it is due, and where it failed."""
        self.failure: str | None = None
        """Why the check failed."""

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
        for world in own:  # the demo may have made some too
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
        """Median time of the last 120 steps [ms]; 0 where there are none yet."""
        return median(self.milliseconds[-120:]) if self.milliseconds else 0.0

    def caption(self) -> str:
        """Name, time, bodies, contacts, time of a step and the demo's own note in one line."""
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
    """Raise AssertionError with `message` unless `condition` holds; unlike `assert` it also works under `python -O`."""
    if not condition:
        raise AssertionError(message)
