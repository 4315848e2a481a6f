"""A pin: C = p_B - p_A, two rows; a spring on the angle is the third.

C' = v_B + w_B x r_B - v_A - w_A x r_A        rows (1, 0, -r_y) and (0, 1, r_x) for both bodies
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import splat
from ecs_collide.step.joints.kinds.rows import put_angle, put_point


@device
def place_revolute(field, here):
    put_point(field, here)
    put_angle(field, 2, here.third, here.angle)
    put_angle(field, 3, splat(1.0), here.angle)
