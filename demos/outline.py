"""The outlines of shapes as closed polylines, for drawing."""

from __future__ import annotations

import math
from functools import lru_cache, singledispatch

import numpy as np
from numpy.typing import NDArray

import ecs_collide as ec

Points = NDArray[np.float64]
FAR = 1e4
"""How much of a half-plane is drawn, to both sides and into the depth [m]."""
ARC_STEP = math.radians(12.0)


@lru_cache(maxsize=4096)
def outline(shape: ec.Shape) -> Points:
    """Return the outline of `shape` in its own coordinates [m] (k, 2); a Segment has two points."""
    return _outline(shape)


@singledispatch
def _outline(shape: ec.Shape) -> Points:
    raise TypeError(f"there is no way yet to draw a {type(shape).__name__}")


@_outline.register
def _(shape: ec.Circle) -> Points:
    angles = np.linspace(0.0, 2.0 * math.pi, 49)[:-1]
    return np.array(shape.center) + shape.radius * np.stack((np.cos(angles), np.sin(angles)), axis=1)


@_outline.register
def _(shape: ec.Segment) -> Points:
    return np.array((shape.a, shape.b))


@_outline.register
def _(shape: ec.Capsule) -> Points:
    return _grown(np.array((shape.a, shape.b)), shape.radius)


@_outline.register
def _(shape: ec.Box) -> Points:
    c, s = math.cos(shape.angle), math.sin(shape.angle)
    corners = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) * (0.5 * shape.width, 0.5 * shape.height)
    turned: Points = np.array(shape.center) + corners @ np.array(((c, s), (-s, c)))
    return turned


@_outline.register
def _(shape: ec.Polygon) -> Points:
    return _grown(np.array(shape.vertices), shape.radius)


@_outline.register
def _(shape: ec.HalfPlane) -> Points:
    normal = np.array(shape.normal)
    along = FAR * np.array((-normal[1], normal[0]))
    middle = shape.offset * normal
    return np.array((middle - along, middle + along, middle + along - FAR * normal, middle - along - FAR * normal))


def _grown(vertices: Points, radius: float) -> Points:
    """Return the outline of a counter-clockwise convex polygon, or of a segment's two ends, grown by `radius` [m]."""
    if radius == 0.0:
        return vertices
    edges = np.roll(vertices, -1, axis=0) - vertices
    directions = np.arctan2(-edges[:, 0], edges[:, 1])  # of the normals to the right of the edges
    points = []
    for k, vertex in enumerate(vertices):
        start = directions[k - 1]
        turn = (directions[k] - start) % (2.0 * math.pi)
        for angle in start + np.linspace(0.0, turn, 2 + int(turn / ARC_STEP)):
            points.append(vertex + radius * np.array((math.cos(angle), math.sin(angle))))
    return np.array(points)


def clip_to(points: Points, left: float, bottom: float, right: float, top: float) -> Points:
    """Return the part of a convex polygon inside a rectangle (Sutherland and Hodgman); empty where there is none."""
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
