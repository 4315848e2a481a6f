"""The error and the warning of the package."""

from __future__ import annotations


class PhysicsError(Exception):
    """An invalid state of the world that prevents a step.

    The message names the entity, the component and the value. The error is raised before the step changes anything.
    """


class PhysicsWarning(UserWarning):
    """A valid but probably unintended use, reported once in each world."""
