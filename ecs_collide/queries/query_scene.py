"""Where all pieces are when a question is asked.

The broadphase knows pieces by the fat boxes that they had in the last step. Since then bodies have moved on, were put
elsewhere, or are new. A question must not renew boxes: what a game asks may not change what a step does. So a piece
that its box no longer holds is *astray*, and asked one by one. Few are, for boxes reach ahead of what moves.
"""

from __future__ import annotations

from operator import is_

import numpy as np

from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.queries.candidates import LoadedPiece, Nearby, Question, Scene, list_astray
from ecs_collide.step.broadphase.lookup.wide_tree import eights_for
from ecs_collide.step.pipeline import Pipeline

NO_ROWS = np.zeros(0, np.int64)


class Whereabouts:
    """All pieces by place, and room for what is found."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._bodies: BodyColumns = pipeline.bodies
        self._pieces: PieceColumns = pipeline.pieces
        self._moment: tuple[object, ...] = ()
        """When the list of what is astray was made."""
        self._strays = 0
        """How many there were then; behind them stand the pieces of what the game has put elsewhere since."""
        self._touched = 0
        """How many bodies these are of."""
        self._scene: Scene | None = None
        self._eights = eights_for(pipeline.pair_finder.tree)
        self._parts: tuple[object, ...] = ()
        """What the scene was made of."""
        self._astray, self._boxes, self._count = np.empty(0, np.int64), np.empty((0, 4)), np.zeros(1, np.int64)
        self._candidates = np.empty((2, 0), np.int64)
        self._loaded = LoadedPiece(np.zeros((1, 3), np.int64), np.zeros((1, 5)), np.zeros((0, CONTOUR.WIDTH)))

    def look(self, question: Question) -> Scene:
        """All pieces as they are now, with what the game has changed since the last step, for those who are asked."""
        pipeline = self._pipeline
        moment = (*pipeline.moment, pipeline.pair_finder.version, pipeline.membership.version)
        scene = self._scene
        if moment != self._moment or scene is None:
            scene = self._renewed(question)
            self._moment = moment
        elif scene.question is not question:
            scene = self._assembled(question)
        if self._bodies.touched and not pipeline.is_under_way:
            scene = self._with_touched(scene)
        return scene

    def _renewed(self, question: Question) -> Scene:
        """What is astray without what the game has put elsewhere."""
        finder, pieces = self._pipeline.pair_finder, self._pieces
        statics, movers = self._without_right_box(), finder.movers.rows
        self._make_room(len(statics) + len(movers))
        if len(self._loaded.rows) < pieces.longest:
            self._loaded = self._loaded._replace(rows=np.zeros((pieces.longest, CONTOUR.WIDTH)))
        self._touched = 0
        scene = self._assembled(question)
        arrays, slack = (scene.bodies, scene.pieces), self._pipeline.tolerances.slop
        if len(statics):
            list_astray(statics, True, *arrays, slack, scene.nearby, 0)
        list_astray(movers, False, *arrays, slack, scene.nearby, len(statics) and self._count.item())
        self._strays = self._count.item()
        return scene

    def _with_touched(self, scene: Scene) -> Scene:
        """The same with all pieces of bodies that were put elsewhere since the last step."""
        touched = self._bodies.touched
        count, stop = touched.count.item(), self._count.item()
        self._pipeline.changes.update_frames(touched.marked[:count], "The question has no answer")
        if count != self._touched:
            new = self._pieces_of(touched.marked[self._touched : count].tolist())
            if self._make_room(stop + len(new)):
                scene = self._assembled(scene.question)
            self._astray[stop : stop + len(new)] = new
            stop, self._touched = stop + len(new), count
        pieces, slack = self._astray[self._strays : stop], self._pipeline.tolerances.slop
        list_astray(pieces, True, scene.bodies, scene.pieces, slack, scene.nearby, self._strays)
        return scene

    def _without_right_box(self) -> np.ndarray:
        """The static pieces that are new or were put elsewhere, until Broadphase has come to them."""
        new, touched = self._pipeline.pair_finder.statics.without_box, self._pipeline.changes.touched_statics
        if not new and len(touched) == 0:
            return NO_ROWS
        return np.array(new + self._pieces_of(touched.tolist()), np.int64)

    def _pieces_of(self, bodies: list[int]) -> list[int]:
        """The pieces of bodies."""
        entity, members = self._bodies.arrays.entity, self._pipeline.membership.members
        pieces: list[int] = []
        for body in bodies:
            member = members.get(entity.item(body))
            if member is not None:
                pieces += member.pieces
        return pieces

    def _make_room(self, strays: int) -> bool:
        """Make room for so many that are astray; return whether there was too little."""
        is_short = len(self._astray) < strays
        if is_short:
            kept, boxes = self._astray, self._boxes
            room = next_capacity(len(kept), strays)
            self._astray, self._boxes = np.empty(room, np.int64), np.empty((room, 4))
            self._astray[: len(kept)], self._boxes[: len(kept)] = kept, boxes
        room = self._pieces.rows.high + len(self._astray)
        if self._candidates.shape[1] < room:
            self._candidates = np.empty((2, next_capacity(self._candidates.shape[1], room)), np.int64)
        return is_short

    def _assembled(self, question: Question) -> Scene:
        """The scene of what there is now; most steps change nothing but numbers in it."""
        finder, bodies, pieces = self._pipeline.pair_finder, self._bodies.arrays, self._pieces.arrays
        if finder.tree.size > len(self._eights.leaves):
            self._eights = eights_for(finder.tree)
        place = (
            finder.tree.arrays,
            self._eights,
            finder.strips,
            finder.unbounded,
            self._astray,
            self._boxes,
            self._count,
        )
        parts = question, bodies, pieces, *place, self._loaded, self._candidates
        if self._scene is None or not all(map(is_, parts, self._parts)):
            nearby = Nearby(*place)
            self._scene, self._parts = Scene(question, bodies, pieces, nearby, self._loaded, *self._candidates), parts
        return self._scene
