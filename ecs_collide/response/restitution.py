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
    COUPLING,
    DX,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
    LARGEST_IMPULSE,
    NORMAL_ARM_A,
    NORMAL_ARM_B,
    NORMAL_IMPULSE,
    NORMAL_K,
    NORMAL_MASS,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    POINT,
    POINT_WIDTH,
    RESTITUTION,
    ROW_A,
    ROW_B,
    VX,
)
from ecs_collide.response.substep import solve_together
from ecs_collide.simd import gather4, load, maximum, scatter4, select, store


@device
def point_bounces(row, point, bounce_speed):
    """In which lanes a point approached fast enough and carried an impulse."""
    approached = load(point, APPROACH) <= -bounce_speed
    return approached & (load(point, LARGEST_IMPULSE) > 0.0) & (load(row, RESTITUTION) > 0.0)


@device
def apply_restitution(state, index, blocks, bounces, start, stop, point_count, bounce_speed):
    """One pass over the bouncing points of blocks of one kind. Writes solver_state (velocity), the normal impulses."""
    for k in range(start, stop):
        if not bounces[k]:
            continue
        row = blocks[k]
        vax, vay, wa, mass_ax = gather4(state, VX, index, (k, ROW_A))
        vbx, vby, wb, mass_bx = gather4(state, VX, index, (k, ROW_B))
        _, _, _, mass_ay = gather4(state, DX, index, (k, ROW_A))
        _, _, _, mass_by = gather4(state, DX, index, (k, ROW_B))
        normal_x, normal_y = load(row, NORMAL_X), load(row, NORMAL_Y)
        restitution = load(row, RESTITUTION)
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y

        first = row[POINT:]
        arm_a0, arm_b0 = load(first, NORMAL_ARM_A), load(first, NORMAL_ARM_B)
        demand0 = closing + wb * arm_b0 - wa * arm_a0 + restitution * load(first, APPROACH)
        old0, mass0 = load(first, NORMAL_IMPULSE), load(first, NORMAL_MASS)
        bounces0 = point_bounces(row, first, bounce_speed)
        x0 = select(bounces0, maximum(old0 - mass0 * demand0, 0.0), old0)
        if point_count == 1:
            along = x0 - old0
            twist_a, twist_b = arm_a0 * along, arm_b0 * along
        else:
            second = row[POINT + POINT_WIDTH :]
            arm_a1, arm_b1 = load(second, NORMAL_ARM_A), load(second, NORMAL_ARM_B)
            demand1 = closing + wb * arm_b1 - wa * arm_a1 + restitution * load(second, APPROACH)
            old1, mass1, coupling = load(second, NORMAL_IMPULSE), load(second, NORMAL_MASS), load(row, COUPLING)
            bounces1 = point_bounces(row, second, bounce_speed)
            in_turn1 = maximum(old1 - mass1 * (demand1 + coupling * (x0 - old0)), 0.0)
            x1 = select(bounces1, in_turn1, old1)
            k00, k11 = load(first, NORMAL_K), load(second, NORMAL_K)
            q0, q1 = demand0 - (k00 * old0 + coupling * old1), demand1 - (coupling * old0 + k11 * old1)
            together = bounces0 & bounces1 & (load(row, COUPLED) > 0.0)
            both0, both1 = solve_together(k00, k11, coupling, mass0, mass1, q0, q1, together)
            x0, x1 = select(together, both0, x0), select(together, both1, x1)
            impulse0, impulse1 = x0 - old0, x1 - old1
            along = impulse0 + impulse1
            twist_a, twist_b = arm_a0 * impulse0 + arm_a1 * impulse1, arm_b0 * impulse0 + arm_b1 * impulse1
            add_impulse(second, x1, old1)
        add_impulse(first, x0, old0)
        px, py = along * normal_x, along * normal_y
        wa, wb = wa - load(row, INVERSE_INERTIA_A) * twist_a, wb + load(row, INVERSE_INERTIA_B) * twist_b
        scatter4(state, VX, index, (k, ROW_A), vax - mass_ax * px, vay - mass_ay * py, wa, mass_ax)
        scatter4(state, VX, index, (k, ROW_B), vbx + mass_bx * px, vby + mass_by * py, wb, mass_bx)


@device
def add_impulse(point, impulse, old):
    """Store a point's normal impulse [N s], and what is new of it in the step's total."""
    store(point, NORMAL_IMPULSE, impulse)
    store(point, NORMAL_TOTAL, load(point, NORMAL_TOTAL) + (impulse - old))
