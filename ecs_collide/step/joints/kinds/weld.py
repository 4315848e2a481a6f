"""A weld: the anchors are one point, and the angle stays; with a spring the angle gives way.

C = p_B - p_A and theta_B - theta_A - reference        the pin's rows and (0, 0, 1)
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import splat
from ecs_collide.step.joints.kinds.rows import put_angle, put_point


@device
def place_weld(field, here):
    put_point(field, here)
    put_angle(field, 2, here.third, here.angle)
    put_angle(field, 3, splat(1.0), here.angle)
