"""When two pieces that move on their ways within a step first overlap by so much.

A body is stopped where the pieces have come to overlap by a little: `DEPTH` of the body's solid core and no more than
the slop, or that much deeper than they did at the start, so that what slides or rolls along a surface goes on. What has
no core is stopped before it touches: once a rod is across a line, nothing tells on which side it was. One that touches
already is seen from so far out that it would have been stopped just here: else an end that lies in the line by a hair
could stay while the other one goes around to the far side.

The time is that of conservative advancement (`contours/first_contact.py`), with exact rotation.
"""

from __future__ import annotations

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.compiled.kernels import device, subroutine
from ecs_collide.contours.first_contact import moving_contact, moving_piece
from ecs_collide.engine.continuous import tracks as of_track
from ecs_collide.engine.continuous.tracks import pose_on_way

DEPTH = 0.25
"""Overlap at which a body is stopped, as a fraction of its core; at most the slop."""

LEAST_CORE = 0.1
"""A core is taken to be no less than this fraction of the slop."""

GAP = 0.5
"""Gap at which a body without a core is stopped, as a fraction of the slop."""

TOLERANCE = 0.02
"""Accuracy of that overlap or gap, as a fraction of it."""


@device
def depth_of(p, bodies, pieces, span, slop):
    """How deep a piece of a body may come before it is stopped [m]."""
    core = span[pieces.index[p, of_piece.BODY], of_body.CORE]
    return min(slop, DEPTH * max(core, LEAST_CORE * slop)) if core > 0.0 else -GAP * slop


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
    return moving_contact(scratch.a, a, scratch.b, b, scratch.placed, 1.0, depth, tolerance)


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
