"""The way from the pixels of an image, a drawing or a map to the axes of a game.

In the data x points right and y points down. With the origin o [pixels] and the length s of a pixel,

    x = s (p_x - o_x),    y = s (o_y - p_y) if y points up in the game, s (p_y - o_y) if it points down.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from ecs_collide.shapes.piece import FloatArray
from ecs_collide.validate import Vector2, flag, positive, vector2

Origin: TypeAlias = Vector2 | Literal["middle"] | None
"""Pixel at the origin of the game's axes; None is a corner: the lower left one if y points up, else the upper left."""


def map_linearly(vectors: FloatArray, matrix: FloatArray) -> FloatArray:
    """Return the products of row vectors (n, 2) or (2,) and a matrix (2, 2), with equal bits on every machine."""
    products: FloatArray = vectors[..., :1] * matrix[0] + vectors[..., 1:] * matrix[1]
    return products


class PixelFrame(NamedTuple):
    """Axes of a game over the pixels of some data."""

    matrix: FloatArray
    """Lengths in the game of a pixel to the right and of a pixel down, as columns [m] (2, 2)."""
    origin: FloatArray
    """Pixel at the origin [pixels] (2,)."""

    @classmethod
    def over(cls, size: Vector2, scale: float, y_down: bool, origin: Origin) -> PixelFrame:
        """Return the frame over data of a `size` [pixels].

        Args:
            size: width and height of the data [pixels].
            scale: length of a pixel [m].
            y_down: True if y points down in the game.
            origin: pixel at the origin of the game, "middle", or None for a corner.

        Raises:
            TypeError, ValueError: an argument is of the wrong kind or not positive.
        """
        length, points_down = positive(scale, "scale"), flag(y_down, "y_down")
        width, height = size
        if origin is None:
            place = (0.0, 0.0 if points_down else height)
        elif isinstance(origin, str):
            if origin != "middle":
                raise ValueError(f'origin must be a pixel (x, y), "middle" or None, got {origin!r}')
            place = (0.5 * width, 0.5 * height)
        else:
            place = vector2(origin, "origin")
        return cls(np.diag((length, length if points_down else -length)), np.array(place))

    @property
    def scale(self) -> float:
        """Length of a pixel [m]."""
        return float(self.matrix[0, 0])

    @property
    def y_down(self) -> bool:
        """True if y points down in the game."""
        return bool(self.matrix[1, 1] > 0.0)

    def place(self, pixels: FloatArray) -> FloatArray:
        """Return the positions in the game [m] of `pixels` (n, 2) or (2,)."""
        return map_linearly(pixels - self.origin, self.matrix)

    def angle(self, degrees: float) -> float:
        """Return the angle in the game [rad] of a rotation clockwise on the screen [degrees]."""
        turn = math.radians(degrees)
        return turn if self.y_down else 0.0 - turn
