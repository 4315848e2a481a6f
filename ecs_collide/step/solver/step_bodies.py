"""One step of the impulse response: the order of its stages, in one compiled function."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.common import tolerances as tuning
from ecs_collide.common.tolerances import Tolerances
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import Pairs
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, stage
from ecs_collide.step.solver import (
    contact_colouring as colour,
    impact,
    prepare_contacts as prepare,
    store_results as store,
)
from ecs_collide.step.solver.mass_ratios import hand_loads_on, list_repeated
from ecs_collide.step.solver.push_out import push_out
from ecs_collide.step.solver.softness import contact_softness
from ecs_collide.step.solver.solver_rows import NOT_LISTED, Solver
from ecs_collide.step.solver.step_parameters import Pace
from ecs_collide.step.solver.substep import (
    integrate_positions,
    integrate_velocities,
    move_freely,
    solve_contacts,
    warm_start_contacts,
)

Range = tuple[int, int, int]
"""The first of some blocks, the one behind the last, and the number of their contacts' points."""


class Passes(NamedTuple):
    """Which contacts a substep goes through."""

    block_count: int
    """How many blocks there are."""
    kinds: tuple[Range, Range]
    """All of them."""
    repeated: tuple[Range, Range]
    """Those, of `solver_repeated`, that are solved several times."""
    repeated_count: int
    struck: tuple[Range, Range]
    """Those, of `solver_struck`, that an impact can reach."""
    struck_count: int


@device
def prepare_passes(movers, bodies, contacts, contact_count, pairs, solver, pace, tolerances):
    """Colour the contacts and fill their blocks, part what was put into each other, and say what passes go through.

    Where `solver` has too few blocks, nothing but colouring is done.
    """
    single_count, block_count = colour.colour_contacts(contacts, contact_count, bodies, solver)
    kinds = ((0, single_count, 1), (single_count, block_count, 2))
    if block_count > len(solver.block):
        return Passes(block_count, kinds, kinds, 0, kinds, 0)
    colour.fill_blocks(contacts, contact_count, bodies, pairs, solver)
    soft, stiff = contact_softness(pace.dt / pace.substeps, tolerances.contact_hertz)
    bouncing, farthest, uneven = prepare.prepare_contacts(
        contacts, pairs, solver, single_count, block_count, soft, stiff, pace.dt, tolerances
    )
    first_struck, struck_count = 0, 0
    if bouncing or farthest > 0:
        impact.hand_impacts_on(solver, block_count, farthest)
        first_struck = impact.list_struck(solver, 0, single_count, 0)
        struck_count = impact.list_struck(solver, single_count, block_count, first_struck)
    struck = ((0, first_struck, 1), (first_struck, struck_count, 2))
    first_repeated, repeated_count = 0, 0
    if uneven:
        hand_loads_on(solver, block_count)
        first_repeated = list_repeated(solver, 0, single_count, 0)
        repeated_count = list_repeated(solver, single_count, block_count, first_repeated)
    solver.repeated_blocks[repeated_count:] = NOT_LISTED
    repeated = ((0, first_repeated, 1), (first_repeated, repeated_count, 2))
    if solver.any_merged[0]:
        push_out(movers, pairs, solver, kinds, soft.bias_rate, pace.dt, tolerances)
    return Passes(block_count, kinds, repeated, repeated_count, struck, struck_count)


@device
def pass_over_contacts(solver, passes, h, tolerances, relaxing, repeats):
    """Solve all contacts, and those that bear much so many times again."""
    for repeat in range(1 + repeats if passes.repeated_count > 0 else 1):
        listed, ranges = (solver.all_blocks, passes.kinds) if repeat == 0 else (solver.repeated_blocks, passes.repeated)
        for start, stop, points in ranges:
            solve_contacts(solver, listed, start, stop, points, h, tolerances, relaxing, repeat > 0)


@device
def finish_step(movers, bodies, contacts, pairs, solver, passes, rest):
    """Give back what the step has moved, and what its contacts bore. What went further than `rest` [m] is not still."""
    store.store_bodies(movers, bodies, solver, rest)
    store.store_impulses(contacts, pairs, solver, passes.kinds[1][0], passes.block_count)


@stage
def step_bodies(
    movers: Ints,
    bodies: Bodies,
    contacts: Contacts,
    contact_count: int,
    pairs: Pairs,
    solver: Solver,
    pace: Pace,
    tolerances: Tolerances,
):
    """Move the bodies in rows `movers` by a step, with contacts answered by soft impulses; return the blocks needed.

    Where `solver` has fewer blocks than that, nothing was done: call again with as many.
    Reads body_mass, body_motion, body_force, the contacts. Writes body_pose, body_velocity, body_frame,
    pair_impulse, contact_normal_impulse and contact_tangent_impulse; clears body_push.
    """
    h, gravity = pace.dt / pace.substeps, pace.gravity
    prepare.prepare_bodies(movers, bodies, solver, gravity[0], gravity[1], h)
    passes = prepare_passes(movers, bodies, contacts, contact_count, pairs, solver, pace, tolerances)
    if passes.block_count > len(solver.block):
        return passes.block_count
    busy = solver.in_contact[: move_freely(solver, len(movers) + 1, pace.substeps)]
    for substep in range(pace.substeps):
        if passes.struck_count > 0:
            impact.stop_impacts(solver, passes.struck, h, pace.dt, tolerances)
        integrate_velocities(solver, busy, substep > 0)
        if substep == 0:
            for start, stop, points in passes.kinds:
                warm_start_contacts(solver, start, stop, points)
        for relaxing in (False, True):  # not two calls with constants, which would be compiled twice
            pass_over_contacts(solver, passes, h, tolerances, relaxing, tuning.REPEATED_PASSES)
            if not relaxing:
                integrate_positions(solver, busy)
    finish_step(movers, bodies, contacts, pairs, solver, passes, tolerances.sleep_speed * pace.dt)
    return passes.block_count
