"""Outlines of straight edges and arcs with their signed distance, independent of how shapes are cut into pieces.

The outline is, modulo 2, the polygon of the chords plus one loop of chord and arc for each arc. A point is inside if
an odd number of these regions contain it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from tests.support.reference.geometry import Array, cross, length, point_segment

Vector2 = tuple[float, float]


class Arc(NamedTuple):
    """A part of a circle between two directions; `angle` [rad] leads from first to last, clockwise if negative."""

    center: Vector2
    radius: float
    start: float
    angle: float

    def point(self, fraction: Array) -> Array:
        """Return the point at a fraction of the arc [m]."""
        turn = self.start + self.angle * fraction
        return np.asarray(self.center + self.radius * np.stack((np.cos(turn), np.sin(turn)), axis=-1))


class Edge(NamedTuple):
    """An edge from `a` to `b` [m], with the solid on its left."""

    a: Vector2
    b: Vector2
    arc: Arc | None = None

    def distance(self, points: Array) -> Array:
        """Return the distance of points (n, 2) from the edge [m]."""
        a, b = np.array(self.a), np.array(self.b)
        if self.arc is None:
            return point_segment(points, a, b)
        spokes = points - self.arc.center
        turn = np.arctan2(spokes[:, 1], spokes[:, 0]) - self.arc.start
        turn = np.mod(turn if self.arc.angle > 0.0 else -turn, 2.0 * math.pi)
        ends = np.minimum(length(points - a), length(points - b))
        on_arc = np.abs(length(spokes) - self.arc.radius)
        return np.where(turn <= abs(self.arc.angle), on_arc, ends)

    def tangent(self, fraction: float) -> Array:
        """Return the direction of the edge at a fraction of its length (2,)."""
        if self.arc is None:
            along = np.array(self.b) - np.array(self.a)
            return np.asarray(along / math.hypot(*along))
        turn = self.arc.start + self.arc.angle * fraction
        return math.copysign(1.0, self.arc.angle) * np.array((-math.sin(turn), math.cos(turn)))

    def samples(self, spacing: float) -> Array:
        """Return points on the edge without the last one (m, 2) [m]."""
        a, b = np.array(self.a), np.array(self.b)
        size = math.dist(self.a, self.b) if self.arc is None else abs(self.arc.angle) * self.arc.radius
        fraction = np.arange(max(1, math.ceil(size / spacing))) / max(1, math.ceil(size / spacing))
        return a + fraction[:, np.newaxis] * (b - a) if self.arc is None else self.arc.point(fraction)


class Boundary:
    """A closed outline, counter-clockwise."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self.edges = list(edges)
        corners = [edge.a for edge in self.edges]
        self._chords = shapely.Polygon(corners) if len(corners) > 2 else shapely.Polygon()

    def contains(self, points: Array) -> NDArray[np.bool_]:
        """Return True for each point (n, 2) inside."""
        inside = np.asarray(shapely.contains_xy(self._chords, points))
        for edge in self.edges:
            if edge.arc is not None:
                a, b = np.array(edge.a), np.array(edge.b)
                side = cross(b - a, points - a) < 0.0
                bulges_out = edge.arc.angle > 0.0
                inside ^= (length(points - edge.arc.center) < edge.arc.radius) & (side == bulges_out)
        return inside

    def signed_distance(self, points: Array) -> Array:
        """Return the distance of points (n, 2) from the outline, negative inside [m]."""
        distance = np.minimum.reduce([edge.distance(points) for edge in self.edges])
        return np.asarray(np.where(self.contains(points), -distance, distance))

    def samples(self, spacing: float) -> Array:
        """Return points on the outline, all vertices among them (m, 2) [m]."""
        return np.concatenate([edge.samples(spacing) for edge in self.edges])

    def allows(self, normal: Array, place: Array, slack: float = 1e-6) -> bool:
        """Return True if `normal` is one of the outline within `slack` [m] of a place; a corner has a cone of them."""
        at = place[np.newaxis]
        for edge, following in zip(self.edges, [*self.edges[1:], self.edges[0]], strict=True):
            if edge.distance(at)[0] <= slack:
                tangents = [edge.tangent(0.0)]
                if edge.arc is not None:
                    spoke = (place - edge.arc.center) / math.dist(place, edge.arc.center)
                    tangents = [math.copysign(1.0, edge.arc.angle) * np.array((-spoke[1], spoke[0]))]
                if any(length(np.array((t[1], -t[0])) - normal) < 1e-6 for t in tangents):
                    return True
            if math.dist(edge.b, place) <= slack:
                first, last = edge.tangent(1.0), following.tangent(0.0)
                turn = math.atan2(cross(first, last), first @ last)
                right = np.array((first[1], -first[0]))
                from_first = math.atan2(cross(right, normal), right @ normal)
                if turn > 0.0 and -1e-6 <= from_first <= turn + 1e-6:
                    return True
        return False


def polygon_boundary(vertices: Sequence[Vector2]) -> Boundary:
    """Return the outline of counter-clockwise vertices."""
    return Boundary([Edge(a, b) for a, b in zip(vertices, [*vertices[1:], vertices[0]], strict=True)])


def sector_boundary(radius: float, half_angle: float, direction: float = 0.0) -> Boundary:
    """Return the outline of a slice of a disk around the origin."""
    first, angle = direction - half_angle, 2.0 * half_angle
    arc = Arc((0.0, 0.0), radius, first, angle)
    ends = arc.point(np.array((0.0, 1.0)))
    a, b = tuple(ends[0].tolist()), tuple(ends[1].tolist())
    return Boundary([Edge((0.0, 0.0), a), Edge(a, b, arc), Edge(b, (0.0, 0.0))])


def arc_polygon_boundary(vertices: Sequence[Vector2], bulges: Sequence[float]) -> Boundary:
    """Return the outline of counter-clockwise vertices with arcs; a bulge is the sagitta over half the chord."""
    edges = []
    for a, b, bulge in zip(vertices, [*vertices[1:], vertices[0]], bulges, strict=True):
        if bulge == 0.0:
            edges.append(Edge(a, b))
            continue
        start, chord = np.array(a), np.array(b) - np.array(a)
        half = 0.5 * math.hypot(*chord)
        outward = np.array((chord[1], -chord[0])) / (2.0 * half)
        top = start + 0.5 * chord + bulge * half * outward
        radius = half * (1.0 + bulge * bulge) / (2.0 * abs(bulge))
        center = top - math.copysign(radius, bulge) * outward
        angle = math.copysign(4.0 * math.atan(abs(bulge)), bulge)
        spoke = start - center
        edges.append(Edge(a, b, Arc((center[0], center[1]), radius, math.atan2(spoke[1], spoke[0]), angle)))
    return Boundary(edges)
