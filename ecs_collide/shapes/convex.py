"""Corners of a simple polygon from a list of points, or the reason why there are none.

An outline turns left by atan2(u_x v_y - u_y v_x, u·v) at the corner between its edges u and v. It is convex if all
turns have one sign and add up to one revolution. Lengths are compared at unit size, so that one tolerance serves
polygons of any size and place.
"""

import math
from collections.abc import Sequence

import numpy as np

from ecs_collide.geometry.angles import angle_of
from ecs_collide.shapes import measure
from ecs_collide.shapes.points import flat_points
from ecs_collide.shapes.simple import TOLERANCE, distance_to_segment, find_self_intersection
from ecs_collide.validate import Vector2, real

CLEAR = 4.0 * TOLERANCE
"""Least distance of a definite corner from the line between its neighbours, at unit size."""


def find_simple_corners(points: tuple[Vector2, ...], name: str) -> tuple[tuple[Vector2, ...], int | None]:
    """Return the corners of the simple polygon with outline `points`, and its sharpest inward corner.

    The corners run counter-clockwise, and the first point stays first. The second value is the index in `points` of the
    corner that points inwards most, None if the polygon is convex.

    Raises:
        ValueError: `points`, called `name` in the message, are not the outline of a simple polygon.
    """
    winding = measure.find_winding(flat_points((points,)), CLEAR) if len(points) > 2 else 0
    if winding:
        return points if winding > 0 else (points[0], *points[:0:-1]), None
    distinct_count = len(set(points))
    if distinct_count < 3:
        raise ValueError(f"{name} must hold at least three different points, got {distinct_count}: {_shorten(points)}")
    outline = _scale_to_unit_size(points, name)
    corners = _find_corners(outline)
    if len(corners) < 3 or _is_collinear(outline):
        raise ValueError(f"{name} must not all lie on one line, got {_shorten(points)}")

    turns = find_turns([outline[index] for index in corners])
    revolution = math.fsum(turns)
    way_round = math.copysign(1.0, revolution)
    sharpest_inward = min(range(len(turns)), key=lambda i: way_round * turns[i])
    is_convex = way_round * turns[sharpest_inward] > 0.0 and abs(revolution) < 3.0 * math.pi
    if not is_convex and (meeting := _describe_self_intersection(outline, corners)):
        raise ValueError(f"{name} must not intersect itself, but {meeting}; got {_shorten(points)}")
    ordered = corners if way_round > 0.0 else [corners[0], *reversed(corners[1:])]
    return tuple(points[index] for index in ordered), None if is_convex else corners[sharpest_inward]


def find_turns(corners: Sequence[Vector2]) -> list[float]:
    """Return the left turn of the outline at each corner, in (-π, π] [rad]."""
    turns = []
    for i, (x, y) in enumerate(corners):
        (previous_x, previous_y) = corners[i - 1]
        (next_x, next_y) = corners[(i + 1) % len(corners)]
        ax, ay, bx, by = x - previous_x, y - previous_y, next_x - x, next_y - y
        turns.append(angle_of(ax * bx + ay * by, ax * by - ay * bx))
    return turns


def _scale_to_unit_size(points: Sequence[Vector2], name: str) -> list[Vector2]:
    """Return `points`, moved to the first of them and divided by the diagonal of their bounding box."""
    xs, ys = zip(*points, strict=True)
    diagonal = real(math.hypot(max(xs) - min(xs), max(ys) - min(ys)), f"the diagonal of {name}")
    return [((x - xs[0]) / diagonal, (y - ys[0]) / diagonal) for x, y in points]


def _find_corners(outline: Sequence[Vector2]) -> list[int]:
    """Return the indices of the points outside the tolerance of the segment between their neighbours."""
    kept: list[int] = []
    for index, point in enumerate(outline):
        while len(kept) >= 2 and _lies_between(outline[kept[-1]], outline[kept[-2]], point):
            kept.pop()
        kept.append(index)
    while len(kept) >= 3:
        if _lies_between(outline[kept[-1]], outline[kept[-2]], outline[kept[0]]):
            kept.pop()
        elif _lies_between(outline[kept[0]], outline[kept[-1]], outline[kept[1]]):
            kept.pop(0)
        else:
            break
    return kept


def _lies_between(point: Vector2, a: Vector2, b: Vector2) -> bool:
    """Return True if `point` is within the tolerance of the segment from `a` to `b`."""
    return distance_to_segment(point, a, b) <= TOLERANCE


def _is_collinear(outline: Sequence[Vector2]) -> bool:
    """Return True if all points are within the tolerance of the line from the first, the origin, to the farthest."""
    x, y = max(outline, key=lambda point: math.hypot(*point))
    length = math.hypot(x, y)
    return all(abs(x * point[1] - y * point[0]) <= TOLERANCE * length for point in outline)


def _describe_self_intersection(outline: Sequence[Vector2], corners: Sequence[int]) -> str | None:
    """Describe where the outline through `corners` touches or crosses itself; None if it does not."""
    meeting = find_self_intersection(np.array([outline[index] for index in corners]))
    if meeting is None:
        return None
    following = [*corners[1:], corners[0]]
    described = f"the edge from vertex {corners[meeting.edge]} to {following[meeting.edge]}"
    other = corners[meeting.other]
    if meeting.is_crossing:
        return f"{described} crosses the edge from vertex {other} to {following[meeting.other]}"
    return f"vertex {other} lies on {described}"


def _shorten(points: Sequence[Vector2]) -> str:
    """Return the first eight points as text."""
    return f"{list(points)}" if len(points) <= 8 else f"{list(points[:8])} and {len(points) - 8} more"
