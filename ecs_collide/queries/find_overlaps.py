"""Entities that contain a point, or overlap a box or a shape at a pose.

The results of many queries stand one behind the other, each collider once; `starts` holds the first row of each query.
"""

from __future__ import annotations

from ecs_collide.contours.contour import CONTOUR, CONTOUR_PIECE, CONTOUR_SIZE, Contour
from ecs_collide.contours.corner import place_contour_rows
from ecs_collide.contours.first_hit import find_point_distance
from ecs_collide.contours.shape_distance import find_pose_seen_from, rows_distance
from ecs_collide.contours.touching import ROUNDING, find_greatest_coordinate, snap_distance, sum_coordinates
from ecs_collide.data.bodies import FRAME, POSE
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.aabb import BOX
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.queries.candidates import Scene, find_in_box, in_body, load


@device
def pose_of(piece, bodies, pieces):
    """Return the pose (x, y, angle) of the centre of mass of a piece's body."""
    body = pieces.index[piece, PIECE.BODY]
    frame = bodies.frame
    return frame[body, FRAME.CENTER_X], frame[body, FRAME.CENTER_Y], frame[body, FRAME.ANGLE]


@subroutine
def distance_to(shape, own, pose, radius, loaded, placed, coordinates):
    """Return (distance [m], normal) from the loaded piece to one piece of a contour at a pose in the piece's axes.

    The distance is 0 if they touch, see `touching.py`. `coordinates` is the sum of those of both positions [m].
    """
    first, count = shape.pieces[own, CONTOUR_PIECE.FIRST], shape.pieces[own, CONTOUR_PIECE.COUNT]
    is_hollow = loaded.pieces[0, CONTOUR_PIECE.IS_HOLLOW] != 0 or shape.pieces[own, CONTOUR_PIECE.IS_HOLLOW] != 0
    place_contour_rows(shape.rows, first, count, pose, placed)
    distance, normal_x, normal_y = rows_distance(
        loaded.rows, 0, loaded.pieces[0, CONTOUR_PIECE.COUNT], is_hollow, placed, count
    )
    radii = radius + shape.sizes[own, CONTOUR_SIZE.RADIUS]
    extents = find_greatest_coordinate(
        loaded.rows, 0, loaded.pieces[0, CONTOUR_PIECE.COUNT]
    ) + find_greatest_coordinate(shape.rows, first, count)
    return snap_distance(distance - radii, ROUNDING * (extents + radii + coordinates)), normal_x, normal_y


@device
def is_new(piece, scene):
    """Return True if the collider of a piece is not in the result yet."""
    return not scene.query_filter.is_found[scene.pieces.index[piece, PIECE.COLLIDER]]


@device
def append_collider(piece, scene, found, count):
    """Append the collider of a piece to the result, if there is room; return the number of colliders found."""
    collider = scene.pieces.index[piece, PIECE.COLLIDER]
    if count < len(found):
        found[count] = collider
        scene.query_filter.is_found[collider] = True
    return count + 1


@device
def write_entities(start, count, scene, found):
    """Replace the colliders found by one query, from row `start` on, by their entities."""
    for k in range(start, min(count, len(found))):
        scene.query_filter.is_found[found[k]] = False
        found[k] = scene.bodies.entity[found[k]]


@kernel
def find_at_points(places: FloatTable, scene: Scene, starts: Ints, found: Ints):
    """Find the entities that contain each of some points [m] (n, 2); return the number of entities.

    If `found` is too short, the number is the length that it needs. Writes starts (n + 1,) and found (k,).
    """
    pieces, loaded = scene.pieces, scene.loaded
    count = 0
    for k in range(len(places)):
        starts[k] = count
        x, y = places[k, X], places[k, Y]
        for number in range(find_in_box(x, y, x, y, scene)):
            piece = scene.candidates[number]
            if is_new(piece, scene):
                load(piece, pieces, loaded)
                local_x, local_y = in_body(pieces.index[piece, PIECE.BODY], scene.bodies, x, y)
                center_x, center_y, _ = pose_of(piece, scene.bodies, pieces)
                extent = find_greatest_coordinate(loaded.rows, 0, loaded.pieces[0, CONTOUR_PIECE.COUNT])
                extent += loaded.sizes[0, CONTOUR_SIZE.RADIUS]
                rounding = ROUNDING * (extent + sum_coordinates(center_x, center_y, x, y))
                if find_point_distance(loaded, 0, local_x, local_y) <= rounding:
                    count = append_collider(piece, scene, found, count)
        write_entities(starts[k], count, scene, found)
    starts[len(places)] = count
    return count


@subroutine
def append_overlapping(shape, x, y, angle, candidate_count, scene, placed, found, count):
    """Append the candidates' bodies that overlap a shape at a pose to the result; return the number of bodies found."""
    pieces, loaded = scene.pieces, scene.loaded
    for number in range(candidate_count):
        piece = scene.candidates[number]
        if not is_new(piece, scene):
            continue
        load(piece, pieces, loaded)
        center_x, center_y, turn = pose_of(piece, scene.bodies, pieces)
        pose = find_pose_seen_from(center_x, center_y, turn, x, y, angle)
        coordinates = sum_coordinates(center_x, center_y, x, y)
        for own in range(len(shape.pieces)):
            distance, _, _ = distance_to(
                shape, own, pose, pieces.size[piece, PIECE_SIZE.RADIUS], loaded, placed, coordinates
            )
            if distance <= 0.0:
                count = append_collider(piece, scene, found, count)
                break
    return count


@kernel
def find_overlapping_shape(
    poses: FloatTable, shape: Contour, scene: Scene, placed: FloatTable, starts: Ints, found: Ints
):
    """Find the entities that overlap or touch a bounded shape at each of some poses (n, 3); return their number.

    `placed` is scratch space with as many rows as the shape. If `found` is too short, the number is the length that it
    needs. Writes starts (n + 1,) and found (k,).
    """
    reach = shape.whole[CONTOUR_SIZE.ARM]
    count = 0
    for k in range(len(poses)):
        starts[k] = count
        x, y = poses[k, POSE.X], poses[k, POSE.Y]
        near = find_in_box(x - reach, y - reach, x + reach, y + reach, scene)
        count = append_overlapping(shape, x, y, poses[k, POSE.ANGLE], near, scene, placed, found, count)
        write_entities(starts[k], count, scene, found)
    starts[len(poses)] = count
    return count


@kernel
def find_overlapping_boxes(
    boxes: FloatTable, box: Contour, scene: Scene, placed: FloatTable, starts: Ints, found: Ints
):
    """Find the entities that overlap or touch each of some upright boxes [m] (n, 4); return their number.

    `box` is the contour of an upright box, whose corners this function overwrites. `placed` is scratch space with four
    rows. If `found` is too short, the number is the length that it needs. Writes starts (n + 1,) and found (k,).
    """
    count = 0
    for k in range(len(boxes)):
        starts[k] = count
        left, low, right, high = boxes[k, BOX.MIN_X], boxes[k, BOX.MIN_Y], boxes[k, BOX.MAX_X], boxes[k, BOX.MAX_Y]
        half_x, half_y = 0.5 * (right - left), 0.5 * (high - low)
        for row in range(4):
            box.rows[row, CONTOUR.X] = half_x if row in (1, 2) else -half_x
            box.rows[row, CONTOUR.Y] = half_y if row in (2, 3) else -half_y
        near = find_in_box(left, low, right, high, scene)
        count = append_overlapping(box, left + half_x, low + half_y, 0.0, near, scene, placed, found, count)
        write_entities(starts[k], count, scene, found)
    starts[len(boxes)] = count
    return count
