"""Manifolds of pairs that fast bodies may reach within a step: one point each, where the two would first touch."""

from __future__ import annotations

from ecs_collide.contours import contour as form
from ecs_collide.contours.contact_place import FLAT, place_of_contact
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import place_contour_rows
from ecs_collide.contours.first_contact import find_moving_contact, interpolate_pose, make_moving_piece
from ecs_collide.contours.shape_distance import find_pose_seen_from, rows_distance
from ecs_collide.data.bodies import FRAME, POSE, Bodies
from ecs_collide.data.pairs import MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import PIECE, Pieces
from ecs_collide.geometry.pose import Pose, rotate_vector_back
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.step.broadphase.pair_slots import count_live
from ecs_collide.step.continuous.find_reachable import PREDICTED, Predictions
from ecs_collide.step.continuous.sweep_scratch import SweepScratch

TOLERANCE = 0.01
"""Gap at which two pieces count as touching, as a fraction of the slop."""


@device
def predicted_path(body, bodies, movement):
    """Return the poses of a body's centre of mass at the start and at the end of the step to come."""
    x, y, angle = bodies.frame[body, FRAME.CENTER_X], bodies.frame[body, FRAME.CENTER_Y], bodies.pose[body, POSE.ANGLE]
    row = movement[body]
    return (x, y, angle), (x + row[PREDICTED.DX], y + row[PREDICTED.DY], angle + row[PREDICTED.DA])


@subroutine
def write_manifold(slot, bodies, pieces, pairs, predictions, scratch, slop):
    """Write the manifold of a pair: where the pieces first touch on their predicted paths, or else where they are."""
    piece_a, piece_b = pairs.index[slot, PAIR.PIECE_A], pairs.index[slot, PAIR.PIECE_B]
    start_a, end_a = predicted_path(pieces.index[piece_a, PIECE.BODY], bodies, predictions.movement)
    start_b, end_b = predicted_path(pieces.index[piece_b, PIECE.BODY], bodies, predictions.movement)
    a = make_moving_piece(piece_a, pieces, start_a, end_a, scratch.a)
    b = make_moving_piece(piece_b, pieces, start_b, end_b, scratch.b)
    t, x, y = find_moving_contact(scratch.a, a, scratch.b, b, scratch.placed, 1.0, 0.0, TOLERANCE * slop)
    meets = t == t
    pose_a = interpolate_pose(start_a, end_a, t if meets else 0.0)
    pose_b = interpolate_pose(start_b, end_b, t if meets else 0.0)
    seen = find_pose_seen_from(pose_a[0], pose_a[1], pose_a[2], pose_b[0], pose_b[1], pose_b[2])
    place_contour_rows(scratch.b, b.first, b.corners, seen, scratch.placed)
    gap = 0.0
    if meets:
        c, s = cos_sin(pose_a[2])
        x, y = c * x + s * y, c * y - s * x
    else:
        is_hollow = scratch.a[a.first, CONTOUR.EDGE] < form.UNBOUNDED and (a.is_hollow or b.is_hollow)
        gap, x, y = rows_distance(scratch.a, a.first, a.corners, is_hollow, scratch.placed, b.corners)
        gap -= a.radius + b.radius
        seen_there = Pose(x=seen.x - gap * x, y=seen.y - gap * y, cos=seen.cos, sin=seen.sin)
        place_contour_rows(scratch.b, b.first, b.corners, seen_there, scratch.placed)
    on_a_x, on_a_y = place_of_contact(
        scratch.a, scratch.placed, a.corners, b.corners, a.radius, b.radius, x, y, FLAT * b.bound
    )
    manifold = pairs.manifold[slot]
    manifold[MANIFOLD.NORMAL_X], manifold[MANIFOLD.NORMAL_Y] = x, y
    manifold[MANIFOLD.ANCHOR_A], manifold[MANIFOLD.ANCHOR_A + 1] = on_a_x, on_a_y
    local_x, local_y = rotate_vector_back(seen, on_a_x + gap * x - seen.x, on_a_y + gap * y - seen.y)
    manifold[MANIFOLD.ANCHOR_B], manifold[MANIFOLD.ANCHOR_B + 1] = local_x, local_y
    pairs.index[slot, PAIR.POINT_COUNT] = 1


@kernel
def write_reachable_manifolds(
    bodies: Bodies, pieces: Pieces, pairs: Pairs, predictions: Predictions, scratch: SweepScratch, slop: float
):
    """Write the manifolds of all enabled pairs.

    Reads body_frame, body_pose. Writes pair_manifold, pair_index (POINT_COUNT).
    """
    for k in range(count_live(pairs)):
        if pairs.enabled[pairs.order[k]]:
            write_manifold(pairs.order[k], bodies, pieces, pairs, predictions, scratch, slop)
