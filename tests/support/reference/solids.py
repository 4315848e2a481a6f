"""Shapes with arcs, inward corners and cuts, each with its outline as a reference draws it."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import ecs_collide as ec
from tests.support.reference import boundary
from tests.support.reference.boundary import Boundary
from tests.support.reference.geometry import Array, length
from tests.support.reference.shape_bench import local_points, placed_points

Vector2 = tuple[float, float]


class Solid(NamedTuple):
    """A shape and its outline."""

    shape: ec.Shape
    boundary: Boundary


def sector_solid(radius: float, half_angle: float, direction: float = 0.0) -> Solid:
    """Return a Sector with its outline."""
    return Solid(ec.Sector(radius, half_angle, direction), boundary.sector_boundary(radius, half_angle, direction))


def arc_polygon_solid(vertices: list[Vector2], bulges: list[float]) -> Solid:
    """Return an ArcPolygon with its outline."""
    return Solid(ec.ArcPolygon(vertices, bulges), boundary.arc_polygon_boundary(vertices, bulges))


def polygon_solid(vertices: list[Vector2]) -> Solid:
    """Return a Polygon with its outline."""
    return Solid(ec.Polygon(vertices), boundary.polygon_boundary(vertices))


def star(points: int, outer: float, inner: float) -> list[Vector2]:
    """Return the vertices of a star."""
    turns = [math.pi * k / points for k in range(2 * points)]
    return [
        ((outer if k % 2 == 0 else inner) * math.cos(t), (outer if k % 2 == 0 else inner) * math.sin(t))
        for k, t in enumerate(turns)
    ]


RIM: list[Vector2] = [(-1.5, -1.0), (1.5, -1.0), (1.5, 0.2), (1.0, 0.2), (-1.0, 0.2), (-1.5, 0.2)]
BAR: list[Vector2] = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)]
ELL: list[Vector2] = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.0, 2.0)]
COMB: list[Vector2] = [
    (-1.2, -0.5), (1.2, -0.5), (1.2, 0.8), (0.8, 0.8), (0.8, 0.0), (0.2, 0.0),
    (0.2, 0.8), (-0.2, 0.8), (-0.2, 0.0), (-0.8, 0.0), (-0.8, 0.8), (-1.2, 0.8),
]  # fmt: skip

SLICES = {
    "thin slice": sector_solid(1.0, 0.2, 0.3),
    "slice": sector_solid(1.2, 0.7, -2.0),
    "quarter": sector_solid(1.0, 0.25 * math.pi),
    "half disk": sector_solid(1.0, 0.5 * math.pi, 1.0),
}
CONVEX = {
    **SLICES,
    "stadium": arc_polygon_solid(BAR, [0.0, 1.0, 0.0, 1.0]),
    "lens": arc_polygon_solid([(-1.0, 0.0), (1.0, 0.0)], [0.5, 0.3]),
    "segment": arc_polygon_solid([(-1.0, 0.0), (1.0, 0.0)], [0.0, 0.4]),
}
REFLEX = {
    "reflex sector": sector_solid(1.0, 2.2, -1.0),
    "nearly a disk": sector_solid(1.0, 2.9, 2.0),
    "bowl": arc_polygon_solid(RIM, [0.0, 0.0, 0.0, -0.8, 0.0, 0.0]),
    "moon": arc_polygon_solid([(0.0, -1.0), (0.0, 1.0)], [1.0, -0.5]),
    "slot": arc_polygon_solid(BAR, [0.0, -0.6, 0.3, -0.2]),
    "ell": polygon_solid(ELL),
    "star": polygon_solid(star(5, 1.0, 0.4)),
    "comb": polygon_solid(COMB),
}
SOLIDS = {**CONVEX, **REFLEX}


class Convex(NamedTuple):
    """A convex shape as the hull of disks and arcs, for its support."""

    shape: ec.Shape
    points: Array
    radius: float = 0.0
    arcs: tuple[tuple[float, float, float], ...] = ()
    """Radius of arcs about the origin, and the directions between which they count [rad]."""

    def support(self, turn: Array) -> Array:
        """Return how far the shape reaches in directions (k,) [rad]."""
        heights = np.outer(np.cos(turn), self.points[:, 0]) + np.outer(np.sin(turn), self.points[:, 1])
        highest = heights.max(axis=1)
        for radius, first, last in self.arcs:
            inside = np.mod(turn - first, 2.0 * math.pi) <= last - first
            highest = np.where(inside, np.maximum(highest, radius), highest)
        return np.asarray(highest + self.radius)

    def normals(self) -> Array:
        """Return the directions of the normals of its straight edges, and of others [rad]."""
        edges = np.roll(self.points, -1, axis=0) - self.points
        return np.asarray(np.arctan2(-edges[:, 0], edges[:, 1]))


def convex_sector(radius: float, half_angle: float) -> Convex:
    """Return a convex Sector as a hull."""
    ends = radius * np.array(
        [(math.cos(-half_angle), math.sin(-half_angle)), (math.cos(half_angle), math.sin(half_angle))]
    )
    return Convex(
        ec.Sector(radius, half_angle),
        np.concatenate((np.zeros((1, 2)), ends)),
        0.0,
        ((radius, -half_angle, half_angle),),
    )


def gap_between(a: Convex, pose_a: Array, b: Convex, pose_b: Array, count: int = 8192) -> float:
    """Return the greatest separation over all directions: the distance, or minus the penetration [m]."""
    turn = np.concatenate(
        (2.0 * math.pi * np.arange(count) / count, a.normals() + pose_a[2], b.normals() + pose_b[2] + math.pi)
    )

    def gap(turn: Array) -> Array:
        along = (pose_b[0] - pose_a[0]) * np.cos(turn) + (pose_b[1] - pose_a[1]) * np.sin(turn)
        return np.asarray(along - a.support(turn - pose_a[2]) - b.support(turn + math.pi - pose_b[2]))

    gaps = gap(turn)
    best = turn[gaps.argmax()]
    step = 2.0 * math.pi / count
    return float(max(gaps.max(), gap(best + step * np.linspace(-1.0, 1.0, 2001)).max()))


SPACING = 0.004
"""Distance of samples [m]; its square over eight radii of curvature is the error of a distance."""


def brought_near(a: Boundary, b: Boundary, count: int, seed: int) -> tuple[Array, Array]:
    """Return poses of B with a gap of -4 to 18 mm to A at the origin, and the true gap (count,) [m]."""
    random = np.random.default_rng(seed)
    own, other = a.samples(SPACING), b.samples(SPACING)
    poses: list[Array] = []
    gaps: list[float] = []
    while len(poses) < count:
        pose = np.array((*random.uniform(-2.2, 2.2, 2), random.uniform(-4.0, 4.0)))
        gap, along = _nearest(a, own, b, other, pose)
        if gap <= 0.0:
            continue
        pose[:2] += along * (1.0 - random.uniform(-0.004, 0.018) / gap)
        gap, _ = _nearest(a, own, b, other, pose)
        if gap > -0.01:
            poses.append(pose)
            gaps.append(gap)
    return np.array(poses), np.array(gaps)


def _nearest(a: Boundary, own: Array, b: Boundary, other: Array, pose: Array) -> tuple[float, Array]:
    """Return the gap of two outlines, and the vector from B to A there (2,)."""
    placed = placed_points(other, pose)
    to_a, to_b = a.signed_distance(placed), b.signed_distance(local_points(own, pose))
    i, j = int(to_a.argmin()), int(to_b.argmin())
    if to_a[i] < to_b[j]:
        return float(to_a[i]), own[length(own - placed[i]).argmin()] - placed[i]
    return float(to_b[j]), own[j] - placed[length(placed - own[j]).argmin()]
