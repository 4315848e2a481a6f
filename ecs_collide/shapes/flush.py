"""What straight-edged parts of one body cover of each other.

A point of an edge with normal n is covered by another piece where it is behind all edges of that piece, with a limit of
its own to the signed distance from each:

    | the other edge  | limit      | so that                                                              |
    |-----------------|------------|----------------------------------------------------------------------|
    | faces it        | tolerance  | sides that two parts share go                                        |
    | flush with it   | tolerance  | of surfaces in one plane that of the first part stays, for the others |
    | otherwise       | 0          | what is inside another part goes                                     |

How the surface goes on where parts meet follows from the free directions there. Each piece takes a sector of them: its
corner, or half of all along its edge, or everything inside. A gap of more than half a turn is convex, of half a turn
flat. Nothing that touches a corner in a lesser one can touch the corner first.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ecs_collide.geometry.angles import angle_of
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.corner_normals import ANGLE_TOLERANCE
from ecs_collide.shapes.piece import FloatArray, Piece, PieceKind, bounds
from ecs_collide.shapes.simple import TOLERANCE

PROBE = 2.0 * ANGLE_TOLERANCE
"""How far beside an edge its gap is looked for [rad]."""

WHOLE = 2.0 * math.pi


class SolidSector(NamedTuple):
    """The directions from `first` to `last`, unit vectors, counter-clockwise, in which a piece is solid."""

    first: FloatArray
    last: FloatArray


class FreeGap(NamedTuple):
    """Free directions: CONVEX, FLAT or CONCAVE, and where they begin and end, counter-clockwise."""

    form: float
    first: FloatArray
    last: FloatArray


class Surroundings(NamedTuple):
    """The pieces around one: their number in the body, each; `is_foreign` where they are of another part."""

    numbers: list[int]
    pieces: list[Piece]
    is_foreign: list[bool]
    tolerance: float


def covered_by_each_other(parts: Sequence[Sequence[Piece]]) -> tuple[Piece, ...]:
    """Return the pieces of all parts; those of straight parts without a radius know what other such parts cover."""
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
            result[row] = _covered(
                row, Surroundings(near, [pieces[k] for k in near], is_foreign, tolerance), pieces[row]
            )
    return tuple(result)


def _is_straight(piece: Piece) -> bool:
    """Whether a piece is a polygon without arcs and radius."""
    rounding = piece.outline[:, [of_outline.CORNER_RADIUS, of_outline.ARC_RADIUS]]
    return len(piece.vertices) > 2 and piece.radius == 0.0 and not rounding.any()


def _covered(number: int, place: Surroundings, piece: Piece) -> Piece:
    """Return a piece, number `number` of its body, without what is covered; itself if no other part touches it."""
    vertices: list[FloatArray] = []
    normals: list[FloatArray] = []
    rows: list[FloatArray] = []
    is_changed = False
    count = len(piece.vertices)
    for k in range(count):
        start, normal, row = piece.vertices[k], piece.normals[k], piece.outline[k].copy()
        stop_before = piece.outline[k - 1, of_outline.STOP]
        sectors, is_touched = _solid_around(start, place)
        if is_touched:
            is_changed = True
            stop_before = _corner_among(sectors, piece.normals[k - 1], normal, row)
        if rows:
            rows[-1][of_outline.STOP] = stop_before
        else:
            first_stop = stop_before
        vertices.append(start)
        normals.append(normal)
        rows.append(row)
        if row[of_outline.EDGE] != of_outline.EXPOSED:
            continue
        along = piece.vertices[(k + 1) % count] - start
        length = math.hypot(*along)
        for low, high in _covered_runs(number, start, normal, length, place):
            is_changed = True
            for at, state in ((low, of_outline.COVERED), (high, of_outline.EXPOSED)):
                if 0.0 < at < length:
                    cut = start + at / length * along
                    cut_row = np.zeros(of_outline.OUTLINE_WIDTH)
                    sectors, _ = _solid_around(cut, place)
                    rows[-1][of_outline.STOP] = _corner_among(sectors, normal, normal, cut_row)
                    cut_row[of_outline.CORNER] = 0.0
                    vertices.append(cut)
                    normals.append(normal)
                    rows.append(cut_row)
                if at < length:
                    rows[-1][of_outline.EDGE] = state
    if not is_changed:
        return piece
    rows[-1][of_outline.STOP] = first_stop
    outline = np.array(rows)
    is_covered = outline[:, of_outline.EDGE] == of_outline.COVERED
    outline[is_covered & np.roll(is_covered, 1), of_outline.CORNER] = 0.0
    return Piece(PieceKind.OUTLINE, np.array(vertices), np.array(normals), 0.0, outline)


def _covered_runs(
    number: int, start: FloatArray, normal: FloatArray, length: float, place: Surroundings
) -> list[tuple[float, float]]:
    """Return the parts (low, high) [m] of an edge that pieces of other parts cover, in order and apart."""
    runs = []
    for other, piece, is_foreign in zip(place.numbers, place.pieces, place.is_foreign, strict=True):
        if is_foreign:
            low, high = _part_behind(start, normal, length, piece, other < number, place.tolerance)
            low, high = (0.0 if low <= place.tolerance else low), (length if high >= length - place.tolerance else high)
            if high - low > place.tolerance:
                runs.append((low, high))
    joined: list[tuple[float, float]] = []
    for low, high in sorted(runs):
        if joined and low <= joined[-1][1] + place.tolerance:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def _part_behind(
    start: FloatArray, normal: FloatArray, length: float, piece: Piece, yields: bool, tolerance: float
) -> tuple[float, float]:
    """Return the part (low, high) [m] of an edge that a piece covers, empty where high <= low.

    `yields`: where the edge is flush with one of the piece, it is the piece's that stays.
    """
    low, high = 0.0, length
    along = np.array([-normal[1], normal[0]])
    for at, other in zip(piece.vertices, piece.normals, strict=True):
        distance, rate = float((other * (start - at)).sum()), float((other * along).sum())
        if abs(rate) * length <= tolerance:
            is_facing = float((other * normal).sum()) < 0.0
            limit = tolerance if is_facing or yields else -tolerance
            if distance > limit:
                return 0.0, 0.0
        elif rate > 0.0:
            high = min(high, -distance / rate)
        else:
            low = max(low, -distance / rate)
    return low, high


def _solid_around(point: FloatArray, place: Surroundings) -> tuple[list[SolidSector] | None, bool]:
    """Return the solid sectors around a point, None where it is inside, and whether another part is there."""
    sectors = []
    is_touched = is_buried = False
    for piece, is_foreign in zip(place.pieces, place.is_foreign, strict=True):
        depths = (piece.normals * (point - piece.vertices)).sum(axis=1)
        if depths.max() > place.tolerance:
            continue
        is_touched = is_touched or is_foreign
        active = [k for k in range(len(depths)) if depths[k] >= -place.tolerance]
        if not active:
            is_buried = True
            continue
        # the edges that pass the point follow each other: the last of them leaves it
        leaving = next(k for k in active if (k + 1) % len(depths) not in active)
        arriving = next(k for k in active if (k - 1) % len(depths) not in active)
        (out_x, out_y), (in_x, in_y) = piece.normals[leaving], piece.normals[arriving]
        sectors.append(SolidSector(np.array([-out_y, out_x]), np.array([in_y, -in_x])))
    return (None if is_buried else sectors), is_touched


def _corner_among(sectors: list[SolidSector] | None, before: FloatArray, after: FloatArray, row: FloatArray) -> float:
    """Write what a corner between two edge normals is among the solid sectors there; return the `STOP` before it."""
    row[of_outline.CORNER] = 0.0
    if sectors is None:
        row[of_outline.START] = of_outline.CONCAVE
        return of_outline.CONCAVE
    (in_x, in_y), (out_x, out_y) = before, after
    arriving = _free_gap(sectors, in_y + PROBE * in_x, -in_x + PROBE * in_y)
    leaving = _free_gap(sectors, -out_y + PROBE * out_x, out_x + PROBE * out_y)
    outward = _free_gap(sectors, in_x + out_x - in_y + out_y, in_y + out_y + in_x - out_x)
    row[of_outline.START] = leaving.form
    if outward.form == of_outline.CONVEX:
        row[of_outline.CORNER] = 1.0
        row[of_outline.FROM_X], row[of_outline.FROM_Y] = -outward.first[1], outward.first[0]
        row[of_outline.TO_X], row[of_outline.TO_Y] = outward.last[1], -outward.last[0]
    return arriving.form


def _free_gap(sectors: Sequence[SolidSector], x: float, y: float) -> FreeGap:
    """Return the gap in which the direction (x, y) lies, concave where that is solid itself."""
    here = angle_of(x, y)
    ahead, behind = WHOLE, WHOLE
    first = last = sectors[0]
    for sector in sectors:
        begin, end = (angle_of(direction[0], direction[1]) for direction in sector)
        to_begin, from_end = (begin - here) % WHOLE, (here - end) % WHOLE
        if to_begin + from_end > WHOLE - 1e-12 or (here - begin) % WHOLE <= (end - begin) % WHOLE:
            return FreeGap(of_outline.CONCAVE, sector.first, sector.last)
        if to_begin < ahead:
            ahead, first = to_begin, sector
        if from_end < behind:
            behind, last = from_end, sector
    free = ahead + behind - math.pi
    form = of_outline.CONVEX if free > ANGLE_TOLERANCE else of_outline.FLAT
    return FreeGap(form if free >= -ANGLE_TOLERANCE else of_outline.CONCAVE, last.last, first.first)
