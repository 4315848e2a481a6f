"""Where fast bodies first touch.

A fast piece is swept along its body's way against what does not move, against kinematic bodies, and, where one of the
two is a bullet, against dynamic ones. It is stopped where the pieces have come to overlap by a little: `DEPTH` of the
body's solid core and no more than the slop, or that much deeper than they did at the start, so that what slides or
rolls along a surface goes on. What has no core is stopped before it touches: once a rod is across a line, nothing tells
on which side it was. One that touches already is seen from so far out that it would have been stopped just here: else
an end that lies in the line by a hair could stay while the other one goes around to the far side. Passing a corner
without touching it stops nothing.

The time is that of conservative advancement (`contours/first_contact.py`), with exact rotation.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.columns import pairs as of_pair, pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import FloatTable, Ints
from ecs_collide.compiled.kernels import device, stage, subroutine
from ecs_collide.contours.first_contact import moving_contact, moving_piece
from ecs_collide.engine.basis.one_way import LEAST_FACING, facing, is_one_way
from ecs_collide.engine.basis.roles import role_of
from ecs_collide.engine.broadphase.lookup.static_tree import Tree, leaves_in_box
from ecs_collide.engine.broadphase.lookup.strip_sweep import pieces_in_box
from ecs_collide.engine.broadphase.lookup.strips import Strips
from ecs_collide.engine.continuous import tracks as of_track
from ecs_collide.engine.continuous.sweep_scratch import ROLE, SweepScratch
from ecs_collide.engine.continuous.tracks import Tracks, list_stopped, pose_on_way, start_of
from ecs_collide.geometry.box import rows_touch
from ecs_collide.geometry.rotation import cos_sin

DEPTH = 0.25
"""Overlap at which a body is stopped, as a fraction of its core; at most the slop."""

LEAST_CORE = 0.1
"""A core is taken to be no less than this fraction of the slop."""

GAP = 0.5
"""Gap at which a body without a core is stopped, as a fraction of the slop."""

TOLERANCE = 0.02
"""Accuracy of that overlap or gap, as a fraction of it."""


@device
def way_box(piece, bodies, pieces, tracks, box):
    """Write the box (4,) of all places that a piece passes in the step, stopped or not."""
    body = pieces.index[piece, of_piece.BODY]
    x, y = pieces.size[piece, of_piece.LOCAL_X], pieces.size[piece, of_piece.LOCAL_Y]
    reach = (
        sqrt(pieces.size[piece, of_piece.HALF_X] ** 2 + pieces.size[piece, of_piece.HALF_Y] ** 2)
        + pieces.size[piece, of_piece.RADIUS]
    )
    start_x, start_y, start_angle = start_of(body, bodies, tracks)
    start_c, start_s = cos_sin(start_angle)
    end_x, end_y, end_angle = pose_on_way(body, 1.0, bodies, tracks)
    end_c, end_s = cos_sin(end_angle)
    turn = end_angle - start_angle
    # the middle goes on an arc: beside the straight line by its height at most
    reach += sqrt(x * x + y * y) * min(2.0, 0.125 * turn * turn)
    ax, ay = start_x + start_c * x - start_s * y, start_y + start_s * x + start_c * y
    bx, by = end_x + end_c * x - end_s * y, end_y + end_s * x + end_c * y
    box[of_piece.MIN_X], box[of_piece.MAX_X] = min(ax, bx) - reach, max(ax, bx) + reach
    box[of_piece.MIN_Y], box[of_piece.MAX_Y] = min(ay, by) - reach, max(ay, by) + reach


@device
def is_off(p, q, off):
    """Whether the game switched this pair of pieces off."""
    for k in range(len(off)):
        if (off[k, 0] == p and off[k, 1] == q) or (off[k, 0] == q and off[k, 1] == p):
            return True
    return False


@device
def way_of(body, since, until, bodies, tracks):
    """The poses of a body at two times of the step."""
    return pose_on_way(body, since, bodies, tracks), pose_on_way(body, until, bodies, tracks)


@device
def shifted(way, x, y):
    """A way moved by (x, y) [m]."""
    start, end = way
    return (start[0] + x, start[1] + y, start[2]), (end[0] + x, end[1] + y, end[2])


@subroutine
def part_contact(q, p, way_q, way_p, pieces, scratch, depth, tolerance):
    """(fraction of the ways, normal from q to p) at which two pieces first overlap by `depth` [m]; NaN if never."""
    a = moving_piece(q, pieces, way_q[0], way_q[1], scratch.a)
    b = moving_piece(p, pieces, way_p[0], way_p[1], scratch.b)
    return moving_contact(a, b, scratch.placed, 1.0, depth, tolerance)


@subroutine
def first_overlap(q, p, depth, bodies, pieces, tracks, scratch, slop):
    """(time, normal from q to p) at which two pieces first overlap by `depth` [m], as far as now known; NaN if never.

    Each goes its way until it is stopped, and stands from then on. Where they overlap at the start, by so much more. A
    negative depth is a gap; where they are closer at the start, p is looked at from so much further out.
    """
    tolerance = TOLERANCE * abs(depth)
    body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
    stop_p, stop_q = tracks.stop[body_p, of_track.STOP], 1.0
    if bodies.kind[body_q] == of_track.DYNAMIC:
        stop_q = tracks.stop[body_q, of_track.STOP]
    both, last = min(stop_p, stop_q), max(stop_p, stop_q)
    way_q, way_p = way_of(body_q, 0.0, both, bodies, tracks), way_of(body_p, 0.0, both, bodies, tracks)
    out_x, out_y = 0.0, 0.0
    t, x, y = part_contact(q, p, way_q, way_p, pieces, scratch, depth, tolerance)
    if t == 0.0:
        start_q, start_p = (way_q[0], way_q[0]), (way_p[0], way_p[0])
        deeper = max(depth, 0.5 * DEPTH * LEAST_CORE * slop)
        while t == 0.0:
            deeper = 2.0 * deeper
            t, _, _ = part_contact(q, p, start_q, start_p, pieces, scratch, deeper, tolerance)
        if depth > 0.0:
            depth = deeper
        else:
            out_x, out_y = (deeper - depth) * x, (deeper - depth) * y
        t, x, y = part_contact(q, p, way_q, shifted(way_p, out_x, out_y), pieces, scratch, depth, tolerance)
    if t == t or last == both or bodies.kind[body_q] == of_track.STATIC:
        return both * t, x, y
    way_q, way_p = way_of(body_q, both, stop_q, bodies, tracks), way_of(body_p, both, stop_p, bodies, tracks)
    t, x, y = part_contact(q, p, way_q, shifted(way_p, out_x, out_y), pieces, scratch, depth, tolerance)
    return both + t * (last - both), x, y


@device
def depth_of(p, bodies, pieces, span, slop):
    """How deep a piece of a body may come before it is stopped [m]."""
    core = span[pieces.index[p, of_piece.BODY], of_track.CORE]
    return min(slop, DEPTH * max(core, LEAST_CORE * slop)) if core > 0.0 else -GAP * slop


@device
def carried(body, x, y, since, bodies, tracks):
    """How far a point [m] that stands on a body from a time on is taken to the end of the step."""
    start_x, start_y, start_angle = pose_on_way(body, since, bodies, tracks)
    end_x, end_y, end_angle = pose_on_way(body, 1.0, bodies, tracks)
    c, s = cos_sin(end_angle - start_angle)
    arm_x, arm_y = x - start_x, y - start_y
    return end_x + c * arm_x - s * arm_y - x, end_y + s * arm_x + c * arm_y - y


@subroutine
def push_ahead(p, q, t, x, y, bodies, pieces, tracks):
    """Let a kinematic body that met p at time t along the normal (x, y) push it on for the rest of the step.

    Where it goes away p follows it: left behind, p would have no contact in the next step, and be stopped so each time.

    What two faces push stays where it is on the second body if that goes on like the first, and is else pushed along
    the second normal too. So one that met the end of a piece, along whose neighbours it slides, is not left to these.
    """
    body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
    stop = tracks.stop[body_p]
    px, py, _ = pose_on_way(body_p, min(t, stop[of_track.STOP]), bodies, tracks)
    way_x, way_y = carried(body_q, px, py, t, bodies, tracks)
    along = way_x * x + way_y * y
    if t > stop[of_track.STOP]:
        along = max(0.0, along)
    if t < stop[of_track.PUSHED_AT]:
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
def append_pair(pairs, count, p, q):
    """Put a pair into row `count` of `pairs`, if there is room; return the next row."""
    if count < len(pairs):
        pairs[count, 0], pairs[count, 1] = p, q
    return count + 1


@device
def stop_at(body, t, tracks):
    """Stop a body at time t unless it was stopped before; return whether it is stopped earlier now."""
    if not t < tracks.stop[body, of_track.STOP]:
        return False
    list_stopped(body, tracks)
    tracks.stop[body, of_track.STOP] = t
    return True


@subroutine
def sweep_pair(p, q, count, bodies, pieces, tracks, span, scratch, slop):
    """Sweep piece p against q; return how many crossed sensors there are so far."""
    body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
    role = role_of(body_p, body_q, bodies)
    if role == 0 or is_off(p, q, scratch.off):
        return count
    if role & of_pair.SOLID == 0:
        if count < len(scratch.crossed):
            scratch.crossed[count, ROLE] = role
        return append_pair(scratch.crossed, count, p, q)
    stop_before(p, q, bodies, pieces, tracks, span, scratch, slop)
    return count


@subroutine
def stop_before(p, q, bodies, pieces, tracks, span, scratch, slop):
    """Stop the body of piece p where that comes to overlap q, which may push it on from there."""
    body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
    t, x, y = first_overlap(q, p, depth_of(p, bodies, pieces, span, slop), bodies, pieces, tracks, scratch, slop)
    if t == t and t < 1.0 and not passes_one_way(body_q, body_p, t, x, y, bodies, tracks):
        if bodies.kind[body_q] == of_track.KINEMATIC:
            push_ahead(p, q, t, x, y, bodies, pieces, tracks)
        stop_at(body_p, t, tracks)


@device
def comes_upon_stopped(p, q, bodies, pieces, tracks, off):
    """Whether q goes on while the body of p, which is solid to it, stands."""
    body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
    return (
        bodies.kind[body_q] == of_track.KINEMATIC
        and tracks.stop[body_p, of_track.STOP] < 1.0
        and role_of(body_p, body_q, bodies) & of_pair.SOLID != 0
        and not is_off(p, q, off)
    )


@stage
def find_near(
    rows: Ints,
    owners: Ints,
    unbounded: Ints,
    bodies: Bodies,
    pieces: Pieces,
    tracks: Tracks,
    tree: Tree,
    scratch: SweepScratch,
):
    """Find what does not move, or has no end, near the ways of the fast pieces among the moving ones, `rows`.

    `owners` are the bodies of these pieces. Returns (fast pieces, pairs); where there are more of the latter than
    `scratch.near` has room for, call again with more. Reads body_pose, body_frame, piece_box. Writes the first rows of
    `scratch.fast`, `scratch.box` and `scratch.near`.
    """
    fast_count, count = 0, 0
    for k in range(len(rows)):
        if tracks.is_fast[owners[k]]:
            scratch.fast[fast_count] = rows[k]
            way_box(rows[k], bodies, pieces, tracks, scratch.box[fast_count])
            fast_count += 1
    for k in range(fast_count):
        p, box = scratch.fast[k], scratch.box[k]
        if bodies.kind[pieces.index[p, of_piece.BODY]] != of_track.DYNAMIC:
            continue
        hit_count = leaves_in_box(
            tree, box[of_piece.MIN_X], box[of_piece.MIN_Y], box[of_piece.MAX_X], box[of_piece.MAX_Y], tree.hits
        )
        for m in range(hit_count + len(unbounded)):
            q = tree.hits[m] if m < hit_count else unbounded[m - hit_count]
            if rows_touch(scratch.box, k, pieces.box, q):
                count = append_pair(scratch.near, count, p, q)
    return fast_count, count


@device
def append_movers(p, q, near_count, met_count, bodies, pieces, span, scratch):
    """Append two moving pieces whose ways may meet, where one is kinematic or a bullet; return (near, met) so far."""
    body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
    kinds = bodies.kind[body_p] + bodies.kind[body_q]
    if kinds == of_track.KINEMATIC + of_track.DYNAMIC:
        if bodies.kind[body_p] == of_track.KINEMATIC:
            p, q = q, p
        near_count = append_pair(scratch.near, near_count, p, q)
    elif (
        kinds == of_track.DYNAMIC + of_track.DYNAMIC
        and span[body_p, of_track.BULLET] + span[body_q, of_track.BULLET] != 0.0
        and role_of(body_p, body_q, bodies) & of_pair.SOLID != 0
        and not is_off(p, q, scratch.off)
    ):
        met_count = append_pair(scratch.met, met_count, p, q)
    return near_count, met_count


@stage
def find_near_movers(
    fast_count: int,
    near_count: int,
    farthest: float,
    bodies: Bodies,
    pieces: Pieces,
    tracks: Tracks,
    span: FloatTable,
    strips: Strips,
    scratch: SweepScratch,
):
    """Find what moves near the ways of the fast pieces, the first of `scratch.fast`, which are sorted by min_x.

    `farthest` is the way [m] of those that are slow at most. Returns (pairs near, pairs with a bullet); where one is
    more than `scratch` has room for, call again with more. Reads the strips. Writes `scratch.near` from row
    `near_count` on, and `scratch.met`.
    """
    met_count = 0
    for k in range(fast_count):
        p, box = scratch.fast[k], scratch.box[k]
        low_x, low_y, high_x, high_y = (
            box[of_piece.MIN_X],
            box[of_piece.MIN_Y],
            box[of_piece.MAX_X],
            box[of_piece.MAX_Y],
        )
        nearby = pieces_in_box(
            strips, low_x - farthest, low_y - farthest, high_x + farthest, high_y + farthest, scratch.nearby
        )
        after = k + 1
        while after < fast_count and scratch.box[after, of_piece.MIN_X] <= high_x:
            after += 1
        for m in range(nearby + after - k - 1):
            if m < nearby:
                q = scratch.nearby[m]
                if tracks.is_fast[pieces.index[q, of_piece.BODY]]:
                    continue
            else:
                other = k + 1 + m - nearby
                q = scratch.fast[other]
                if scratch.box[other, of_piece.MIN_Y] > high_y or scratch.box[other, of_piece.MAX_Y] < low_y:
                    continue
            near_count, met_count = append_movers(p, q, near_count, met_count, bodies, pieces, span, scratch)
    return near_count, met_count


@stage
def sweep_near(
    count: int, bodies: Bodies, pieces: Pieces, tracks: Tracks, span: FloatTable, scratch: SweepScratch, slop: float
):
    """Sweep the first pairs of `scratch.near`; return how many sensors were met on the way.

    Where that is more than `scratch.crossed` has room for, call again with more. Reads body_pose, body_frame. Writes
    track_stop, `scratch.crossed`.
    """
    crossed = 0
    for k in range(count):
        p, q = scratch.near[k, 0], scratch.near[k, 1]
        crossed = sweep_pair(p, q, crossed, bodies, pieces, tracks, span, scratch, slop)
    for k in range(count):  # what was stopped later than its pair with q was looked at
        p, q = scratch.near[k, 0], scratch.near[k, 1]
        if comes_upon_stopped(p, q, bodies, pieces, tracks, scratch.off):
            stop_before(p, q, bodies, pieces, tracks, span, scratch, slop)
    return crossed


@stage
def sweep_bullets(
    count: int, bodies: Bodies, pieces: Pieces, tracks: Tracks, span: FloatTable, scratch: SweepScratch, slop: float
):
    """Stop the bodies of the first pairs of `scratch.met` where they meet; return whether any is stopped earlier.

    Call it until none does: a body that is stopped earlier stands in other places.
    Reads body_pose, body_frame. Writes track_stop.
    """
    changed = False
    for k in range(count):
        p, q = scratch.met[k, 0], scratch.met[k, 1]
        depth = min(depth_of(p, bodies, pieces, span, slop), depth_of(q, bodies, pieces, span, slop))
        body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
        t, x, y = first_overlap(q, p, depth, bodies, pieces, tracks, scratch, slop)
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
        body_p, body_q = pieces.index[p, of_piece.BODY], pieces.index[q, of_piece.BODY]
        stop = tracks.stop[body_p, of_track.STOP]
        tolerance = 1e-9 * (
            1.0 + pieces.size[p, of_piece.RADIUS] + pieces.size[p, of_piece.HALF_X] + pieces.size[p, of_piece.HALF_Y]
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
