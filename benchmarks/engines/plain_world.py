"""The esper side of a peer: entities with a plain ``Transform``, as a game keeps them beside another engine."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import esper
import numpy as np

from benchmarks.scene import FloatArray, Scene

_numbers = count()


@dataclass(slots=True)
class Transform:
    """The pose of an entity."""

    x: float
    y: float
    angle: float


def new_world_name(engine: str, scene: Scene) -> str:
    """Return a name that no esper world has yet."""
    return f"benchmark {engine} {scene.name} {next(_numbers)}"


class PlainWorld:
    """An esper world with a ``Transform`` for each dynamic body of the scene, in order."""

    def __init__(self, engine: str, scene: Scene) -> None:
        self.name = new_world_name(engine, scene)
        self.transforms = [Transform(*pose) for pose in scene.start_poses.tolist()]
        self.activate()
        for transform in self.transforms:
            esper.create_entity(transform)

    def activate(self) -> None:
        """Make this the current esper world."""
        esper.switch_world(self.name)

    @staticmethod
    def read() -> None:
        """Read each component once, as a renderer does."""
        for _, transform in esper.get_component(Transform):
            _ = transform.x, transform.y, transform.angle

    def poses(self) -> FloatArray:
        """Return the poses in the components (n, 3)."""
        return np.array([(t.x, t.y, t.angle) for t in self.transforms])

    def delete(self) -> None:
        """Delete the esper world."""
        esper.switch_world("default")
        esper.delete_world(self.name)
