"""Outlines against convex pieces: separating axes over the exposed edges and corners, then clipping.

Three questions are separate: whether the pieces overlap, along which normal they should part, and from which side. The
first depends on geometry alone: the greatest separation over everything (`outline_axes.py`). A sensor needs only this.
The second depends on neighbours: a body that slides along a surface must not get the normal of a covered edge
(`allowed_normals.py`). Two dynamic bodies push each other apart piece by piece, the shortest way, and nothing counts as
covered. Otherwise two stars with crossed tips would find no way out. The third depends on history if there is no
thickness (`thin_side.py`).
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.common.front_side import is_one_sided
from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.common.pair_roles import has_response
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pairs import MANIFOLD, PAIR, Pairs
from ecs_collide.data.pieces import Pieces
from ecs_collide.geometry.pose import invert_pose, rotate_vector, rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.narrowphase.allowed_normals import find_allowed_normals
from ecs_collide.step.narrowphase.approach import approach_of, store_approaching
from ecs_collide.step.narrowphase.convex_convex import in_axes_of_a
from ecs_collide.step.narrowphase.one_sided_pairs import depth_of, passes_behind, record_passing
from ecs_collide.step.narrowphase.outline_axes import CORNER_TIE, Corners, best_corners, best_edge, no_axis, no_corners
from ecs_collide.step.narrowphase.outline_clip import TIE, on_edge
from ecs_collide.step.narrowphase.outline_edges import NOTHING, Axis
from ecs_collide.step.narrowphase.pair_manifold import no_contact, one_point, relative_pose
from ecs_collide.step.narrowphase.piece_corners import corner_radius, side_of
from ecs_collide.step.narrowphase.thin_side import OTHER_SIDE

DYNAMIC = int(BodyKind.DYNAMIC)

PREFER_FLOOR = 0.025
"""Fraction of the reach by which a moving piece's edge must be better than the face of the floor."""

NEARLY = 1e-6
"""Overlap of the hulls, as a fraction of the reach, that may also be none."""


@device
def along_axis_of_b(axis, relative):
    """Return the normal of an axis of B in A's axes, from A to B."""
    return rotate_vector(relative, -axis.normal_x, -axis.normal_y)


class Treatment(NamedTuple):
    """How the contact of a pair with an outline is made."""

    is_sensed: bool
    """True if only the separation of the one point has to be valid."""
    is_bare: bool
    """True if nothing counts as covered."""
    b_carries: bool
    """True if the edge of B is used if two edges are equally good."""


class FoundAxes(NamedTuple):
    """The separating axes of two pieces: the greatest separation [m], and the best axis of each sort."""

    greatest: float
    of_a: Axis
    of_b: Axis
    corners: Corners
    left_a: Axis
    """Best edge of A whose contact is left to a neighbour of B."""
    left_b: Axis
    """Best edge of B whose contact is left to a neighbour of A."""


@device
def find_axes(side_a, side_b, relative, seen_from_b, old_x, old_y, reach, gap, pieces):
    """Return the separating axes of two pieces; the search ends early at a separation greater than any contact's."""
    limit = side_a.radius + side_b.radius + gap
    back_x, back_y = rotate_vector_back(relative, -old_x, -old_y)
    allowed_a = find_allowed_normals(side_a, side_b, relative, old_x, old_y, reach, pieces)
    allowed_b = find_allowed_normals(side_b, side_a, seen_from_b, back_x, back_y, reach, pieces)
    greatest, of_a, left_a, passed = best_edge(
        side_a, side_b, relative, old_x, old_y, limit, reach, allowed_a, allowed_b, pieces
    )
    of_b = left_b = no_axis(side_b, side_a)
    if greatest <= limit:
        greatest_b, of_b, left_b, passed_b = best_edge(
            side_b, side_a, seen_from_b, back_x, back_y, limit, reach, allowed_b, allowed_a, pieces
        )
        greatest, passed = max(greatest, greatest_b), max(passed, passed_b)
    corners = no_corners(side_a, side_b)
    may_be_apart = max(greatest, passed) > -NEARLY * reach
    if greatest <= limit and (may_be_apart or side_a.has_arcs or side_b.has_arcs):
        greatest_c, corners = best_corners(
            side_a,
            side_b,
            relative,
            seen_from_b,
            old_x,
            old_y,
            reach,
            allowed_a.is_guarded,
            allowed_b.is_guarded,
            pieces,
        )
        greatest = max(greatest, greatest_c)
    return FoundAxes(greatest=greatest, of_a=of_a, of_b=of_b, corners=corners, left_a=left_a, left_b=left_b)


@device
def is_opposite_to_shorter_axis(axes, relative, reach):
    """Return True if the best axis leads opposite to a shorter one whose contact is left to a neighbour.

    The neighbour supplies that point. A piece in the middle of a body that lies flat on a line has no corner of its
    own to stand on. Only the way through the line would be left to it.
    """
    best, x, y = axes.corners.separation, axes.corners.normal_x, axes.corners.normal_y
    if axes.of_a.rank >= best:
        best, x, y = axes.of_a.rank, axes.of_a.normal_x, axes.of_a.normal_y
    if axes.of_b.rank > best:
        best = axes.of_b.rank
        x, y = along_axis_of_b(axes.of_b, relative)
    left, left_x, left_y = axes.left_a.rank, axes.left_a.normal_x, axes.left_a.normal_y
    if axes.left_b.rank > left:
        left = axes.left_b.rank
        left_x, left_y = along_axis_of_b(axes.left_b, relative)
    return best < left - reach and x * left_x + y * left_y < OTHER_SIDE


@device
def outline_convex(a, b, relative, old_x, old_y, treatment, pieces, reach, gap):
    """Return the manifold of outline piece a and a bounded piece b.

    (`old_x`, `old_y`) is the pair's normal so far, (0, 0) if none; it counts if one of the pieces is thin. `gap` is the
    greatest gap of a contact point, and `reach` the one of a pair at rest [m].
    """
    side_a, side_b = side_of(a, pieces, treatment.is_bare), side_of(b, pieces, treatment.is_bare)
    touching = side_a.radius + side_b.radius
    seen_from_b = invert_pose(relative)
    if treatment.is_sensed or not (side_a.is_thin or side_b.is_thin):
        old_x, old_y = 0.0, 0.0
    axes = find_axes(side_a, side_b, relative, seen_from_b, old_x, old_y, reach, gap, pieces)
    if axes.greatest > touching + gap:
        return no_contact()
    if treatment.is_sensed:
        return one_point(1.0, 0.0, 0.0, 0.0, axes.greatest - touching, 0)
    return contact_along(axes, side_a, side_b, relative, seen_from_b, treatment.b_carries, reach, gap, pieces)


@device
def contact_along(axes, side_a, side_b, relative, seen_from_b, b_carries, reach, gap, pieces):
    """Return the manifold of two pieces along the best of their axes."""
    axis_a, axis_b, corners = axes.of_a, axes.of_b, axes.corners
    touching = side_a.radius + side_b.radius
    best = max(axis_a.rank, axis_b.rank, corners.separation)
    if best == NOTHING or is_opposite_to_shorter_axis(axes, relative, reach):
        return no_contact()
    # The pieces are apart along a covered edge. Nothing overlaps, so only a point with a gap counts.
    apart = axes.greatest > touching and best < touching - NEARLY * reach
    tie = CORNER_TIE * reach if side_b.stop - side_b.start > 1 else -CORNER_TIE * reach
    if corners.separation > max(axis_a.rank, axis_b.rank) + tie:
        if apart:
            return no_contact()
        i, x, y = corners.corner_a, corners.normal_x, corners.normal_y
        out = corner_radius(side_a, i, pieces) + side_a.radius
        return one_point(
            x,
            y,
            pieces.vertices[i, X] + out * x,
            pieces.vertices[i, Y] + out * y,
            corners.separation - touching,
            2 * corners.corner_b + 1,
        )
    heights = touching - NEARLY * reach if apart else NOTHING, touching + gap
    prefer = (PREFER_FLOOR if (side_b if b_carries else side_a).is_guarded else TIE) * reach
    is_second = apart or best < axes.greatest - prefer
    if axis_b.rank <= axis_a.rank + (-prefer if b_carries else prefer):
        return on_edge(side_a, axis_a, side_b, relative, False, reach, is_second, heights, pieces)
    return in_axes_of_a(on_edge(side_b, axis_b, side_a, seen_from_b, True, reach, is_second, heights, pieces), relative)


@kernel
def outline_convex_pairs(slots: Ints, bodies: Bodies, pieces: Pieces, pairs: Pairs, span: FloatTable, ahead: LookAhead):
    """Make the manifolds of the pairs in `slots`, with gaps as in `approach.py`.

    The normals of the pairs are those of the last step, or those that `choose_sides` wrote. Reads body_frame,
    body_kind, the pieces, pair_enabled, pair_manifold. Writes pair_index, also the role of pairs with a one-sided line,
    pair_manifold, pair_impulse.
    """
    index, reach = pairs.index, ahead.reach
    for slot in slots:
        if not pairs.enabled[slot]:
            index[slot, PAIR.POINT_COUNT] = 0
            continue
        body_a, body_b = index[slot, PAIR.BODY_A], index[slot, PAIR.BODY_B]
        relative = relative_pose(bodies, body_a, body_b)
        is_bare = bodies.kind[body_a] == DYNAMIC and bodies.kind[body_b] == DYNAMIC
        b_carries = bodies.kind[body_a] == DYNAMIC and bodies.kind[body_b] != DYNAMIC
        a, b = index[slot, PAIR.PIECE_A], index[slot, PAIR.PIECE_B]
        old_x, old_y = pairs.manifold[slot, MANIFOLD.NORMAL_X], pairs.manifold[slot, MANIFOLD.NORMAL_Y]
        role = index[slot, PAIR.ROLE]
        has_front = role & of_pair.SOLID != 0 and (is_one_sided(a, pieces) or is_one_sided(b, pieces))
        passes = has_front and passes_behind(role, a, b, relative, old_x, old_y, reach, pieces)
        if role & of_pair.BEHIND != 0:
            old_x, old_y = 0.0, 0.0  # the pair passed, so its last normal tells nothing about the side
        is_sensed = passes or not has_response(role & ~of_pair.BEHIND)
        gap = reach if is_sensed else approach_of(slot, bodies, span, pairs, ahead).gap
        treatment = Treatment(is_sensed=is_sensed, is_bare=is_bare, b_carries=b_carries)
        m = outline_convex(a, b, relative, old_x, old_y, treatment, pieces, reach, gap)
        if has_front:
            record_passing(
                slot, slots, passes, old_x == 0.0 and old_y == 0.0, depth_of(m, reach), reach, bodies, pieces, pairs
            )
        store_approaching(pairs, slot, m, relative, bodies, span, ahead)
