"""Bindings of a game's own components in the place of `Transform` and `Velocity`."""

from math import pi
from typing import Any, NamedTuple

import numpy as np

AttributePath = str
"""Name of an attribute, or of an attribute of an attribute: "x", "position.x"."""


class Binding(NamedTuple):
    """Attributes in which a component of the game has its numbers; made by `bind`."""

    component: type
    paths: tuple[AttributePath, ...]
    """Attributes x and y, and the angle or angular velocity if there is one."""
    size: tuple[AttributePath | float, AttributePath | float] | None
    """Width and height, if x and y are a corner; None if they are the middle."""
    degrees: bool
    y_down: bool

    def factors(self) -> np.ndarray:
        """Return the factors that turn the game's numbers, with offsets added, into the physics' (2 or 3,)."""
        up = -1.0 if self.y_down else 1.0
        return np.array([1.0, up, up * (pi / 180.0 if self.degrees else 1.0)])[: len(self.paths)]

    @property
    def is_plain(self) -> bool:
        """True if the game's numbers are the physics' numbers."""
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
    """Return the binding of a component of the game, for `install(transform=, velocity=)`.

    Args:
        component: the class of the game.
        x: attribute of the first coordinate; it may be an attribute of an attribute, such as "position.x" of a vector.
        y: attribute of the second coordinate.
        angle: attribute of the angle, or of the angular velocity; None if the component has none.
        size: width and height of a rectangle of which x and y are a corner, as numbers or attributes. The origin of
            the body is the middle of the rectangle.
        degrees: True if the angle is in degrees.
        y_down: True if the game's y points down and its angles turn clockwise on the screen. The physics' y points up.

    Raises:
        TypeError: `component` is no class or an attribute no name.
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
    if not isinstance(path, str) or not all(name.isidentifier() for name in path.split(".")):
        raise TypeError(f"{name} must name an attribute, such as 'x' or 'position.x', got {path!r}")
