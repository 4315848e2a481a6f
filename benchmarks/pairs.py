"""Random pairs of objects of about 1 m, as columns for the documented functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Data: TypeAlias = list[Array]
Maker: TypeAlias = Callable[["Draw"], Data]


class Draw:
    """A source of random columns."""

    def __init__(self, seed: int, count: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.count = count

    def within(self, low: float, high: float) -> Array:
        """Return numbers from `low` to `high`."""
        return self._rng.uniform(low, high, self.count)

    def place(self, spread: float) -> Data:
        """Return x and y from -spread to spread [m]."""
        return [self.within(-spread, spread), self.within(-spread, spread)]


def circles(spread: float) -> Maker:
    """Return a maker of pairs of circles."""
    return lambda d: [*d.place(spread), d.within(0.2, 0.8), *d.place(spread), d.within(0.2, 0.8)]


def moving_circles(d: Draw) -> Data:
    """Return pairs of moving circles."""
    a, b = ([*d.place(1.0), d.within(0.1, 0.4), *d.place(3.0)] for _ in range(2))
    return a + b


def balls_in_arenas(d: Draw) -> Data:
    """Return moving circles, each in a moving circular arena."""
    ball = [*d.place(1.2), d.within(0.2, 0.8), *d.place(2.5)]
    return [*ball, *d.place(0.2), d.within(2.8, 3.2), *d.place(0.2)]


def moving_edge(d: Draw, spread: float, motion: float) -> Data:
    """Return ends and motions of edges of 1 to 3 m that move and turn by up to 1 rad."""
    x, y = d.place(spread)
    half = 0.5 * d.within(1.0, 3.0) * np.exp(1j * d.within(-np.pi, np.pi))
    turned = half * np.exp(1j * d.within(-1.0, 1.0))
    middle, moved = x + 1j * y, d.within(-motion, motion) + 1j * d.within(-motion, motion)
    ends = [middle - half, moved - (turned - half), middle + half, moved + (turned - half)]
    return [part.copy() for end in ends for part in (end.real, end.imag)]


def moving_vertex_and_edge(d: Draw) -> Data:
    """Return moving vertices, each with a moving edge."""
    return [*d.place(0.5), *d.place(3.0), *moving_edge(d, 0.5, 3.0)]


def moving_circle_and_edge(d: Draw) -> Data:
    """Return moving circles, each with a moving edge."""
    return [*d.place(1.2), d.within(0.1, 0.5), *d.place(3.0), *moving_edge(d, 1.2, 3.0)]


def segments(spread: float) -> Maker:
    """Return a maker of segments."""
    return lambda d: d.place(spread) + d.place(spread)


def axis_boxes(d: Draw, spread: float) -> Data:
    """Return axis-aligned boxes."""
    x, y = d.place(spread)
    w, h = d.within(0.5, 1.5), d.within(0.5, 1.5)
    return [x - w, y - h, x + w, y + h]


def box_corners(d: Draw, spread: float) -> Array:
    """Return boxes (n, 4, 2) of 0.5 to 1.5 m at any angle."""
    x, y = d.place(spread)
    turn = np.exp(1j * d.within(-np.pi, np.pi))
    w, h = 0.5 * d.within(0.5, 1.5), 0.5 * d.within(0.5, 1.5)
    corners = [(x + 1j * y) + turn * (sx * w + 1j * sy * h) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.stack([np.stack((corner.real, corner.imag), -1) for corner in corners], 1)


def moving_boxes(d: Draw) -> Data:
    """Return pairs of moving boxes at any angle."""
    a, b = ([box_corners(d, 2.0), np.stack(d.place(3.0), -1)[:, np.newaxis]] for _ in range(2))
    return a + b


def impacts(d: Draw) -> Data:
    """Return pairs of circles at an impact."""
    a, b = ([*d.place(2.0), *d.place(3.0), d.within(0.1, 2.0)] for _ in range(2))
    return [*a, *b, d.within(0.0, 1.0)]
