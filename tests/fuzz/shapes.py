"""Shapes as plain data, (name, arguments...), drawn at random, and created from that."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import ecs_collide as ec

Data = tuple[Any, ...]
"""A name and plain arguments."""


@lru_cache(maxsize=4096)
def made(data: Data) -> ec.Shape:
    """Create the shape from its data."""
    name, *arguments = data
    if name == "Compound":
        return ec.Compound([(made(part), pose) for part, pose in arguments])
    if name == "OneSidedChain":
        points, loop, ghosts, frictions = arguments
        materials = [None if each is None else ec.Material(friction=each) for each in frictions]
        return ec.Chain(points, loop, one_sided=True, ghosts=ghosts, materials=materials)
    if name == "CompoundOfMaterials":
        parts = [(made(part), pose) for part, pose, _, _ in arguments]
        materials = [ec.Material(restitution=bounce, surface_speed=speed) for _, _, bounce, speed in arguments]
        return ec.Compound(parts, materials=materials)
    kind: Callable[..., ec.Shape] = getattr(ec, name)
    return kind(*arguments)


def draw_shape(rng: Random, unit: float) -> Data:
    """Draw a shape of 0.1 to 2.4 metres with `unit` length units each, sometimes one without bounds."""
    while True:
        data = rng.choices(DRAWN, WEIGHTS)[0](rng, unit)
        try:
            made(data)
        except ValueError:  # an outline that meets itself
            continue
        return data


def draw_disk(rng: Random, unit: float) -> Data:
    """Draw a circle around its own origin, the only shape that the exact response moves."""
    return "Circle", number(rng, 0.1, 0.8, unit)


def number(rng: Random, low: float, high: float, unit: float = 1.0) -> float:
    """Draw a number of few digits, round ones more often."""
    value = rng.uniform(low, high)
    rounded = round(value * 4.0) / 4.0
    value = rounded if rng.random() < 0.4 and low <= rounded <= high else round(value, 3)
    return float(f"{value * unit:.6g}")


def point(rng: Random, reach: float, unit: float) -> tuple[float, float]:
    return number(rng, -reach, reach, unit), number(rng, -reach, reach, unit)


def _circle(rng: Random, unit: float) -> Data:
    return "Circle", number(rng, 0.1, 0.8, unit), point(rng, 0.5, unit)


def _segment(rng: Random, unit: float) -> Data:
    return "Segment", point(rng, 1.2, unit), point(rng, 1.2, unit)


def _capsule(rng: Random, unit: float) -> Data:
    return "Capsule", point(rng, 0.6, unit), point(rng, 0.6, unit), number(rng, 0.05, 0.4, unit)


def _box(rng: Random, unit: float) -> Data:
    size = number(rng, 0.1, 1.5, unit), number(rng, 0.1, 1.5, unit)
    if rng.random() < 0.7:
        return "Box", *size
    return "Box", *size, point(rng, 0.5, unit), number(rng, -3.0, 3.0)


def _around(rng: Random, unit: float, count: int, least: float) -> tuple[tuple[float, float], ...]:
    """Draw points around the origin, counter-clockwise; they make a convex polygon if `least` is 1."""
    turn = rng.uniform(0.0, 2.0 * math.pi)
    points = []
    for k in range(count):
        angle = turn + 2.0 * math.pi * (k + rng.uniform(-0.2, 0.2)) / count
        radius = unit * 0.7 * rng.uniform(least, 1.0)
        points.append((float(f"{radius * math.cos(angle):.6g}"), float(f"{radius * math.sin(angle):.6g}")))
    return tuple(points)


def _polygon(rng: Random, unit: float) -> Data:
    return "Polygon", _around(rng, unit, rng.randint(3, 8), 1.0), rng.choice((0.0, 0.0, 0.1 * unit))


def _star(rng: Random, unit: float) -> Data:
    return "Polygon", _around(rng, unit, rng.randint(4, 9), 0.2)


def _half_plane(rng: Random, unit: float) -> Data:
    normal = rng.choice(((0.0, 1.0), (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.6, 0.8), (0.0, -1.0)))
    return "HalfPlane", normal, number(rng, -3.0, 0.0, unit)


def _sector(rng: Random, unit: float) -> Data:
    half_angle = rng.choice((math.pi, math.pi / 2.0, number(rng, 0.1, 3.1)))
    return "Sector", number(rng, 0.2, 1.0, unit), half_angle, number(rng, -3.0, 3.0)


def _ring(rng: Random, unit: float) -> Data:
    return "Ring", number(rng, 2.0, 5.0, unit), point(rng, 0.5, unit)


def _chain(rng: Random, unit: float) -> Data:
    points = tuple(point(rng, 1.2, unit) for _ in range(rng.randint(2, 6)))
    return "Chain", points, len(set(points)) > 2 and rng.random() < 0.3


def has_back(shape: ec.Shape) -> bool:
    """Return True if a shape is or contains a one-sided chain."""
    if isinstance(shape, ec.Compound):
        return any(has_back(part) for part, _ in shape.parts)
    return isinstance(shape, ec.Chain) and shape.one_sided


def _one_sided_chain(rng: Random, unit: float) -> Data:
    points, count = _around(rng, unit, rng.randint(3, 7), 0.3), rng.randint(2, 7)
    loop = rng.random() < 0.5
    points = points[::-1] if rng.random() < 0.3 else points
    points = points if loop else points[:count]
    ghosts = (None, None) if loop else tuple(point(rng, 1.5, unit) if rng.random() < 0.5 else None for _ in range(2))
    links = len(points) if loop else len(points) - 1
    frictions = tuple(rng.choice((None, 0.0, 1.0)) for _ in range(links)) if rng.random() < 0.5 else ()
    return "OneSidedChain", points, loop, ghosts, frictions


def _arc_polygon(rng: Random, unit: float) -> Data:
    count = rng.randint(2, 5)
    bulges = tuple(rng.choice((0.0, 1.0, number(rng, -0.5, 1.0), number(rng, 0.0, 0.5))) for _ in range(count))
    return "ArcPolygon", _around(rng, unit, count, 0.6), bulges


def _bitmap(rng: Random, unit: float) -> Data:
    columns = rng.randint(1, 4)
    rows = tuple(tuple(int(rng.random() < 0.7) for _ in range(columns)) for _ in range(rng.randint(1, 4)))
    return "Bitmap", rows, number(rng, 0.1, 0.5, unit)


def _compound(rng: Random, unit: float) -> Data:
    parts = rng.choices((_circle, _segment, _capsule, _box, _polygon, _sector), k=rng.randint(1, 3))
    placed = tuple((part(rng, unit), (*point(rng, 0.5, unit), number(rng, -3.0, 3.0))) for part in parts)
    return "Compound", *placed


def _compound_of_materials(rng: Random, unit: float) -> Data:
    def values() -> tuple[float | None, float | None]:
        return rng.choice((None, 0.0, 1.0)), rng.choice((None, None, number(rng, -3.0, 3.0, unit)))

    return "CompoundOfMaterials", *((*part, *values()) for part in _compound(rng, unit)[1:])


DRAWN: tuple[Callable[[Random, float], Data], ...] = (
    draw_disk,
    _circle,
    _segment,
    _capsule,
    _box,
    _polygon,
    _star,
    _half_plane,
    _sector,
    _ring,
    _chain,
    _one_sided_chain,
    _arc_polygon,
    _bitmap,
    _compound,
    _compound_of_materials,
)
WEIGHTS = (10, 2, 3, 4, 10, 5, 3, 3, 2, 1, 3, 3, 2, 3, 2, 1)
