"""Where one pass in a substep is not enough: light bodies under heavy ones, or pushed by what nothing stops.

One Gauss-Seidel pass hands the fraction m / (M + m) of a heavy body's momentum on through a light one. What is missing
gathers in the impulses from substep to substep, as in an undamped spring, and throws the heavy body back. So contacts
of bodies that bear much more than their own mass are solved many times in each pass.

A body bears the mass of a heavier one that touches it; if that is less than ten times its own, only where the two come
together in an impact. What a moving kinematic body runs into bears sixteen times its own mass. From
there the load goes on through the contacts, a tenth less in each, as long as it is much. A soft contact gives way by
load / (its mass w^2), so contacts with more than ten times their mass on them are as much stiffer.
"""

from __future__ import annotations

from ecs_collide.data import solver_state as of_state
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.solver_rows import BLOCK, BODY, INDEX

UNEVEN = 3.2
"""More than so many times its mass on a body takes more passes."""
VERY_UNEVEN = 10.0
"""More than so many take them without an impact too."""
GIVES_WAY = 50.0
"""A contact that bears so many times the lesser mass is as stiff as any; beyond, it is stiffer in proportion."""
STIFFEST = 20.0
PUSHED = 16.0
HANDED_ON = 0.9
SPREADS = 8
"""Passes over all blocks in which loads are handed on, at most."""


@device
def note_loads(solver, k, light, heavy, struck, pusher):
    """Let the bodies of block k bear each other; return whether any of them bears much.

    `light` and `heavy` are the greater and lesser inverse mass [1/kg], `struck` says where they come together fast,
    `pusher` where one of them moves but cannot be moved. Writes solver_carry (BEARS).
    """
    uneven = (light > UNEVEN * heavy) & (heavy > 0.0) & (struck | (light > VERY_UNEVEN * heavy))
    pushed = (heavy <= 0.0) & (light > 0.0) & struck & pusher
    if not simd.any_lane(uneven | pushed):
        return False
    mass = 1.0 / simd.select(uneven, heavy, simd.select(pushed, light, 1.0))
    simd.store(solver.scratch, 0, simd.select(uneven, mass, PUSHED * mass))
    bits = simd.lane_bits(uneven | pushed)
    for lane in range(simd.LANES):
        if (bits >> lane) & 1:
            for side in (INDEX.ROW_A, INDEX.ROW_B):
                body = solver.index[k, side, lane]
                solver.body[body, BODY.LOAD] = max(solver.body[body, BODY.LOAD], solver.scratch[0, lane])
    return True


@device
def inverse_masses(solver, rows):
    """The greatest inverse mass along an axis of eight bodies [1/kg]."""
    _, _, _, mass_x = simd.gather4(solver.state, of_state.VX, solver.index, rows)
    _, _, _, mass_y = simd.gather4(solver.state, of_state.DX, solver.index, rows)
    return simd.maximum(mass_x, mass_y)


@device
def hand_loads_on(solver, blocks):
    """Let loads reach what is behind the bodies that bear them. Writes solver_carry (BEARS)."""
    body, index = solver.body, solver.index
    for _ in range(SPREADS):
        changed = False
        for k in range(blocks):
            ax, ay, inertia_a, bears_a = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_A))
            bx, by, inertia_b, bears_b = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_B))
            if not simd.any_lane((bears_a > 0.0) | (bears_b > 0.0)):
                continue
            mass_a, mass_b = inverse_masses(solver, (k, INDEX.ROW_A)), inverse_masses(solver, (k, INDEX.ROW_B))
            handed_a, handed_b = HANDED_ON * bears_b, HANDED_ON * bears_a
            to_a = (handed_a > bears_a) & (handed_a * mass_a > UNEVEN)
            to_b = (handed_b > bears_b) & (handed_b * mass_b > UNEVEN)
            if simd.any_lane(to_a | to_b):
                changed = True
                bears_a, bears_b = simd.select(to_a, handed_a, bears_a), simd.select(to_b, handed_b, bears_b)
                simd.scatter4(body, BODY.CENTER_X, index, (k, INDEX.ROW_A), ax, ay, inertia_a, bears_a)
                simd.scatter4(body, BODY.CENTER_X, index, (k, INDEX.ROW_B), bx, by, inertia_b, bears_b)
        if not changed:
            return


@device
def list_repeated(solver, start, stop, count):
    """Append the blocks with a contact that bears much to the `count` listed ones; return how many there are then.

    Reads solver_carry. Writes solver_repeated, and to solver_block the softness of very uneven contacts.
    """
    body, index = solver.body, solver.index
    for k in range(start, stop):
        _, _, _, bears_a = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_A))
        _, _, _, bears_b = simd.gather4(body, BODY.CENTER_X, index, (k, INDEX.ROW_B))
        if not simd.any_lane((bears_a > 0.0) | (bears_b > 0.0)):
            continue
        mass_a, mass_b = inverse_masses(solver, (k, INDEX.ROW_A)), inverse_masses(solver, (k, INDEX.ROW_B))
        ratio = simd.maximum(bears_a, bears_b) * simd.maximum(mass_a, mass_b)
        if simd.any_lane(ratio > UNEVEN):
            row = solver.block[k]
            stiffer = simd.minimum(simd.maximum(ratio / GIVES_WAY, 1.0), STIFFEST)
            softening = 1.0 + (simd.load(row, BLOCK.SOFTENING) - 1.0) / stiffer
            simd.store(row, BLOCK.SOFTENING, softening)
            simd.store(row, BLOCK.MASS_SCALE, 1.0 / softening)
            solver.repeated_blocks[count] = k
            count += 1
    return count
