"""Gap and normal of a ball and what it might touch, and the restitution of the two."""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.pair_roles import are_sensors, filters_agree
from ecs_collide.contours.piece_rows import has_end
from ecs_collide.data import bodies as of_body, pieces as of_piece
from ecs_collide.exact import exact_rows as layout, features as of_feature
from ecs_collide.exact.flight import place_in_flight
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.geometry.cone import in_cone, in_wedge
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.shapes import outline as of_outline
from ecs_collide.step.narrowphase.collect_contacts import MAXIMUM, combined_coefficient
from ecs_collide.step.narrowphase.piece_corners import SAME_DIRECTION

NO_GAP = 1e300
COINCIDENT = 1e-10
"""Fraction of the radii under which the direction from centre to centre is left to chance."""


@device
def partner_body(ball_index, counts, index, other):
    """The body row of a ball or feature."""
    n = counts[layout.BALLS]
    return ball_index[other, layout.BODY_ROW] if other < n else index[other - n, of_feature.FEATURE_BODY]


@device
def restitution_of(material, a, b):
    """The restitution of two bodies, combined by their rules."""
    return combined_coefficient(
        material[a, of_body.RESTITUTION],
        material[b, of_body.RESTITUTION],
        material[a, of_body.RESTITUTION_RULE],
        material[b, of_body.RESTITUTION_RULE],
        MAXIMUM,
    )


@device
def may_meet(filters, a, b):
    """Whether no filter keeps two bodies apart, and neither is a sensor to the other."""
    return filters_agree(filters, a, b) and not are_sensors(filters, a, b)


@device
def is_faced(feature, x, y):
    """Whether a direction is one of an arc's."""
    from_x, from_y = feature[of_feature.FROM], feature[of_feature.FROM + 1]
    to_x, to_y = feature[of_feature.TO], feature[of_feature.TO + 1]
    return in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, x, y)


@device
def ball_gap(ball, ball_index, entity, i, j, now):
    """(gap [m], normal from ball i to ball j) at a time [s].

    Balls in one place part in a direction that follows from their entities.
    """
    x, y = place_in_flight(ball, i, now)
    other_x, other_y = place_in_flight(ball, j, now)
    dx, dy = other_x - x, other_y - y
    radii = ball[i, layout.RADIUS] + ball[j, layout.RADIUS]
    distance = sqrt(dx * dx + dy * dy)
    if distance > COINCIDENT * radii:
        return distance - radii, dx / distance, dy / distance
    a, b = entity[ball_index[i, layout.BODY_ROW]], entity[ball_index[j, layout.BODY_ROW]]
    mixed = (min(a, b) * 1103515245 + max(a, b) * 12345) & 0xFFFF
    x, y = cos_sin(mixed * 9.587379924285257e-05)  # 2 pi / 65536
    return (-radii, x, y) if a < b else (-radii, -x, -y)


@subroutine
def feature_gap(row, kind, piece, frame, pieces, x, y, radius):
    """(gap [m], normal to the feature) of a ball that is at (x, y) as seen from it.

    No gap where the feature does not face the ball.
    """
    if kind == of_feature.SOLID:
        return solid_gap(row, frame, pieces, piece, x, y, radius)
    if kind in (of_feature.CORNER_FEATURE, of_feature.BOWL):
        distance = sqrt(x * x + y * y)
        if distance == 0.0 or not is_faced(row, x / distance, y / distance):
            return NO_GAP, 0.0, 0.0
        if kind == of_feature.CORNER_FEATURE:
            return distance - radius - row[of_feature.REACH], -x / distance, -y / distance
        if distance > row[of_feature.REACH]:
            return NO_GAP, 0.0, 0.0
        return row[of_feature.REACH] - distance - radius, x / distance, y / distance
    normal_x, normal_y = row[of_feature.TO], row[of_feature.TO + 1]
    separation = x * normal_x + y * normal_y
    if kind == of_feature.PLANE:
        return separation - radius, -normal_x, -normal_y
    along = x * row[of_feature.FROM] + y * row[of_feature.FROM + 1]
    if separation <= 0.0 or along < 0.0 or along > row[of_feature.LENGTH]:
        return NO_GAP, 0.0, 0.0
    return separation - radius - row[of_feature.REACH], -normal_x, -normal_y


@device
def solid_gap(row, frame, pieces, piece, x, y, radius):
    """(gap, normal into the solid) of a ball whose centre is inside a piece, along the shortest way out of it."""
    if not has_end(piece, pieces):
        distance = sqrt(x * x + y * y)
        if distance <= row[of_feature.REACH]:
            return NO_GAP, 0.0, 0.0
        x, y = x / distance, y / distance
        if not in_wedge(
            row[of_feature.FROM], row[of_feature.FROM + 1], row[of_feature.TO], row[of_feature.TO + 1], x, y
        ):
            return NO_GAP, 0.0, 0.0
        return row[of_feature.REACH] - distance - radius, x, y
    body = pieces.index[piece, of_piece.BODY]
    c, s = frame[body, of_body.COS], frame[body, of_body.SIN]
    x, y = c * x + s * y, c * y - s * x
    start = pieces.index[piece, of_piece.VERTEX_START]
    nearest, normal_x, normal_y = -NO_GAP, 0.0, 0.0
    for k in range(start, start + pieces.index[piece, of_piece.VERTEX_COUNT]):
        nx, ny, outline = pieces.normals[k, 0], pieces.normals[k, 1], pieces.outlines[k]
        separation = (x - pieces.vertices[k, 0]) * nx + (y - pieces.vertices[k, 1]) * ny
        is_exposed = outline[of_outline.EDGE] == of_outline.EXPOSED
        if is_exposed and outline[of_outline.ARC_RADIUS] > 0.0:
            gap, nx, ny = inside_arc(
                outline[of_outline.ARC_X], outline[of_outline.ARC_Y], outline[of_outline.ARC_RADIUS], x, y
            )
            separation = max(separation, gap)
        if separation > 0.0:
            return NO_GAP, 0.0, 0.0
        if is_exposed and separation > nearest:
            nearest, normal_x, normal_y = separation, nx, ny
    if nearest == -NO_GAP:
        return NO_GAP, 0.0, 0.0
    normal_x, normal_y = c * normal_x - s * normal_y, s * normal_x + c * normal_y
    return nearest - row[of_feature.REACH] - radius, -normal_x, -normal_y


@device
def gap_of(simulation, obstacles, bodies, pieces, i, other, now):
    """(gap [m], normal) of ball i and a ball or feature at a time [s]."""
    n = simulation.counts[layout.BALLS]
    if other < n:
        return ball_gap(simulation.ball, simulation.ball_index, bodies.entity, i, other, now)
    ball, row, index = simulation.ball, obstacles.features[other - n], obstacles.index[other - n]
    x, y = place_in_flight(simulation.ball, i, now)
    x -= row[of_feature.PLACE_X] + row[of_feature.SPEED_X] * now
    y -= row[of_feature.PLACE_Y] + row[of_feature.SPEED_Y] * now
    kind, piece = index[of_feature.FEATURE_KIND], index[of_feature.FEATURE_PIECE]
    return feature_gap(row, kind, piece, bodies.frame, pieces, x, y, ball[i, layout.RADIUS])


@device
def partner_velocity(ball, counts, features, other):
    """The velocity [m/s] of a ball, at its own time, or of a feature."""
    n = counts[layout.BALLS]
    if other < n:
        return ball[other, layout.VX], ball[other, layout.VY]
    return features[other - n, of_feature.SPEED_X], features[other - n, of_feature.SPEED_Y]
