"""The error and the warning of the package, and the line of a game that a warning names."""

from __future__ import annotations

import sys
import warnings

OUR_OWN = ("ecs_collide", "esper")
"""Packages whose frames a warning skips, to name the line of the game."""


class PhysicsError(Exception):
    """An invalid state of the world that prevents a step.

    The message names the entity, the component and the value. The error is raised before the step changes anything.
    """


class PhysicsWarning(UserWarning):
    """A valid but probably unintended use, reported once in each world."""


def warn(text: str) -> None:
    """Raise a PhysicsWarning at the line of the game from which the package was called."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in OUR_OWN:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, PhysicsWarning, stacklevel=level)
