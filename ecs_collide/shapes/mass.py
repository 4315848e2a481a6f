"""Area, centroid and second moment of area in closed form.

For density 1 these are mass, centre of mass and moment of inertia; J is always about the part's own centroid.

    rectangle   A = w h        J = A (w² + h²) / 12
    disk        A = π r²       J = A r² / 2
    sector      A = φ r²       J = A (r² / 2 - d²)      half angle φ, centroid d = 2 r sin φ / (3 φ) from the apex
    polygon     A = Σ A_i      J = Σ A_i (a·a + a·b + b·b) / 6 - A c·c      triangles (0, a, b) from the first vertex
    rod         A = L          J = L³ / 12              mass per length
    union       A = Σ A_i      J = Σ (J_i + A_i |c_i - c|²)                 disjoint parts, parallel axes theorem

A capsule is a rectangle and two half disks. A convex polygon grown by r (its Minkowski sum with a disk) is the polygon,
a rectangle of depth r on each edge, and on each vertex a sector of radius r between the normals of the edges that meet.
Parts are added up relative to the shape's first vertex, so that no digits are lost far from the origin.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ecs_collide.shapes.piece import FloatArray
from ecs_collide.validate import Vector2


class MassProperties(NamedTuple):
    """`area` [m²], `centroid` [m] and `second_moment` of area about the centroid [m⁴]."""

    area: float
    centroid: Vector2
    second_moment: float


def rectangle(center: Vector2, width: float, height: float) -> MassProperties:
    """Return the properties of a rectangle; they do not depend on its angle."""
    area = width * height
    return MassProperties(area, center, area * (width * width + height * height) / 12.0)


def disk(center: Vector2, radius: float) -> MassProperties:
    """Return the properties of a disk."""
    area = math.pi * radius * radius
    return MassProperties(area, center, 0.5 * area * radius * radius)


def rod(a: Vector2, b: Vector2) -> MassProperties:
    """Return length [m] in place of area and second moment of length [m³] of the segment from `a` to `b`."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = math.hypot(x, y)
    return _moved(MassProperties(length, (0.5 * x, 0.5 * y), length * length * length / 12.0), a)


def capsule(a: Vector2, b: Vector2, radius: float) -> MassProperties:
    """Return the properties of all points within `radius` of the segment from `a` to `b`."""
    x, y = b[0] - a[0], b[1] - a[1]
    direction = math.atan2(y, x)
    parts = (
        rectangle((0.5 * x, 0.5 * y), math.hypot(x, y), 2.0 * radius),
        sector((0.0, 0.0), radius, direction + math.pi, 0.5 * math.pi),
        sector((x, y), radius, direction, 0.5 * math.pi),
    )
    return _moved(combine(parts), a)


def sector(apex: Vector2, radius: float, direction: float, half_angle: float) -> MassProperties:
    """Return the properties of a disk's sector that reaches `half_angle` (0, π] to both sides of `direction` [rad]."""
    area = half_angle * radius * radius
    distance = 2.0 * radius * math.sin(half_angle) / (3.0 * half_angle)
    centroid = (apex[0] + distance * math.cos(direction), apex[1] + distance * math.sin(direction))
    return MassProperties(area, centroid, area * (0.5 * radius * radius - distance * distance))


def polygon(vertices: FloatArray) -> MassProperties:
    """Return the properties of a simple polygon of counter-clockwise `vertices` [m] (k, 2), k >= 3."""
    spokes = vertices[1:] - vertices[0]
    a, b = spokes[:-1], spokes[1:]
    areas = 0.5 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    area = float(areas.sum())
    x, y = ((areas[:, np.newaxis] * (a + b)).sum(axis=0) / (3.0 * area)).tolist()
    about_first_vertex = float((areas[:, np.newaxis] * (a * a + a * b + b * b)).sum()) / 6.0
    properties = MassProperties(area, (x, y), about_first_vertex - area * (x * x + y * y))
    return _moved(properties, _pairs(vertices)[0])


def rounded_polygon(vertices: FloatArray, normals: FloatArray, radius: float) -> MassProperties:
    """Return the properties of a convex polygon grown by `radius` [m].

    `vertices` [m] (k, 2) run counter-clockwise, `normals` (k, 2) are the outward unit normals of the edges i → i+1.
    """
    if radius == 0.0:
        return polygon(vertices)
    corners = vertices - vertices[0]
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = np.hypot(edges[:, 0], edges[:, 1]).tolist()
    centers = corners + 0.5 * edges + 0.5 * radius * normals
    incoming = np.roll(normals, 1, axis=0)
    cross = incoming[:, 0] * normals[:, 1] - incoming[:, 1] * normals[:, 0]
    half_turns = 0.5 * np.arctan2(cross, (incoming * normals).sum(axis=1))
    directions = np.arctan2(incoming[:, 1], incoming[:, 0]) + half_turns
    radii = [radius] * len(corners)
    rectangles = map(rectangle, _pairs(centers), lengths, radii)
    sectors = map(sector, _pairs(corners), radii, directions.tolist(), half_turns.tolist())
    return _moved(combine((polygon(corners), *rectangles, *sectors)), _pairs(vertices)[0])


def combine(parts: Iterable[MassProperties]) -> MassProperties:
    """Return the properties of the union of disjoint `parts`."""
    parts = tuple(parts)
    origin_x, origin_y = parts[0].centroid
    offsets = [(part.centroid[0] - origin_x, part.centroid[1] - origin_y) for part in parts]
    area = math.fsum(part.area for part in parts)
    x = math.fsum(part.area * dx for part, (dx, _) in zip(parts, offsets, strict=True)) / area
    y = math.fsum(part.area * dy for part, (_, dy) in zip(parts, offsets, strict=True)) / area
    second_moment = math.fsum(
        part.second_moment + part.area * ((dx - x) * (dx - x) + (dy - y) * (dy - y))
        for part, (dx, dy) in zip(parts, offsets, strict=True)
    )
    return MassProperties(area, (origin_x + x, origin_y + y), second_moment)


def _moved(properties: MassProperties, offset: Vector2) -> MassProperties:
    x, y = properties.centroid
    return properties._replace(centroid=(x + offset[0], y + offset[1]))


def _pairs(points: FloatArray) -> list[Vector2]:
    return [(x, y) for x, y in points.tolist()]
