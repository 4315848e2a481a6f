"""Pushes of fast kinematic bodies, which end at static bodies."""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.pair_roles import role_of
from ecs_collide.contours.first_contact import find_moving_contact, make_moving_piece
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import kernel, subroutine
from ecs_collide.step.broadphase.lookup.static_tree import Tree, leaves_in_box
from ecs_collide.step.continuous.body_motions import STATIC, STOP, pose_in_step
from ecs_collide.step.continuous.first_overlap import TOLERANCE, stop_depth
from ecs_collide.step.continuous.sweep import passes
from ecs_collide.step.continuous.sweep_candidates import is_disabled
from ecs_collide.step.continuous.sweep_scratch import SweepScene


@subroutine
def shorten_push(p, q, scene):
    """End the push of piece p's body where p overlaps the static piece q by the stop depth."""
    bodies, pieces, motions, scratch = scene.bodies, scene.pieces, scene.motions, scene.scratch
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    if (
        bodies.kind[body_q] != STATIC
        or role_of(p, q, bodies, pieces) & of_pair.SOLID == 0
        or is_disabled(p, q, scratch)
    ):
        return
    x, y, angle = pose_in_step(body_p, motions.stop[body_p, STOP.TIME], bodies, motions)
    push_x, push_y = motions.stop[body_p, STOP.PUSH_X], motions.stop[body_p, STOP.PUSH_Y]
    place = pose_in_step(body_q, 1.0, bodies, motions)
    a = make_moving_piece(q, pieces, place, place, scratch.a)
    b = make_moving_piece(p, pieces, (x, y, angle), (x + push_x, y + push_y, angle), scratch.b)
    depth = stop_depth(p, scene)
    t, normal_x, normal_y = find_moving_contact(
        scratch.a, a, scratch.b, b, scratch.placed, 1.0, depth, TOLERANCE * abs(depth)
    )
    if t != t or passes(q, p, 1.0, normal_x, normal_y, scene):
        return
    if t < 1.0 and push_x * normal_x + push_y * normal_y < 0.0:  # a push that leads out of q is not shortened
        motions.stop[body_p, STOP.PUSH_X], motions.stop[body_p, STOP.PUSH_Y] = t * push_x, t * push_y


@kernel
def shorten_pushes(rows: Ints, unbounded: Ints, tree: Tree, scene: SweepScene):
    """End pushes at static pieces.

    `rows` are the pieces that can move, `unbounded` those without an end, and `tree` has the static ones. Reads
    body_pose, body_frame. Writes motion_stop.
    """
    bodies, pieces, motions = scene.bodies, scene.pieces, scene.motions
    for p in rows:
        body = pieces.index[p, PIECE.BODY]
        if motions.stop[body, STOP.PUSH_TIME] > 1.0:
            continue
        # Box of the pushed piece's path.
        x, y, angle = pose_in_step(body, motions.stop[body, STOP.TIME], bodies, motions)
        c, s = cos_sin(angle)
        local_x, local_y = pieces.size[p, PIECE_SIZE.LOCAL_X], pieces.size[p, PIECE_SIZE.LOCAL_Y]
        x, y = x + c * local_x - s * local_y, y + s * local_x + c * local_y
        end_x, end_y = x + motions.stop[body, STOP.PUSH_X], y + motions.stop[body, STOP.PUSH_Y]
        reach = (
            sqrt(pieces.size[p, PIECE_SIZE.HALF_X] ** 2 + pieces.size[p, PIECE_SIZE.HALF_Y] ** 2)
            + pieces.size[p, PIECE_SIZE.RADIUS]
        )
        low_x, low_y = min(x, end_x) - reach, min(y, end_y) - reach
        # Static pieces there.
        count = leaves_in_box(tree, low_x, low_y, max(x, end_x) + reach, max(y, end_y) + reach, tree.hits)
        for k in range(count):
            shorten_push(p, tree.hits[k], scene)
        for q in unbounded:
            shorten_push(p, q, scene)
