"""The closest point of a segment."""

from __future__ import annotations

from ecs_collide.kernels.kernel import device


@device
def segment_fraction(ax, ay, bx, by, x, y):
    """Return the fraction u in [0, 1] along a-b at which the segment is closest to (x, y); 0 if a = b.

    Source: CC, "closest point on a line". The restriction to a segment and the degenerate case are ours.
    """
    dx, dy = bx - ax, by - ay
    length_squared = dx * dx + dy * dy
    if length_squared == 0.0:
        return 0.0
    return max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / length_squared))
