"""A polygon whose edges may be arcs.

The outline is tested for simplicity as a polyline with many vertices on each arc, more where edges come close. At a
vertex its tangents turn by the turn between two short chords less half the angles of the two parts of arcs that these
span. The chords tell a cusp that points outwards, where the tangents turn by π, from one that points inwards, -π.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ecs_collide.shapes import mass, outline as of_outline
from ecs_collide.shapes.arc_core import Cap, Core, arc_core
from ecs_collide.shapes.bulge import BulgedEdge
from ecs_collide.shapes.corner_normals import COVERED_EDGE, JOINT_EDGE, Corner, corner, outline_piece, turn_between
from ecs_collide.shapes.decompose import cell_piece
from ecs_collide.shapes.piece import Piece
from ecs_collide.shapes.shape import Shape
from ecs_collide.shapes.simple import TOLERANCE, distance_to_segment, first_meeting, signed_area, unit_size
from ecs_collide.validate import Vector2, finite, number_sequence, vector2_sequence

NAME = "ArcPolygon.vertices with ArcPolygon.bulges"
"""What error messages call an outline."""

STEP = math.pi / 24.0
"""The largest part [rad] of an arc that the test for simplicity takes for straight at first."""

HALVINGS = 6
"""How often that part is halved where edges come close; by then an arc leaves its chord by 5e-7 of its radius."""


PART = 1e-3
"""The part of an arc whose chord tells the two kinds of cusps apart."""


@dataclass(frozen=True, slots=True, init=False)
class ArcPolygon(Shape):
    """The polygon of `vertices` [m] (n, 2) whose edge from vertex i to the next is an arc of `bulges` (n,), n >= 2.

    A bulge is the tangent of a quarter of the arc's angle: 0 is a straight edge, 1 a half circle that bends outwards,
    away from the solid, -1 one that bends inwards. The vertices may run either way round and are kept
    counter-clockwise; where both ways make an outline, as with two vertices, they are taken for counter-clockwise.
    Vertices that repeat the one before, or lie on a straight line between their neighbours, are left out, and arcs
    that cannot be told from a straight line become one. An outline that meets itself is a `ValueError`, and so is one
    that is too thin to be cut into convex pieces.
    """

    vertices: tuple[Vector2, ...]
    bulges: tuple[float, ...]

    def __init__(self, vertices: ArrayLike, bulges: ArrayLike) -> None:
        points = vector2_sequence(vertices, "ArcPolygon.vertices")
        given = number_sequence(bulges, "ArcPolygon.bulges")
        if len(given) != len(points):
            raise ValueError(
                f"ArcPolygon.bulges must hold one number for each of the {len(points)} vertices, got {len(given)}"
            )
        for index, bulge in enumerate(given):
            if abs(bulge) > 1.0:
                raise ValueError(f"ArcPolygon.bulges[{index}] must lie between -1 and 1, got {bulge}")
        outline = _cleaned(points, given)
        fault = _fault(outline)
        if fault is not None:
            reverse = [BulgedEdge(edge.b, edge.a, edge.bulge) for edge in reversed(outline)]
            reverse_fault = _fault(reverse)
            if reverse_fault is not None:
                meeting = fault or reverse_fault
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
        return (*cells, *(_cap_piece(core, cap, outline[cap.edge]) for cap in core.caps))

    def mass_properties(self) -> mass.MassProperties:
        return mass.arc_polygon(np.array(self.vertices), self.bulges)

    def _outline(self) -> list[BulgedEdge]:
        following = [*self.vertices[1:], self.vertices[0]]
        return list(map(BulgedEdge, self.vertices, following, self.bulges))

    def _core(self) -> Core:
        outline = self._outline()
        turns = _turns(outline)
        corners = [
            corner(outline[index - 1].tangent(1.0), edge.tangent(0.0), turns[index])
            for index, edge in enumerate(outline)
        ]
        return arc_core(outline, corners, turns, NAME)


def _cleaned(points: Sequence[Vector2], bulges: Sequence[float]) -> list[BulgedEdge]:
    """Return the edges without those that have no length, and without vertices on straight lines."""
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
        (a, before), (at, after), (b, _) = kept[index - 1], kept[index], kept[(index + 1) % len(kept)]
        if before == after == 0.0 and distance_to_segment(at, a, b) <= tolerance:
            del kept[index]
            index = max(index - 1, 0)
        else:
            index += 1
    starts = [start for start, _ in kept]
    return [BulgedEdge(a, b, bulge) for (a, bulge), b in zip(kept, [*starts[1:], starts[0]], strict=True)]


def _fault(outline: Sequence[BulgedEdge]) -> str | None:
    """Return in words where an outline meets itself, "" where it runs clockwise, None where it is in order."""
    halvings = [0] * len(outline)
    while True:
        points, owners = _polyline(outline, halvings)
        if len(points) < 3:
            return "its two edges are one"
        polyline = unit_size(np.array(points))
        meeting = first_meeting(polyline)
        if meeting is None:
            return None if signed_area(polyline) > 0.0 else ""
        close = {owners[meeting.edge], owners[meeting.other], owners[meeting.other - (not meeting.is_crossing)]}
        finer = [index for index in sorted(close) if outline[index].bulge and halvings[index] < HALVINGS]
        if not finer:
            first, second = outline[owners[meeting.edge]], outline[owners[meeting.other]]
            return f"the edge from {first.a} to {first.b} meets the one from {second.a} to {second.b}"
        for index in finer:
            halvings[index] += 1


def _polyline(outline: Sequence[BulgedEdge], halvings: Sequence[int]) -> tuple[list[Vector2], list[int]]:
    """Return points on the outline, and for each the index of the edge it lies on."""
    points: list[Vector2] = []
    owners: list[int] = []
    for index, (edge, halved) in enumerate(zip(outline, halvings, strict=True)):
        count = max(math.ceil(abs(edge.angle) / STEP), 1) * 2**halved
        points.extend(edge.point(part / count) for part in range(count))
        owners.extend([index] * count)
    return points, owners


def _turns(outline: Sequence[BulgedEdge]) -> list[float]:
    """Return how far the tangents of a simple outline turn left at its vertices [rad]."""
    turns = []
    for index, edge in enumerate(outline):
        before = outline[index - 1]
        chords = turn_between(before.tangent(1.0 - 0.5 * PART), edge.tangent(0.5 * PART))
        turns.append(chords - 0.5 * PART * (before.angle + edge.angle))
    return turns


def _cap_piece(core: Core, cap: Cap, edge: BulgedEdge) -> Piece:
    """Return what lies between a chord and its part of an outward arc."""
    a, b = core.points[cap.start], core.points[cap.stop]
    length = math.dist(a, b)
    outward = ((a[1] - b[1]) / length, (b[0] - a[0]) / length)
    arc = Corner(of_outline.CONVEX, cap.first, cap.last, edge.radius)
    return outline_piece(
        np.array((a, edge.center, b)),
        np.array((cap.first, cap.last, outward)),
        (JOINT_EDGE, JOINT_EDGE, COVERED_EDGE),
        (core.corners[cap.start], arc, core.corners[cap.stop]),
    )
