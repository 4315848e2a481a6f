"""One-sided lines in pairs: a piece behind a line passes until it is out again.

A piece whose middle is behind the line of a link passes it. With its middle in front it passes

- while it overlaps the line by more than TOLERANCE after it was behind, so nothing throws it out once its middle has
  crossed the line;
- from then on, while it moves out;
- if it newly overlaps the line by that much while another pair of the two colliders passes as deep: it comes from
  behind a neighbouring link.

All other pieces with their middle in front meet a solid line. A body that the game puts into ground is pushed out.

A pair with a contact in front in the last step keeps it, wherever the middle is. So a thin plate that is pressed into
the ground does not fall through. The middle of a rod lies in the surface, so a rod counts as in front up to the reach
behind it, unless it came from behind.
"""

from __future__ import annotations

from ecs_collide.common.body_velocity import velocity_of_place
from ecs_collide.common.front_side import height_in_front, is_one_sided, middle_of_piece
from ecs_collide.data import pairs as of_pair
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import PAIR
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.pose import invert_pose, rotate_vector, rotate_vector_back, transform_point
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.step.narrowphase.piece_corners import is_thin
from ecs_collide.step.narrowphase.thin_side import OTHER_SIDE

TOLERANCE = 0.5
"""Greatest depth of a piece that comes out in front of a line and is stopped there, as a fraction of the reach."""


@device
def is_behind(line, other, seen, old_x, old_y, came_from_behind, reach, pieces):
    """Return True if the middle of the other piece is behind a one-sided line and had no contact in front of it.

    `seen` is the pose of the other body relative to that of the line. (`old_x`, `old_y`) is the normal in the last step
    from the line to the other piece, in the line's axes; (0, 0) without a contact.
    """
    k = pieces.index[line, PIECE.VERTEX_START]
    if (old_x != 0.0 or old_y != 0.0) and (old_x * pieces.normals[k, X] + old_y * pieces.normals[k, Y] > OTHER_SIDE):
        return False
    x, y = middle_of_piece(other, pieces)
    x, y = transform_point(seen, x, y)
    margin = reach if is_thin(other, pieces) and not came_from_behind else 0.0
    return height_in_front(line, x, y, pieces) <= -margin


@subroutine
def passes_behind(role, a, b, relative, old_x, old_y, reach, pieces):
    """Return True if a pair of pieces, one of them a one-sided line, passes, see above."""
    came_from_behind = role & of_pair.BEHIND != 0
    if came_from_behind:
        if role & of_pair.DEEP != 0:
            return True
        old_x, old_y = 0.0, 0.0  # the pair passed, so its last normal tells nothing about the side
    if is_one_sided(a, pieces) and is_behind(a, b, relative, old_x, old_y, came_from_behind, reach, pieces):
        return True
    if not is_one_sided(b, pieces):
        return False
    old_x, old_y = rotate_vector_back(relative, -old_x, -old_y)
    return is_behind(b, a, invert_pose(relative), old_x, old_y, came_from_behind, reach, pieces)


@device
def depth_of(m, reach):
    """Return the depth of a manifold [m], negative for a gap: minus the reach without a point."""
    if m.point_count == 0:
        return -reach
    return -m.separation0 if m.point_count == 1 else -min(m.separation0, m.separation1)


@subroutine
def record_passing(slot, slots, passes, is_new, depth, reach, bodies, pieces, pairs):
    """Write to the role of a pair that it passes, and if it does so in the next step too; or that it does not pass.

    `depth` [m] is its overlap, negative for a gap. With `is_new` it had no contact in the last step.
    """
    role, is_deep = pairs.index[slot, PAIR.ROLE], depth > TOLERANCE * reach
    was_behind, was_deep = role & of_pair.BEHIND != 0, role & of_pair.DEEP != 0
    passes = passes or (is_deep and (was_behind or (is_new and has_deep_pair(slot, slots, pairs))))
    role &= ~(of_pair.BEHIND | of_pair.DEEP)
    if passes:
        role |= of_pair.BEHIND
        if is_deep or (was_deep and depth > 0.0 and moves_out(slot, bodies, pieces, pairs)):
            role |= of_pair.DEEP
    pairs.index[slot, PAIR.ROLE] = role


@device
def has_deep_pair(slot, slots, pairs):
    """Return True if another of the pairs in `slots`, of the same two colliders, came from behind and is deep."""
    index = pairs.index
    a, b = index[slot, PAIR.COLLIDER_A], index[slot, PAIR.COLLIDER_B]
    for other in slots:
        c, d = index[other, PAIR.COLLIDER_A], index[other, PAIR.COLLIDER_B]
        if ((a == c and b == d) or (a == d and b == c)) and index[other, PAIR.ROLE] & of_pair.DEEP != 0:
            return True
    return False


@device
def moves_out(slot, bodies, pieces, pairs):
    """Return True if the one-sided line of a pair and the other piece part, in front of the line."""
    index = pairs.index[slot]
    p, q = index[PAIR.PIECE_A], index[PAIR.PIECE_B]
    line, other = (p, q) if is_one_sided(p, pieces) else (q, p)
    body_line, body = pieces.index[line, PIECE.BODY], pieces.index[other, PIECE.BODY]
    x, y = middle_of_piece(other, pieces)
    x, y = transform_point(body_pose(body, bodies), x, y)
    vx, vy = velocity_of_place(body, x, y, bodies)
    line_vx, line_vy = velocity_of_place(body_line, x, y, bodies)
    k = pieces.index[line, PIECE.VERTEX_START]
    normal_x, normal_y = rotate_vector(body_pose(body_line, bodies), pieces.normals[k, X], pieces.normals[k, Y])
    return (vx - line_vx) * normal_x + (vy - line_vy) * normal_y > 0.0
