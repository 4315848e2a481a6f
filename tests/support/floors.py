"""Static floors from x = -12 m to 12 m, without thickness, thin or in tiles, and their heights."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import ecs_collide as ec
from tests.support.worlds import static

HALF = 12.0
"""Half the length of a floor [m]."""
LINE = np.arange(-HALF, HALF + 0.1, 0.5)


class Floor(NamedTuple):
    """A function that creates a floor in the current world, and its height [m] at x [m]."""

    make: Callable[[], object]
    height: Callable[[float], float]


def flat(x: float) -> float:
    """Return the height of a level floor [m]."""
    return 0.0


def wavy(x: float) -> float:
    """Return the height of a sine floor [m]."""
    return 0.4 * math.sin(x)


def valley(x: float) -> float:
    """Return the height of a V-shaped floor [m]."""
    return 0.4 * abs(x)


def segment_row() -> None:
    """Create a level floor of separate segments."""
    for a, b in zip(LINE[:-1].tolist(), LINE[1:].tolist(), strict=True):
        static(ec.Segment((a, 0.0), (b, 0.0)))


def tile_row() -> None:
    """Create a level floor of separate boxes."""
    for k in range(int(-HALF), int(HALF)):
        static(ec.Box(1.0, 1.0), (k + 0.5, -0.5))


FLOORS = {
    "segment": Floor(lambda: static(ec.Segment((-HALF, 0.0), (HALF, 0.0))), flat),
    "flat chain": Floor(lambda: static(ec.Chain([(x, 0.0) for x in LINE])), flat),
    "sine chain": Floor(lambda: static(ec.Chain([(x, wavy(x)) for x in LINE])), wavy),
    "V chain": Floor(lambda: static(ec.Chain([(x, valley(x)) for x in (-HALF, 0.0, HALF)])), valley),
    "segments": Floor(segment_row, flat),
    "plate": Floor(lambda: static(ec.Box(2.0 * HALF, 0.05), (0.0, -0.025)), flat),
    "tiles": Floor(tile_row, flat),
}
