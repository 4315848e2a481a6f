"""The esper side of a peer: entities with a plain ``Transform``, as a game would keep them beside another engine."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import esper
import numpy as np

from benchmarks.scene import FloatArray, Scene

_numbers = count()


@dataclass(slots=True)
class Transform:
    """Where an entity is."""

    x: float
    y: float
    angle: float


def new_world_name(engine: str, scene: Scene) -> str:
    """A name no esper world has yet."""
    return f"benchmark {engine} {scene.name} {next(_numbers)}"


class PlainWorld:
    """An esper world in which each dynamic body of the scene, in order, has a ``Transform``."""

    def __init__(self, engine: str, scene: Scene) -> None:
        self.name = new_world_name(engine, scene)
        self.transforms = [Transform(*pose) for pose in scene.start_poses.tolist()]
        self.activate()
        for transform in self.transforms:
            esper.create_entity(transform)

    def activate(self) -> None:
        """Makes this the current esper world."""
        esper.switch_world(self.name)

    @staticmethod
    def read() -> None:
        """Reads each component once, as a renderer does."""
        for _, transform in esper.get_component(Transform):
            _ = transform.x, transform.y, transform.angle

    def poses(self) -> FloatArray:
        """What the components say (n, 3)."""
        return np.array([(t.x, t.y, t.angle) for t in self.transforms])

    def delete(self) -> None:
        """Deletes the esper world."""
        esper.switch_world("default")
        esper.delete_world(self.name)
