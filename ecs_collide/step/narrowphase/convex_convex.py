"""Polygons and capsules against each other, rounded or not: separating axes, then clipping.

The axis of greatest separation over the edges of both pieces (PC "SAT", row 12) gives the reference edge. The most
opposed edge of the other piece is clipped to it, which leaves up to two points. If the hulls are apart and two corners
are closest, the line between them is the normal, because an edge normal would overstate the contact. If that line is
also the edge's normal, as for a box over one of the same width, the edges are clipped and give two points. A capsule is
a polygon of two vertices, a segment a capsule of radius 0.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import Pairs
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.edge import over_edge
from ecs_collide.geometry.point_on_segment import segment_fraction
from ecs_collide.geometry.pose import Pose, invert_pose, rotate_vector, rotate_vector_back, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.kernels.layout import layout
from ecs_collide.kernels.simd import LANES, gather2, lane_bits, select, store, trailing_zeros
from ecs_collide.step.narrowphase import circle_circle, eight_pairs, separating_axes
from ecs_collide.step.narrowphase.approach import eight_approaches, store_approaching
from ecs_collide.step.narrowphase.eight_pairs import LANE
from ecs_collide.step.narrowphase.pair_manifold import (
    LocalManifold,
    no_contact,
    one_point,
    to_axes_of_a,
)

PREFER_A = 1e-4
"""Fraction of the greatest gap by which B's edge must be better: near ties must not flip between steps."""

IN_LINE = 1e-9
"""Height over an edge, as a fraction of its length, that counts as level beyond its ends."""

AT_CORNER = 1e-6
"""Distance of the closest corners, as a fraction of an edge's length, below which rounding decides."""

FEATURE_BASE = 1 << 20

BEST_EDGE = layout(
    "best edges of eight pairs",
    X="position of B relative to A, x [m]",
    Y="position of B relative to A, y [m]",
    COS="cosine of the angle of B relative to A",
    SIN="sine of the angle of B relative to A",
    EDGE="row of the edge in the pool",
    GAP="greatest gap of a contact [m]",
)
"""Rows of `Pairs.values`."""


class ReferenceEdge(NamedTuple):
    """The reference edge: rows in the pool, ends [m], outer normal, length [m]."""

    row: int
    after: int
    ax: float
    ay: float
    bx: float
    by: float
    normal_x: float
    normal_y: float
    length: float


class IncidentEnd(NamedTuple):
    """An end of the incident edge: row, point [m], place along the reference edge [m], height over it [m]."""

    row: int
    x: float
    y: float
    place: float
    height: float


class Rounding(NamedTuple):
    """Radii of the reference piece and the incident piece; `flip` is True if the reference piece is B."""

    reference: float
    incident: float
    flip: bool


@device
def in_axes_of_a(m, relative):
    """Return a manifold in B's axes transformed to A's."""
    normal_x, normal_y = rotate_vector(relative, m.normal_x, m.normal_y)
    x0, y0 = transform_point(relative, m.x0, m.y0)
    x1, y1 = transform_point(relative, m.x1, m.y1)
    return LocalManifold(
        point_count=m.point_count,
        normal_x=normal_x,
        normal_y=normal_y,
        x0=x0,
        y0=y0,
        separation0=m.separation0,
        feature0=m.feature0,
        x1=x1,
        y1=y1,
        separation1=m.separation1,
        feature1=m.feature1,
    )


@device
def opposed_edge(b, normal_x, normal_y, pieces):
    """Return the pool row of piece b's edge whose normal is most opposed to the given one, in b's axes."""
    start, count = pieces.index[b, PIECE.VERTEX_START], pieces.index[b, PIECE.VERTEX_COUNT]
    edge = start
    lowest = pieces.normals[start, X] * normal_x + pieces.normals[start, Y] * normal_y
    for k in range(start + 1, start + count):
        alignment = pieces.normals[k, X] * normal_x + pieces.normals[k, Y] * normal_y
        if alignment < lowest:
            lowest, edge = alignment, k
    return edge


@device
def next_vertex(k, piece, pieces):
    """Return the pool row of the vertex after row k of a piece."""
    start = pieces.index[piece, PIECE.VERTEX_START]
    return k + 1 if k + 1 < start + pieces.index[piece, PIECE.VERTEX_COUNT] else start


@device
def closest_corners(p, q, r, s):
    """Return True if two edges that are apart, p-q and r-s, are closest at two corners, and these corners."""
    best = 1e300
    corners = False
    first, second = p, r
    for end in (p, q):
        u = segment_fraction(r[0], r[1], s[0], s[1], end[0], end[1])
        dx, dy = r[0] + u * (s[0] - r[0]) - end[0], r[1] + u * (s[1] - r[1]) - end[1]
        if dx * dx + dy * dy < best:
            best = dx * dx + dy * dy
            corners = u == 0.0 or u == 1.0
            first, second = end, (r if u < 0.5 else s)
    for end in (r, s):
        u = segment_fraction(p[0], p[1], q[0], q[1], end[0], end[1])
        dx, dy = p[0] + u * (q[0] - p[0]) - end[0], p[1] + u * (q[1] - p[1]) - end[1]
        if dx * dx + dy * dy < best:
            best = dx * dx + dy * dy
            corners = u == 0.0 or u == 1.0
            first, second = (p if u < 0.5 else q), end
    return corners, first, second


@device
def clipped_edges(reference, incident, edge, relative, flip, pieces, gap):
    """Clip the incident piece's opposed edge to the reference edge, in the axes of the reference piece's body.

    `relative` is the pose of the incident body relative to the reference body. With `flip` the reference piece is B.
    The result is in the reference axes in either case, with the normal from A to B and the points on A.
    """
    rounding = Rounding(pieces.size[reference, PIECE_SIZE.RADIUS], pieces.size[incident, PIECE_SIZE.RADIUS], flip)
    side = reference_edge(reference, edge, pieces)
    local_x, local_y = rotate_vector_back(relative, side.normal_x, side.normal_y)
    opposed = opposed_edge(incident, local_x, local_y, pieces)
    high = incident_end(opposed, side, relative, pieces)
    low = incident_end(next_vertex(opposed, incident, pieces), side, relative, pieces)
    beside = high.place < 0.0 or low.place > side.length
    lowest = min(low.height, high.height)
    if lowest > 0.0 or (beside and lowest > -IN_LINE * side.length):
        corners, first, second = closest_corners(
            (side.ax, side.ay), (side.bx, side.by), (low.x, low.y), (high.x, high.y)
        )
        dx, dy = second[0] - first[0], second[1] - first[1]
        # for parallel edges the line between opposite corners is the normal, too
        parallel = abs(high.height - low.height) <= AT_CORNER * side.length
        opposite = parallel and abs(dy * side.normal_x - dx * side.normal_y) <= AT_CORNER * side.length
        apart = dx * dx + dy * dy > AT_CORNER * AT_CORNER * side.length * side.length
        at_corners = apart if beside else (corners and not opposite)
        if at_corners:
            return corner_contact(first, second, side, rounding, gap)
    if beside:
        return contact_past_end(side, low, high, rounding, gap)
    return contacts_between_ends(side, low, high, rounding, gap)


@device
def reference_edge(piece, edge, pieces):
    """Return an edge of a piece, given by its row in the pool."""
    vertices, normals = pieces.vertices, pieces.normals
    after = next_vertex(edge, piece, pieces)
    ax, ay, bx, by = vertices[edge, X], vertices[edge, Y], vertices[after, X], vertices[after, Y]
    normal_x, normal_y = normals[edge, X], normals[edge, Y]
    length, _ = over_edge(ax, ay, normal_x, normal_y, bx, by)
    return ReferenceEdge(
        row=edge, after=after, ax=ax, ay=ay, bx=bx, by=by, normal_x=normal_x, normal_y=normal_y, length=length
    )


@device
def incident_end(row, edge, relative, pieces):
    """Return a vertex of the incident piece with its place along the reference edge and its height over it."""
    x, y = to_axes_of_a(relative, pieces.vertices, row)
    place, height = over_edge(edge.ax, edge.ay, edge.normal_x, edge.normal_y, x, y)
    return IncidentEnd(row=row, x=x, y=y, place=place, height=height)


@device
def corner_contact(first, second, edge, rounding, gap):
    """Return the contact of a corner of the reference edge and a corner of the incident edge."""
    if rounding.flip:
        return circle_circle.point_point(
            second[0],
            second[1],
            rounding.incident,
            first[0],
            first[1],
            rounding.reference,
            gap,
            -edge.normal_x,
            -edge.normal_y,
        )
    return circle_circle.point_point(
        first[0],
        first[1],
        rounding.reference,
        second[0],
        second[1],
        rounding.incident,
        gap,
        edge.normal_x,
        edge.normal_y,
    )


@device
def contact_past_end(edge, low, high, rounding, gap):
    """Return the one-point contact of an incident edge past an end of the reference edge, level with it or deeper."""
    radius = rounding.reference + rounding.incident
    tie = PREFER_A * gap + IN_LINE * edge.length
    closest = high if high.place < 0.0 else low
    if abs(high.height - low.height) > tie:
        closest = high if high.height < low.height else low
    if closest.height - radius > gap:
        return no_contact()
    sign = -1.0 if rounding.flip else 1.0
    out = -rounding.incident if rounding.flip else rounding.reference - closest.height
    return one_point(
        sign * edge.normal_x,
        sign * edge.normal_y,
        closest.x + out * edge.normal_x,
        closest.y + out * edge.normal_y,
        closest.height - radius,
        0,
    )


@device
def contacts_between_ends(edge, low, high, rounding, gap):
    """Return up to two points: the incident edge, cut off at the ends of the reference edge.

    The axis is the best one, so the deepest end lies in front of the edge, up to rounding, and is never cut off. A
    feature combines the vertex of A and the vertex of B. So it stays the same when the reference edge changes sides.
    """
    normal_x, normal_y, length = edge.normal_x, edge.normal_y, edge.length
    radius = rounding.reference + rounding.incident
    span = high.place - low.place
    slope = (high.height - low.height) / span if span > 0.0 else 0.0
    tie = PREFER_A * gap + IN_LINE * length
    place0, height0 = low.place, low.height
    if low.place < 0.0 and -slope * low.place <= tie:
        place0, height0 = 0.0, low.height - slope * low.place
    place1, height1 = high.place, high.height
    if high.place > length and slope * (length - high.place) <= tie:
        place1, height1 = length, high.height - slope * (high.place - length)

    x0, y0 = edge.ax - place0 * normal_y, edge.ay + place0 * normal_x
    x1, y1 = edge.ax - place1 * normal_y, edge.ay + place1 * normal_x
    if rounding.flip:
        sign, out0, out1 = -1.0, height0 - rounding.incident, height1 - rounding.incident
        feature0, feature1 = low.row * FEATURE_BASE + edge.row, high.row * FEATURE_BASE + edge.after
    else:
        sign, out0, out1 = 1.0, rounding.reference, rounding.reference
        feature0, feature1 = edge.row * FEATURE_BASE + low.row, edge.after * FEATURE_BASE + high.row
    keep0, keep1 = height0 - radius <= gap, height1 - radius <= gap
    if not keep0 and not keep1:
        return no_contact()
    if not keep0:
        x0, y0, out0, height0, feature0 = x1, y1, out1, height1, feature1
    return LocalManifold(
        point_count=int(keep0) + int(keep1),
        normal_x=sign * normal_x,
        normal_y=sign * normal_y,
        x0=x0 + out0 * normal_x,
        y0=y0 + out0 * normal_y,
        separation0=height0 - radius,
        feature0=feature0,
        x1=x1 + out1 * normal_x,
        y1=y1 + out1 * normal_y,
        separation1=height1 - radius,
        feature1=feature1,
    )


@device
def edge_manifold(edge, is_of_b, a, b, relative, pieces, gap):
    """Return the manifold of two pieces whose reference edge is known, given by its pool row."""
    reference, incident, pose = a, b, relative
    if is_of_b:
        reference, incident, pose = b, a, invert_pose(relative)
    m = clipped_edges(reference, incident, edge, pose, is_of_b, pieces, gap)
    return in_axes_of_a(m, relative) if is_of_b else m


@kernel
def convex_convex_pairs(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, span: FloatTable, ahead: LookAhead):
    """Make the manifolds of the pairs in `slots` as `batch_kernel` does, with the axes of eight pairs at once.

    Reads body_frame, the pieces, pair_enabled. Writes pair_index, pair_manifold, pair_impulse.
    """
    lanes, values = pairs.lanes, pairs.values
    for start in range(0, len(slots), LANES):
        enabled, had = eight_pairs.load_pairs(slots, start, pairs)
        most_a, most_b = (
            separating_axes.load_corners(separating_axes.A, pieces, pairs),
            separating_axes.load_corners(separating_axes.B, pieces, pairs),
        )
        relative = eight_pairs.relative_poses(bodies, lanes)
        separation_a, edge_a = separating_axes.best_edges(relative, separating_axes.A, most_a, most_b, pieces, pairs)
        separation_b, edge_b = separating_axes.best_edges(
            invert_pose(relative), separating_axes.B, most_b, most_a, pieces, pairs
        )
        radius_a, _ = gather2(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_A)
        radius_b, _ = gather2(pieces.size, PIECE_SIZE.RADIUS, lanes, LANE.PIECE_B)
        gaps = eight_approaches(bodies, span, lanes, ahead).gap
        limit = radius_a + radius_b + gaps
        touching = enabled & ~lane_bits((separation_a > limit) | (separation_b > limit))
        prefer = select(separation_b <= 0.0, PREFER_A * gaps, 0.0)
        by_a = separation_b <= separation_a + prefer
        of_a = lane_bits(by_a)
        store(values, BEST_EDGE.X, relative.x)
        store(values, BEST_EDGE.Y, relative.y)
        store(values, BEST_EDGE.COS, relative.cos)
        store(values, BEST_EDGE.SIN, relative.sin)
        store(values, BEST_EDGE.EDGE, select(by_a, edge_a, edge_b))
        store(values, BEST_EDGE.GAP, gaps)
        eight_pairs.clear_manifolds(had & ~touching, pairs)
        while touching != 0:
            lane = trailing_zeros(touching)
            slot, a, b = (
                lanes[LANE.SLOT, lane],
                lanes[LANE.PIECE_A, lane],
                lanes[LANE.PIECE_B, lane],
            )
            pose = Pose(
                x=values[BEST_EDGE.X, lane],
                y=values[BEST_EDGE.Y, lane],
                cos=values[BEST_EDGE.COS, lane],
                sin=values[BEST_EDGE.SIN, lane],
            )
            is_of_b = (of_a >> lane) & 1 == 0
            edge, gap = int(values[BEST_EDGE.EDGE, lane]), values[BEST_EDGE.GAP, lane]
            m = edge_manifold(edge, is_of_b, a, b, pose, pieces, gap)
            store_approaching(pairs, slot, m, pose, bodies, span, ahead)
            touching &= touching - 1
