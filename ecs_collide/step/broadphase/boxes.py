"""Body frames and fat boxes, updated at the start of a step."""

from __future__ import annotations

from math import isfinite

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.look_ahead import FAST, LookAhead
from ecs_collide.common.tolerances import NO_END
from ecs_collide.data.bodies import FRAME, MASS, POSE, VELOCITY, Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import rotate_vector, transform_point
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels import simd
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.validate import LARGEST, LARGEST_ANGLE

AXIS_ALIGNED = 1e-12

SCALE, ANGLE_SCALE = 1.79e308 / LARGEST, 1.79e308 / LARGEST_ANGLE

FRONT, BACK = 1.5, 0.75
"""Largest shifts of a fat box's front and back, in margins. The limits keep a body inside that turns round."""


@kernel
def update_frames(body_rows: Ints, bodies: Bodies):
    """Update the frames of the given bodies from their poses; return the first row with an invalid number, or -1.

    A number is invalid if it is not finite, or if it exceeds `LARGEST` or `LARGEST_ANGLE`, beyond which products
    overflow. Angular velocities are limited to `LARGEST_SPIN`. Reads body_pose [m, rad] (n, 3), body_velocity (n, 3),
    body_force and body_push (n, 3), body_mass (n, 5). Writes body_frame (n, 5) and body_velocity (angular), only if all
    numbers are valid.
    """
    for row in body_rows:
        total = bodies.pose[row, POSE.ANGLE] * ANGLE_SCALE * 0.0
        for k in range(3):
            total += bodies.pose[row, k] * SCALE * 0.0 + bodies.velocity[row, k] * SCALE * 0.0
            total += bodies.force[row, k] * SCALE * 0.0 + bodies.push[row, k] * SCALE * 0.0
        if not isfinite(total):
            return row
    for row in body_rows:
        bodies.velocity[row, VELOCITY.ANGULAR] = min(
            max(bodies.velocity[row, VELOCITY.ANGULAR], -tuning.LARGEST_SPIN), tuning.LARGEST_SPIN
        )
        angle = bodies.pose[row, POSE.ANGLE]
        if angle != bodies.frame[row, FRAME.ANGLE]:
            c, s = cos_sin(angle)
            bodies.frame[row, FRAME.COS] = c
            bodies.frame[row, FRAME.SIN] = s
            bodies.frame[row, FRAME.ANGLE] = angle
        c, s = bodies.frame[row, FRAME.COS], bodies.frame[row, FRAME.SIN]
        local_x, local_y = bodies.mass[row, MASS.LOCAL_X], bodies.mass[row, MASS.LOCAL_Y]
        bodies.frame[row, FRAME.CENTER_X] = bodies.pose[row, POSE.X] + c * local_x - s * local_y
        bodies.frame[row, FRAME.CENTER_Y] = bodies.pose[row, POSE.Y] + s * local_x + c * local_y
    return -1


@device
def is_frame_current(row, bodies):
    """Return True if the frame of a body is the one of its pose, to the bit."""
    frame, pose, mass = bodies.frame[row], bodies.pose[row], bodies.mass[row]
    c, s, local_x, local_y = frame[FRAME.COS], frame[FRAME.SIN], mass[MASS.LOCAL_X], mass[MASS.LOCAL_Y]
    return (
        pose[POSE.ANGLE] == frame[FRAME.ANGLE]
        and pose[POSE.X] + c * local_x - s * local_y == frame[FRAME.CENTER_X]
        and pose[POSE.Y] + s * local_x + c * local_y == frame[FRAME.CENTER_Y]
    )


@device
def half_plane_box(normal_x, normal_y, offset):
    """Return the box of a half-plane: bounded on one side if its boundary is axis-aligned, else unbounded."""
    if abs(normal_x) < AXIS_ALIGNED:
        return (-NO_END, -NO_END, NO_END, offset) if normal_y > 0.0 else (-NO_END, -offset, NO_END, NO_END)
    if abs(normal_y) < AXIS_ALIGNED:
        return (-NO_END, -NO_END, offset, NO_END) if normal_x > 0.0 else (-offset, -NO_END, NO_END, NO_END)
    return (-NO_END, -NO_END, NO_END, NO_END)


@device
def ring_side(end_a, end_b, direction_a, direction_b):
    """Return the interval that a ring's arc covers along an axis [m].

    `end_a` and `end_b` are the places of the arc's ends along the axis, `direction_a` and `direction_b` the components
    of their directions.
    """
    low = -NO_END if min(direction_a, direction_b) < -AXIS_ALIGNED else min(end_a, end_b)
    high = NO_END if max(direction_a, direction_b) > AXIS_ALIGNED else max(end_a, end_b)
    return low, high


@device
def unbounded_box(piece, pieces, bodies):
    """Return the box (min_x, min_y, max_x, max_y) [m] of a half-plane or a part of a ring, without margin."""
    v = pieces.index[piece, PIECE.VERTEX_START]
    pose, outline = body_pose(pieces.index[piece, PIECE.BODY], bodies), pieces.outlines[v]
    x, y = transform_point(pose, pieces.vertices[v, X], pieces.vertices[v, Y])
    radius = outline[OUTLINE.ARC_RADIUS]
    if radius == 0.0:
        normal_x, normal_y = rotate_vector(pose, pieces.normals[v, X], pieces.normals[v, Y])
        return half_plane_box(normal_x, normal_y, x * normal_x + y * normal_y)
    from_x, from_y = rotate_vector(pose, outline[OUTLINE.FROM_X], outline[OUTLINE.FROM_Y])
    to_x, to_y = rotate_vector(pose, outline[OUTLINE.TO_X], outline[OUTLINE.TO_Y])
    low_x, high_x = ring_side(x + radius * from_x, x + radius * to_x, from_x, to_x)
    low_y, high_y = ring_side(y + radius * from_y, y + radius * to_y, from_y, to_y)
    return (low_x, low_y, high_x, high_y)


@device
def box_of(piece, bodies, pieces):
    """Return the box (min_x, min_y, max_x, max_y) [m] of a bounded piece."""
    pose, size = body_pose(pieces.index[piece, PIECE.BODY], bodies), pieces.size
    x, y = transform_point(pose, size[piece, PIECE_SIZE.LOCAL_X], size[piece, PIECE_SIZE.LOCAL_Y])
    half_x, half_y = size[piece, PIECE_SIZE.HALF_X], size[piece, PIECE_SIZE.HALF_Y]
    reach_x = abs(pose.cos) * half_x + abs(pose.sin) * half_y + size[piece, PIECE_SIZE.RADIUS]
    reach_y = abs(pose.sin) * half_x + abs(pose.cos) * half_y + size[piece, PIECE_SIZE.RADIUS]
    return x - reach_x, y - reach_y, x + reach_x, y + reach_y


@kernel
def update_unbounded_boxes(piece_rows: Ints, bodies: Bodies, pieces: Pieces, speculative: float):
    """Update the fat boxes of the given unbounded pieces that have left them; return True if any has.

    Reads body_frame, piece_index, the vertex pool. Writes piece_box [m] (p, 4), piece_moved (p,).
    """
    any_moved = False
    reach = 0.5 * speculative
    for piece in piece_rows:
        low_x, low_y, high_x, high_y = unbounded_box(piece, pieces, bodies)
        low_x, low_y, high_x, high_y = low_x - reach, low_y - reach, high_x + reach, high_y + reach
        if not (
            low_x >= pieces.box[piece, BOX.MIN_X]
            and low_y >= pieces.box[piece, BOX.MIN_Y]
            and high_x <= pieces.box[piece, BOX.MAX_X]
            and high_y <= pieces.box[piece, BOX.MAX_Y]
        ):
            margin = pieces.size[piece, PIECE_SIZE.MARGIN]
            pieces.box[piece, BOX.MIN_X] = low_x - margin
            pieces.box[piece, BOX.MIN_Y] = low_y - margin
            pieces.box[piece, BOX.MAX_X] = high_x + margin
            pieces.box[piece, BOX.MAX_Y] = high_y + margin
            pieces.moved[piece] = True
            any_moved = True
    return any_moved


@kernel
def update_bounded_boxes(
    count: int,
    piece_rows: Ints,
    body_rows: Ints,
    bodies: Bodies,
    pieces: Pieces,
    ahead: LookAhead,
    moved_rows: Ints,
):
    """Update the fat boxes of the given pieces, see `update_fat_boxes`."""
    return update_fat_boxes(count, piece_rows, body_rows, bodies, pieces, ahead, moved_rows)


@device
def update_fat_boxes(count, piece_rows, body_rows, bodies, pieces, ahead, moved_rows):
    """Update the fat boxes of the pieces that leave them in the next step; list these pieces and return their number.

    The first `count` of `piece_rows` are looked at. They are bounded; `piece_rows` and their `body_rows` are padded to
    a multiple of eight. A fat box is the piece's box, grown by half the reach and by the piece's margin, and shifted
    ahead along the body's velocity. It holds the piece's motion in the step, up to that of a body that is swept. The
    shift lets the box last longer and adds few pairs. Reads body_frame, body_velocity, piece_size. Writes piece_box [m]
    (p, 4), piece_moved (p,), moved_rows (count,).
    """
    moved_count = 0
    reach = 0.5 * ahead.reach
    for i in range(0, count, simd.LANES):
        x, y, c, s = simd.gather4(bodies.frame, FRAME.CENTER_X, body_rows, i)
        radius, local_x, local_y, half_x = simd.gather4(pieces.size, PIECE_SIZE.RADIUS, piece_rows, i)
        half_y, margin = simd.gather2(pieces.size, PIECE_SIZE.HALF_Y, piece_rows, i)
        middle_x, middle_y = x + c * local_x - s * local_y, y + s * local_x + c * local_y
        speed_x, speed_y = simd.gather2(bodies.velocity, VELOCITY.X, body_rows, i)
        extent_x = simd.absolute(c) * half_x + simd.absolute(s) * half_y + radius + reach
        extent_y = simd.absolute(s) * half_x + simd.absolute(c) * half_y + radius + reach
        low_x, low_y = middle_x - extent_x, middle_y - extent_y
        high_x, high_y = middle_x + extent_x, middle_y + extent_y
        min_x, min_y, max_x, max_y = simd.gather4(pieces.box, BOX.MIN_X, piece_rows, i)
        most_x, most_y = FAST * extent_x, FAST * extent_y  # a piece that moves further is swept
        move_x = simd.minimum(simd.maximum(ahead.dt * speed_x, -most_x), most_x)
        move_y = simd.minimum(simd.maximum(ahead.dt * speed_y, -most_y), most_y)
        first_x, first_y = low_x + simd.minimum(move_x, 0.0), low_y + simd.minimum(move_y, 0.0)
        last_x, last_y = high_x + simd.maximum(move_x, 0.0), high_y + simd.maximum(move_y, 0.0)
        within = (first_x >= min_x) & (first_y >= min_y) & (last_x <= max_x) & (last_y <= max_y)
        bits = simd.lane_bits(~within)
        if count - i < simd.LANES:
            bits &= (1 << (count - i)) - 1
        if bits == 0:
            continue
        ahead_x, ahead_y = ahead.box_lead * speed_x, ahead.box_lead * speed_y
        front, back = FRONT * margin, BACK * margin
        new_min_x = low_x - margin + simd.minimum(simd.maximum(ahead_x, -front), back)
        new_min_y = low_y - margin + simd.minimum(simd.maximum(ahead_y, -front), back)
        new_max_x = high_x + margin + simd.minimum(simd.maximum(ahead_x, -back), front)
        new_max_y = high_y + margin + simd.minimum(simd.maximum(ahead_y, -back), front)
        simd.scatter4(
            pieces.box,
            BOX.MIN_X,
            piece_rows,
            i,
            simd.select(within, min_x, simd.minimum(new_min_x, first_x)),
            simd.select(within, min_y, simd.minimum(new_min_y, first_y)),
            simd.select(within, max_x, simd.maximum(new_max_x, last_x)),
            simd.select(within, max_y, simd.maximum(new_max_y, last_y)),
        )
        while bits != 0:
            piece = piece_rows[i + simd.trailing_zeros(bits)]
            bits &= bits - 1
            pieces.moved[piece] = True
            moved_rows[moved_count] = piece
            moved_count += 1
    return moved_count
