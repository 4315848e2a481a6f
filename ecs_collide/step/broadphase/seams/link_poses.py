"""Search for linked pieces, and for links whose pose has changed; see `links.py`."""

from __future__ import annotations

from ecs_collide.data.bodies import Bodies
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.kernels.arrays import Flags
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.broadphase.lookup.static_tree import Tree, insert_into_tree, leaves_in_box, remove_from_tree
from ecs_collide.step.broadphase.seams.neighbours import body_seen_from, may_cover, may_have_seams
from ecs_collide.step.broadphase.seams.seam_arrays import LINK, LINK_BOUND, LINK_POSE, LinkTable


@kernel
def list_links(table: LinkTable, statics: Tree, bodies: Bodies, pieces: Pieces):
    """List the present links; return their number, also if there is no room for all.

    Each link is listed once, the lower row first. Reads piece_box, the trees, the bodies. Writes `table.room`.
    """
    return find_links(table, statics, bodies, pieces)


@device
def find_links(table, statics, bodies, pieces):
    """List the present links as `list_links` does, for use in other kernels."""
    return add_links(table, statics, bodies, pieces, add_links(table, table.tree, bodies, pieces, 0))


@device
def add_links(table, tree, bodies, pieces, count):
    """Add the links with the pieces of a tree to the `count` present ones; return the new count."""
    links, parting_speed = table.room, table.bounds[LINK_BOUND.PARTING]
    for piece in table.rows:
        box, kind = pieces.box[piece], bodies.kind[pieces.index[piece, PIECE.BODY]]
        hit_count = leaves_in_box(tree, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], tree.hits)
        for k in range(hit_count):
            other = tree.hits[k]
            is_own = pieces.index[other, PIECE.COLLIDER] == pieces.index[piece, PIECE.COLLIDER]
            if is_own or (bodies.kind[pieces.index[other, PIECE.BODY]] == kind and other < piece):
                continue
            if may_have_seams(other, bodies, pieces) and may_cover(piece, other, bodies, pieces, parting_speed):
                if count < len(links):
                    links[count, LINK.FIRST], links[count, LINK.SECOND] = min(piece, other), max(piece, other)
                count += 1
    return count


@device
def has_moved(k, table, bodies, pieces):
    """Return True if the relative pose of link k has changed."""
    a, b, pose = table.links[k, LINK.FIRST], table.links[k, LINK.SECOND], table.poses[k]
    x, y, c, s = body_seen_from(pieces.index[a, PIECE.BODY], pieces.index[b, PIECE.BODY], bodies)
    size = pieces.size[b]
    arm = (
        abs(size[PIECE_SIZE.LOCAL_X])
        + abs(size[PIECE_SIZE.LOCAL_Y])
        + size[PIECE_SIZE.HALF_X]
        + size[PIECE_SIZE.HALF_Y]
    )
    return (
        abs(x - pose[LINK_POSE.X])
        + abs(y - pose[LINK_POSE.Y])
        + arm * (abs(c - pose[LINK_POSE.COS]) + abs(s - pose[LINK_POSE.SIN]))
        > table.bounds[LINK_BOUND.SAME_POSE]
    )


@device
def are_as_before(table, statics, bodies, pieces, have_statics_moved):
    """Return True if no link was added, removed or changed in its pose.

    If fat boxes, velocities or static pieces have changed, the links are listed again. Reads piece_moved, the bodies,
    the tree of static pieces. Writes the tree of the table, its velocities, `table.room`.
    """
    for k in range(len(table.links)):
        if has_moved(k, table, bodies, pieces):
            return False
    any_changed = have_statics_moved
    for k in range(len(table.rows)):
        piece = table.rows[k]
        if pieces.moved[piece]:
            any_changed = True
            remove_from_tree(table.rows[k : k + 1], pieces, table.tree)
            insert_into_tree(piece, pieces, table.tree)
        any_changed |= is_velocity_another(k, table, bodies, pieces)
    if not any_changed:
        return True
    count = find_links(table, statics, bodies, pieces)
    if count != len(table.links):
        return False
    for k in range(count):
        if not is_link(table.links, table.room[k, LINK.FIRST], table.room[k, LINK.SECOND]):
            return False
    for k in range(len(table.rows)):
        for axis in range(3):
            table.velocities[k, axis] = bodies.velocity[pieces.index[table.rows[k], PIECE.BODY], axis]
    return True


@device
def is_velocity_another(k, table, bodies, pieces):
    """Return True if the velocity of piece k's body has changed since the links were last listed."""
    body = pieces.index[table.rows[k], PIECE.BODY]
    for axis in range(3):
        if bodies.velocity[body, axis] != table.velocities[k, axis]:
            return True
    return False


@device
def is_link(links, a, b):
    """Return True if two pieces form one of the sorted links."""
    low, high = 0, len(links)
    while low < high:
        middle = (low + high) // 2
        if links[middle, LINK.FIRST] < a or (links[middle, LINK.FIRST] == a and links[middle, LINK.SECOND] < b):
            low = middle + 1
        else:
            high = middle
    return low < len(links) and links[low, LINK.FIRST] == a and links[low, LINK.SECOND] == b


@kernel
def may_links_change(table: LinkTable, statics: Tree, bodies: Bodies, pieces: Pieces):
    """Return True if any link may have been added, removed or changed, see `are_as_before`."""
    return not are_as_before(table, statics, bodies, pieces, False)


@kernel
def mark_moved(table: LinkTable, bodies: Bodies, pieces: Pieces, moved: Flags):
    """Mark the links whose pose has changed in `moved` (k,), and store their new poses in the table."""
    links, poses = table.links, table.poses
    for k in range(len(links)):
        moved[k] = has_moved(k, table, bodies, pieces)
        if moved[k]:
            a, b = pieces.index[links[k, LINK.FIRST], PIECE.BODY], pieces.index[links[k, LINK.SECOND], PIECE.BODY]
            poses[k, LINK_POSE.X], poses[k, LINK_POSE.Y], poses[k, LINK_POSE.COS], poses[k, LINK_POSE.SIN] = (
                body_seen_from(a, b, bodies)
            )
