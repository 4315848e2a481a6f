"""The expected outlines of static tiles, from the union of the tiles: slow, and by other means than the engine.

The exposed edges are the boundary of the union, each part once. The free directions around the end of an edge tell how
the surface continues there; they are found with points on a small circle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import FRAME
from ecs_collide.data.pieces import PIECE
from ecs_collide.shapes import Shape
from ecs_collide.shapes.outline import CONCAVE, CONVEX, EXPOSED, FLAT, OUTLINE
from tests.support.reference.column_world import PLAIN, ColumnWorld

FloatArray = NDArray[np.float64]
DIRECTIONS = 1440
FLAT_ENOUGH = 0.03
"""Angle above which a corner is not flat, a little more than the distance of the circle's points [rad]."""


class Tile(NamedTuple):
    """A piece of the engine: its vertices [m] (k, 2) and directions in world axes around `origin`."""

    kind: int
    vertices: FloatArray
    normals: FloatArray
    outline: FloatArray


def tile(world: ColumnWorld, piece: int, origin: tuple[float, float] = (0.0, 0.0)) -> Tile:
    """Return the present form of a piece."""
    pieces = world.pieces.arrays
    row = pieces.index[piece].tolist()
    start, count = row[PIECE.VERTEX_START], row[PIECE.VERTEX_COUNT]
    frame = world.bodies.arrays.frame[row[PIECE.BODY]]
    turn = np.array([(frame[FRAME.COS], -frame[FRAME.SIN]), (frame[FRAME.SIN], frame[FRAME.COS])])
    place = frame[[FRAME.CENTER_X, FRAME.CENTER_Y]] - origin
    normals = pieces.normals[start : start + count]
    rows = pieces.outlines[start : start + count].copy()
    for x, y in ((OUTLINE.FROM_X, OUTLINE.FROM_Y), (OUTLINE.TO_X, OUTLINE.TO_Y)):
        rows[:, [x, y]] = rows[:, [x, y]] @ turn.T
    return Tile(row[PIECE.KIND], pieces.vertices[start : start + count] @ turn.T + place, normals @ turn.T, rows)


def tiles_of_world(world: ColumnWorld, origin: tuple[float, float] = (0.0, 0.0)) -> list[Tile]:
    """Return the present forms of all pieces."""
    return [tile(world, piece, origin) for piece in world.live_pieces().tolist()]


def tiles_and_world(*shapes: Shape) -> tuple[list[Tile], ColumnWorld]:
    """Create static bodies at the origin in a new world; return the tiles of their pieces, and the world."""
    world = ColumnWorld()
    world.add_all((shape, (0.0, 0.0, 0.0), BodyKind.STATIC, PLAIN) for shape in shapes)
    world.update()
    return tiles_of_world(world), world


def static_tiles(*shapes: Shape) -> list[Tile]:
    """Return the tiles of the pieces of static bodies at the origin."""
    return tiles_and_world(*shapes)[0]


def union_of(parts: list[Tile], gap: float) -> shapely.Geometry:
    """Return the union of all tiles; cracks and steps of up to `gap` [m] are closed."""
    whole = shapely.unary_union([shapely.Polygon(part.vertices) for part in parts])
    closed = shapely.buffer(whole, gap, join_style="mitre")
    return shapely.buffer(closed, -gap, join_style="mitre")


def exposed_edges(parts: list[Tile]) -> list[tuple[FloatArray, FloatArray]]:
    """Return start and end of all exposed edges [m]."""
    return [
        (part.vertices[k], np.roll(part.vertices, -1, axis=0)[k])
        for part in parts
        for k in range(len(part.vertices))
        if part.outline[k, OUTLINE.EDGE] == EXPOSED
    ]


def check_edges(parts: list[Tile], union: shapely.Geometry, tolerance: float) -> None:
    """Assert that the exposed edges lie on the boundary of the union and are as long as it."""
    edges = exposed_edges(parts)
    rim = shapely.buffer(shapely.boundary(union), tolerance)
    for a, b in edges:
        inner = np.clip(tolerance / np.hypot(*(b - a)), 0.0, 0.4)
        line = shapely.LineString([a + inner * (b - a), b - inner * (b - a)])
        assert shapely.covers(rim, line), f"an exposed edge off the surface: {line}"
    total = sum(float(np.hypot(*(b - a))) for a, b in edges)
    slack = 4.0 * tolerance * (len(edges) + 4)
    assert abs(total - shapely.length(union)) <= slack, (total, shapely.length(union))
    if edges:
        seen = shapely.buffer(shapely.union_all([shapely.LineString(edge) for edge in edges]), 3.0 * tolerance)
        unseen = shapely.length(shapely.difference(shapely.boundary(union), seen))
        assert unseen <= 4.0 * tolerance, f"a surface that nothing exposes, {unseen} m of it"


def free_angle(union: shapely.Geometry, point: FloatArray, probe: float, radius: float) -> tuple[float, float]:
    """Return the start and the size of the free range of directions around `point` that contains `probe` [rad].

    Both are 0 if `probe` points into the solid.
    """
    step = 2.0 * np.pi / DIRECTIONS
    angles = probe + step * np.arange(DIRECTIONS)
    x, y = point[0] + radius * np.cos(angles), point[1] + radius * np.sin(angles)
    solid = shapely.contains_xy(union, x, y)
    if solid[0]:
        return probe, 0.0
    if not solid.any():
        return probe, 2.0 * np.pi
    ahead = int(np.argmax(solid))
    behind = int(np.argmax(solid[::-1]))
    return probe - step * behind, step * (ahead + behind)


def form_of(angle: float) -> float:
    """Return the expected form of an end from its free angle [rad]."""
    if abs(angle - np.pi) < FLAT_ENOUGH:
        return FLAT
    return CONVEX if angle > np.pi else CONCAVE


def check_ends(parts: list[Tile], union: shapely.Geometry, radius: float) -> int:
    """Assert that ends of exposed edges and corners agree with the free directions; return the number of corners."""
    corners = 0
    solid = shapely.buffer(union, 1e-3 * radius, join_style="mitre")
    for part in parts:
        count = len(part.vertices)
        for k in range(count):
            row, before = part.outline[k], part.outline[k - 1]
            edge = part.vertices[(k + 1) % count] - part.vertices[k]
            along = float(np.arctan2(edge[1], edge[0]))
            if row[OUTLINE.EDGE] == EXPOSED:
                _, angle = free_angle(solid, part.vertices[k], along - FLAT_ENOUGH, radius)
                assert row[OUTLINE.START] == form_of(angle), (part.vertices[k], "start", row[OUTLINE.START], angle)
                end = part.vertices[(k + 1) % count]
                _, angle = free_angle(solid, end, along + np.pi + FLAT_ENOUGH, radius)
                assert row[OUTLINE.STOP] == form_of(angle), (end, "stop", row[OUTLINE.STOP], angle)
            away = part.normals[k] + part.normals[k - 1]
            first, angle = free_angle(solid, part.vertices[k], float(np.arctan2(away[1], away[0])), radius)
            is_seen = row[OUTLINE.EDGE] == EXPOSED or before[OUTLINE.EDGE] == EXPOSED
            expected = is_seen and form_of(angle) == CONVEX
            assert row[OUTLINE.CORNER] == float(expected), (part.vertices[k], "corner", row[OUTLINE.CORNER], angle)
            if expected:
                corners += 1
                for x, y, expected_angle in (
                    (OUTLINE.FROM_X, OUTLINE.FROM_Y, first + 0.5 * np.pi),
                    (OUTLINE.TO_X, OUTLINE.TO_Y, first + angle - 0.5 * np.pi),
                ):
                    off = np.arctan2(row[y], row[x]) - expected_angle
                    assert abs((off + np.pi) % (2.0 * np.pi) - np.pi) < FLAT_ENOUGH, (part.vertices[k], "cone")
    return corners


def check_tiles(parts: list[Tile], gap: float = 0.0, tolerance: float = 1e-9, radius: float = 0.02) -> None:
    """Check edges and ends of tiles with cracks, steps and overlaps of up to `gap` [m]."""
    union = union_of(parts, max(gap, 1e-10))
    check_edges(parts, union, max(2.0 * gap, tolerance))
    check_ends(parts, union, radius)
