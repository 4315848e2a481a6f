"""Warnings of likely mistakes, once in each world; they name the line of the game."""

from __future__ import annotations

import sys
import warnings

from ecs_collide.errors import PhysicsWarning

OUR_OWN = ("ecs_collide", "esper")
"""Packages whose frames a warning skips, to name the line of the game."""


class WarnOnce:
    """Base of classes that warn of each topic once in a world."""

    def __init__(self) -> None:
        self._topics: set[str] = set()

    def _warn(self, topic: str, text: str) -> None:
        if topic in self._topics:
            return
        self._topics.add(topic)
        level, frame = 1, sys._getframe()
        while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OUR_OWN:
            level, frame = level + 1, frame.f_back
        warnings.warn(text, PhysicsWarning, stacklevel=level)
