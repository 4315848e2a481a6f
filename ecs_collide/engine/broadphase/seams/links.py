"""Kinematic pieces beside others that move as one with them: the seams of what moves.

A link is two pieces near each other, at least one of them kinematic, that may cover each other, with the pose in which
one was seen from the other when their outlines were made. As long as it is that pose the outlines stay right, wherever
the two have gone together. A link that comes, goes or changes its pose has the outlines of both pieces made again.

What moves on its own has no links, and a world without kinematic pieces keeps nothing here and compiles nothing.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.columns.bodies import BodyColumns
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pieces import PieceColumns
from ecs_collide.columns.row_lists import each_once
from ecs_collide.components.body_kind import KINEMATIC
from ecs_collide.engine.basis.tuning import Tolerances
from ecs_collide.engine.broadphase.lookup.static_tree import StaticTree, update_tree
from ecs_collide.engine.broadphase.seams.link_poses import is_as_before, list_links, mark_moved

NO_ROWS = np.zeros(0, np.int64)
NO_LINKS = np.zeros((0, 2), np.int64)


class Links:
    """Owns the links, and the tree of the kinematic pieces."""

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, statics: StaticTree, tolerances: Tolerances) -> None:
        self.tree = StaticTree()
        """The kinematic pieces by place."""
        self._bodies = bodies
        self._pieces = pieces
        self._statics = statics
        self._slop, self._parting_speed = tolerances.slop, tolerances.parting_speed
        self._rows = NO_ROWS
        """The kinematic pieces that may have links."""
        self._velocities = np.zeros((0, 3))
        """Those of their bodies when the links were last listed."""
        self._fresh = NO_ROWS
        """Those that are not in the tree yet."""
        self._links = NO_LINKS
        """Two pieces each, the lower row first, sorted (k, 2)."""
        self._poses = np.zeros((0, 4))
        """How the second was seen from the first: x, y [m], cosine, sine (k, 4)."""
        self._left = NO_ROWS
        """Pieces that have lost a link since the last update, because the other one was forgotten."""
        self._room = np.zeros((64, 2), np.int64)

    def add(self, rows: np.ndarray) -> None:
        """Take up those of some new pieces that are kinematic, solid and have edges."""
        bodies, index = self._bodies.arrays, self._pieces.arrays.index
        owners = index[rows, of_piece.BODY]
        chosen = (bodies.kind[owners] == KINEMATIC) & (bodies.filter[owners, of_body.SENSOR] == 0)
        if not chosen.any():
            return
        fresh = rows[chosen & (index[rows, of_piece.VERTEX_COUNT] > 1)]
        if len(fresh):
            self._rows = np.concatenate((self._rows, fresh))
            self._fresh = np.concatenate((self._fresh, fresh))

    def forget(self, rows: np.ndarray) -> None:
        """Take leave of pieces, of whatever kind, that are about to be freed."""
        if len(self._rows) == 0:
            return
        gone = np.isin(self._links, rows)
        is_cut = gone.any(axis=1)
        self._left = np.concatenate((self._left, self._links[is_cut][~gone[is_cut]]))
        self._left = self._left[~np.isin(self._left, rows)]
        self._links, self._poses = self._links[~is_cut], self._poses[~is_cut]
        leaving = np.isin(self._rows, rows)
        if leaving.any():
            update_tree(NO_ROWS, self._rows[leaving], self._pieces.arrays, self.tree.arrays)
            self._rows = self._rows[~leaving]
            self._fresh = self._fresh[~np.isin(self._fresh, rows)]
            self._velocities = np.zeros((0, 3))

    @property
    def may_change(self) -> bool:
        """Whether there are any links, or any may come."""
        return len(self._rows) > 0 or len(self._left) > 0

    def update(self, has_changed: bool) -> np.ndarray:
        """Bring the links up to date; return the pieces whose outlines have to be looked at again.

        `has_changed`: static pieces came, went or were put elsewhere.
        """
        if not self.may_change:
            return NO_ROWS
        bodies, pieces, rows = self._bodies.arrays, self._pieces.arrays, self._rows
        is_known = len(self._velocities) == len(rows) and not has_changed and len(self._left) == 0
        if is_known and is_as_before(rows, self._velocities, self._links, self._poses, bodies, pieces, self._slop):
            return NO_ROWS
        moved = rows[pieces.moved[rows]]
        self.tree.reserve(len(self._fresh))
        self._fresh = NO_ROWS
        update_tree(moved, moved, pieces, self.tree.arrays)
        self._velocities = bodies.velocity[pieces.index[rows, of_piece.BODY]]
        return self._renew(self._list())

    def _list(self) -> np.ndarray:
        """The links that there are now, sorted."""
        while True:
            count = 0
            for tree in (self.tree, self._statics):
                count = list_links(
                    self._rows,
                    self._bodies.arrays,
                    self._pieces.arrays,
                    tree.arrays,
                    self._parting_speed,
                    count,
                    self._room,
                )
            if count <= len(self._room):
                links = self._room[:count]
                return links[np.lexsort((links[:, 1], links[:, 0]))]
            self._room = np.zeros((next_capacity(len(self._room), count), 2), np.int64)

    def _renew(self, links: np.ndarray) -> np.ndarray:
        """Take up another list of links; return the pieces of those that came, went or changed, and of those left."""
        high = self._pieces.rows.high
        before, now = (known[:, 0] * high + known[:, 1] for known in (self._links, links))
        place = np.searchsorted(before, now)
        place[place == len(before)] = 0
        is_old = before[place] == now if len(before) else np.zeros(len(now), np.bool_)
        poses = np.full((len(links), 4), np.inf)  # which no pose is near to
        poses[is_old] = self._poses[place[is_old]]
        moved = np.zeros(len(links), np.bool_)
        mark_moved(links, poses, self._bodies.arrays, self._pieces.arrays, self._slop, moved)
        restless = (links[moved].ravel(), self._links[~np.isin(before, now)].ravel(), self._left)
        self._links, self._poses, self._left = links, poses, NO_ROWS
        return each_once(*restless)
