"""What the comparison asks of an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from benchmarks.scene import FloatArray, Scene


class Engine(Protocol):
    """One scene in one engine, in an esper world of its own. Sleeping is off.

    A whole frame is ``step()`` and then ``read_poses()``, in the current esper world: ``activate`` it before.
    """

    name: str
    step: Callable[[], object]
    """One step of ``scene.dt``, and nothing else."""

    def __init__(self, scene: Scene) -> None: ...

    def activate(self) -> None:
        """Makes this engine's esper world the current one."""

    def read_poses(self) -> None:
        """Makes every dynamic pose current in its esper component, then reads each component once."""

    def poses(self) -> FloatArray:
        """x, y, angle of the dynamic bodies in the order of the scene (n, 3), as their components say."""

    def velocities(self) -> FloatArray:
        """x, y, angular velocity of the dynamic bodies in the order of the scene (n, 3)."""

    def close(self) -> None:
        """Deletes the bodies and the esper world."""

    @staticmethod
    def version() -> str:
        """The version, as shown in the table."""
