"""Kinematic pieces beside others that move as one with them: the seams of what moves.

A link is two pieces near each other, at least one of them kinematic, that may cover each other, with the pose in which
one was seen from the other when their outlines were made. As long as it is that pose the outlines stay right, wherever
the two have gone together. A link that comes, goes or changes its pose has the outlines of both pieces made again.

What moves on its own has no links, and a world without kinematic pieces keeps nothing here and compiles nothing.
"""

from __future__ import annotations

import numpy as np

from ecs_collide.columns import bodies as of_body, pieces as of_piece
from ecs_collide.columns.bodies import Bodies, BodyColumns
from ecs_collide.columns.growth import next_capacity
from ecs_collide.columns.pieces import PieceColumns, Pieces
from ecs_collide.compiled.arrays import Flags, FloatTable, Ints, IntTable
from ecs_collide.compiled.kernels import device, stage
from ecs_collide.components.body_kind import KINEMATIC
from ecs_collide.engine.broadphase.lookup.static_tree import StaticTree, Tree, leaves_in_box, update_tree
from ecs_collide.engine.broadphase.seams.neighbours import body_seen_from, may_cover, takes_part

NO_ROWS = np.zeros(0, np.int64)
NO_LINKS = np.zeros((0, 2), np.int64)

STILL = 1e-3
"""Two pieces are in the same pose up to a difference of this fraction of the slop."""


@stage
def list_links(
    rows: Ints,
    bodies: Bodies,
    pieces: Pieces,
    tree: Tree,
    stack: Ints,
    hits: Ints,
    slop: float,
    count: int,
    links: IntTable,
):
    """Add the links of kinematic pieces `rows` with the pieces of a tree to the `count` present ones; return how many
    there are then, also where `links` (k, 2) is too short.

    Each is listed once, the lower row first. Reads piece_box, the tree, the bodies. Writes links.
    """
    for piece in rows:
        box, body = pieces.box[piece], pieces.index[piece, of_piece.BODY]
        for k in range(
            leaves_in_box(
                tree, box[of_piece.MIN_X], box[of_piece.MIN_Y], box[of_piece.MAX_X], box[of_piece.MAX_Y], stack, hits
            )
        ):
            other = hits[k]
            owner = pieces.index[other, of_piece.BODY]
            if owner == body or (bodies.kind[owner] == bodies.kind[body] and other < piece):
                continue
            if takes_part(other, bodies, pieces) and may_cover(piece, other, bodies, pieces, slop):
                if count < len(links):
                    links[count, 0], links[count, 1] = min(piece, other), max(piece, other)
                count += 1
    return count


@device
def has_moved(link, pose, bodies, pieces, slop):
    """Whether the second piece of a link is seen from the first in another pose than that."""
    a, b = link[0], link[1]
    x, y, c, s = body_seen_from(pieces.index[a, of_piece.BODY], pieces.index[b, of_piece.BODY], bodies)
    size = pieces.size[b]
    arm = abs(size[of_piece.LOCAL_X]) + abs(size[of_piece.LOCAL_Y]) + size[of_piece.HALF_X] + size[of_piece.HALF_Y]
    return abs(x - pose[0]) + abs(y - pose[1]) + arm * (abs(c - pose[2]) + abs(s - pose[3])) > STILL * slop


@stage
def is_as_before(
    rows: Ints, velocities: FloatTable, links: IntTable, poses: FloatTable, bodies: Bodies, pieces: Pieces, slop: float
):
    """Whether no link can have come, gone or changed: the fat boxes, velocities and poses are as they were.

    Reads piece_moved, body_velocity, body_frame.
    """
    for k in range(len(rows)):
        body = pieces.index[rows[k], of_piece.BODY]
        if pieces.moved[rows[k]]:
            return False
        for axis in range(3):
            if bodies.velocity[body, axis] != velocities[k, axis]:
                return False
    for k in range(len(links)):
        if has_moved(links[k], poses[k], bodies, pieces, slop):
            return False
    return True


@stage
def mark_moved(links: IntTable, poses: FloatTable, bodies: Bodies, pieces: Pieces, slop: float, moved: Flags):
    """Write to `moved` (k,) which links are not in the poses (k, 4) any more, and their new ones to `poses`."""
    for k in range(len(links)):
        moved[k] = has_moved(links[k], poses[k], bodies, pieces, slop)
        if moved[k]:
            a, b = pieces.index[links[k, 0], of_piece.BODY], pieces.index[links[k, 1], of_piece.BODY]
            poses[k, 0], poses[k, 1], poses[k, 2], poses[k, 3] = body_seen_from(a, b, bodies)


class Links:
    """Owns the links, and the tree of the kinematic pieces."""

    def __init__(self, bodies: BodyColumns, pieces: PieceColumns, statics: StaticTree, slop: float) -> None:
        self.tree = StaticTree()
        """The kinematic pieces by place."""
        self._bodies = bodies
        self._pieces = pieces
        self._statics = statics
        self._slop = slop
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

    def update(self, has_changed: bool) -> np.ndarray:
        """Bring the links up to date; return the pieces whose outlines have to be looked at again.

        `has_changed`: static pieces came, went or were put elsewhere.
        """
        if len(self._rows) == 0 and len(self._left) == 0:
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
                    tree.stack,
                    tree.hits,
                    self._slop,
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
        return np.unique(np.concatenate(restless))
