"""Body frames and fat boxes, brought up to date at the start of a step."""

from __future__ import annotations

from math import isfinite

from ecs_collide.columns.bodies import ANGLE, CENTER_X, CENTER_Y, COS, FRAME_ANGLE, SIN, X, Y
from ecs_collide.columns.bodies import LOCAL_X as MASS_X
from ecs_collide.columns.bodies import LOCAL_Y as MASS_Y
from ecs_collide.columns.pieces import (
    BODY,
    HALF_X,
    HALF_Y,
    KIND,
    LOCAL_X,
    LOCAL_Y,
    MARGIN,
    MAX_X,
    MAX_Y,
    MIN_X,
    MIN_Y,
    RADIUS,
    VERTEX_START,
)
from ecs_collide.jit import device, stage
from ecs_collide.rotation import cos_sin
from ecs_collide.shapes import PieceKind

HALF_PLANE, RING = int(PieceKind.HALF_PLANE), int(PieceKind.RING)
INF = 1.7976931348623157e308  # the largest number: an empty box, which is infinite, must not meet it
AXIS_ALIGNED = 1e-12


@stage
def refresh_frames(body_rows, bodies):
    """Bring the frames of the given bodies in line with their poses; return the first row with a bad number, or -1.

    Reads body_pose [m, rad] (n, 3), body_velocity (n, 3), body_force and body_push (n, 3), body_mass (n, 5).
    Writes body_frame (n, 5), only if every number is finite.
    """
    for row in body_rows:
        total = 0.0
        for k in range(3):
            total += bodies.pose[row, k] * 0.0 + bodies.velocity[row, k] * 0.0
            total += bodies.force[row, k] * 0.0 + bodies.push[row, k] * 0.0
        if not isfinite(total):
            return row
    for row in body_rows:
        angle = bodies.pose[row, ANGLE]
        if angle != bodies.frame[row, FRAME_ANGLE]:
            c, s = cos_sin(angle)
            bodies.frame[row, COS] = c
            bodies.frame[row, SIN] = s
            bodies.frame[row, FRAME_ANGLE] = angle
        c, s = bodies.frame[row, COS], bodies.frame[row, SIN]
        local_x, local_y = bodies.mass[row, MASS_X], bodies.mass[row, MASS_Y]
        bodies.frame[row, CENTER_X] = bodies.pose[row, X] + c * local_x - s * local_y
        bodies.frame[row, CENTER_Y] = bodies.pose[row, Y] + s * local_x + c * local_y
    return -1


@device
def half_plane_box(normal_x, normal_y, offset):
    """The box of a half-plane: half infinite where its boundary is axis-aligned, else everything."""
    if abs(normal_x) < AXIS_ALIGNED:
        return (-INF, -INF, INF, offset) if normal_y > 0.0 else (-INF, -offset, INF, INF)
    if abs(normal_y) < AXIS_ALIGNED:
        return (-INF, -INF, offset, INF) if normal_x > 0.0 else (-offset, -INF, INF, INF)
    return (-INF, -INF, INF, INF)


@device
def ring_side(end_a, end_b, direction_a, direction_b):
    """How far a ring reaches along an axis, from the places of its arc's ends along it and their directions' parts."""
    low = -INF if min(direction_a, direction_b) < -AXIS_ALIGNED else min(end_a, end_b)
    high = INF if max(direction_a, direction_b) > AXIS_ALIGNED else max(end_a, end_b)
    return low, high


@device
def piece_box(piece, pieces, bodies):
    """The box (min_x, min_y, max_x, max_y) [m] of a piece, without margin; a polygon's is that of its local box."""
    row = pieces.index[piece, BODY]
    x, y = bodies.frame[row, CENTER_X], bodies.frame[row, CENTER_Y]
    c, s = bodies.frame[row, COS], bodies.frame[row, SIN]
    if pieces.index[piece, KIND] == HALF_PLANE:
        v = pieces.index[piece, VERTEX_START]
        local_x, local_y = pieces.normals[v, 0], pieces.normals[v, 1]
        normal_x, normal_y = c * local_x - s * local_y, s * local_x + c * local_y
        local_x, local_y = pieces.vertices[v, 0], pieces.vertices[v, 1]
        point_x, point_y = x + c * local_x - s * local_y, y + s * local_x + c * local_y
        return half_plane_box(normal_x, normal_y, point_x * normal_x + point_y * normal_y)
    if pieces.index[piece, KIND] == RING:
        v = pieces.index[piece, VERTEX_START]
        vertices, normals = pieces.vertices, pieces.normals
        low_x, high_x = ring_side(
            x + c * vertices[v + 1, 0] - s * vertices[v + 1, 1],
            x + c * vertices[v + 2, 0] - s * vertices[v + 2, 1],
            c * normals[v + 1, 0] - s * normals[v + 1, 1],
            c * normals[v + 2, 0] - s * normals[v + 2, 1],
        )
        low_y, high_y = ring_side(
            y + s * vertices[v + 1, 0] + c * vertices[v + 1, 1],
            y + s * vertices[v + 2, 0] + c * vertices[v + 2, 1],
            s * normals[v + 1, 0] + c * normals[v + 1, 1],
            s * normals[v + 2, 0] + c * normals[v + 2, 1],
        )
        return (low_x, low_y, high_x, high_y)
    local_x, local_y = pieces.size[piece, LOCAL_X], pieces.size[piece, LOCAL_Y]
    middle_x, middle_y = x + c * local_x - s * local_y, y + s * local_x + c * local_y
    half_x, half_y, radius = pieces.size[piece, HALF_X], pieces.size[piece, HALF_Y], pieces.size[piece, RADIUS]
    extent_x = abs(c) * half_x + abs(s) * half_y + radius
    extent_y = abs(s) * half_x + abs(c) * half_y + radius
    return (middle_x - extent_x, middle_y - extent_y, middle_x + extent_x, middle_y + extent_y)


@stage
def refresh_boxes(piece_rows, bodies, pieces, speculative):
    """Renew the fat box of each given piece that has left it; return how many have `moved` set now.

    A fat box is the piece's box grown by half the speculative distance and by its own margin.
    Reads body_frame, piece_index, piece_size. Writes piece_box [m] (p, 4), piece_moved (p,).
    """
    moved_count = 0
    reach = 0.5 * speculative
    for piece in piece_rows:
        low_x, low_y, high_x, high_y = piece_box(piece, pieces, bodies)
        low_x, low_y, high_x, high_y = low_x - reach, low_y - reach, high_x + reach, high_y + reach
        if not (
            low_x >= pieces.box[piece, MIN_X]
            and low_y >= pieces.box[piece, MIN_Y]
            and high_x <= pieces.box[piece, MAX_X]
            and high_y <= pieces.box[piece, MAX_Y]
        ):
            margin = pieces.size[piece, MARGIN]
            pieces.box[piece, MIN_X] = low_x - margin
            pieces.box[piece, MIN_Y] = low_y - margin
            pieces.box[piece, MAX_X] = high_x + margin
            pieces.box[piece, MAX_Y] = high_y + margin
            pieces.moved[piece] = 1
        moved_count += pieces.moved[piece]
    return moved_count
