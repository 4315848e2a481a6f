"""When two pieces that move on their ways within a step first overlap by so much.

A body is stopped where the pieces have come to overlap by a little: `DEPTH` of the body's solid core and no more than
the slop. What slides or rolls along a surface overlaps it at the start, and may come up to twice as deep, else rounding
would stop it. As that holds in each step anew it has a bound: twice that depth, so half of the core and two slops, as
for what is pressed (`press.py`); what was put in deeper comes no deeper. What has
no core is stopped before it touches: once a rod is across a line, nothing tells on which side it was. One that touches
already is seen from so far out that it would have been stopped just here: else an end that lies in the line by a hair
could stay while the other one goes around to the far side.

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
from ecs_collide.step.continuous import body_motions as of_track
from ecs_collide.step.continuous.body_motions import pose_on_way
from ecs_collide.step.continuous.glide import lack_at_end, seen_from_end

DEPTH = 0.25
"""Overlap at which a body is stopped, as a fraction of its core; at most the slop."""

LEAST_CORE = 0.1
"""A core is taken to be no less than this fraction of the slop."""

MOST = 0.5
"""Overlap, as a fraction of its core, beyond which a body of a tree of joints comes no deeper."""

GAP = 0.5
"""Gap at which a body without a core is stopped, as a fraction of the slop."""

TOLERANCE = 0.02
"""Accuracy of that overlap or gap, as a fraction of it."""


@device
def depth_of(p, bodies, pieces, span, slop):
    """How deep a piece of a body may come before it is stopped [m]."""
    core = span[pieces.index[p, PIECE.BODY], BODY_SPAN.CORE]
    return min(slop, DEPTH * max(core, LEAST_CORE * slop)) if core > 0.0 else -GAP * slop


@device
def most_of(p, depth, is_free, pieces, span):
    """How deep a piece of a body may come at most where it overlaps something at the start of a step [m].

    A body of a tree is not moved out by itself, as that would tear its joints, so it has more room to slide on in.
    """
    return 2.0 * depth if is_free else max(2.0 * depth, MOST * span[pieces.index[p, PIECE.BODY], BODY_SPAN.CORE])


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
    a = make_moving_piece(q, pieces, way_q[0], way_q[1], scratch.a)
    b = make_moving_piece(p, pieces, way_p[0], way_p[1], scratch.b)
    return find_moving_contact(scratch.a, a, scratch.b, b, scratch.placed, 1.0, depth, tolerance)


@subroutine
def overlap_at(q, p, place_q, place_p, step, pieces, scratch):
    """(how deep two pieces are in each other [m], normal from q to p).

    Where edges bend inwards the normal of the hulls leads elsewhere, and the gradient of the distance takes its place,
    over a `step` [m].
    """
    a = make_moving_piece(q, pieces, place_q, place_q, scratch.a)
    b = make_moving_piece(p, pieces, place_p, place_p, scratch.b)
    pose = find_pose_seen_from(*place_q, *place_p)
    is_hollow = scratch.a[a.first, CONTOUR.EDGE] < form.ENDLESS and (a.is_hollow or b.is_hollow)
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
def first_overlap(q, p, depth, most, bodies, pieces, tracks, scratch, slop):
    """(time, normal from q to p, lack) at which two pieces first overlap by `depth` [m]; the time is NaN if never.

    Each goes its way until it is stopped, as far as now known, and stands from then on.

    Where they overlap by `depth` at the start, they may by up to twice as much as then, but by no more than `most` or,
    where they do already, than they do. If q is not dynamic, p is then seen from it, so that what goes along with
    something that turns is not in its way, and the lack is how far p's end has to be moved out along the normal [m]
    to stay on its surface (`glide.py`). It is 0 else.

    A negative depth is a gap; where they are closer at the start, p is looked at from so much further out.
    """
    tolerance = TOLERANCE * abs(depth)
    body_p, body_q = pieces.index[p, PIECE.BODY], pieces.index[q, PIECE.BODY]
    stop_p, stop_q = tracks.stop[body_p, of_track.STOP], 1.0
    is_dynamic = bodies.kind[body_q] == of_track.DYNAMIC
    if is_dynamic:
        stop_q = tracks.stop[body_q, of_track.STOP]
    both, last = min(stop_p, stop_q), max(stop_p, stop_q)
    way_q, way_p = way_of(body_q, 0.0, both, bodies, tracks), way_of(body_p, 0.0, both, bodies, tracks)
    out_x, out_y = 0.0, 0.0
    t, x, y = part_contact(q, p, way_q, way_p, pieces, scratch, depth, tolerance)
    if t == 0.0:
        glides = depth > 0.0 and both == 1.0 and not is_dynamic
        if glides:
            way_q, way_p = (way_q[1], way_q[1]), seen_from_end(way_q, way_p)
        present, before_x, before_y = overlap_at(q, p, way_q[0], way_p[0], tolerance, pieces, scratch)
        deeper = 2.0 * max(depth, 0.5 * DEPTH * LEAST_CORE * slop)
        while deeper - tolerance <= present:
            deeper = 2.0 * deeper
        aim = max(depth, present - depth)
        if depth > 0.0:
            depth = max(min(deeper, most), present + 2.0 * tolerance)
        else:
            out_x, out_y = (deeper - depth) * x, (deeper - depth) * y
        t, x, y = part_contact(q, p, way_q, shifted(way_p, out_x, out_y), pieces, scratch, depth, tolerance)
        if glides:
            if t != t:
                return t, x, y, 0.0
            place = interpolate_pose(way_p[0], way_p[1], t)
            _, x, y = overlap_at(q, p, way_q[1], place, tolerance, pieces, scratch)
            return t, x, y, lack_at_end(way_p, (before_x, before_y), (x, y), t, present, depth, aim)
    if t == t or last == both or bodies.kind[body_q] == of_track.STATIC:
        return both * t, x, y, 0.0
    way_q, way_p = way_of(body_q, both, stop_q, bodies, tracks), way_of(body_p, both, stop_p, bodies, tracks)
    t, x, y = part_contact(q, p, way_q, shifted(way_p, out_x, out_y), pieces, scratch, depth, tolerance)
    return both + t * (last - both), x, y, 0.0
