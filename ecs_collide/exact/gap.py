"""Gap and normal of a ball and a partner, and the restitution of the two."""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.pair_roles import are_sensors, filters_agree
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data.bodies import FRAME, MATERIAL
from ecs_collide.data.pieces import PIECE
from ecs_collide.exact import feature_rows as kinds
from ecs_collide.exact.exact_rows import BALL, BALL_INDEX, COUNTS
from ecs_collide.exact.feature_rows import FEATURE, FEATURE_INDEX
from ecs_collide.exact.flight import place_in_flight
from ecs_collide.geometry.arc import inside_arc
from ecs_collide.geometry.cone import in_cone, in_wedge
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase.collect_contacts import combined_restitution
from ecs_collide.step.narrowphase.piece_corners import SAME_DIRECTION

NO_GAP = 1e300
"""Gap to a feature that does not face the ball."""
COINCIDENT = 1e-10
"""Distance of two centres, in sums of radii, below which their direction is rounding."""


@device
def partner_body(simulation, obstacles, other):
    """Return the body row of a ball or feature."""
    n = simulation.counts[COUNTS.BALLS]
    return (
        simulation.ball_index[other, BALL_INDEX.BODY] if other < n else obstacles.index[other - n, FEATURE_INDEX.BODY]
    )


@device
def partner_part(simulation, obstacles, other):
    """Return the part of its shape that a feature belongs to, 0 for a ball."""
    n = simulation.counts[COUNTS.BALLS]
    return 0 if other < n else obstacles.index[other - n, FEATURE_INDEX.PART]


@device
def restitution_of_pair(simulation, obstacles, bodies, i, other):
    """Return the restitution of ball i and a ball or feature, combined by the rules of their colliders."""
    n, body = simulation.counts[COUNTS.BALLS], simulation.ball_index[i, BALL_INDEX.BODY]
    partner = partner_body(simulation, obstacles, other)
    theirs = bodies.material[partner, MATERIAL.RESTITUTION]
    if other >= n and obstacles.features[other - n, FEATURE.RESTITUTION] >= 0.0:
        theirs = obstacles.features[other - n, FEATURE.RESTITUTION]
    return combined_restitution(body, partner, bodies.material[body, MATERIAL.RESTITUTION], theirs, bodies)


@device
def can_meet(filters, a, b):
    """Return True if no filter keeps two bodies apart, and neither is a sensor to the other."""
    return filters_agree(filters, a, b) and not are_sensors(filters, a, b)


@device
def is_faced(feature, x, y):
    """Return True if a direction is one of an arc's directions."""
    from_x, from_y = feature[FEATURE.FROM_X], feature[FEATURE.FROM_Y]
    to_x, to_y = feature[FEATURE.TO_X], feature[FEATURE.TO_Y]
    return in_cone(from_x, from_y, to_x, to_y, SAME_DIRECTION, x, y)


@device
def ball_gap(simulation, entity, i, j, now):
    """Return (gap [m], normal from ball i to ball j) at a time [s].

    Balls at the same place part in a direction that follows from their entities.
    """
    x, y = place_in_flight(simulation.ball, i, now)
    other_x, other_y = place_in_flight(simulation.ball, j, now)
    dx, dy = other_x - x, other_y - y
    radii = simulation.ball[i, BALL.RADIUS] + simulation.ball[j, BALL.RADIUS]
    distance = sqrt(dx * dx + dy * dy)
    if distance > COINCIDENT * radii:
        return distance - radii, dx / distance, dy / distance
    a, b = entity[simulation.ball_index[i, BALL_INDEX.BODY]], entity[simulation.ball_index[j, BALL_INDEX.BODY]]
    mixed = (min(a, b) * 1103515245 + max(a, b) * 12345) & 0xFFFF
    x, y = cos_sin(mixed * 9.587379924285257e-05)  # 2 pi / 65536
    return (-radii, x, y) if a < b else (-radii, -x, -y)


@subroutine
def feature_gap(row, kind, piece, frame, pieces, x, y, radius):
    """Return (gap [m], normal to the feature) of a ball at (x, y) relative to the feature.

    The gap is NO_GAP if the feature does not face the ball.
    """
    if kind == kinds.SOLID:
        return solid_gap(row, frame, pieces, piece, x, y, radius)
    if kind in (kinds.CORNER, kinds.BOWL):
        distance = sqrt(x * x + y * y)
        if distance == 0.0 or not is_faced(row, x / distance, y / distance):
            return NO_GAP, 0.0, 0.0
        if kind == kinds.CORNER:
            return distance - radius - row[FEATURE.RADIUS], -x / distance, -y / distance
        if distance > row[FEATURE.RADIUS]:
            return NO_GAP, 0.0, 0.0
        return row[FEATURE.RADIUS] - distance - radius, x / distance, y / distance
    normal_x, normal_y = row[FEATURE.TO_X], row[FEATURE.TO_Y]
    separation = x * normal_x + y * normal_y
    if kind == kinds.PLANE:
        return separation - radius, -normal_x, -normal_y
    along = x * row[FEATURE.FROM_X] + y * row[FEATURE.FROM_Y]
    if separation <= 0.0 or along < 0.0 or along > row[FEATURE.LENGTH]:
        return NO_GAP, 0.0, 0.0
    return separation - radius - row[FEATURE.RADIUS], -normal_x, -normal_y


@device
def solid_gap(row, frame, pieces, piece, x, y, radius):
    """Return (gap [m], normal into the solid) of a ball whose centre is inside a piece, along the shortest way out."""
    if not is_piece_bounded(piece, pieces):
        distance = sqrt(x * x + y * y)
        if distance <= row[FEATURE.RADIUS]:
            return NO_GAP, 0.0, 0.0
        x, y = x / distance, y / distance
        if not in_wedge(row[FEATURE.FROM_X], row[FEATURE.FROM_Y], row[FEATURE.TO_X], row[FEATURE.TO_Y], x, y):
            return NO_GAP, 0.0, 0.0
        return row[FEATURE.RADIUS] - distance - radius, x, y
    # The exposed edge that is closest to the centre.
    body = pieces.index[piece, PIECE.BODY]
    c, s = frame[body, FRAME.COS], frame[body, FRAME.SIN]
    x, y = c * x + s * y, c * y - s * x
    start = pieces.index[piece, PIECE.VERTEX_START]
    nearest, normal_x, normal_y = -NO_GAP, 0.0, 0.0
    for k in range(start, start + pieces.index[piece, PIECE.VERTEX_COUNT]):
        nx, ny, outline = pieces.normals[k, X], pieces.normals[k, Y], pieces.outlines[k]
        separation = (x - pieces.vertices[k, X]) * nx + (y - pieces.vertices[k, Y]) * ny
        is_exposed = outline[OUTLINE.EDGE] == of_outline.EXPOSED
        if is_exposed and outline[OUTLINE.ARC_RADIUS] > 0.0:
            gap, nx, ny = inside_arc(outline[OUTLINE.ARC_X], outline[OUTLINE.ARC_Y], outline[OUTLINE.ARC_RADIUS], x, y)
            separation = max(separation, gap)
        if separation > 0.0:
            return NO_GAP, 0.0, 0.0
        if is_exposed and separation > nearest:
            nearest, normal_x, normal_y = separation, nx, ny
    if nearest == -NO_GAP:
        return NO_GAP, 0.0, 0.0
    normal_x, normal_y = c * normal_x - s * normal_y, s * normal_x + c * normal_y
    return nearest - row[FEATURE.RADIUS] - radius, -normal_x, -normal_y


@device
def gap_of(simulation, obstacles, bodies, pieces, i, other, now):
    """Return (gap [m], normal) of ball i and a ball or feature at a time [s]."""
    n = simulation.counts[COUNTS.BALLS]
    if other < n:
        return ball_gap(simulation, bodies.entity, i, other, now)
    ball, row, index = simulation.ball, obstacles.features[other - n], obstacles.index[other - n]
    x, y = place_in_flight(simulation.ball, i, now)
    x -= row[FEATURE.PLACE_X] + row[FEATURE.SPEED_X] * now
    y -= row[FEATURE.PLACE_Y] + row[FEATURE.SPEED_Y] * now
    kind, piece = index[FEATURE_INDEX.KIND], index[FEATURE_INDEX.PIECE]
    return feature_gap(row, kind, piece, bodies.frame, pieces, x, y, ball[i, BALL.RADIUS])


@device
def partner_velocity(simulation, obstacles, other):
    """Return the velocity [m/s] of a ball, at its own time, or of a feature."""
    n = simulation.counts[COUNTS.BALLS]
    if other < n:
        return simulation.ball[other, BALL.VX], simulation.ball[other, BALL.VY]
    return obstacles.features[other - n, FEATURE.SPEED_X], obstacles.features[other - n, FEATURE.SPEED_Y]
