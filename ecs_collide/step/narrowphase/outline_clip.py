"""The contact of a piece's lowest corner, or of the flattest edge there, with an edge of an outline.

The edge is clipped as between polygons (row 13), but for the ends where the surface goes on in another piece: there the
neighbour supplies the point, unless the piece does not reach it: see `comes_in_here`. Without ends that go on,
`convex_convex.py` clips in half the time, see `separating_axes.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.geometry.edge import over_edge
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase import outline_axes, piece_corners as corners
from ecs_collide.step.narrowphase.pair_manifold import LocalManifold, in_a, no_contact

TIE = 1e-4
"""Near ties must not flip between steps: heights, as a fraction of the reach, that count as equal."""

IN_LINE = 1e-9
"""A height that counts as none, as a fraction of the edge's length."""

END_FRACTION = 0.005
"""How far an edge reaches past an end where the surface goes on, at most, as a fraction of its length ..."""

END_REACH = 0.25
"""... and of the reach (which is four times the slop)."""


class Spot(NamedTuple):
    """A corner in front of an edge: whether it counts, place along the edge [m], height above it [m], feature."""

    counts: bool
    place: float
    height: float
    feature: int


class EdgeEnd(NamedTuple):
    """One end of an edge: place [m], how the surface goes on there, feature of the corner there."""

    place: float
    state: float
    feature: int


@device
def edge_end(side, k, field, length, reach, feature, pieces):
    """An end of edge k, `START` or `STOP`; where the surface goes on, the edge reaches a little further."""
    state = corners.end_state(side, k, field, pieces)
    further = 0.0 if state == of_outline.CONVEX else min(END_REACH * reach, END_FRACTION * length)
    return EdgeEnd(-further if field == OUTLINE.START else length + further, state, feature)


@device
def overshoot(point, low, high):
    """How far a point lies past the ends of the edge [m]."""
    return max(low.place - point.place, point.place - high.place, 0.0)


@device
def clipped_to_end(point, other_place, slope, low, high, tie, is_deepest, is_second):
    """A point brought back to the edge's end that it lies beyond, along the line to the other one.

    Where the surface goes on straight the neighbour supplies the point itself, so this one is left out. At a convex
    end the deepest point is only moved if it loses no more than `tie` [m] of its depth, and stays where both lie beyond
    it. Of an edge that is only second to one that gives no contact (`is_second`), no point beyond an end counts.
    """
    if low.place <= point.place <= high.place:
        return point
    end, other_too = (low, other_place < low.place) if point.place < low.place else (high, other_place > high.place)
    keeps_deepest = is_deepest and end.state == of_outline.CONVEX
    if end.state == of_outline.FLAT or is_second:
        return Spot(False, point.place, point.height, point.feature)
    if other_too:
        return Spot(point.counts and keeps_deepest, point.place, point.height, point.feature)
    height = point.height + slope * (end.place - point.place)
    if is_deepest and end.state == of_outline.CONVEX and height > point.height + tie:
        return point
    return Spot(point.counts, end.place, height, end.feature)


@device
def corner_over(j, relative, base_x, base_y, axis, radius, pieces):
    """(place, height less `radius`) [m] of corner j of the incident piece over the edge of an axis."""
    x, y = in_a(relative, pieces.vertices, j)
    place, height = over_edge(base_x, base_y, axis.normal_x, axis.normal_y, x, y)
    return place, height - radius


@device
def comes_in_here(point, incident, relative, base_x, base_y, axis, low, high, radius, pieces):
    """Whether a point past an end where the surface goes on straight is of a piece that crosses only this edge.

    All of the piece that lies above comes to the surface before the end. The neighbour is apart from it then, however
    deep it is, and supplies no point.
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
def on_edge(reference, axis, incident, relative, flip, reach, is_second, least, pieces):
    """The contact of the incident piece's flattest edge, or of its one corner, with the reference edge.

    In the axes of the reference piece's body; with `flip` the reference piece is B, and the normal still goes from A to
    B and the points are on A. Only points at least `least` [m] in front of the edge count. A feature is a corner: twice
    its row in the pool, and one more for a corner of B.
    """
    vertices, k = pieces.vertices, axis.edge
    x, y = in_a(relative, vertices, axis.corner)
    feature = 2 * axis.corner + (0 if flip else 1)
    if corners.is_hollow(k, pieces):
        out = corners.corner_radius(axis.corner, pieces) + axis.contact
        base_x, base_y = x - out * axis.normal_x, y - out * axis.normal_y
        first, second = Spot(True, 0.0, axis.contact, feature), Spot(False, 0.0, 0.0, 0)
    else:
        base_x, base_y = vertices[k, 0], vertices[k, 1]
        counts = outline_axes.gives_corner(incident, axis.corner, axis, relative, pieces)
        place, _ = over_edge(base_x, base_y, axis.normal_x, axis.normal_y, x, y)
        lowest = Spot(counts, place, axis.contact, feature)
        first, second = clipped_spots(lowest, reference, axis, incident, relative, flip, reach, is_second, pieces)
    return manifold_of(first, second, base_x, base_y, axis, reference.radius, incident.radius, flip, reach, least)


@device
def clipped_spots(lowest, reference, axis, incident, relative, flip, reach, is_second, pieces):
    """The lowest corner and the other end of the flattest edge there, clipped to a straight reference edge."""
    k, normal_x, normal_y = axis.edge, axis.normal_x, axis.normal_y
    base_x, base_y = pieces.vertices[k, 0], pieces.vertices[k, 1]
    after = corners.corner_after(reference, k)
    length, _ = over_edge(base_x, base_y, normal_x, normal_y, pieces.vertices[after, 0], pieces.vertices[after, 1])
    mine, others = (1, 0) if flip else (0, 1)
    low = edge_end(reference, k, OUTLINE.START, length, reach, 2 * k + mine, pieces)
    high = edge_end(reference, k, OUTLINE.STOP, length, reach, 2 * after + mine, pieces)
    tie = TIE * reach + IN_LINE * length
    first, second = lowest, Spot(False, 0.0, 0.0, 0)
    local_x, local_y = rotate_vector_back(relative, normal_x, normal_y)
    neighbour, has_neighbour = corners.flattest_neighbour(incident, axis.corner, local_x, local_y, pieces)
    if has_neighbour:
        place, height = corner_over(neighbour, relative, base_x, base_y, axis, 0.0, pieces)
        second = Spot(corners.is_corner(incident, neighbour, pieces), place, height, 2 * neighbour + others)
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
        and comes_in_here(deepest, incident, relative, base_x, base_y, axis, low, high, radius, pieces)
    ):
        first = deepest
    return first, second


@device
def manifold_of(first, second, base_x, base_y, axis, radius, other_radius, flip, reach, least):
    """The manifold of two spots over an edge that begins at a base; the radii are those of the edge's piece and of the
    other one."""
    normal_x, normal_y, radii = axis.normal_x, axis.normal_y, radius + other_radius
    keep0 = first.counts and least <= first.height <= radii + reach
    keep1 = second.counts and least <= second.height <= radii + reach
    if not keep0 and not keep1:
        return no_contact()
    if not keep0 or (keep1 and second.place < first.place):
        first, second = second, first
    sign = -1.0 if flip else 1.0
    out0 = first.height - other_radius if flip else radius
    out1 = second.height - other_radius if flip else radius
    return LocalManifold(
        int(keep0) + int(keep1),
        sign * normal_x,
        sign * normal_y,
        base_x - first.place * normal_y + out0 * normal_x,
        base_y + first.place * normal_x + out0 * normal_y,
        first.height - radii,
        first.feature,
        base_x - second.place * normal_y + out1 * normal_x,
        base_y + second.place * normal_x + out1 * normal_y,
        second.height - radii,
        second.feature,
    )
