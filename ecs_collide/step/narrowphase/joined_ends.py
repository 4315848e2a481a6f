"""Ends of lines at which another piece joins: a body on the other piece's surface touches no more than the end.

A line L without thickness ends at the point v, and another surface with normal m runs on from there. If m is turned
away from L, all of L lies behind the plane through v with normal m. A body that stands on that surface is in front of
the plane and overlaps L by no more than it sinks in. So it touches L at most at v, with a normal of the corner at v. If
the surface at v is flat or concave, there is no normal.

Without this rule, the sides of L compete with the surface. While a box overhangs the end by less than its depth, the
least separation leads sideways.

    | condition                                       | purpose                                               |
    |-------------------------------------------------|-------------------------------------------------------|
    | m leads away from L by `joins_end`              | L itself and pieces in line with it do not count      |
    | the body is in front of the plane, or less than | deeper bodies came in otherwise                       |
    | the reach behind it                             |                                                       |
    | its middle is in front, or the pair's normal of | a flat body on the other side, below the surface, is  |
    | the last step agrees with m                     | less thick than the reach; a rod has no middle        |
"""

from __future__ import annotations

from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.geometry.vector import X, Y
from ecs_collide.kernels.kernel import device
from ecs_collide.shapes.outline import OUTLINE
from ecs_collide.step.narrowphase import piece_corners as corners
from ecs_collide.step.narrowphase.thin_side import SAME_SIDE

NO_END = -1
"""Instead of a corner: the other piece may meet all of the line."""


@device
def only_end_met(side, other, relative, middle_x, middle_y, old_x, old_y, reach, pieces):
    """Return the corner at the end of a line that is all the other piece may meet, or `NO_END`.

    (`middle_x`, `middle_y`) is the centre of the other piece [m], (`old_x`, `old_y`) the pair's normal in the last
    step.
    """
    end = NO_END
    if not side.is_thin:
        return end
    for k in range(side.start, side.stop):
        before = corners.corner_before(side, k)
        for field in (OUTLINE.FROM_X, OUTLINE.TO_X):
            if not corners.joins_end(before, k, field, pieces):
                continue
            x, y = pieces.outlines[k, field], pieces.outlines[k, field + 1]
            vertex_x, vertex_y = pieces.vertices[k, X], pieces.vertices[k, Y]
            in_front = (middle_x - vertex_x) * x + (middle_y - vertex_y) * y > 0.0
            if not in_front and x * old_x + y * old_y <= SAME_SIDE:
                continue
            local_x, local_y = rotate_vector_back(relative, x, y)
            lowest, _ = corners.lowest_corner(other, local_x, local_y, pieces)
            lowest += (relative.x - vertex_x) * x + (relative.y - vertex_y) * y - other.radius
            if lowest >= -reach:
                end = k
    return end


@device
def end_allows(end, x, y, pieces):
    """Return True if a piece of which the other meets only `end`, if any, may give a contact with the normal (x, y)."""
    return end == NO_END or corners.is_open_normal(end, x, y, pieces)
