"""Rolling resistance: a torque against the relative spin of two bodies, bounded like friction.

    |torque| <= c R N,  1 / R = 1 / R_a + 1 / R_b

c is the contact's coefficient and N its normal force. R_a is the distance of A's centre of mass from the contact along
the normal, which is the radius of a disc. A body that cannot turn has no radius, and the other one's is R. So a wheel
rolls as if a force c N held its axle back, and a disc that rolls freely slows down by 2/3 c g (Ai, Chen, Rotter & Ooi
2011, model C, with a rigid spring).
"""

from __future__ import annotations

from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.solver_rows import BLOCK, POINT


@device
def prepare_rolling(row, point_count, resistance, impulse):
    """Write the rolling arms, the effective inertia, and the impulse of the last step, limited to what is allowed.

    `resistance` is the coefficient of each contact, `impulse` its rolling impulse in the last step [N m s].
    """
    inertia_a, inertia_b = simd.load(row, BLOCK.INVERSE_INERTIA_A), simd.load(row, BLOCK.INVERSE_INERTIA_B)
    k = inertia_a + inertia_b
    can_turn = k > 0.0
    simd.store(row, BLOCK.ROLLING_MASS, simd.select(can_turn, 1.0 / simd.select(can_turn, k, 1.0), 0.0))
    for i in range(point_count):
        point = row[BLOCK.FIRST + i * POINT.WIDTH :]
        radius_a = simd.absolute(simd.load(point, POINT.TANGENT_ARM_A))
        radius_b = simd.absolute(simd.load(point, POINT.TANGENT_ARM_B))
        both = radius_a + radius_b
        shared = radius_a * radius_b / simd.select(both > 0.0, both, 1.0)
        radius = simd.select(inertia_a > 0.0, simd.select(inertia_b > 0.0, shared, radius_a), radius_b)
        simd.store(point, POINT.ROLLING_ARM, resistance * radius)
    limit = rolling_limit(row, point_count)
    simd.store(row, BLOCK.ROLLING_IMPULSE, simd.minimum(simd.maximum(-limit, impulse), limit))


@device
def rolling_limit(row, point_count):
    """Return the largest impulse against rolling that the normal impulses allow [N m s]."""
    first = row[BLOCK.FIRST :]
    limit = simd.load(first, POINT.ROLLING_ARM) * simd.load(first, POINT.NORMAL_IMPULSE)
    if point_count == 2:
        second = row[BLOCK.SECOND :]
        limit = limit + simd.load(second, POINT.ROLLING_ARM) * simd.load(second, POINT.NORMAL_IMPULSE)
    return limit


@device
def apply_rolling_impulse(row, impulse, wa, wb):
    """Return the spins of both bodies [rad/s] after an impulse against rolling [N m s]."""
    return (
        wa - simd.load(row, BLOCK.INVERSE_INERTIA_A) * impulse,
        wb + simd.load(row, BLOCK.INVERSE_INERTIA_B) * impulse,
    )


@device
def resist_rolling(row, point_count, wa, wb):
    """Stop the relative spin as far as the limit allows; return the new spins [rad/s]. Writes the rolling impulse."""
    old, limit = simd.load(row, BLOCK.ROLLING_IMPULSE), rolling_limit(row, point_count)
    new = old - simd.load(row, BLOCK.ROLLING_MASS) * (wb - wa)
    new = simd.minimum(simd.maximum(-limit, new), limit)
    simd.store(row, BLOCK.ROLLING_IMPULSE, new)
    return apply_rolling_impulse(row, new - old, wa, wb)
