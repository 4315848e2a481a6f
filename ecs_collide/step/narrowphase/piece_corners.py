"""The corners and edges of any bounded piece, for the outline kernels.

A circle is one corner, a capsule two, a polygon as many as it has vertices. Their outline rows tell edges, arcs and
covered edges, see `shapes/outline.py`. All values are in the axes of the piece's own body.

A corner lies lowest along a direction n by v.n, an arc by v.n - r if -n is one of its directions. The directions of a
corner run counter-clockwise from the normal of the edge before it to that of the edge after it.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.common.front_side import SAME_DIRECTION as SAME_DIRECTION, middle_of_piece
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import PieceKind, outline as of_outline
from ecs_collide.shapes.outline import OUTLINE

OUTLINE_KIND = int(PieceKind.OUTLINE)

AWAY = 1e-3
"""Sine of the angle above which a surface at a line's end is turned away from the line."""


class Side(NamedTuple):
    """A piece of a pair; its corners are those from `start` to `stop` in the pool."""

    start: int
    stop: int
    is_plain: bool
    """True if the piece has no arcs, and nothing covers any of it."""
    has_arcs: bool
    """True if any corner is an arc."""
    has_hollows: bool
    """True if any edge is an arc that bends inwards."""
    is_bare: bool
    """True if nothing counts as covered."""
    is_guarded: bool
    """True if part of the piece is covered: contacts must come from the side of the other piece's centre."""
    is_thin: bool
    """True if the piece has no thickness."""
    radius: float
    x: float
    y: float
    """Point well inside the piece [m], see `middle_of_piece`."""


@device
def is_thin(piece, pieces):
    """Return True if a piece has no thickness: it is a straight line with any number of corners."""
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    if count < 2 or pieces.size[piece, PIECE_SIZE.RADIUS] > 0.0:
        return False
    normals = pieces.normals
    for k in range(start + 1, start + count):
        if abs(normals[start, X] * normals[k, Y] - normals[start, Y] * normals[k, X]) > SAME_DIRECTION:
            return False
    for k in range(start, start + count):
        if pieces.outlines[k, OUTLINE.CORNER_RADIUS] > 0.0 or pieces.outlines[k, OUTLINE.ARC_RADIUS] > 0.0:
            return False
    return True


@device
def side_of(piece, pieces, is_bare):
    """Return a piece as a `Side`; `is_bare` says that nothing counts as covered.

    A line keeps the corners that its neighbours leave it even then. It has no inside that needs a way out.
    """
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    is_plain = pieces.index[piece, PIECE.KIND] != OUTLINE_KIND
    has_thickness = not is_thin(piece, pieces)
    is_bare = is_bare and has_thickness
    is_guarded, has_arcs, has_hollows = False, False, False
    if not is_plain:
        for k in range(start, start + count):
            row = pieces.outlines[k]
            has_arcs |= row[OUTLINE.CORNER_RADIUS] > 0.0
            has_hollows |= row[OUTLINE.ARC_RADIUS] > 0.0
            is_guarded |= (not is_bare) & (row[OUTLINE.EDGE] == of_outline.HIDDEN)
    x, y = middle_of_piece(piece, pieces)
    return Side(
        start=start,
        stop=start + count,
        is_plain=is_plain,
        has_arcs=has_arcs,
        has_hollows=has_hollows,
        is_bare=is_bare,
        is_guarded=is_guarded,
        is_thin=not has_thickness,
        radius=pieces.size[piece, PIECE_SIZE.RADIUS],
        x=x,
        y=y,
    )


@device
def corner_after(side, k):
    """Return the corner after corner k."""
    return k + 1 if k + 1 < side.stop else side.start


@device
def corner_before(side, k):
    """Return the corner before corner k."""
    return k - 1 if k > side.start else side.stop - 1


@device
def edge_state(side, k, pieces):
    """Return `EDGE` of the edge from corner k to the next."""
    if side.is_plain:
        return of_outline.EXPOSED if side.stop - side.start > 1 else of_outline.ZERO_LENGTH
    state = pieces.outlines[k, OUTLINE.EDGE]
    return of_outline.EXPOSED if state == of_outline.HIDDEN and side.is_bare else state


@device
def end_state(side, k, field, pieces):
    """Return the state of the surface at an end of edge k, `START` or `STOP`."""
    return of_outline.CONVEX if side.is_bare else pieces.outlines[k, field]


@device
def corner_radius(side, k, pieces):
    """Return the radius of corner k, 0 if it is not an arc [m]."""
    return pieces.outlines[k, OUTLINE.CORNER_RADIUS] if side.has_arcs else 0.0


@device
def corner_faces(side, k, x, y, pieces):
    """Return True if the unit vector (x, y) is among the normals of corner k."""
    before = corner_before(side, k)
    normals = pieces.normals
    return in_cone(normals[before, X], normals[before, Y], normals[k, X], normals[k, Y], SAME_DIRECTION, x, y)


@device
def is_closest(side, k, dx, dy, x, y, pieces):
    """Return True if a point (dx, dy) [m] from corner k, along the unit vector (x, y), is closest to that corner."""
    return corner_faces(side, k, x, y, pieces) or (
        not side.is_plain
        and (
            _ends_hollow(side, k, k, corner_after(side, k), dx, dy, x, y, pieces)
            or _ends_hollow(side, corner_before(side, k), k, corner_before(side, k), dx, dy, x, y, pieces)
        )
    )


@device
def _ends_hollow(side, edge, k, other_end, dx, dy, x, y, pieces):
    """Return True if an edge at corner k is an inward arc, and a point is closest to this end of it.

    A corner rounder than an inward arc touches only its ends; the solid between them is further away. Such directions
    run from the normal of the chord to the centre of the arc.
    """
    if not is_hollow(side, edge, pieces):
        return False
    row, normals, vertices = pieces.outlines[edge], pieces.normals, pieces.vertices
    to_arc_x = (row[OUTLINE.ARC_X] - vertices[k, X]) / row[OUTLINE.ARC_RADIUS]
    to_arc_y = (row[OUTLINE.ARC_Y] - vertices[k, Y]) / row[OUTLINE.ARC_RADIUS]
    if edge == k:
        is_between = in_cone(normals[edge, X], normals[edge, Y], to_arc_x, to_arc_y, SAME_DIRECTION, x, y)
    else:
        is_between = in_cone(to_arc_x, to_arc_y, normals[edge, X], normals[edge, Y], SAME_DIRECTION, x, y)
    chord_x, chord_y = vertices[other_end, X] - vertices[k, X], vertices[other_end, Y] - vertices[k, Y]
    return is_between and 2.0 * (dx * chord_x + dy * chord_y) <= chord_x * chord_x + chord_y * chord_y


@device
def is_corner(side, k, pieces):
    """Return True if corner k may give a contact at all."""
    return side.is_bare or pieces.outlines[k, OUTLINE.CORNER] != 0.0


@device
def corner_allows(side, k, x, y, pieces):
    """Return True if corner k may give a contact with the normal (x, y) and other pieces do not cover it."""
    return corner_faces(side, k, x, y, pieces) if side.is_bare else is_open_normal(k, x, y, pieces)


@device
def is_open_normal(k, x, y, pieces):
    """Return True if other pieces leave the normal (x, y) of corner k open."""
    row = pieces.outlines[k]
    return row[OUTLINE.CORNER] != 0.0 and in_cone(
        row[OUTLINE.FROM_X],
        row[OUTLINE.FROM_Y],
        row[OUTLINE.TO_X],
        row[OUTLINE.TO_Y],
        SAME_DIRECTION,
        x,
        y,
    )


@device
def joins_end(before, k, field, pieces):
    """Return True if another surface, turned away from a line, joins it at its end, corner k.

    `field` selects the surface by its normal: `FROM_X` or `TO_X` of the corner. `before` is the corner before k.
    """
    normals, row = pieces.normals, pieces.outlines[k]
    if normals[before, X] * normals[k, X] + normals[before, Y] * normals[k, Y] > 0.0:
        return False
    return row[field + 1] * normals[before, X] - row[field] * normals[before, Y] >= AWAY


@device
def corner_height(side, k, x, y, pieces):
    """Return the least height of corner k along the unit vector (x, y) [m], 1e300 for an arc that does not face it."""
    height = pieces.vertices[k, X] * x + pieces.vertices[k, Y] * y
    radius = corner_radius(side, k, pieces)
    if radius > 0.0 and not corner_faces(side, k, -x, -y, pieces):
        return 1e300
    return height - radius


@device
def lowest_corner(side, x, y, pieces):
    """Return the least height [m] along the unit vector (x, y), and the corner that has it."""
    lowest, corner = 1e300, side.start
    for k in range(side.start, side.stop):
        height = corner_height(side, k, x, y, pieces)
        if height < lowest:
            lowest, corner = height, k
    return lowest, corner


@device
def flattest_neighbour(side, k, x, y, pieces):
    """Return the other corner of the flattest edge at corner k along (x, y), and True if there is one.

    Covered edges do not count.
    """
    before = corner_before(side, k)
    normals = pieces.normals
    has_before = edge_state(side, before, pieces) == of_outline.EXPOSED
    has_after = edge_state(side, k, pieces) == of_outline.EXPOSED
    if has_before and has_after:
        along_before = normals[before, X] * x + normals[before, Y] * y
        has_after = normals[k, X] * x + normals[k, Y] * y <= along_before
        has_before = not has_after
    if has_after:
        return corner_after(side, k), True
    return before, has_before


@device
def is_hollow(side, k, pieces):
    """Return True if the edge from corner k is an arc that bends inwards."""
    return side.has_hollows and pieces.outlines[k, OUTLINE.ARC_RADIUS] > 0.0


@device
def hollow_span(k, after, pieces):
    """Return the directions around its centre between which the inward arc from corner k to `after` lies."""
    row, vertices = pieces.outlines[k], pieces.vertices
    x, y, radius = row[OUTLINE.ARC_X], row[OUTLINE.ARC_Y], row[OUTLINE.ARC_RADIUS]
    return (
        (vertices[after, X] - x) / radius,
        (vertices[after, Y] - y) / radius,
        (vertices[k, X] - x) / radius,
        (vertices[k, Y] - y) / radius,
    )


@device
def hollow_gap(side, k, x, y, pieces):
    """Return the gap [m] of a point to the inward arc of edge k, the normal there, and True if it is in the arc's span.

    The gap is positive inside the arc's circle, which is void. The span is seen from the arc's centre.
    """
    row = pieces.outlines[k]
    gap, inward_x, inward_y = inside_arc(row[OUTLINE.ARC_X], row[OUTLINE.ARC_Y], row[OUTLINE.ARC_RADIUS], x, y)
    from_x, from_y, to_x, to_y = hollow_span(k, corner_after(side, k), pieces)
    is_directed = inward_x != 0.0 or inward_y != 0.0
    in_span = is_directed and in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, -inward_x, -inward_y)
    return gap, inward_x, inward_y, in_span
