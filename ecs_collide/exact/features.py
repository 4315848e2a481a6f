"""Build the features that balls can hit from the outlines of static and kinematic pieces.

A one-sided line stops circles whose centre is in front of it. Hidden edges, and corners that the outline excludes, give
no features. If the surface continues flat or concave past the end of an edge, the edge is made longer by the slop. So a
gap between two tiles is no hole.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.common.part_material import value_of
from ecs_collide.common.tolerances import NO_END
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data.bodies import VELOCITY, Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.exact import feature_rows as kinds
from ecs_collide.exact.feature_rows import FEATURE, FEATURE_INDEX
from ecs_collide.geometry.cone import in_cone
from ecs_collide.geometry.pose import rotate_vector, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.material import MATERIAL_VALUE
from ecs_collide.shapes.measure import FORM_PART
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.broadphase.boxes import half_plane_box
from ecs_collide.step.narrowphase.piece_corners import SAME_DIRECTION, hollow_span

ROUNDING = 1e-9
"""Length added to an edge at a convex corner, so that no gap opens between them by rounding [length units]."""


class Surface(NamedTuple):
    """Geometry of a feature, see `feature_rows.py`."""

    x: float
    y: float
    first: tuple[float, float]
    """Direction of a line, or first direction of an arc."""
    last: tuple[float, float]
    """Normal of a line, or last direction of an arc."""
    length: float
    radius: float


@device
def add_feature(features, index, count, kind, owner, surface):
    """Write a feature of the body and piece `owner` into row `count`; return the new number of features."""
    row, entry = features[count], index[count]
    row[FEATURE.PLACE_X], row[FEATURE.PLACE_Y] = surface.x, surface.y
    row[FEATURE.FROM_X], row[FEATURE.FROM_Y] = surface.first
    row[FEATURE.TO_X], row[FEATURE.TO_Y] = surface.last
    row[FEATURE.LENGTH], row[FEATURE.RADIUS] = surface.length, surface.radius
    row[FEATURE.SPEED_X], row[FEATURE.SPEED_Y] = 0.0, 0.0
    entry[FEATURE_INDEX.KIND] = kind
    entry[FEATURE_INDEX.BODY], entry[FEATURE_INDEX.PIECE] = owner
    return count + 1


@device
def add_bowl(k, after, pose, owner, pieces, features, index, count):
    """Add the feature of the inward arc from corner k; return the number of features."""
    row = pieces.outlines[k]
    radius = row[OUTLINE.ARC_RADIUS] - pieces.size[owner[1], PIECE_SIZE.RADIUS]
    if radius <= 0.0:
        return count
    from_x, from_y, to_x, to_y = hollow_span(k, after, pieces)
    x, y = transform_point(pose, row[OUTLINE.ARC_X], row[OUTLINE.ARC_Y])
    first, last = rotate_vector(pose, from_x, from_y), rotate_vector(pose, to_x, to_y)
    return add_feature(
        features, index, count, kinds.BOWL, owner, Surface(x=x, y=y, first=first, last=last, length=0.0, radius=radius)
    )


@device
def add_corner(k, pose, owner, pieces, features, index, count):
    """Add the feature of corner k, which may be an arc; return the number of features."""
    row = pieces.outlines[k]
    radius = pieces.size[owner[1], PIECE_SIZE.RADIUS] + row[OUTLINE.CORNER_RADIUS]
    x, y = transform_point(pose, pieces.vertices[k, X], pieces.vertices[k, Y])
    first = rotate_vector(pose, row[OUTLINE.FROM_X], row[OUTLINE.FROM_Y])
    last = rotate_vector(pose, row[OUTLINE.TO_X], row[OUTLINE.TO_Y])
    return add_feature(
        features,
        index,
        count,
        kinds.CORNER,
        owner,
        Surface(x=x, y=y, first=first, last=last, length=0.0, radius=radius),
    )


@device
def add_line(k, after, pose, owner, pieces, slop, unit, features, index, count):
    """Add the feature of the straight edge from corner k; return the number of features."""
    vertices, row = pieces.vertices, pieces.outlines[k]
    dx, dy = vertices[after, X] - vertices[k, X], vertices[after, Y] - vertices[k, Y]
    length = sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return count
    # Make the edge longer at both ends.
    past_start = ROUNDING * unit if row[OUTLINE.START] == of_outline.CONVEX else slop
    past_stop = ROUNDING * unit if row[OUTLINE.STOP] == of_outline.CONVEX else slop
    x, y = transform_point(pose, vertices[k, X], vertices[k, Y])
    nx, ny = rotate_vector(pose, pieces.normals[k, X], pieces.normals[k, Y])
    x, y = x + past_start * ny, y - past_start * nx  # the edge runs along the normal turned left
    length += past_start + past_stop
    radius = pieces.size[owner[1], PIECE_SIZE.RADIUS]
    return add_feature(
        features,
        index,
        count,
        kinds.LINE,
        owner,
        Surface(x=x, y=y, first=(-ny, nx), last=(nx, ny), length=length, radius=radius),
    )


@device
def add_endless(start, pose, owner, pieces, features, index, count):
    """Add the features of a half-plane, or of the inside of a disc; return the number of features."""
    row = pieces.outlines[start]
    x, y = transform_point(pose, pieces.vertices[start, X], pieces.vertices[start, Y])
    first = rotate_vector(pose, row[OUTLINE.FROM_X], row[OUTLINE.FROM_Y])
    last = rotate_vector(pose, row[OUTLINE.TO_X], row[OUTLINE.TO_Y])
    radius = row[OUTLINE.ARC_RADIUS]
    if radius == 0.0:
        plane = Surface(x=x, y=y, first=(-last[1], last[0]), last=last, length=0.0, radius=0.0)
        return add_feature(features, index, count, kinds.PLANE, owner, plane)
    bowl = Surface(x=x, y=y, first=first, last=last, length=0.0, radius=radius)
    count = add_feature(features, index, count, kinds.BOWL, owner, bowl)
    return add_feature(features, index, count, kinds.SOLID, owner, bowl)


@kernel
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
    (f, 11) and index (f, 4), see `feature_rows.py`.
    """
    for piece in piece_rows:
        first = count
        start = pieces.index[piece, PIECE.VERTEX_START]
        stop = start + pieces.index[piece, PIECE.VERTEX_COUNT]
        pose, owner = body_pose(pieces.index[piece, PIECE.BODY], bodies), (pieces.index[piece, PIECE.BODY], piece)
        if not is_piece_bounded(piece, pieces):
            count = add_endless(start, pose, owner, pieces, features, index, count)
            write_part(piece, pieces, features, index, first, count)
            continue
        # Edges and corners.
        has_arcs = False
        for k in range(start, stop):
            after = k + 1 if k + 1 < stop else start
            row = pieces.outlines[k]
            has_arcs = has_arcs or row[OUTLINE.CORNER_RADIUS] > 0.0
            is_exposed, is_bent = row[OUTLINE.EDGE] == of_outline.EXPOSED, row[OUTLINE.ARC_RADIUS] > 0.0
            if is_exposed and is_bent:
                count = add_bowl(k, after, pose, owner, pieces, features, index, count)
            if row[OUTLINE.CORNER] != 0.0:
                count = add_corner(k, pose, owner, pieces, features, index, count)
            if is_exposed and not is_bent:
                count = add_line(k, after, pose, owner, pieces, slop, unit, features, index, count)
        # The inside.
        if stop - start > 2 and not has_arcs:
            radius, nowhere = pieces.size[piece, PIECE_SIZE.RADIUS], (0.0, 0.0)
            inside = Surface(x=pose.x, y=pose.y, first=nowhere, last=nowhere, length=0.0, radius=radius)
            count = add_feature(features, index, count, kinds.SOLID, owner, inside)
        write_part(piece, pieces, features, index, first, count)
    return count


@device
def write_part(piece, pieces, features, index, start, stop):
    """Write the part of a piece, and the restitution that its material gives, to the features from start to stop."""
    for f in range(start, stop):
        index[f, FEATURE_INDEX.PART] = pieces.part[piece, FORM_PART.NUMBER]
        features[f, FEATURE.RESTITUTION] = value_of(piece, MATERIAL_VALUE.RESTITUTION, -1.0, pieces)


@device
def feature_box(feature, kind, piece, pieces, bodies):
    """Return the box (min_x, min_y, max_x, max_y) [m] of a feature at the start of the step."""
    x, y, radius = feature[FEATURE.PLACE_X], feature[FEATURE.PLACE_Y], feature[FEATURE.RADIUS]
    if kind == kinds.PLANE:
        nx, ny = feature[FEATURE.TO_X], feature[FEATURE.TO_Y]
        return half_plane_box(nx, ny, x * nx + y * ny)
    if kind == kinds.SOLID:
        if not is_piece_bounded(piece, pieces):
            return -NO_END, -NO_END, NO_END, NO_END
        pose, start = body_pose(pieces.index[piece, PIECE.BODY], bodies), pieces.index[piece, PIECE.VERTEX_START]
        low_x, low_y, high_x, high_y = NO_END, NO_END, -NO_END, -NO_END
        for k in range(start, start + pieces.index[piece, PIECE.VERTEX_COUNT]):
            vx, vy = transform_point(pose, pieces.vertices[k, X], pieces.vertices[k, Y])
            low_x, low_y, high_x, high_y = min(low_x, vx), min(low_y, vy), max(high_x, vx), max(high_y, vy)
        return low_x, low_y, high_x, high_y
    from_x, from_y = feature[FEATURE.FROM_X], feature[FEATURE.FROM_Y]
    if kind == kinds.LINE:
        other_x, other_y = x + feature[FEATURE.LENGTH] * from_x, y + feature[FEATURE.LENGTH] * from_y
        return min(x, other_x) - radius, min(y, other_y) - radius, max(x, other_x) + radius, max(y, other_y) + radius
    return arc_box(x, y, radius, from_x, from_y, feature[FEATURE.TO_X], feature[FEATURE.TO_Y])


@device
def arc_box(x, y, radius, from_x, from_y, to_x, to_y):
    """Return the box of an arc, or of the whole circle if both directions are 0."""
    if from_x == 0.0 and from_y == 0.0:
        return x - radius, y - radius, x + radius, y + radius
    low_x = -1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, -1.0, 0.0) else min(from_x, to_x)
    low_y = -1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, 0.0, -1.0) else min(from_y, to_y)
    high_x = 1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, 1.0, 0.0) else max(from_x, to_x)
    high_y = 1.0 if in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, 0.0, 1.0) else max(from_y, to_y)
    return x + radius * low_x, y + radius * low_y, x + radius * high_x, y + radius * high_y


@kernel
def set_velocities(start: int, stop: int, bodies: Bodies, features: FloatTable, index: IntTable):
    """Copy the velocities of the bodies to the features from start to stop. Reads body_velocity. Writes features."""
    for f in range(start, stop):
        features[f, FEATURE.SPEED_X] = bodies.velocity[index[f, FEATURE_INDEX.BODY], VELOCITY.X]
        features[f, FEATURE.SPEED_Y] = bodies.velocity[index[f, FEATURE_INDEX.BODY], VELOCITY.Y]
