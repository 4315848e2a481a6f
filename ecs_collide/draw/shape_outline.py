"""The drawing of a shape: areas of its solid, edges around it, and lines without thickness.

Arcs become polylines. Their steps are as fine as the scale of a picture needs. A capsule of five pixels gets a dozen
corners, and a circle of 500 pixels gets 120.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache, singledispatch
from typing import NamedTuple

import numpy as np

from ecs_collide.draw.visible_edges import visible_edges
from ecs_collide.shapes import (
    ArcPolygon,
    Bitmap,
    Box,
    Capsule,
    Chain,
    Circle,
    Compound,
    HalfPlane,
    Polygon,
    Ring,
    Sector,
    Segment,
    Shape,
)
from ecs_collide.shapes.bulge import BulgedEdge
from ecs_collide.shapes.piece import Piece, PieceKind

FAR = 1e4
"""Extent of unbounded shapes that is drawn: a half-plane to both sides and in depth, a ring outwards [m]."""
ARC_STEPS = tuple(map(math.radians, (3.0, 6.0, 12.0, 22.5, 45.0)))
"""Angles of a step of a polyline along an arc, the finest first [rad]."""
ACCURACY = 0.25
"""Largest distance of an arc from its polyline [pixels]."""
RING_AREAS = 8
STROKE = 0.12
"""Length of a stroke behind a one-sided chain, in mean lengths of its links."""
MOST_STROKES = 8
"""Greatest number of strokes behind a link."""
DASHES = 4
"""Number of dashes from an end of a chain to its ghost vertex."""


class Outline(NamedTuple):
    """The outline of a shape, in its own coordinates [m]; each is an array (k, 2)."""

    areas: tuple[np.ndarray, ...] = ()
    """Closed polygons, counter-clockwise, that together are the solid."""
    edges: tuple[np.ndarray, ...] = ()
    """Open polylines along the surface; a closed one ends at its start."""
    lines: tuple[np.ndarray, ...] = ()
    """Polylines of parts without thickness."""

    @property
    def is_plain(self) -> bool:
        """True if the only edge runs around the only area."""
        return len(self.areas) == len(self.edges) == 1 and len(self.edges[0]) == len(self.areas[0]) + 1


def arc_step(shape: Shape, scale: float | None) -> float:
    """Return the step along arcs [rad] of a picture with `scale` pixels to a length unit; None for the finest."""
    if scale is None:
        return ARC_STEPS[0]
    radius = max(largest_arc(shape) * scale, ACCURACY)
    widest = 2.0 * math.acos(max(1.0 - ACCURACY / radius, 0.0))
    return next((step for step in reversed(ARC_STEPS) if step <= widest), ARC_STEPS[0])


@lru_cache(maxsize=4096)
def largest_arc(shape: Shape) -> float:
    """Return the largest radius of an arc in the outline of a shape [m], 0 if it has none."""
    if isinstance(shape, Compound):
        return max((largest_arc(part) for part, _ in shape.parts), default=0.0)
    if isinstance(shape, ArcPolygon):
        ends = zip(shape.vertices, [*shape.vertices[1:], shape.vertices[0]], shape.bulges, strict=True)
        return max((abs(BulgedEdge(a, b, bulge).radius) for a, b, bulge in ends if bulge), default=0.0)
    return float(getattr(shape, "radius", 0.0))


@lru_cache(maxsize=4096)
def outline(shape: Shape, step: float = ARC_STEPS[0]) -> Outline:
    """Return the outline of a shape in its own coordinates, with arcs in steps of `step` [rad].

    The arrays are kept for further calls, and cannot be written. A shape of a game's own class is drawn as the union of
    its pieces. Raises TypeError if one of them is a wedge of a ring.
    """
    found = _outline(shape, step)
    for points in itertools.chain(*found):
        points.flags.writeable = False
    return found


@singledispatch
def _outline(shape: Shape, step: float) -> Outline:
    return _union([_of_piece(piece, step, type(shape).__name__) for piece in shape.pieces()])


def _of_piece(piece: Piece, step: float, name: str) -> Outline:
    """Return the outline of a piece of a game's own shape; its arcs are chords, except those of its radius."""
    if piece.kind is PieceKind.CIRCLE:
        x, y = piece.vertices[0].tolist()
        return _outline(Circle(piece.radius, (x, y)), step)
    if piece.kind is PieceKind.HALF_PLANE:
        normal = piece.normals[0]
        return _outline(HalfPlane(tuple(normal.tolist()), float(piece.vertices[0] @ normal)), step)
    if piece.kind is PieceKind.RING:
        raise TypeError(f"there is no drawing of a {name}: one of its pieces is a wedge of a ring")
    if len(piece.vertices) == 2 and piece.radius == 0.0:
        return Outline(lines=(piece.vertices,))
    return _solid(_grown(piece.vertices, piece.radius, step))


@_outline.register
def _(shape: Circle, step: float) -> Outline:
    return _solid(_arc(shape.center, shape.radius, 0.0, 2.0 * math.pi, step)[:-1])


@_outline.register
def _(shape: Segment, step: float) -> Outline:
    return Outline(lines=(np.array((shape.a, shape.b)),))


@_outline.register
def _(shape: Chain, step: float) -> Outline:
    points = np.array(shape.points)
    line = _closed(points) if shape.loop else points
    return Outline(lines=(line, *_backs(line), *_ghost_links(shape)) if shape.one_sided else (line,))


def _backs(line: np.ndarray) -> list[np.ndarray]:
    """Return short strokes from the links of a one-sided chain to the side that lets everything pass."""
    along = np.diff(line, axis=0)
    lengths = np.hypot(along[:, 0], along[:, 1])
    size = STROKE * float(lengths.mean())
    strokes = []
    for start, way, length in zip(line, along, lengths.tolist(), strict=False):
        unit = way / length
        slant = size * np.array((-unit[0] - unit[1], unit[0] - unit[1])) / math.sqrt(2.0)
        count = max(1, min(MOST_STROKES, round(length / (2.0 * size))))
        strokes += [np.array((at, at + slant)) for at in (start + way * ((k + 0.5) / count) for k in range(count))]
    return strokes


def _ghost_links(chain: Chain) -> list[np.ndarray]:
    """Return the dashes of the links from the ends of a chain to its ghost vertices."""
    dashes = []
    for ghost, end in zip(chain.ghosts, (chain.points[0], chain.points[-1]), strict=True):
        if ghost is not None:
            start, way = np.array(end), np.array(ghost) - end
            places = (np.arange(DASHES) + 0.5) / DASHES
            dashes += [np.array((start + at * way, start + (at + 0.5 / DASHES) * way)) for at in places.tolist()]
    return dashes


@_outline.register
def _(shape: Capsule, step: float) -> Outline:
    return _solid(_grown(np.array((shape.a, shape.b)), shape.radius, step))


@_outline.register
def _(shape: Box, step: float) -> Outline:
    corners = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1))) * (0.5 * shape.width, 0.5 * shape.height)
    return _solid(placed(corners, *shape.center, shape.angle))


@_outline.register
def _(shape: Polygon, step: float) -> Outline:
    return _solid(_grown(np.array(shape.vertices), shape.radius, step))


@_outline.register
def _(shape: ArcPolygon, step: float) -> Outline:
    points: list[tuple[float, float]] = []
    for a, b, bulge in zip(shape.vertices, [*shape.vertices[1:], shape.vertices[0]], shape.bulges, strict=True):
        edge = BulgedEdge(a, b, bulge)
        count = max(1, math.ceil(abs(edge.angle) / step))
        points.extend(edge.point(k / count) for k in range(count))
    return _solid(np.array(points))


@_outline.register
def _(shape: Sector, step: float) -> Outline:
    first, last = shape.direction - shape.half_angle, shape.direction + shape.half_angle
    arc = _arc((0.0, 0.0), shape.radius, first, last, step)
    return _solid(arc[:-1] if shape.half_angle == math.pi else np.concatenate((np.zeros((1, 2)), arc)))


@_outline.register
def _(shape: Ring, step: float) -> Outline:
    angles = np.linspace(0.0, 2.0 * math.pi, 1 + RING_AREAS).tolist()
    inner = [_arc(shape.center, shape.radius, first, last, step) for first, last in itertools.pairwise(angles)]
    outer = [_arc(shape.center, shape.radius + FAR, first, last, step) for first, last in itertools.pairwise(angles)]
    areas = tuple(np.concatenate((near[::-1], far)) for near, far in zip(inner, outer, strict=True))
    return Outline(areas, (np.concatenate(inner)[::-1],))


@_outline.register
def _(shape: Bitmap, step: float) -> Outline:
    # The rectangles of the bitmap do not overlap and leave no gap, so no hole needs to be cut out.
    corners = tuple(piece.vertices for piece in shape.pieces())
    return Outline(corners, tuple(_closed(loop) for loop in shape.outlines()))


@_outline.register
def _(shape: HalfPlane, step: float) -> Outline:
    normal = np.array(shape.normal)
    along = FAR * np.array((-normal[1], normal[0]))
    middle = shape.offset * normal
    ends = np.array((middle - along, middle + along))
    return Outline((np.concatenate((ends, ends[::-1] - FAR * normal)),), (ends,))


@_outline.register
def _(shape: Compound, step: float) -> Outline:
    parts = [(_outline(part, step), pose) for part, pose in shape.parts]
    return _union([Outline(*(tuple(placed(points, *pose) for points in kind) for kind in it)) for it, pose in parts])


def _union(parts: list[Outline]) -> Outline:
    """Return the outline of a union: edges inside other parts are left out."""
    areas = tuple(points for part in parts for points in part.areas)
    lines = tuple(points for part in parts for points in part.lines)
    return Outline(areas, visible_edges([(part.areas, part.edges) for part in parts]), lines)


def placed(points: np.ndarray, x: float, y: float, angle: float) -> np.ndarray:
    """Return `points` (k, 2), rotated about the origin by `angle` [rad] and then moved by (x, y) [m]."""
    c, s = math.cos(angle), math.sin(angle)
    moved: np.ndarray = points @ np.array(((c, s), (-s, c))) + (x, y)
    return moved


def _solid(corners: np.ndarray) -> Outline:
    """Return the outline of one polygon without holes."""
    return Outline((corners,), (_closed(corners),))


def _closed(points: np.ndarray) -> np.ndarray:
    """Return points with the first one repeated at the end."""
    return np.concatenate((points, points[:1]))


def _arc(center: tuple[float, float], radius: float, first: float, last: float, step: float) -> np.ndarray:
    """Return points on a circle from the direction `first` to `last` [rad], both included."""
    angles = np.linspace(first, last, 1 + max(1, math.ceil((last - first) / step - 1e-9)))
    return np.array(center) + radius * np.stack((np.cos(angles), np.sin(angles)), axis=1)


def _grown(vertices: np.ndarray, radius: float, step: float) -> np.ndarray:
    """Return the outline of a counter-clockwise polygon, or of a segment's two ends, grown by `radius` [m].

    Only convex polygons have a radius above 0.
    """
    if radius == 0.0:
        return vertices
    edges = np.roll(vertices, -1, axis=0) - vertices
    directions = np.arctan2(-edges[:, 0], edges[:, 1])  # directions of the normals to the right of the edges
    turns = (directions - np.roll(directions, 1)) % (2.0 * math.pi)
    arcs = [
        _arc((x, y), radius, direction - turn, direction, step)
        for (x, y), direction, turn in zip(vertices.tolist(), directions.tolist(), turns.tolist(), strict=True)
    ]
    return np.concatenate(arcs)


def clip_to(points: np.ndarray, left: float, bottom: float, right: float, top: float) -> np.ndarray:
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
