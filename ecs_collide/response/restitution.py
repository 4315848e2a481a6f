"""Bouncing, after the substeps: v_n' = -e v_n of the approach speed at the step's start.

A point bounces if it approached faster than the threshold and carried an impulse in any substep: the largest
impulse counts, for by the last substep the bodies may have parted. Several passes let the bounce travel through
crowds.
"""

from __future__ import annotations

from ecs_collide.jit import device
from ecs_collide.response.layout import (
    APPROACH,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
    INVERSE_MASS_X,
    INVERSE_MASS_Y,
    LARGEST_IMPULSE,
    NORMAL_ARM_A,
    NORMAL_ARM_B,
    NORMAL_IMPULSE,
    NORMAL_MASS,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    POINT,
    POINT_COUNT,
    POINT_WIDTH,
    RESTITUTION,
    ROW_A,
    ROW_B,
    VX,
    VY,
    W,
)


@device
def apply_restitution(state, index, rows, count, bounce_speed):
    """One pass over the bouncing points. Writes solver_state (velocity), the normal impulses."""
    for k in range(count):
        row = rows[k]
        restitution = row[RESTITUTION]
        if restitution == 0.0:
            continue
        a, b = index[k, ROW_A], index[k, ROW_B]
        normal_x, normal_y = row[NORMAL_X], row[NORMAL_Y]
        for i in range(index[k, POINT_COUNT]):
            point = row[POINT + i * POINT_WIDTH :]
            if point[APPROACH] > -bounce_speed or point[LARGEST_IMPULSE] == 0.0:
                continue
            arm_a, arm_b = point[NORMAL_ARM_A], point[NORMAL_ARM_B]
            speed = (
                (state[b, VX] - state[a, VX]) * normal_x
                + (state[b, VY] - state[a, VY]) * normal_y
                + state[b, W] * arm_b
                - state[a, W] * arm_a
            )
            old = point[NORMAL_IMPULSE]
            new = max(0.0, old - point[NORMAL_MASS] * (speed + restitution * point[APPROACH]))
            point[NORMAL_IMPULSE] = new
            impulse = new - old
            point[NORMAL_TOTAL] += impulse
            px, py = impulse * normal_x, impulse * normal_y
            state[a, VX] -= state[a, INVERSE_MASS_X] * px
            state[a, VY] -= state[a, INVERSE_MASS_Y] * py
            state[a, W] -= row[INVERSE_INERTIA_A] * arm_a * impulse
            state[b, VX] += state[b, INVERSE_MASS_X] * px
            state[b, VY] += state[b, INVERSE_MASS_Y] * py
            state[b, W] += row[INVERSE_INERTIA_B] * arm_b * impulse
