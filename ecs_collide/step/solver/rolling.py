"""Rolling resistance: a torque against the relative spin of two bodies, bounded like friction.

    |torque| <= c R N,  1 / R = 1 / R_a + 1 / R_b

c is the contact's coefficient and N its normal force. R_a is how far A's centre of mass is from the contact, along the
normal: the radius of a disc. What cannot be turned has none. So a wheel with c rolls on as if a force c N held its axle
back, and a disc that rolls freely slows down by 2/3 c g (Ai, Chen, Rotter & Ooi 2011, model C, with a rigid spring).
"""

from __future__ import annotations

from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.solver_rows import BLOCK, POINT


@device
def prepare_rolling(row, point_count, resistance, impulse):
    """Write the torque that each newton at a point allows [m], the inertia, and of the last step's `impulse` what that
    allows [N m s].
    """
    inertia_a, inertia_b = simd.load(row, BLOCK.INVERSE_INERTIA_A), simd.load(row, BLOCK.INVERSE_INERTIA_B)
    k = inertia_a + inertia_b
    turns = k > 0.0
    simd.store(row, BLOCK.ROLLING_MASS, simd.select(turns, 1.0 / simd.select(turns, k, 1.0), 0.0))
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
    """The largest impulse against rolling that contacts allow [N m s]."""
    first = row[BLOCK.FIRST :]
    limit = simd.load(first, POINT.ROLLING_ARM) * simd.load(first, POINT.NORMAL_IMPULSE)
    if point_count == 2:
        second = row[BLOCK.SECOND :]
        limit = limit + simd.load(second, POINT.ROLLING_ARM) * simd.load(second, POINT.NORMAL_IMPULSE)
    return limit


@device
def turned_by(row, impulse, wa, wb):
    """The spins of both bodies [rad/s] after an impulse against rolling [N m s]."""
    return (
        wa - simd.load(row, BLOCK.INVERSE_INERTIA_A) * impulse,
        wb + simd.load(row, BLOCK.INVERSE_INERTIA_B) * impulse,
    )


@device
def resist_rolling(row, point_count, wa, wb):
    """Stop the relative spin of both bodies as far as the limit allows; return their spins then. Writes the impulse."""
    old, limit = simd.load(row, BLOCK.ROLLING_IMPULSE), rolling_limit(row, point_count)
    new = old - simd.load(row, BLOCK.ROLLING_MASS) * (wb - wa)
    new = simd.minimum(simd.maximum(-limit, new), limit)
    simd.store(row, BLOCK.ROLLING_IMPULSE, new)
    return turned_by(row, new - old, wa, wb)
