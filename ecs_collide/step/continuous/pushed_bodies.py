"""What a fast kinematic body pushes on goes no further than to what is static."""

from __future__ import annotations

from math import sqrt

from ecs_collide.common.pair_roles import role_of
from ecs_collide.contours.first_contact import find_moving_contact, make_moving_piece
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import stage, subroutine
from ecs_collide.step.broadphase.lookup.static_tree import Tree, leaves_in_box
from ecs_collide.step.continuous import body_motions as of_track
from ecs_collide.step.continuous.body_motions import Tracks, pose_on_way
from ecs_collide.step.continuous.first_overlap import TOLERANCE, depth_of
from ecs_collide.step.continuous.sweep import passes_one_way
from ecs_collide.step.continuous.sweep_candidates import is_off
from ecs_collide.step.continuous.sweep_scratch import SweepScratch


@subroutine
def shorten_push(p, q, bodies, pieces, tracks, span, scratch, slop):
    """Let the push of piece p's body end where p has come to overlap the static piece q by as much as a stopped one."""
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    if (
        bodies.kind[body_q] != of_track.STATIC
        or role_of(body_p, body_q, bodies) & of_pair.SOLID == 0
        or is_off(p, q, scratch)
    ):
        return
    x, y, angle = pose_on_way(body_p, tracks.stop[body_p, of_track.STOP], bodies, tracks)
    push_x, push_y = tracks.stop[body_p, of_track.PUSH_X], tracks.stop[body_p, of_track.PUSH_Y]
    place = pose_on_way(body_q, 1.0, bodies, tracks)
    a = make_moving_piece(q, pieces, place, place, scratch.a)
    b = make_moving_piece(p, pieces, (x, y, angle), (x + push_x, y + push_y, angle), scratch.b)
    depth = depth_of(p, bodies, pieces, span, slop)
    t, normal_x, normal_y = find_moving_contact(
        scratch.a, a, scratch.b, b, scratch.placed, 1.0, depth, TOLERANCE * abs(depth)
    )
    if t != t or passes_one_way(body_q, body_p, 1.0, normal_x, normal_y, bodies, tracks):
        return
    if t < 1.0 and push_x * normal_x + push_y * normal_y < 0.0:  # what is deep at once may be pushed out
        tracks.stop[body_p, of_track.PUSH_X], tracks.stop[body_p, of_track.PUSH_Y] = t * push_x, t * push_y


@stage
def shorten_pushes(
    rows: Ints,
    unbounded: Ints,
    bodies: Bodies,
    pieces: Pieces,
    tracks: Tracks,
    tree: Tree,
    span: FloatTable,
    scratch: SweepScratch,
    slop: float,
):
    """Let pushes end at what is static. `rows` are the pieces that can move.

    Reads body_pose, body_frame. Writes track_stop.
    """
    for p in rows:
        body = pieces.index[p, PIECE.BODY]
        if tracks.stop[body, of_track.PUSHED_AT] > 1.0:
            continue
        x, y, angle = pose_on_way(body, tracks.stop[body, of_track.STOP], bodies, tracks)
        c, s = cos_sin(angle)
        local_x, local_y = pieces.size[p, PIECE_SIZE.LOCAL_X], pieces.size[p, PIECE_SIZE.LOCAL_Y]
        x, y = x + c * local_x - s * local_y, y + s * local_x + c * local_y
        end_x, end_y = x + tracks.stop[body, of_track.PUSH_X], y + tracks.stop[body, of_track.PUSH_Y]
        reach = (
            sqrt(pieces.size[p, PIECE_SIZE.HALF_X] ** 2 + pieces.size[p, PIECE_SIZE.HALF_Y] ** 2)
            + pieces.size[p, PIECE_SIZE.RADIUS]
        )
        low_x, low_y = min(x, end_x) - reach, min(y, end_y) - reach
        count = leaves_in_box(tree, low_x, low_y, max(x, end_x) + reach, max(y, end_y) + reach, tree.hits)
        for k in range(count):
            shorten_push(p, tree.hits[k], bodies, pieces, tracks, span, scratch, slop)
        for q in unbounded:
            shorten_push(p, q, bodies, pieces, tracks, span, scratch, slop)
