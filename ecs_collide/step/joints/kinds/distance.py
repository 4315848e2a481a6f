"""A rod, rope or spring: with d = p_B - p_A and u = d / |d|, C = |d| - length.

C' = u.(v_B - v_A) + (r_B x u) w_B - (r_A x u) w_A
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import load, select, square_root
from ecs_collide.step.joints.kinds.rows import put_nothing, put_row
from ecs_collide.step.joints.trees import tree_rows as layout

COINCIDENT = 1e-12
"""Anchors that are closer have no direction [m]: the rod is taken to stand along x."""


@device
def place_distance(field, here):
    length = square_root(here.gap_x * here.gap_x + here.gap_y * here.gap_y)
    apart = length > COINCIDENT
    divisor = select(apart, length, 1.0)
    x, y = select(apart, here.gap_x / divisor, 1.0), select(apart, here.gap_y / divisor, 0.0)
    arm_a, arm_b = here.arm_a_x * y - here.arm_a_y * x, here.arm_b_x * y - here.arm_b_y * x
    put_nothing(field, 0)
    put_nothing(field, 1)
    counts = here.third
    error = counts * (length - load(field, layout.REST))
    put_row(field, 2, counts * x, counts * y, counts * arm_a, counts * arm_b, error)
    put_row(field, 3, x, y, arm_a, arm_b, length)
