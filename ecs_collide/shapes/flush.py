"""Edges that straight-edged parts of one body hide from each other.

A point of an edge with normal n is hidden by another piece if it is behind all edges of that piece. The limit to the
signed distance from each of these edges depends on its direction:

    | the other edge  | limit      | effect                                                               |
    |-----------------|------------|----------------------------------------------------------------------|
    | opposite        | tolerance  | sides that two parts share are hidden                                |
    | flush           | tolerance  | of two surfaces in one plane, only that of the first part stays      |
    | otherwise       | 0          | edges inside another part are hidden                                 |

A line covers only the parts of edges that lie along it.

The form of the surface where parts meet follows from the free directions there. Each piece takes a sector of them: its
corner, half of all directions along its edge, or all of them inside. A line takes single directions: one at its ends,
two between them. A gap of more than half a turn is convex, and one
of half a turn is flat. In a smaller gap no body can touch the corner first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ecs_collide.geometry.angles import angle_of
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.corner_normals import ANGLE_TOLERANCE
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.shapes.piece import FloatArray, Piece, PieceKind, bounds
from ecs_collide.shapes.simple import TOLERANCE

PROBE = 2.0 * ANGLE_TOLERANCE
"""Angle beside an edge at which its gap is looked up [rad]."""

PARALLEL = 0.9999
"""Cosine of the angle up to which two edges face the same way."""

WHOLE = 2.0 * math.pi
"""Full turn [rad]."""


class SolidSector(NamedTuple):
    """The directions in which a piece is solid: from `first` counter-clockwise to `last`, unit vectors."""

    first: FloatArray
    last: FloatArray


class FreeGap(NamedTuple):
    """A range of free directions, counter-clockwise."""

    form: float
    """CONVEX, FLAT or CONCAVE."""
    first: FloatArray
    """Unit vector at which the gap begins."""
    last: FloatArray
    """Unit vector at which the gap ends."""


class Surroundings(NamedTuple):
    """The pieces near one piece."""

    numbers: list[int]
    """Numbers of the pieces in the body."""
    pieces: list[Piece]
    """Pieces, in the same order."""
    is_foreign: list[bool]
    """True for pieces of another part."""
    tolerance: float
    """Distance within which surfaces are flush [m]."""


def hide_covered_edges(parts: Sequence[Sequence[Piece]]) -> tuple[Piece, ...]:
    """Return the pieces of all parts, with edges hidden that other parts cover.

    Only parts with straight edges and no radius take part.
    """
    pieces = [piece for part in parts for piece in part]
    owners = [number for number, part in enumerate(parts) for _ in part]
    straight = {number for number, part in enumerate(parts) if all(map(_is_straight, part))}
    rows = [row for row, owner in enumerate(owners) if owner in straight]
    if len(straight) < 2:
        return tuple(pieces)
    boxes = np.array([bounds(pieces[row]) for row in rows])
    low, high = boxes[:, 0], boxes[:, 1]
    tolerance = TOLERANCE * math.hypot(*(high.max(axis=0) - low.min(axis=0)))
    result = list(pieces)
    for number, row in enumerate(rows):
        is_near = ((low <= high[number] + tolerance) & (high >= low[number] - tolerance)).all(axis=1)
        near = [rows[k] for k in np.flatnonzero(is_near)]
        is_foreign = [owners[other] != owners[row] for other in near]
        if any(is_foreign):
            result[row] = _hide_covered_parts(
                row,
                Surroundings(
                    numbers=near, pieces=[pieces[k] for k in near], is_foreign=is_foreign, tolerance=tolerance
                ),
                pieces[row],
            )
    return tuple(result)


def _is_straight(piece: Piece) -> bool:
    """Return True if a piece is a polygon or a line without arcs and radius."""
    rounding = piece.outline[:, [OUTLINE.CORNER_RADIUS, OUTLINE.ARC_RADIUS]]
    return len(piece.vertices) > 1 and piece.radius == 0.0 and not rounding.any()


class OutlineCorner(NamedTuple):
    """A corner of a piece, with the edge that leaves it."""

    vertex: FloatArray
    normal: FloatArray
    row: FloatArray
    """Outline row."""


def _hide_covered_parts(number: int, place: Surroundings, piece: Piece) -> Piece:
    """Return a piece with its covered edges hidden, or the piece itself if no other part touches it.

    The argument `number` is the number of the piece in its body.
    """
    corners: list[OutlineCorner] = []
    is_changed = False
    count = len(piece.vertices)
    for k in range(count):
        corner = OutlineCorner(piece.vertices[k], piece.normals[k], piece.outline[k].copy())
        stop_before = piece.outline[k - 1, OUTLINE.STOP]
        sectors, is_touched = _find_solid_sectors(corner.vertex, place)
        if is_touched:
            is_changed = True
            stop_before = _update_corner(sectors, piece.normals[k - 1], corner.normal, corner.row)
        if corners:
            corners[-1].row[OUTLINE.STOP] = stop_before
        else:
            first_stop = stop_before
        corners.append(corner)
        if corner.row[OUTLINE.EDGE] == of_outline.EXPOSED:
            along = piece.vertices[(k + 1) % count] - corner.vertex
            runs = _find_covered_runs(number, corner.vertex, corner.normal, math.hypot(*along), place)
            _hide_runs(runs, along, place, corners)
            is_changed = is_changed or len(runs) > 0
    if not is_changed:
        return piece
    corners[-1].row[OUTLINE.STOP] = first_stop
    vertices, normals, outline = map(np.array, zip(*corners, strict=True))
    is_covered = outline[:, OUTLINE.EDGE] == of_outline.HIDDEN
    outline[is_covered & np.roll(is_covered, 1), OUTLINE.CORNER] = 0.0
    return piece._replace(kind=PieceKind.OUTLINE, vertices=vertices, normals=normals, outline=outline)


def _hide_runs(
    runs: list[tuple[float, float]], along: FloatArray, place: Surroundings, corners: list[OutlineCorner]
) -> None:
    """Hide covered runs [m] of the edge `along` [m] that leaves the last of `corners`; append a corner at each end."""
    start, normal, _ = corners[-1]
    length = math.hypot(*along)
    for low, high in runs:
        for at, state in ((low, of_outline.HIDDEN), (high, of_outline.EXPOSED)):
            if 0.0 < at < length:
                cut = OutlineCorner(start + at / length * along, normal, np.zeros(OUTLINE.WIDTH))
                sectors, _ = _find_solid_sectors(cut.vertex, place)
                corners[-1].row[OUTLINE.STOP] = _update_corner(sectors, normal, normal, cut.row)
                cut.row[OUTLINE.CORNER] = 0.0
                corners.append(cut)
            if at < length:
                corners[-1].row[OUTLINE.EDGE] = state


def _find_covered_runs(
    number: int, start: FloatArray, normal: FloatArray, length: float, place: Surroundings
) -> list[tuple[float, float]]:
    """Return the parts (low, high) [m] of an edge that pieces of other parts cover, sorted and disjoint."""
    runs = []
    for other, piece, is_foreign in zip(place.numbers, place.pieces, place.is_foreign, strict=True):
        if is_foreign:
            low, high = _find_part_behind(start, normal, length, piece, other < number, place.tolerance)
            low = 0.0 if low <= place.tolerance else low
            high = length if high >= length - place.tolerance else high
            if high - low > place.tolerance:
                runs.append((low, high))
    joined: list[tuple[float, float]] = []
    for low, high in sorted(runs):
        if joined and low <= joined[-1][1] + place.tolerance:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def _find_part_behind(
    start: FloatArray, normal: FloatArray, length: float, piece: Piece, yields: bool, tolerance: float
) -> tuple[float, float]:
    """Return the part (low, high) [m] of an edge that a piece covers, empty if high <= low.

    If `yields` is True and the edge is flush with an edge of the piece, the edge of the piece stays. The back of a
    one-sided line covers nothing that faces the same way.
    """
    if _is_one_sided(piece) and float((piece.normals[-1] * normal).sum()) > PARALLEL:
        return 0.0, 0.0
    low, high = 0.0, length
    along = np.array([-normal[1], normal[0]])
    for at, other in zip(piece.vertices, piece.normals, strict=True):
        distance = float((other * (start - at)).sum())
        rate = float((other * along).sum())
        if abs(rate) * length <= tolerance:
            is_facing = float((other * normal).sum()) < 0.0
            limit = tolerance if is_facing or yields else -tolerance
            if distance > limit:
                return 0.0, 0.0
        elif rate > 0.0:
            high = min(high, -distance / rate)
        else:
            low = max(low, -distance / rate)
    if _is_line(piece):
        ends = ((piece.vertices - start) * along).sum(axis=1)
        low, high = max(low, float(ends.min())), min(high, float(ends.max()))
    return low, high


def _is_line(piece: Piece) -> bool:
    """Return True if a piece has no thickness."""
    return len(piece.vertices) == 2


def _is_one_sided(piece: Piece) -> bool:
    """Return True if a piece is a one-sided line."""
    return bool(piece.outline[-1, OUTLINE.EDGE] == of_outline.BACK)


def _find_solid_sectors(point: FloatArray, place: Surroundings) -> tuple[list[SolidSector] | None, bool]:
    """Return the solid sectors around a point, and True if a piece of another part is there.

    The sectors are None if the point is inside a piece.
    """
    sectors = []
    is_touched = is_buried = False
    for piece, is_foreign in zip(place.pieces, place.is_foreign, strict=True):
        if _is_line(piece):
            directions = _directions_along(piece, point, place.tolerance)
            if directions and _is_one_sided(piece):
                sectors.append(_sector_behind(piece.normals[1], directions))
            else:
                sectors += [SolidSector(direction, direction) for direction in directions]
            is_touched = is_touched or (is_foreign and len(directions) > 0)
            continue
        depths = (piece.normals * (point - piece.vertices)).sum(axis=1)
        if depths.max() > place.tolerance:
            continue
        is_touched = is_touched or is_foreign
        active = [k for k in range(len(depths)) if depths[k] >= -place.tolerance]
        if not active:
            is_buried = True
            continue
        # The edges through the point are consecutive: the last of them leaves it.
        leaving = next(k for k in active if (k + 1) % len(depths) not in active)
        arriving = next(k for k in active if (k - 1) % len(depths) not in active)
        (out_x, out_y), (in_x, in_y) = piece.normals[leaving], piece.normals[arriving]
        sectors.append(SolidSector(np.array([-out_y, out_x]), np.array([in_y, -in_x])))
    return (None if is_buried else sectors), is_touched


def _sector_behind(back: FloatArray, directions: list[FloatArray]) -> SolidSector:
    """Return the directions behind a one-sided line: half of all, or a quarter at an end of the line."""
    forward = np.array([back[1], -back[0]])
    if len(directions) == 2:
        return SolidSector(forward, -forward)
    return SolidSector(forward, back) if (directions[0] * forward).sum() > 0.0 else SolidSector(back, -forward)


def _directions_along(line: Piece, point: FloatArray, tolerance: float) -> list[FloatArray]:
    """Return the unit vectors from a point on a line to its ends: two, one at an end, none beside the line."""
    if abs(float((line.normals[0] * (point - line.vertices[0])).sum())) > tolerance:
        return []
    x, y = line.normals[0]
    along = np.array([-y, x])
    to_start, to_stop = ((line.vertices - point) * along).sum(axis=1).tolist()
    if to_start > tolerance or to_stop < -tolerance:
        return []
    return [sign * along for sign, way in ((-1.0, -to_start), (1.0, to_stop)) if way > tolerance]


def _update_corner(sectors: list[SolidSector] | None, before: FloatArray, after: FloatArray, row: FloatArray) -> float:
    """Write the corner between two edge normals, among solid sectors, to an outline row.

    Returns the form of the surface before the corner.
    """
    row[OUTLINE.CORNER] = 0.0
    if sectors is None:
        row[OUTLINE.START] = of_outline.CONCAVE
        return of_outline.CONCAVE
    (in_x, in_y), (out_x, out_y) = before, after
    arriving = _find_free_gap(sectors, in_y + PROBE * in_x, -in_x + PROBE * in_y)
    leaving = _find_free_gap(sectors, -out_y + PROBE * out_x, out_x + PROBE * out_y)
    outward = _find_free_gap(sectors, in_x + out_x - in_y + out_y, in_y + out_y + in_x - out_x)
    row[OUTLINE.START] = leaving.form
    is_convex = outward.form == of_outline.CONVEX
    if is_convex or (before + after == 0.0).all():  # a line keeps the surfaces that join its end
        row[OUTLINE.CORNER] = 1.0 if is_convex else 0.0
        row[OUTLINE.FROM_X], row[OUTLINE.FROM_Y] = -outward.first[1], outward.first[0]
        row[OUTLINE.TO_X], row[OUTLINE.TO_Y] = outward.last[1], -outward.last[0]
    return arriving.form


def _find_free_gap(sectors: Sequence[SolidSector], x: float, y: float) -> FreeGap:
    """Return the gap that contains the direction (x, y); the gap is concave if that direction is solid."""
    here = angle_of(x, y)
    ahead, behind = WHOLE, WHOLE
    first = last = sectors[0]
    for sector in sectors:
        begin, end = (angle_of(direction[0], direction[1]) for direction in sector)
        to_begin, from_end = (begin - here) % WHOLE, (here - end) % WHOLE
        if to_begin + from_end > 1.25 * WHOLE or (here - begin) % WHOLE <= (end - begin) % WHOLE:
            return FreeGap(of_outline.CONCAVE, sector.first, sector.last)
        if to_begin < ahead:
            ahead, first = to_begin, sector
        if from_end < behind:
            behind, last = from_end, sector
    free = ahead + behind - math.pi
    form = of_outline.CONVEX if free > ANGLE_TOLERANCE else of_outline.FLAT
    return FreeGap(form if free >= -ANGLE_TOLERANCE else of_outline.CONCAVE, last.last, first.first)
