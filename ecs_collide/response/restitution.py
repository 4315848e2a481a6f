"""Bouncing, after the substeps: v_n' = -e v_n of the approach speed at the step's start.

A point bounces if it approached faster than the threshold and carried an impulse in any substep: the largest
impulse counts, for by the last substep the bodies may have parted. Several passes let the bounce travel through
crowds.
"""

from __future__ import annotations

from ecs_collide.jit import device
from ecs_collide.response.layout import (
    APPROACH,
    COUPLED,
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
from ecs_collide.response.substep import solve_coupled


@device
def bounces(point, bounce_speed):
    """Whether a point approached fast enough and carried an impulse."""
    return point[APPROACH] <= -bounce_speed and point[LARGEST_IMPULSE] > 0.0


@device
def normal_speed(state, a, b, row, point):
    """The speed at which a point's two sides part along the normal [m/s]."""
    return (
        (state[b, VX] - state[a, VX]) * row[NORMAL_X]
        + (state[b, VY] - state[a, VY]) * row[NORMAL_Y]
        + state[b, W] * point[NORMAL_ARM_B]
        - state[a, W] * point[NORMAL_ARM_A]
    )


@device
def apply_normal_impulse(state, a, b, row, point, impulse):
    """Give an impulse [N s] along the normal to both bodies. Writes solver_state (velocity), the point's total."""
    point[NORMAL_TOTAL] += impulse
    px, py = impulse * row[NORMAL_X], impulse * row[NORMAL_Y]
    state[a, VX] -= state[a, INVERSE_MASS_X] * px
    state[a, VY] -= state[a, INVERSE_MASS_Y] * py
    state[a, W] -= row[INVERSE_INERTIA_A] * point[NORMAL_ARM_A] * impulse
    state[b, VX] += state[b, INVERSE_MASS_X] * px
    state[b, VY] += state[b, INVERSE_MASS_Y] * py
    state[b, W] += row[INVERSE_INERTIA_B] * point[NORMAL_ARM_B] * impulse


@device
def apply_restitution(state, index, rows, count, bounce_speed):
    """One pass over the bouncing points. Writes solver_state (velocity), the normal impulses."""
    for k in range(count):
        row = rows[k]
        restitution = row[RESTITUTION]
        if restitution == 0.0:
            continue
        a, b = index[k, ROW_A], index[k, ROW_B]
        if (
            index[k, COUPLED] != 0
            and bounces(row[POINT:], bounce_speed)
            and bounces(row[POINT + POINT_WIDTH :], bounce_speed)
        ):
            first, second = row[POINT:], row[POINT + POINT_WIDTH :]
            demand0 = normal_speed(state, a, b, row, first) + restitution * first[APPROACH]
            demand1 = normal_speed(state, a, b, row, second) + restitution * second[APPROACH]
            impulse0, impulse1 = solve_coupled(row, 1.0, 1.0, demand0, demand1)
            apply_normal_impulse(state, a, b, row, first, impulse0)
            apply_normal_impulse(state, a, b, row, second, impulse1)
            continue
        for i in range(index[k, POINT_COUNT]):
            point = row[POINT + i * POINT_WIDTH :]
            if not bounces(point, bounce_speed):
                continue
            demand = normal_speed(state, a, b, row, point) + restitution * point[APPROACH]
            old = point[NORMAL_IMPULSE]
            new = max(0.0, old - point[NORMAL_MASS] * demand)
            point[NORMAL_IMPULSE] = new
            apply_normal_impulse(state, a, b, row, point, new - old)
