"""What the tasks on components cost with plain classes that have `__slots__` and check nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Transform:
    """Where an entity is."""

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    position: tuple[float, float] = (0.0, 0.0)


@dataclass(slots=True)
class Material:
    """Stands for what a collider and a rigid body hold."""

    shape: object = None
    density: float = 1.0
    is_bullet: bool = False


class Task:
    """Plain components."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.transforms = [Transform(float(k)) for k in range(size)]

    def activate(self) -> None:
        """There is nothing to switch."""

    def close(self) -> None:
        """Nor to close."""


class Reading(Task):
    """Every pose, number by number."""

    def __call__(self) -> None:
        for transform in self.transforms:
            _ = transform.x, transform.y, transform.angle


class Writing(Task):
    """Every velocity, number by number."""

    def __call__(self) -> None:
        for velocity in self.transforms:
            velocity.x = 0.25
            velocity.y = 0.5


class Placing(Task):
    """Every position."""

    def __call__(self) -> None:
        for transform in self.transforms:
            transform.position = (0.25, 0.5)


class Components(Task):
    """Made and thrown away."""

    def __call__(self) -> None:
        for _ in range(self.size):
            Transform(0.0, -5.0), Transform(60.0, 0.0), Material(None, 3.0), Material(is_bullet=True)
