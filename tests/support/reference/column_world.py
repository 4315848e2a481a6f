"""Bodies, pieces, pairs and the pair finder without esper, and a doubly nested loop to compare the pairs with."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ecs_collide.common.tolerances import BOX_MARGIN_FRACTION, Tolerances
from ecs_collide.components import BodyKind
from ecs_collide.components.collider import ALL_LAYERS
from ecs_collide.data.bodies import FRAME, POSE, BodyColumns
from ecs_collide.data.pairs import FREE, PAIR, PairColumns
from ecs_collide.data.pieces import PIECE, PieceColumns
from ecs_collide.data.shape_store import ShapeStore
from ecs_collide.shapes import Piece, PieceKind, Shape, measure
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.shapes.piece import UNBOUNDED
from ecs_collide.step.broadphase.boxes import update_frames
from ecs_collide.step.broadphase.pair_finder import PairFinder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE

Pose = tuple[float, float, float]
Filter = tuple[int, int, int, int]
PLAIN: Filter = (1, ALL_LAYERS, 0, 0)
"""Layer, mask, group and sensor flag of a collider that collides with everything."""


class ColumnWorld:
    """Bodies of one collider each; write poses through `place`, or those of moving bodies into `bodies.arrays.pose`."""

    def __init__(self, length_unit: float = 1.0) -> None:
        self.tolerances = Tolerances.for_units(length_unit)
        self.bodies = BodyColumns()
        self.pieces = PieceColumns()
        self.pairs = PairColumns(len(PAIR_TABLE))
        self.shapes = ShapeStore(self.pieces)
        self.finder = PairFinder(self.bodies, self.pieces, self.pairs, self.tolerances)
        self.held: dict[int, tuple[Shape, list[int]]] = {}
        """Shape and piece rows of each body row."""
        self._touched: set[int] = set()
        self._entities = 0

    def add(self, shape: Shape, pose: Pose, kind: BodyKind = BodyKind.DYNAMIC, filter: Filter = PLAIN) -> int:
        """Add a body; return its row."""
        return self.add_all([(shape, pose, kind, filter)])[0]

    def add_all(self, wanted: Iterable[tuple[Shape, Pose, BodyKind, Filter]]) -> list[int]:
        """Add bodies; return their rows."""
        wanted = list(wanted)
        rows = self.bodies.allocate_rows(len(wanted))
        bodies = self.bodies.arrays
        fresh = []
        for row, (shape, pose, kind, filter) in zip(rows, wanted, strict=True):
            self._entities += 1
            bodies.entity[row] = self._entities
            bodies.kind[row] = kind
            bodies.filter[row, : len(filter)] = filter
            bodies.pose[row] = pose
            bodies.mass[row] = (*([0.0] * 3 if kind is not BodyKind.DYNAMIC else [1.0] * 3), *_centroid(shape))
            bodies.frame[row, FRAME.ANGLE] = np.nan
            (prepared,) = self.shapes.prepare([shape])
            assert prepared is not None
            self.shapes.store([prepared])
            prepared.users += 1
            forms = self.shapes.forms
            pieces = self.pieces.allocate_rows(len(prepared.forms))
            for piece, form in zip(pieces, prepared.forms, strict=True):
                size = forms.size[form, : measure.FORM_SIZE.CORE]
                radius, _, _, half_x, half_y = size
                fraction = BOX_MARGIN_FRACTION * (max(half_x, half_y) + radius)
                margin = 0.0 if kind is BodyKind.STATIC else min(self.tolerances.box_margin, fraction)
                self.pieces.arrays.index[piece] = (
                    row,
                    *forms.place[form],
                    int(len(pieces) > 1),
                    row,
                )
                self.pieces.arrays.size[piece] = (*size, margin)
            self.held[row] = shape, pieces
            fresh.extend(pieces)
        assert update_frames(np.array(rows, np.int64), bodies) == -1
        self.finder.add(np.array(fresh, np.int64))
        return rows

    def remove(self, rows: Iterable[int]) -> None:
        """Remove bodies."""
        rows = list(rows)
        self.finder.remove([piece for row in rows for piece in self.held[row][1]])
        for row in rows:
            shape, pieces = self.held.pop(row)
            (stored,) = self.shapes.prepare([shape])
            assert stored is not None
            self.pieces.free_rows(pieces)
            self.bodies.free_rows([row])
            self.shapes.release([stored])
            self._touched.discard(row)

    def runs(self, shape: Shape) -> list[range]:
        """Return the slices of the pools with the corners of each piece of a shape."""
        places = self.shapes.forms.place[list(self.shapes._shapes[shape, None].forms)].tolist()
        return [range(first, first + count) for _, first, count in places]

    def place(self, row: int, pose: Pose) -> None:
        """Move a body to another pose."""
        self.bodies.arrays.pose[row] = pose
        if self.bodies.arrays.kind[row] == BodyKind.STATIC:
            self._touched.add(row)

    def update(self) -> bool:
        """Make one pass of the broadphase; return the result of `PairFinder.update`."""
        rows = np.array(sorted(self.held), np.int64)
        assert update_frames(rows, self.bodies.arrays) == -1
        touched = np.array(sorted(self._touched), np.int64)
        self._touched.clear()
        return self.finder.update(touched)

    def slots(self) -> dict[int, tuple[int, int]]:
        """Return pieces A and B of the pair in each slot in use."""
        index = self.pairs.arrays.index
        return {
            int(slot): (int(index[slot, PAIR.PIECE_A]), int(index[slot, PAIR.PIECE_B]))
            for slot in np.flatnonzero(index[:, PAIR.ROW] != FREE)
        }

    def pair_list(self) -> list[tuple[int, int]]:
        """Return the pairs as piece rows (A, B), in the order in which the next stage gets them."""
        return [
            tuple(pair) for pair in self.pairs.arrays.index[self.pairs.live][:, [PAIR.PIECE_A, PAIR.PIECE_B]].tolist()
        ]

    def live_pieces(self) -> NDArray[np.int64]:
        """Return the rows of all pieces."""
        return np.array(sorted(piece for _, pieces in self.held.values() for piece in pieces), np.int64)

    def fat_pairs(self) -> set[tuple[int, int]]:
        """Return the pieces whose fat boxes overlap and that may collide, lower row first, by a nested loop."""
        return self.nested_loop(self.pieces.arrays.box)

    def nested_loop(self, box: NDArray[np.float64]) -> set[tuple[int, int]]:
        """Return the pieces whose boxes (p, 4) overlap and that may collide, the lower row first."""
        live = self.live_pieces()
        owners, kinds, filters = self._filter_data()
        result = set()
        for k, a in enumerate(live.tolist()):
            later = live[k + 1 :]
            meets = (
                (box[a, 0] <= box[later, 2])
                & (box[later, 0] <= box[a, 2])
                & (box[a, 1] <= box[later, 3])
                & (box[later, 1] <= box[a, 3])
            )
            for b in later[meets].tolist():
                p, q = owners[a], owners[b]
                planes = [self.pieces.arrays.index[piece, PIECE.KIND] in UNBOUNDED for piece in (a, b)]
                enough = BodyKind.KINEMATIC if filters[p][3] or filters[q][3] else BodyKind.DYNAMIC
                moves = max(kinds[p], kinds[q]) >= enough
                if p != q and moves and not all(planes) and may_meet(filters[p], filters[q]):
                    result.add((a, b))
        return result

    def _filter_data(self) -> tuple[list[int], list[int], list[Filter]]:
        """Return the body row of each piece, and kind and filter of each body."""
        bodies = self.bodies.arrays
        return self.pieces.arrays.index[:, PIECE.BODY].tolist(), bodies.kind.tolist(), bodies.filter[:, :4].tolist()

    def exact_boxes(self) -> NDArray[np.float64]:
        """Return the bounding box of each piece from shape and pose by plain trigonometry (p, 4) [m]."""
        result = np.full((len(self.pieces.arrays.box), 4), np.nan)
        for row, (shape, pieces) in self.held.items():
            x, y, angle = self.bodies.arrays.pose[row, [POSE.X, POSE.Y, POSE.ANGLE]]
            c, s = np.cos(angle), np.sin(angle)
            turn = np.array([(c, -s), (s, c)])
            for piece, part in zip(pieces, shape.pieces(), strict=True):
                is_point = part.outline[:, OUTLINE.CORNER_RADIUS] == 0.0
                points = part.vertices[is_point] @ turn.T + (x, y)
                if part.kind is PieceKind.HALF_PLANE:
                    result[piece] = _half_plane_box(turn @ part.normals[0], points[0])
                elif part.kind is PieceKind.RING:
                    (row,) = part.outline
                    directions = (
                        np.array((row[[OUTLINE.FROM_X, OUTLINE.FROM_Y]], row[[OUTLINE.TO_X, OUTLINE.TO_Y]])) @ turn.T
                    )
                    result[piece] = _ring_box(points + row[OUTLINE.ARC_RADIUS] * directions, directions)
                else:
                    points = np.concatenate((points, _arc_points(part) @ turn.T + (x, y)))
                    low, high = points.min(axis=0) - part.radius, points.max(axis=0) + part.radius
                    result[piece] = (*low, *high)
        return result


def may_meet(a: Filter, b: Filter) -> bool:
    """Return True if the filters of two colliders let them collide, as `Collider` describes it."""
    layer_a, mask_a, group_a, sensor_a = a
    layer_b, mask_b, group_b, sensor_b = b
    if sensor_a and sensor_b:
        return False
    if group_a == group_b != 0:
        return group_a > 0
    return bool(layer_a & mask_b and layer_b & mask_a)


def _centroid(shape: Shape) -> tuple[float, float]:
    return shape.mass_properties().centroid


def _half_plane_box(normal: NDArray[np.float64], point: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return the smallest box for a plane within 1e-12 of an axis, and everything for a tilted one."""
    low, high = [-np.inf, -np.inf], [np.inf, np.inf]
    for axis in range(2):
        if abs(normal[1 - axis]) < 1e-12:
            (high if normal[axis] > 0.0 else low)[axis] = point[axis]
    return low[0], low[1], high[0], high[1]


def _ring_box(ends: NDArray[np.float64], directions: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """Return the box of all points farther out than an arc, between the directions of its two ends."""
    low, high = ends.min(axis=0), ends.max(axis=0)
    share = np.linspace(0.0, 1.0, 65)[:, np.newaxis]
    between = (1.0 - share) * directions[0] + share * directions[1]
    low[between.min(axis=0) < -1e-9] = -np.inf
    high[between.max(axis=0) > 1e-9] = np.inf
    return low[0], low[1], high[0], high[1]


def _arc_points(piece: Piece) -> NDArray[np.float64]:
    """Return points on the outward arcs of a piece (m, 2) [m]."""
    points = [np.zeros((0, 2))]
    for vertex, row in zip(piece.vertices, piece.outline):
        if row[OUTLINE.CORNER_RADIUS] > 0.0:
            first = np.arctan2(row[OUTLINE.FROM_Y], row[OUTLINE.FROM_X])
            turn = np.mod(np.arctan2(row[OUTLINE.TO_Y], row[OUTLINE.TO_X]) - first, 2.0 * np.pi)
            along = first + turn * np.linspace(0.0, 1.0, 65)
            points.append(vertex + row[OUTLINE.CORNER_RADIUS] * np.stack((np.cos(along), np.sin(along)), axis=1))
    return np.concatenate(points)
