"""The drawing of a shape: areas of its solid, edges around it, and lines without thickness."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache, singledispatch
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import ecs_collide as ec
from ecs_collide.demos.union import visible_edges
from ecs_collide.shapes.bulge import BulgedEdge

Points = NDArray[np.float64]
FAR = 1e4
"""Extent of unbounded shapes that is drawn: a half-plane to both sides and in depth, a ring outwards [m]."""
ARC_STEP = math.radians(3.0)
"""Angle of a step of a polyline along a circle [rad]; a circle of 500 pixels is then accurate to a sixth of a pixel."""
RING_AREAS = 8


class Outline(NamedTuple):
    """The outline of a shape, in its own coordinates [m]; each is an array (k, 2)."""

    areas: tuple[Points, ...] = ()
    """Closed polygons, counter-clockwise, that together are the solid."""
    edges: tuple[Points, ...] = ()
    """Open polylines along the surface; a closed one ends at its start."""
    lines: tuple[Points, ...] = ()
    """Polylines of parts without thickness."""


@lru_cache(maxsize=4096)
def outline(shape: ec.Shape) -> Outline:
    """Return the outline of `shape` in its own coordinates."""
    return _outline(shape)


@singledispatch
def _outline(shape: ec.Shape) -> Outline:
    raise TypeError(f"there is no way yet to draw a {type(shape).__name__}")


@_outline.register
def _(shape: ec.Circle) -> Outline:
    return _solid(_arc(shape.center, shape.radius, 0.0, 2.0 * math.pi)[:-1])


@_outline.register
def _(shape: ec.Segment) -> Outline:
    return Outline(lines=(np.array((shape.a, shape.b)),))


@_outline.register
def _(shape: ec.Chain) -> Outline:
    points = np.array(shape.points)
    return Outline(lines=(_closed(points) if shape.loop else points,))


@_outline.register
def _(shape: ec.Capsule) -> Outline:
    return _solid(_grown(np.array((shape.a, shape.b)), shape.radius))


@_outline.register
def _(shape: ec.Box) -> Outline:
    corners = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) * (0.5 * shape.width, 0.5 * shape.height)
    return _solid(placed(corners, *shape.center, shape.angle))


@_outline.register
def _(shape: ec.Polygon) -> Outline:
    return _solid(_grown(np.array(shape.vertices), shape.radius))


@_outline.register
def _(shape: ec.ArcPolygon) -> Outline:
    points: list[tuple[float, float]] = []
    for a, b, bulge in zip(shape.vertices, [*shape.vertices[1:], shape.vertices[0]], shape.bulges, strict=True):
        edge = BulgedEdge(a, b, bulge)
        count = max(1, math.ceil(abs(edge.angle) / ARC_STEP))
        points.extend(edge.point(k / count) for k in range(count))
    return _solid(np.array(points))


@_outline.register
def _(shape: ec.Sector) -> Outline:
    first, last = shape.direction - shape.half_angle, shape.direction + shape.half_angle
    arc = _arc((0.0, 0.0), shape.radius, first, last)
    return _solid(arc[:-1] if shape.half_angle == math.pi else np.concatenate((np.zeros((1, 2)), arc)))


@_outline.register
def _(shape: ec.Ring) -> Outline:
    angles = np.linspace(0.0, 2.0 * math.pi, 1 + RING_AREAS).tolist()
    inner = [_arc(shape.center, shape.radius, first, last) for first, last in itertools.pairwise(angles)]
    outer = [_arc(shape.center, shape.radius + FAR, first, last) for first, last in itertools.pairwise(angles)]
    areas = tuple(np.concatenate((near[::-1], far)) for near, far in zip(inner, outer, strict=True))
    return Outline(areas, (np.concatenate(inner)[::-1],))


@_outline.register
def _(shape: ec.Bitmap) -> Outline:
    # The rectangles of the bitmap do not overlap and leave no gap, so no hole needs to be cut out.
    corners = tuple(piece.vertices for piece in shape.pieces())
    return Outline(corners, tuple(_closed(loop) for loop in shape.outlines()))


@_outline.register
def _(shape: ec.HalfPlane) -> Outline:
    normal = np.array(shape.normal)
    along = FAR * np.array((-normal[1], normal[0]))
    middle = shape.offset * normal
    ends = np.array((middle - along, middle + along))
    return Outline((np.concatenate((ends, ends[::-1] - FAR * normal)),), (ends,))


@_outline.register
def _(shape: ec.Compound) -> Outline:
    parts = []
    for part, pose in shape.parts:
        drawn = _outline(part)
        parts.append(Outline(*(tuple(placed(points, *pose) for points in kind) for kind in drawn)))
    edges = visible_edges([(part.areas, part.edges) for part in parts])
    areas = tuple(points for part in parts for points in part.areas)
    lines = tuple(points for part in parts for points in part.lines)
    return Outline(areas, edges, lines)


def placed(points: Points, x: float, y: float, angle: float) -> Points:
    """Return `points` (k, 2), rotated about the origin by `angle` [rad] and then moved by (x, y) [m]."""
    c, s = math.cos(angle), math.sin(angle)
    moved: Points = points @ np.array(((c, s), (-s, c))) + (x, y)
    return moved


def _solid(corners: Points) -> Outline:
    """Return the outline of one polygon without holes."""
    return Outline((corners,), (_closed(corners),))


def _closed(points: Points) -> Points:
    """Return points with the first one repeated at the end."""
    return np.concatenate((points, points[:1]))


def _arc(center: tuple[float, float], radius: float, first: float, last: float) -> Points:
    """Return points on a circle from the direction `first` to `last` [rad], both included."""
    angles = np.linspace(first, last, 1 + max(1, math.ceil((last - first) / ARC_STEP - 1e-9)))
    return np.array(center) + radius * np.stack((np.cos(angles), np.sin(angles)), axis=1)


def _grown(vertices: Points, radius: float) -> Points:
    """Return the outline of a counter-clockwise polygon, or of a segment's two ends, grown by `radius` [m].

    Only convex polygons have a radius above 0.
    """
    if radius == 0.0:
        return vertices
    edges = np.roll(vertices, -1, axis=0) - vertices
    directions = np.arctan2(-edges[:, 0], edges[:, 1])  # directions of the normals to the right of the edges
    turns = (directions - np.roll(directions, 1)) % (2.0 * math.pi)
    arcs = [
        _arc((x, y), radius, direction - turn, direction)
        for (x, y), direction, turn in zip(vertices.tolist(), directions.tolist(), turns.tolist(), strict=True)
    ]
    return np.concatenate(arcs)


def clip_to(points: Points, left: float, bottom: float, right: float, top: float) -> Points:
    """Return the part of a polygon inside a rectangle (Sutherland and Hodgman), empty if there is none.

    A polygon that is not convex keeps lines along the rectangle's border. A segment's two ends are clipped as well.
    """
    for axis, limit, sign in ((0, left, 1.0), (0, right, -1.0), (1, bottom, 1.0), (1, top, -1.0)):
        inside = sign * (points[:, axis] - limit) >= 0.0
        if inside.all():
            continue
        kept = []
        for k in range(len(points)):
            a, b = points[k - 1], points[k]
            if inside[k - 1] != inside[k]:
                kept.append(a + (limit - a[axis]) / (b[axis] - a[axis]) * (b - a))
            if inside[k]:
                kept.append(b)
        if not kept:
            return np.empty((0, 2))
        points = np.array(kept)
    return points
