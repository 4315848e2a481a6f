"""A circle against a box at any angle (row 11).

The circle's centre in the box's coordinates, with the box's centre b and angle φ:

    x' = cos φ (c_x − b_x) + sin φ (c_y − b_y)        y' = cos φ (c_y − b_y) − sin φ (c_x − b_x)

and then as for the axis-aligned box from (−w/2, −h/2) to (w/2, h/2) (row 10).

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
    cosine, sine = cos_sin(angle)
    dx, dy = x - center_x, y - center_y
    return cosine * dx + sine * dy, cosine * dy - sine * dx


@elementwise
def oriented_box_region(
    x: Number, y: Number, center_x: Number, center_y: Number, width: NonNegative, height: NonNegative, angle: Angle
) -> BoxRegion:
    """In which Voronoi region of the box the point (x, y) lies; left, right, bottom and top are the box's own.

    Lengths [m], the angle [rad] counter-clockwise; each a number or an array, which holds the numbers of `BoxRegion`.
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
    """Whether the disk around (x, y) and a box, turned by `angle` about its centre, have a point in common.

    Lengths [m], the angle [rad] counter-clockwise; each a number or an array. A circle that just touches counts with
    `touching` and does not without (PC: <). A box without width or height is a segment or a point.
    """
    x, y = _in_box_coordinates(x, y, center_x, center_y, angle)
    half_width, half_height = 0.5 * width, 0.5 * height
    return bool(_circle_box_overlap(x, y, radius, -half_width, -half_height, half_width, half_height, touching))
