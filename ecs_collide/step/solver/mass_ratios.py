"""Contacts with a large mass ratio: light bodies that support heavy ones, or that a kinematic body pushes.

One Gauss-Seidel pass transfers the fraction m / (M + m) of a heavy body's momentum through a light one. The rest
accumulates in the impulses from substep to substep, as in an undamped spring, and throws the heavy body back. So the
contacts of bodies that support much more than their own mass are solved many times in each pass.

The *load* of a body is the largest mass that it supports:

- the mass of a heavier body that touches it; if that is less than ten times its own mass, only if the two meet in an
  impact;
- sixteen times its own mass, if a moving kinematic body hits it;
- nine tenths of the load of a body that touches it, if that is still much.

A soft contact gives way by load / (mass w^2). So contacts whose load is far above their mass are stiffer in
proportion.
"""

from __future__ import annotations

from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.solver_rows import BLOCK, BODY, INDEX

LARGE_RATIO = 3.2
"""Load, in masses of the body, above which its contacts take more passes."""
VERY_LARGE_RATIO = 10.0
"""Mass ratio above which a heavier body is a load without an impact, too."""
STIFF_RATIO = 50.0
"""Load, in masses of the lighter body, above which a contact is stiffer in proportion."""
GREATEST_STIFFENING = 20.0
"""Largest factor by which a contact is stiffer."""
PUSHED_RATIO = 16.0
"""Load of a body that a kinematic body pushes, in its own masses."""
LOAD_SHARE = 0.9
"""Part of a load that a body passes on to a body that supports it."""
SPREAD_PASSES = 8
"""Greatest number of passes over all blocks that spread loads."""


@device
def find_loads(solver, k, light, heavy, impacted, pusher):
    """Find the loads that the bodies of block k put on each other; return True if any load is large.

    By lane, `light` and `heavy` are the greater and the lesser inverse mass [1/kg]. `impacted` is True if the bodies
    meet in an impact, `pusher` if one of them moves but is immovable. Writes solver_body (LOAD).
    """
    is_loaded = (light > LARGE_RATIO * heavy) & (heavy > 0.0) & (impacted | (light > VERY_LARGE_RATIO * heavy))
    is_pushed = (heavy <= 0.0) & (light > 0.0) & impacted & pusher
    if not simd.any_lane(is_loaded | is_pushed):
        return False
    mass = 1.0 / simd.select(is_loaded, heavy, simd.select(is_pushed, light, 1.0))
    simd.store(solver.scratch, 0, simd.select(is_loaded, mass, PUSHED_RATIO * mass))
    bits = simd.lane_bits(is_loaded | is_pushed)
    for lane in range(simd.LANES):
        if (bits >> lane) & 1:
            for side in (INDEX.ROW_A, INDEX.ROW_B):
                body = solver.index[k, side, lane]
                solver.body[body, BODY.LOAD] = max(solver.body[body, BODY.LOAD], solver.scratch[0, lane])
    return True


@device
def inverse_masses(solver, rows):
    """Return the greater inverse mass of both axes, of eight bodies [1/kg]."""
    _, _, _, mass_x = simd.gather4(solver.state, STATE.VX, solver.index, rows)
    _, _, _, mass_y = simd.gather4(solver.state, STATE.DX, solver.index, rows)
    return simd.maximum(mass_x, mass_y)


@device
def spread_loads(solver, blocks):
    """Spread loads through the contacts, from each body to those that support it. Writes solver_body (LOAD)."""
    body, index = solver.body, solver.index
    for _ in range(SPREAD_PASSES):
        changed = False
        for k in range(blocks):
            ax, ay, inertia_a, load_a = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_A))
            bx, by, inertia_b, load_b = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_B))
            if not simd.any_lane((load_a > 0.0) | (load_b > 0.0)):
                continue
            mass_a, mass_b = inverse_masses(solver, (k, INDEX.ROW_A)), inverse_masses(solver, (k, INDEX.ROW_B))
            new_a, new_b = LOAD_SHARE * load_b, LOAD_SHARE * load_a
            to_a = (new_a > load_a) & (new_a * mass_a > LARGE_RATIO)
            to_b = (new_b > load_b) & (new_b * mass_b > LARGE_RATIO)
            if simd.any_lane(to_a | to_b):
                changed = True
                load_a, load_b = simd.select(to_a, new_a, load_a), simd.select(to_b, new_b, load_b)
                simd.scatter4(body, BODY.CENTER_X, index, (k, INDEX.ROW_A), ax, ay, inertia_a, load_a)
                simd.scatter4(body, BODY.CENTER_X, index, (k, INDEX.ROW_B), bx, by, inertia_b, load_b)
        if not changed:
            return


@device
def list_repeated_blocks(solver, start, stop, count):
    """Append the blocks with a large load to the `count` listed blocks; return the new number of blocks.

    Reads solver_body. Writes solver_repeated_blocks, and to solver_block the softness of contacts with a large load.
    """
    body, index = solver.body, solver.index
    for k in range(start, stop):
        _, _, _, load_a = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_A))
        _, _, _, load_b = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_B))
        if not simd.any_lane((load_a > 0.0) | (load_b > 0.0)):
            continue
        mass_a, mass_b = inverse_masses(solver, (k, INDEX.ROW_A)), inverse_masses(solver, (k, INDEX.ROW_B))
        ratio = simd.maximum(load_a, load_b) * simd.maximum(mass_a, mass_b)
        if simd.any_lane(ratio > LARGE_RATIO):
            row = solver.block[k]
            stiffening = simd.minimum(simd.maximum(ratio / STIFF_RATIO, 1.0), GREATEST_STIFFENING)
            softening = 1.0 + (simd.load(row, BLOCK.SOFTENING) - 1.0) / stiffening
            simd.store(row, BLOCK.SOFTENING, softening)
            simd.store(row, BLOCK.MASS_SCALE, 1.0 / softening)
            solver.repeated_blocks[count] = k
            count += 1
    return count
