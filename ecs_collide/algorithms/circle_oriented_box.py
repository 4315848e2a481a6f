"""A circle against a box at any angle (row 11).

The circle's centre in the box's coordinates, with the box's centre b and angle φ:

    x' = cos φ (c_x − b_x) + sin φ (c_y − b_y)        y' = cos φ (c_y − b_y) − sin φ (c_x − b_x)

The rest is the test of the axis-aligned box from (−w/2, −h/2) to (w/2, h/2) (row 10).

Source: PC "Curved shapes": "it is best to work in the transformed coordinate system of BB".
"""

from __future__ import annotations

from ecs_collide.algorithms.circle_box import BoxRegion, box_region, circle_box_overlap
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.elementwise import Angle, NonNegative, Number, elementwise
from ecs_collide.kernels.kernel import device

_box_region = box_region.kernel
_circle_box_overlap = circle_box_overlap.kernel


@device
def _in_box_coordinates(x, y, center_x, center_y, angle):
    """Return a point in the box's coordinates [m]."""
    cosine, sine = cos_sin(angle)
    dx, dy = x - center_x, y - center_y
    return cosine * dx + sine * dy, cosine * dy - sine * dx


@elementwise
def oriented_box_region(
    x: Number, y: Number, center_x: Number, center_y: Number, width: NonNegative, height: NonNegative, angle: Angle
) -> BoxRegion:
    """Return the Voronoi region of a rotated box that contains a point.

    Left, right, bottom and top are those of the box before its rotation. Source: PC.

    Args:
        x, y: point [m].
        center_x, center_y: centre of the box [m].
        width, height: sides of the box [m].
        angle: rotation of the box, counter-clockwise [rad].

    Returns:
        A `BoxRegion`; an array of its numbers if an argument is an array.
    """
    x, y = _in_box_coordinates(x, y, center_x, center_y, angle)
    return _box_region(x, y, -0.5 * width, -0.5 * height, 0.5 * width, 0.5 * height)  # type: ignore[no-any-return]


@elementwise
def circle_oriented_box_overlap(
    x: Number,
    y: Number,
    radius: NonNegative,
    center_x: Number,
    center_y: Number,
    width: NonNegative,
    height: NonNegative,
    angle: Angle,
    touching: bool = True,
) -> bool:
    """Return True if a disk and a rotated box have a point in common.

    A box without width or height is a segment or a point. Source: PC.

    Args:
        x, y, radius: centre and radius of the circle [m].
        center_x, center_y: centre of the box [m].
        width, height: sides of the box [m].
        angle: rotation of the box about its centre, counter-clockwise [rad].
        touching: True if a circle that only touches counts (PC: <).

    Returns:
        A bool; an array of bool if an argument is an array.
    """
    x, y = _in_box_coordinates(x, y, center_x, center_y, angle)
    half_width, half_height = 0.5 * width, 0.5 * height
    return bool(_circle_box_overlap(x, y, radius, -half_width, -half_height, half_width, half_height, touching))
