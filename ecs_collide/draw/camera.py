"""The camera: which part of the world a picture shows, and the way from world units to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

FLATTEST = 0.3
"""Least height of a picture that a width is given for, in widths."""
TALLEST = 1.25
"""Largest height of such a picture, in widths."""


class ViewBox(NamedTuple):
    """A box of the world [m]."""

    left: float
    low: float
    right: float
    high: float

    def grown(self, share: float) -> ViewBox:
        """Return the box with a margin on each side: a share of its longer side."""
        margin = share * max(self.right - self.left, self.high - self.low)
        return ViewBox(
            left=self.left - margin, low=self.low - margin, right=self.right + margin, high=self.high + margin
        )


@dataclass
class Camera:
    """The part of the world that a picture shows.

    Args:
        size: width and height of the picture [pixels].
        center: point of the world in the middle of the picture [m].
        scale: pixels to a length unit of the world.
        y_up: True if the y axis of the world points up in the picture.
    """

    size: tuple[int, int]
    center: tuple[float, float] = (0.0, 0.0)
    scale: float = 50.0
    y_up: bool = True

    def __post_init__(self) -> None:
        """Check the numbers. Raises ValueError for a picture without pixels and for a scale of 0 or less."""
        if min(self.size) < 1:
            raise ValueError(f"Camera.size must be at least 1 by 1 pixel, got {self.size!r}")
        if not self.scale > 0.0:
            raise ValueError(f"Camera.scale must be above 0, got {self.scale!r}")

    @classmethod
    def fit(cls, size: tuple[int, int], view: ViewBox, y_up: bool = True) -> Camera:
        """Return the camera of a picture of a given size that shows all of a box."""
        left, low, right, high = view
        scale = min(size[0] / max(right - left, 1e-9), size[1] / max(high - low, 1e-9))
        return cls(size, (0.5 * (left + right), 0.5 * (low + high)), scale, y_up)

    @classmethod
    def over(cls, view: ViewBox, width: int, y_up: bool = True) -> Camera:
        """Return the camera of a picture of a given width that shows all of a box; its height follows."""
        left, low, right, high = view
        share = max(high - low, 1e-9) / max(right - left, 1e-9)
        height = max(1, round(width * min(max(share, FLATTEST), TALLEST)))
        return cls.fit((width, height), view, y_up)

    @property
    def view(self) -> ViewBox:
        """Box of the world that the picture shows."""
        half_x, half_y = 0.5 * self.size[0] / self.scale, 0.5 * self.size[1] / self.scale
        x, y = self.center
        return ViewBox(left=x - half_x, low=y - half_y, right=x + half_x, high=y + half_y)

    def to_pixels(self, points: np.ndarray) -> np.ndarray:
        """Return the pixels, from the upper left corner, of points of the world [m] (..., 2)."""
        factor = np.array((self.scale, -self.scale if self.y_up else self.scale))
        offset = 0.5 * np.array(self.size) - factor * np.array(self.center)
        pixels: np.ndarray = points * factor + offset
        return pixels

    def to_world(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the world [m] under a pixel, for a mouse."""
        up = -1.0 if self.y_up else 1.0
        return (
            self.center[0] + (x - 0.5 * self.size[0]) / self.scale,
            self.center[1] + up * (y - 0.5 * self.size[1]) / self.scale,
        )

    def zoom(self, factor: float, x: float, y: float) -> None:
        """Enlarge the picture by a factor; the point under the pixel (x, y) stays there."""
        if not factor > 0.0:
            raise ValueError(f"the factor of Camera.zoom must be above 0, got {factor!r}")
        before = self.to_world(x, y)
        self.scale *= factor
        after = self.to_world(x, y)
        self.center = self.center[0] + before[0] - after[0], self.center[1] + before[1] - after[1]

    def pan(self, x: float, y: float) -> None:
        """Move the picture by (x, y) pixels, as a mouse drags it."""
        up = -1.0 if self.y_up else 1.0
        self.center = self.center[0] - x / self.scale, self.center[1] - up * y / self.scale
