"""Mixed shapes that fall on uneven ground and come to rest in its hollows. Timed while they fall and settle."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from benchmarks.quality import bodies_lost, deepest_overlap, mean_overlap
from benchmarks.scene import (
    Box,
    Capsule,
    Check,
    Circle,
    Group,
    Material,
    Point,
    Scene,
    Segment,
    Shape,
    moving_group,
    static_group,
)
from benchmarks.scenes.palette import centred, convex_polygons

STEP = 2.0  # m between two points of the ground
BOTTOM = -8.0  # the lower side of the columns
PALETTE: tuple[Shape, ...] = (
    Circle(0.35),
    Box(0.8, 0.5),
    Capsule((-0.25, 0.0), (0.25, 0.0), 0.2),
    Circle(0.45),
    Box(0.6, 0.6),
    Capsule((0.0, -0.3), (0.0, 0.3), 0.2),
    *convex_polygons(12, 0.45),
)


def ground_height(x: float) -> float:
    """Return the height of hills and hollows of 1 to 3 m."""
    return 1.8 * math.sin(0.21 * x) + 0.9 * math.sin(0.57 * x + 1.0) + 0.4 * math.sin(1.7 * x + 2.0)


def column(a: Point, b: Point) -> Group:
    """Return the solid quadrilateral below one stretch of the ground."""
    corners = [(a[0], BOTTOM), (b[0], BOTTOM), b, a]
    polygon = centred(corners)
    return static_group(polygon, a[0] - polygon.vertices[3][0], a[1] - polygon.vertices[3][1])


def ground(width: float) -> tuple[Group, ...]:
    """Return stretches of five solid columns and of five bare segments in turn."""
    xs = [STEP * i for i in range(-math.ceil(width / 2 / STEP), math.ceil(width / 2 / STEP) + 1)]
    points = [(x, ground_height(x)) for x in xs]
    groups = []
    for i, (a, b) in enumerate(pairwise(points)):
        if i // 5 % 2 == 0:
            groups.append(column(a, b))
        else:
            groups.append(static_group(Segment((0.0, 0.0), (b[0] - a[0], b[1] - a[1])), *a))
    return tuple(groups)


def terrain(count: int = 1500) -> Scene:
    """Return ``count`` circles, boxes, capsules and polygons in ten layers over the ground."""
    columns = math.ceil(count / 10)
    rng = np.random.default_rng(5)
    index = np.arange(count)
    positions = np.column_stack((1.1 * (index % columns - 0.5 * (columns - 1)), 5.0 + 1.2 * (index // columns)))
    positions += rng.uniform(-0.03, 0.03, (count, 2))
    width = 1.1 * columns + 4.0
    wall = Box(4.0, 60.0)
    return Scene(
        name="terrain",
        title=f"{count:,} mixed shapes on uneven terrain",
        groups=(
            *ground(width),
            static_group(wall, -width / 2 - 2.0, 20.0),
            static_group(wall, width / 2 + 2.0, 20.0),
            moving_group(PALETTE, positions, shape_index=rng.integers(0, len(PALETTE), count)),
        ),
        material=Material(friction=0.6),
        warmup=60,
        frames=200,
        checks=(
            Check("mean overlap", "cm", 600, mean_overlap),
            Check("deepest overlap", "cm", 600, deepest_overlap),
            Check("lost", "bodies", 600, bodies_lost),
        ),
        bounds=(-width / 2 - 1.0, -6.0, width / 2 + 1.0, 50.0),
    )
