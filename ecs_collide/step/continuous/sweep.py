"""Where fast bodies are stopped, and how far what is kinematic pushes them on.

A fast piece is swept along its body's way against what does not move, against kinematic bodies, and, where one of the
two is a bullet, against dynamic ones. It is stopped at its first overlap (`first_overlap.py` says by how much). What
glides along a surface has the end of its way moved out instead (`glide.py`), and keeps its velocity too: the next
step's contact turns it, with its friction and its bounce. Passing a corner without touching it stops nothing.
"""

from __future__ import annotations

from math import inf

from ecs_collide.common.one_way_side import LEAST_FACING, facing, is_one_way
from ecs_collide.common.pair_roles import role_of
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, stage, subroutine
from ecs_collide.step.continuous import body_motions as of_track
from ecs_collide.step.continuous.body_motions import Tracks, list_stopped, move_end, pose_on_way
from ecs_collide.step.continuous.first_overlap import depth_of, first_overlap, most_of, part_contact, way_of
from ecs_collide.step.continuous.sweep_candidates import append_pair, is_off
from ecs_collide.step.continuous.sweep_scratch import ROLE, SweepScratch


@device
def carried(body, x, y, since, bodies, tracks):
    """How far a point [m] that stands on a body from a time on is taken to the end of the step."""
    start_x, start_y, start_angle = pose_on_way(body, since, bodies, tracks)
    end_x, end_y, end_angle = pose_on_way(body, 1.0, bodies, tracks)
    c, s = cos_sin(end_angle - start_angle)
    arm_x, arm_y = x - start_x, y - start_y
    return end_x + c * arm_x - s * arm_y - x, end_y + s * arm_x + c * arm_y - y


@subroutine
def push_ahead(p, q, t, x, y, is_first, bodies, pieces, tracks):
    """Let a kinematic body that met p at time t along the normal (x, y) push it on for the rest of the step.

    Where it goes away p follows it: left behind, p would have no contact in the next step, and be stopped so each time.

    What two faces push stays where it is on the second body if that goes on like the first, and is else pushed along
    the second normal too. So one that met the end of a piece, along whose neighbours it slides, is not left to these.
    With `is_first` an earlier push takes the place of later ones, whose pairs are looked at again once p is stopped.
    """
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    stop = tracks.stop[body_p]
    px, py, _ = pose_on_way(body_p, min(t, stop[of_track.STOP]), bodies, tracks)
    way_x, way_y = carried(body_q, px, py, t, bodies, tracks)
    along = way_x * x + way_y * y
    if t > stop[of_track.STOP]:
        along = max(0.0, along)
    if t < stop[of_track.PUSHED_AT] and (is_first or stop[of_track.PUSHED_AT] > 1.0):
        list_stopped(body_p, tracks)
        stop[of_track.PUSHED_AT] = t
        stop[of_track.PUSH_X], stop[of_track.PUSH_Y] = along * x, along * y
        return
    push_x, push_y = stop[of_track.PUSH_X], stop[of_track.PUSH_Y]
    more = along - (push_x * x + push_y * y)
    if more <= 1e-9 * along:
        return
    way_x, way_y = carried(body_q, px, py, stop[of_track.PUSHED_AT], bodies, tracks)
    if way_x * push_x + way_y * push_y >= (1.0 - 1e-9) * (push_x * push_x + push_y * push_y):
        stop[of_track.PUSH_X], stop[of_track.PUSH_Y] = way_x, way_y
    else:
        stop[of_track.PUSH_X], stop[of_track.PUSH_Y] = push_x + more * x, push_y + more * y


@device
def passes_one_way(q, p, t, x, y, bodies, tracks):
    """Whether one of two bodies is one-way and is met from another side at time t, along the normal from q to p."""
    for body, sign in ((q, 1.0), (p, -1.0)):
        if is_one_way(body, bodies):
            _, _, angle = pose_on_way(body, t, bodies, tracks)
            c, s = cos_sin(angle)
            if facing(body, c, s, sign * x, sign * y, bodies) < LEAST_FACING:
                return True
    return False


@device
def stop_at(body, t, tracks):
    """Stop a body at time t unless it was stopped before; return whether it is stopped earlier now."""
    if not t < tracks.stop[body, of_track.STOP]:
        return False
    list_stopped(body, tracks)
    tracks.stop[body, of_track.STOP] = t
    return True


@device
def is_free(body, trees):
    """Whether a body hangs by no joint. `trees` (n,) has its tree, -1 where there is none; or is empty."""
    return len(trees) == 0 or trees[body] < 0


@subroutine
def stop_before(p, q, is_first, may_glide, trees, bodies, pieces, tracks, span, scratch, slop):
    """Stop the body of piece p where that comes to overlap q, which may push it on from there.

    What glides along q is not stopped, but has the end of its way moved out, if it may; return whether that was done.
    """
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    depth, free = depth_of(p, bodies, pieces, span, slop), is_free(body_p, trees)
    most = most_of(p, depth, free, pieces, span)
    t, x, y, lack = first_overlap(q, p, depth, most, bodies, pieces, tracks, scratch, slop)
    if t == t and t < 1.0 and not passes_one_way(body_q, body_p, t, x, y, bodies, tracks):
        if may_glide and free and lack > 0.0 and bodies.solver_row[body_p] > 0:
            move_end(body_p, lack * x, lack * y, bodies, tracks)
            return True
        if bodies.kind[body_q] == of_track.KINEMATIC:
            push_ahead(p, q, t, x, y, is_first, bodies, pieces, tracks)
        stop_at(body_p, t, tracks)
    return False


@subroutine
def sweep_pair(p, q, count, may_glide, trees, bodies, pieces, tracks, span, scratch, slop):
    """Sweep piece p against q; return how many crossed sensors there are so far, and whether p's way was moved out."""
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    role = role_of(body_p, body_q, bodies)
    if role == 0 or is_off(p, q, scratch):
        return count, False
    if role & of_pair.SOLID == 0:
        if count < len(scratch.crossed):
            scratch.crossed[count, ROLE] = role
        return append_pair(scratch.crossed, count, p, q), False
    return count, stop_before(p, q, True, may_glide, trees, bodies, pieces, tracks, span, scratch, slop)


@device
def comes_upon_stopped(p, q, bodies, pieces, tracks, scratch):
    """Whether q goes on while the body of p, which is solid to it, stands."""
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    return (
        bodies.kind[body_q] == of_track.KINEMATIC
        and tracks.stop[body_p, of_track.STOP] < 1.0
        and role_of(body_p, body_q, bodies) & of_pair.SOLID != 0
        and not is_off(p, q, scratch)
    )


@device
def sweep_near(count, may_glide, trees, bodies, pieces, tracks, span, scratch, slop):
    """Sweep the first pairs of `scratch.near`; return how many sensors were met on the way, and whether ways changed.

    Where these are more than `scratch.crossed` has room for, call again with more. Where ways changed, as what glides
    was moved out, forget all and sweep again. Reads body_pose, body_frame. Writes track_stop, `scratch.crossed`, and
    of what glides body_pose, body_frame, the solver's movements.
    """
    crossed, any_moved = 0, False
    for k in range(count):
        p, q = scratch.near[k, 0], scratch.near[k, 1]
        crossed, is_moved = sweep_pair(p, q, crossed, may_glide, trees, bodies, pieces, tracks, span, scratch, slop)
        any_moved = any_moved or is_moved
    if any_moved:
        return crossed, True
    for k in range(count):  # what was stopped later than its pair with q was looked at
        p, q = scratch.near[k, 0], scratch.near[k, 1]
        if comes_upon_stopped(p, q, bodies, pieces, tracks, scratch):
            stop_before(p, q, False, False, trees, bodies, pieces, tracks, span, scratch, slop)
    return crossed, False


@device
def sweep_bullets(count, bodies, pieces, tracks, span, scratch, slop):
    """Stop the bodies of the first pairs of `scratch.met` where they meet; return whether any is stopped earlier.

    Call it until none does: a body that is stopped earlier stands in other places.
    Reads body_pose, body_frame. Writes track_stop.
    """
    changed = False
    for k in range(count):
        p, q = scratch.met[k, 0], scratch.met[k, 1]
        depth = min(depth_of(p, bodies, pieces, span, slop), depth_of(q, bodies, pieces, span, slop))
        body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
        t, x, y, _ = first_overlap(q, p, depth, inf, bodies, pieces, tracks, scratch, slop)
        if t == t and passes_one_way(body_q, body_p, t, x, y, bodies, tracks):
            continue
        for side in (body_p, body_q):
            if stop_at(side, t, tracks):
                changed = True
    return changed


@stage
def settle_crossed(count: int, bodies: Bodies, pieces: Pieces, tracks: Tracks, scratch: SweepScratch):
    """Keep of the crossed pairs those that touch on the way but neither at its start nor at its end; return how many.

    The way ends where the body was stopped. Reads track_stop. Writes the first rows of `scratch.crossed`.
    """
    kept = 0
    for k in range(count):
        p, q = scratch.crossed[k, 0], scratch.crossed[k, 1]
        body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
        stop = tracks.stop[body_p, of_track.STOP]
        tolerance = 1e-9 * (
            1.0
            + pieces.size[p, PIECE_SIZE.RADIUS]
            + pieces.size[p, PIECE_SIZE.HALF_X]
            + pieces.size[p, PIECE_SIZE.HALF_Y]
        )
        way_q, way_p = way_of(body_q, 0.0, stop, bodies, tracks), way_of(body_p, 0.0, stop, bodies, tracks)
        t, _, _ = part_contact(q, p, way_q, way_p, pieces, scratch, 0.0, tolerance)
        if t != t or t == 0.0:
            continue
        way_q, way_p = (way_q[1], way_q[1]), (way_p[1], way_p[1])
        t, _, _ = part_contact(q, p, way_q, way_p, pieces, scratch, 0.0, tolerance)
        if t != t:
            scratch.crossed[kept, 0], scratch.crossed[kept, 1] = p, q
            scratch.crossed[kept, ROLE] = scratch.crossed[k, ROLE]
            kept += 1
    return kept
