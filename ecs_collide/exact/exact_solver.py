"""Solver of the exact response: it sorts bodies into balls and obstacles, and calls the kernels of a step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data import pieces as of_piece
from ecs_collide.data.bodies import FILTER, BodyColumns
from ecs_collide.data.growth import grown
from ecs_collide.data.pieces import PIECE, PIECE_SIZE, PieceColumns
from ecs_collide.data.row_lists import rows_where
from ecs_collide.data.state_list import list_state
from ecs_collide.exact import exact_codes as codes, feature_tree
from ecs_collide.exact.exact_rows import (
    BALL,
    BALL_BODY,
    BALL_INDEX,
    COUNTS,
    ROOM_FOR,
    ROOMS,
    SCALARS,
    WEIGHT,
    new_simulation,
    with_room,
)
from ecs_collide.exact.feature_rows import FEATURE, FEATURE_INDEX
from ecs_collide.exact.features import collect_features, set_velocities
from ecs_collide.exact.run_events import run_events
from ecs_collide.exact.step_kernels import (
    Obstacles,
    begin_step,
    end_step,
    first_events,
    list_candidates,
    list_contacts,
    list_touching,
    move_others,
    settle_contacts,
)
from ecs_collide.geometry.aabb import BOX

NO_ROWS = np.zeros(0, np.int64)

RESORT = 32
"""Steps after which balls are sorted by place again, so that neighbours are near in memory."""


class ExactSolver:
    """Solver that moves the bodies in the columns by one step, impact by impact."""

    state_list = list_state(
        values="_ball_rows _ball_pieces _others _kinematic_pieces _static_count _statics",
        arrays="_simulation _obstacles",
        left_out="_slop _cell_scale",
    )

    def __init__(
        self,
        bodies: BodyColumns,
        pieces: PieceColumns,
        tolerances: Tolerances,
        length_unit: float,
        cell_scale: float = 1.0,
    ) -> None:
        self._bodies = bodies
        self._pieces = pieces
        self._slop = tolerances.slop
        self._cell_scale = cell_scale
        """Movement that a cell has room for, relative to the fastest choice. No result depends on it."""
        self._simulation = new_simulation()
        self._simulation.scalars[SCALARS.SLOP] = tolerances.slop
        self._simulation.scalars[SCALARS.LENGTH_UNIT] = length_unit
        self._simulation.scalars[SCALARS.BUMPER_SPEED] = tolerances.bumper_speed
        self._obstacles = Obstacles(
            features=np.zeros((0, FEATURE.WIDTH)),
            index=np.zeros((0, FEATURE_INDEX.WIDTH), np.int64),
            still=feature_tree.new_tree(0, 0),
            moving=feature_tree.new_tree(0, 0),
        )
        self._ball_rows = self._others = self._kinematic_pieces = NO_ROWS
        self._ball_pieces = NO_ROWS
        self._static_count = 0
        self._statics: tuple[np.ndarray, ...] = ()
        """Copies of the arrays that the static features were made from."""

    @property
    def impacts(self) -> int:
        """Number of impacts in the last step."""
        return int(self._simulation.counts[COUNTS.IMPACTS])

    @property
    def cap_hits(self) -> int:
        """Number of balls that reached the impact limit in the last step."""
        return int(self._simulation.counts[COUNTS.CAP_HITS])

    @property
    def resting_contacts(self) -> int:
        """Number of contacts that rested or overlapped when the last step began."""
        return int(self._simulation.counts[COUNTS.CONTACTS])

    @property
    def records(self) -> tuple[np.ndarray, np.ndarray]:
        """Impacts and resting contacts of the last step: body rows, see IMPACT_BODY, and numbers, see IMPACT."""
        count = int(self._simulation.counts[COUNTS.RECORDS])
        return self._simulation.impact_body[:count], self._simulation.impact[:count]

    def renew(self, mobile: np.ndarray) -> None:
        """Read all bodies, after bodies were added, removed or changed, or static ones were moved.

        `mobile` are the rows of all bodies that can move.
        """
        bodies, pieces = self._bodies.arrays, self._pieces.arrays
        piece_rows = rows_where(pieces.index[: self._pieces.rows.high, PIECE.BODY] >= 0)
        piece_rows = piece_rows[bodies.filter[pieces.index[piece_rows, PIECE.BODY], FILTER.SENSOR] == 0]
        owners = pieces.index[piece_rows, PIECE.BODY]
        kinds = bodies.kind[owners]
        balls = kinds == BodyKind.DYNAMIC
        self._ball_rows, self._ball_pieces = owners[balls], piece_rows[balls]
        self._others = np.setdiff1d(mobile, self._ball_rows, assume_unique=True)
        self._kinematic_pieces = piece_rows[kinds == BodyKind.KINEMATIC]
        self._kinematic_pieces = self._sort_by_place(
            self._kinematic_pieces, pieces.index[self._kinematic_pieces, PIECE.BODY]
        )
        self._renew_statics(piece_rows[kinds == BodyKind.STATIC])
        self._reserve(len(self._ball_rows), len(bodies.kind))
        counts = self._simulation.counts
        counts[COUNTS.BALLS] = len(self._ball_rows)
        counts[COUNTS.FEATURES] = len(self._obstacles.features)
        counts[COUNTS.ALL_MEET] = _all_meet(bodies.filter[owners])
        counts[COUNTS.OLD_CONTACTS] = counts[COUNTS.STEPS] = 0
        self._sort_balls()

    def _reserve(self, balls: int, bodies: int) -> None:
        """Make room for so many balls, and for a grid with as many cells; `bodies` is the number of body rows."""
        for room, needed in (
            ("ball", balls + 1),
            ("body", bodies),
            ("group", 3 * balls + 64),
            ("record", 6 * balls + 128),
            ("event", 4 * balls + 256),
        ):
            self._simulation = with_room(self._simulation, room, needed)
        bits = max(2, ((max(balls, 1) - 1).bit_length() + 1) // 2)
        """Number of bits of a column or row of the grid: there are at least 4 by 4 cells, and one for each ball."""
        if len(self._simulation.cell_head) != 1 << (2 * bits):
            self._simulation = self._simulation._replace(cell_head=np.full(1 << (2 * bits), -1, np.int32))
        self._simulation.counts[COUNTS.CELL_MASK] = (1 << bits) - 1
        self._simulation.counts[COUNTS.CELL_BITS] = bits

    def _sort_by_place(self, rows: np.ndarray, owners: np.ndarray) -> np.ndarray:
        """Return rows in the order of their bodies along a Z-order curve."""
        places = self._bodies.arrays.pose[owners, :2]
        ordered: np.ndarray = rows[feature_tree.z_order(places, places)]
        return ordered

    def _sort_balls(self) -> None:
        """Sort the balls by their places, so that their order does not depend on the order of the entities."""
        places = self._bodies.arrays.pose[self._ball_rows, :2]
        order = np.lexsort((places[:, 1], places[:, 0]))
        order = order[feature_tree.z_order(places[order], places[order])]
        self._ball_rows, self._ball_pieces = self._ball_rows[order], self._ball_pieces[order]
        bodies, simulation, n = self._bodies.arrays, self._simulation, len(order)
        simulation.ball_index[:n, BALL_INDEX.BODY] = self._ball_rows
        by_body = np.argsort(self._ball_rows)
        simulation.by_body[:n, BALL_BODY.BALL] = by_body
        simulation.by_body[:n, BALL_BODY.BODY] = self._ball_rows[by_body]
        simulation.clear_box[:n] = of_piece.EMPTY_BOX
        simulation.ball[:n, BALL.RADIUS] = self._pieces.arrays.size[self._ball_pieces, PIECE_SIZE.RADIUS]
        simulation.weight[:n, WEIGHT.INVERSE_MASS_X : WEIGHT.INVERSE_MASS_Y + 1] = bodies.mass[self._ball_rows, :2]

    def _renew_statics(self, piece_rows: np.ndarray) -> None:
        """Build the static features if what they are made from has changed; reserve room for kinematic ones."""
        bodies, pieces = self._bodies.arrays, self._pieces.arrays
        owners = pieces.index[piece_rows, PIECE.BODY]
        made_from = (
            piece_rows,
            pieces.index[piece_rows],
            bodies.frame[owners],
            pieces.vertices,
            pieces.outlines,
        )
        same = len(self._statics) == len(made_from) and all(map(np.array_equal, made_from, self._statics))
        room = self._most_features(self._kinematic_pieces)
        if not same:
            self._statics = tuple(array.copy() for array in made_from)
            self._build_statics(piece_rows, room)
        obstacles, needed = self._obstacles, self._static_count + room
        if len(obstacles.features) < needed:
            obstacles = obstacles._replace(
                features=grown(obstacles.features, needed), index=grown(obstacles.index, needed)
            )
        self._obstacles = obstacles._replace(moving=feature_tree.new_tree(self._static_count, 0))

    def _most_features(self, piece_rows: np.ndarray) -> int:
        """Return the greatest number of features that pieces may have."""
        return 2 * int(self._pieces.arrays.index[piece_rows, PIECE.VERTEX_COUNT].sum()) + len(piece_rows)

    def _build_statics(self, piece_rows: np.ndarray, room: int) -> None:
        """Build the features of static pieces and their tree, in the order of their places, with `room` behind them."""
        bodies, pieces = self._bodies.arrays, self._pieces.arrays
        most = self._most_features(piece_rows) + room
        unit = self._simulation.scalars[SCALARS.LENGTH_UNIT]
        features = np.zeros((most, FEATURE.WIDTH))
        index = np.zeros((most, FEATURE_INDEX.WIDTH), np.int64)
        count = collect_features(piece_rows, bodies, pieces, self._slop, unit, features, index, 0)
        self._static_count = count
        tree = feature_tree.new_tree(0, count)
        feature_tree.build_tree(tree, count, pieces, bodies, features, index, 0.0, 0.5 * self._slop)
        boxes = tree.box[tree.leaves : tree.leaves + count]
        order = feature_tree.z_order(boxes[:, BOX.MIN_X : BOX.MAX_X], boxes[:, BOX.MAX_X :])
        features[:count], index[:count] = features[order], index[order]
        feature_tree.build_tree(tree, count, pieces, bodies, features, index, 0.0, 0.5 * self._slop)
        self._obstacles = Obstacles(features=features, index=index, still=tree, moving=self._obstacles.moving)

    def _renew_kinematic(self, dt: float) -> None:
        """Build the features of kinematic bodies at their present places."""
        if len(self._kinematic_pieces) == 0:
            return
        obstacles, bodies, pieces = self._obstacles, self._bodies.arrays, self._pieces.arrays
        start = self._static_count
        unit = self._simulation.scalars[SCALARS.LENGTH_UNIT]
        stop = collect_features(
            self._kinematic_pieces, bodies, pieces, self._slop, unit, obstacles.features, obstacles.index, start
        )
        set_velocities(start, stop, bodies, obstacles.features, obstacles.index)
        tree = obstacles.moving
        if 2 * (stop - start) > len(tree.box):
            tree = feature_tree.new_tree(start, stop - start)
            self._obstacles = obstacles._replace(moving=tree)
        feature_tree.build_tree(
            tree, stop - start, pieces, bodies, obstacles.features, obstacles.index, dt, 0.5 * self._slop
        )

    def step(self, gravity: tuple[float, float], dt: float) -> None:
        """Move all bodies by dt [s] under `gravity` [m/s^2]."""
        bodies, pieces = self._bodies.arrays, self._pieces.arrays
        self._simulation.counts[COUNTS.STEPS] += 1
        if self._simulation.counts[COUNTS.STEPS] % RESORT == 0:
            self._sort_balls()
        self._renew_kinematic(dt)
        begin_step(self._simulation, bodies, gravity, dt, self._cell_scale)
        self._run(list_candidates, bodies.filter)
        self._run(list_contacts, bodies, pieces)
        if self.resting_contacts:
            settle_contacts(self._simulation, self._obstacles)
            self._run(list_candidates, bodies.filter)
        self._run(first_events, bodies)
        self._run(run_events, bodies, pieces)
        self._run(end_step, bodies, pieces)
        if len(self._others):
            move_others(self._others, bodies, gravity, dt)

    def touching(self) -> np.ndarray:
        """Return the body rows of the pairs whose gap is at most the slop at present (k, 2) int64."""
        bodies, pieces = self._bodies.arrays, self._pieces.arrays
        self._renew_kinematic(0.0)
        begin_step(self._simulation, bodies, (0.0, 0.0), 0.0, self._cell_scale)
        self._run(list_candidates, bodies.filter)
        count = list_touching(self._simulation, self._obstacles, bodies, pieces)
        return self._simulation.candidate[:count].copy()

    def _run(self, kernel: Callable[..., int], *columns: object) -> None:
        """Call a kernel of a step until it is done; after each call, double the arrays that it needs more room in."""
        while (missing := kernel(self._simulation, self._obstacles, *columns)) != codes.DONE:
            room = ROOM_FOR[missing]
            present = len(getattr(self._simulation, ROOMS[room][0]))
            self._simulation = with_room(self._simulation, room, 2 * present)


def _all_meet(filters: np.ndarray) -> bool:
    """Return True if all colliders have one filter by which any two of them are solid to each other."""
    plain = filters[:, [FILTER.LAYER, FILTER.MASK, FILTER.GROUP, FILTER.SENSOR_MASK]]
    if len(plain) == 0 or (plain != plain[0]).any():
        return False
    layer, mask, group, sensed = plain[0].tolist()
    return bool(group == 0 and layer & mask != 0 and layer & sensed == 0)
