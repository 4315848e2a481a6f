"""The contact manifold of any two shapes, found by the kernels of the pipeline."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

from ecs_collide.algorithms.any_two_shapes.distance import overlap
from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.components.pose import Pose, pose_of
from ecs_collide.contours.shape_contour import contour
from ecs_collide.contours.touching import ROUNDING
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.bodies import BODY_SPAN, FRAME, Bodies, BodyColumns
from ecs_collide.data.contacts import CONTACT_BODY, Contacts, contact_arrays
from ecs_collide.data.field_docs import document_fields
from ecs_collide.data.pairs import MANIFOLD, PAIR, PairColumns, Pairs
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, PieceColumns, Pieces
from ecs_collide.shapes import Shape
from ecs_collide.shapes.piece import bounds
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.narrowphase.collect_contacts import collect_contacts
from ecs_collide.step.narrowphase.pair_table import IMPOSSIBLE, PAIR_TABLE, kind_rows
from ecs_collide.validate import Vector2

AT_REST = np.zeros((2, BODY_SPAN.WIDTH))
"""Spans of the two bodies, which do not move."""

ROWS = np.arange(2, dtype=np.int64)
"""Rows of the two bodies."""


@document_fields
class Manifold(NamedTuple):
    """The one or two points at which two shapes touch."""

    normal: Vector2
    """Unit vector from A to B."""
    points: tuple[Vector2, ...]
    """World positions half-way between the two surfaces [m]."""
    separations: tuple[float, ...]
    """Gap at each point, negative if they overlap [m]."""


def manifold(shape_a: Shape, pose_a: Pose, shape_b: Shape, pose_b: Pose) -> Manifold | None:
    """Return the contact manifold of two shapes, None if they do not touch or overlap.

    Touching is what `overlap` calls so.
    The normal is the axis of least penetration (PC "SAT", row 12), and the points are those of the clipped edges. For
    shapes of several pieces it is the manifold of the deepest pair. Hidden edges give no contacts (row 13).

    Args:
        shape_a, shape_b: shapes; only one may be unbounded.
        pose_a, pose_b: poses: a `Transform`, or x, y [m] and angle [rad].

    Raises:
        ValueError: both shapes are unbounded.
    """
    poses = pose_of(pose_a, "pose_a"), pose_of(pose_b, "pose_b")
    bench = _bench(shape_a, shape_b)
    if not overlap(shape_a, poses[0], shape_b, poses[1]):
        return None
    coordinates = np.abs(poses)[:, :2].sum() + sum(np.abs(contour(shape).rows).max() for shape in (shape_a, shape_b))
    touching = 4.0 * ROUNDING * coordinates
    bench.bodies.pose[0], bench.bodies.pose[1] = poses
    update_frames(ROWS, bench.bodies)
    bench.pairs.index[:, PAIR.POINT_COUNT] = 0  # forget the last call
    bench.pairs.manifold[:, MANIFOLD.NORMAL_X : MANIFOLD.NORMAL_Y + 1] = 0.0
    ahead = LookAhead(reach=touching, dt=0.0, box_lead=0.0)
    for row, slots in bench.groups:
        PAIR_TABLE[row].kernel(slots, bench.bodies, bench.pieces, bench.pairs, AT_REST, ahead)
    contacts = bench.contacts
    count = collect_contacts(bench.slots, 0, bench.bodies, bench.pieces, bench.pairs, contacts, 0)
    best, lowest = -1, touching
    for k in range(count):
        separation = contacts.separation[k, : contacts.point_count[k]].min()
        if separation <= lowest:
            best, lowest = k, separation
    if best < 0:
        return None
    used = contacts.point_count[best]
    normal_x, normal_y = contacts.normal[best].tolist()
    sign = 1.0 if contacts.body[best, CONTACT_BODY.A] == 0 else -1.0
    return Manifold(
        (sign * normal_x, sign * normal_y),
        tuple((x, y) for x, y in contacts.point[best, :used].tolist()),
        tuple(contacts.separation[best, :used].tolist()),
    )


class _Bench(NamedTuple):
    """Columns with two bodies and every pair of their pieces."""

    bodies: Bodies
    pieces: Pieces
    pairs: Pairs
    contacts: Contacts
    slots: np.ndarray
    groups: list[tuple[int, np.ndarray]]


@lru_cache(maxsize=128)
def _bench(shape_a: Shape, shape_b: Shape) -> _Bench:
    """Return the columns for two shapes."""
    bodies = BodyColumns(2).arrays
    bodies.frame[:, FRAME.ANGLE] = np.nan
    stored = [(body, piece) for body, shape in enumerate((shape_a, shape_b)) for piece in shape.pieces()]
    columns = PieceColumns(len(stored))
    for row, (body, piece) in enumerate(stored):
        start, count = columns.store(piece), len(piece.vertices)
        low, high = bounds(piece)
        columns.arrays.index[row, : PIECE.SEVERAL] = body, piece.kind, start, count
        columns.arrays.size[row, PIECE_SIZE.RADIUS] = piece.radius
        columns.arrays.size[row, PIECE_SIZE.LOCAL_X : PIECE_SIZE.MARGIN] = *(low + high) / 2, *(high - low) / 2
    table = kind_rows()
    rows_a = [row for row, (body, _) in enumerate(stored) if body == 0]
    rows_b = [row for row, (body, _) in enumerate(stored) if body == 1]
    pairs = PairColumns(len(PAIR_TABLE), len(rows_a) * len(rows_b)).arrays
    for slot, (a, b) in enumerate(product(rows_a, rows_b)):
        if stored[a][1].kind < stored[b][1].kind:
            a, b = b, a
        kinds = stored[a][1].kind, stored[b][1].kind
        if kinds in IMPOSSIBLE:
            raise ValueError(f"{shape_a!r} and {shape_b!r} have no manifold: {IMPOSSIBLE[kinds]}")
        pairs.index[slot, [PAIR.PIECE_A, PAIR.PIECE_B, PAIR.ROW]] = a, b, table[kinds]
        pairs.index[slot, [PAIR.BODY_A, PAIR.BODY_B]] = stored[a][0], stored[b][0]
        pairs.index[slot, PAIR.ROLE] = of_pair.SOLID
    slots = np.argsort(pairs.index[:, PAIR.ROW], kind="stable").astype(np.int64)
    rows = pairs.index[slots, PAIR.ROW]
    groups = [(int(row), slots[rows == row]) for row in np.unique(rows)]
    return _Bench(
        bodies=bodies,
        pieces=columns.arrays,
        pairs=pairs,
        contacts=contact_arrays(len(slots)),
        slots=slots,
        groups=groups,
    )
