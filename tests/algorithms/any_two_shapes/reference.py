"""Shapes as shapely sees them, from their definitions: curves sampled densely, unless a radius can be kept apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import affinity

import ecs_collide as ec

Array: TypeAlias = NDArray[np.float64]
Pose: TypeAlias = tuple[float, float, float]

SAMPLES = 4000
"""Points on a full turn of a curve, which leave it by at most 3.1e-7 of its radius."""

CURVE_ERROR = 2e-6
"""More than that, for the radii up to 5 m here."""


class GrownGeometry(NamedTuple):
    """A shapely geometry and the radius by which it is grown."""

    core: shapely.Geometry
    radius: float


def arc(center: Array, radius: float, start: float, angle: float) -> Array:
    count = max(2, math.ceil(abs(angle) / (2.0 * math.pi) * SAMPLES) + 1)
    turns = start + angle * np.linspace(0.0, 1.0, count)
    return center + radius * np.stack((np.cos(turns), np.sin(turns)), axis=1)


def bulged(a: Array, b: Array, bulge: float) -> Array:
    """Points of an edge, its end left out."""
    if bulge == 0.0:
        return a[np.newaxis]
    angle = 4.0 * math.atan(bulge)
    chord = b - a
    left = np.array((-chord[1], chord[0]))
    center = (a + b) / 2.0 + left / 2.0 / math.tan(angle / 2.0)
    start = math.atan2(a[1] - center[1], a[0] - center[0])
    return arc(center, float(np.hypot(*(a - center))), start, angle)[:-1]


def solid(shape: ec.Shape) -> GrownGeometry:
    """The shape in its own coordinates."""
    match shape:
        case ec.Circle():
            return GrownGeometry(shapely.Point(shape.center), shape.radius)
        case ec.Capsule():
            return GrownGeometry(shapely.LineString([shape.a, shape.b]), shape.radius)
        case ec.Segment():
            return GrownGeometry(shapely.LineString([shape.a, shape.b]), 0.0)
        case ec.Box():
            w, h = shape.width / 2.0, shape.height / 2.0
            box = affinity.rotate(shapely.box(-w, -h, w, h), shape.angle, origin=(0.0, 0.0), use_radians=True)
            return GrownGeometry(affinity.translate(box, *shape.center), 0.0)
        case ec.Polygon():
            return GrownGeometry(shapely.Polygon(shape.vertices), shape.radius)
        case ec.Sector():
            turns = arc(np.zeros(2), shape.radius, shape.direction - shape.half_angle, 2.0 * shape.half_angle)
            apex = [] if shape.half_angle == math.pi else [(0.0, 0.0)]
            return GrownGeometry(shapely.Polygon([*apex, *turns]), 0.0)
        case ec.Chain():
            points = [*shape.points, shape.points[0]] if shape.loop else shape.points
            return GrownGeometry(shapely.LineString(points), 0.0)
        case ec.ArcPolygon():
            vertices = np.array(shape.vertices)
            edges = zip(vertices, np.roll(vertices, -1, axis=0), shape.bulges, strict=True)
            return GrownGeometry(shapely.Polygon(np.concatenate([bulged(*edge) for edge in edges])), 0.0)
        case ec.Bitmap():
            size = shape.cell_size
            cells = [
                shapely.box(x * size, y * size, (x + 1) * size, (y + 1) * size)
                for y, row in enumerate(shape.mask)
                for x, cell in enumerate(row)
                if cell
            ]
            return GrownGeometry(shapely.unary_union(cells), 0.0)
    raise AssertionError(f"no reference for {shape!r}")


@cache
def _own(shape: ec.Shape) -> GrownGeometry:
    return solid(shape)


def place_by_shapely(shape: ec.Shape, pose: Sequence[float]) -> GrownGeometry:
    core, radius = _own(shape)
    cosine, sine = math.cos(pose[2]), math.sin(pose[2])
    turn, offset = np.array([(cosine, sine), (-sine, cosine)]), np.array(pose[:2])
    return GrownGeometry(shapely.transform(core, lambda points: points @ turn + offset), radius)


def distance_by_shapely(
    shape_a: ec.Shape, pose_a: Sequence[float], shape_b: ec.Shape, pose_b: Sequence[float]
) -> float:
    """The distance of two shapes; only where the cores are apart is it exact."""
    a, b = place_by_shapely(shape_a, pose_a), place_by_shapely(shape_b, pose_b)
    return float(shapely.distance(a.core, b.core)) - a.radius - b.radius


def support(shape: ec.Shape, pose: Sequence[float], directions: Array) -> Array:
    """Return the support of a shape in each direction [m] (n, 2)."""
    core, radius = place_by_shapely(shape, pose)
    points = shapely.get_coordinates(core)
    return np.asarray((directions @ points.T).max(axis=1) + radius)


def between(start: Pose, end: Pose, t: float) -> Pose:
    """The pose at time t."""
    x, y, angle = (a + t * (b - a) for a, b in zip(start, end, strict=True))
    return x, y, angle


def random_pose(rng: np.random.Generator, reach: float, turn: float = math.pi) -> Pose:
    x, y = rng.uniform(-reach, reach, 2)
    return float(x), float(y), float(rng.uniform(-turn, turn))


SHAPES: dict[str, ec.Shape] = {
    "circle": ec.Circle(0.5, (0.2, -0.1)),
    "segment": ec.Segment((-0.7, 0.1), (0.9, 0.4)),
    "capsule": ec.Capsule((-0.5, 0.0), (0.6, 0.3), 0.25),
    "box": ec.Box(1.0, 0.6, angle=0.3),
    "triangle": ec.Polygon([(0.0, -0.6), (0.8, 0.5), (-0.4, 0.3)]),
    "rounded": ec.Polygon([(-0.3, -0.4), (0.5, -0.2), (0.3, 0.5)], 0.2),
    "sector": ec.Sector(1.0, 0.6, 0.4),
    "half disk": ec.Sector(0.8, math.pi / 2.0, 1.0),
    "lens": ec.ArcPolygon([(-0.8, 0.0), (0.8, 0.0)], [0.3, 0.5]),
    "pac-man": ec.Sector(0.8, 2.4, -0.5),
    "disk of two": ec.Sector(0.7, math.pi, 0.3),
    "star": ec.Polygon([(1.0, 0.0), (0.2, 0.2), (0.0, 1.0), (-0.2, 0.2), (-1.0, 0.0), (0.0, -0.4)]),
    "chain": ec.Chain([(-1.0, 0.2), (-0.3, -0.2), (0.2, 0.3), (0.9, -0.1)]),
    "loop": ec.Chain([(-0.8, -0.6), (0.7, -0.5), (0.1, 0.8)], loop=True),
    "bowl": ec.ArcPolygon([(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)], [0.0, 0.0, -0.6, 0.0]),
    "notch": ec.ArcPolygon([(-0.6, -0.5), (0.6, -0.5), (0.6, 0.4), (-0.6, 0.4)], [0.0, 0.3, -0.06, 0.0]),
    "letter": ec.Bitmap([[1, 1, 1], [1, 0, 0], [1, 1, 0]], 0.4),
}
CONVEX = ("circle", "segment", "capsule", "box", "triangle", "rounded", "sector", "half disk")
"""In one piece; the lens is convex too, but in two."""

SAMPLED = ("sector", "half disk", "lens", "pac-man", "disk of two", "bowl", "notch")
"""Shapes with a reference that is not exact."""
