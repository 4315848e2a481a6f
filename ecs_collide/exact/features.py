"""What circles can hit: the edges and corners of pieces that are static or kinematic, in world coordinates.

    LINE     the right side of a → b, moved out by a radius            a, direction, normal, length, radius
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

from ecs_collide.common.tolerances import NO_END
from ecs_collide.contours.piece_rows import has_end
from ecs_collide.data import bodies as of_body, pieces as of_piece
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import Pieces
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.pose import moved, turned
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.shapes import outline as of_outline
from ecs_collide.step.broadphase.boxes import half_plane_box
from ecs_collide.step.narrowphase.piece_corners import SAME_DIRECTION, hollow_span

LINE, CORNER_FEATURE, BOWL, PLANE, SOLID = range(5)

# feature
PLACE_X, PLACE_Y, FROM, TO, LENGTH, REACH, SPEED_X, SPEED_Y = 0, 1, 2, 4, 6, 7, 8, 9
FEATURE_WIDTH = 10

# feature_index
FEATURE_KIND, FEATURE_BODY, FEATURE_PIECE = 0, 1, 2

ROUNDING = 1e-9
"""By how much an edge is longer than it is, so that nothing slips in between it and its corner [length units]."""


@device
def put_feature(features, index, count, kind, owner, x, y, first, last, length, reach):
    """Write a feature of a body and piece, `owner`, into row `count`; return the number of features."""
    row = features[count]
    row[PLACE_X], row[PLACE_Y] = x, y
    row[FROM], row[FROM + 1] = first
    row[TO], row[TO + 1] = last
    row[LENGTH], row[REACH], row[SPEED_X], row[SPEED_Y] = length, reach, 0.0, 0.0
    index[count, FEATURE_KIND] = kind
    index[count, FEATURE_BODY], index[count, FEATURE_PIECE] = owner
    return count + 1


@device
def put_bowl(k, after, pose, owner, pieces, features, index, count):
    """Put the feature of the inward arc from corner k; return the number of features."""
    row = pieces.outlines[k]
    reach = row[of_outline.ARC_RADIUS] - pieces.size[owner[1], of_piece.RADIUS]
    if reach <= 0.0:
        return count
    from_x, from_y, to_x, to_y = hollow_span(k, after, pieces)
    x, y = moved(pose, row[of_outline.ARC_X], row[of_outline.ARC_Y])
    first, last = turned(pose, from_x, from_y), turned(pose, to_x, to_y)
    return put_feature(features, index, count, BOWL, owner, x, y, first, last, 0.0, reach)


@device
def put_corner_feature(k, pose, owner, pieces, features, index, count):
    """Put the feature of corner k, which may be an arc; return the number of features."""
    row = pieces.outlines[k]
    reach = pieces.size[owner[1], of_piece.RADIUS] + row[of_outline.CORNER_RADIUS]
    x, y = moved(pose, pieces.vertices[k, 0], pieces.vertices[k, 1])
    first = turned(pose, row[of_outline.FROM_X], row[of_outline.FROM_Y])
    last = turned(pose, row[of_outline.TO_X], row[of_outline.TO_Y])
    return put_feature(features, index, count, CORNER_FEATURE, owner, x, y, first, last, 0.0, reach)


@device
def put_line(k, after, pose, owner, pieces, slop, unit, features, index, count):
    """Put the feature of the straight edge from corner k; return the number of features."""
    vertices, row = pieces.vertices, pieces.outlines[k]
    dx, dy = vertices[after, 0] - vertices[k, 0], vertices[after, 1] - vertices[k, 1]
    length = sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return count
    past_start = ROUNDING * unit if row[of_outline.START] == of_outline.CONVEX else slop
    past_stop = ROUNDING * unit if row[of_outline.STOP] == of_outline.CONVEX else slop
    x, y = moved(pose, vertices[k, 0], vertices[k, 1])
    nx, ny = turned(pose, pieces.normals[k, 0], pieces.normals[k, 1])
    x, y = x + past_start * ny, y - past_start * nx  # the direction is the normal turned left
    length += past_start + past_stop
    radius = pieces.size[owner[1], of_piece.RADIUS]
    return put_feature(features, index, count, LINE, owner, x, y, (-ny, nx), (nx, ny), length, radius)


@device
def put_endless(start, pose, owner, pieces, features, index, count):
    """Put the features of a piece without end; return the number of features."""
    row = pieces.outlines[start]
    x, y = moved(pose, pieces.vertices[start, 0], pieces.vertices[start, 1])
    first = turned(pose, row[of_outline.FROM_X], row[of_outline.FROM_Y])
    last = turned(pose, row[of_outline.TO_X], row[of_outline.TO_Y])
    reach = row[of_outline.ARC_RADIUS]
    if reach == 0.0:
        return put_feature(features, index, count, PLANE, owner, x, y, (-last[1], last[0]), last, 0.0, 0.0)
    count = put_feature(features, index, count, BOWL, owner, x, y, first, last, 0.0, reach)
    return put_feature(features, index, count, SOLID, owner, x, y, first, last, 0.0, reach)


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
    for piece in piece_rows:
        start = pieces.index[piece, of_piece.VERTEX_START]
        stop = start + pieces.index[piece, of_piece.VERTEX_COUNT]
        pose, owner = body_pose(pieces.index[piece, of_piece.BODY], bodies), (pieces.index[piece, of_piece.BODY], piece)
        if not has_end(piece, pieces):
            count = put_endless(start, pose, owner, pieces, features, index, count)
            continue
        has_arcs = False
        for k in range(start, stop):
            after = k + 1 if k + 1 < stop else start
            row = pieces.outlines[k]
            has_arcs = has_arcs or row[of_outline.CORNER_RADIUS] > 0.0
            is_exposed, is_bent = row[of_outline.EDGE] == of_outline.EXPOSED, row[of_outline.ARC_RADIUS] > 0.0
            if is_exposed and is_bent:
                count = put_bowl(k, after, pose, owner, pieces, features, index, count)
            if row[of_outline.CORNER] != 0.0:
                count = put_corner_feature(k, pose, owner, pieces, features, index, count)
            if is_exposed and not is_bent:
                count = put_line(k, after, pose, owner, pieces, slop, unit, features, index, count)
        if stop - start > 2 and not has_arcs:
            radius, nowhere = pieces.size[piece, of_piece.RADIUS], (0.0, 0.0)
            count = put_feature(features, index, count, SOLID, owner, pose.x, pose.y, nowhere, nowhere, 0.0, radius)
    return count


@device
def feature_box(feature, kind, piece, pieces, bodies):
    """The box (min_x, min_y, max_x, max_y) [m] of a feature where it is at the start of the step."""
    x, y, reach = feature[PLACE_X], feature[PLACE_Y], feature[REACH]
    if kind == PLANE:
        nx, ny = feature[TO], feature[TO + 1]
        return half_plane_box(nx, ny, x * nx + y * ny)
    if kind == SOLID:
        if not has_end(piece, pieces):
            return -NO_END, -NO_END, NO_END, NO_END
        pose, start = body_pose(pieces.index[piece, of_piece.BODY], bodies), pieces.index[piece, of_piece.VERTEX_START]
        low_x, low_y, high_x, high_y = NO_END, NO_END, -NO_END, -NO_END
        for k in range(start, start + pieces.index[piece, of_piece.VERTEX_COUNT]):
            vx, vy = moved(pose, pieces.vertices[k, 0], pieces.vertices[k, 1])
            low_x, low_y, high_x, high_y = min(low_x, vx), min(low_y, vy), max(high_x, vx), max(high_y, vy)
        return low_x, low_y, high_x, high_y
    if kind == LINE:
        other_x, other_y = x + feature[LENGTH] * feature[FROM], y + feature[LENGTH] * feature[FROM + 1]
        return min(x, other_x) - reach, min(y, other_y) - reach, max(x, other_x) + reach, max(y, other_y) + reach
    return arc_box(x, y, reach, feature[FROM], feature[FROM + 1], feature[TO], feature[TO + 1])


@device
def arc_box(x, y, radius, from_x, from_y, to_x, to_y):
    """The box of an arc; of the whole circle if both directions are 0."""
    if from_x == 0.0 and from_y == 0.0:
        return x - radius, y - radius, x + radius, y + radius
    low_x = -1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, -1.0, 0.0) else min(from_x, to_x)
    low_y = -1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, 0.0, -1.0) else min(from_y, to_y)
    high_x = 1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, 1.0, 0.0) else max(from_x, to_x)
    high_y = 1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, 0.0, 1.0) else max(from_y, to_y)
    return x + radius * low_x, y + radius * low_y, x + radius * high_x, y + radius * high_y


@stage
def set_velocities(start: int, stop: int, bodies: Bodies, features: FloatTable, index: IntTable):
    """Give the features from start to stop the velocity of their bodies. Reads body_velocity. Writes features."""
    for f in range(start, stop):
        features[f, SPEED_X] = bodies.velocity[index[f, FEATURE_BODY], of_body.X]
        features[f, SPEED_Y] = bodies.velocity[index[f, FEATURE_BODY], of_body.Y]
