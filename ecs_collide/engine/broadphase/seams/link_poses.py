"""Which pieces are linked, and which links have changed their pose; see `links.py`."""

from __future__ import annotations

from ecs_collide.columns import pieces as of_piece
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.pieces import Pieces
from ecs_collide.compiled.arrays import Flags, Ints, IntTable
from ecs_collide.compiled.kernels import device, stage
from ecs_collide.engine.broadphase.lookup.static_tree import Tree, leaves_in_box
from ecs_collide.engine.broadphase.seams.neighbours import body_seen_from, may_cover, takes_part
from ecs_collide.engine.broadphase.seams.tables import LinkTable


@stage
def list_links(
    rows: Ints,
    bodies: Bodies,
    pieces: Pieces,
    tree: Tree,
    parting_speed: float,
    count: int,
    links: IntTable,
):
    """Add the links of kinematic pieces `rows` with the pieces of a tree to the `count` present ones; return how many
    there are then, also where `links` (k, 2) is too short.

    Each is listed once, the lower row first. Reads piece_box, the tree, the bodies. Writes links.
    """
    for piece in rows:
        box, body = pieces.box[piece], pieces.index[piece, of_piece.BODY]
        hit_count = leaves_in_box(
            tree, box[of_piece.MIN_X], box[of_piece.MIN_Y], box[of_piece.MAX_X], box[of_piece.MAX_Y], tree.hits
        )
        for k in range(hit_count):
            other = tree.hits[k]
            owner = pieces.index[other, of_piece.BODY]
            if owner == body or (bodies.kind[owner] == bodies.kind[body] and other < piece):
                continue
            if takes_part(other, bodies, pieces) and may_cover(piece, other, bodies, pieces, parting_speed):
                if count < len(links):
                    links[count, 0], links[count, 1] = min(piece, other), max(piece, other)
                count += 1
    return count


@device
def has_moved(k, table, bodies, pieces):
    """Whether the second piece of link k is seen from the first in another pose than it was."""
    a, b, pose = table.links[k, 0], table.links[k, 1], table.poses[k]
    x, y, c, s = body_seen_from(pieces.index[a, of_piece.BODY], pieces.index[b, of_piece.BODY], bodies)
    size = pieces.size[b]
    arm = abs(size[of_piece.LOCAL_X]) + abs(size[of_piece.LOCAL_Y]) + size[of_piece.HALF_X] + size[of_piece.HALF_Y]
    return abs(x - pose[0]) + abs(y - pose[1]) + arm * (abs(c - pose[2]) + abs(s - pose[3])) > table.tolerance[0]


@device
def are_as_before(table, bodies, pieces):
    """Whether no link can have come, gone or changed: the fat boxes, velocities and poses are as they were.

    Reads piece_moved, body_velocity, body_frame.
    """
    for k in range(len(table.rows)):
        body = pieces.index[table.rows[k], of_piece.BODY]
        if pieces.moved[table.rows[k]]:
            return False
        for axis in range(3):
            if bodies.velocity[body, axis] != table.velocities[k, axis]:
                return False
    for k in range(len(table.links)):
        if has_moved(k, table, bodies, pieces):
            return False
    return True


@stage
def may_links_change(table: LinkTable, bodies: Bodies, pieces: Pieces):
    """Whether any link may have come, gone or changed, see `are_as_before`."""
    return not are_as_before(table, bodies, pieces)


@stage
def mark_moved(table: LinkTable, bodies: Bodies, pieces: Pieces, moved: Flags):
    """Write to `moved` (k,) which links are not in their poses any more, and their new ones into the table."""
    links, poses = table.links, table.poses
    for k in range(len(links)):
        moved[k] = has_moved(k, table, bodies, pieces)
        if moved[k]:
            a, b = pieces.index[links[k, 0], of_piece.BODY], pieces.index[links[k, 1], of_piece.BODY]
            poses[k, 0], poses[k, 1], poses[k, 2], poses[k, 3] = body_seen_from(a, b, bodies)
