"""Processors of a game between two systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import esper

from ecs_collide.systems import System, priority_between


class Hook(esper.Processor):
    """A processor of a game that calls a function in every step."""

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action

    def process(self, *args: Any, **kwargs: Any) -> None:
        """Call the function."""
        self.action()


def hook(before: type[System], after: type[System], action: Callable[[], object]) -> None:
    """Call a function between two systems in every step."""
    esper.add_processor(Hook(action), priority_between(before, after))


def hook_once(before: type[System], after: type[System], action: Callable[[], object]) -> None:
    """Call a function between two systems in the next step only."""
    todo = [action]

    def act() -> None:
        if todo:
            todo.pop()()

    hook(before, after, act)
