"""Passes of a substep over the contacts: the blocks that each pass solves, and how often."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.kernels.kernel import device, subroutine
from ecs_collide.step.solver import contact_colouring as colour, impact, prepare_contacts as prepare
from ecs_collide.step.solver.mass_ratios import list_repeated_blocks, spread_loads
from ecs_collide.step.solver.push_out import push_merged_apart
from ecs_collide.step.solver.softness import contact_softness
from ecs_collide.step.solver.solve_contacts import solve_contacts
from ecs_collide.step.solver.solver_rows import NOT_LISTED

Range = tuple[int, int, int]
"""First block, block behind the last one, and the number of points of their contacts."""


class Passes(NamedTuple):
    """Blocks that a substep goes through, each as the ranges for contacts of one point and of two."""

    block_count: int
    """Number of blocks."""
    kinds: tuple[Range, Range]
    """All blocks."""
    repeated: tuple[Range, Range]
    """Blocks in `solver_repeated_blocks`, which are solved several times."""
    repeated_count: int
    """Number of these blocks."""
    impacted: tuple[Range, Range]
    """Blocks in `solver_impact_blocks`, which an impact can reach."""
    impacted_count: int
    """Number of these blocks."""


@device
def prepare_passes(rows, bodies, contacts, contact_count, pairs, solver, colours, step, tolerances):
    """Fill the blocks of the contacts, and shift merged pairs apart; return the blocks of the passes.

    `rows` are the solver rows of the bodies that may have a contact, and `colours` is the result of `colour_contacts`.
    """
    # Put the contacts into blocks.
    single_count, block_count, colour_count = colours
    kinds = ((0, single_count, 1), (single_count, block_count, 2))
    colour.fill_blocks(contacts, contact_count, bodies, pairs, solver, colour_count)
    soft, stiff = contact_softness(step.dt / step.substeps, tolerances.contact_hertz)
    bouncing, farthest, any_loaded = prepare.prepare_contacts(
        contacts, pairs, solver, single_count, block_count, soft, stiff, step.dt, tolerances
    )
    # List the blocks that impacts reach, and those with large loads.
    first_impacted, impacted_count = 0, 0
    if bouncing or farthest > 0:
        impact.spread_impacts(solver, block_count, farthest)
        first_impacted = impact.list_impact_blocks(solver, 0, single_count, 0)
        impacted_count = impact.list_impact_blocks(solver, single_count, block_count, first_impacted)
    impacted = ((0, first_impacted, 1), (first_impacted, impacted_count, 2))
    first_repeated, repeated_count = 0, 0
    if any_loaded:
        spread_loads(solver, block_count)
        first_repeated = list_repeated_blocks(solver, 0, single_count, 0)
        repeated_count = list_repeated_blocks(solver, single_count, block_count, first_repeated)
    solver.repeated_blocks[repeated_count:] = NOT_LISTED
    repeated = ((0, first_repeated, 1), (first_repeated, repeated_count, 2))
    if solver.any_merged[0]:
        push_merged_apart(rows, pairs, solver, kinds, soft.bias_rate, step.dt, tolerances)
    return Passes(
        block_count=block_count,
        kinds=kinds,
        repeated=repeated,
        repeated_count=repeated_count,
        impacted=impacted,
        impacted_count=impacted_count,
    )


@subroutine
def pass_over_contacts(solver, passes, h, tolerances, relaxing, repeats):
    """Solve all contacts, and those with a large load `repeats` more times."""
    for repeat in range(1 + repeats if passes.repeated_count > 0 else 1):
        listed, ranges = (solver.all_blocks, passes.kinds) if repeat == 0 else (solver.repeated_blocks, passes.repeated)
        for start, stop, points in ranges:
            solve_contacts(solver, listed, start, stop, points, h, tolerances, relaxing, repeat > 0)
