"""The corners and edges of any bounded piece, as the outline kernels see them.

A circle is one corner, a capsule two, a polygon as many as it has vertices; what is an edge, an arc or covered is said
by their rows, see `shapes/outline.py`. Everything here is in the axes of the piece's own body.

A corner lies lowest along a direction n by v.n, and an arc by v.n - r where -n is one of its directions. The
directions of a corner run, counter-clockwise, from the normal of the edge before it to that of the edge after it.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.geometry.cone import in_cone
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import PieceKind, outline as of_outline
from ecs_collide.shapes.outline import OUTLINE

OUTLINE_KIND = int(PieceKind.OUTLINE)

SAME_DIRECTION = 1e-9
"""Sine of the angle by which a direction may miss a corner's."""


class Side(NamedTuple):
    """A piece: its corners are those from `start` to `stop` in the pool."""

    start: int
    stop: int
    is_plain: bool
    """Whether it has no arcs, and nothing covers any of it."""
    is_bare: bool
    """Whether nothing counts as covered."""
    is_guarded: bool
    """Whether part of it is covered: then contacts must come from the side on which the other piece's middle is."""
    is_thin: bool
    """Whether it has no thickness."""
    radius: float
    x: float
    y: float
    """A point well inside the piece [m]: halfway from the middle of its box to that of its vertices.

    The middle of a triangle's box may lie on its edge, and so may that of two vertices with an arc.
    """


@device
def is_thin(piece, pieces):
    """Whether a piece has no thickness: it is a straight line, however many corners lie on it."""
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    if count < 2 or pieces.size[piece, PIECE_SIZE.RADIUS] > 0.0:
        return False
    normals = pieces.normals
    for k in range(start + 1, start + count):
        if abs(normals[start, 0] * normals[k, 1] - normals[start, 1] * normals[k, 0]) > SAME_DIRECTION:
            return False
    for k in range(start, start + count):
        if pieces.outlines[k, OUTLINE.CORNER_RADIUS] > 0.0 or pieces.outlines[k, OUTLINE.ARC_RADIUS] > 0.0:
            return False
    return True


@device
def side_of(piece, pieces, is_bare):
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    is_guarded = False
    if not is_bare:
        for k in range(start, start + count):
            if pieces.outlines[k, OUTLINE.EDGE] == of_outline.HIDDEN:
                is_guarded = True
    sum_x, sum_y = 0.0, 0.0
    for k in range(start, start + count):
        sum_x, sum_y = sum_x + pieces.vertices[k, 0], sum_y + pieces.vertices[k, 1]
    return Side(
        start,
        start + count,
        pieces.index[piece, PIECE.KIND] != OUTLINE_KIND,
        is_bare,
        is_guarded,
        is_thin(piece, pieces),
        pieces.size[piece, PIECE_SIZE.RADIUS],
        0.5 * (pieces.size[piece, PIECE_SIZE.LOCAL_X] + sum_x / count),
        0.5 * (pieces.size[piece, PIECE_SIZE.LOCAL_Y] + sum_y / count),
    )


@device
def corner_after(side, k):
    return k + 1 if k + 1 < side.stop else side.start


@device
def corner_before(side, k):
    return k - 1 if k > side.start else side.stop - 1


@device
def edge_state(side, k, pieces):
    """`EDGE` of the edge from corner k to the next."""
    state = pieces.outlines[k, OUTLINE.EDGE]
    return of_outline.EXPOSED if state == of_outline.HIDDEN and side.is_bare else state


@device
def end_state(side, k, field, pieces):
    """How the surface goes on at an end of edge k, `START` or `STOP`."""
    return of_outline.CONVEX if side.is_bare else pieces.outlines[k, field]


@device
def corner_radius(k, pieces):
    return pieces.outlines[k, OUTLINE.CORNER_RADIUS]


@device
def corner_faces(side, k, x, y, pieces):
    """Whether the unit vector (x, y) is among the normals of corner k."""
    before = corner_before(side, k)
    normals = pieces.normals
    return in_cone(normals[before, 0], normals[before, 1], normals[k, 0], normals[k, 1], SAME_DIRECTION, x, y)


@device
def is_closest(side, k, dx, dy, x, y, pieces):
    """Whether a place (dx, dy) [m] away from corner k, along the unit vector (x, y), is closest to that corner."""
    return corner_faces(side, k, x, y, pieces) or (
        not side.is_plain
        and (
            _ends_hollow(k, k, corner_after(side, k), dx, dy, x, y, pieces)
            or _ends_hollow(corner_before(side, k), k, corner_before(side, k), dx, dy, x, y, pieces)
        )
    )


@device
def _ends_hollow(edge, k, other_end, dx, dy, x, y, pieces):
    """Whether an edge from or to corner k is an inward arc, and of all of it a place is closest to this end.

    What is rounder than a hollow lies on its ends: then the solid between them is further away. Such directions run
    from the normal of the chord to the centre of the arc.
    """
    if not is_hollow(edge, pieces):
        return False
    row, normals, vertices = pieces.outlines[edge], pieces.normals, pieces.vertices
    to_arc_x = (row[OUTLINE.ARC_X] - vertices[k, 0]) / row[OUTLINE.ARC_RADIUS]
    to_arc_y = (row[OUTLINE.ARC_Y] - vertices[k, 1]) / row[OUTLINE.ARC_RADIUS]
    if edge == k:
        is_between = in_cone(normals[edge, 0], normals[edge, 1], to_arc_x, to_arc_y, SAME_DIRECTION, x, y)
    else:
        is_between = in_cone(to_arc_x, to_arc_y, normals[edge, 0], normals[edge, 1], SAME_DIRECTION, x, y)
    chord_x, chord_y = vertices[other_end, 0] - vertices[k, 0], vertices[other_end, 1] - vertices[k, 1]
    return is_between and 2.0 * (dx * chord_x + dy * chord_y) <= chord_x * chord_x + chord_y * chord_y


@device
def is_corner(side, k, pieces):
    """Whether corner k may give a contact at all."""
    return side.is_bare or pieces.outlines[k, OUTLINE.CORNER] != 0.0


@device
def corner_allows(side, k, x, y, pieces):
    """Whether corner k may give a contact with the normal (x, y): as above, less what other pieces cover."""
    if side.is_bare:
        return corner_faces(side, k, x, y, pieces)
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
def has_arc(side, pieces):
    """Whether any corner is an arc."""
    for k in range(side.start, side.stop):
        if corner_radius(k, pieces) > 0.0:
            return True
    return False


@device
def corner_height(side, k, x, y, pieces):
    """How low corner k lies along the unit vector (x, y), and 1e300 for an arc that does not face against it."""
    height = pieces.vertices[k, 0] * x + pieces.vertices[k, 1] * y
    radius = corner_radius(k, pieces)
    if radius > 0.0 and not corner_faces(side, k, -x, -y, pieces):
        return 1e300
    return height - radius


@device
def lowest_corner(side, x, y, pieces):
    """The corner that lies lowest along the unit vector (x, y), as (height [m], corner)."""
    lowest, corner = 1e300, side.start
    for k in range(side.start, side.stop):
        height = corner_height(side, k, x, y, pieces)
        if height < lowest:
            lowest, corner = height, k
    return lowest, corner


@device
def flattest_neighbour(side, k, x, y, pieces):
    """Of the edges at corner k the one that lies flattest along (x, y), as (its other corner, whether there is one).

    Covered edges do not count.
    """
    before = corner_before(side, k)
    normals = pieces.normals
    has_before = edge_state(side, before, pieces) == of_outline.EXPOSED
    has_after = edge_state(side, k, pieces) == of_outline.EXPOSED
    if has_before and has_after:
        along_before = normals[before, 0] * x + normals[before, 1] * y
        has_after = normals[k, 0] * x + normals[k, 1] * y <= along_before
        has_before = not has_after
    if has_after:
        return corner_after(side, k), True
    return before, has_before


@device
def is_hollow(k, pieces):
    """Whether the edge from corner k is an arc that bends inwards."""
    return pieces.outlines[k, OUTLINE.ARC_RADIUS] > 0.0


@device
def hollow_span(k, after, pieces):
    """The directions between which the inward arc of edge k, to corner `after`, lies around its centre."""
    row, vertices = pieces.outlines[k], pieces.vertices
    x, y, radius = row[OUTLINE.ARC_X], row[OUTLINE.ARC_Y], row[OUTLINE.ARC_RADIUS]
    return (
        (vertices[after, 0] - x) / radius,
        (vertices[after, 1] - y) / radius,
        (vertices[k, 0] - x) / radius,
        (vertices[k, 1] - y) / radius,
    )


@device
def hollow_gap(side, k, x, y, pieces):
    """How far a point is from the inward arc of edge k, as (gap [m], normal there, whether it is in the arc's span).

    Positive inside the arc's circle, which is void. The span is taken at the arc's centre.
    """
    row = pieces.outlines[k]
    gap, inward_x, inward_y = inside_arc(row[OUTLINE.ARC_X], row[OUTLINE.ARC_Y], row[OUTLINE.ARC_RADIUS], x, y)
    from_x, from_y, to_x, to_y = hollow_span(k, corner_after(side, k), pieces)
    is_directed = inward_x != 0.0 or inward_y != 0.0
    in_span = is_directed and in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, -inward_x, -inward_y)
    return gap, inward_x, inward_y, in_span
