"""Where all pieces are when a question is asked.

The broadphase knows pieces by the fat boxes that they had in the last step. Since then bodies have moved on, were put
elsewhere, or are new. A question must not renew boxes: what a game asks may not change what a step does. So a piece
that its box no longer holds is *astray*, and asked one by one. Few are, for boxes reach ahead of what moves.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.columns import pieces as of_piece
from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.contours.contour import ROW_WIDTH
from ecs_collide.engine.pipeline import Pipeline
from ecs_collide.engine.queries.asked import LoadedPiece, Nearby, list_astray
from ecs_collide.shapes.piece import UNBOUNDED

NO_ROWS = np.zeros(0, np.int64)
NO_BOXES = np.zeros((0, 4))


class Whereabouts:
    """All pieces by place, and room for what is found."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._bodies: BodyColumns = pipeline.bodies
        self._pieces: PieceColumns = pipeline.pieces
        self._moment: tuple[object, ...] = ()
        """When the list of what is astray was made."""
        self._astray, self._boxes = NO_ROWS, NO_BOXES
        self._nearby: Nearby | None = None
        self.rows = self.hits = NO_ROWS
        """Room for all pieces, and for those astray once more."""
        self.loaded = LoadedPiece(np.zeros((1, 3), np.int64), np.zeros((1, 5)), np.zeros((0, ROW_WIDTH)))
        """Room for the contour of any piece."""

    def look(self) -> Nearby:
        """All pieces as they are now, with what the game has changed since the last step."""
        pipeline = self._pipeline
        touched = NO_ROWS if pipeline.is_under_way else self._bodies.touched.rows()
        finder = pipeline.pair_finder
        moment = (*pipeline.moment, finder.version, pipeline.membership.version)
        if moment != self._moment or len(touched) or self._nearby is None:
            if moment != self._moment:
                self._astray, self._boxes = self._listed(self._bounded(finder.fresh_statics), finder.movers.rows)
                corners, self._moment = self._pieces.longest, moment
                if len(self.loaded.rows) < corners:
                    self.loaded = self.loaded._replace(rows=np.zeros((corners, ROW_WIDTH)))
            self._nearby = self._with(touched)
        return self._nearby

    def _bounded(self, pieces: list[int]) -> np.ndarray:
        """Those that have an end."""
        rows = np.array(pieces, np.int64)
        found: np.ndarray = rows[~np.isin(self._pieces.arrays.index[rows, of_piece.KIND], UNBOUNDED)]
        return found

    def _listed(self, new: np.ndarray, movers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pieces that are new, and those of some others that have left their boxes, with the boxes of now."""
        room = len(new) + len(movers)
        rows, boxes = np.empty(room, np.int64), np.empty((room, 4))
        arrays, slack = (self._bodies.arrays, self._pieces.arrays), self._pipeline.tolerances.slop
        count = list_astray(new, True, *arrays, slack, rows, boxes) if len(new) else 0
        if len(movers):
            count += list_astray(movers, False, *arrays, slack, rows[count:], boxes[count:])
        return rows[:count], boxes[:count]

    def _with(self, touched: np.ndarray) -> Nearby:
        """Those astray, and all pieces of bodies that were put elsewhere since the last step."""
        rows, boxes = self._astray, self._boxes
        if len(touched):
            self._pipeline.refresh_frames(touched, "The question has no answer")
            members, entities = self._pipeline.membership.members, self._bodies.arrays.entity[touched].tolist()
            moved = [piece for entity in entities for piece in members[entity].pieces]
            rows, boxes = self._listed(self._bounded(moved), NO_ROWS)
            rows, boxes = np.concatenate((self._astray, rows)), np.concatenate((self._boxes, boxes))
        finder, pieces = self._pipeline.pair_finder, self._pieces
        room = pieces.rows.high + len(rows)
        if len(self.rows) < room:
            self.rows, self.hits = np.empty((2, next_capacity(len(self.rows), room)), np.int64)
        return Nearby(finder.tree.arrays, finder.strips, finder.unbounded, rows, boxes, finder.tree.stack)
