"""Links: kinematic pieces beside others that move as one with them, which have seams between them.

A link joins two pieces near each other that may cover each other, at least one of them kinematic. It stores the pose of
one relative to the other for which their outlines were made. The outlines stay valid while this pose lasts, wherever
the two move together. A new, lost or changed link has the outlines of both pieces made anew.

A piece that moves on its own has no links. A world without kinematic pieces stores nothing here.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.common.tolerances import Tolerances
from ecs_collide.components.body_kind import KINEMATIC
from ecs_collide.data.bodies import FILTER, VELOCITY, BodyColumns
from ecs_collide.data.growth import next_capacity
from ecs_collide.data.pieces import PIECE, PieceColumns
from ecs_collide.data.row_lists import each_once
from ecs_collide.data.state_list import list_state
from ecs_collide.step.broadphase.lookup.static_tree import StaticTree, update_tree
from ecs_collide.step.broadphase.seams.link_poses import list_links, mark_moved, may_links_change
from ecs_collide.step.broadphase.seams.seam_arrays import LINK, LINK_POSE, LinkTable

NO_ROWS = np.zeros(0, np.int64)
NO_LINKS = np.zeros((0, LINK.WIDTH), np.int64)
NO_VELOCITIES = np.zeros((0, VELOCITY.WIDTH))

STILL = 1e-3
"""Largest difference of two equal poses, as a fraction of the slop."""


class Links:
    """Owns the links, and the tree of the kinematic pieces."""

    state_list = list_state(
        values="_new _left",
        arrays="table.rows table.velocities table.links table.poses",
        objects="tree",
        left_out="table.bounds table.tree table.room _statics",
    )

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, statics: StaticTree, tolerances: Tolerances) -> None:
        self.tree = StaticTree()
        """Tree of the kinematic pieces."""
        self._bodies = bodies
        self._pieces = pieces
        self._statics = statics
        bounds = np.array([STILL * tolerances.slop, tolerances.parting_speed])
        room = np.zeros((64, LINK.WIDTH), np.int64)
        self.table = LinkTable(
            rows=NO_ROWS,
            velocities=NO_VELOCITIES,
            links=NO_LINKS,
            poses=np.zeros((0, LINK_POSE.WIDTH)),
            bounds=bounds,
            tree=self.tree.arrays,
            room=room,
        )
        """Links at the last update."""
        self._new = NO_ROWS
        """Pieces that are not in the tree yet."""
        self._left = NO_ROWS
        """Pieces that have lost a link since the last update because the other piece was removed."""

    def reconnect(self) -> None:
        """Search in the present tree."""
        if self.table.tree is not self.tree.arrays:
            self.table = self.table._replace(tree=self.tree.arrays)

    def add(self, rows: np.ndarray) -> None:
        """Add those of some new pieces that are kinematic, solid and have edges."""
        bodies, index = self._bodies.arrays, self._pieces.arrays.index
        owners = index[rows, PIECE.BODY]
        chosen = (bodies.kind[owners] == KINEMATIC) & (bodies.filter[index[rows, PIECE.COLLIDER], FILTER.SENSOR] == 0)
        if not chosen.any():
            return
        new = rows[chosen & (index[rows, PIECE.VERTEX_COUNT] > 1)]
        if len(new):
            self.table = self.table._replace(rows=np.concatenate((self.table.rows, new)))
            self._new = np.concatenate((self._new, new))

    def forget(self, rows: np.ndarray) -> None:
        """Remove pieces of any kind that are about to be freed."""
        table = self.table
        if len(table.rows) == 0:
            return
        removed = np.isin(table.links, rows)
        is_cut = removed.any(axis=1)
        self._left = np.concatenate((self._left, table.links[is_cut][~removed[is_cut]]))
        self._left = self._left[~np.isin(self._left, rows)]
        table = table._replace(links=table.links[~is_cut], poses=table.poses[~is_cut])
        leaving = np.isin(table.rows, rows)
        if leaving.any():
            update_tree(NO_ROWS, table.rows[leaving], self._pieces.arrays, self.tree.arrays)
            table = table._replace(rows=table.rows[~leaving], velocities=NO_VELOCITIES)
            self._new = self._new[~np.isin(self._new, rows)]
        self.table = table

    @property
    def has_changes(self) -> bool:
        """True if pieces were added or removed since the last update."""
        return len(self.table.velocities) != len(self.table.rows) or len(self._left) > 0

    def update(self, has_changed: bool) -> np.ndarray:
        """Update the links; return the pieces whose outlines have to be made anew.

        `has_changed` states that static pieces were added, removed or moved.
        """
        bodies, pieces, rows = self._bodies.arrays, self._pieces.arrays, self.table.rows
        if len(rows) == 0 and len(self._left) == 0:
            return NO_ROWS
        if not (has_changed or self.has_changes or may_links_change(self.table, self._statics.arrays, bodies, pieces)):
            return NO_ROWS
        moved = rows[pieces.moved[rows]]
        self.tree.reserve(len(self._new))
        self._new = NO_ROWS
        update_tree(moved, moved, pieces, self.tree.arrays)
        velocities = bodies.velocity[pieces.index[rows, PIECE.BODY]]
        self.table = self.table._replace(velocities=velocities, tree=self.tree.arrays)
        return self._renew(self._list())

    def _list(self) -> np.ndarray:
        """Return the present links, sorted."""
        while True:
            room = self.table.room
            count = list_links(self.table, self._statics.arrays, self._bodies.arrays, self._pieces.arrays)
            if count <= len(room):
                return room[np.lexsort((room[:count, LINK.SECOND], room[:count, LINK.FIRST]))]
            self.table = self.table._replace(room=np.zeros((next_capacity(len(room), count), LINK.WIDTH), np.int64))

    def _renew(self, links: np.ndarray) -> np.ndarray:
        """Replace the list of links; return the pieces of new, lost and changed links, and `_left`."""
        high, former = self._pieces.rows.high, self.table
        before, now = (known[:, LINK.FIRST] * high + known[:, LINK.SECOND] for known in (former.links, links))
        place = np.searchsorted(before, now)
        place[place == len(before)] = 0
        is_old = before[place] == now if len(before) else np.zeros(len(now), np.bool_)
        poses = np.full((len(links), LINK_POSE.WIDTH), np.inf)  # no pose is close to infinity
        poses[is_old] = former.poses[place[is_old]]
        moved = np.zeros(len(links), np.bool_)
        self.table = former._replace(links=links, poses=poses)
        mark_moved(self.table, self._bodies.arrays, self._pieces.arrays, moved)
        restless = (links[moved].ravel(), former.links[~np.isin(before, now)].ravel(), self._left)
        self._left = NO_ROWS
        return each_once(*restless)
