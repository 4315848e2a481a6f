"""The interface of engines in the comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from benchmarks.scene import FloatArray, Scene


class Engine(Protocol):
    """One scene in one engine, in an esper world of its own. Sleeping is off.

    A whole frame is ``step()`` and then ``read_poses()``, in the current esper world: call ``activate`` before.
    """

    name: str
    step: Callable[[], object]
    """One step of ``scene.dt`` and nothing else."""

    def __init__(self, scene: Scene) -> None: ...

    def activate(self) -> None:
        """Make this engine's esper world the current one."""

    def read_poses(self) -> None:
        """Copy every dynamic pose to its esper component, then read each component once."""

    def poses(self) -> FloatArray:
        """Return x, y [m] and angle [rad] of the dynamic bodies in the order of the scene (n, 3)."""

    def velocities(self) -> FloatArray:
        """Return x, y [m/s] and angular velocity [rad/s] of the dynamic bodies in the order of the scene (n, 3)."""

    def close(self) -> None:
        """Delete the bodies and the esper world."""

    @staticmethod
    def version() -> str:
        """Return the version, as shown in the table."""
