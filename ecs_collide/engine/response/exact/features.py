"""What circles can hit: the edges and corners of pieces that are static or kinematic, in world coordinates.

    LINE     the right side of a → b, moved out by a radius            a, direction, normal, length, radius
    SHEET    both sides of it                                          the same
    CORNER   a circle seen from outside, in the directions between     centre, from, to, -, radius
             from and to, counter-clockwise, or all if both are 0
    BOWL     a circle seen from inside, in such directions             centre, from, to, -, radius
    PLANE    a line without end, with solid all behind it              a point, direction, normal, -, 0
    SOLID    the inside of a piece: hit by nothing, it only pushes out what is in it (contacts.py)

A one-sided line counts for circles whose centre is in front of it. Covered edges and the corners that an outline
excludes give no features. Where the surface goes on flat or concave past an edge's end, the edge is made longer by the
slop: a gap between two tiles is no hole.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import FloatTable, Ints, IntTable
from ecs_collide.compiled.jit import device, stage
from ecs_collide.engine.basis.tuning import NO_END
from ecs_collide.engine.broadphase.boxes import half_plane_box
from ecs_collide.engine.narrowphase.corners import within
from ecs_collide.shapes import PieceKind, outline as of_outline

CIRCLE, CAPSULE, OUTLINE = int(PieceKind.CIRCLE), int(PieceKind.CAPSULE), int(PieceKind.OUTLINE)
HALF_PLANE, RING = int(PieceKind.HALF_PLANE), int(PieceKind.RING)

LINE, SHEET, CORNER_FEATURE, BOWL, PLANE, SOLID = range(6)

# feature
PLACE_X, PLACE_Y, FROM, TO, LENGTH, REACH, SPEED_X, SPEED_Y = 0, 1, 2, 4, 6, 7, 8, 9
FEATURE_WIDTH = 10

# feature_index
FEATURE_KIND, FEATURE_BODY, FEATURE_PIECE = 0, 1, 2

ROUNDING = 1e-9
"""By how much an edge is longer than it is, so that nothing slips in between it and its corner [length units]."""


@device
def put(features, index, count, kind, body, piece, x, y, ax, ay, bx, by, length, reach):
    """Write a feature into row `count`; return the number of features."""
    row = features[count]
    row[PLACE_X], row[PLACE_Y] = x, y
    row[FROM], row[FROM + 1], row[TO], row[TO + 1] = ax, ay, bx, by
    row[LENGTH], row[REACH], row[SPEED_X], row[SPEED_Y] = length, reach, 0.0, 0.0
    index[count, FEATURE_KIND], index[count, FEATURE_BODY], index[count, FEATURE_PIECE] = kind, body, piece
    return count + 1


@stage
def collect_features(
    piece_rows: Ints,
    bodies: Bodies,
    pieces: Pieces,
    slop: float,
    unit: float,
    features: FloatTable,
    index: IntTable,
    count: int,
):
    """Write the features of the given pieces from row `count` on; return the number of features.

    There must be room for 2 k + 1 features for a piece of k vertices. Reads body_frame, the pieces. Writes features
    [m] (f, 10) and index (f, 3).
    """
    frame, vertices, normals, outlines = bodies.frame, pieces.vertices, pieces.normals, pieces.outlines
    for piece in piece_rows:
        body, kind = pieces.index[piece, of_piece.BODY], pieces.index[piece, of_piece.KIND]
        start, corners = pieces.index[piece, of_piece.VERTEX_START], pieces.index[piece, of_piece.VERTEX_COUNT]
        shift = pieces.index[piece, of_piece.OUTLINE_START] - start
        c, s = frame[body, of_body.COS], frame[body, of_body.SIN]
        center_x, center_y = frame[body, of_body.CENTER_X], frame[body, of_body.CENTER_Y]
        radius = pieces.size[piece, of_piece.RADIUS]
        has_arcs = False
        for k in range(start, start + corners):
            after = k + 1 if k + 1 < start + corners else start
            before = k - 1 if k > start else start + corners - 1
            x = center_x + c * vertices[k, 0] - s * vertices[k, 1]
            y = center_y + s * vertices[k, 0] + c * vertices[k, 1]
            nx, ny = c * normals[k, 0] - s * normals[k, 1], s * normals[k, 0] + c * normals[k, 1]
            if kind == CIRCLE:
                count = put(features, index, count, CORNER_FEATURE, body, piece, x, y, 0.0, 0.0, 0.0, 0.0, 0.0, radius)
                continue
            if kind == HALF_PLANE:
                count = put(features, index, count, PLANE, body, piece, x, y, -ny, nx, nx, ny, 0.0, 0.0)
                continue
            if kind == RING:
                if k == start:
                    fx, fy = normals[k + 1, 0], normals[k + 1, 1]
                    tx, ty = normals[k + 2, 0], normals[k + 2, 1]
                    fx, fy = c * fx - s * fy, s * fx + c * fy
                    tx, ty = c * tx - s * ty, s * tx + c * ty
                    count = put(features, index, count, BOWL, body, piece, x, y, fx, fy, tx, ty, 0.0, radius)
                    count = put(features, index, count, SOLID, body, piece, x, y, fx, fy, tx, ty, 0.0, radius)
                continue
            dx, dy = vertices[after, 0] - vertices[k, 0], vertices[after, 1] - vertices[k, 1]
            length = sqrt(dx * dx + dy * dy)
            bx, by = normals[before, 0], normals[before, 1]
            from_x, from_y = c * bx - s * by, s * bx + c * by
            to_x, to_y = nx, ny
            corner_reach = radius
            is_corner, is_exposed = True, True
            past_start, past_stop = ROUNDING * unit, ROUNDING * unit
            if kind == OUTLINE:
                row = outlines[k + shift]
                is_corner, is_exposed = row[of_outline.CORNER] != 0.0, row[of_outline.EDGE] == of_outline.EXPOSED
                from_x, from_y = (
                    c * row[of_outline.FROM_X] - s * row[of_outline.FROM_Y],
                    s * row[of_outline.FROM_X] + c * row[of_outline.FROM_Y],
                )
                to_x, to_y = (
                    c * row[of_outline.TO_X] - s * row[of_outline.TO_Y],
                    s * row[of_outline.TO_X] + c * row[of_outline.TO_Y],
                )
                corner_reach = radius + row[of_outline.CORNER_RADIUS]
                has_arcs = has_arcs or row[of_outline.CORNER_RADIUS] > 0.0
                past_start = past_start if row[of_outline.START] == of_outline.CONVEX else slop
                past_stop = past_stop if row[of_outline.STOP] == of_outline.CONVEX else slop
                if is_exposed and row[of_outline.ARC_RADIUS] > 0.0:
                    is_exposed = False
                    ax, ay = row[of_outline.ARC_X], row[of_outline.ARC_Y]
                    fx, fy = (
                        (vertices[after, 0] - ax) / row[of_outline.ARC_RADIUS],
                        (vertices[after, 1] - ay) / row[of_outline.ARC_RADIUS],
                    )
                    tx, ty = (
                        (vertices[k, 0] - ax) / row[of_outline.ARC_RADIUS],
                        (vertices[k, 1] - ay) / row[of_outline.ARC_RADIUS],
                    )
                    fx, fy = c * fx - s * fy, s * fx + c * fy
                    tx, ty = c * tx - s * ty, s * tx + c * ty
                    ax, ay = center_x + c * ax - s * ay, center_y + s * ax + c * ay
                    reach = row[of_outline.ARC_RADIUS] - radius
                    if reach > 0.0:
                        count = put(features, index, count, BOWL, body, piece, ax, ay, fx, fy, tx, ty, 0.0, reach)
            if is_corner:
                count = put(
                    features,
                    index,
                    count,
                    CORNER_FEATURE,
                    body,
                    piece,
                    x,
                    y,
                    from_x,
                    from_y,
                    to_x,
                    to_y,
                    0.0,
                    corner_reach,
                )
            if is_exposed and length > 0.0 and not (kind == CAPSULE and k > start):
                line = SHEET if kind == CAPSULE else LINE
                ax, ay = x + past_start * ny, y - past_start * nx  # the direction is the normal turned left
                length += past_start + past_stop
                count = put(features, index, count, line, body, piece, ax, ay, -ny, nx, nx, ny, length, radius)
        if corners > 2 and kind != RING and not has_arcs:
            count = put(features, index, count, SOLID, body, piece, center_x, center_y, 0.0, 0.0, 0.0, 0.0, 0.0, radius)
    return count


@device
def feature_box(feature, kind, piece, pieces, bodies):
    """The box (min_x, min_y, max_x, max_y) [m] of a feature where it is at the start of the step."""
    x, y, reach = feature[PLACE_X], feature[PLACE_Y], feature[REACH]
    if kind == PLANE:
        nx, ny = feature[TO], feature[TO + 1]
        return half_plane_box(nx, ny, x * nx + y * ny)
    if kind == SOLID:
        if pieces.index[piece, of_piece.KIND] == RING:
            return -NO_END, -NO_END, NO_END, NO_END
        body, start = pieces.index[piece, of_piece.BODY], pieces.index[piece, of_piece.VERTEX_START]
        c, s = bodies.frame[body, of_body.COS], bodies.frame[body, of_body.SIN]
        low_x, low_y, high_x, high_y = NO_END, NO_END, -NO_END, -NO_END
        for k in range(start, start + pieces.index[piece, of_piece.VERTEX_COUNT]):
            vx = x + c * pieces.vertices[k, 0] - s * pieces.vertices[k, 1]
            vy = y + s * pieces.vertices[k, 0] + c * pieces.vertices[k, 1]
            low_x, low_y, high_x, high_y = min(low_x, vx), min(low_y, vy), max(high_x, vx), max(high_y, vy)
        return low_x, low_y, high_x, high_y
    if kind in (LINE, SHEET):
        other_x, other_y = x + feature[LENGTH] * feature[FROM], y + feature[LENGTH] * feature[FROM + 1]
        return min(x, other_x) - reach, min(y, other_y) - reach, max(x, other_x) + reach, max(y, other_y) + reach
    return arc_box(x, y, reach, feature[FROM], feature[FROM + 1], feature[TO], feature[TO + 1])


@device
def arc_box(x, y, radius, from_x, from_y, to_x, to_y):
    """The box of an arc; of the whole circle if both directions are 0."""
    if from_x == 0.0 and from_y == 0.0:
        return x - radius, y - radius, x + radius, y + radius
    low_x = -1.0 if within(from_x, from_y, to_x, to_y, -1.0, 0.0) else min(from_x, to_x)
    low_y = -1.0 if within(from_x, from_y, to_x, to_y, 0.0, -1.0) else min(from_y, to_y)
    high_x = 1.0 if within(from_x, from_y, to_x, to_y, 1.0, 0.0) else max(from_x, to_x)
    high_y = 1.0 if within(from_x, from_y, to_x, to_y, 0.0, 1.0) else max(from_y, to_y)
    return x + radius * low_x, y + radius * low_y, x + radius * high_x, y + radius * high_y


@stage
def set_velocities(start: int, stop: int, bodies: Bodies, features: FloatTable, index: IntTable):
    """Give the features from start to stop the velocity of their bodies. Reads body_velocity. Writes features."""
    for f in range(start, stop):
        features[f, SPEED_X] = bodies.velocity[index[f, FEATURE_BODY], of_body.X]
        features[f, SPEED_Y] = bodies.velocity[index[f, FEATURE_BODY], of_body.Y]
