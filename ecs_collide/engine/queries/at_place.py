"""Which of some pieces hold a point, meet a shape, are nearest to a point, or are met first by a shape that moves."""

from __future__ import annotations

from math import inf

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.frames import body_pose
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import Floats, FloatTable, Ints
from ecs_collide.compiled.kernels import device, stage, subroutine
from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import Contour
from ecs_collide.contours.corner import at_corner, length, place_rows
from ecs_collide.contours.first_contact import TOLERANCE, moving_contact, moving_part, moving_piece, pose_at
from ecs_collide.contours.first_hit import holds
from ecs_collide.contours.piece_rows import has_end
from ecs_collide.contours.shape_distance import pose_seen_from, rows_distance
from ecs_collide.engine.queries.asked import LoadedPiece, box_of, in_body, load
from ecs_collide.geometry.pose import Pose, moved, turned, turned_back

# met
TIME, MET_X, MET_Y, MET_NORMAL_X, MET_NORMAL_Y = 0, 1, 2, 3, 4

FLAT = 1e-6
"""Corners that reach this much less far, in units of the sizes, are furthest together: they are the ends of an edge."""


@stage
def keep_holding(x: float, y: float, rows: Ints, count: int, bodies: Bodies, pieces: Pieces, loaded: LoadedPiece):
    """Keep those of the first `count` rows whose pieces hold a point [m], and return how many they are."""
    kept = 0
    for number in range(count):
        piece = rows[number]
        load(piece, pieces, loaded)
        local_x, local_y = in_body(pieces.index[piece, of_piece.BODY], bodies, x, y)
        if holds(loaded, 0, local_x, local_y):
            rows[kept] = piece
            kept += 1
    return kept


@device
def pose_of(piece, bodies, pieces):
    """The pose of the body of a piece, at its centre of mass."""
    body = pieces.index[piece, of_piece.BODY]
    frame = bodies.frame
    return frame[body, of_body.CENTER_X], frame[body, of_body.CENTER_Y], frame[body, of_body.FRAME_ANGLE]


@subroutine
def distance_to(shape, part, pose, radius, loaded, placed):
    """(distance [m], normal) of the loaded piece and part of a contour, which is at a pose in its axes."""
    first, count = shape.pieces[part, form.FIRST], shape.pieces[part, form.COUNT]
    is_hollow = loaded.pieces[0, form.IS_HOLLOW] != 0 or shape.pieces[part, form.IS_HOLLOW] != 0
    place_rows(shape.rows, first, count, pose, placed)
    distance, normal_x, normal_y = rows_distance(loaded.rows, 0, loaded.pieces[0, form.COUNT], is_hollow, placed, count)
    return distance - radius - shape.sizes[part, form.RADIUS], normal_x, normal_y


@stage
def keep_meeting(
    shape: Contour,
    x: float,
    y: float,
    angle: float,
    rows: Ints,
    count: int,
    bodies: Bodies,
    pieces: Pieces,
    loaded: LoadedPiece,
    placed: FloatTable,
):
    """Keep those of the first `count` rows whose pieces meet or touch a shape that has an end; return how many.

    The shape's pose is x, y [m] and angle [rad]; `placed` is scratch with as many rows as it.
    """
    kept = 0
    for number in range(count):
        piece = rows[number]
        load(piece, pieces, loaded)
        center_x, center_y, turn = pose_of(piece, bodies, pieces)
        pose = pose_seen_from(center_x, center_y, turn, x, y, angle)
        for part in range(len(shape.pieces)):
            distance, _, _ = distance_to(shape, part, pose, pieces.size[piece, of_piece.RADIUS], loaded, placed)
            if distance <= 0.0:
                rows[kept] = piece
                kept += 1
                break
    return kept


@stage
def measure(
    point: Contour,
    x: float,
    y: float,
    rows: Ints,
    count: int,
    bodies: Bodies,
    pieces: Pieces,
    loaded: LoadedPiece,
    placed: FloatTable,
    near: FloatTable,
):
    """Write how far a point [m] is from the pieces of the first `count` rows, and their nearest points, to near (k, 3).

    `point` is the contour of a point; `placed` is scratch with one row. Inside it is 0, and the point itself.
    """
    for number in range(count):
        piece = rows[number]
        load(piece, pieces, loaded)
        body = pieces.index[piece, of_piece.BODY]
        local_x, local_y = in_body(body, bodies, x, y)
        pose, radius = Pose(local_x, local_y, 1.0, 0.0), pieces.size[piece, of_piece.RADIUS]
        distance, normal_x, normal_y = distance_to(point, 0, pose, radius, loaded, placed)
        distance = max(distance, 0.0)
        normal_x, normal_y = turned(body_pose(body, bodies), normal_x, normal_y)
        near[number, 0], near[number, 1], near[number, 2] = distance, x - distance * normal_x, y - distance * normal_y


@device
def reach_along(rows, k, x, y):
    """How far a corner reaches along a unit vector (x, y) [m]; an arc only where it faces there."""
    if rows[k, form.REACH] > 0.0 and not at_corner(rows, k, x, y):
        return -inf
    return x * rows[k, form.X] + y * rows[k, form.Y] + rows[k, form.REACH]


@subroutine
def furthest_part(rows, count, radius, x, y, slack):
    """(how far along (−y, x) what is furthest along a unit vector (x, y) begins, where it ends) [m].

    One point for a corner or an arc, two for an edge across that direction.
    """
    most = -inf
    for k in range(count):
        most = max(most, reach_along(rows, k, x, y))
    low, high = inf, -inf
    for k in range(count):
        if reach_along(rows, k, x, y) >= most - slack:
            along = x * rows[k, form.Y] - y * rows[k, form.X]
            low, high = min(low, along), max(high, along)
    return most + radius, low, high


@subroutine
def place_of_contact(a, b, count_a, count_b, radius_a, radius_b, normal_x, normal_y, slack):
    """Where piece B touches piece A, in whose axes both are, along the normal from A to B [m].

    The middle of what both have in common across the normal; where A bends inwards or has no end, of what B has.
    """
    bends = a[0, form.EDGE] >= form.ENDLESS
    for k in range(count_a):
        bends = bends or a[k, form.EDGE] == form.HOLLOW
    height, low, high = furthest_part(b, count_b, radius_b, -normal_x, -normal_y, slack)
    height, low, high = -height, -high, -low
    if not bends:
        height, low_a, high_a = furthest_part(a, count_a, radius_a, normal_x, normal_y, slack)
        low, high = max(low, low_a), min(high, high_a)
    middle = 0.5 * (low + high)
    return height * normal_x - middle * normal_y, height * normal_y + middle * normal_x


@stage
def first_met(
    shape: Contour,
    start_x: float,
    start_y: float,
    start_angle: float,
    end_x: float,
    end_y: float,
    end_angle: float,
    rows: Ints,
    count: int,
    bodies: Bodies,
    pieces: Pieces,
    loaded: LoadedPiece,
    placed: FloatTable,
    met: Floats,
):
    """The first of some pieces that a moving shape touches, -1 where it touches none; see `first_contact`.

    Of those touched at the same time that of the lowest entity. Writes met (5,): time in [0, 1], place [m], and normal.
    """
    start, end = (start_x, start_y, start_angle), (end_x, end_y, end_angle)
    way = length(end_x - start_x, end_y - start_y)
    until, first, part_met = 1.0, -1, 0
    for number in range(count):
        piece = rows[number]
        if passes_by(piece, bodies, pieces, start, end, until, shape.whole[form.ARM]):
            continue
        there = pose_of(piece, bodies, pieces)
        a = moving_piece(piece, pieces, there, there, loaded.rows)
        far = length(there[0] - start_x, there[1] - start_y) + way
        for part in range(len(shape.pieces)):
            b = moving_part(shape, part, start, end)
            tolerance = TOLERANCE * max(a.bound + b.bound, 1e-6 * far)
            t, normal_x, normal_y = moving_contact(a, b, placed, until, 0.0, tolerance)
            is_later = (
                t == until and first >= 0 and entity_of(piece, bodies, pieces) >= entity_of(first, bodies, pieces)
            )
            if t != t or is_later:
                continue
            until, first, part_met = t, piece, part
            met[MET_NORMAL_X], met[MET_NORMAL_Y] = normal_x, normal_y
    if first >= 0:
        met[TIME] = until
        write_place(shape, part_met, pose_at(start, end, until), first, bodies, pieces, loaded, placed, met)
    return first


@device
def passes_by(piece, bodies, pieces, start, end, until, arm):
    """Whether what reaches `arm` [m] from its origin certainly passes a piece by on the way up to a time."""
    if not has_end(piece, pieces):
        return False
    low_x, low_y, high_x, high_y = box_of(piece, bodies, pieces)
    x, y = 0.5 * (low_x + high_x) - start[0], 0.5 * (low_y + high_y) - start[1]
    way_x, way_y = until * (end[0] - start[0]), until * (end[1] - start[1])
    square = way_x * way_x + way_y * way_y
    along = min(max((x * way_x + y * way_y) / square, 0.0), 1.0) if square > 0.0 else 0.0
    reach = arm + 0.5 * length(high_x - low_x, high_y - low_y)
    return length(x - along * way_x, y - along * way_y) > 1.000001 * reach


@device
def entity_of(piece, bodies, pieces):
    """The entity of a piece's body."""
    return bodies.entity[pieces.index[piece, of_piece.BODY]]


@subroutine
def write_place(shape, part, pose, piece, bodies, pieces, loaded, placed, met):
    """Write to `met` where a part of a shape at a pose touches a piece along the normal in it."""
    load(piece, pieces, loaded)
    body = pieces.index[piece, of_piece.BODY]
    there = pose_of(piece, bodies, pieces)
    seen = pose_seen_from(there[0], there[1], there[2], pose[0], pose[1], pose[2])
    count, radius = shape.pieces[part, form.COUNT], shape.sizes[part, form.RADIUS]
    place_rows(shape.rows, shape.pieces[part, form.FIRST], count, seen, placed)
    frame = body_pose(body, bodies)
    normal_x, normal_y = turned_back(frame, met[MET_NORMAL_X], met[MET_NORMAL_Y])
    slack = FLAT * shape.sizes[part, form.BOUND_RADIUS]
    x, y = place_of_contact(
        loaded.rows, placed, loaded.pieces[0, form.COUNT], count,
        pieces.size[piece, of_piece.RADIUS], radius, normal_x, normal_y, slack,
    )  # fmt: skip
    met[MET_X], met[MET_Y] = moved(frame, x, y)
