"""The outline of a static piece among its neighbours: edges cut where they are covered, corners as they still are."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import PIECE, Pieces
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.shapes import PieceKind, outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.broadphase.seams import cover, free_sector, neighbours, seam_arrays as of_seam
from ecs_collide.step.broadphase.seams.seam_arrays import Out, PieceTrees, Scratch, SeamColumns

OUTLINE_KIND = int(PieceKind.OUTLINE)

CUT_REACH = 1.25
"""What lies at the end of a covered part is up to a tolerance away, and rounding must not decide whether it is."""


class SeamCorner(NamedTuple):
    """How the surface goes on before and behind a corner, and the cone of the corner's normals, if it is one."""

    is_touched: bool
    stop: float
    start: float
    is_corner: float
    from_x: float
    from_y: float
    to_x: float
    to_y: float


class Place(NamedTuple):
    """A point of an outline [m], and the normal of the edge that leaves it."""

    x: float
    y: float
    normal_x: float
    normal_y: float


@device
def corner_among(k, near, nearby_count, source, pieces, solids):
    """The k-th corner of piece 0; as its shape made it, from row `source` on, where no other body touches it."""
    stop = near.start[1]
    before = k - 1 if k > 0 else stop - 1
    sides, is_touched, count = near.sides, False, 0
    if not near.is_round[k]:
        count = free_sector.put_corner(solids, 0, sides, before, k)
        count, is_touched = free_sector.put_around(
            solids, count, sides[k, of_seam.X], sides[k, of_seam.Y], 1.0, near, nearby_count
        )
    in_x, in_y = sides[before, of_seam.ARRIVING_X], sides[before, of_seam.ARRIVING_Y]
    out_x, out_y = sides[k, of_seam.LEAVING_X], sides[k, of_seam.LEAVING_Y]
    if not is_touched:
        rows = pieces.outlines
        row = source + k
        return SeamCorner(
            False,
            rows[source + before, OUTLINE.STOP],
            rows[row, OUTLINE.START],
            rows[row, OUTLINE.CORNER],
            rows[row, OUTLINE.FROM_X],
            rows[row, OUTLINE.FROM_Y],
            rows[row, OUTLINE.TO_X],
            rows[row, OUTLINE.TO_Y],
        )
    if count == free_sector.EVERYTHING:
        return SeamCorner(True, of_outline.CONCAVE, of_outline.CONCAVE, 0.0, in_x, in_y, out_x, out_y)
    # the edges run along (-normal_y, normal_x); seen from the corner, the one that arrives leads back
    arriving = free_sector.free_gap(
        solids, count, in_y + free_sector.PROBE_ANGLE * in_x, -in_x + free_sector.PROBE_ANGLE * in_y
    )
    leaving = free_sector.free_gap(
        solids, count, -out_y + free_sector.PROBE_ANGLE * out_x, out_x + free_sector.PROBE_ANGLE * out_y
    )
    # away from the piece: the sum of the normals, or the way the edges point where that is nothing
    outward = free_sector.free_gap(solids, count, in_x + out_x - in_y + out_y, in_y + out_y + in_x - out_x)
    if outward.form != of_outline.CONVEX:
        return SeamCorner(True, arriving.form, leaving.form, 0.0, in_x, in_y, out_x, out_y)
    return SeamCorner(
        True, arriving.form, leaving.form, 1.0, -outward.from_y, outward.from_x, outward.to_y, -outward.to_x
    )


@device
def cut_among(x, y, k, near, nearby_count, solids):
    """How the surface goes on at both sides of a point (x, y) [m] at which edge k of piece 0 begins to be covered."""
    nx, ny = near.sides[k, of_seam.NORMAL_X], near.sides[k, of_seam.NORMAL_Y]
    count = free_sector.put_edge(solids, 0, -ny, nx, near.start[1] == 2)
    count, _ = free_sector.put_around(solids, count, x, y, CUT_REACH, near, nearby_count)
    if count == free_sector.EVERYTHING:
        return of_outline.CONCAVE, of_outline.CONCAVE
    arriving = free_sector.free_gap(
        solids, count, ny + free_sector.PROBE_ANGLE * nx, -nx + free_sector.PROBE_ANGLE * ny
    )
    leaving = free_sector.free_gap(solids, count, -ny + free_sector.PROBE_ANGLE * nx, nx + free_sector.PROBE_ANGLE * ny)
    return arriving.form, leaving.form


@device
def put_outline_row(out, at, place, edge, corner):
    """Write a corner and the edge that leaves it."""
    out.vertices[at, 0], out.vertices[at, 1] = place.x, place.y
    out.normals[at, 0], out.normals[at, 1] = place.normal_x, place.normal_y
    row = out.outlines[at]
    row[OUTLINE.EDGE], row[OUTLINE.START], row[OUTLINE.CORNER] = edge, corner.start, corner.is_corner
    row[OUTLINE.FROM_X], row[OUTLINE.FROM_Y] = corner.from_x, corner.from_y
    row[OUTLINE.TO_X], row[OUTLINE.TO_Y] = corner.to_x, corner.to_y


@device
def count_nearby(piece, x, y, near_count, bodies, pieces, trees, seams, near):
    """How many neighbours have to be looked at around a place [m]; where there are many, list those that reach it."""
    if near_count > neighbours.MANY:
        return neighbours.list_nearby(piece, x, y, near, near_count, bodies, pieces, trees, seams)
    return near_count - 1


@device
def write_outline(piece, near_count, bodies, pieces, trees, seams, scratch, at):
    """Write the outline of a piece, number 0 of scratch.near, to `scratch.out` from `at` on.

    Returns its number of corners, and whether it differs from what the shape gave the piece.
    """
    near, out, sides = scratch.near, scratch.out, scratch.near.sides
    row, is_changed, first_stop = at, False, of_outline.CONVEX
    source = seams.source[piece, of_seam.SOURCE_START]
    for k in range(near.start[1]):
        place = Place(sides[k, of_seam.X], sides[k, of_seam.Y], sides[k, of_seam.NORMAL_X], sides[k, of_seam.NORMAL_Y])
        nearby = count_nearby(piece, place.x, place.y, near_count, bodies, pieces, trees, seams, near)
        corner = corner_among(k, near, nearby, source, pieces, scratch.solids)
        is_changed = is_changed or corner.is_touched
        if k == 0:
            first_stop = corner.stop
        else:
            out.outlines[row - 1, OUTLINE.STOP] = corner.stop
        for field in range(OUTLINE.WIDTH):
            out.outlines[row, field] = pieces.outlines[source + k, field]
        edge = pieces.outlines[source + k, OUTLINE.EDGE]
        put_outline_row(out, row, place, edge, corner)
        row += 1
        if edge == of_outline.EXPOSED and near.edge[k] == of_seam.STRAIGHT:
            run_count = find_runs(k, place, near_count, scratch)
            for run in range(run_count):
                row = write_run(piece, k, place, run, near_count, bodies, pieces, trees, seams, scratch, row)
            is_changed = is_changed or run_count > 0
    out.outlines[row - 1, OUTLINE.STOP] = first_stop
    drop_hidden_corners(out.outlines, at, row)
    return row - at, is_changed


@device
def length_of(k, near):
    """The length of edge k of piece 0 [m]."""
    sides, following = near.sides, k + 1 if k + 1 < near.start[1] else 0
    dx, dy = sides[following, of_seam.X] - sides[k, of_seam.X], sides[following, of_seam.Y] - sides[k, of_seam.Y]
    return sqrt(dx * dx + dy * dy)


@device
def find_runs(k, place, near_count, scratch):
    """Find the covered parts of straight edge k of piece 0; return their number. Writes scratch.runs."""
    near = scratch.near
    return cover.cover_edge(
        place.x, place.y, -place.normal_y, place.normal_x, length_of(k, near), near, near_count, scratch.runs
    )


@device
def write_run(piece, k, place, run, near_count, bodies, pieces, trees, seams, scratch, row):
    """Cut edge k, whose last part stands before `row`, at the ends of a covered part; return the row after it."""
    near, out, runs = scratch.near, scratch.out, scratch.runs
    nx, ny, length = place.normal_x, place.normal_y, length_of(k, near)
    for end in range(2):
        along = runs.low[run] if end == 0 else runs.high[run]
        if 0.0 < along < length:
            cut = Place(place.x - ny * along, place.y + nx * along, nx, ny)
            nearby = count_nearby(piece, cut.x, cut.y, near_count, bodies, pieces, trees, seams, near)
            stop, start = cut_among(cut.x, cut.y, k, near, nearby, scratch.solids)
            out.outlines[row - 1, OUTLINE.STOP] = stop
            for field in range(OUTLINE.WIDTH):
                out.outlines[row, field] = 0.0
            put_outline_row(out, row, cut, of_outline.EXPOSED, SeamCorner(True, stop, start, 0.0, nx, ny, nx, ny))
            row += 1
        if end == 0:
            out.outlines[row - 1, OUTLINE.EDGE] = of_outline.HIDDEN
    return row


@device
def drop_hidden_corners(outlines, start, stop):
    """Leave corners between two covered edges to the pieces whose edges are exposed there."""
    before = stop - 1
    for row in range(start, stop):
        if outlines[row, OUTLINE.EDGE] == of_outline.HIDDEN and outlines[before, OUTLINE.EDGE] == of_outline.HIDDEN:
            outlines[row, OUTLINE.CORNER] = 0.0
        before = row


@device
def is_stored(piece, pieces, out, at, count):
    """Whether the outline in `out` is what the piece has already."""
    start = pieces.index[piece, PIECE.VERTEX_START]
    for k in range(count):
        for axis in range(2):
            if pieces.vertices[start + k, axis] != out.vertices[at + k, axis]:
                return False
            if pieces.normals[start + k, axis] != out.normals[at + k, axis]:
                return False
        for field in range(OUTLINE.WIDTH):
            if pieces.outlines[start + k, field] != out.outlines[at + k, field]:
                return False
    return True


@device
def store(start, pieces, out, at, count):
    """Copy an outline from `out` to where the pool has room for it."""
    for k in range(count):
        for axis in range(2):
            pieces.vertices[start + k, axis] = out.vertices[at + k, axis]
            pieces.normals[start + k, axis] = out.normals[at + k, axis]
        for field in range(OUTLINE.WIDTH):
            pieces.outlines[start + k, field] = out.outlines[at + k, field]


@stage
def build_outlines(
    rows: Ints,
    first: int,
    bodies: Bodies,
    pieces: Pieces,
    trees: PieceTrees,
    slop: float,
    parting_speed: float,
    seams: SeamColumns,
    scratch: Scratch,
):
    """Make the outlines of `rows`, from number `first` on, and list what changes.

    Returns (the number at which it stopped, changes, neighbours, their vertices, corners): where it stopped early,
    the last three are what the next piece needs room for; the changes so far must be taken first.
    Reads the bodies, piece_box, the trees, seam_source. Writes scratch.out, and into the vertex and outline pools where
    a piece keeps its number of corners.
    """
    near, out = scratch.near, scratch.out
    at, change_count = 0, 0
    for k in range(first, len(rows)):
        piece = rows[k]
        near_count, vertex_count = neighbours.gather(piece, bodies, pieces, trees, slop, parting_speed, seams, near)
        corner_count = seams.source[piece, of_seam.SOURCE_COUNT] * (2 * near_count - 1)
        if (
            near_count > len(near.row)
            or vertex_count > len(near.edge)
            or at + corner_count > len(out.vertices)
            or change_count == len(out.changes)
        ):
            return k, change_count, near_count, vertex_count, corner_count
        count, is_changed = 0, False
        if near_count > 1:
            count, is_changed = write_outline(piece, near_count, bodies, pieces, trees, seams, scratch, at)
        was_seamed = seams.state[piece] == of_seam.SEAMED
        change = out.changes[change_count]
        if not is_changed:
            if was_seamed:
                change[of_seam.ROW], change[of_seam.COUNT] = piece, of_seam.BACK
                change_count += 1
        elif not was_seamed or pieces.index[piece, PIECE.VERTEX_COUNT] != count:
            change[of_seam.ROW], change[of_seam.OUT_START], change[of_seam.COUNT] = piece, at, count
            change_count += 1
            at += count
        elif not is_stored(piece, pieces, out, at, count):
            store(pieces.index[piece, PIECE.VERTEX_START], pieces, out, at, count)
            change[of_seam.ROW], change[of_seam.COUNT] = piece, of_seam.IN_PLACE
            change_count += 1
    return len(rows), change_count, 0, 0, 0


@stage
def place_outlines(changes: IntTable, starts: Ints, pieces: Pieces, seams: SeamColumns, out: Out):
    """Carry out changes (c, 3): give each piece its stored outline, or what its shape made.

    Reads scratch.out. Writes piece_index, the pools, seam_state.
    """
    for k in range(len(changes)):
        piece, count = changes[k, of_seam.ROW], changes[k, of_seam.COUNT]
        if count == of_seam.BACK:
            seams.state[piece] = of_seam.PLAIN
            pieces.index[piece, PIECE.KIND] = seams.source[piece, of_seam.SOURCE_KIND]
            pieces.index[piece, PIECE.VERTEX_START] = seams.source[piece, of_seam.SOURCE_START]
            pieces.index[piece, PIECE.VERTEX_COUNT] = seams.source[piece, of_seam.SOURCE_COUNT]
        elif count != of_seam.IN_PLACE:
            seams.state[piece] = of_seam.SEAMED
            pieces.index[piece, PIECE.KIND] = OUTLINE_KIND
            pieces.index[piece, PIECE.VERTEX_START] = starts[k]
            pieces.index[piece, PIECE.VERTEX_COUNT] = count
            store(starts[k], pieces, out, changes[k, of_seam.OUT_START], count)
