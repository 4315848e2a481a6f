"""A game's own components in the place of `Transform` and `Velocity`: which attributes hold the numbers, and how."""

from math import pi
from typing import Any, NamedTuple

import numpy as np

AttributePath = str
"""An attribute, or one of an attribute: "x", "position.x"."""


class Binding(NamedTuple):
    """Where a component of a game's own has its numbers; made by `bind`."""

    component: type
    paths: tuple[AttributePath, ...]
    """x and y, and the angle or the angular velocity if it has any."""
    size: tuple[AttributePath | float, AttributePath | float] | None
    """Width and height, where x and y are a corner."""
    degrees: bool
    y_down: bool

    def factors(self) -> np.ndarray:
        """What the game's numbers are times these, with the offsets added, are the physics' (2 or 3,)."""
        up = -1.0 if self.y_down else 1.0
        return np.array([1.0, up, up * (pi / 180.0 if self.degrees else 1.0)])[: len(self.paths)]

    @property
    def is_plain(self) -> bool:
        """Whether the game's numbers are the physics'."""
        return self.size is None and not (self.degrees or self.y_down)


def bind(
    component: type,
    *,
    x: AttributePath = "x",
    y: AttributePath = "y",
    angle: AttributePath | None = None,
    size: tuple[AttributePath | float, AttributePath | float] | None = None,
    degrees: bool = False,
    y_down: bool = False,
) -> Binding:
    """Say where a component of the game's own has a place or a velocity, for `install(transform=, velocity=)`.

    `x`, `y` and `angle` (of a velocity the angular one) are names of attributes, also of attributes of attributes, such
    as "position.x" of a vector; without `angle` the game knows of none. `size`: x and y are a corner of a rectangle of
    this width and height, numbers or attributes, and the body's origin is its middle. `degrees`: the angle is in
    degrees. `y_down`: the game's y points down and its angles turn clockwise as seen on the screen, while in the
    physics y points up.

    Raises TypeError where `component` is no class or a name is none.
    """
    if not isinstance(component, type):
        raise TypeError(f"component must be a class, got {component!r}")
    paths = (x, y) if angle is None else (x, y, angle)
    for name, path in zip(("x", "y", "angle"), paths, strict=False):
        _check_path(path, name)
    if size is not None:
        if len(size) != 2:
            raise TypeError(f"size must be a width and a height, got {size!r}")
        for one in size:
            if not isinstance(one, int | float):
                _check_path(one, "size")
    return Binding(component, paths, size, bool(degrees), bool(y_down))


def _check_path(path: Any, name: str) -> None:
    if not isinstance(path, str) or not all(part.isidentifier() for part in path.split(".")):
        raise TypeError(f"{name} must name an attribute, such as 'x' or 'position.x', got {path!r}")
