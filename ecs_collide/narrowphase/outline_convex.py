"""Outlines against convex pieces: separating axes over the edges and corners that nothing covers, then clipping.

The signed distance of two convex pieces is the greatest separation over all normals (PC "SAT", row 12). With corners
that may be arcs it lies along an edge normal of either piece, or along the line between two corners where both face
that way: |c_b - c_a| - r_a - r_b. An inward arc (row 15) takes the place of its edge's normal: every corner of the
other piece in its span is R - |c - o| - r away from it.

The same maximum, over the edges and corners alone that other pieces do not cover, gives the contact's normal (row 13);
a covered edge never does. Besides, where part of a piece is covered, the other one must have come in through the edge
or corner that gives the normal: its middle is on that side, and it is not wholly behind; a corner that pokes into it is
inside it. Otherwise a far corner of an inner tile would throw a box off a floor of tiles. None of this is asked where
the other piece's middle is inside.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.jit import device
from ecs_collide.narrowphase.batch import batch_kernel
from ecs_collide.narrowphase.convex_convex import inverse, turned
from ecs_collide.narrowphase.corners import (
    corner_after,
    corner_allows,
    corner_faces,
    corner_radius,
    edge_state,
    flattest_neighbour,
    hollow_gap,
    is_corner,
    is_hollow,
    lowest_corner,
    side_of,
)
from ecs_collide.narrowphase.manifold import LocalManifold, in_a, no_contact, one_point
from ecs_collide.shapes.outline import CONVEX, EXPOSED, FLAT, JOINT, START, STOP

PREFER_COVERED = 0.025
"""The other piece's edge must be better by this fraction of the reach: a floor's own face carries what lies on it."""

TIE = 1e-4
"""The same where nothing is covered: near ties must not flip between steps."""

CORNER_TIE = 1e-9
"""Two corners must be better than an edge by this fraction of the reach: an edge may give two points.

A circle has no edge; against it a corner may be worse by as much."""

NEARLY = 1e-6
"""Overlap of the hulls, as a fraction of the reach, up to which they may as well be apart."""

IN_LINE = 1e-9
"""A height that counts as none, as a fraction of the edge's length."""

END_FRACTION = 0.005
"""How far an edge reaches past an end where the surface goes on, at most, as a fraction of its length ..."""

END_REACH = 0.25
"""... and of the reach (which is four times the slop)."""


class Axis(NamedTuple):
    """An edge of a piece: separation [m], corner of the other piece that comes closest, normal in the piece's axes.

    An inward arc touches the corner in its span that comes closest; `separation` is that of all corners. `highest` is
    how far the other piece reaches in front of the edge [m].
    """

    separation: float
    contact: float
    rank: float
    """The lesser of the two, by which axes compare: a corner behind an arc counts more than one in its span."""
    highest: float
    edge: int
    corner: int
    normal_x: float
    normal_y: float


NOTHING = -1e300
"""Separation of an axis that gives no contact."""


@device
def straight_gap(side, k, other, relative, pieces):
    """How far the other piece is in front of a straight edge; `relative` is the other body as seen from here."""
    normal_x, normal_y = pieces.normals[k, 0], pieces.normals[k, 1]
    local_x = relative.cos * normal_x + relative.sin * normal_y
    local_y = relative.cos * normal_y - relative.sin * normal_x
    height, corner = lowest_corner(other, local_x, local_y, pieces)
    x, y = relative.x - pieces.vertices[k, 0], relative.y - pieces.vertices[k, 1]
    base = x * normal_x + y * normal_y
    highest = 0.0
    if side.is_guarded:
        depth, _ = lowest_corner(other, -local_x, -local_y, pieces)
        highest = base - depth
    gap = height + base
    return Axis(gap, gap, gap, highest, k, corner, normal_x, normal_y)


@device
def arc_gap(side, k, other, relative, pieces):
    """How far the other piece is in front of an inward arc; outside the arc's span the chord counts."""
    chord_x, chord_y = pieces.normals[k, 0], pieces.normals[k, 1]
    best = Axis(1e300, NOTHING, NOTHING, 0.0, k, other.start, chord_x, chord_y)
    lowest, highest, contact = 1e300, -1e300, 1e300
    for corner in range(other.start, other.stop):
        x, y = in_a(relative, pieces.vertices, corner)
        gap, normal_x, normal_y, in_span = hollow_gap(side, k, x, y, pieces)
        if not in_span:
            normal_x, normal_y = chord_x, chord_y
            gap = (x - pieces.vertices[k, 0]) * chord_x + (y - pieces.vertices[k, 1]) * chord_y
        radius = corner_radius(other, corner, pieces)
        if radius > 0.0:
            local_x = relative.cos * normal_x + relative.sin * normal_y
            local_y = relative.cos * normal_y - relative.sin * normal_x
            if not corner_faces(other, corner, -local_x, -local_y, pieces):
                continue
            gap -= radius
        lowest, highest = min(lowest, gap), max(highest, gap + 2.0 * radius)
        if in_span and gap < contact:
            contact = gap
            best = Axis(lowest, gap, gap, 0.0, k, corner, normal_x, normal_y)
    rank = min(lowest, best.contact)
    return Axis(lowest, best.contact, rank, highest, k, best.corner, best.normal_x, best.normal_y)


@device
def is_in_front(side, k, x, y, pieces):
    """How far a point is in front of edge k [m]."""
    if is_hollow(side, k, pieces):
        gap, _, _, in_span = hollow_gap(side, k, x, y, pieces)
        if in_span:
            return gap
    return (x - pieces.vertices[k, 0]) * pieces.normals[k, 0] + (y - pieces.vertices[k, 1]) * pieces.normals[k, 1]


@device
def aside(side, k, x, y, pieces):
    """How far a point lies past the ends of edge k [m]."""
    after = corner_after(side, k)
    normal_x, normal_y = pieces.normals[k, 0], pieces.normals[k, 1]
    before = (pieces.vertices[k, 1] - y) * normal_x - (pieces.vertices[k, 0] - x) * normal_y
    behind = (y - pieces.vertices[after, 1]) * normal_x - (x - pieces.vertices[after, 0]) * normal_y
    return max(before, behind, 0.0)


@device
def is_outside(side, x, y, margin, pieces):
    """Whether a point is more than `margin` [m] in front of any edge or arc of a piece's hull."""
    for k in range(side.start, side.stop):
        if edge_state(side, k, pieces) != JOINT and is_in_front(side, k, x, y, pieces) > margin:
            return True
        radius = corner_radius(side, k, pieces)
        if radius > 0.0:
            dx, dy = x - pieces.vertices[k, 0], y - pieces.vertices[k, 1]
            distance = sqrt(dx * dx + dy * dy)
            if distance > radius + margin and corner_faces(side, k, dx / distance, dy / distance, pieces):
                return True
    return False


@device
def is_within(side, k, other, relative, pieces):
    """Whether all of the other piece is closer to the centre of arc k than the arc."""
    radius = corner_radius(side, k, pieces)
    if radius == 0.0:
        return False
    for j in range(other.start, other.stop):
        x, y = in_a(relative, pieces.vertices, j)
        x, y = x - pieces.vertices[k, 0], y - pieces.vertices[k, 1]
        if sqrt(x * x + y * y) + corner_radius(other, j, pieces) + other.radius > radius:
            return False
    return True


@device
def best_edge(side, other, relative, limit, reach, guarded, other_guarded, pieces):
    """The greatest separation over all edges of a piece [m], and the best edge that may give a contact.

    `guarded`: this piece takes normals only from where the other one's middle is; `other_guarded`: the other way round.
    Stops where a separation exceeds `limit`. Without an edge that may, `contact` is `NOTHING`.
    """
    middle_x = relative.x + relative.cos * other.x - relative.sin * other.y
    middle_y = relative.y + relative.sin * other.x + relative.cos * other.y
    greatest = NOTHING
    best = Axis(NOTHING, NOTHING, NOTHING, 0.0, side.start, other.start, 0.0, 0.0)
    best_place = 1e300
    for k in range(side.start, side.stop):
        state = edge_state(side, k, pieces)
        if state == JOINT:
            continue
        if is_hollow(side, k, pieces):
            axis = arc_gap(side, k, other, relative, pieces)
        else:
            axis = straight_gap(side, k, other, relative, pieces)
        greatest = max(greatest, axis.separation)
        if greatest > limit:
            break
        if state != EXPOSED or axis.rank < best.rank - CORNER_TIE * reach:
            continue
        # of edges in line, with a covered one between them, it is the one that the other piece is in front of
        place = aside(side, k, middle_x, middle_y, pieces)
        if axis.rank <= best.rank + CORNER_TIE * reach and place >= best_place:
            continue
        if guarded and (
            axis.highest + other.radius + side.radius < 0.0 or is_in_front(side, k, middle_x, middle_y, pieces) <= 0.0
        ):
            continue
        if other.has_outline:
            local_x = -(relative.cos * axis.normal_x + relative.sin * axis.normal_y)
            local_y = -(relative.cos * axis.normal_y - relative.sin * axis.normal_x)
            if not corner_allows(other, axis.corner, local_x, local_y, pieces):
                continue
            if other_guarded:
                corner_x, corner_y = in_a(relative, pieces.vertices, axis.corner)
                radius = corner_radius(other, axis.corner, pieces)
                corner_x, corner_y = corner_x - radius * axis.normal_x, corner_y - radius * axis.normal_y
                in_front = (corner_x - side.x) * axis.normal_x + (corner_y - side.y) * axis.normal_y
                if in_front <= -reach or is_outside(side, corner_x, corner_y, side.radius + reach, pieces):
                    continue
        best, best_place = axis, place
    return greatest, best


class Corners(NamedTuple):
    """Two corners that face each other: separation [m], the corners, normal in A's axes."""

    separation: float
    corner_a: int
    corner_b: int
    normal_x: float
    normal_y: float


@device
def best_corners(a, b, relative, seen_from_b, reach, guarded_a, guarded_b, pieces):
    """The greatest separation over all corners that face each other [m], and the best two that may give a contact."""
    middle_x = relative.x + relative.cos * b.x - relative.sin * b.y
    middle_y = relative.y + relative.sin * b.x + relative.cos * b.y
    greatest = NOTHING
    best = Corners(NOTHING, a.start, b.start, 0.0, 0.0)
    for j in range(b.start, b.stop):
        corner_x, corner_y = in_a(relative, pieces.vertices, j)
        radius_b = corner_radius(b, j, pieces)
        for i in range(a.start, a.stop):
            dx, dy = corner_x - pieces.vertices[i, 0], corner_y - pieces.vertices[i, 1]
            distance = sqrt(dx * dx + dy * dy)
            separation = distance - radius_b - corner_radius(a, i, pieces)
            if distance == 0.0 or separation <= best.separation:
                continue
            x, y = dx / distance, dy / distance
            if not corner_faces(a, i, x, y, pieces):
                continue
            local_x = -(relative.cos * x + relative.sin * y)
            local_y = -(relative.cos * y - relative.sin * x)
            if not corner_faces(b, j, local_x, local_y, pieces):
                continue
            greatest = max(greatest, separation)
            if not (corner_allows(a, i, x, y, pieces) and corner_allows(b, j, local_x, local_y, pieces)):
                continue
            in_front_a = (middle_x - pieces.vertices[i, 0]) * x + (middle_y - pieces.vertices[i, 1]) * y
            if guarded_a and (
                in_front_a <= corner_radius(a, i, pieces) - reach or is_within(a, i, b, relative, pieces)
            ):
                continue
            in_front_b = (corner_x - a.x) * x + (corner_y - a.y) * y
            if guarded_b and (in_front_b <= radius_b - reach or is_within(b, j, a, seen_from_b, pieces)):
                continue
            best = Corners(separation, i, j, x, y)
    return greatest, best


@device
def has_arc(side, pieces):
    for k in range(side.start, side.stop):
        if corner_radius(side, k, pieces) > 0.0:
            return True
    return False


class Point(NamedTuple):
    """A corner in front of an edge: whether it counts, place along the edge [m], height above it [m], feature."""

    counts: bool
    place: float
    height: float
    feature: int


class End(NamedTuple):
    """One end of an edge: place [m], how the surface goes on there, feature of the corner there."""

    place: float
    state: float
    feature: int


@device
def edge_end(side, k, field, length, reach, feature, pieces):
    """An end of edge k, `START` or `STOP`; where the surface goes on, the edge reaches a little further."""
    state = pieces.outlines[k + side.shift, field] if side.has_outline else CONVEX
    further = 0.0 if state == CONVEX else min(END_REACH * reach, END_FRACTION * length)
    return End(-further if field == START else length + further, state, feature)


@device
def beyond(point, low, high):
    """How far a point lies past the ends of the edge [m]."""
    return max(low.place - point.place, point.place - high.place, 0.0)


@device
def cut(point, other_place, slope, low, high, tie, is_deepest, is_second):
    """A point brought back to the edge's end that it lies beyond, along the line to the other one.

    Where the surface goes on straight the neighbour supplies the point itself, so this one is left out. At a convex
    end the deepest point is only moved if it loses no more than `tie` [m] of its depth, and stays where both lie beyond
    it. Of an edge that is only second to one that gives no contact (`is_second`), no point beyond an end counts.
    """
    if low.place <= point.place <= high.place:
        return point
    end, other_too = (low, other_place < low.place) if point.place < low.place else (high, other_place > high.place)
    keeps_deepest = is_deepest and end.state == CONVEX
    if end.state == FLAT or is_second:
        return Point(False, point.place, point.height, point.feature)
    if other_too:
        return Point(point.counts and keeps_deepest, point.place, point.height, point.feature)
    height = point.height + slope * (end.place - point.place)
    if is_deepest and end.state == CONVEX and height > point.height + tie:
        return point
    return Point(point.counts, end.place, height, end.feature)


@device
def on_edge(reference, axis, incident, relative, flip, reach, is_second, least, pieces):
    """The contact of the incident piece's flattest edge, or of its one corner, with the reference edge.

    In the axes of the reference piece's body; with `flip` the reference piece is B, and the normal still goes from A to
    B and the points are on A. Only points at least `least` [m] in front of the edge count. A feature is a corner: twice
    its row in the pool, and one more for a corner of B.
    """
    vertices = pieces.vertices
    k, normal_x, normal_y = axis.edge, axis.normal_x, axis.normal_y
    sign, mine, others = (-1.0, 1, 0) if flip else (1.0, 0, 1)
    radius = reference.radius + incident.radius
    base_x, base_y = vertices[k, 0], vertices[k, 1]
    x, y = in_a(relative, vertices, axis.corner)
    rounding = corner_radius(incident, axis.corner, pieces)
    first = Point(True, (y - base_y) * normal_x - (x - base_x) * normal_y, axis.contact, 2 * axis.corner + others)
    second = Point(False, 0.0, 0.0, 0)
    if is_hollow(reference, k, pieces):
        base_x, base_y = x - (rounding + axis.contact) * normal_x, y - (rounding + axis.contact) * normal_y
        first = Point(True, 0.0, axis.contact, first.feature)
    else:
        after = corner_after(reference, k)
        length = (vertices[after, 1] - base_y) * normal_x - (vertices[after, 0] - base_x) * normal_y
        low = edge_end(reference, k, START, length, reach, 2 * k + mine, pieces)
        high = edge_end(reference, k, STOP, length, reach, 2 * after + mine, pieces)
        tie = TIE * reach + IN_LINE * length
        local_x = relative.cos * normal_x + relative.sin * normal_y
        local_y = relative.cos * normal_y - relative.sin * normal_x
        neighbour, has_neighbour = flattest_neighbour(incident, axis.corner, local_x, local_y, pieces)
        if has_neighbour:
            x, y = in_a(relative, vertices, neighbour)
            height = (x - base_x) * normal_x + (y - base_y) * normal_y
            place = (y - base_y) * normal_x - (x - base_x) * normal_y
            second = Point(is_corner(incident, neighbour, pieces), place, height, 2 * neighbour + others)
            slope = (height - first.height) / (place - first.place) if place != first.place else 0.0
            if height <= first.height + tie and beyond(second, low, high) < beyond(first, low, high):
                first, second = second, first
            first, second = (
                cut(first, second.place, slope, low, high, tie, True, is_second),
                cut(second, first.place, slope, low, high, tie, False, is_second),
            )
        else:
            first = cut(first, first.place, 0.0, low, high, tie, True, is_second)
    keep0 = first.counts and least <= first.height <= radius + reach
    keep1 = second.counts and least <= second.height <= radius + reach
    if not keep0 and not keep1:
        return no_contact()
    if not keep0 or (keep1 and second.place < first.place):
        first, second = second, first
    out0 = first.height - incident.radius if flip else reference.radius
    out1 = second.height - incident.radius if flip else reference.radius
    return LocalManifold(
        int(keep0) + int(keep1),
        sign * normal_x,
        sign * normal_y,
        base_x - first.place * normal_y + out0 * normal_x,
        base_y + first.place * normal_x + out0 * normal_y,
        first.height - radius,
        first.feature,
        base_x - second.place * normal_y + out1 * normal_x,
        base_y + second.place * normal_x + out1 * normal_y,
        second.height - radius,
        second.feature,
    )


@device
def outline_convex(a, b, relative, pieces, reach):
    """The manifold of outline piece a and a bounded piece b."""
    side_a, side_b = side_of(a, pieces), side_of(b, pieces)
    limit = side_a.radius + side_b.radius + reach
    seen_from_b = inverse(relative)
    middle_x, middle_y = relative.x, relative.y
    middle_x += relative.cos * side_b.x - relative.sin * side_b.y
    middle_y += relative.sin * side_b.x + relative.cos * side_b.y
    guarded_a = side_a.is_guarded and is_outside(side_a, middle_x, middle_y, 0.0, pieces)
    middle_x, middle_y = seen_from_b.x, seen_from_b.y
    middle_x += seen_from_b.cos * side_a.x - seen_from_b.sin * side_a.y
    middle_y += seen_from_b.sin * side_a.x + seen_from_b.cos * side_a.y
    guarded_b = side_b.is_guarded and is_outside(side_b, middle_x, middle_y, 0.0, pieces)
    greatest, axis_a = best_edge(side_a, side_b, relative, limit, reach, guarded_a, guarded_b, pieces)
    if greatest > limit:
        return no_contact()
    greatest_b, axis_b = best_edge(side_b, side_a, seen_from_b, limit, reach, guarded_b, guarded_a, pieces)
    greatest = max(greatest, greatest_b)
    if greatest > limit:
        return no_contact()
    corners = Corners(NOTHING, side_a.start, side_b.start, 0.0, 0.0)
    if greatest > -NEARLY * reach or has_arc(side_a, pieces) or has_arc(side_b, pieces):
        greatest_c, corners = best_corners(side_a, side_b, relative, seen_from_b, reach, guarded_a, guarded_b, pieces)
        greatest = max(greatest, greatest_c)
        if greatest > limit:
            return no_contact()
    best = max(axis_a.rank, axis_b.rank, corners.separation)
    touching = limit - reach
    if best == NOTHING:
        return no_contact()
    # apart along what is covered: then nothing overlaps, and only a point with a gap is one
    apart = greatest > touching and best < touching - NEARLY * reach
    least = touching - NEARLY * reach if apart else NOTHING
    tie = CORNER_TIE * reach if side_b.stop - side_b.start > 1 else -CORNER_TIE * reach
    if corners.separation > max(axis_a.rank, axis_b.rank) + tie:
        if apart:
            return no_contact()
        i, x, y = corners.corner_a, corners.normal_x, corners.normal_y
        out = corner_radius(side_a, i, pieces) + side_a.radius
        return one_point(
            x,
            y,
            pieces.vertices[i, 0] + out * x,
            pieces.vertices[i, 1] + out * y,
            corners.separation - side_a.radius - side_b.radius,
            2 * corners.corner_b + 1,
        )
    prefer = PREFER_COVERED * reach if side_a.is_guarded else TIE * reach
    is_second = apart or best < greatest - prefer
    if axis_b.rank <= axis_a.rank + prefer:
        return on_edge(side_a, axis_a, side_b, relative, False, reach, is_second, least, pieces)
    return turned(on_edge(side_b, axis_b, side_a, seen_from_b, True, reach, is_second, least, pieces), relative)


outline_convex_pairs = batch_kernel(outline_convex)
