"""Shape casts: the first entity that a moving shape touches, or all of them, and where."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np

from ecs_collide.common.front_side import is_one_sided, meets_back
from ecs_collide.contours.contact_place import FLAT, place_of_contact
from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import length, place_contour_rows
from ecs_collide.contours.first_contact import (
    find_contact_tolerance,
    find_moving_contact,
    interpolate_pose,
    make_moving_contour_piece,
    make_moving_piece,
)
from ecs_collide.contours.hollow_distance import find_outward_normal, point_distance
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.contours.shape_distance import find_pose_seen_from
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.pose import rotate_vector, rotate_vector_back, transform_point
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import Floats, FloatTable, Ints, IntTable
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.kernels.layout import layout
from ecs_collide.queries.candidates import Scene, load
from ecs_collide.queries.cast_rays import row_of_hit
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

TOUCHED = layout("touch of a moving shape", PIECE="touched piece", OWN="piece of the moving shape that touches it")

BEFORE = 1.0 - 1e-6
"""Part of the time of a touch at which the middle of a shape shows its side: at the touch, that of a rod is level."""

NOTHING = -1
NOT_MET = (1.0, 0.0, 0.0, NOTHING, 0)
"""Time, normal x and y, touched piece, piece of the moving shape that touches it."""


class MovingShape(NamedTuple):
    """A shape and its motion."""

    shape: Contour
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    placed: np.ndarray
    """Scratch space with as many rows as the shape."""


class TouchList(NamedTuple):
    """A moving shape, and the list of all colliders that it touches, with one row for each."""

    moving: MovingShape
    first: int
    """First row of the list."""
    collider: np.ndarray
    """Row of each collider (k,)."""
    touched: np.ndarray
    """Columns of `TOUCHED` (k, 2)."""
    fraction: np.ndarray
    """Fraction of the path at which the shape touches the collider (k,)."""
    normal: np.ndarray
    """Normal that ended the motion (k, 2)."""


@subroutine
def visit(piece, best, path, moving, scene):
    """Return the earlier of the first touch so far and the touch of a piece.

    At equal times that of the lower entity counts, and of one entity that of the lower row.
    """
    bodies, pieces, shape = scene.bodies, scene.pieces, moving.shape
    start, end = moving.start, moving.end
    until, first = best[0], best[3]
    if certainly_misses(piece, bodies, pieces, start, end, until, path[4]):
        return best
    there = pose_of(piece, bodies, pieces)
    a = make_moving_piece(piece, pieces, there, there, scene.loaded.rows)
    far = length(there[0] - start[0], there[1] - start[1]) + length(end[0] - start[0], end[1] - start[1])
    for own in range(len(shape.pieces)):
        b = make_moving_contour_piece(shape, own, start, end)
        tolerance = find_contact_tolerance(scene.loaded.rows, a, shape.rows, b, far)
        t, normal_x, normal_y = find_moving_contact(
            scene.loaded.rows, a, shape.rows, b, moving.placed, best[0], 0.0, tolerance
        )
        if t != t or (t == until and first >= 0 and not wins_tie(piece, first, scene)):
            continue
        if is_one_sided(piece, pieces):
            x, y = middle_of_contour_piece(shape, own, interpolate_pose(start, end, BEFORE * t))
            if meets_back(piece, there, x, y, normal_x, normal_y, t == 0.0, 0.0, pieces):
                continue
        best = (t, normal_x, normal_y, piece, own)
        until, first = t, piece
    return best


@device
def middle_of_contour_piece(shape, own, pose):
    """Return the centre of the bounding circle of a piece of a shape at a pose [m]."""
    c, s = cos_sin(pose[2])
    x, y = shape.sizes[own, CONTOUR_SIZE.BOUND_X], shape.sizes[own, CONTOUR_SIZE.BOUND_Y]
    return pose[0] + c * x - s * y, pose[1] + s * x + c * y


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
def wins_tie(piece, other, scene):
    """Return True if a piece counts before another one that is touched at the same time.

    It is of a lower entity, or of the same one and in a lower row.
    """
    entity, other_entity = entity_of(piece, scene), entity_of(other, scene)
    return entity < other_entity or (entity == other_entity and piece < other)


@device
def entity_of(piece, scene):
    """Return the entity of a piece's collider."""
    return scene.bodies.entity[scene.pieces.index[piece, PIECE.COLLIDER]]


@subroutine
def list_touch(piece, best, path, options, scene):
    """List the touch of a piece, if it is the first of its collider; return (1, number of listed colliders).

    The list has no more rows than there is room for, and the number is that of all colliders.
    """
    collider, count = scene.pieces.index[piece, PIECE.COLLIDER], best[1]
    row = row_of_hit(options, count, collider)
    is_listed, has_room = row < count, row < len(options.collider)
    until, first = 1.0, NOTHING
    if is_listed and has_room:
        until, first = options.fraction[row], options.touched[row, TOUCHED.PIECE]
    t, x, y, touched, own = visit(piece, (until, 0.0, 0.0, first, 0), path, options.moving, scene)
    if touched == first:
        return best
    if has_room:
        options.collider[row], options.fraction[row] = collider, t
        options.touched[row, TOUCHED.PIECE], options.touched[row, TOUCHED.OWN] = touched, own
        options.normal[row, X], options.normal[row, Y] = x, y
    return 1.0, max(count, row + 1)


search = search_along(visit, search_tree(visit))
search_all = search_along(list_touch, search_tree(list_touch))


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
    for k in range(len(motions)):
        moving, path = make_motion(shape, motions, k, placed)
        t, x, y, piece, own = search(NOT_MET, path, moving, scene)
        if piece == NOTHING:
            entity[k], fraction[k] = 0, nan
            point[k, X], point[k, Y], normal[k, X], normal[k, Y] = nan, nan, nan, nan
        else:
            entity[k], fraction[k] = entity_of(piece, scene), t
            write_place(k, moving, t, own, piece, x, y, scene, (point, normal))


@kernel
def all_touches(
    shape: Contour,
    motions: FloatTable,
    scene: Scene,
    placed: FloatTable,
    starts: Ints,
    entity: Ints,
    touched: IntTable,
    fraction: Floats,
    point: FloatTable,
    normal: FloatTable,
):
    """Find all entities that a shape touches on each of some motions, each once for a motion, in no order.

    Returns the number of touches; if there is no room for all, the number is the room that is needed. Reads motions and
    writes entity, fraction, point and normal as `first_touches` does, with one row for each touch (k,). Writes starts
    (n + 1,), the row in which the touches of each motion begin. `touched` is scratch space, columns of `TOUCHED`.
    """
    count, room = 0, len(entity)
    for k in range(len(motions)):
        starts[k] = count
        moving, path = make_motion(shape, motions, k, placed)
        options = TouchList(moving, starts[k], entity, touched, fraction, normal)
        _, count = search_all((1.0, count), path, options, scene)
        for row in range(starts[k], min(count, room)):
            piece, own = touched[row, TOUCHED.PIECE], touched[row, TOUCHED.OWN]
            entity[row] = entity_of(piece, scene)
            write_place(row, moving, fraction[row], own, piece, normal[row, X], normal[row, Y], scene, (point, normal))
    starts[len(motions)] = count
    return count


@device
def make_motion(shape, motions, k, placed):
    """Return the moving shape of motion k, and its path as searches take it."""
    motion = motions[k]
    start = (motion[MOTION.START_X], motion[MOTION.START_Y], motion[MOTION.START_ANGLE])
    end = (motion[MOTION.END_X], motion[MOTION.END_Y], motion[MOTION.END_ANGLE])
    path = (start[0], start[1], end[0], end[1], shape.whole[CONTOUR_SIZE.ARM])
    return MovingShape(shape, start, end, placed), path


@device
def write_place(row, moving, t, own, piece, x, y, scene, place):
    """Write point [m] and normal of the touch of a piece at a fraction of the path to a row of two arrays, `place`."""
    point, normal = place
    pose = interpolate_pose(moving.start, moving.end, t)
    point[row, X], point[row, Y], x, y = place_of_touch(moving.shape, own, pose, piece, x, y, scene, moving.placed)
    normal[row, X], normal[row, Y] = x + 0.0, y + 0.0  # never -0.0


@subroutine
def place_of_touch(shape, own, pose, piece, normal_x, normal_y, scene, placed):
    """Return (point x and y [m], normal x and y) where a piece of a shape at a pose touches a piece.

    The normal is the one that ended the motion, except for a circle in a hollow, where it is the normal of the hollow.
    """
    bodies, pieces, loaded = scene.bodies, scene.pieces, scene.loaded
    load(piece, pieces, loaded)
    there = pose_of(piece, bodies, pieces)
    seen = find_pose_seen_from(there[0], there[1], there[2], pose[0], pose[1], pose[2])
    count, radius = shape.pieces[own, CONTOUR_PIECE.COUNT], shape.sizes[own, CONTOUR_SIZE.RADIUS]
    place_contour_rows(shape.rows, shape.pieces[own, CONTOUR_PIECE.FIRST], count, seen, placed)
    frame = body_pose(pieces.index[piece, PIECE.BODY], bodies)
    x, y = rotate_vector_back(frame, normal_x, normal_y)
    rows = loaded.rows
    corners = loaded.pieces[0, CONTOUR_PIECE.COUNT]
    center_x = placed[0, CONTOUR.X]
    center_y = placed[0, CONTOUR.Y]
    is_circle_in_hollow = count == 1 and loaded.pieces[0, CONTOUR_PIECE.IS_HOLLOW] != 0
    if is_circle_in_hollow and point_distance(rows, 0, corners, center_x, center_y) > 0.0:
        _, x, y = find_outward_normal(rows, 0, corners, center_x, center_y)
        normal_x, normal_y = rotate_vector(frame, x, y)
    slack = FLAT * shape.sizes[own, CONTOUR_SIZE.BOUND_RADIUS]
    x, y = place_of_contact(
        rows, placed, corners, count,
        pieces.size[piece, PIECE_SIZE.RADIUS], radius, x, y, slack,
    )  # fmt: skip
    x, y = transform_point(frame, x, y)
    return x, y, normal_x, normal_y
