"""Convex cells of an outline with arcs.

Every arc is divided into parts, and a core polygon replaces the outline:

- An outward arc: the core runs along the chords. The region between a chord and its part of the arc is a piece of its
  own, a cap.
- An inward arc: the core runs along the chords as well. The region between chord and arc must lie in one cell,
  because an arc may end only one cell. If it does not, the core runs over a point t outside the circle instead. The
  triangle (p, q, t) on the chord p → q is then a cell. Its angles at p and q are 3/4 of the arc's angle. The tangents
  make 1/2 of that angle, so the triangle contains the arc.
- A cusp: an inward arc meets the next edge at a sharp angle and leaves no room for t. The cusp is cut off as an
  isosceles triangle whose equal sides are the chords of both edges.

Arcs are divided further until the core is simple.
"""

import itertools
import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from ecs_collide.geometry.angles import cosine_and_sine
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.bulge import BulgedEdge
from ecs_collide.shapes.corner_normals import NO_CORNER, Corner, Edge, right_of
from ecs_collide.shapes.decompose import STRAIGHT, PointNumbers, list_edges, merge_cells, triangulate
from ecs_collide.shapes.piece import edge_normals
from ecs_collide.shapes.simple import cross, find_self_intersection, scale_to_unit_size, signed_area
from ecs_collide.validate import Vector2

INWARD_STEP = math.pi / 6.0
"""Largest part of an inward arc in one piece [rad]."""

SHARP = 0.35
"""Interior angle below which a corner with an inward arc is a cusp; two points t need less [rad]."""

HALVINGS = 7
"""Greatest number of halvings of an arc's parts; an arc then leaves its chord by 1e-6 of its radius."""


Portion: TypeAlias = tuple[int, int]
"""Index of an edge of the outline, and the number of a part of that edge."""


class Cap(NamedTuple):
    """The region between a chord and its part of an outward arc.

    It has two points and the normals at which the arc begins and ends.
    """

    edge: int
    start: int
    stop: int
    first: Vector2
    last: Vector2


@dataclass
class Core:
    """The cells of an outline with arcs, in the form that `decompose.py` takes, and the caps."""

    points: list[Vector2]
    """Points of the cells [m]; the outline's vertices come first."""
    corners: dict[int, Corner]
    """Corner at each point."""
    edges: dict[tuple[int, int], Edge] = field(default_factory=dict)
    """Straight and inward edges, by the numbers of their points."""
    cells: list[PointNumbers] = field(default_factory=list)
    """Convex cells, counter-clockwise."""
    caps: list[Cap] = field(default_factory=list)
    """Caps of the outward arcs."""
    open_parts: dict[tuple[int, int], Portion] = field(default_factory=dict)
    """Inward edges that have no triangle of their own."""
    ring: PointNumbers = field(default_factory=list)
    """The core polygon."""
    owners: list[tuple[int, ...]] = field(default_factory=list)
    """Edges of the outline that the side from each point of `ring` to the next belongs to."""

    def add(self, point: Vector2) -> int:
        """Add a point without a corner; return its index."""
        self.points.append(point)
        self.corners[len(self.points) - 1] = NO_CORNER
        return len(self.points) - 1


def arc_core(outline: Sequence[BulgedEdge], corners: Sequence[Corner], turns: Sequence[float], name: str) -> Core:
    """Return the core of a simple counter-clockwise outline.

    Args:
        outline: edges of the outline.
        corners: corner at the start of each edge.
        turns: left turn of the outline at each corner [rad].
        name: name of the outline in error messages.

    Raises:
        ValueError: parts of the outline are too thin.
    """
    halvings = [0] * len(outline)
    shielded: set[Portion] = set()
    while True:
        core = _build_core(outline, corners, turns, halvings, shielded)
        if crowded := _find_coarse_edges(core, len(outline)):
            refined = [index for index in crowded if outline[index].bulge and halvings[index] < HALVINGS]
            if not refined:
                raise ValueError(f"{name} cannot be cut into convex pieces: it is too thin near edge {crowded[0]}")
            coarsest = max(refined, key=lambda index: _find_part_depth(outline[index], halvings[index]))
            halvings[coarsest] += 1
            shielded.clear()  # more halvings renumber the parts
            continue
        points = np.array(core.points)
        core.cells = merge_cells(points, core.cells + triangulate(points, core.ring, name))
        cut = {core.open_parts[edge] for cell in core.cells for edge in _find_cut_arcs(core, cell)}
        if not cut:
            return core
        shielded |= cut


def _find_part_depth(edge: BulgedEdge, halvings: int) -> float:
    """Return the greatest distance of a part of an arc from its chord [m]."""
    whole = edge.angle if edge.bulge > 0.0 else min(-edge.angle, INWARD_STEP)
    return edge.radius * float(1.0 - cosine_and_sine(0.5 * whole / 2**halvings)[0])


def _build_core(
    outline: Sequence[BulgedEdge],
    corners: Sequence[Corner],
    turns: Sequence[float],
    halvings: Sequence[int],
    shielded: Set[Portion],
) -> Core:
    """Return the core with arcs halved `halvings` times and triangles on the `shielded` parts.

    The core need not be simple.
    """
    core = Core([edge.a for edge in outline], dict(enumerate(corners)))
    cusps = [_find_cusp_size(outline, halvings, turns, index) for index in range(len(outline))]
    following = [*range(1, len(outline)), 0]
    parts = [
        _add_edge(core, index, after, outline[index], halvings[index], cusps[index], cusps[after], shielded)
        for index, after in enumerate(following)
    ]
    core.cells.extend([parts[index - 1][-2], index, parts[index][1]] for index, size in enumerate(cusps) if size > 0.0)
    return core


def _find_cusp_size(
    outline: Sequence[BulgedEdge], halvings: Sequence[int], turns: Sequence[float], index: int
) -> float:
    """Return the length of the sides of the cusp at a vertex [m], 0 if there is no cusp."""
    interior = math.pi - turns[index]
    if interior >= SHARP or min(outline[index - 1].bulge, outline[index].bulge) >= 0.0:
        return 0.0
    sizes = []
    for side in (index - 1, index):
        edge = outline[side]
        fraction = 1.0 / 3.0
        if edge.bulge < 0.0:
            fraction = min(fraction, INWARD_STEP / 2 ** halvings[side] / -edge.angle)
        elif edge.bulge > 0.0:
            # The chord must leave room for the other side's tangent.
            fraction = min(fraction, max(0.5 * interior / edge.angle, 1e-6))
        sizes.append(edge.chord(fraction))
    return min(sizes)


def _add_edge(
    core: Core,
    index: int,
    next_index: int,
    edge: BulgedEdge,
    halvings: int,
    cusp: float,
    next_cusp: float,
    shielded: Set[Portion],
) -> PointNumbers:
    """Add an edge to the core and return its points.

    The ends of the edge are cut off at cusps of the sizes `cusp` and `next_cusp` [m].
    """
    start, stop = edge.fraction_at(cusp), 1.0 - edge.fraction_at(next_cusp)
    count = 1
    if edge.bulge < 0.0:
        count = math.ceil((start - stop) * edge.angle / INWARD_STEP - 1e-9) * 2**halvings
    elif edge.bulge > 0.0:
        count = 2**halvings
    fractions = [start + (stop - start) * step / count for step in range(count)] + [stop]
    fractions = [0.0] * (cusp > 0.0) + fractions + [1.0] * (next_cusp > 0.0)
    points = [index, *(core.add(edge.point(fraction)) for fraction in fractions[1:-1]), next_index]
    for part, (u, v) in enumerate(itertools.pairwise(fractions)):
        p, q = points[part], points[part + 1]
        if edge.bulge > 0.0:
            core.caps.append(
                Cap(edge=index, start=p, stop=q, first=right_of(edge.tangent(u)), last=right_of(edge.tangent(v)))
            )
        else:
            circle = (edge.center, edge.radius) if edge.bulge else ()
            core.edges[p, q] = Edge(of_outline.EXPOSED, core.corners[p].end, core.corners[q].end, *circle)
        if u < start:
            continue
        core.ring.append(p)
        if v > stop:
            core.owners.append((index, next_index))
            continue
        core.owners.append((index,))
        if edge.bulge < 0.0 and (index, part) not in shielded:
            core.open_parts[p, q] = (index, part)
        elif edge.bulge < 0.0:
            outside = core.add(_tip_of_triangle(core.points[p], core.points[q], 0.75 * (u - v) * edge.angle))
            core.cells.append([p, q, outside])
            core.ring.append(outside)
            core.owners.append((index,))
    return points


def _tip_of_triangle(p: Vector2, q: Vector2, angle: float) -> Vector2:
    """Return the tip of the triangle to the left of p → q with the angle `angle` [rad] at both points."""
    x, y = 0.5 * (q[0] - p[0]), 0.5 * (q[1] - p[1])
    cosine, sine = cosine_and_sine(angle)
    slope = sine / cosine
    return p[0] + x - slope * y, p[1] + y + slope * x


def _find_cut_arcs(core: Core, cell: PointNumbers) -> list[tuple[int, int]]:
    """Return the edges of a cell whose arc leaves the cell and that have no triangle of their own."""
    arcs = [edge for edge in list_edges(cell) if edge in core.open_parts]
    if not arcs:
        return []
    vertices = np.array([core.points[index] for index in cell])
    normals = edge_normals(vertices)
    offsets = (normals * vertices).sum(axis=1)
    cut = []
    for p, q in arcs:
        edge = core.edges[p, q]
        a, b, center = np.array(core.points[p]), np.array(core.points[q]), np.array(edge.arc_center)
        tops = center + edge.arc_radius * normals
        reach = np.maximum((normals * a).sum(axis=1), (normals * b).sum(axis=1))
        is_on_arc = cross(b - a, tops - a) > 0.0
        reach[is_on_arc] = (normals * tops).sum(axis=1)[is_on_arc]
        if (reach > offsets + STRAIGHT * math.dist(a, b)).any():
            cut.append((p, q))
    return cut


def _find_coarse_edges(core: Core, count: int) -> list[int]:
    """Return those of the outline's `count` edges that are divided too coarsely for a simple core."""
    if len(core.ring) < 3:
        return list(range(count))
    ring = scale_to_unit_size(np.array([core.points[index] for index in core.ring]))
    meeting = find_self_intersection(ring)
    if meeting is None:
        return [] if signed_area(ring) > 0.0 else list(range(count))
    sides = [meeting.edge, meeting.other] + [meeting.other - 1] * (not meeting.is_crossing)
    return sorted({owner for side in sides for owner in core.owners[side]})
