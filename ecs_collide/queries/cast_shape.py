"""Shape casts: the first entity that a moving shape touches, and where."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np

from ecs_collide.contours.contact_place import FLAT, place_of_contact
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import length, place_contour_rows
from ecs_collide.contours.first_contact import (
    find_contact_tolerance,
    find_moving_contact,
    interpolate_pose,
    make_moving_part,
    make_moving_piece,
)
from ecs_collide.contours.hollow_distance import find_outward_normal, point_distance
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.contours.shape_distance import find_pose_seen_from
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.pose import rotate_vector, rotate_vector_back, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Floats, FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.kernels.layout import layout
from ecs_collide.queries.candidates import Scene, load
from ecs_collide.queries.find_overlaps import pose_of
from ecs_collide.queries.search_path import search_along, search_tree
from ecs_collide.step.broadphase.boxes import box_of

MOTION = layout(
    "motion of a shape",
    START_X="pose at the start, x [m]",
    START_Y="pose at the start, y [m]",
    START_ANGLE="pose at the start, angle [rad]",
    END_X="pose at the end, x [m]",
    END_Y="pose at the end, y [m]",
    END_ANGLE="pose at the end, angle [rad]",
)

NOTHING = -1
NOT_MET = (1.0, 0.0, 0.0, NOTHING, 0)
"""Time, normal x and y, touched piece, part of the shape that touches it."""


class MovingShape(NamedTuple):
    """A shape and its motion."""

    shape: Contour
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    placed: np.ndarray
    """Scratch space with as many rows as the shape."""


@subroutine
def visit(piece, best, path, moving, scene):
    """Return the earlier of the first touch so far and the touch of a piece; at equal times, the lower entity's."""
    bodies, pieces, shape = scene.bodies, scene.pieces, moving.shape
    start, end = moving.start, moving.end
    until, first = best[0], best[3]
    if certainly_misses(piece, bodies, pieces, start, end, until, path[4]):
        return best
    there = pose_of(piece, bodies, pieces)
    a = make_moving_piece(piece, pieces, there, there, scene.loaded.rows)
    far = length(there[0] - start[0], there[1] - start[1]) + length(end[0] - start[0], end[1] - start[1])
    for part in range(len(shape.pieces)):
        b = make_moving_part(shape, part, start, end)
        tolerance = find_contact_tolerance(scene.loaded.rows, a, shape.rows, b, far)
        t, normal_x, normal_y = find_moving_contact(
            scene.loaded.rows, a, shape.rows, b, moving.placed, best[0], 0.0, tolerance
        )
        if t != t or (t == until and first >= 0 and entity_of(piece, scene) >= entity_of(first, scene)):
            continue
        best = (t, normal_x, normal_y, piece, part)
        until, first = t, piece
    return best


@device
def certainly_misses(piece, bodies, pieces, start, end, until, arm):
    """Return True if a shape within `arm` [m] of its origin certainly misses a piece on its path up to a time."""
    if not is_piece_bounded(piece, pieces):
        return False
    low_x, low_y, high_x, high_y = box_of(piece, bodies, pieces)
    x, y = 0.5 * (low_x + high_x) - start[0], 0.5 * (low_y + high_y) - start[1]
    way_x, way_y = until * (end[0] - start[0]), until * (end[1] - start[1])
    square = way_x * way_x + way_y * way_y
    along = min(max((x * way_x + y * way_y) / square, 0.0), 1.0) if square > 0.0 else 0.0
    reach = arm + 0.5 * length(high_x - low_x, high_y - low_y)
    return length(x - along * way_x, y - along * way_y) > 1.000001 * reach


@device
def entity_of(piece, scene):
    """Return the entity of a piece's collider."""
    return scene.bodies.entity[scene.pieces.index[piece, PIECE.COLLIDER]]


search = search_along(visit, search_tree(visit))


@kernel
def first_touches(
    shape: Contour,
    motions: FloatTable,
    scene: Scene,
    placed: FloatTable,
    entity: Ints,
    fraction: Floats,
    point: FloatTable,
    normal: FloatTable,
):
    """Find the first entity that a shape touches on each of some motions, see `contours/first_contact.py`.

    Reads motions, pose to pose (n, 6). `placed` is scratch space with as many rows as the shape. Writes entity (n,),
    0 for no touch, fraction (n,), point [m] and normal (n, 2), NaN for no touch.
    """
    arm = shape.whole[CONTOUR_SIZE.ARM]
    for k in range(len(motions)):
        motion = motions[k]
        start = (motion[MOTION.START_X], motion[MOTION.START_Y], motion[MOTION.START_ANGLE])
        end = (motion[MOTION.END_X], motion[MOTION.END_Y], motion[MOTION.END_ANGLE])
        path = (start[0], start[1], end[0], end[1], arm)
        t, x, y, piece, part = search(NOT_MET, path, MovingShape(shape, start, end, placed), scene)
        if piece == NOTHING:
            entity[k], fraction[k] = 0, nan
            point[k, X], point[k, Y], normal[k, X], normal[k, Y] = nan, nan, nan, nan
        else:
            entity[k], fraction[k] = entity_of(piece, scene), t
            pose = interpolate_pose(start, end, t)
            point[k, X], point[k, Y], x, y = place_of_touch(shape, part, pose, piece, x, y, scene, placed)
            normal[k, X], normal[k, Y] = x + 0.0, y + 0.0  # never -0.0


@subroutine
def place_of_touch(shape, part, pose, piece, normal_x, normal_y, scene, placed):
    """Return (point x and y [m], normal x and y) where a part of a shape at a pose touches a piece.

    The normal is the one that ended the motion, except for a circle in a hollow, where it is the normal of the hollow.
    """
    bodies, pieces, loaded = scene.bodies, scene.pieces, scene.loaded
    load(piece, pieces, loaded)
    there = pose_of(piece, bodies, pieces)
    seen = find_pose_seen_from(there[0], there[1], there[2], pose[0], pose[1], pose[2])
    count, radius = shape.pieces[part, CONTOUR_PIECE.COUNT], shape.sizes[part, CONTOUR_SIZE.RADIUS]
    place_contour_rows(shape.rows, shape.pieces[part, CONTOUR_PIECE.FIRST], count, seen, placed)
    frame = body_pose(pieces.index[piece, PIECE.BODY], bodies)
    x, y = rotate_vector_back(frame, normal_x, normal_y)
    rows, corners, center_x, center_y = (
        loaded.rows,
        loaded.pieces[0, CONTOUR_PIECE.COUNT],
        placed[0, CONTOUR.X],
        placed[0, CONTOUR.Y],
    )
    is_circle_in_hollow = count == 1 and loaded.pieces[0, CONTOUR_PIECE.IS_HOLLOW] != 0
    if is_circle_in_hollow and point_distance(rows, 0, corners, center_x, center_y) > 0.0:
        _, x, y = find_outward_normal(rows, 0, corners, center_x, center_y)
        normal_x, normal_y = rotate_vector(frame, x, y)
    slack = FLAT * shape.sizes[part, CONTOUR_SIZE.BOUND_RADIUS]
    x, y = place_of_contact(
        rows, placed, corners, count,
        pieces.size[piece, PIECE_SIZE.RADIUS], radius, x, y, slack,
    )  # fmt: skip
    x, y = transform_point(frame, x, y)
    return x, y, normal_x, normal_y
