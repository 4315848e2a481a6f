"""Springs that are given by stiffness and damping, as frequencies and damping ratios.

The solver keeps frequency omega and damping ratio zeta of each spring. Its row has the diagonal
k = J M^-1 J^T, which is the inverse of the mass that it moves:

    omega = sqrt(stiffness k)        zeta = damping k / (2 omega)

A damper alone has the lowest frequency, at which its force does not depend on the frequency.
"""

from __future__ import annotations

from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import any_lane, load, maximum, minimum, select, splat, square_root, store
from ecs_collide.step.joints.trees.tree_rows import BLOCK

TWO_PI = 6.283185307179586
STIFFEST = 0.25
"""Largest frequency of a spring, as a part of the substep rate."""
SLOWEST = 1e-12
"""Least phase of a spring in a substep [rad]: below it the force vanishes, and the compliance is infinite."""


@device
def convert_springs(field, k, h):
    """Write frequency and damping ratio of eight springs that are given by stiffness and damping.

    `k` is the diagonal of their rows [1/kg, 1/(kg m^2)]. Reads STIFFNESS, VISCOSITY. Writes OMEGA, DAMPING.
    """
    stiffness, viscosity = load(field, BLOCK.STIFFNESS), load(field, BLOCK.VISCOSITY)
    is_given = ((stiffness > 0.0) | (viscosity > 0.0)) & (k > 0.0)
    if any_lane(is_given):
        slowest, stiffest = splat(SLOWEST / h), splat(TWO_PI * STIFFEST / h)
        omega = minimum(maximum(square_root(maximum(stiffness * k, splat(0.0))), slowest), stiffest)
        store(field, BLOCK.OMEGA, select(is_given, omega, load(field, BLOCK.OMEGA)))
        store(field, BLOCK.DAMPING, select(is_given, viscosity * k / (2.0 * omega), load(field, BLOCK.DAMPING)))
