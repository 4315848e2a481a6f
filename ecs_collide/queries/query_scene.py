"""All pieces in their present places, for queries.

The broadphase finds pieces by the fat boxes that they had in the last step. Since then bodies have moved, were put
elsewhere, or are new. A query must not renew the boxes, because a query must not change a step. So the scene lists the
pieces outside their fat boxes, and kernels test these one by one. They are few, since fat boxes reach ahead of motion.
"""

from __future__ import annotations

from operator import is_
from typing import Any

import numpy as np

from ecs_collide.contours.contour import CONTOUR
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pieces import PieceColumns
from ecs_collide.queries.candidates import FilterArrays, LoadedPiece, Nearby, Scene, list_outside
from ecs_collide.step.broadphase.lookup.wide_tree import new_wide_tree
from ecs_collide.step.pipeline import Pipeline

NO_ROWS = np.zeros(0, np.int64)


class QueryScene:
    """The scene of queries, renewed when the world has changed."""

    def __init__(self, pipeline: Pipeline) -> None:
        """Make the scene of the world that a pipeline steps."""
        self._pipeline = pipeline
        self._bodies: BodyColumns = pipeline.bodies
        self._pieces: PieceColumns = pipeline.pieces
        self._state_version: tuple[object, ...] = ()
        """State of the world for which the list of pieces outside their fat boxes was made."""
        self._listed = 0
        """Number of pieces in that list; behind them stand the pieces of bodies that the game has moved since."""
        self._teleported = 0
        """Number of bodies that the game has moved since."""
        self._scene: Scene | None = None
        self._wide_tree = new_wide_tree(pipeline.pair_finder.tree)
        self._sources: tuple[object, ...] = ()
        """Arrays of which the scene was made."""
        self._outside = np.empty(0, np.int64)
        self._boxes = np.empty((0, 4))
        self._count = np.zeros(1, np.int64)
        self._candidates = np.empty((2, 0), np.int64)
        self._loaded = LoadedPiece(np.zeros((1, 3), np.int64), np.zeros((1, 5)), np.zeros((0, CONTOUR.WIDTH)))

    def update(self, filters: FilterArrays) -> Scene:
        """Return the scene of all pieces in their present places, for a query with some filters."""
        pipeline = self._pipeline
        state_version = (*pipeline.state_version, pipeline.pair_finder.version, pipeline.body_sync.version)
        scene = self._scene
        if state_version != self._state_version or scene is None:
            scene = self._with_current_list(filters)
            self._state_version = state_version
        elif scene.query_filter is not filters:
            scene = self._build_scene(filters)
        if self._bodies.teleported and not pipeline.is_under_way:
            scene = self._with_teleported(scene)
        return scene

    def _with_current_list(self, filters: FilterArrays) -> Scene:
        """Return the scene with a new list of the pieces outside their fat boxes, without those that the game moved."""
        finder, pieces = self._pipeline.pair_finder, self._pieces
        statics, movers = self._find_outdated_boxes(), finder.movers.rows
        self._make_room(len(statics) + len(movers))
        if len(self._loaded.rows) < pieces.longest:
            self._loaded = self._loaded._replace(rows=np.zeros((pieces.longest, CONTOUR.WIDTH)))
        self._teleported = 0
        scene = self._build_scene(filters)
        arrays, slack = (scene.bodies, scene.pieces), self._pipeline.tolerances.slop
        if len(statics):
            list_outside(statics, True, *arrays, slack, scene.nearby, 0)
        list_outside(movers, False, *arrays, slack, scene.nearby, len(statics) and self._count.item())
        self._listed = self._count.item()
        return scene

    def _with_teleported(self, scene: Scene) -> Scene:
        """Return the scene with all pieces of bodies that the game has moved since the last step."""
        teleported = self._bodies.teleported
        count, stop = teleported.count.item(), self._count.item()
        self._pipeline.body_frames.update_teleported("The query has no result")
        if count != self._teleported:
            new = self._pieces_of(teleported.marked[self._teleported : count].tolist())
            if self._make_room(stop + len(new)):
                scene = self._build_scene(scene.query_filter)
            self._outside[stop : stop + len(new)] = new
            stop, self._teleported = stop + len(new), count
        pieces, slack = self._outside[self._listed : stop], self._pipeline.tolerances.slop
        list_outside(pieces, True, scene.bodies, scene.pieces, slack, scene.nearby, self._listed)
        return scene

    def _find_outdated_boxes(self) -> np.ndarray:
        """Return the static pieces that are new or were moved since the last Broadphase."""
        new, moved = self._pipeline.pair_finder.statics.without_box, self._pipeline.body_frames.moved_statics()
        if not new and len(moved) == 0:
            return NO_ROWS
        return np.array(new + self._pieces_of(moved.tolist()), np.int64)

    def _pieces_of(self, bodies: list[int]) -> list[int]:
        """Return the pieces of bodies."""
        entity, members = self._bodies.arrays.entity, self._pipeline.body_sync.members
        pieces: list[int] = []
        for body in bodies:
            member = members.get(entity.item(body))
            if member is not None:
                pieces += member.all_pieces
        return pieces

    def _make_room(self, count: int) -> bool:
        """Make room for so many pieces outside their fat boxes; return True if there was too little."""
        is_short = len(self._outside) < count
        if is_short:
            kept, boxes = self._outside, self._boxes
            room = next_capacity(len(kept), count)
            self._outside, self._boxes = np.empty(room, np.int64), np.empty((room, 4))
            self._outside[: len(kept)], self._boxes[: len(kept)] = kept, boxes
        room = self._pieces.rows.high + len(self._outside)
        if self._candidates.shape[1] < room:
            self._candidates = np.empty((2, next_capacity(self._candidates.shape[1], room)), np.int64)
        return is_short

    def _build_scene(self, filters: FilterArrays) -> Scene:
        """Return the scene of the present arrays; most steps change only numbers in it."""
        finder, bodies, pieces = self._pipeline.pair_finder, self._bodies.arrays, self._pieces.arrays
        if finder.tree.size > len(self._wide_tree.leaves):
            self._wide_tree = new_wide_tree(finder.tree)
        place: dict[str, Any] = {
            "tree": finder.tree.arrays,
            "wide_tree": self._wide_tree,
            "strips": finder.search.arrays.strips,
            "unbounded": finder.search.unbounded,
            "outside": self._outside,
            "outside_box": self._boxes,
            "outside_count": self._count,
        }
        sources = filters, bodies, pieces, *place.values(), self._loaded, self._candidates
        if self._scene is None or not all(map(is_, sources, self._sources)):
            nearby = Nearby(**place)
            self._scene, self._sources = (
                Scene(
                    query_filter=filters,
                    bodies=bodies,
                    pieces=pieces,
                    nearby=nearby,
                    loaded=self._loaded,
                    candidates=self._candidates[0],
                    hits=self._candidates[1],
                ),
                sources,
            )
        return self._scene
