"""Joints without a rigid row: a target that pulls a point, friction between two bodies. They act within their limits.

target  C = p_B - p_A, A's anchor being the target        friction  C' alone
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import splat
from ecs_collide.step.joints.kinds.rows import put_angle, put_nothing


@device
def place_loose(field, here):
    put_nothing(field, 0)
    put_nothing(field, 1)
    put_nothing(field, 2)
    put_angle(field, 3, splat(1.0), here.angle)
