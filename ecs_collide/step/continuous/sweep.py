"""Sweep fast bodies: find where they are stopped, and how far kinematic bodies push them on.

A fast piece is swept along its body's path against static and kinematic bodies, and, if one of the two is a bullet,
against dynamic ones. It is stopped at its first overlap (`first_overlap.py`). If it glides along a surface, the end of
its path is moved out instead (`glide.py`), and it keeps its velocity. The contact of the next step then turns it, with
its friction and bounce. A piece that passes a corner without touching it is not stopped.
"""

from __future__ import annotations

from math import inf

from ecs_collide.common.front_side import is_one_sided, leads_back, meets_back, middle_of_piece
from ecs_collide.common.one_way_side import LEAST_FACING, facing, is_one_way
from ecs_collide.common.pair_roles import role_of
from ecs_collide.contours.piece_rows import is_piece_bounded
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BODY_SPAN
from ecs_collide.data.pieces import PIECE, PIECE_SIZE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, kernel, subroutine
from ecs_collide.step.continuous.body_motions import (
    COUNTS,
    DYNAMIC,
    KINEMATIC,
    STOP,
    add_stopped,
    move_end,
    pose_in_step,
)
from ecs_collide.step.continuous.first_overlap import (
    first_overlap,
    greatest_depth,
    overlap_at,
    path_poses,
    piece_contact,
    stop_depth,
)
from ecs_collide.step.continuous.path_separation import least_separation
from ecs_collide.step.continuous.sliding_rods import slides_over
from ecs_collide.step.continuous.sweep_candidates import append_pair, find_disabled, is_disabled
from ecs_collide.step.continuous.sweep_scratch import CROSSED, DISABLED, PIECES, SweepScene

DEEP_SLOPS = 2.0
"""Overlap at the start of a step from which a piece that a one-sided line does not hold passes it, in slops."""

SAFETY = 0.1
"""Part of the overlap or gap at which a piece is stopped that a bound must keep away from it; more than TOLERANCE."""


@device
def point_movement(body, x, y, since, scene):
    """Return the movement of a point (x, y) [m] on a body from a time to the end of the step."""
    start_x, start_y, start_angle = pose_in_step(body, since, scene.bodies, scene.motions)
    end_x, end_y, end_angle = pose_in_step(body, 1.0, scene.bodies, scene.motions)
    c, s = cos_sin(end_angle - start_angle)
    arm_x, arm_y = x - start_x, y - start_y
    return end_x + c * arm_x - s * arm_y - x, end_y + s * arm_x + c * arm_y - y


@subroutine
def push_ahead(p, q, t, x, y, is_first, scene):
    """Let a kinematic body that met p at time t, along the normal (x, y), push it on for the rest of the step.

    If the kinematic body moves away, p follows it. Left behind, p would have no contact in the next step, and would be
    stopped in each step.

    If two faces push p, and the second body moves on like the first, p stays where it is on the second one. Otherwise p
    is pushed along the second normal, too. So the neighbours of a piece along which p slides do not push it twice.

    With `is_first`, an earlier push replaces later ones, whose pairs are swept again once p is stopped.
    """
    body_p, body_q = scene.pieces.index[p, PIECE.BODY], scene.pieces.index[q, PIECE.BODY]
    stop = scene.motions.stop[body_p]
    px, py, _ = pose_in_step(body_p, min(t, stop[STOP.TIME]), scene.bodies, scene.motions)
    move_x, move_y = point_movement(body_q, px, py, t, scene)
    along = move_x * x + move_y * y
    if t > stop[STOP.TIME]:
        along = max(0.0, along)
    # The first push.
    if t < stop[STOP.PUSH_TIME] and (is_first or stop[STOP.PUSH_TIME] > 1.0):
        add_stopped(body_p, scene.motions)
        stop[STOP.PUSH_TIME] = t
        stop[STOP.PUSH_X], stop[STOP.PUSH_Y] = along * x, along * y
        return
    # A further push.
    push_x, push_y = stop[STOP.PUSH_X], stop[STOP.PUSH_Y]
    more = along - (push_x * x + push_y * y)
    if more <= 1e-9 * along:
        return
    move_x, move_y = point_movement(body_q, px, py, stop[STOP.PUSH_TIME], scene)
    if move_x * push_x + move_y * push_y >= (1.0 - 1e-9) * (push_x * push_x + push_y * push_y):
        stop[STOP.PUSH_X], stop[STOP.PUSH_Y] = move_x, move_y
    else:
        stop[STOP.PUSH_X], stop[STOP.PUSH_Y] = push_x + more * x, push_y + more * y


@device
def passes_one_way(q, p, t, x, y, scene):
    """Return True if one of two pieces is one-way, and meets the other from another side at time t.

    (x, y) is the normal from q to p.
    """
    for piece, sign in ((q, 1.0), (p, -1.0)):
        collider = scene.pieces.index[piece, PIECE.COLLIDER]
        if is_one_way(collider, scene.bodies):
            _, _, angle = pose_in_step(scene.pieces.index[piece, PIECE.BODY], t, scene.bodies, scene.motions)
            c, s = cos_sin(angle)
            if facing(collider, c, s, sign * x, sign * y, scene.bodies) < LEAST_FACING:
                return True
    return False


@device
def meets_back_of(line, other, sign, t, x, y, scene):
    """Return True if a piece meets the back of a line at time t, or came from there; False if it is not one-sided.

    (x, y) times `sign` is the normal from the line to the piece. A piece that overlaps the line by more than some slops
    at the start of the step is out of it only in front, see `narrowphase/one_sided_pairs.py`.
    """
    bodies, pieces, motions = scene.bodies, scene.pieces, scene.motions
    if not is_one_sided(line, pieces):
        return False
    body_line, body = pieces.index[line, PIECE.BODY], pieces.index[other, PIECE.BODY]
    there = pose_in_step(body_line, t, bodies, motions)
    if not is_piece_bounded(other, pieces):
        c, s = cos_sin(there[2])
        x, y = sign * x, sign * y
        return leads_back(line, c * x + s * y, c * y - s * x, pieces)
    here = pose_in_step(body, t, bodies, motions)
    c, s = cos_sin(here[2])
    local_x, local_y = middle_of_piece(other, pieces)
    middle_x, middle_y = here[0] + c * local_x - s * local_y, here[1] + s * local_x + c * local_y
    margin = 0.0 if scene.span[body, BODY_SPAN.CORE] > 0.0 else scene.slop
    if meets_back(line, there, middle_x, middle_y, sign * x, sign * y, False, margin, pieces):
        return True
    starts = pose_in_step(body_line, 0.0, bodies, motions), pose_in_step(body, 0.0, bodies, motions)
    overlap, _, _ = overlap_at(line, other, starts[0], starts[1], 0.1 * scene.slop, scene)
    return overlap > DEEP_SLOPS * scene.slop


@device
def passes(q, p, t, x, y, scene):
    """Return True if one of two pieces lets the other pass at time t, when they meet along (x, y), from q to p."""
    return (
        passes_one_way(q, p, t, x, y, scene)
        or meets_back_of(q, p, 1.0, t, x, y, scene)
        or meets_back_of(p, q, -1.0, t, x, y, scene)
    )


@device
def stop_at(body, t, motions):
    """Stop a body at time t unless it is stopped before; return True if that is earlier than before."""
    if not t < motions.stop[body, STOP.TIME]:
        return False
    add_stopped(body, motions)
    motions.stop[body, STOP.TIME], motions.stop[body, STOP.ROUND] = t, motions.counts[COUNTS.ROUND]
    return True


@device
def is_in_no_tree(body, trees):
    """Return True if a body is in no joint tree."""
    return len(trees) == 0 or trees[body] < 0


@device
def stop_with_tree(body, t, scene):
    """Stop a body, and all bodies of its joint tree, at time t; return True if that is earlier than before.

    A body moved back alone would tear its joints.
    """
    trees, motions = scene.trees, scene.motions
    if is_in_no_tree(body, trees) or not t < motions.stop[body, STOP.TIME]:
        return stop_at(body, t, motions)
    for other in range(len(trees)):
        if trees[other] == trees[body]:
            stop_at(other, t, motions)
    return True


@device
def touches_kinematic(p, q, scene):
    """Return True if piece p touches the kinematic q at the start of the step."""
    bodies, pieces, motions = scene.bodies, scene.pieces, scene.motions
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    if bodies.kind[body_q] != KINEMATIC:
        return False
    place_q, place_p = pose_in_step(body_q, 0.0, bodies, motions), pose_in_step(body_p, 0.0, bodies, motions)
    overlap, _, _ = overlap_at(q, p, place_q, place_p, 0.1 * scene.slop, scene)
    return overlap > -scene.slop


@device
def keeps_off(separation, depth):
    """Return True if two pieces whose separation is never less than `separation` [m] never overlap by `depth` [m]."""
    return separation > SAFETY * abs(depth) - depth


@subroutine
def stop_at_overlap(p, q, is_first, may_glide, separation, scene):
    """Stop the body of piece p where p overlaps q, which may push it on from there.

    `separation` [m] is a lower bound of that of the pieces. If p glides along q, it is not stopped, but the end of its
    path is moved out. A body of a joint tree that touches a kinematic one is stopped alone: that one would move on into
    a stopped tree, and stop it in each step.
    """
    bodies = scene.bodies
    body_p, body_q = scene.pieces.index[p, PIECE.BODY], scene.pieces.index[q, PIECE.BODY]
    depth, free = stop_depth(p, scene), is_in_no_tree(body_p, scene.trees)
    if keeps_off(separation, depth) or (depth < 0.0 and slides_over(p, q, -depth, scene)):
        return
    t, x, y, correction = first_overlap(q, p, depth, greatest_depth(p, depth, free, scene), scene)
    if t == t and t < 1.0 and not passes(q, p, t, x, y, scene):
        if may_glide and free and correction > 0.0 and bodies.solver_row[body_p] > 0:
            move_end(body_p, correction * x, correction * y, bodies, scene.motions)
            return
        if bodies.kind[body_q] == KINEMATIC:
            push_ahead(p, q, t, x, y, is_first, scene)
        if not free and touches_kinematic(p, q, scene):
            stop_at(body_p, t, scene.motions)
        else:
            stop_with_tree(body_p, t, scene)


@subroutine
def sweep_pair(p, q, count, may_glide, scene):
    """Sweep piece p against q; return the number of crossed pairs so far.

    If both are dynamic, they are not solid to each other, and either may be stopped later. So their least separation
    says nothing yet.
    """
    scratch, separation = scene.scratch, 0.0
    if scene.bodies.kind[scene.pieces.index[q, PIECE.BODY]] != DYNAMIC:
        separation = least_separation(p, q, scene)
    if separation > scene.slop:
        return count
    role = role_of(p, q, scene.bodies, scene.pieces)
    row = find_disabled(p, q, scratch) if role != 0 else -1
    if row >= 0:
        is_silent = scratch.disabled[row, DISABLED.IS_SILENT] != 0
        role = 0 if is_silent else role & (of_pair.NOTIFIES_A | of_pair.NOTIFIES_B)
    if role == 0:
        return count
    if role & of_pair.SOLID == 0:
        if count < len(scratch.crossed):
            scratch.crossed[count, CROSSED.ROLE] = role
        return append_pair(scratch.crossed, count, p, q)
    stop_at_overlap(p, q, True, may_glide, separation, scene)
    return count


@device
def reaches_stopped(p, q, scene):
    """Return True if q is kinematic and moves on while the body of p, which is solid to it, is stopped for good."""
    body_p, body_q = scene.pieces.index[p, PIECE.BODY], scene.pieces.index[q, PIECE.BODY]
    return (
        scene.bodies.kind[body_q] == KINEMATIC
        and scene.motions.stop[body_p, STOP.TIME] < 1.0
        and not scene.motions.is_moved[body_p]
        and role_of(p, q, scene.bodies, scene.pieces) & of_pair.SOLID != 0
        and not is_disabled(p, q, scene.scratch)
    )


@device
def sweep_candidates(count, crossed, may_glide, scene):
    """Sweep the first `count` candidates; return the number of crossed pairs, of which `crossed` were there before.

    If there are more crossed pairs than `scratch.crossed` has room for, call again with more. If ends were moved, sweep
    these bodies again. Reads body_pose, body_frame. Writes motion_stop, `scratch.crossed`; for gliding bodies also
    body_pose, body_frame, the solver's movements and the list of moved bodies.
    """
    candidates = scene.scratch.candidates
    for k in range(count):
        crossed = sweep_pair(candidates[k, PIECES.P], candidates[k, PIECES.Q], crossed, may_glide, scene)
    # Pairs whose p was stopped after they were swept.
    for k in range(count):
        p, q = candidates[k, PIECES.P], candidates[k, PIECES.Q]
        if reaches_stopped(p, q, scene):
            stop_at_overlap(p, q, False, False, least_separation(p, q, scene), scene)
    return crossed


@device
def drop_crossed_of_moved(count, scene):
    """Drop those of the first `count` crossed pairs whose p has a moved end; return the number of the others."""
    crossed, kept = scene.scratch.crossed, 0
    for k in range(count):
        if not scene.motions.is_moved[scene.pieces.index[crossed[k, PIECES.P], PIECE.BODY]]:
            for field in range(CROSSED.WIDTH):
                crossed[kept, field] = crossed[k, field]
            kept += 1
    return kept


@device
def sweep_bullets(count, scene):
    """Stop the bodies of the first `count` bullet pairs where they meet; return True if any is stopped earlier.

    Call it until it returns False, because a body that is stopped earlier stands at another place. The first round
    sweeps all pairs, and each other one those of bodies that were stopped earlier since the round before began. Reads
    body_pose, body_frame. Writes motion_stop, motion_counts (ROUND).
    """
    bullets, stop, changed = scene.scratch.bullets, scene.motions.stop, False
    scene.motions.counts[COUNTS.ROUND] += 1
    before = scene.motions.counts[COUNTS.ROUND] - 1
    for k in range(count):
        p, q = bullets[k, PIECES.P], bullets[k, PIECES.Q]
        body_p, body_q = scene.pieces.index[p, PIECE.BODY], scene.pieces.index[q, PIECE.BODY]
        if max(stop[body_p, STOP.ROUND], stop[body_q, STOP.ROUND]) < before:
            continue
        depth = min(stop_depth(p, scene), stop_depth(q, scene))
        if keeps_off(least_separation(p, q, scene), depth):
            continue
        t, x, y, _ = first_overlap(q, p, depth, inf, scene)
        if t == t and passes(q, p, t, x, y, scene):
            continue
        for body in (body_p, body_q):
            if stop_with_tree(body, t, scene):
                changed = True
    return changed


@kernel
def filter_crossed(count: int, scene: SweepScene):
    """Keep the crossed pairs that touch on the path, but neither at its start nor at its end; return their number.

    A path ends where p was stopped. A dynamic q stands from its own stop on. Reads motion_stop. Writes the first rows
    of `scratch.crossed`.
    """
    pieces, crossed = scene.pieces, scene.scratch.crossed
    kept = 0
    for k in range(count):
        p, q = crossed[k, PIECES.P], crossed[k, PIECES.Q]
        body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
        stop_p = stop_q = scene.motions.stop[body_p, STOP.TIME]
        if scene.bodies.kind[body_q] == DYNAMIC:
            stop_q = scene.motions.stop[body_q, STOP.TIME]
        both = min(stop_p, stop_q)
        tolerance = 1e-9 * (
            1.0
            + pieces.size[p, PIECE_SIZE.RADIUS]
            + pieces.size[p, PIECE_SIZE.HALF_X]
            + pieces.size[p, PIECE_SIZE.HALF_Y]
        )
        # Do they touch on the path, but not at its start?
        path_q, path_p = path_poses(body_q, 0.0, both, scene), path_poses(body_p, 0.0, both, scene)
        t, _, _ = piece_contact(q, p, path_q, path_p, scene, 0.0, tolerance)
        if t == 0.0:
            continue
        if t != t and stop_p != stop_q:
            path_q, path_p = path_poses(body_q, both, stop_q, scene), path_poses(body_p, both, stop_p, scene)
            t, _, _ = piece_contact(q, p, path_q, path_p, scene, 0.0, tolerance)
        if t != t:
            continue
        # Do they touch at its end?
        path_q, path_p = path_poses(body_q, stop_q, stop_q, scene), path_poses(body_p, stop_p, stop_p, scene)
        t, _, _ = piece_contact(q, p, path_q, path_p, scene, 0.0, tolerance)
        if t != t:
            crossed[kept, PIECES.P], crossed[kept, PIECES.Q] = p, q
            crossed[kept, CROSSED.ROLE] = crossed[k, CROSSED.ROLE]
            kept += 1
    return kept
