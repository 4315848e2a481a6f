"""The contact of a piece's lowest corner, or of the flattest edge there, with an edge of an outline.

The edge is clipped as between polygons (row 13), except at ends where the surface continues in another piece. There the
neighbour supplies the point, unless the piece does not reach it, see `enters_through_edge`. For edges without such
ends, `convex_convex.py` clips in half the time.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.geometry.edge import over_edge
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase import outline_axes, piece_corners as corners
from ecs_collide.step.narrowphase.pair_manifold import LocalManifold, no_contact, to_axes_of_a

TIE = 1e-4
"""Difference of heights, as a fraction of the reach, that counts as equal: near ties must not flip between steps."""

IN_LINE = 1e-9
"""Height that counts as zero, as a fraction of the edge's length."""

END_FRACTION = 0.005
"""Largest extension of an edge past an end where the surface continues, as a fraction of its length."""

END_REACH = 0.25
"""Largest extension of an edge past such an end, as a fraction of the reach, which is four times the slop."""


class ClippedPoint(NamedTuple):
    """A corner over an edge: True if it counts, place along the edge [m], height [m], feature."""

    counts: bool
    place: float
    height: float
    feature: int


class EdgeEnd(NamedTuple):
    """One end of an edge: place [m], state of the surface there, feature of its corner."""

    place: float
    state: float
    feature: int


@device
def edge_end(side, k, field, length, reach, feature, pieces):
    """Return an end of edge k, `START` or `STOP`; an end where the surface continues lies a little further out."""
    state = corners.end_state(side, k, field, pieces)
    further = 0.0 if state == of_outline.CONVEX else min(END_REACH * reach, END_FRACTION * length)
    return EdgeEnd(-further if field == OUTLINE.START else length + further, state, feature)


@device
def overshoot(point, low, high):
    """Return the distance of a point past the ends of the edge [m]."""
    return max(low.place - point.place, point.place - high.place, 0.0)


@device
def clipped_to_end(point, other_place, slope, low, high, tie, is_deepest, is_second):
    """Return a point moved back to the edge's end that it lies beyond, along the line to the other point.

    Where the surface continues flat, the neighbour supplies the point, so this one is dropped. At a convex end the
    deepest point is moved only if it loses at most `tie` [m] of depth. It stays if both points lie beyond the end. If
    the edge is second to one that gives no contact (`is_second`), no point beyond an end counts.
    """
    if low.place <= point.place <= high.place:
        return point
    end, other_too = (low, other_place < low.place) if point.place < low.place else (high, other_place > high.place)
    keeps_deepest = is_deepest and end.state == of_outline.CONVEX
    if end.state == of_outline.FLAT or is_second:
        return ClippedPoint(counts=False, place=point.place, height=point.height, feature=point.feature)
    if other_too:
        return ClippedPoint(
            counts=point.counts and keeps_deepest, place=point.place, height=point.height, feature=point.feature
        )
    height = point.height + slope * (end.place - point.place)
    if is_deepest and end.state == of_outline.CONVEX and height > point.height + tie:
        return point
    return ClippedPoint(counts=point.counts, place=end.place, height=height, feature=end.feature)


@device
def corner_over(j, relative, base_x, base_y, axis, radius, pieces):
    """Return the place and the height less `radius` [m] of corner j of the incident piece over the edge of an axis."""
    x, y = to_axes_of_a(relative, pieces.vertices, j)
    place, height = over_edge(base_x, base_y, axis.normal_x, axis.normal_y, x, y)
    return place, height - radius


@device
def enters_through_edge(point, incident, relative, base_x, base_y, axis, low, high, radius, pieces):
    """Return True if a point past a flat end of the surface belongs to a piece that crosses only this edge.

    All of the piece above the surface enters it before the end. The neighbour is then apart from it at any depth and
    supplies no point.
    """
    is_low = point.place < low.place
    if (low if is_low else high).state != of_outline.FLAT or point.height >= radius:
        return False
    crosses = False
    old_place, old_height = corner_over(incident.stop - 1, relative, base_x, base_y, axis, radius, pieces)
    for j in range(incident.start, incident.stop):
        place, height = corner_over(j, relative, base_x, base_y, axis, radius, pieces)
        if (height > 0.0) != (old_height > 0.0):
            crosses = True
            at = place + (old_place - place) * height / (height - old_height)
            if (at < low.place) if is_low else (at > high.place):
                return False
        old_height, old_place = height, place
    return crosses


@device
def on_edge(reference, axis, incident, relative, flip, reach, is_second, heights, pieces):
    """Return the contact of the incident piece's flattest edge, or of its one corner, with the reference edge.

    The result is in the axes of the reference piece's body. With `flip` the reference piece is B; the normal still
    leads from A to B, and the points are on A. Only points between two `heights` [m] over the edge count.
    A feature is twice the pool row of a corner, plus one for a corner of B.
    """
    vertices, k = pieces.vertices, axis.edge
    x, y = to_axes_of_a(relative, vertices, axis.corner)
    feature = 2 * axis.corner + (0 if flip else 1)
    if corners.is_hollow(reference, k, pieces):
        out = corners.corner_radius(incident, axis.corner, pieces) + axis.contact
        base_x, base_y = x - out * axis.normal_x, y - out * axis.normal_y
        first = ClippedPoint(counts=True, place=0.0, height=axis.contact, feature=feature)
        second = ClippedPoint(counts=False, place=0.0, height=0.0, feature=0)
    else:
        base_x, base_y = vertices[k, X], vertices[k, Y]
        counts = outline_axes.may_touch_corner(incident, axis.corner, axis, relative, pieces)
        place, _ = over_edge(base_x, base_y, axis.normal_x, axis.normal_y, x, y)
        lowest = ClippedPoint(counts=counts, place=place, height=axis.contact, feature=feature)
        first, second = clip_points(lowest, reference, axis, incident, relative, flip, reach, is_second, pieces)
    return manifold_of(first, second, base_x, base_y, axis, reference.radius, incident.radius, flip, heights)


@device
def clip_points(lowest, reference, axis, incident, relative, flip, reach, is_second, pieces):
    """Return the lowest corner and the other end of the flattest edge there, clipped to a straight reference edge."""
    k, normal_x, normal_y = axis.edge, axis.normal_x, axis.normal_y
    base_x, base_y = pieces.vertices[k, X], pieces.vertices[k, Y]
    after = corners.corner_after(reference, k)
    length, _ = over_edge(base_x, base_y, normal_x, normal_y, pieces.vertices[after, X], pieces.vertices[after, Y])
    mine, others = (1, 0) if flip else (0, 1)
    low = edge_end(reference, k, OUTLINE.START, length, reach, 2 * k + mine, pieces)
    high = edge_end(reference, k, OUTLINE.STOP, length, reach, 2 * after + mine, pieces)
    tie = TIE * reach + IN_LINE * length
    first, second = lowest, ClippedPoint(counts=False, place=0.0, height=0.0, feature=0)
    local_x, local_y = rotate_vector_back(relative, normal_x, normal_y)
    neighbour, has_neighbour = corners.flattest_neighbour(incident, axis.corner, local_x, local_y, pieces)
    if has_neighbour:
        place, height = corner_over(neighbour, relative, base_x, base_y, axis, 0.0, pieces)
        second = ClippedPoint(
            counts=corners.is_corner(incident, neighbour, pieces),
            place=place,
            height=height,
            feature=2 * neighbour + others,
        )
        slope = (height - first.height) / (place - first.place) if place != first.place else 0.0
        if height <= first.height + tie and overshoot(second, low, high) < overshoot(first, low, high):
            first, second = second, first
        deepest = first
        first, second = (
            clipped_to_end(first, second.place, slope, low, high, tie, True, is_second),
            clipped_to_end(second, first.place, slope, low, high, tie, False, is_second),
        )
    else:
        deepest = first
        first = clipped_to_end(first, first.place, 0.0, low, high, tie, True, is_second)
    radius = reference.radius + incident.radius
    if (
        deepest.counts
        and not first.counts
        and enters_through_edge(deepest, incident, relative, base_x, base_y, axis, low, high, radius, pieces)
    ):
        first = deepest
    return first, second


@device
def manifold_of(first, second, base_x, base_y, axis, radius, other_radius, flip, heights):
    """Return the manifold of two spots over an edge that starts at (base_x, base_y) [m].

    `radius` is that of the edge's piece, `other_radius` that of the other piece [m].
    """
    normal_x, normal_y, radii = axis.normal_x, axis.normal_y, radius + other_radius
    keep0 = first.counts and heights[0] <= first.height <= heights[1]
    keep1 = second.counts and heights[0] <= second.height <= heights[1]
    if not keep0 and not keep1:
        return no_contact()
    if not keep0 or (keep1 and second.place < first.place):
        first, second = second, first
    sign = -1.0 if flip else 1.0
    out0 = first.height - other_radius if flip else radius
    out1 = second.height - other_radius if flip else radius
    return LocalManifold(
        point_count=int(keep0) + int(keep1),
        normal_x=sign * normal_x,
        normal_y=sign * normal_y,
        x0=base_x - first.place * normal_y + out0 * normal_x,
        y0=base_y + first.place * normal_x + out0 * normal_y,
        separation0=first.height - radii,
        feature0=first.feature,
        x1=base_x - second.place * normal_y + out1 * normal_x,
        y1=base_y + second.place * normal_x + out1 * normal_y,
        separation1=second.height - radii,
        feature1=second.feature,
    )
