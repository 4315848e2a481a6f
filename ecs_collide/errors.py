"""The package's own error and warning."""

from __future__ import annotations


class PhysicsError(Exception):
    """Something about the world that a step cannot go on with; it names the entity, the component and the value.

    It is raised before the step has changed anything.
    """


class PhysicsWarning(UserWarning):
    """Something is allowed but hardly meant; told once in each world."""
