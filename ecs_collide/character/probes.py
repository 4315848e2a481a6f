"""Measures of a character along directions, and rays past its obstacles: what a step ahead looks like."""

from __future__ import annotations

from math import inf

from ecs_collide.character.obstacles import NOTHING, lets_pass, pose_at_time, whole_box
from ecs_collide.common.one_way_side import is_one_way
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import place_contour_rows
from ecs_collide.contours.first_contact import make_moving_piece
from ecs_collide.contours.first_hit import STEP, contains_point, find_piece_entry
from ecs_collide.contours.shape_distance import find_pose_seen_from
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import subroutine
from ecs_collide.queries.candidates import load
from ecs_collide.step.broadphase.boxes import box_of

EQUAL = 1e-9
"""Two corners that reach equally far in a direction, up to this length [m], both touch."""


@subroutine
def own_reach(character, along_x, along_y):
    """Return how far a character reaches from its centre in a unit direction [m]."""
    reach, _, _ = touching_place(character, -along_x, -along_y, along_x, along_y)
    return reach


@subroutine
def touching_place(character, normal_x, normal_y, along_x, along_y):
    """Return (reach against a surface's normal, place along a unit direction, radius) of the farthest point [m].

    Both are measured from the character's centre. Where a whole edge touches, the place is that of the end farther
    along. The radius is that by which the piece is rounded.
    """
    pieces, own_rows, placed = character.scene.pieces, character.own_loaded.rows, character.placed
    here, reach, place, radius = (0.0, 0.0, character.angle), -inf, -inf, 0.0
    for k in range(character.first, character.stop):
        piece = make_moving_piece(character.own[k], pieces, here, here, own_rows)
        place_contour_rows(own_rows, 0, piece.corners, find_pose_seen_from(0.0, 0.0, 0.0, *here), placed)
        rounding = piece.radius * (normal_x * along_x + normal_y * along_y)
        for row in range(piece.corners):
            x, y = placed[row, CONTOUR.X], placed[row, CONTOUR.Y]
            depth = piece.radius - (x * normal_x + y * normal_y)
            at = x * along_x + y * along_y - rounding
            if depth > reach + EQUAL or (depth > reach - EQUAL and at > place):
                reach, place, radius = max(reach, depth), at, piece.radius
    return reach, place, radius


@subroutine
def contact_point(character, x, y, normal_x, normal_y, spin):
    """Return the point [m] at which a character at (x, y) touches a surface at a normal.

    Where a whole edge touches a surface that turns by `spin` [rad/s], it is the end that the surface lifts.
    """
    along_x, along_y = (normal_y, -normal_x) if spin >= 0.0 else (-normal_y, normal_x)
    reach, place, _ = touching_place(character, normal_x, normal_y, along_x, along_y)
    return x - reach * normal_x + place * along_x, y - reach * normal_y + place * along_y


@subroutine
def core_of_contact(character, x, y, normal_x, normal_y, spin):
    """Return the place [m] of a character at (x, y) that a turning surface must carry, so that it does not roll.

    It is that of `contact_point` without the rounding: a corner or the middle of a circle. While the surface turns, a
    round character that does not turn touches it at another point of its own.
    """
    along_x, along_y = (normal_y, -normal_x) if spin >= 0.0 else (-normal_y, normal_x)
    reach, place, radius = touching_place(character, normal_x, normal_y, along_x, along_y)
    depth = reach - radius
    return x - depth * normal_x + place * along_x, y - depth * normal_y + place * along_y


@subroutine
def middle_of_contact(character, piece, x, y):
    """Return the middle [m] of the part that the boxes of a character at (x, y) and of a piece have in common."""
    low_x, low_y, high_x, high_y = whole_box(character, x, y)
    left, low, right, high = box_of(piece, character.scene.bodies, character.scene.pieces)
    return 0.5 * (max(low_x, left) + min(high_x, right)), 0.5 * (max(low_y, low) + min(high_y, high))


@subroutine
def look_along(character, floor, x, y, way_x, way_y, t):
    """Return (fraction, normal x and y, piece) of the first obstacle on a ray from (x, y) by a way [m].

    The obstacles stand where they are at a time of the step. The fraction is 0 if the ray starts in one, and infinite
    without an obstacle.
    """
    scene = character.scene
    bodies, pieces, loaded = scene.bodies, scene.pieces, scene.loaded
    best, normal_x, normal_y, met = inf, 0.0, 0.0, NOTHING
    for number in range(character.near_count):
        piece = scene.candidates[number]
        body = pieces.index[piece, PIECE.BODY]
        center_x, center_y, angle = pose_at_time(body, floor, t, character.dt, bodies)
        c, s = cos_sin(angle)
        px, py = c * (x - center_x) + s * (y - center_y), c * (y - center_y) - s * (x - center_x)
        qx, qy = px + c * way_x + s * way_y, py + c * way_y - s * way_x
        load(piece, pieces, loaded)
        is_solid = not is_one_way(pieces.index[piece, PIECE.COLLIDER], bodies)
        if is_solid and contains_point(loaded, 0, px + STEP * (qx - px), py + STEP * (qy - py)):
            return 0.0, 0.0, 0.0, piece
        u, nx, ny, _ = find_piece_entry(loaded, 0, (px, py, qx, qy))
        if u < best:
            world_x, world_y = c * nx - s * ny, s * nx + c * ny
            if not lets_pass(piece, angle, True, world_x, world_y, character):
                best, normal_x, normal_y, met = u, world_x, world_y, piece
    return best, normal_x, normal_y, met
