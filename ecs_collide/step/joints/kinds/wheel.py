"""A wheel on a suspension: B's anchor stays on a line through A's, along an axis a that is turned with A; B turns.

C = n.d, with n = a turned left        the slider's first row, and its spring along a
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, splat
from ecs_collide.step.joints.kinds.rows import put_along, put_nothing
from ecs_collide.step.joints.trees import tree_rows as layout


@device
def place_wheel(field, here):
    along = here.axis_x * here.gap_x + here.axis_y * here.gap_y
    across = here.axis_x * here.gap_y - here.axis_y * here.gap_x
    put_along(field, 0, splat(1.0), -here.axis_y, here.axis_x, here, across)
    put_nothing(field, 1)
    put_along(field, 2, here.third, here.axis_x, here.axis_y, here, along - load(field, layout.REST))
    put_along(field, 3, splat(1.0), here.axis_x, here.axis_y, here, along)
