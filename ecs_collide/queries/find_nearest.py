"""The entities nearest to a point.

The search goes down the tree near children first. It then goes through the strips, from the strip of the point to both
sides. In each strip it starts with the eight entries beside the point, then continues from the left. Pieces further
away than the last of the best so far are skipped.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from ecs_collide.contours.contour import CONTOUR_PIECE, Contour
from ecs_collide.contours.hollow_distance import find_outward_normal
from ecs_collide.contours.touching import sum_coordinates
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE
from ecs_collide.geometry.pose import Pose, rotate_vector
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels import simd
from ecs_collide.kernels.arrays import FloatCube, FloatTable, IntTable
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.queries.candidates import Scene, in_body, load, passes_filter
from ecs_collide.queries.find_overlaps import distance_to
from ecs_collide.step.broadphase.lookup import static_tree as of_tree
from ecs_collide.step.broadphase.lookup.static_tree import NODE, ROOT
from ecs_collide.step.broadphase.lookup.strips import ENTRY, SCALE, strip_of


class Best(NamedTuple):
    """The nearest entities so far to one point, sorted by distance and entity: one row of the result."""

    row: int
    """Row of the result."""
    reach: float
    """Greatest distance that counts [m]."""
    entity: np.ndarray
    """Entity (n, k)."""
    distance: np.ndarray
    """Distance [m] (n, k)."""
    point: np.ndarray
    """Nearest point of the entity [m] (n, k, 2)."""


@device
def limit_of(best, count):
    """Return the greatest distance that still counts [m]."""
    return best.distance[best.row, count - 1] if count == best.entity.shape[1] else best.reach


@device
def distance_bound(box, node, x, y):
    """Return a lower bound of the distance from a point to row `node` of `box` [m]."""
    dx = max(max(box[node, BOX.MIN_X] - x, x - box[node, BOX.MAX_X]), 0.0)
    dy = max(max(box[node, BOX.MIN_Y] - y, y - box[node, BOX.MAX_Y]), 0.0)
    return (1.0 - 1e-15) * sqrt(dx * dx + dy * dy)


@subroutine
def visit(piece, x, y, best, count, point, scene, placed):
    """Insert the collider of a piece among the best, if it is near enough; return the number of the best."""
    bodies, pieces = scene.bodies, scene.pieces
    body = pieces.index[piece, PIECE.BODY]
    load(piece, pieces, scene.loaded)
    local_x, local_y = in_body(body, bodies, x, y)
    pose, radius = body_pose(body, bodies), pieces.size[piece, PIECE_SIZE.RADIUS]
    coordinates = sum_coordinates(pose.x, pose.y, x, y)
    distance, normal_x, normal_y = distance_to(
        point, 0, Pose(local_x, local_y, 1.0, 0.0), radius, scene.loaded, placed, coordinates
    )
    distance = max(distance, 0.0)
    entity, row = bodies.entity[pieces.index[piece, PIECE.COLLIDER]], best.row
    if distance > limit_of(best, count):
        return count
    place, last = 0, count  # where it goes, and the row that it replaces: its own one, a new one, or the last
    for k in range(count):
        if best.entity[row, k] == entity:
            last = k
        if best.distance[row, k] < distance or (best.distance[row, k] == distance and best.entity[row, k] <= entity):
            place = k + 1
    if place > last or place == best.entity.shape[1]:
        return count
    if last == best.entity.shape[1]:
        last -= 1
    for k in range(last, place, -1):
        best.entity[row, k], best.distance[row, k] = best.entity[row, k - 1], best.distance[row, k - 1]
        best.point[row, k, X], best.point[row, k, Y] = best.point[row, k - 1, X], best.point[row, k - 1, Y]
    if scene.loaded.pieces[0, CONTOUR_PIECE.IS_HOLLOW] != 0 and distance > 0.0:
        _, normal_x, normal_y = find_outward_normal(
            scene.loaded.rows, 0, scene.loaded.pieces[0, CONTOUR_PIECE.COUNT], local_x, local_y
        )
    normal_x, normal_y = rotate_vector(pose, normal_x, normal_y)
    best.entity[row, place], best.distance[row, place] = entity, distance
    best.point[row, place, X], best.point[row, place, Y] = x - distance * normal_x, y - distance * normal_y
    return max(count, last + 1)


@subroutine
def nearest_in_tree(x, y, best, count, point, scene, placed):
    """Search the static pieces; return the number of the best."""
    tree, stack = scene.nearby.tree, scene.nearby.tree.stack
    depth = 0
    if tree.root[ROOT.NODE] != of_tree.NONE:
        stack[0] = tree.root[ROOT.NODE]
        depth = 1
    while depth > 0:
        depth -= 1
        node = stack[depth]
        if distance_bound(tree.box, node, x, y) > limit_of(best, count):
            continue
        left, right = tree.link[node, NODE.LEFT], tree.link[node, NODE.RIGHT]
        if tree.link[node, NODE.HEIGHT] == 0:
            if passes_filter(left, scene):
                count = visit(left, x, y, best, count, point, scene, placed)
        else:
            is_left_near = distance_bound(tree.box, left, x, y) <= distance_bound(tree.box, right, x, y)
            stack[depth] = right if is_left_near else left
            stack[depth + 1] = left if is_left_near else right
            depth += 2
    return count


@subroutine
def nearest_in_block(m, stop, x, y, best, count, point, scene, placed):
    """Search eight entries of the strips from m on, those before `stop`; return the number of the best."""
    entry, limit = scene.nearby.strips.entry, limit_of(best, count)
    dx = simd.maximum(simd.load(entry, (BOX.MIN_X, m)) - x, x - simd.load(entry, (BOX.MAX_X, m)))
    dy = simd.maximum(simd.load(entry, (BOX.MIN_Y, m)) - y, y - simd.load(entry, (BOX.MAX_Y, m)))
    dx, dy = simd.maximum(dx, 0.0), simd.maximum(dy, 0.0)
    near = simd.lane_bits(dx * dx + dy * dy <= limit * limit * (1.0 + 1e-15))
    if stop - m < simd.LANES:
        near &= (1 << (stop - m)) - 1
    while near != 0:
        piece = int(entry[ENTRY.PIECE, m + simd.trailing_zeros(near)])
        near &= near - 1
        if passes_filter(piece, scene):
            count = visit(piece, x, y, best, count, point, scene, placed)
    return count


@subroutine
def nearest_in_slot(slot, x, y, best, count, point, scene, placed):
    """Search the pieces of one slot of the strips; return the number of the best."""
    strips = scene.nearby.strips
    m, stop = strips.start[slot], strips.start[slot] + strips.filled[slot]
    while m < stop and strips.entry[BOX.MIN_X, m] <= x + limit_of(best, count):
        count = nearest_in_block(m, stop, x, y, best, count, point, scene, placed)
        m += simd.LANES
    return count


@device
def block_at(slot, x, strips):
    """Return the first of the last eight entries of a slot that begin at or left of x [m], or of its first eight."""
    blocks = (strips.filled[slot] + simd.LANES - 1) // simd.LANES
    low, high = 0, max(blocks - 1, 0)
    while low < high:
        middle = (low + high + 1) // 2
        if strips.entry[BOX.MIN_X, strips.start[slot] + simd.LANES * middle] <= x:
            low = middle
        else:
            high = middle - 1
    return strips.start[slot] + simd.LANES * low


@subroutine
def nearest_in_strips(x, y, best, count, point, scene, placed):
    """Search the pieces in the strips; return the number of the best."""
    strips = scene.nearby.strips
    slots, per_height = len(strips.filled), strips.scale[SCALE.PER_HEIGHT]
    middle = strip_of(y, per_height)
    home = middle & (slots - 1)
    stop = strips.start[home] + strips.filled[home]
    count = nearest_in_block(
        block_at(home, x, strips), stop, x, y, best, count, point, scene, placed
    )  # near pieces come first and rule out most others
    count = nearest_in_slot(home, x, y, best, count, point, scene, placed)
    for step in range(1, slots // 2 + 1):
        above, below = (middle + step) / per_height - y, y - (middle - step + 1) / per_height
        slack = 1e-9 * (abs(y) + 1.0 / per_height)
        limit = limit_of(best, count) + slack
        if above > limit and below > limit:
            break
        count = nearest_in_slot((middle + step) & (slots - 1), x, y, best, count, point, scene, placed)
        if 2 * step < slots:
            count = nearest_in_slot((middle - step) & (slots - 1), x, y, best, count, point, scene, placed)
    return count


@kernel
def nearest_to(
    places: FloatTable,
    reach: float,
    point: Contour,
    scene: Scene,
    placed: FloatTable,
    entity: IntTable,
    distance: FloatTable,
    nearest_point: FloatCube,
):
    """Find the k entities nearest to each of some points [m] (n, 2), within `reach` [m].

    `point` is the contour of a point; `placed` is scratch space with one row. Writes entity (n, k), 0 for none,
    distance [m] (n, k), 0 inside, and nearest_point [m] (n, k, 2), the point itself inside. Distance and nearest_point
    stay unchanged if there is no entity.
    """
    nearby = scene.nearby
    for row in range(len(places)):
        x, y = places[row, X], places[row, Y]
        best = Best(row, reach, entity, distance, nearest_point)
        count = 0
        for piece in nearby.unbounded:
            if passes_filter(piece, scene):
                count = visit(piece, x, y, best, count, point, scene, placed)
        for k in range(nearby.outside_count[0]):
            is_near = distance_bound(nearby.outside_box, k, x, y) <= limit_of(best, count)
            if is_near and passes_filter(nearby.outside[k], scene):
                count = visit(nearby.outside[k], x, y, best, count, point, scene, placed)
        count = nearest_in_tree(x, y, best, count, point, scene, placed)
        count = nearest_in_strips(x, y, best, count, point, scene, placed)
        for k in range(count, entity.shape[1]):
            entity[row, k] = 0
