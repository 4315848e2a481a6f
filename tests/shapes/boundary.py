"""Checks of the outline pieces of any solid against the solid in shapely."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from ecs_collide.shapes import Piece, PieceKind, Shape
from ecs_collide.shapes.outline import CONCAVE, CONVEX, EXPOSED, FLAT, HIDDEN, OUTLINE, ZERO_LENGTH
from ecs_collide.shapes.piece import FloatArray
from ecs_collide.validate import Vector2
from tests.shapes.reference import arc_points, outline_of


@dataclass
class Line:
    """An exposed edge or arc of a piece: points along it, its length [m], and which ends it has."""

    points: FloatArray
    length: float
    ends: tuple[float, float] | None


def exposed_lines(pieces: Iterable[Piece]) -> list[Line]:
    """Return all that is exposed, the solid to the left."""
    lines = []
    for piece in pieces:
        assert piece.kind == PieceKind.OUTLINE
        for index, (vertex, row) in enumerate(zip(piece.vertices, piece.outline, strict=True)):
            following = piece.vertices[(index + 1) % len(piece.vertices)]
            if row[OUTLINE.CORNER_RADIUS] > 0.0:
                first, last, radius = (
                    row[OUTLINE.FROM_X : OUTLINE.FROM_Y + 1],
                    row[OUTLINE.TO_X : OUTLINE.TO_Y + 1],
                    row[OUTLINE.CORNER_RADIUS],
                )
                between = arc_points(vertex, radius, first, last)
                points = np.array([vertex + radius * first, *between, vertex + radius * last])
                lines.append(Line(points, radius * angle_between(first, last), None))
            if row[OUTLINE.EDGE] != EXPOSED:
                continue
            ends = (float(row[OUTLINE.START]), float(row[OUTLINE.STOP]))
            if row[OUTLINE.ARC_RADIUS] > 0.0:
                center, radius = row[OUTLINE.ARC_X : OUTLINE.ARC_Y + 1], row[OUTLINE.ARC_RADIUS]
                between = arc_points(center, radius, following - center, vertex - center)[::-1]
                assert abs(math.dist(center, vertex) - radius) < 1e-9 * radius
                assert abs(math.dist(center, following) - radius) < 1e-9 * radius
                length = radius * angle_between(following - center, vertex - center)
                lines.append(Line(np.array([vertex, *between, following]), length, ends))
            else:
                lines.append(Line(np.linspace(vertex, following, 9), math.dist(vertex, following), ends))
    return lines


def angle_between(first: FloatArray, last: FloatArray) -> float:
    """Return the angle [rad] from one direction to another, counter-clockwise."""
    return (math.atan2(last[1], last[0]) - math.atan2(first[1], first[0])) % (2.0 * math.pi)


def check_pieces(shape: Shape, solid: shapely.Geometry, curved: bool = False, perimeter: float | None = None) -> None:
    """Check a shape's pieces against the solid they stand for; a curved one may be off by what sampling costs."""
    pieces = shape.pieces()
    size = math.hypot(solid.bounds[2] - solid.bounds[0], solid.bounds[3] - solid.bounds[1])
    slack = (2e-6 if curved else 1e-9) * size
    outlines = [outline_of(piece) for piece in pieces]
    check_form(pieces)
    union = shapely.union_all(outlines, grid_size=1e-12 * size)
    assert union.symmetric_difference(solid).area < slack * solid.length
    assert abs(sum(outline.area for outline in outlines) - solid.area) < slack * solid.length

    boundary = solid.boundary
    lines = exposed_lines(pieces)
    for line in lines:
        assert shapely.distance(boundary, shapely.points(line.points)).max() < slack
    total = math.fsum(line.length for line in lines)
    assert abs(total - (perimeter or boundary.length)) < (1e-5 if curved else 1e-9) * boundary.length
    exposed = shapely.MultiLineString([line.points for line in lines])
    samples = shapely.line_interpolate_point(boundary, np.linspace(0.0, boundary.length, 397))
    assert shapely.distance(exposed, samples).max() < slack


def check_form(pieces: Iterable[Piece]) -> None:
    """Check that pieces are convex, counter-clockwise, and that arcs lie between joints."""
    for piece in pieces:
        rows = piece.outline
        is_arc = rows[:, OUTLINE.CORNER_RADIUS] > 0.0
        assert ((rows[:, OUTLINE.EDGE] == ZERO_LENGTH) == (is_arc | np.roll(is_arc, -1))).all()
        assert np.isin(rows[:, OUTLINE.EDGE], (ZERO_LENGTH, HIDDEN, EXPOSED)).all()
        assert np.isin(rows[:, OUTLINE.START : OUTLINE.STOP + 1], (CONVEX, FLAT, CONCAVE)).all()
        corners = piece.vertices[~is_arc]
        if len(corners) > 2:
            edges = np.roll(corners, -1, axis=0) - corners
            edges /= np.hypot(edges[:, 0], edges[:, 1])[:, np.newaxis]
            following = np.roll(edges, -1, axis=0)
            turns = np.arctan2(
                edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0], (edges * following).sum(axis=1)
            )
            turns[turns < 1e-8 - math.pi] += 2.0 * math.pi  # half a disk's straight side folds back
            assert turns.min() > -1e-8
            assert abs(turns.sum() - 2.0 * math.pi) < 1e-6
        for row in rows:
            if row[OUTLINE.CORNER]:
                assert abs(math.hypot(*row[OUTLINE.FROM_X : OUTLINE.FROM_Y + 1]) - 1.0) < 1e-12
                assert abs(math.hypot(*row[OUTLINE.TO_X : OUTLINE.TO_Y + 1]) - 1.0) < 1e-12
                assert (
                    1e-4
                    < angle_between(row[OUTLINE.FROM_X : OUTLINE.FROM_Y + 1], row[OUTLINE.TO_X : OUTLINE.TO_Y + 1])
                    < math.pi + 1e-9
                )
            else:
                assert not row[OUTLINE.FROM_X :].any()


def check_corners(shape: Shape, turns: dict[Vector2, tuple[float, Vector2, Vector2]], tolerance: float = 1e-9) -> None:
    """Check corners and ends against `turns`: at each vertex of the outline its turn and its two edges' normals.

    Vertices that are not named there must be smooth.
    """
    places = np.array(list(turns))
    seen = set()
    for piece in shape.pieces():
        for index, (vertex, row) in enumerate(zip(piece.vertices, piece.outline, strict=True)):
            if row[OUTLINE.CORNER_RADIUS] > 0.0:
                continue
            end, cone = _expected(vertex, turns, places, tolerance)
            assert row[OUTLINE.CORNER] == (cone is not None)
            if cone is not None:
                np.testing.assert_allclose(row[OUTLINE.FROM_X : OUTLINE.TO_Y + 1], cone, atol=1e-9)
                seen.add(tuple(cone))
            if row[OUTLINE.EDGE] == EXPOSED:
                assert row[OUTLINE.START] == end
            if piece.outline[index - 1][OUTLINE.EDGE] == EXPOSED:
                assert piece.outline[index - 1][OUTLINE.STOP] == end
    assert len(seen) == len({(*first, *last) for turn, first, last in turns.values() if turn > 1e-3})


def polygon_turns(points: Sequence[Vector2]) -> dict[Vector2, tuple[float, Vector2, Vector2]]:
    """Return what `check_corners` takes for a polygon of counter-clockwise `points`."""
    turns = {}
    for index, at in enumerate(points):
        before, after = points[index - 1], points[(index + 1) % len(points)]
        first = math.atan2(at[1] - before[1], at[0] - before[0])
        last = math.atan2(after[1] - at[1], after[0] - at[0])
        turn = (last - first + math.pi) % (2.0 * math.pi) - math.pi
        turns[at] = (turn, (math.sin(first), -math.cos(first)), (math.sin(last), -math.cos(last)))
    return turns


def _expected(
    vertex: FloatArray, turns: dict[Vector2, tuple[float, Vector2, Vector2]], places: FloatArray, tolerance: float
) -> tuple[float, tuple[float, float, float, float] | None]:
    gaps = np.hypot(*(places - vertex).T)
    nearest = int(np.argmin(gaps))
    if gaps[nearest] > tolerance:
        return FLAT, None
    turn, first, last = list(turns.values())[nearest]
    if turn > 1e-3:
        return CONVEX, (*first, *last)
    return (FLAT if turn >= -1e-3 else CONCAVE), None


def check_cones(shape: Shape, solid: shapely.Geometry, step: float) -> None:
    """Check every corner's normals: a step along one leaves the solid, and nothing of the solid near it is higher."""
    boundary = solid.boundary
    for piece in shape.pieces():
        for vertex, row in zip(piece.vertices, piece.outline, strict=True):
            if not row[OUTLINE.CORNER] or row[OUTLINE.CORNER_RADIUS] > 0.0:
                continue
            turn = angle_between(row[OUTLINE.FROM_X : OUTLINE.FROM_Y + 1], row[OUTLINE.TO_X : OUTLINE.TO_Y + 1])
            start = math.atan2(row[OUTLINE.FROM_Y], row[OUTLINE.FROM_X])
            near = shapely.intersection(solid, shapely.Point(vertex).buffer(step))
            points = shapely.get_coordinates(near)
            assert boundary.distance(shapely.Point(vertex)) < 1e-9
            for fraction in np.linspace(0.02, 0.98, 7).tolist():
                angle = start + fraction * turn
                normal = np.array((math.cos(angle), math.sin(angle)))
                assert not solid.contains(shapely.Point(vertex + step * normal))
                assert ((points - vertex) @ normal).max() < 0.05 * step
            if near.area > 1e-6 * step * step:
                # One step beyond the cone the solid is higher: no normal is missing.
                for angle in (start - 0.2, start + turn + 0.2):
                    normal = np.array((math.cos(angle), math.sin(angle)))
                    assert ((points - vertex) @ normal).max() > 0.05 * step
