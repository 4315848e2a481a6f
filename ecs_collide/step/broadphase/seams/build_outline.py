"""The outline of a piece among its neighbours: covered edges are cut, and corners keep their free normals."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import PIECE, Pieces
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes import PieceKind, outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.broadphase.seams import cover, free_sector, neighbours, seam_arrays as of_seam
from ecs_collide.step.broadphase.seams.seam_arrays import CHANGE, SIDE, SOURCE, Out, PieceTrees, Scratch, SeamColumns

OUTLINE_KIND = int(PieceKind.OUTLINE)

CUT_REACH = 1.25
"""Distance within which pieces touch the end of a covered interval, in tolerances. The excess absorbs rounding."""


class SeamCorner(NamedTuple):
    """The state of the surface before and after a corner, and the cone of the corner's normals, if it is one."""

    is_touched: bool
    stop: float
    start: float
    is_corner: float
    from_x: float
    from_y: float
    to_x: float
    to_y: float


class Place(NamedTuple):
    """A point of an outline [m], and the normal of the edge that starts there."""

    x: float
    y: float
    normal_x: float
    normal_y: float


class Subject(NamedTuple):
    """The piece whose outline is made, number 0 of the neighbours, and their number, itself included."""

    piece: int
    near_count: int


@device
def no_corner(stop, start, from_x, from_y, to_x, to_y):
    """Return the states of the surface at a point that other pieces touch, and that is no corner of its own."""
    return SeamCorner(
        is_touched=True, stop=stop, start=start, is_corner=0.0, from_x=from_x, from_y=from_y, to_x=to_x, to_y=to_y
    )


@device
def corner_among(k, near, nearby_count, source, pieces, solids):
    """Return the k-th corner of piece 0; if no other body touches it, as its shape made it from row `source` on."""
    stop = near.start[1]
    before = k - 1 if k > 0 else stop - 1
    sides, is_touched, count = near.sides, False, 0
    if not near.is_round[k]:
        count = free_sector.add_corner_sector(solids, 0, sides, before, k)
        count, is_touched = free_sector.add_sectors_around(
            solids, count, sides[k, SIDE.X], sides[k, SIDE.Y], 1.0, near, nearby_count
        )
    in_x, in_y = sides[before, SIDE.ARRIVING_X], sides[before, SIDE.ARRIVING_Y]
    out_x, out_y = sides[k, SIDE.LEAVING_X], sides[k, SIDE.LEAVING_Y]
    if not is_touched:
        rows = pieces.outlines
        row = source + k
        return SeamCorner(
            is_touched=False,
            stop=rows[source + before, OUTLINE.STOP],
            start=rows[row, OUTLINE.START],
            is_corner=rows[row, OUTLINE.CORNER],
            from_x=rows[row, OUTLINE.FROM_X],
            from_y=rows[row, OUTLINE.FROM_Y],
            to_x=rows[row, OUTLINE.TO_X],
            to_y=rows[row, OUTLINE.TO_Y],
        )
    if count == free_sector.EVERYTHING:
        return no_corner(of_outline.CONCAVE, of_outline.CONCAVE, in_x, in_y, out_x, out_y)
    # edges run along (-normal_y, normal_x); from the corner, the arriving edge leads backwards
    arriving = free_sector.free_gap(
        solids, count, in_y + free_sector.PROBE_ANGLE * in_x, -in_x + free_sector.PROBE_ANGLE * in_y
    )
    leaving = free_sector.free_gap(
        solids, count, -out_y + free_sector.PROBE_ANGLE * out_x, out_x + free_sector.PROBE_ANGLE * out_y
    )
    # away from the piece: the sum of the normals plus the arriving edge's direction less the leaving edge's
    outward = free_sector.free_gap(solids, count, in_x + out_x - in_y + out_y, in_y + out_y + in_x - out_x)
    is_convex = outward.form == of_outline.CONVEX
    # a line remembers the surfaces around its end even if the end gives no contact, see narrowphase/joined_ends.py
    is_joined_line = stop == 2 and (outward.from_x != 0.0 or outward.from_y != 0.0)
    if not (is_convex or is_joined_line):
        return no_corner(arriving.form, leaving.form, in_x, in_y, out_x, out_y)
    return SeamCorner(
        is_touched=True,
        stop=arriving.form,
        start=leaving.form,
        is_corner=1.0 if is_convex else 0.0,
        from_x=-outward.from_y,
        from_y=outward.from_x,
        to_x=outward.to_y,
        to_y=-outward.to_x,
    )


@device
def cut_among(x, y, k, near, nearby_count, solids):
    """Return the states of the surface on both sides of a point (x, y) [m] where edge k of piece 0 becomes covered."""
    nx, ny = near.sides[k, SIDE.NORMAL_X], near.sides[k, SIDE.NORMAL_Y]
    is_thin = near.start[1] == 2 and near.edge[1] != of_seam.LINE_BACK
    count = free_sector.add_edge_sectors(solids, 0, -ny, nx, is_thin)
    count, _ = free_sector.add_sectors_around(solids, count, x, y, CUT_REACH, near, nearby_count)
    if count == free_sector.EVERYTHING:
        return of_outline.CONCAVE, of_outline.CONCAVE
    arriving = free_sector.free_gap(
        solids, count, ny + free_sector.PROBE_ANGLE * nx, -nx + free_sector.PROBE_ANGLE * ny
    )
    leaving = free_sector.free_gap(solids, count, -ny + free_sector.PROBE_ANGLE * nx, nx + free_sector.PROBE_ANGLE * ny)
    return arriving.form, leaving.form


@device
def put_outline_row(out, at, place, edge, corner):
    """Write a corner and the edge that starts there."""
    out.vertices[at, X], out.vertices[at, Y] = place.x, place.y
    out.normals[at, X], out.normals[at, Y] = place.normal_x, place.normal_y
    row = out.outlines[at]
    row[OUTLINE.EDGE], row[OUTLINE.START], row[OUTLINE.CORNER] = edge, corner.start, corner.is_corner
    row[OUTLINE.FROM_X], row[OUTLINE.FROM_Y] = corner.from_x, corner.from_y
    row[OUTLINE.TO_X], row[OUTLINE.TO_Y] = corner.to_x, corner.to_y


@device
def count_nearby(subject, x, y, bodies, pieces, trees, seams, near):
    """Return the number of neighbours to test around a point [m]; list those that reach it if there are many."""
    if subject.near_count > neighbours.MANY:
        return neighbours.find_nearby(subject.piece, x, y, near, subject.near_count, bodies, pieces, trees, seams)
    return subject.near_count - 1


@device
def write_outline(subject, bodies, pieces, trees, seams, scratch, at):
    """Write the outline of a piece to `scratch.out` from `at` on.

    Returns its number of corners, and True if it differs from the outline that the shape made.
    """
    near, out, sides = scratch.near, scratch.out, scratch.near.sides
    row, is_changed, first_stop = at, False, of_outline.CONVEX
    source = seams.source[subject.piece, SOURCE.START]
    for k in range(near.start[1]):
        place = Place(
            x=sides[k, SIDE.X], y=sides[k, SIDE.Y], normal_x=sides[k, SIDE.NORMAL_X], normal_y=sides[k, SIDE.NORMAL_Y]
        )
        nearby = count_nearby(subject, place.x, place.y, bodies, pieces, trees, seams, near)
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
            run_count = find_runs(k, place, subject.near_count, scratch)
            for run in range(run_count):
                row = write_run(subject, k, place, run, bodies, pieces, trees, seams, scratch, row)
            is_changed = is_changed or run_count > 0
    out.outlines[row - 1, OUTLINE.STOP] = first_stop
    drop_hidden_corners(out.outlines, at, row)
    return row - at, is_changed


@device
def length_of(k, near):
    """Return the length of edge k of piece 0 [m]."""
    sides, following = near.sides, k + 1 if k + 1 < near.start[1] else 0
    dx, dy = sides[following, SIDE.X] - sides[k, SIDE.X], sides[following, SIDE.Y] - sides[k, SIDE.Y]
    return sqrt(dx * dx + dy * dy)


@device
def find_runs(k, place, near_count, scratch):
    """Find the covered intervals of straight edge k of piece 0; return their number. Writes scratch.runs."""
    near = scratch.near
    return cover.cover_edge(
        place.x, place.y, -place.normal_y, place.normal_x, length_of(k, near), near, near_count, scratch.runs
    )


@device
def write_run(subject, k, place, run, bodies, pieces, trees, seams, scratch, row):
    """Cut edge k, whose last part stands before `row`, at the ends of a covered interval; return the row after it."""
    near, out, runs = scratch.near, scratch.out, scratch.runs
    nx, ny, length = place.normal_x, place.normal_y, length_of(k, near)
    for end in range(2):
        along = runs.low[run] if end == 0 else runs.high[run]
        if 0.0 < along < length:
            cut = Place(x=place.x - ny * along, y=place.y + nx * along, normal_x=nx, normal_y=ny)
            nearby = count_nearby(subject, cut.x, cut.y, bodies, pieces, trees, seams, near)
            stop, start = cut_among(cut.x, cut.y, k, near, nearby, scratch.solids)
            out.outlines[row - 1, OUTLINE.STOP] = stop
            for field in range(OUTLINE.WIDTH):
                out.outlines[row, field] = 0.0
            put_outline_row(out, row, cut, of_outline.EXPOSED, no_corner(stop, start, nx, ny, nx, ny))
            row += 1
        if end == 0:
            out.outlines[row - 1, OUTLINE.EDGE] = of_outline.HIDDEN
    return row


@device
def drop_hidden_corners(outlines, start, stop):
    """Disable corners between two covered edges; the pieces whose edges are exposed there have them."""
    before = stop - 1
    for row in range(start, stop):
        if outlines[row, OUTLINE.EDGE] == of_outline.HIDDEN and outlines[before, OUTLINE.EDGE] == of_outline.HIDDEN:
            outlines[row, OUTLINE.CORNER] = 0.0
        before = row


@device
def is_stored(piece, pieces, out, at, count):
    """Return True if a piece already has the outline in `out`."""
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
    """Copy an outline from `out` to the pools, from `start` on."""
    for k in range(count):
        for axis in range(2):
            pieces.vertices[start + k, axis] = out.vertices[at + k, axis]
            pieces.normals[start + k, axis] = out.normals[at + k, axis]
        for field in range(OUTLINE.WIDTH):
            pieces.outlines[start + k, field] = out.outlines[at + k, field]


@kernel
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
    """Make the outlines of `rows`, from number `first` on, and list the changes.

    Returns a number above 0 if it stopped early or anything changed, the number at which it stopped, and the numbers of
    changes, neighbours, their vertices, and corners. If it stopped early, the last three are the room that the next
    piece needs, and the caller must take the changes first.
    Reads the bodies, piece_box, the trees, seam_source. Writes scratch.out, and the pools where a piece keeps its
    number of corners.
    """
    near, out = scratch.near, scratch.out
    at, change_count = 0, 0
    for k in range(first, len(rows)):
        piece = rows[k]
        near_count, vertex_count = neighbours.gather_neighbours(
            piece, bodies, pieces, trees, slop, parting_speed, seams, near
        )
        corner_count = seams.source[piece, SOURCE.COUNT] * (2 * near_count - 1)
        if (
            near_count > len(near.row)
            or vertex_count > len(near.edge)
            or at + corner_count > len(out.vertices)
            or change_count == len(out.changes)
        ):
            return len(rows) - k, k, change_count, near_count, vertex_count, corner_count
        count, is_changed = 0, False
        if near_count > 1:
            count, is_changed = write_outline(Subject(piece, near_count), bodies, pieces, trees, seams, scratch, at)
        was_seamed = seams.state[piece] == of_seam.SEAMED
        change = out.changes[change_count]
        if not is_changed:
            if was_seamed:
                change[CHANGE.ROW], change[CHANGE.COUNT] = piece, of_seam.BACK
                change_count += 1
        elif not was_seamed or pieces.index[piece, PIECE.VERTEX_COUNT] != count:
            change[CHANGE.ROW], change[CHANGE.OUT_START], change[CHANGE.COUNT] = piece, at, count
            change_count += 1
            at += count
        elif not is_stored(piece, pieces, out, at, count):
            store(pieces.index[piece, PIECE.VERTEX_START], pieces, out, at, count)
            change[CHANGE.ROW], change[CHANGE.COUNT] = piece, of_seam.IN_PLACE
            change_count += 1
    return change_count, len(rows), change_count, 0, 0, 0


@kernel
def place_outlines(changes: IntTable, starts: Ints, pieces: Pieces, seams: SeamColumns, out: Out):
    """Apply changes (c, 3): give each piece its stored outline, or the one that its shape made.

    Reads scratch.out. Writes piece_index, the pools, seam_state.
    """
    for k in range(len(changes)):
        piece, count = changes[k, CHANGE.ROW], changes[k, CHANGE.COUNT]
        if count == of_seam.BACK:
            seams.state[piece] = of_seam.PLAIN
            pieces.index[piece, PIECE.KIND] = seams.source[piece, SOURCE.KIND]
            pieces.index[piece, PIECE.VERTEX_START] = seams.source[piece, SOURCE.START]
            pieces.index[piece, PIECE.VERTEX_COUNT] = seams.source[piece, SOURCE.COUNT]
        elif count != of_seam.IN_PLACE:
            seams.state[piece] = of_seam.SEAMED
            pieces.index[piece, PIECE.KIND] = OUTLINE_KIND
            pieces.index[piece, PIECE.VERTEX_START] = starts[k]
            pieces.index[piece, PIECE.VERTEX_COUNT] = count
            store(starts[k], pieces, out, changes[k, CHANGE.OUT_START], count)
