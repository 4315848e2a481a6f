"""Polygons and capsules against each other, rounded or not: separating axes, then clipping.

The axis of greatest separation over the edges of both pieces (PC "SAT", row 12) gives the reference edge. The
other piece's most opposed edge is clipped to it, which leaves up to two points. Where the hulls are apart and
two corners are closest, the line between the corners is the normal: an edge normal would overstate the contact. Where
that is the edge's normal too, as for a box over one of the same width, the edges are clipped: they meet in two points.
A capsule is a polygon of two vertices; a segment is a capsule of radius 0.
"""

from __future__ import annotations

from ecs_collide.columns import pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pairs import Pairs
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import Ints
from ecs_collide.compiled.jit import device, stage
from ecs_collide.compiled.simd import LANES, gather2, lane_bits, select, splat, store, trailing_zeros
from ecs_collide.engine.narrowphase import circle_circle, eight_pairs, separating_axes
from ecs_collide.engine.narrowphase.manifold import LocalManifold, Relative, in_a, no_contact, one_point, store_manifold
from ecs_collide.geometry.closest_point import segment_fraction

PREFER_A = 1e-4
"""B's edge must be better by this fraction of the speculative distance: near ties must not flip between steps."""

IN_LINE = 1e-9
"""Height over an edge, as a fraction of its length, within which what lies beyond its ends is in line with it."""

AT_CORNER = 1e-6
"""Distance of the closest corners, as a fraction of an edge's length, under which rounding cannot tell them apart."""

FEATURE_BASE = 1 << 20


@device
def inverse(relative):
    """The pose of A as seen from B."""
    return Relative(
        -relative.cos * relative.x - relative.sin * relative.y,
        relative.sin * relative.x - relative.cos * relative.y,
        relative.cos,
        -relative.sin,
    )


@device
def turned(m, relative):
    """A manifold in B's axes, brought into A's."""
    c, s = relative.cos, relative.sin
    return LocalManifold(
        m.point_count,
        c * m.normal_x - s * m.normal_y,
        s * m.normal_x + c * m.normal_y,
        relative.x + c * m.x0 - s * m.y0,
        relative.y + s * m.x0 + c * m.y0,
        m.separation0,
        m.feature0,
        relative.x + c * m.x1 - s * m.y1,
        relative.y + s * m.x1 + c * m.y1,
        m.separation1,
        m.feature1,
    )


@device
def opposed_edge(b, normal_x, normal_y, pieces):
    """The pool row of piece b's edge whose normal is most opposed to the given one (in b's axes)."""
    start, count = pieces.index[b, of_piece.VERTEX_START], pieces.index[b, of_piece.VERTEX_COUNT]
    edge = start
    lowest = pieces.normals[start, 0] * normal_x + pieces.normals[start, 1] * normal_y
    for k in range(start + 1, start + count):
        alignment = pieces.normals[k, 0] * normal_x + pieces.normals[k, 1] * normal_y
        if alignment < lowest:
            lowest, edge = alignment, k
    return edge


@device
def next_vertex(k, piece, pieces):
    """The pool row of the vertex after row k of a piece."""
    start = pieces.index[piece, of_piece.VERTEX_START]
    return k + 1 if k + 1 < start + pieces.index[piece, of_piece.VERTEX_COUNT] else start


@device
def closest_corners(p, q, r, s):
    """Whether edges p-q and r-s (apart) are closest at two corners, as (flag, corner of the first, of the second)."""
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
def clipped(reference, incident, edge, relative, flip, pieces, reach):
    """Clip the incident piece's opposed edge to the reference edge, in the axes of the reference piece's body.

    `relative` is the incident body as the reference one sees it; `flip` says that the reference piece is B, and
    the result is then still in the reference axes, with the normal from A to B and the points on A.
    """
    vertices, normals = pieces.vertices, pieces.normals
    radius_r, radius_i = pieces.size[reference, of_piece.RADIUS], pieces.size[incident, of_piece.RADIUS]
    radius = radius_r + radius_i
    normal_x, normal_y = normals[edge, 0], normals[edge, 1]
    local_x = relative.cos * normal_x + relative.sin * normal_y
    local_y = relative.cos * normal_y - relative.sin * normal_x
    after = next_vertex(edge, reference, pieces)
    high = opposed_edge(incident, local_x, local_y, pieces)
    low = next_vertex(high, incident, pieces)
    ax, ay, bx, by = vertices[edge, 0], vertices[edge, 1], vertices[after, 0], vertices[after, 1]
    high_x, high_y = in_a(relative, vertices, high)
    low_x, low_y = in_a(relative, vertices, low)

    low_height = (low_x - ax) * normal_x + (low_y - ay) * normal_y
    high_height = (high_x - ax) * normal_x + (high_y - ay) * normal_y
    # places along the edge, 0 at its start
    length = (by - ay) * normal_x - (bx - ax) * normal_y
    low_place = (low_y - ay) * normal_x - (low_x - ax) * normal_y
    high_place = (high_y - ay) * normal_x - (high_x - ax) * normal_y
    beside = high_place < 0.0 or low_place > length
    lowest = min(low_height, high_height)
    sign = -1.0 if flip else 1.0
    if lowest > 0.0 or (beside and lowest > -IN_LINE * length):
        corners, first, second = closest_corners((ax, ay), (bx, by), (low_x, low_y), (high_x, high_y))
        dx, dy = second[0] - first[0], second[1] - first[1]
        # of parallel edges the line between opposite corners is the normal too
        parallel = abs(high_height - low_height) <= AT_CORNER * length
        opposite = parallel and abs(dy * normal_x - dx * normal_y) <= AT_CORNER * length
        if (dx * dx + dy * dy > AT_CORNER * AT_CORNER * length * length) if beside else (corners and not opposite):
            if flip:
                return circle_circle.point_point(
                    second[0], second[1], radius_i, first[0], first[1], radius_r, reach, -normal_x, -normal_y
                )
            return circle_circle.point_point(
                first[0], first[1], radius_r, second[0], second[1], radius_i, reach, normal_x, normal_y
            )

    span = high_place - low_place
    slope = (high_height - low_height) / span if span > 0.0 else 0.0
    tie = PREFER_A * reach + IN_LINE * length
    # the axis is the best one, so the deepest end lies in front of the edge, up to rounding, and is never cut off
    place0, height0 = low_place, low_height
    if low_place < 0.0 and -slope * low_place <= tie:
        place0, height0 = 0.0, low_height - slope * low_place
    place1, height1 = high_place, high_height
    if high_place > length and slope * (length - high_place) <= tie:
        place1, height1 = length, high_height - slope * (high_place - length)
    if beside:
        x, y, height = (high_x, high_y, high_height) if high_place < 0.0 else (low_x, low_y, low_height)
        if abs(high_height - low_height) > tie:
            x, y, height = (high_x, high_y, high_height) if high_height < low_height else (low_x, low_y, low_height)
        if height - radius > reach:
            return no_contact()
        out = -radius_i if flip else radius_r - height
        return one_point(sign * normal_x, sign * normal_y, x + out * normal_x, y + out * normal_y, height - radius, 0)

    x0, y0 = ax - place0 * normal_y, ay + place0 * normal_x
    x1, y1 = ax - place1 * normal_y, ay + place1 * normal_x
    # a feature is the vertex of A and the vertex of B, so it stays the same when the reference changes sides
    if flip:
        out0, out1 = height0 - radius_i, height1 - radius_i
        feature0, feature1 = low * FEATURE_BASE + edge, high * FEATURE_BASE + after
    else:
        out0, out1 = radius_r, radius_r
        feature0, feature1 = edge * FEATURE_BASE + low, after * FEATURE_BASE + high
    keep0, keep1 = height0 - radius <= reach, height1 - radius <= reach
    if not keep0 and not keep1:
        return no_contact()
    if not keep0:
        x0, y0, out0, height0, feature0 = x1, y1, out1, height1, feature1
    return LocalManifold(
        int(keep0) + int(keep1),
        sign * normal_x,
        sign * normal_y,
        x0 + out0 * normal_x,
        y0 + out0 * normal_y,
        height0 - radius,
        feature0,
        x1 + out1 * normal_x,
        y1 + out1 * normal_y,
        height1 - radius,
        feature1,
    )


@device
def manifold_at(edge, is_of_b, a, b, relative, pieces, reach):
    """The manifold of two pieces whose reference edge is known, the pool row of an edge of A or of B."""
    reference, incident, pose = a, b, relative
    if is_of_b:
        reference, incident, pose = b, a, inverse(relative)
    m = clipped(reference, incident, edge, pose, is_of_b, pieces, reach)
    return turned(m, relative) if is_of_b else m


@stage
def convex_convex_pairs(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, reach: float):
    """Make the manifolds of the pairs in `slots`, as `batch_kernel` does; the axes of eight pairs are tried at once.

    Reads body_frame, the pieces, pair_enabled. Writes pair_index, pair_manifold, pair_impulse.
    """
    lanes, values = pairs.lanes, pairs.values
    for start in range(0, len(slots), LANES):
        enabled, had = eight_pairs.take_pairs(slots, start, pairs)
        most_a, most_b = (
            separating_axes.take_corners(separating_axes.A, pieces, pairs),
            separating_axes.take_corners(separating_axes.B, pieces, pairs),
        )
        relative = eight_pairs.relative_poses(bodies, lanes)
        separation_a, edge_a = separating_axes.best_edges(relative, separating_axes.A, most_a, most_b, pieces, pairs)
        separation_b, edge_b = separating_axes.best_edges(
            inverse(relative), separating_axes.B, most_b, most_a, pieces, pairs
        )
        radius_a, _ = gather2(pieces.size, of_piece.RADIUS, lanes, eight_pairs.PIECES_A)
        radius_b, _ = gather2(pieces.size, of_piece.RADIUS, lanes, eight_pairs.PIECES_B)
        limit = radius_a + radius_b + reach
        touching = enabled & ~lane_bits((separation_a > limit) | (separation_b > limit))
        prefer = select(separation_b <= 0.0, splat(PREFER_A * reach), splat(0.0))
        by_a = separation_b <= separation_a + prefer
        of_a = lane_bits(by_a)
        store(values, 0, relative.x)
        store(values, 1, relative.y)
        store(values, 2, relative.cos)
        store(values, 3, relative.sin)
        store(values, 4, select(by_a, edge_a, edge_b))
        eight_pairs.forget_manifolds(had & ~touching, pairs)
        while touching != 0:
            lane = trailing_zeros(touching)
            slot, a, b = (
                lanes[eight_pairs.SLOTS, lane],
                lanes[eight_pairs.PIECES_A, lane],
                lanes[eight_pairs.PIECES_B, lane],
            )
            pose = Relative(values[0, lane], values[1, lane], values[2, lane], values[3, lane])
            is_of_b = (of_a >> lane) & 1 == 0
            store_manifold(pairs, slot, manifold_at(int(values[4, lane]), is_of_b, a, b, pose, pieces, reach), pose)
            touching &= touching - 1
