"""Columns for many pairs at once, filled from pieces and poses, and the contacts that the engine finds for them.

Each case has two bodies of its own, A in row k and B in row n + k. Each body has one piece, and its origin is its
centre of mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ecs_collide.common.look_ahead import LookAhead
from ecs_collide.components import BodyKind
from ecs_collide.data.bodies import FRAME, BodyColumns
from ecs_collide.data.contacts import contact_arrays
from ecs_collide.data.pairs import PAIR, SOLID, PairColumns
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, PieceColumns
from ecs_collide.kernels.simd import LANES
from ecs_collide.shapes import Piece, PieceKind
from ecs_collide.shapes.piece import bounds
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.narrowphase.collect_contacts import collect_contacts
from ecs_collide.step.narrowphase.cull_pairs import cull_pairs
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from tests.support.reference.geometry import Array

ROW_OF = {(row.kind_a, row.kind_b): number for number, row in reversed(list(enumerate(PAIR_TABLE)))}


class Manifolds(NamedTuple):
    """The contacts that the engine found, one row per case, in world coordinates; unused fields are zero."""

    count: NDArray[np.int64]  # type: ignore[assignment]  # hides tuple.count
    normal: Array
    point: Array
    """Contact points half way between the surfaces [m] (n, 2, 2)."""
    separation: Array
    feature: NDArray[np.int64]

    def on_a(self, k: int) -> Array:
        """Return the place of point k on A's surface [m] (n, 2)."""
        return self.point[:, k] - 0.5 * self.separation[:, k, np.newaxis] * self.normal

    def on_b(self, k: int) -> Array:
        """Return the place of point k on B's surface [m] (n, 2)."""
        return self.point[:, k] + 0.5 * self.separation[:, k, np.newaxis] * self.normal

    def lowest(self) -> Array:
        """Return the least separation [m] (n,), infinite without a contact."""
        used = np.arange(2) < self.count[:, np.newaxis]
        return np.asarray(np.where(used, self.separation, np.inf).min(axis=1))


class PairBench:
    """Pairs of pieces of two kinds; `which` holds the numbers of the two pieces of each case."""

    def __init__(
        self,
        pieces_a: Sequence[Piece],
        pieces_b: Sequence[Piece],
        which_a: NDArray[np.int64],
        which_b: NDArray[np.int64],
    ) -> None:
        n = len(which_a)
        self.count = n
        self.row = ROW_OF[pieces_a[0].kind, pieces_b[0].kind]
        self.slots = np.arange(n)
        bodies = BodyColumns(2 * n)
        self.bodies, self.span = bodies.arrays, bodies.span
        self.bodies.frame[:, FRAME.ANGLE] = np.nan
        self.bodies.kind[:n] = BodyKind.STATIC  # against it what is covered counts
        self.bodies.kind[n:] = BodyKind.DYNAMIC
        self.bodies.entity[:] = np.arange(1, 2 * n + 1)

        columns = PieceColumns(2 * n)
        stored = [*pieces_a, *pieces_b]
        places = np.array([columns.store(piece) for piece in stored])
        boxes = np.array([bounds(piece) for piece in stored])
        self.pieces = columns.arrays
        which = np.concatenate((which_a, which_b + len(pieces_a)))
        self.pieces.index[:, PIECE.BODY] = self.pieces.index[:, PIECE.COLLIDER] = np.arange(2 * n)
        self.pieces.index[:, PIECE.KIND] = np.array([piece.kind for piece in stored])[which]
        self.pieces.index[:, PIECE.VERTEX_START] = places[which]
        self.pieces.index[:, PIECE.VERTEX_COUNT] = np.array([len(piece.vertices) for piece in stored])[which]
        self.pieces.size[:, PIECE_SIZE.RADIUS] = np.array([piece.radius for piece in stored])[which]
        self.pieces.size[:, 1:3] = 0.5 * boxes.sum(axis=1)[which]
        self.pieces.size[:, 3:5] = 0.5 * (boxes[:, 1] - boxes[:, 0])[which]

        self.pairs = PairColumns(len(PAIR_TABLE), n).arrays
        self.pairs.index[:, PAIR.PIECE_A] = self.slots
        self.pairs.index[:, PAIR.PIECE_B] = self.slots + n
        self.pairs.index[:, PAIR.ROW] = self.row
        self.pairs.index[:, PAIR.ROLE] = SOLID
        self.pairs.index[:, PAIR.BODY_A] = self.pairs.index[:, PAIR.COLLIDER_A] = self.slots
        self.pairs.index[:, PAIR.BODY_B] = self.pairs.index[:, PAIR.COLLIDER_B] = self.slots + n

    def place(self, poses_a: Array, poses_b: Array) -> None:
        """Move the bodies to poses x [m], y [m], angle [rad] (n, 3)."""
        self.bodies.pose[: self.count] = poses_a
        self.bodies.pose[self.count :] = poses_b
        assert update_frames(np.arange(2 * self.count), self.bodies) == -1

    def run(self, reach: float, recycle: float = 0.0) -> Manifolds:
        """Find the contacts of all pairs, with gaps of up to `reach` [m]; return them."""
        n = self.count
        entry, slots, ahead = PAIR_TABLE[self.row], self.slots, LookAhead(reach, 0.0, 0.0)
        if entry.is_culled:
            is_culled = np.zeros(n + LANES, np.int64)
            columns = self.bodies, self.pieces, self.pairs, self.span
            left = cull_pairs(slots, *columns, ahead, recycle, int(entry.welds), is_culled)
            slots = is_culled[:left]
        entry.kernel(slots, self.bodies, self.pieces, self.pairs, self.span, ahead)
        contacts = contact_arrays(n)
        contact_count = collect_contacts(self.slots, 0, self.bodies, self.pieces, self.pairs, contacts, 0)
        result = Manifolds(
            self.pairs.index[:, PAIR.POINT_COUNT].copy(),
            np.zeros((n, 2)),
            np.zeros((n, 2, 2)),
            np.zeros((n, 2)),
            self.pairs.index[:, PAIR.FEATURE_0 : PAIR.FEATURE_0 + 2].copy(),
        )
        at = contacts.pair[:contact_count]
        result.normal[at] = contacts.normal[:contact_count]
        result.point[at] = contacts.point[:contact_count]
        result.separation[at] = contacts.separation[:contact_count]
        unused = np.arange(2) >= result.count[:, np.newaxis]
        result.point[unused], result.separation[unused] = 0.0, 0.0
        assert sorted(at) == np.flatnonzero(result.count).tolist()
        assert (contacts.point_count[:contact_count] == result.count[at]).all()
        return result


def manifolds(
    pieces_a: Sequence[Piece],
    pieces_b: Sequence[Piece],
    which_a: NDArray[np.int64],
    which_b: NDArray[np.int64],
    poses_a: Array,
    poses_b: Array,
    reach: float,
) -> Manifolds:
    """Return the contacts of many cases of one row of the pair table."""
    bench = PairBench(pieces_a, pieces_b, which_a, which_b)
    bench.place(poses_a, poses_b)
    return bench.run(reach)


def manifold(
    piece_a: Piece,
    piece_b: Piece,
    pose_b: tuple[float, float, float],
    pose_a: tuple[float, float, float] = (0.0, 0.0, 0.0),
    reach: float = 0.02,
) -> Manifolds:
    """Return the contact of one case, as arrays of length one."""
    one = np.zeros(1, np.int64)
    return manifolds([piece_a], [piece_b], one, one, np.array([pose_a]), np.array([pose_b]), reach)


def points_on_a(found: Manifolds) -> Array:
    """Return the contact points of one case on A's surface, sorted by x, then by y [m] (k, 2)."""
    places = [tuple(np.round(found.on_a(k)[0], 12).tolist()) for k in range(int(found.count[0]))]
    return np.array(sorted(places))


def kinds_of(row: int) -> tuple[PieceKind, PieceKind]:
    """Return the two kinds of a row of the pair table."""
    return PAIR_TABLE[row].kind_a, PAIR_TABLE[row].kind_b
