"""Which pieces are linked, and which links have changed their pose; see `links.py`."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.kernels.arrays import Flags
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.broadphase.lookup.static_tree import Tree, hang_into_tree, leaves_in_box, take_from_tree
from ecs_collide.step.broadphase.seams import seam_arrays as of_seam
from ecs_collide.step.broadphase.seams.neighbours import body_seen_from, may_cover, takes_part
from ecs_collide.step.broadphase.seams.seam_arrays import LinkTable


@stage
def list_links(table: LinkTable, statics: Tree, bodies: Bodies, pieces: Pieces):
    """List the links that there are now; return their number, also where there is no room for so many.

    Each is listed once, the lower row first. Reads piece_box, the trees, the bodies. Writes `table.room`.
    """
    return find_links(table, statics, bodies, pieces)


@device
def find_links(table, statics, bodies, pieces):
    """Do what `list_links` does."""
    return add_links(table, statics, bodies, pieces, add_links(table, table.tree, bodies, pieces, 0))


@device
def add_links(table, tree, bodies, pieces, count):
    """Add the links with the pieces of a tree to the `count` present ones; return how many there are then."""
    links, parting_speed = table.room, table.bounds[of_seam.PARTING]
    for piece in table.rows:
        box, body = pieces.box[piece], pieces.index[piece, PIECE.BODY]
        hit_count = leaves_in_box(tree, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], tree.hits)
        for k in range(hit_count):
            other = tree.hits[k]
            owner = pieces.index[other, PIECE.BODY]
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
    x, y, c, s = body_seen_from(pieces.index[a, PIECE.BODY], pieces.index[b, PIECE.BODY], bodies)
    size = pieces.size[b]
    arm = (
        abs(size[PIECE_SIZE.LOCAL_X])
        + abs(size[PIECE_SIZE.LOCAL_Y])
        + size[PIECE_SIZE.HALF_X]
        + size[PIECE_SIZE.HALF_Y]
    )
    return (
        abs(x - pose[0]) + abs(y - pose[1]) + arm * (abs(c - pose[2]) + abs(s - pose[3]))
        > table.bounds[of_seam.SAME_POSE]
    )


@device
def are_as_before(table, statics, bodies, pieces):
    """Whether no link has come, gone or changed its pose. What moves on its own is seen here, and nobody else is asked.

    Where fat boxes or velocities are others, the links are listed again. Reads piece_moved, the bodies, the tree of
    static pieces. Writes the tree of the table, its velocities, `table.room`.
    """
    for k in range(len(table.links)):
        if has_moved(k, table, bodies, pieces):
            return False
    any_changed = False
    for k in range(len(table.rows)):
        piece = table.rows[k]
        if pieces.moved[piece]:
            any_changed = True
            take_from_tree(table.rows[k : k + 1], pieces, table.tree)
            hang_into_tree(piece, pieces, table.tree)
        any_changed |= is_velocity_another(k, table, bodies, pieces)
    if not any_changed:
        return True
    count = find_links(table, statics, bodies, pieces)
    if count != len(table.links):
        return False
    for k in range(count):
        if not is_link(table.links, table.room[k, 0], table.room[k, 1]):
            return False
    for k in range(len(table.rows)):
        for axis in range(3):
            table.velocities[k, axis] = bodies.velocity[pieces.index[table.rows[k], PIECE.BODY], axis]
    return True


@device
def is_velocity_another(k, table, bodies, pieces):
    """Whether the body of piece k moves otherwise than when the links were last listed."""
    body = pieces.index[table.rows[k], PIECE.BODY]
    for axis in range(3):
        if bodies.velocity[body, axis] != table.velocities[k, axis]:
            return True
    return False


@device
def is_link(links, a, b):
    """Whether two pieces are among sorted links."""
    low, high = 0, len(links)
    while low < high:
        middle = (low + high) // 2
        if links[middle, 0] < a or (links[middle, 0] == a and links[middle, 1] < b):
            low = middle + 1
        else:
            high = middle
    return low < len(links) and links[low, 0] == a and links[low, 1] == b


@stage
def may_links_change(table: LinkTable, statics: Tree, bodies: Bodies, pieces: Pieces):
    """Whether any link may have come, gone or changed, see `are_as_before`."""
    return not are_as_before(table, statics, bodies, pieces)


@stage
def mark_moved(table: LinkTable, bodies: Bodies, pieces: Pieces, moved: Flags):
    """Write to `moved` (k,) which links are not in their poses any more, and their new ones into the table."""
    links, poses = table.links, table.poses
    for k in range(len(links)):
        moved[k] = has_moved(k, table, bodies, pieces)
        if moved[k]:
            a, b = pieces.index[links[k, 0], PIECE.BODY], pieces.index[links[k, 1], PIECE.BODY]
            poses[k, 0], poses[k, 1], poses[k, 2], poses[k, 3] = body_seen_from(a, b, bodies)
