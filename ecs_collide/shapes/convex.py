"""From a list of points to the corners of a strictly convex polygon, or to the reason why they are none.

An outline turns left by atan2(u_x v_y - u_y v_x, u·v) at the corner between its edges u and v. It is convex where all
turns have one sign and add up to one revolution. Lengths are compared at unit size, so that one tolerance serves
polygons of any size and place.
"""

import math
from collections.abc import Sequence

import numpy as np

from ecs_collide.shapes.piece import FloatArray
from ecs_collide.validate import Vector2, finite

TOLERANCE = 1e-7
"""Distance within which points count as one, or as lying on a line; the outline's bounding box has diagonal 1.

Above the rounding of float32 coordinates and far below what can be seen; a regular 8,000-gon keeps all its corners."""


def convex_corners(points: Sequence[Vector2], name: str) -> tuple[Vector2, ...]:
    """Return the corners of the convex polygon with outline `points`, counter-clockwise; the first of them stays first.

    Raises `ValueError`, in which the points are called `name`, where they are not the outline of a convex polygon.
    """
    distinct_count = len(set(points))
    if distinct_count < 3:
        raise ValueError(f"{name} must hold at least three different points, got {distinct_count}: {_excerpt(points)}")
    outline = _unit_size(points, name)
    corners = _corner_indices(outline)
    if len(corners) < 3 or _is_collinear(outline):
        raise ValueError(f"{name} must not all lie on one line, got {_excerpt(points)}")

    turns = _turns([outline[index] for index in corners])
    revolution = math.fsum(turns)
    winding = math.copysign(1.0, revolution)
    sharpest_inward = min(range(len(turns)), key=lambda i: winding * turns[i])
    if winding * turns[sharpest_inward] > 0.0 and abs(revolution) < 3.0 * math.pi:
        ordered = corners if winding > 0.0 else [corners[0], *reversed(corners[1:])]
        return tuple(points[index] for index in ordered)

    if meeting := _self_intersection(outline, corners):
        raise ValueError(f"{name} must not intersect itself, but {meeting}; got {_excerpt(points)}")
    reflex = corners[sharpest_inward]
    raise ValueError(f"{name} must be convex, but vertex {reflex} {points[reflex]} points inwards")


def _unit_size(points: Sequence[Vector2], name: str) -> list[Vector2]:
    """Return `points`, moved to the first of them and divided by the diagonal of their bounding box."""
    xs, ys = zip(*points, strict=True)
    diagonal = finite(math.hypot(max(xs) - min(xs), max(ys) - min(ys)), f"the diagonal of {name}")
    return [((x - xs[0]) / diagonal, (y - ys[0]) / diagonal) for x, y in points]


def _corner_indices(outline: Sequence[Vector2]) -> list[int]:
    """Return the indices of the points that are not within the tolerance of the segment between their neighbours."""
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
    """Whether `point` is within the tolerance of the segment from `a` to `b`."""
    edge_x, edge_y = b[0] - a[0], b[1] - a[1]
    x, y = point[0] - a[0], point[1] - a[1]
    square = edge_x * edge_x + edge_y * edge_y
    fraction = min(max((x * edge_x + y * edge_y) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return math.hypot(x - fraction * edge_x, y - fraction * edge_y) <= TOLERANCE


def _is_collinear(outline: Sequence[Vector2]) -> bool:
    """Whether all points are within the tolerance of the line from the first, the origin, to the farthest."""
    x, y = max(outline, key=lambda point: math.hypot(*point))
    length = math.hypot(x, y)
    return all(abs(x * point[1] - y * point[0]) <= TOLERANCE * length for point in outline)


def _turns(corners: Sequence[Vector2]) -> list[float]:
    """Return the angle [rad] in (-π, π] by which the outline turns left at each corner."""
    turns = []
    for i, (x, y) in enumerate(corners):
        (previous_x, previous_y), (next_x, next_y) = corners[i - 1], corners[(i + 1) % len(corners)]
        ax, ay, bx, by = x - previous_x, y - previous_y, next_x - x, next_y - y
        turns.append(math.atan2(ax * by - ay * bx, ax * bx + ay * by))
    return turns


def _self_intersection(outline: Sequence[Vector2], corners: Sequence[int]) -> str | None:
    """Return in words where the outline through `corners` touches or crosses itself."""
    count = len(corners)
    starts = np.array([outline[index] for index in corners])
    edges = np.roll(starts, -1, axis=0) - starts
    for i, edge in enumerate(edges):
        own = [i, (i + 1) % count]
        described = f"the edge from vertex {corners[own[0]]} to {corners[own[1]]}"
        spokes = starts - starts[i]
        fractions = np.clip(spokes @ edge / (edge @ edge), 0.0, 1.0)
        gaps = spokes - fractions[:, np.newaxis] * edge
        touching = np.hypot(gaps[:, 0], gaps[:, 1]) <= TOLERANCE
        touching[own] = False
        if touching.any():
            return f"vertex {corners[int(np.argmax(touching))]} lies on {described}"
        sides = np.sign(_cross(edge, spokes))
        parts_others = sides * np.roll(sides, -1) < 0.0
        is_parted = np.sign(_cross(edges, spokes)) * np.sign(_cross(edges, spokes - edge)) < 0.0
        crossing = parts_others & is_parted
        if crossing.any():
            j = int(np.argmax(crossing))
            return f"{described} crosses the edge from vertex {corners[j]} to {corners[(j + 1) % count]}"
    return None


def _cross(a: FloatArray, b: FloatArray) -> FloatArray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _excerpt(points: Sequence[Vector2]) -> str:
    """Return the first eight points as text."""
    return f"{list(points)}" if len(points) <= 8 else f"{list(points[:8])} and {len(points) - 8} more"
