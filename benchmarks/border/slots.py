"""The tasks on components with plain classes that have `__slots__` and check nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Transform:
    """The pose of an entity."""

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    position: tuple[float, float] = (0.0, 0.0)


@dataclass(slots=True)
class Material:
    """A stand-in for a collider and a rigid body."""

    shape: object = None
    density: float = 1.0
    is_bullet: bool = False


class Task:
    """A task on plain components."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.transforms = [Transform(float(k)) for k in range(size)]

    def activate(self) -> None:
        """Do nothing: there is no world to switch."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class Reading(Task):
    """A frame reads every pose, number by number."""

    def __call__(self) -> None:
        for transform in self.transforms:
            _ = transform.x, transform.y, transform.angle


class Writing(Task):
    """A frame writes every velocity, number by number."""

    def __call__(self) -> None:
        for velocity in self.transforms:
            velocity.x = 0.25
            velocity.y = 0.5


class Placing(Task):
    """A frame writes every position."""

    def __call__(self) -> None:
        for transform in self.transforms:
            transform.position = (0.25, 0.5)


class Components(Task):
    """A frame creates components and discards them."""

    def __call__(self) -> None:
        for _ in range(self.size):
            Transform(0.0, -5.0), Transform(60.0, 0.0), Material(None, 3.0), Material(is_bullet=True)
