"""Random cases near and far from touching, and slow or differently derived answers to compare with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Truth: TypeAlias = NDArray[np.bool_]

CASES = 20_000
SPREAD = 5.0
"""Coordinates lie within this distance from the origin along both axes [m]."""


class Radii(NamedTuple):
    """Radii of circles whose centres are at some distance from something, and whether they reach it."""

    radius: Array
    reaches: Truth


def coordinates(rng: np.random.Generator, columns: int, count: int = CASES) -> list[Array]:
    return list(rng.uniform(-SPREAD, SPREAD, (columns, count)))


def radii_around(rng: np.random.Generator, distance: Array, closest: float = 1e-11) -> Radii:
    """For half of the distances any radius, for the others one that differs by `closest` to 0.01 m."""
    near = np.where(rng.random(len(distance)) < 0.5, 1.0, -1.0) * 10.0 ** rng.uniform(
        np.log10(closest), -2, len(distance)
    )
    radius = np.where(rng.random(len(distance)) < 0.5, rng.uniform(0.0, 4.0, len(distance)), distance + near)
    radius = np.where(radius < 0.0, rng.uniform(0.1, 1.0, len(distance)), radius)
    return Radii(radius, radius > distance)


def check_reach(overlap: Callable[..., Any], distance: Array, rng: np.random.Generator, closest: float = 1e-11) -> None:
    """Check `overlap(radius, touching=...)` for radii around the distances at which a circle just touches."""
    radius, reaches = radii_around(rng, distance, closest)
    for touching in (True, False):
        wrong = overlap(radius, touching=touching) != reaches
        assert not wrong.any(), (int(wrong.sum()), int(np.argmax(wrong)))


def whole_number_tangents(rng: np.random.Generator, count: int = 2_000) -> NDArray[np.int64]:
    """Circles and segments that they just touch inside, all in whole numbers (count, 7): x, y, radius, P, Q.

    The normal is that of a Pythagorean triple (a, b, c), and the radius a multiple of c.
    """
    m = rng.integers(1, 15, count)
    n = m + rng.integers(1, 8, count)
    a, b, c = n * n - m * m, 2 * m * n, n * n + m * m
    a, b = a * rng.choice([-1, 1], count), b * rng.choice([-1, 1], count)
    x, y = rng.integers(-50, 50, (2, count))
    times, before, behind = rng.integers(1, 9, (3, count))
    foot_x, foot_y = x + a * times, y + b * times
    ends = (foot_x - b * before, foot_y + a * before, foot_x + b * behind, foot_y - a * behind)
    return np.stack((x, y, c * times, *ends), 1)


def segments(ax: Array, ay: Array, bx: Array, by: Array) -> NDArray[Any]:
    ends = np.stack((np.stack((ax, ay), -1), np.stack((bx, by), -1)), -2)
    return shapely.linestrings(ends)  # type: ignore[no-any-return]


def polygons(corners: Array) -> NDArray[Any]:
    """Shapely's polygons from corners (..., n, 2)."""
    return shapely.polygons(corners)  # type: ignore[no-any-return]


def turned_corners(x: Array, y: Array, width: Array, height: Array, angle: Array) -> Array:
    """The corners (n, 4, 2) of boxes around (x, y)."""
    signs = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j])[np.newaxis]
    local = 0.5 * (signs.real * width[:, np.newaxis] + 1j * signs.imag * height[:, np.newaxis])
    world = local * np.exp(1j * angle[:, np.newaxis]) + (x + 1j * y)[:, np.newaxis]
    return np.stack((world.real, world.imag), -1)


def shifted(corners: Array, x: float, y: float) -> Array:
    return np.add(corners, (x, y))


def outlines(rng: np.random.Generator, low: float = 0.5, high: float = 2.0) -> Array:
    """A star-shaped polygon (n, 2), 3 <= n < 10, around a random point."""
    count = int(rng.integers(3, 10))
    turns = np.sort((np.arange(count) + rng.uniform(0.0, 0.8, count)) / count) * 2.0 * np.pi
    radius = rng.uniform(low, high, count)
    return np.stack((radius * np.cos(turns), radius * np.sin(turns)), 1) + rng.uniform(-2.0, 2.0, 2)


def convex_outline(rng: np.random.Generator) -> Array:
    """A convex polygon (n, 2), 3 <= n < 10, on an ellipse around a random point, in a random winding."""
    count = int(rng.integers(3, 10))
    turns = (np.arange(count) + rng.uniform(0.0, 0.8, count)) / count * 2.0 * np.pi + rng.uniform(0.0, 7.0)
    corners = np.stack((rng.uniform(0.3, 2.0) * np.cos(turns), rng.uniform(0.3, 2.0) * np.sin(turns)), 1)
    corners += rng.uniform(-1.5, 1.5, 2)
    return corners if rng.random() < 0.5 else corners[::-1]
