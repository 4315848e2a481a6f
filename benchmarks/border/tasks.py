"""Data that the tasks of all engines share."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from random import Random

DT = 1 / 60
"""Time step [s]."""
RADIUS = 0.4
"""Radius of a circle [m]."""
SPACING = 1.5
"""Distance of grid points [m]."""
BULLETS = 10
"""Number of bullets at a time."""
WALL = 50.0
"""Thickness of the walls around a gas [m]."""

Point = tuple[float, float]


def places(count: int) -> list[Point]:
    """Return points of a grid, in rows of 250 [m]."""
    return [(SPACING * (k % 250), SPACING * (k // 250)) for k in range(count)]


def radii(count: int) -> list[float]:
    """Return different radii [m]."""
    return [RADIUS * (0.5 + 0.5 * k / count) for k in range(count)]


def outlines(count: int) -> list[list[Point]]:
    """Return different convex polygons of three to eight corners [m]."""
    random = Random(1)
    found = []
    for _ in range(count):
        corners = random.randrange(3, 9)
        turns = [2.0 * pi * (k + 0.6 * random.random()) / corners for k in range(corners)]
        found.append([(RADIUS * cos(turn), RADIUS * sin(turn)) for turn in turns])
    return found


def gas(count: int) -> tuple[float, list[Point], list[Point]]:
    """Return the side of a square [m], and positions [m] and velocities [m/s] of circles in it."""
    random = Random(2)
    columns = int(count**0.5) + 1
    start = [(1.5 + 2.0 * (k % columns), 1.5 + 2.0 * (k // columns)) for k in range(count)]
    return 2.0 * columns + 1.0, start, [(random.gauss(0, 3), random.gauss(0, 3)) for _ in range(count)]


def chains(count: int) -> Iterator[list[Point]]:
    """Yield the positions of the links of each chain, whose first link is fixed [m]."""
    for chain in range(count):
        yield [(3.0 * chain + 0.25 * k, 20.0) for k in range(10)]


def pile(count: int) -> list[Point]:
    """Return positions of circles of radius 0.5 that lie on each other, in rows of 40 [m]."""
    return [(k % 40 + 0.5 * (k // 40 % 2), 0.5 + 0.8 * (k // 40)) for k in range(count)]


def lift_speed(frame: int) -> float:
    """Return the upward speed of the lift in a frame [m/s]."""
    return cos(0.1 * frame)


def walls(side: float) -> Iterator[tuple[Point, Point]]:
    """Yield centre and size of the four walls around a square [m]."""
    middle, away, long = side / 2, WALL / 2, side + 2 * WALL
    yield (middle, -away), (long, WALL)
    yield (middle, side + away), (long, WALL)
    yield (-away, middle), (WALL, long)
    yield (side + away, middle), (WALL, long)
