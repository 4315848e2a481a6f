"""Time at which two pieces that move within a step first overlap by a given depth.

A body is stopped when the pieces overlap by a little: by DEPTH of the body's solid core, at most by the slop. A piece
that slides or rolls along a surface overlaps it at the start. It may come up to twice as deep, as otherwise rounding
would stop it. This would repeat in each step, so it has a bound of twice that depth: half of the core and two slops, as
for squeezed bodies (`squeeze.py`). A piece that was placed deeper comes no deeper.

A body without a core is stopped before it touches, because once a rod is across a line, nothing shows on which side it
was. If it touches already, it is moved out first by as much as it would have been stopped before. Otherwise, an end
that lies in the line by a hair could stay while the other end turns to the far side.

The time is that of conservative advancement (`contours/first_contact.py`), with exact rotation.
"""

from __future__ import annotations

from ecs_collide.contours import contour as form
from ecs_collide.contours.contour import CONTOUR
from ecs_collide.contours.corner import length, place_contour_rows
from ecs_collide.contours.first_contact import find_moving_contact, interpolate_pose, make_moving_piece
from ecs_collide.contours.shape_distance import find_pose_seen_from, rows_distance
from ecs_collide.data.bodies import BODY_SPAN
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.pose import Pose
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.step.continuous.body_motions import DYNAMIC, STATIC, STOP, pose_in_step
from ecs_collide.step.continuous.glide import correction_at_end, path_from_end

DEPTH = 0.25
"""Overlap at which a body is stopped, as a fraction of its core; at most the slop."""

LEAST_CORE = 0.1
"""Least core, as a fraction of the slop."""

MOST = 0.5
"""Greatest overlap of a body of a joint tree, as a fraction of its core."""

GAP = 0.5
"""Gap at which a body without a core is stopped, as a fraction of the slop."""

TOLERANCE = 0.02
"""Accuracy of that overlap or gap, as a fraction of it."""


@device
def stop_depth(p, scene):
    """Return the overlap at which a piece is stopped [m]; negative for a gap."""
    core, slop = scene.span[scene.pieces.index[p, PIECE.BODY], BODY_SPAN.CORE], scene.slop
    return min(slop, DEPTH * max(core, LEAST_CORE * slop)) if core > 0.0 else -GAP * slop


@device
def greatest_depth(p, depth, is_free, scene):
    """Return the greatest overlap [m] of a piece that overlaps at the start of a step; `depth` is its stop depth.

    A body of a joint tree is not moved out, as that would tear its joints. So it has more room to slide on.
    """
    core = scene.span[scene.pieces.index[p, PIECE.BODY], BODY_SPAN.CORE]
    return 2.0 * depth if is_free else max(2.0 * depth, MOST * core)


@device
def path_poses(body, since, until, scene):
    """Return the poses of a body at two times of the step."""
    return (
        pose_in_step(body, since, scene.bodies, scene.motions),
        pose_in_step(body, until, scene.bodies, scene.motions),
    )


@device
def shifted(path, x, y):
    """Return a path moved by (x, y) [m]."""
    start, end = path
    return (start[0] + x, start[1] + y, start[2]), (end[0] + x, end[1] + y, end[2])


@subroutine
def piece_contact(q, p, path_q, path_p, scene, depth, tolerance):
    """Return (fraction of the paths, normal from q to p) of the first overlap by `depth` [m]; NaN if there is none."""
    scratch = scene.scratch
    a = make_moving_piece(q, scene.pieces, path_q[0], path_q[1], scratch.a)
    b = make_moving_piece(p, scene.pieces, path_p[0], path_p[1], scratch.b)
    return find_moving_contact(scratch.a, a, scratch.b, b, scratch.placed, 1.0, depth, tolerance)


@subroutine
def overlap_at(q, p, place_q, place_p, step, scene):
    """Return (overlap of two pieces [m], normal from q to p).

    If edges bend inwards, the normal of the hulls is wrong. The gradient of the distance over a `step` [m] replaces it.
    """
    scratch = scene.scratch
    a = make_moving_piece(q, scene.pieces, place_q, place_q, scratch.a)
    b = make_moving_piece(p, scene.pieces, place_p, place_p, scratch.b)
    pose = find_pose_seen_from(*place_q, *place_p)
    is_hollow = scratch.a[a.first, CONTOUR.EDGE] < form.UNBOUNDED and (a.is_hollow or b.is_hollow)
    place_contour_rows(scratch.b, b.first, b.corners, pose, scratch.placed)
    distance, x, y = rows_distance(scratch.a, a.first, a.corners, is_hollow, scratch.placed, b.corners)
    if is_hollow:
        beside = Pose(pose.x + step, pose.y, pose.cos, pose.sin)
        place_contour_rows(scratch.b, b.first, b.corners, beside, scratch.placed)
        along_x, _, _ = rows_distance(scratch.a, a.first, a.corners, True, scratch.placed, b.corners)
        beside = Pose(pose.x, pose.y + step, pose.cos, pose.sin)
        place_contour_rows(scratch.b, b.first, b.corners, beside, scratch.placed)
        along_y, _, _ = rows_distance(scratch.a, a.first, a.corners, True, scratch.placed, b.corners)
        size = length(along_x - distance, along_y - distance)
        if size > 0.0:
            x, y = (along_x - distance) / size, (along_y - distance) / size
    c, s = cos_sin(place_q[2])
    return a.radius + b.radius - distance, c * x - s * y, s * x + c * y


@subroutine
def first_overlap(q, p, depth, most, scene):
    """Return (time, normal from q to p, correction) of the first overlap by `depth` [m]; the time is NaN if never.

    Each piece follows its path until its stop, as far as known, and stands from then on.

    If the pieces overlap by `depth` at the start, they may come up to twice as deep, but not deeper than `most` or than
    they are. If q is not dynamic, p is then seen from q, so that a piece that moves along with a turning one is free.
    The correction is the distance [m] by which the end of p has to be moved out along the normal to stay on the surface
    (`glide.py`). It is 0 in all other cases.

    A negative depth is a gap. If the pieces are closer at the start, p is moved out by the difference.
    """
    bodies, stops = scene.bodies, scene.motions.stop
    tolerance = TOLERANCE * abs(depth)
    body_p, body_q = scene.pieces.index[p, PIECE.BODY], scene.pieces.index[q, PIECE.BODY]
    stop_p, stop_q = stops[body_p, STOP.TIME], 1.0
    is_dynamic = bodies.kind[body_q] == DYNAMIC
    if is_dynamic:
        stop_q = stops[body_q, STOP.TIME]
    # Search the time until one of the bodies stops.
    both, last = min(stop_p, stop_q), max(stop_p, stop_q)
    path_q, path_p = path_poses(body_q, 0.0, both, scene), path_poses(body_p, 0.0, both, scene)
    out_x, out_y = 0.0, 0.0
    t, x, y = piece_contact(q, p, path_q, path_p, scene, depth, tolerance)
    if t == 0.0:
        # They overlap at the start: allow a greater depth, or move p out.
        glides = depth > 0.0 and both == 1.0 and not is_dynamic
        if glides:
            path_q, path_p = (path_q[1], path_q[1]), path_from_end(path_q, path_p)
        present, before_x, before_y = overlap_at(q, p, path_q[0], path_p[0], tolerance, scene)
        deeper = 2.0 * max(depth, 0.5 * DEPTH * LEAST_CORE * scene.slop)
        while deeper - tolerance <= present:
            deeper = 2.0 * deeper
        aim = max(depth, present - depth)
        if depth > 0.0:
            depth = max(min(deeper, most), present + 2.0 * tolerance)
        else:
            out_x, out_y = (deeper - depth) * x, (deeper - depth) * y
        t, x, y = piece_contact(q, p, path_q, shifted(path_p, out_x, out_y), scene, depth, tolerance)
        if glides:
            if t != t:
                return t, x, y, 0.0
            place = interpolate_pose(path_p[0], path_p[1], t)
            _, x, y = overlap_at(q, p, path_q[1], place, tolerance, scene)
            return t, x, y, correction_at_end(path_p, (before_x, before_y), (x, y), t, present, depth, aim)
    if t == t or last == both or bodies.kind[body_q] == STATIC:
        return both * t, x, y, 0.0
    # Search the time in which one of them stands still.
    path_q, path_p = path_poses(body_q, both, stop_q, scene), path_poses(body_p, both, stop_p, scene)
    t, x, y = piece_contact(q, p, path_q, shifted(path_p, out_x, out_y), scene, depth, tolerance)
    return both + t * (last - both), x, y, 0.0
