"""Which pieces may cover each other, and how they lie in each other's frame.

All is computed in the axes and around the centre of one of the two bodies, so that tiles far from the origin
lose no digits: the difference of two near centres is exact.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.broadphase.static_tree import leaves_in_box
from ecs_collide.columns.bodies import CENTER_X, CENTER_Y, COS, GROUP, LAYER, MASK, SENSOR, SIN
from ecs_collide.columns.pieces import (
    BODY,
    KIND,
    LOCAL_X,
    LOCAL_Y,
    MAX_X,
    MAX_Y,
    MIN_X,
    MIN_Y,
    OUTLINE_START,
    RADIUS,
    VERTEX_COUNT,
    VERTEX_START,
)
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.jit import device, stage
from ecs_collide.seams.tables import (
    ABSENT,
    BENT,
    JOINED,
    PLAIN,
    SOURCE_COUNT,
    SOURCE_KIND,
    SOURCE_OUTLINE,
    SOURCE_START,
    STRAIGHT,
)
from ecs_collide.shapes import PieceKind
from ecs_collide.shapes.outline import ARC_RADIUS, ARC_X, ARC_Y, CORNER_RADIUS, EDGE, JOINT

STATIC = int(BodyKind.STATIC)
CAPSULE, POLYGON, OUTLINE = int(PieceKind.CAPSULE), int(PieceKind.POLYGON), int(PieceKind.OUTLINE)
INF = float("inf")

TOLERANCE_FRACTION = 0.005
"""What counts as nothing, as a part of the shortest edge involved; the world's slop is the other bound."""


@device
def takes_part(piece, bodies, pieces):
    """Whether a piece is static and solid, with straight edges and sharp corners."""
    body, kind = pieces.index[piece, BODY], pieces.index[piece, KIND]
    return (
        bodies.kind[body] == STATIC
        and bodies.filter[body, SENSOR] == 0
        and pieces.size[piece, RADIUS] == 0.0
        and kind in (POLYGON, CAPSULE, OUTLINE)
    )


@stage
def take_sources(rows, bodies, pieces, seams):
    """Note how each piece comes out of its shape, unless that is known; return how many take part.

    Reads body_kind, body_filter, the pieces. Writes seam_state, seam_source, seam_shortest, seam_box.
    """
    count = 0
    for piece in rows:
        if seams.state[piece] == ABSENT:
            if not takes_part(piece, bodies, pieces):
                continue
            seams.state[piece] = PLAIN
            seams.source[piece, SOURCE_KIND] = pieces.index[piece, KIND]
            seams.source[piece, SOURCE_START] = pieces.index[piece, VERTEX_START]
            seams.source[piece, SOURCE_COUNT] = pieces.index[piece, VERTEX_COUNT]
            seams.source[piece, SOURCE_OUTLINE] = pieces.index[piece, OUTLINE_START]
            seams.shortest[piece] = shortest_edge(piece, pieces)
            for side in range(2):
                seams.box[piece, side] = INF
                seams.box[piece, side + 2] = -INF
        count += 1
    return count


@device
def shortest_edge(piece, pieces):
    """Length [m] of the shortest edge that has one."""
    start, count = pieces.index[piece, VERTEX_START], pieces.index[piece, VERTEX_COUNT]
    outline = pieces.index[piece, OUTLINE_START]
    shortest = INF
    for k in range(count):
        if pieces.index[piece, KIND] == OUTLINE and pieces.outlines[outline + k, EDGE] == JOINT:
            continue
        a, b = start + k, start + (k + 1) % count
        x, y = pieces.vertices[b, 0] - pieces.vertices[a, 0], pieces.vertices[b, 1] - pieces.vertices[a, 1]
        shortest = min(shortest, x * x + y * y)
    return sqrt(shortest)


@stage
def find_affected(rows, gone, pieces, tree, stack, seams):
    """List the pieces around where `rows` are and were, and around the boxes `gone` (g, 4); return their number.

    Reads piece_box, the tree. Writes seam_affected, seam_box; seam_hits and seam_mark are scratch.
    """
    count = 0
    for k in range(len(gone)):
        count = list_in_box(gone, k, pieces, tree, stack, seams, count)
    for piece in rows:
        if seams.state[piece] == ABSENT:
            continue
        if seams.box[piece, MIN_X] <= seams.box[piece, MAX_X]:
            count = list_in_box(seams.box, piece, pieces, tree, stack, seams, count)
        count = list_in_box(pieces.box, piece, pieces, tree, stack, seams, count)
        for side in range(4):
            seams.box[piece, side] = pieces.box[piece, side]
    for k in range(count):
        seams.mark[seams.affected[k]] = 0
    return count


@device
def list_in_box(box, row, pieces, tree, stack, seams, count):
    """Add the pieces that take part and overlap one box to seam_affected, each once; return their number so far."""
    hits = leaves_in_box(tree, box[row, MIN_X], box[row, MIN_Y], box[row, MAX_X], box[row, MAX_Y], stack, seams.hits)
    for k in range(hits):
        piece = seams.hits[k]
        if seams.state[piece] != ABSENT and seams.mark[piece] == 0:
            seams.mark[piece] = 1
            seams.affected[count] = piece
            count += 1
    return count


@device
def same_filter(a, b, bodies):
    """Whether whatever meets body a meets body b too."""
    return (
        bodies.filter[a, LAYER] == bodies.filter[b, LAYER]
        and bodies.filter[a, MASK] == bodies.filter[b, MASK]
        and bodies.filter[a, GROUP] == bodies.filter[b, GROUP]
    )


@device
def middle(piece, bodies, pieces):
    """The middle of a piece's box in the world [m]: the same to the bit, whoever asks."""
    body = pieces.index[piece, BODY]
    c, s = bodies.frame[body, COS], bodies.frame[body, SIN]
    x, y = pieces.size[piece, LOCAL_X], pieces.size[piece, LOCAL_Y]
    return bodies.frame[body, CENTER_X] + c * x - s * y, bodies.frame[body, CENTER_Y] + s * x + c * y


@device
def is_before(a, b, bodies, pieces):
    """A fixed order of the pieces: by place, and by row where two lie on each other."""
    ax, ay = middle(a, bodies, pieces)
    bx, by = middle(b, bodies, pieces)
    if ax != bx:
        return ax < bx
    if ay != by:
        return ay < by
    return a < b


@device
def gather(piece, bodies, pieces, tree, stack, slop, seams, near):
    """Lay a piece and those that may cover it into `near`; return (their number, their vertices), needed or filled in.

    Where one of the two numbers is larger than there is room for, `near` is not complete.
    """
    hits = leaves_in_box(
        tree,
        pieces.box[piece, MIN_X],
        pieces.box[piece, MIN_Y],
        pieces.box[piece, MAX_X],
        pieces.box[piece, MAX_Y],
        stack,
        seams.hits,
    )
    body = pieces.index[piece, BODY]
    count, vertex_count = 1, seams.source[piece, SOURCE_COUNT]
    for k in range(hits):
        other = seams.hits[k]
        owner = pieces.index[other, BODY]
        if other == piece or seams.state[other] == ABSENT or not (owner == body or same_filter(owner, body, bodies)):
            continue
        seams.hits[count - 1] = other  # behind what was read
        count += 1
        vertex_count += seams.source[other, SOURCE_COUNT]
    if count > len(near.row) or vertex_count > len(near.edge):
        return count, vertex_count

    near.start[0] = 0
    lay(piece, 0, piece, bodies, pieces, slop, seams, near)
    for k in range(1, count):
        lay(seams.hits[k - 1], k, piece, bodies, pieces, slop, seams, near)
    return count, vertex_count


@device
def lay(piece, number, first, bodies, pieces, slop, seams, near):
    """Fill in one piece of `near`, as the body of the `first` sees it."""
    body, own = pieces.index[piece, BODY], pieces.index[first, BODY]
    c, s, x, y = 1.0, 0.0, 0.0, 0.0
    if body != own:
        cos_a, sin_a = bodies.frame[own, COS], bodies.frame[own, SIN]
        cos_b, sin_b = bodies.frame[body, COS], bodies.frame[body, SIN]
        apart_x = bodies.frame[body, CENTER_X] - bodies.frame[own, CENTER_X]
        apart_y = bodies.frame[body, CENTER_Y] - bodies.frame[own, CENTER_Y]
        x, y = cos_a * apart_x + sin_a * apart_y, cos_a * apart_y - sin_a * apart_x
        if cos_a != cos_b or sin_a != sin_b:
            c, s = cos_a * cos_b + sin_a * sin_b, cos_a * sin_b - sin_a * cos_b
    near.row[number] = piece
    near.is_own[number] = body == own
    near.tolerance[number] = min(slop, TOLERANCE_FRACTION * min(seams.shortest[first], seams.shortest[piece]))
    near.outranks[number] = is_before(piece, first, bodies, pieces)

    has_outline = seams.source[piece, SOURCE_KIND] == OUTLINE
    start, count = seams.source[piece, SOURCE_START], seams.source[piece, SOURCE_COUNT]
    outline = seams.source[piece, SOURCE_OUTLINE]
    at = near.start[number]
    near.start[number + 1] = at + count
    is_straight = True
    for k in range(count):
        vertex_x, vertex_y = pieces.vertices[start + k, 0], pieces.vertices[start + k, 1]
        normal_x, normal_y = pieces.normals[start + k, 0], pieces.normals[start + k, 1]
        near.vertices[at + k, 0] = x + c * vertex_x - s * vertex_y
        near.vertices[at + k, 1] = y + s * vertex_x + c * vertex_y
        near.normals[at + k, 0] = c * normal_x - s * normal_y
        near.normals[at + k, 1] = s * normal_x + c * normal_y
        near.edge[at + k] = STRAIGHT
        near.is_round[at + k] = False
        if has_outline:
            near.is_round[at + k] = pieces.outlines[outline + k, CORNER_RADIUS] > 0.0
            if pieces.outlines[outline + k, EDGE] == JOINT:
                near.edge[at + k] = JOINED
            elif pieces.outlines[outline + k, ARC_RADIUS] > 0.0:
                near.edge[at + k] = BENT
            is_straight = is_straight and near.edge[at + k] == STRAIGHT
        for axis in range(2):
            near.leaving[at + k, axis] = near.normals[at + k, axis]
            near.arriving[at + k, axis] = near.normals[at + k, axis]
    near.is_straight[number] = is_straight
    if is_straight:
        return
    for k in range(count):
        if near.edge[at + k] == BENT:
            following = at + (k + 1) % count
            row, radius = outline + k, pieces.outlines[outline + k, ARC_RADIUS]
            arc_x = x + c * pieces.outlines[row, ARC_X] - s * pieces.outlines[row, ARC_Y]
            arc_y = y + s * pieces.outlines[row, ARC_X] + c * pieces.outlines[row, ARC_Y]
            near.leaving[at + k, 0] = (arc_x - near.vertices[at + k, 0]) / radius
            near.leaving[at + k, 1] = (arc_y - near.vertices[at + k, 1]) / radius
            near.arriving[at + k, 0] = (arc_x - near.vertices[following, 0]) / radius
            near.arriving[at + k, 1] = (arc_y - near.vertices[following, 1]) / radius
