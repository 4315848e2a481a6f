"""A polygon whose edges may be arcs.

The test for simplicity replaces the outline by a polyline with many vertices on each arc, and more if edges are close.
At a vertex, the turn of the tangents is the turn between two short chords less half the angles of their two arc parts.
The chords distinguish a cusp that points outwards, where the tangents turn by π, from one that points inwards, -π.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.shapes import mass, outline as of_outline
from ecs_collide.shapes.arc_core import Cap, Core, arc_core
from ecs_collide.shapes.bulge import BulgedEdge
from ecs_collide.shapes.corner_normals import HIDDEN_EDGE, ZERO_LENGTH_EDGE, Corner, corner, outline_piece, turn_between
from ecs_collide.shapes.decompose import cell_piece
from ecs_collide.shapes.piece import Piece
from ecs_collide.shapes.points import read_corners
from ecs_collide.shapes.shape import Shape
from ecs_collide.shapes.simple import (
    TOLERANCE,
    distance_to_segment,
    find_self_intersection,
    scale_to_unit_size,
    signed_area,
)
from ecs_collide.validate import Vector2, finite, number_sequence

NAME = "ArcPolygon.vertices with ArcPolygon.bulges"
"""Name of an outline in error messages."""

STEP = math.pi / 24.0
"""Largest part of an arc that the test for simplicity first treats as straight [rad]."""

HALVINGS = 6
"""Greatest number of halvings of that part; an arc then leaves its chord by 5e-7 of its radius."""


PART = 1e-3
"""Fraction of an arc whose chord distinguishes the two kinds of cusps."""


@dataclass(frozen=True, slots=True, init=False)
class ArcPolygon(Shape):
    """A polygon whose edges may be circular arcs.

    The bulge of an edge is the tangent of a quarter of its arc's angle. 0 is a straight edge. 1 is a half circle that
    bends outwards, away from the solid, and -1 is one that bends inwards.

    The vertices may run either way round and are stored counter-clockwise. If both ways make an outline, as with two
    vertices, they are taken as counter-clockwise. Vertices that repeat the one before, or lie on a straight line
    between their neighbours, are removed. Arcs that cannot be distinguished from a straight line become straight.

    Args:
        vertices: corners [m] (n, 2), n >= 2.
        bulges: bulge of the edge from each vertex to the next, within [-1, 1] (n,).

    Raises:
        ValueError: the outline intersects itself, is too thin to be cut into convex pieces, or has fewer than two
            different vertices; a bulge is out of range; or the numbers of vertices and bulges differ.
    """

    vertices: tuple[Vector2, ...]
    """Corners, counter-clockwise [m] (n, 2)."""
    bulges: tuple[float, ...]
    """Bulge of the edge from each vertex to the next (n,)."""

    def __init__(self, vertices: ArrayLike, bulges: ArrayLike) -> None:
        points = read_corners(vertices, "ArcPolygon.vertices")
        given = number_sequence(bulges, "ArcPolygon.bulges")
        if len(given) != len(points):
            raise ValueError(
                f"ArcPolygon.bulges must hold one number for each of the {len(points)} vertices, got {len(given)}"
            )
        for index, bulge in enumerate(given):
            if abs(bulge) > 1.0:
                raise ValueError(f"ArcPolygon.bulges[{index}] must lie between -1 and 1, got {bulge}")
        outline = _clean_outline(points, given)
        fault = _find_fault(outline)
        if fault is not None:
            reverse = [BulgedEdge(edge.b, edge.a, edge.bulge) for edge in reversed(outline)]
            reverse_fault = _find_fault(reverse)
            if reverse_fault is not None:
                meeting = fault or reverse_fault or "its arcs bend inwards so far that it encloses nothing"
                raise ValueError(f"{NAME} must not intersect itself, but {meeting}")
            outline = reverse
        self._store(
            vertices=tuple(edge.a for edge in outline),
            bulges=tuple(edge.bulge for edge in outline),
        )
        self._core()

    def pieces(self) -> tuple[Piece, ...]:
        core = self._core()
        points = np.array(core.points)
        cells = [cell_piece(points, cell, core.edges, core.corners) for cell in core.cells]
        outline = self._outline()
        return (*cells, *(_make_cap_piece(core, cap, outline[cap.edge]) for cap in core.caps))

    def mass_properties(self) -> mass.MassProperties:
        return mass.arc_polygon(np.array(self.vertices), self.bulges)

    def _outline(self) -> list[BulgedEdge]:
        following = [*self.vertices[1:], self.vertices[0]]
        return list(map(BulgedEdge, self.vertices, following, self.bulges))

    def _core(self) -> Core:
        outline = self._outline()
        turns = _find_turns(outline)
        corners = [
            corner(outline[index - 1].tangent(1.0), edge.tangent(0.0), turns[index])
            for index, edge in enumerate(outline)
        ]
        return arc_core(outline, corners, turns, NAME)


def _clean_outline(points: Sequence[Vector2], bulges: Sequence[float]) -> list[BulgedEdge]:
    """Return the edges without those of no length, and without vertices on straight lines."""
    xs, ys = zip(*points, strict=True) if points else ((0.0,), (0.0,))
    tolerance = TOLERANCE * finite(
        math.hypot(max(xs) - min(xs), max(ys) - min(ys)), "the diagonal of ArcPolygon.vertices"
    )
    following = [*points[1:], *points[:1]]
    kept = [
        (start, bulge if 0.5 * abs(bulge) * math.dist(start, stop) > tolerance else 0.0)
        for start, stop, bulge in zip(points, following, bulges, strict=True)
        if math.dist(start, stop) > tolerance
    ]
    if len(kept) < 2:
        raise ValueError(f"ArcPolygon.vertices must hold at least two different points, got {len(kept)}")
    index = 0
    while index < len(kept):
        (a, before) = kept[index - 1]
        (at, after) = kept[index]
        (b, _) = kept[(index + 1) % len(kept)]
        if before == after == 0.0 and distance_to_segment(at, a, b) <= tolerance:
            del kept[index]
            index = max(index - 1, 0)
        else:
            index += 1
    starts = [start for start, _ in kept]
    return [BulgedEdge(a, b, bulge) for (a, bulge), b in zip(kept, [*starts[1:], starts[0]], strict=True)]


def _find_fault(outline: Sequence[BulgedEdge]) -> str | None:
    """Describe where an outline intersects itself; return "" if it runs clockwise, None if it is valid."""
    halvings = [0] * len(outline)
    while True:
        points, owners = _sample_outline(outline, halvings)
        if len(points) < 3:  # an outline of two edges, each still of one part
            curved = [index for index, edge in enumerate(outline) if edge.bulge]
            if not curved:
                return "its two edges are one"
            for index in curved:
                halvings[index] += 1
            continue
        polyline = scale_to_unit_size(np.array(points))
        meeting = find_self_intersection(polyline)
        if meeting is None:
            return None if signed_area(polyline) > 0.0 else ""
        close = {owners[meeting.edge], owners[meeting.other], owners[meeting.other - (not meeting.is_crossing)]}
        finer = [index for index in sorted(close) if outline[index].bulge and halvings[index] < HALVINGS]
        if not finer:
            first, second = outline[owners[meeting.edge]], outline[owners[meeting.other]]
            return f"the edge from {first.a} to {first.b} meets the one from {second.a} to {second.b}"
        for index in finer:
            halvings[index] += 1


def _sample_outline(outline: Sequence[BulgedEdge], halvings: Sequence[int]) -> tuple[list[Vector2], list[int]]:
    """Return points on the outline, and the index of the edge that each lies on."""
    points: list[Vector2] = []
    owners: list[int] = []
    for index, (edge, halved) in enumerate(zip(outline, halvings, strict=True)):
        count = max(math.ceil(abs(edge.angle) / STEP), 1) * 2**halved
        points.extend(edge.point(part / count) for part in range(count))
        owners.extend([index] * count)
    return points, owners


def _find_turns(outline: Sequence[BulgedEdge]) -> list[float]:
    """Return the left turns of the tangents of a simple outline at its vertices [rad]."""
    turns = []
    for index, edge in enumerate(outline):
        before = outline[index - 1]
        chords = turn_between(before.tangent(1.0 - 0.5 * PART), edge.tangent(0.5 * PART))
        turns.append(chords - 0.5 * PART * (before.angle + edge.angle))
    return turns


def _make_cap_piece(core: Core, cap: Cap, edge: BulgedEdge) -> Piece:
    """Return the piece between a chord and its part of an outward arc."""
    a, b = core.points[cap.start], core.points[cap.stop]
    length = math.dist(a, b)
    outward = ((a[1] - b[1]) / length, (b[0] - a[0]) / length)
    arc = Corner(end=of_outline.CONVEX, first=cap.first, last=cap.last, radius=edge.radius)
    return outline_piece(
        np.array((a, edge.center, b)),
        np.array((cap.first, cap.last, outward)),
        (ZERO_LENGTH_EDGE, ZERO_LENGTH_EDGE, HIDDEN_EDGE),
        (core.corners[cap.start], arc, core.corners[cap.stop]),
    )
