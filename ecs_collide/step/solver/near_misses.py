"""Near misses: contacts over a gap that two pieces pass without ever touching.

A contact over a gap acts as a plane: the solver keeps each body on its side of it for the whole step. A body that
passes a corner would be pushed aside by that plane although it never touches the corner. So such contacts are left out
of the step. A contact is missed if

- there is a gap at each of its points, and no impulse from the last step,
- the velocities at the end of the step, without contacts, would close a gap within T = dt (n + 1) / n for n substeps,
  because the last pass of the solver looks one substep ahead of the step's end,
- the two pieces, moved straight to where those velocities carry them within T, do not touch on the way, or only graze
  each other, or one of them is one-way and lets the other pass there,
- the contact's edge does not continue flat in a neighbour on the side to which the other piece moves: one piece of a
  row carries the contact for all of them.

Two pieces graze if they overlap much less on the way than the contact's normal says, and by less than the slop. So a
box slides over a gap in a level floor, as it has sunk in less than that. Across the normal it moves at the velocity
that it has: something else may bear it.

A ball that does meet a static or kinematic piece, but with another normal than now, gets the contact of that moment: at
a corner it is turned aside as the corner does. So a slight touch does little, and a miss nothing.

Other contacts stay, also those that nothing would close: they hold bodies that something pushes in this step. The path
is straight, so a fall by its curve, up to g dt² / 8 beside a corner, may go either way.

The motion of n substeps under an acceleration a is T v + a T² (n + 1) / (2 n), as in `integrate_bodies.py`. The first
contact is that of conservative advancement (`contours/first_contact.py`), with exact rotation.
"""

from __future__ import annotations

from math import inf, nan

import numpy as np

from ecs_collide.common.one_way_side import LEAST_FACING
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.first_contact import find_moving_contact, make_moving_piece
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import FRAME, Bodies
from ecs_collide.data.contacts import CONTACT_BODY, Contacts
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import IMPULSE, MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import Pose, find_relative_pose, invert_pose, rotate_vector_back, transform_point
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.shapes import PieceKind
from ecs_collide.shapes.outline import FLAT, OUTLINE, ZERO_LENGTH
from ecs_collide.step.narrowphase.one_way_pairs import least_facing
from ecs_collide.step.narrowphase.piece_corners import is_thin
from ecs_collide.step.solver.free_motion import free_motion, velocity_after
from ecs_collide.step.solver.step_parameters import StepParameters

CIRCLE = int(PieceKind.CIRCLE)
DYNAMIC, KINEMATIC = int(BodyKind.DYNAMIC), int(BodyKind.KINEMATIC)

GRAZE = 0.5
"""Overlap of two pieces on their way, as a fraction of that along the contact's normal, below which they only graze."""

SAME_NORMAL = 0.999
"""Cosine between the normals of a contact and of an edge above which the contact is that of the edge."""

UNEDITED = 1e-6
"""Greatest distance of a ball's contact from the place where Narrowphase puts it, as a fraction of its radius."""

TOUCHING = 1e-3
"""Greatest gap of pieces that touch on their way, as a fraction of the slop."""


class MissScratch(Bundle):
    """Contours of two pieces, columns of `CONTOUR`."""

    a: FloatTable = rows_of(CONTOUR)
    """Contour of the first piece (c, 15)."""
    b: FloatTable = rows_of(CONTOUR)
    """Contour of the second piece (c, 15)."""
    placed: FloatTable = rows_of(CONTOUR)
    """Contour of the second piece relative to the first one (c, 15)."""


def miss_scratch(corners: int) -> MissScratch:
    """Return scratch space for pieces with up to `corners` corners."""
    a, b, placed = np.zeros((3, corners, CONTOUR.WIDTH))
    return MissScratch(a=a, b=b, placed=placed)


NO_ROOM = miss_scratch(0)


@device
def free_path(body, motion, share, bodies, dt):
    """Return the places (x, y, angle) of a body now and after dt [s] with a velocity of `velocity_after`."""
    vx, vy, w = velocity_after(motion, share)
    frame = bodies.frame[body]
    x, y, angle = frame[FRAME.CENTER_X], frame[FRAME.CENTER_Y], frame[FRAME.ANGLE]
    return (x, y, angle), (x + dt * vx, y + dt * vy, angle + dt * w)


@device
def held_path(path, motion, share, normal_x, normal_y, dt):
    """Return a path on which outer forces act along a normal alone: across it, something else may bear the body."""
    (x, y, angle), _ = path
    vx, vy, w = velocity_after(motion, 0.0)
    pushed_x, pushed_y, _ = velocity_after(motion, share)
    gain = (pushed_x - vx) * normal_x + (pushed_y - vy) * normal_y
    return path[0], (x + dt * (vx + gain * normal_x), y + dt * (vy + gain * normal_y), angle + dt * w)


@device
def overlap_after(row, motion_a, motion_b, bodies, contacts, dt):
    """Return the overlap [m] to which free velocities close the gaps of a contact within dt [s], negative for a gap."""
    a, b = contacts.body[row, CONTACT_BODY.A], contacts.body[row, CONTACT_BODY.B]
    ax, ay, spin_a = velocity_after(motion_a, 1.0)
    bx, by, spin_b = velocity_after(motion_b, 1.0)
    normal_x, normal_y = contacts.normal[row, X], contacts.normal[row, Y]
    overlap = -inf
    for k in range(contacts.point_count[row]):
        x, y = contacts.point[row, k, X], contacts.point[row, k, Y]
        arm_ax, arm_ay = x - bodies.frame[a, FRAME.CENTER_X], y - bodies.frame[a, FRAME.CENTER_Y]
        arm_bx, arm_by = x - bodies.frame[b, FRAME.CENTER_X], y - bodies.frame[b, FRAME.CENTER_Y]
        opening_x = (bx - spin_b * arm_by) - (ax - spin_a * arm_ay)
        opening_y = (by + spin_b * arm_bx) - (ay + spin_a * arm_ax)
        overlap = max(overlap, -contacts.separation[row, k] - dt * (opening_x * normal_x + opening_y * normal_y))
    return overlap


@device
def is_centred_circle(piece, pieces):
    """Return True if a piece is a circle around its body's centre of mass."""
    first = pieces.index[piece, PIECE.VERTEX_START]
    is_circle = pieces.index[piece, PIECE.KIND] == CIRCLE
    return is_circle and pieces.vertices[first, X] == 0.0 and pieces.vertices[first, Y] == 0.0


@device
def circles_meet(path_a, path_b, radii):
    """Return True if two points on straight paths come as close as `radii` [m]."""
    (ax, ay, _), (end_ax, end_ay, _) = path_a
    (bx, by, _), (end_bx, end_by, _) = path_b
    x, y, move_x, move_y = bx - ax, by - ay, (end_bx - bx) - (end_ax - ax), (end_by - by) - (end_ay - ay)
    square = move_x * move_x + move_y * move_y
    time = min(max(-(x * move_x + y * move_y) / square, 0.0), 1.0) if square > 0.0 else 0.0
    x, y = x + time * move_x, y + time * move_y
    return x * x + y * y <= radii * radii


@device
def is_inside(piece, x, y, depth, pieces):
    """Return True if a point in the axes of its body lies deeper in a piece with straight edges than `depth` [m]."""
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    for k in range(start, start + count):
        row = pieces.outlines[k]
        if row[OUTLINE.EDGE] == ZERO_LENGTH or row[OUTLINE.CORNER_RADIUS] > 0.0 or row[OUTLINE.ARC_RADIUS] > 0.0:
            return False
        height_x, height_y = x - pieces.vertices[k, X], y - pieces.vertices[k, Y]
        if height_x * pieces.normals[k, X] + height_y * pieces.normals[k, Y] > -depth:
            return False
    return True


@device
def placed_at(place):
    """Return the pose of a place (x, y, angle)."""
    cosine, sine = cos_sin(place[2])
    return Pose(x=place[0], y=place[1], cos=cosine, sin=sine)


@device
def overlap_at_end(slot, p, q, end_p, end_q, pieces, pairs, tolerance):
    """Return True if at the ends of the paths a contact point of one piece lies inside the other.

    The two pieces then meet on their way. They may also if the result is False, as with round pieces.
    """
    relative = find_relative_pose(placed_at(end_p), placed_at(end_q))
    back = invert_pose(relative)
    manifold = pairs.manifold[slot]
    for k in range(pairs.index[slot, PAIR.POINT_COUNT]):
        on_p, on_q = MANIFOLD.ANCHOR_A + k * of_pair.POINT_STRIDE, MANIFOLD.ANCHOR_B + k * of_pair.POINT_STRIDE
        x, y = transform_point(relative, manifold[on_q], manifold[on_q + 1])
        if is_inside(p, x, y, tolerance, pieces):
            return True
        x, y = transform_point(back, manifold[on_p], manifold[on_p + 1])
        if is_inside(q, x, y, tolerance, pieces):
            return True
    return False


@subroutine
def first_meeting(p, q, path_p, path_q, depth, pieces, scratch, tolerance):
    """Return (time, normal from p to q) at which two pieces overlap by `depth` [m]; NaN if they never do."""
    a = make_moving_piece(p, pieces, path_p[0], path_p[1], scratch.a)
    b = make_moving_piece(q, pieces, path_q[0], path_q[1], scratch.b)
    return find_moving_contact(scratch.a, a, scratch.b, b, scratch.placed, 1.0, depth, tolerance)


@device
def is_ball_at_anchored(piece, other, bodies, pieces):
    """Return True if a piece is a centred circle of a dynamic body, and the other one's body is not dynamic."""
    return (
        is_centred_circle(piece, pieces)
        and bodies.kind[pieces.index[piece, PIECE.BODY]] == DYNAMIC
        and bodies.kind[pieces.index[other, PIECE.BODY]] != DYNAMIC
    )


@device
def turn_contact(row, time, normal, sign, ball_path, other_path, radius, contacts):
    """Turn the contact of a ball to the normal of the time at which it meets the other piece.

    `time` is a fraction of the paths, and `normal` points from the ball to the other piece. `sign` is 1 if the ball is
    body A, else -1. The new gap [m] is closed at that time. A contact that a hook has edited stays as it is.
    """
    (ball_x, ball_y, _), (ball_end_x, ball_end_y, _) = ball_path
    (other_x, other_y, angle), (other_end_x, other_end_y, end_angle) = other_path
    reach = sign * (radius + 0.5 * contacts.separation[row, 0])
    wrong_x = contacts.point[row, 0, X] - ball_x - reach * contacts.normal[row, X]
    wrong_y = contacts.point[row, 0, Y] - ball_y - reach * contacts.normal[row, Y]
    if abs(wrong_x) + abs(wrong_y) > UNEDITED * radius:
        return
    ball_move_x, ball_move_y = time * (ball_end_x - ball_x), time * (ball_end_y - ball_y)
    center_move_x, center_move_y = time * (other_end_x - other_x), time * (other_end_y - other_y)
    # The place of the touch, seen from the other body's centre, and its motion with that body.
    arm_x = ball_x + ball_move_x + radius * normal[0] - other_x - center_move_x
    arm_y = ball_y + ball_move_y + radius * normal[1] - other_y - center_move_y
    turn = time * (end_angle - angle)
    closing_x, closing_y = ball_move_x - center_move_x + turn * arm_y, ball_move_y - center_move_y - turn * arm_x
    gap = max(0.0, closing_x * normal[0] + closing_y * normal[1])
    contacts.separation[row, 0] = gap
    contacts.normal[row, X], contacts.normal[row, Y] = sign * normal[0], sign * normal[1]
    contacts.point[row, 0, X] = ball_x + (radius + 0.5 * gap) * normal[0]
    contacts.point[row, 0, Y] = ball_y + (radius + 0.5 * gap) * normal[1]


@device
def moves_onto_neighbour(piece, normal_x, normal_y, moved_x, moved_y, bodies, pieces):
    """Return True if an edge of a piece continues flat in a neighbour there where something moves.

    The edge is that with the outward normal (`normal_x`, `normal_y`). (`moved_x`, `moved_y`) is the motion of the other
    piece relative to this one.
    """
    pose = body_pose(pieces.index[piece, PIECE.BODY], bodies)
    x, y = rotate_vector_back(pose, normal_x, normal_y)
    moved_x, moved_y = rotate_vector_back(pose, moved_x, moved_y)
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    for k in range(start, start + count):
        edge_x, edge_y = pieces.normals[k, X], pieces.normals[k, Y]
        if edge_x * x + edge_y * y < SAME_NORMAL:
            continue
        along = moved_y * edge_x - moved_x * edge_y  # edges run along (-normal_y, normal_x)
        row = pieces.outlines[k]
        if (along < 0.0 and row[OUTLINE.START] == FLAT) or (along > 0.0 and row[OUTLINE.STOP] == FLAT):
            return True
    return False


@device
def passes_at_meeting(slot, normal_x, normal_y, bodies, pairs):
    """Return True if one of two pieces is one-way, and would meet the other along a normal that does not face it."""
    is_one_way = pairs.index[slot, PAIR.ROLE] & of_pair.ONE_WAY != 0
    return is_one_way and least_facing(slot, normal_x, normal_y, bodies, pairs) < LEAST_FACING


@device
def is_apart(row, contacts, pairs):
    """Return True if a contact has a gap at each point and no impulse.

    Its second point may be that of another pair, welded to it. Then its own pair decides about both.
    """
    slot, count = contacts.pair[row], contacts.point_count[row]
    return (
        contacts.separation[row, 0] > 0.0
        and (count < 2 or contacts.separation[row, 1] > 0.0)
        and pairs.impulse[slot, IMPULSE.NORMAL] == 0.0
        and pairs.impulse[slot, IMPULSE.NORMAL + 1] == 0.0
    )


@device
def pop_borne(row, bodies, contacts, pairs):
    """Return True if a contact is that of a character with a floor that bears it as a load; clear the mark."""
    a, b = contacts.body[row, CONTACT_BODY.A], contacts.body[row, CONTACT_BODY.B]
    if bodies.kind[a] != KINEMATIC and bodies.kind[b] != KINEMATIC:
        return False
    slot = contacts.pair[row]
    role = pairs.index[slot, PAIR.ROLE]
    pairs.index[slot, PAIR.ROLE] = role & ~of_pair.BORNE
    return role & of_pair.BORNE != 0


@kernel
def mark_near_misses(
    count: int,
    bodies: Bodies,
    pieces: Pieces,
    pairs: Pairs,
    contacts: Contacts,
    scratch: MissScratch,
    step: StepParameters,
    tolerances: Tolerances,
):
    """Mark which of the first `count` contacts are missed, and turn those of balls that meet a corner.

    Contacts of characters with floors that bear them as a load are marked too. Writes contact_missed and pair_index
    (role); of missed ones also pair_manifold, of turned ones contact_normal, contact_separation, contact_point.

    Reads the contacts, pair_impulse, the pieces, body_frame, body_velocity, body_mass, body_motion, body_force,
    body_push.
    """
    further = (step.substeps + 1.0) / step.substeps
    dt, share, tolerance = further * step.dt, 0.5 * further, TOUCHING * tolerances.slop
    for row in range(count):
        contacts.missed[row] = pop_borne(row, bodies, contacts, pairs)
        if contacts.missed[row] or not is_apart(row, contacts, pairs):
            continue
        a, b = contacts.body[row, CONTACT_BODY.A], contacts.body[row, CONTACT_BODY.B]
        motion_a, motion_b = free_motion(a, bodies, step.gravity, dt), free_motion(b, bodies, step.gravity, dt)
        overlap = overlap_after(row, motion_a, motion_b, bodies, contacts, dt)
        if overlap <= 0.0:
            continue
        slot = contacts.pair[row]
        p, q = pairs.index[slot, PAIR.PIECE_A], pairs.index[slot, PAIR.PIECE_B]
        path_p, path_q = free_path(a, motion_a, share, bodies, dt), free_path(b, motion_b, share, bodies, dt)
        if is_centred_circle(p, pieces) and is_centred_circle(q, pieces):
            radii = pieces.size[p, PIECE_SIZE.RADIUS] + pieces.size[q, PIECE_SIZE.RADIUS]
            contacts.missed[row] = not circles_meet(path_p, path_q, radii + tolerance)
            continue
        x, y = contacts.normal[row, X], contacts.normal[row, Y]
        moved_x = (path_q[1][0] - path_q[0][0]) - (path_p[1][0] - path_p[0][0])
        moved_y = (path_q[1][1] - path_q[0][1]) - (path_p[1][1] - path_p[0][1])
        # How deep they must overlap on the way, and on which paths.
        has_ball = is_ball_at_anchored(p, q, bodies, pieces) or is_ball_at_anchored(q, p, bodies, pieces)
        depth, held_p, held_q = 0.0, path_p, path_q
        if has_ball:
            depth = 2.0 * tolerance
        elif not (is_thin(p, pieces) and is_thin(q, pieces)):
            depth = min(tolerances.slop, GRAZE * overlap)
            held_p = held_path(path_p, motion_a, share, x, y, dt)
            held_q = held_path(path_q, motion_b, share, x, y, dt)
        # Do they?
        if not has_ball and overlap_at_end(slot, p, q, held_p[1], held_q[1], pieces, pairs, depth + tolerance):
            continue
        if moves_onto_neighbour(p, x, y, moved_x, moved_y, bodies, pieces) or moves_onto_neighbour(
            q, -x, -y, -moved_x, -moved_y, bodies, pieces
        ):
            continue
        time, then_x, then_y = first_meeting(p, q, held_p, held_q, depth, pieces, scratch, tolerance)
        if has_ball and time == time:
            time, then_x, then_y = first_meeting(p, q, path_p, path_q, 0.0, pieces, scratch, tolerance)
        if time != time or passes_at_meeting(slot, then_x, then_y, bodies, pairs):
            contacts.missed[row] = True
            pairs.manifold[slot, MANIFOLD.MADE_COS] = nan  # the next step makes another one, whatever the motion
        elif then_x * x + then_y * y < SAME_NORMAL and contacts.point_count[row] == 1:
            if is_ball_at_anchored(p, q, bodies, pieces):
                radius = pieces.size[p, PIECE_SIZE.RADIUS]
                turn_contact(row, time, (then_x, then_y), 1.0, path_p, path_q, radius, contacts)
            elif has_ball:
                radius = pieces.size[q, PIECE_SIZE.RADIUS]
                turn_contact(row, time, (-then_x, -then_y), -1.0, path_q, path_p, radius, contacts)
