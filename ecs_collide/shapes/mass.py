"""Area, centroid and second moment of area in closed form.

For density 1 these are mass, centre of mass and moment of inertia. J is always about the part's own centroid.

    rectangle   A = w h        J = A (w² + h²) / 12
    disk        A = π r²       J = A r² / 2
    sector      A = φ r²       J = A (r² / 2 - d²)      half angle φ, centroid d = 2 r sin φ / (3 φ) from the apex
    polygon     A = Σ A_i      J = Σ A_i (a·a + a·b + b·b) / 6 - A c·c      triangles (0, a, b) from the first vertex
    segment     A = ∫ t dy     J = ∫ (t³/3 + y² t) dy - A d²   between chord and arc, t = r (cos s - cos φ), y = r sin s
    rod         A = L          J = L³ / 12              mass per length
    union       A = Σ A_i      J = Σ (J_i + A_i |c_i - c|²)                 disjoint parts, parallel axes theorem

A capsule is a rectangle and two half disks. A convex polygon grown by r is its Minkowski sum with a disk. It consists
of the polygon, a rectangle of depth r on each edge, and a sector of radius r on each vertex. The sector lies between
the normals of the edges. Sums of parts are relative to the shape's first vertex, so that no digits are lost far from
the origin.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ecs_collide.geometry.angles import angle_of, cosine_and_sine
from ecs_collide.shapes import measure
from ecs_collide.shapes.piece import FloatArray
from ecs_collide.shapes.points import flat_points
from ecs_collide.validate import Vector2

# Gauss's rule of 20 points, by halves. A test compares it with numpy.polynomial, which is slow to load.
_NODES = (
    0.07652652113349734, 0.22778585114164507, 0.37370608871541955, 0.5108670019508271, 0.636053680726515,
    0.7463319064601508, 0.8391169718222188, 0.912234428251326, 0.9639719272779138, 0.993128599185095,
)  # fmt: skip
_WEIGHTS = (
    0.15275338713072628, 0.14917298647260424, 0.1420961093183824, 0.1316886384491769, 0.1181945319615186,
    0.1019301198172407, 0.08327674157670471, 0.06267204833410879, 0.040601429800386446, 0.017614007139150893,
)  # fmt: skip
GAUSS_NODES = np.array([*(-node for node in reversed(_NODES)), *_NODES])
GAUSS_WEIGHTS = np.array([*reversed(_WEIGHTS), *_WEIGHTS])


class MassProperties(NamedTuple):
    """Area, centroid and second moment of a shape."""

    area: float
    """Area [m²]; length [m] for shapes without area."""
    centroid: Vector2
    """Centroid [m]."""
    second_moment: float
    """Second moment of area about the centroid [m⁴]; of length [m³] for shapes without area."""


def rectangle(center: Vector2, width: float, height: float) -> MassProperties:
    """Return the properties of a rectangle, which do not depend on its angle."""
    area = width * height
    return MassProperties(area, center, area * (width * width + height * height) / 12.0)


def disk(center: Vector2, radius: float) -> MassProperties:
    """Return the properties of a disk."""
    area = math.pi * radius * radius
    return MassProperties(area, center, 0.5 * area * radius * radius)


def circular_segment(a: Vector2, b: Vector2, bulge: float) -> MassProperties:
    """Return the properties of the region between the chord from `a` to `b` and the arc to its right.

    `bulge` in (0, 1] is the tangent of a quarter of the arc's angle 2 φ. Closed forms lose all digits for flat arcs.
    Gauss's rule over the angle s from the arc's middle is accurate to rounding, up to half a circle.
    """
    x, y = b[0] - a[0], b[1] - a[1]
    half_chord = 0.5 * math.hypot(x, y)
    half_angle = 2.0 * angle_of(1.0, bulge)
    radius = half_chord / cosine_and_sine(half_angle)[1]
    angles = half_angle * GAUSS_NODES
    cosines, sines = _find_directions(angles)
    along = radius * sines
    depths = (
        2.0
        * radius
        * _find_directions(0.5 * (half_angle + angles))[1]
        * _find_directions(0.5 * (half_angle - angles))[1]
    )
    widths = half_angle * GAUSS_WEIGHTS * radius * cosines
    area = math.fsum(widths * depths)
    depth = 0.5 * math.fsum(widths * depths * depths) / area
    second_moment = math.fsum(widths * depths * (depths * depths / 3.0 + along * along)) - area * depth * depth
    scale = 0.5 * depth / half_chord
    centroid = (a[0] + 0.5 * x + scale * y, a[1] + 0.5 * y - scale * x)
    return MassProperties(area, centroid, second_moment)


def rod(a: Vector2, b: Vector2) -> MassProperties:
    """Return length [m] as area and second moment of length [m³] of the segment from `a` to `b`."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = math.hypot(x, y)
    return translated(MassProperties(length, (0.5 * x, 0.5 * y), length * length * length / 12.0), a)


def capsule(a: Vector2, b: Vector2, radius: float) -> MassProperties:
    """Return the properties of all points within `radius` of the segment from `a` to `b`."""
    x, y = b[0] - a[0], b[1] - a[1]
    direction = angle_of(x, y)
    parts = (
        rectangle((0.5 * x, 0.5 * y), math.hypot(x, y), 2.0 * radius),
        sector((0.0, 0.0), radius, direction + math.pi, 0.5 * math.pi),
        sector((x, y), radius, direction, 0.5 * math.pi),
    )
    return translated(combine(parts), a)


def sector(apex: Vector2, radius: float, direction: float, half_angle: float) -> MassProperties:
    """Return the properties of a sector of a disk.

    The sector reaches `half_angle` in (0, π] to both sides of `direction` [rad].
    """
    area = half_angle * radius * radius
    distance = 2.0 * radius * cosine_and_sine(half_angle)[1] / (3.0 * half_angle)
    cosine, sine = cosine_and_sine(direction)
    centroid = (apex[0] + distance * cosine, apex[1] + distance * sine)
    return MassProperties(area, centroid, area * (0.5 * radius * radius - distance * distance))


def polygon(vertices: FloatArray) -> MassProperties:
    """Return the properties of a simple polygon of counter-clockwise `vertices` [m] (k, 2), k >= 3."""
    ((area, x, y, second_moment),) = measure_polygons([_list_pairs(vertices)])
    return MassProperties(area, (x, y), second_moment)


def measure_polygons(outlines: Sequence[Sequence[Vector2]]) -> list[list[float]]:
    """Return area, centroid and second moment of each of many simple polygons.

    Each polygon is a sequence of three or more counter-clockwise corners [m]. The centroid of a polygon without area is
    NaN.
    """
    runs = np.zeros((len(outlines), measure.RUN.WIDTH), np.int64)
    runs[:, measure.RUN.COUNT] = [len(outline) for outline in outlines]
    areas = np.empty((len(outlines), measure.AREA.WIDTH))
    measure.measure_areas(flat_points(outlines), runs, areas)
    found: list[list[float]] = areas.tolist()
    return found


def arc_polygon(vertices: FloatArray, bulges: Sequence[float]) -> MassProperties:
    """Return the properties of a polygon whose edges may be arcs.

    Args:
        vertices: corners, counter-clockwise [m] (k, 2), k >= 2.
        bulges: tangents of a quarter of the arcs' angles, within [-1, 1], positive for arcs that bend outwards (k,).
    """
    corners = _list_pairs(vertices - vertices[0])
    parts = [_triangle(a, b) for a, b in itertools.pairwise(corners[1:])]
    for a, b, bulge in zip(corners, [*corners[1:], corners[0]], bulges, strict=True):
        if bulge > 0.0:
            parts.append(circular_segment(a, b, bulge))
        elif bulge < 0.0:
            parts.append(_negative(circular_segment(b, a, -bulge)))
    return translated(combine(parts), _list_pairs(vertices)[0])


def rounded_polygon(vertices: FloatArray, normals: FloatArray, radius: float) -> MassProperties:
    """Return the properties of a convex polygon grown by `radius` [m].

    Args:
        vertices: corners, counter-clockwise [m] (k, 2).
        normals: outward unit normals of the edges i → i+1 (k, 2).
        radius: growth [m].
    """
    if radius == 0.0:
        return polygon(vertices)
    corners = vertices - vertices[0]
    edges = np.roll(corners, -1, axis=0) - corners
    lengths = [math.hypot(x, y) for x, y in edges.tolist()]
    centers = corners + 0.5 * edges + 0.5 * radius * normals
    incoming = np.roll(normals, 1, axis=0)
    sides = list(zip(_list_pairs(incoming), _list_pairs(normals), strict=True))
    half_turns = [0.5 * angle_of(ax * bx + ay * by, ax * by - ay * bx) for (ax, ay), (bx, by) in sides]
    directions = [angle_of(x, y) + half for ((x, y), _), half in zip(sides, half_turns, strict=True)]
    radii = [radius] * len(corners)
    rectangles = map(rectangle, _list_pairs(centers), lengths, radii)
    sectors = map(sector, _list_pairs(corners), radii, directions, half_turns)
    return translated(combine((polygon(corners), *rectangles, *sectors)), _list_pairs(vertices)[0])


def combine(parts: Iterable[MassProperties]) -> MassProperties:
    """Return the properties of the union of disjoint `parts`.

    A hole is a part of negative area and second moment.
    """
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


def translated(properties: MassProperties, offset: Vector2) -> MassProperties:
    """Return the properties after a move by `offset` [m]."""
    x, y = properties.centroid
    return properties._replace(centroid=(x + offset[0], y + offset[1]))


def rotated(properties: MassProperties, angle: float) -> MassProperties:
    """Return the properties after a rotation about the origin by `angle` [rad]."""
    cosine, sine = cosine_and_sine(angle)
    x, y = properties.centroid
    return properties._replace(centroid=(cosine * x - sine * y, sine * x + cosine * y))


def _find_directions(angles: FloatArray) -> FloatArray:
    """Return the cosines and the sines of angles [rad] (2, n)."""
    return np.array([cosine_and_sine(angle) for angle in angles.tolist()]).T


def _triangle(a: Vector2, b: Vector2) -> MassProperties:
    """Return the properties of the triangle (0, a, b), negative if it runs clockwise."""
    area = 0.5 * (a[0] * b[1] - a[1] * b[0])
    squares = a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1] - a[0] * b[0] - a[1] * b[1]
    return MassProperties(area, ((a[0] + b[0]) / 3.0, (a[1] + b[1]) / 3.0), area * squares / 18.0)


def _negative(properties: MassProperties) -> MassProperties:
    """Return the properties with negative area and second moment, for a hole."""
    return properties._replace(area=-properties.area, second_moment=-properties.second_moment)


def _list_pairs(points: FloatArray) -> list[Vector2]:
    """Return an array of points (n, 2) as a list of pairs."""
    return [(x, y) for x, y in points.tolist()]
