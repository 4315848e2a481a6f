"""Whether a circle and a segment overlap (row 6).

    ‖c − closest point of the segment to c‖² ≤ r²

Sources: OC "Circle and line segment collision" (the shortest distance is at most r); the closest point as in row 5.
"""

from __future__ import annotations

from ecs_collide.elementwise import NonNegative, Number, elementwise
from ecs_collide.intersect.closest_point import between
from ecs_collide.narrowphase.closest_point import segment_fraction


@elementwise
def circle_segment_overlap(
    x: Number,
    y: Number,
    radius: NonNegative,
    ax: Number,
    ay: Number,
    bx: Number,
    by: Number,
    touching: bool = True,
) -> bool:
    """Whether the disk around (x, y) and the segment from a to b have a point in common.

    All [m], each a number or an array. A segment that just touches counts with `touching` (OC: ≤) and does not without.
    A segment wholly inside the circle overlaps it. Where a = b the segment is the point a.
    """
    closest_x, closest_y = between(ax, ay, bx, by, segment_fraction(ax, ay, bx, by, x, y))
    dx, dy = x - closest_x, y - closest_y
    square = dx * dx + dy * dy
    return bool(square <= radius * radius if touching else square < radius * radius)
