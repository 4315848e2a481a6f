"""A few dozen convex polygons that any number of bodies share, like a game's assets."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.scene import Point, Polygon


def centred(vertices: list[Point]) -> Polygon:
    """Return the polygon moved so that its centroid is the origin."""
    points = np.array(vertices)
    following = np.roll(points, -1, axis=0)
    cross = points[:, 0] * following[:, 1] - following[:, 0] * points[:, 1]
    centroid = ((points + following) * cross[:, None]).sum(axis=0) / (3.0 * cross.sum())
    return Polygon(tuple((float(x), float(y)) for x, y in points - centroid))


def convex_polygons(count: int, radius: float, seed: int = 3) -> tuple[Polygon, ...]:
    """Return ``count`` polygons of 3 to 8 vertices on ellipses of 0.7 to 1 times ``radius``."""
    rng = np.random.default_rng(seed)
    polygons = []
    for i in range(count):
        corners = 3 + i % 6
        step = 2.0 * math.pi / corners
        angles = np.arange(corners) * step + rng.uniform(-0.25, 0.25, corners) * step
        width, height = rng.uniform(0.7, 1.0, 2) * radius
        polygons.append(centred([(width * math.cos(a), height * math.sin(a)) for a in angles]))
    return tuple(polygons)
