"""Geometry of shapely from shapes, for unions, differences, distances and whatever else shapely computes."""

from __future__ import annotations

import math

from ecs_collide.draw.missing import library_missing
from ecs_collide.draw.shape_outline import ARC_STEPS, largest_arc, outline, placed
from ecs_collide.shapes import Shape
from ecs_collide.shapes.compound import PartPose
from ecs_collide.validate import angle as checked_angle, finite, positive

try:
    import shapely
except ImportError as error:
    raise library_missing("shapely", "shapely") from error


WIDEST_STEP = math.pi / 4.0
"""Greatest angle of a step along an arc [rad]."""


def to_shapely(shape: Shape, pose: PartPose = (0.0, 0.0, 0.0), *, tolerance: float | None = None) -> shapely.Geometry:
    """Return a shape as geometry of shapely: polygons for solids, lines for segments and chains.

    Args:
        shape: a bounded shape.
        pose: position [m] and angle [rad] of the shape, such as `Transform.pose`.
        tolerance: greatest distance of an arc from its polyline [m]; None for steps of 3 degrees.

    Raises:
        TypeError: `shape` is no shape.
        ValueError: the shape is unbounded, or a number is out of range.
        ImportError: shapely is missing.
    """
    if not isinstance(shape, Shape):
        raise TypeError(f"shape must be a Shape, got {shape!r}")
    if not shape.is_bounded:
        raise ValueError(f"shape must be bounded, got {shape!r}, which has no end: cut out the part that you need")
    if len(pose) != 3:
        raise ValueError(f"pose must be (x, y, angle), got {pose!r}")
    x, y, turn = finite(pose[0], "pose[0]"), finite(pose[1], "pose[1]"), checked_angle(pose[2], "pose[2]")
    of_shape = outline(shape, ARC_STEPS[0] if tolerance is None else _arc_step(shape, positive(tolerance, "tolerance")))
    areas = [shapely.Polygon(placed(points, x, y, turn)) for points in of_shape.areas]
    lines = [shapely.LineString(placed(points, x, y, turn)) for points in of_shape.lines]
    return shapely.union_all([*areas, *lines])


def _arc_step(shape: Shape, tolerance: float) -> float:
    """Return the step along arcs [rad] whose chords stay within `tolerance` [m] of them.

    The chord of an angle a leaves an arc of the radius r by r (1 - cos(a/2)) <= r a²/8.
    """
    radius = largest_arc(shape)
    return min(math.sqrt(8.0 * tolerance / radius), WIDEST_STEP) if radius > 0.0 else WIDEST_STEP
