"""Neighbours: the pieces that may cover each other, and their poses in each other's frame.

All is computed in the axes and around the centre of one of the two bodies. Tiles far from the origin thus lose no
digits: the difference of two near centres is exact.

Rounded pieces of equal radius cover each other, because their surfaces continue as their cores do. Static and kinematic
pieces cover each other where they move as one.
"""

from __future__ import annotations

from math import inf, sqrt

from ecs_collide.common.one_way_side import direction_of, is_one_way
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import FILTER, FRAME, Bodies
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pieces import BOX, PIECE, PIECE_SIZE, Pieces
from ecs_collide.geometry.pose import Pose, find_relative_pose, rotate_vector, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.arrays import FloatTable, Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.shapes import outline as of_outline
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.broadphase.lookup.static_tree import Tree, leaves_in_box
from ecs_collide.step.broadphase.seams import seam_arrays as of_seam
from ecs_collide.step.broadphase.seams.seam_arrays import SIDE, SOURCE, SeamColumns
from ecs_collide.step.narrowphase.bodies_moving_together import move_as_one

KINEMATIC, DYNAMIC = int(BodyKind.KINEMATIC), int(BodyKind.DYNAMIC)

TOLERANCE_FRACTION = 0.005
"""Length that counts as zero, as a fraction of the shortest edge; the slop is the other bound."""


MANY = 32
"""Number of neighbours beyond which the tree is searched for each corner."""


@device
def may_have_seams(piece, bodies, pieces):
    """Return True if a piece is solid, has bounded edges, and belongs to a body that forces do not move."""
    return (
        pieces.index[piece, PIECE.VERTEX_COUNT] > 1  # a free row has no body
        and bodies.kind[pieces.index[piece, PIECE.BODY]] != DYNAMIC
        and bodies.filter[pieces.index[piece, PIECE.COLLIDER], FILTER.SENSOR] == 0
    )


@device
def may_cover(piece, other, bodies, pieces, parting_speed):
    """Return True if two pieces that take part may cover each other where they are flush."""
    a, b = pieces.index[piece, PIECE.BODY], pieces.index[other, PIECE.BODY]
    own, theirs = pieces.index[piece, PIECE.COLLIDER], pieces.index[other, PIECE.COLLIDER]
    return pieces.size[piece, PIECE_SIZE.RADIUS] == pieces.size[other, PIECE_SIZE.RADIUS] and (
        own == theirs
        or (
            same_filter(own, theirs, bodies)
            and is_solid_with(other, piece, bodies, pieces)
            and (a == b or move_as_one(a, b, bodies, parting_speed))
        )
    )


@kernel
def have_neighbours(rows: Ints, bodies: Bodies, pieces: Pieces, tree: Tree):
    """Return True if the box of any of these static pieces overlaps that of a piece of another collider.

    Both must take part in seams. Reads body_kind, body_filter, piece_index, piece_box, the tree.
    """
    for piece in rows:
        if not may_have_seams(piece, bodies, pieces):
            continue
        box = pieces.box[piece]
        count = leaves_in_box(tree, box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], tree.hits)
        for other in tree.hits[:count]:
            are_two = pieces.index[other, PIECE.COLLIDER] != pieces.index[piece, PIECE.COLLIDER]
            if are_two and may_have_seams(other, bodies, pieces):
                return True
    return False


@kernel
def record_sources(rows: Ints, bodies: Bodies, pieces: Pieces, seams: SeamColumns):
    """Record each piece as its shape made it, unless that is known; return the number that take part.

    Reads body_kind, body_filter, the pieces. Writes seam_state, seam_source, seam_shortest, seam_box.
    """
    count = 0
    for piece in rows:
        if seams.state[piece] == of_seam.ABSENT:
            if not may_have_seams(piece, bodies, pieces):
                continue
            seams.state[piece] = of_seam.PLAIN
            seams.source[piece, SOURCE.KIND] = pieces.index[piece, PIECE.KIND]
            seams.source[piece, SOURCE.START] = pieces.index[piece, PIECE.VERTEX_START]
            seams.source[piece, SOURCE.COUNT] = pieces.index[piece, PIECE.VERTEX_COUNT]
            seams.shortest[piece] = shortest_edge(piece, pieces)
            for side in range(2):
                seams.box[piece, side] = inf
                seams.box[piece, side + 2] = -inf
        count += 1
    return count


@device
def shortest_edge(piece, pieces):
    """Return the length [m] of the shortest edge with a length."""
    start, count = pieces.index[piece, PIECE.VERTEX_START], pieces.index[piece, PIECE.VERTEX_COUNT]
    shortest = inf
    for k in range(count):
        if pieces.outlines[start + k, OUTLINE.EDGE] == of_outline.ZERO_LENGTH:
            continue
        a, b = start + k, start + (k + 1) % count
        x, y = pieces.vertices[b, X] - pieces.vertices[a, X], pieces.vertices[b, Y] - pieces.vertices[a, Y]
        shortest = min(shortest, x * x + y * y)
    return sqrt(shortest)


@kernel
def find_affected(rows: Ints, removed: FloatTable, pieces: Pieces, tree: Tree, seams: SeamColumns):
    """List the pieces near the old and new places of `rows` and near the boxes `removed` (g, 4); return their number.

    Reads piece_box, the tree. Writes seam_affected, seam_box; seam_hits and seam_is_listed are scratch space.
    """
    count = 0
    for k in range(len(removed)):
        count = list_in_box(removed, k, pieces, tree, seams, count)
    for piece in rows:
        if seams.state[piece] == of_seam.ABSENT:
            continue
        if seams.box[piece, BOX.MIN_X] <= seams.box[piece, BOX.MAX_X]:
            count = list_in_box(seams.box, piece, pieces, tree, seams, count)
        count = list_in_box(pieces.box, piece, pieces, tree, seams, count)
        for side in range(4):
            seams.box[piece, side] = pieces.box[piece, side]
    for k in range(count):
        seams.is_listed[seams.affected[k]] = 0
    return count


@device
def list_in_box(box, row, pieces, tree, seams, count):
    """Add the pieces that take part and overlap a box to seam_affected, each once; return the count so far."""
    hits = leaves_in_box(
        tree,
        box[row, BOX.MIN_X],
        box[row, BOX.MIN_Y],
        box[row, BOX.MAX_X],
        box[row, BOX.MAX_Y],
        seams.hits,
    )
    for k in range(hits):
        piece = seams.hits[k]
        if seams.state[piece] != of_seam.ABSENT and seams.is_listed[piece] == 0:
            seams.is_listed[piece] = 1
            seams.affected[count] = piece
            count += 1
    return count


@device
def same_filter(a, b, bodies):
    """Return True if two colliders collide with the same colliders in the same way."""
    return (
        bodies.filter[a, FILTER.LAYER] == bodies.filter[b, FILTER.LAYER]
        and bodies.filter[a, FILTER.MASK] == bodies.filter[b, FILTER.MASK]
        and bodies.filter[a, FILTER.GROUP] == bodies.filter[b, FILTER.GROUP]
        and bodies.filter[a, FILTER.SENSOR_MASK] == bodies.filter[b, FILTER.SENSOR_MASK]
    )


@device
def is_solid_with(piece, other, bodies, pieces):
    """Return True if a piece is solid wherever the other one is: from all sides, or from the same side.

    A tile that is solid from all sides hides the flank of a one-way tile. The reverse is not true, because a body may
    pass sideways through the one-way tile into the other.
    """
    own, theirs = pieces.index[piece, PIECE.COLLIDER], pieces.index[other, PIECE.COLLIDER]
    if not is_one_way(own, bodies):
        return True
    if not is_one_way(theirs, bodies):
        return False
    a, b = pieces.index[piece, PIECE.BODY], pieces.index[other, PIECE.BODY]
    ax, ay = direction_of(own, bodies.frame[a, FRAME.COS], bodies.frame[a, FRAME.SIN], bodies)
    bx, by = direction_of(theirs, bodies.frame[b, FRAME.COS], bodies.frame[b, FRAME.SIN], bodies)
    return ax * bx + ay * by > 1.0 - 1e-9


@device
def middle(piece, bodies, pieces):
    """Return the centre of a piece's box in the world [m]; the bits do not depend on the caller."""
    pose = body_pose(pieces.index[piece, PIECE.BODY], bodies)
    return transform_point(pose, pieces.size[piece, PIECE_SIZE.LOCAL_X], pieces.size[piece, PIECE_SIZE.LOCAL_Y])


@device
def find_anchored_pieces(low_x, low_y, high_x, high_y, trees, seams):
    """Write the static and kinematic pieces whose boxes overlap a box [m] to seams.hits; return their number."""
    count = leaves_in_box(trees.still, low_x, low_y, high_x, high_y, seams.hits)
    return count + leaves_in_box(trees.moving, low_x, low_y, high_x, high_y, seams.hits[count:])


@device
def is_outranked_by(piece, other, bodies, pieces):
    """Return True if the other of two pieces keeps a surface that they share; all that share it must agree.

    Of static pieces, the one further to the left keeps it, whatever the order of rows. Of kinematic pieces, the one of
    the lower row keeps it, because left and right change as they move.
    """
    kind, other_kind = bodies.kind[pieces.index[piece, PIECE.BODY]], bodies.kind[pieces.index[other, PIECE.BODY]]
    if kind != other_kind:
        return other_kind < kind
    if kind == KINEMATIC:
        return other < piece
    first_x, first_y = middle(piece, bodies, pieces)
    x, y = middle(other, bodies, pieces)
    return x < first_x or (x == first_x and (y < first_y or (y == first_y and other < piece)))


@device
def gather_neighbours(piece, bodies, pieces, trees, slop, parting_speed, seams, near):
    """Write a piece and those that may cover it to `near`; return their number and that of their vertices.

    If one of the numbers exceeds the room, `near` is not complete.
    """
    box = pieces.box[piece]
    hits = find_anchored_pieces(box[BOX.MIN_X], box[BOX.MIN_Y], box[BOX.MAX_X], box[BOX.MAX_Y], trees, seams)
    body = pieces.index[piece, PIECE.BODY]
    count, vertex_count = 1, seams.source[piece, SOURCE.COUNT]
    for k in range(hits):
        other = seams.hits[k]
        if (
            other == piece
            or seams.state[other] == of_seam.ABSENT
            or not may_cover(piece, other, bodies, pieces, parting_speed)
        ):
            continue
        seams.hits[count - 1] = other  # the loop has read this place already
        count += 1
        vertex_count += seams.source[other, SOURCE.COUNT]
    if count > len(near.row) or vertex_count > len(near.edge):
        return count, vertex_count

    near.start[0] = 0
    for number in range(count):
        other = piece if number == 0 else seams.hits[number - 1]
        near.row[number] = other
        seams.neighbour[other] = number
        if number > 0:
            near.nearby[number - 1] = number
        near.is_own[number] = pieces.index[other, PIECE.COLLIDER] == pieces.index[piece, PIECE.COLLIDER]
        shortest = min(seams.shortest[piece], seams.shortest[other])
        near.tolerance[number] = min(slop, TOLERANCE_FRACTION * shortest)
        near.outranks[number] = is_outranked_by(piece, other, bodies, pieces)
        near.start[number + 1] = near.start[number] + seams.source[other, SOURCE.COUNT]
        near.is_straight[number] = write_sides(
            near,
            near.start[number],
            pieces,
            seams.source[other, SOURCE.START],
            seams.source[other, SOURCE.COUNT],
            body_seen_from(body, pieces.index[other, PIECE.BODY], bodies),
        )
    return count, vertex_count


@device
def find_nearby(piece, x, y, near, near_count, bodies, pieces, trees, seams):
    """Write those that may touch (x, y) [m], a point in the first piece's frame, to near.nearby; return their number.

    Used for more than MANY neighbours, as along a large floor. The boxes in the trees exceed the pieces by twice the
    slop, so no touching piece is missed.
    """
    x, y = transform_point(body_pose(pieces.index[piece, PIECE.BODY], bodies), x, y)
    hits = find_anchored_pieces(x, y, x, y, trees, seams)
    count = 0
    for k in range(hits):
        number = seams.neighbour[seams.hits[k]]
        if 0 < number < near_count and near.row[number] == seams.hits[k]:
            near.nearby[count] = number
            count += 1
    return count


@device
def body_seen_from(own, body, bodies):
    """Return the pose of a body in the axes of another one; it is exact if both have the same angle."""
    pose = body_pose(body, bodies)
    own_pose = body_pose(own, bodies)
    seen = find_relative_pose(own_pose, pose)
    return Pose(x=seen.x, y=seen.y, cos=1.0, sin=0.0) if own_pose.cos == pose.cos and own_pose.sin == pose.sin else seen


@device
def write_sides(near, at, pieces, start, count, pose):
    """Write the corners of one piece at a pose to `near` from `at` on; return True if all its edges are straight.

    All behind a one-sided line counts as solid, so its ends have the corners of a broad block.
    """
    sides, edge, vertices, normals, outlines = near.sides, near.edge, pieces.vertices, pieces.normals, pieces.outlines
    is_straight = True
    for k in range(count):
        row, source = at + k, start + k
        sides[row, SIDE.X], sides[row, SIDE.Y] = transform_point(pose, vertices[source, X], vertices[source, Y])
        normal_x, normal_y = rotate_vector(pose, normals[source, X], normals[source, Y])
        sides[row, SIDE.NORMAL_X], sides[row, SIDE.NORMAL_Y] = normal_x, normal_y
        sides[row, SIDE.LEAVING_X], sides[row, SIDE.LEAVING_Y] = normal_x, normal_y
        sides[row, SIDE.ARRIVING_X], sides[row, SIDE.ARRIVING_Y] = normal_x, normal_y
        near.is_round[row] = outlines[source, OUTLINE.CORNER_RADIUS] > 0.0
        edge[row] = of_seam.STRAIGHT
        if outlines[source, OUTLINE.EDGE] == of_outline.ZERO_LENGTH:
            edge[row] = of_seam.JOINED
        elif outlines[source, OUTLINE.ARC_RADIUS] > 0.0:
            edge[row] = of_seam.BENT
        elif outlines[source, OUTLINE.EDGE] == of_outline.BACK:
            edge[row] = of_seam.LINE_BACK
            sides[row, SIDE.LEAVING_X], sides[row, SIDE.LEAVING_Y] = normal_y, -normal_x
            sides[row, SIDE.ARRIVING_X], sides[row, SIDE.ARRIVING_Y] = -normal_y, normal_x
        is_straight = is_straight and (edge[row] == of_seam.STRAIGHT or edge[row] == of_seam.LINE_BACK)
    if is_straight:
        return True
    for k in range(count):
        row, following = at + k, at + (k + 1) % count
        if edge[row] == of_seam.BENT:
            arc_x, arc_y = transform_point(pose, outlines[start + k, OUTLINE.ARC_X], outlines[start + k, OUTLINE.ARC_Y])
            radius = outlines[start + k, OUTLINE.ARC_RADIUS]
            sides[row, SIDE.LEAVING_X] = (arc_x - sides[row, SIDE.X]) / radius
            sides[row, SIDE.LEAVING_Y] = (arc_y - sides[row, SIDE.Y]) / radius
            sides[row, SIDE.ARRIVING_X] = (arc_x - sides[following, SIDE.X]) / radius
            sides[row, SIDE.ARRIVING_Y] = (arc_y - sides[following, SIDE.Y]) / radius
    return False
