"""One step of the impulse response in a world with joints: a stage of its own, so that a world without pays nothing.

Contacts and trees of joints see each other as in Gauss-Seidel's method: trees, contacts, move, project, the trees that
have contacts again, contacts relaxed. A body's warm start is the change of velocity that contacts made in the last
substep. What trees change is no part of it, since they are solved anew each time; so it is put aside meanwhile.
"""

from __future__ import annotations

from ecs_collide.columns import solver_state as of_state
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.contacts import Contacts
from ecs_collide.columns.joints import Joints
from ecs_collide.columns.pairs import Pairs
from ecs_collide.compiled.arrays import Ints
from ecs_collide.compiled.kernels import device, stage
from ecs_collide.compiled.simd import load_quad, store_quad
from ecs_collide.engine.basis.tuning import REPEATED_PASSES, Tolerances
from ecs_collide.engine.joints.extra_rows import Extras
from ecs_collide.engine.joints.forest import layout as of_tree
from ecs_collide.engine.joints.forest.layout import BodyTables, Trees
from ecs_collide.engine.joints.prepare import prepare_joints
from ecs_collide.engine.joints.substep import (
    bound_speeds,
    project_trees,
    renew_trees,
    solve_touched,
    solve_velocities,
    store_joints,
    tally,
)
from ecs_collide.engine.response.impulse import impact, layout, prepare
from ecs_collide.engine.response.impulse.layout import Solver
from ecs_collide.engine.response.impulse.softness import Softness
from ecs_collide.engine.response.impulse.step import finish_step, pass_over_contacts, prepare_passes
from ecs_collide.engine.response.impulse.substep import (
    integrate_positions,
    integrate_velocities,
    move_freely,
    warm_start_contacts,
)

HEAVY = 8.0
"""A body that bears so many times its own mass bears much."""
HEAVY_ROUNDS = 8
"""How often trees and contacts are gone through again where a body bears much: a ball on a bridge of light planks.

Its contact knows the plank's mass alone, and what the whole bridge has to bear comes together round by round.
"""
TOUCHED_ROUNDS = 4
"""And where contacts that are solved repeatedly touch trees: of 24 heaps of 12 ragdolls 23 come to rest within 25 s.

Without, two thirds do.
"""


@stage
def step_jointed_bodies(
    movers: Ints,
    bodies: Bodies,
    contacts: Contacts,
    contact_count: int,
    pairs: Pairs,
    solver: Solver,
    joints: Joints,
    trees: Trees,
    extras: Extras,
    tables: BodyTables,
    gravity: tuple[float, float],
    dt: float,
    substeps: int,
    soft: Softness,
    stiff: Softness,
    tolerances: Tolerances,
):
    """Do what `step_bodies` does, with joints; `tables` has at least as many rows as there are movers, and one more.

    Reads and writes the joints too.
    """
    h = dt / substeps
    prepare.prepare_bodies(movers, bodies, solver, gravity[0], gravity[1], h)
    any_touched, has_springs = prepare_joints(trees, tables, joints, bodies, contacts, contact_count, h)
    for row in trees.row:  # contacts have to see the same inertia, or going from one to the other gains energy
        solver.carry[row, layout.INVERSE_INERTIA] = tables.spin[row, of_tree.INERTIA]
    passes = prepare_passes(movers, bodies, contacts, contact_count, pairs, solver, dt, h, soft, stiff, tolerances)
    if passes.block_count > len(solver.block):
        return passes.block_count
    rounds = 0
    if any_touched and passes.repeated_count > 0:
        rounds = HEAVY_ROUNDS if bear_much(trees, tables, solver) else TOUCHED_ROUNDS
    state, near, extra_count = solver.state, tolerances.speculative, 0
    bound_speeds(trees, state, tolerances.push_out_speed)
    for row in trees.row:
        solver.colour[row, layout.TAKEN] |= 1  # for `move_freely` it is not free
    solver.colour[0, layout.TAKEN] = 0
    busy = solver.busy[: move_freely(solver, len(movers) + 1, substeps)]
    for substep in range(substeps):
        if substep == 0 or has_springs:
            extra_count = renew_trees(trees, extras, tables, joints, state, near, h, False)
        if passes.struck_count > 0:
            impact.stop_impacts(solver, passes.struck, h, dt, tolerances)
        integrate_velocities(solver, busy, substep > 0)
        if substep == 0:
            for start, stop, points in passes.kinds:
                warm_start_contacts(solver, start, stop, points)
        put_aside(trees, solver)
        solve_velocities(trees, extras, extra_count, tables, state, h)
        put_aside(trees, solver)
        pass_over_contacts(solver, passes, h, tolerances, False, REPEATED_PASSES)
        for _ in range(rounds):
            put_aside(trees, solver)
            solve_touched(trees, extras, extra_count, tables, state)
            put_aside(trees, solver)
            pass_over_contacts(solver, passes, h, tolerances, False, 0)
        bound_speeds(trees, state, tolerances.push_out_speed)
        integrate_positions(solver, busy)
        extra_count = renew_trees(trees, extras, tables, joints, state, near, h, True)
        project_trees(trees, extras, extra_count, tables, state, tolerances.push_out_speed * h, h)
        if any_touched:
            put_aside(trees, solver)
            solve_touched(trees, extras, extra_count, tables, state)
            put_aside(trees, solver)
        tally(trees)
        pass_over_contacts(solver, passes, h, tolerances, True, REPEATED_PASSES)
    store_joints(trees, tables, joints, state, h, dt)
    finish_step(movers, bodies, contacts, pairs, solver, passes)
    return passes.block_count


@device
def bear_much(trees, tables, solver):
    """Whether any body of the trees bears a heavy one. Reads solver_carry (BEARS), tree_spin."""
    for row in trees.row:
        inverse_mass = max(tables.spin[row, of_tree.MASS_X], tables.spin[row, of_tree.MASS_Y])
        if solver.carry[row, layout.BEARS] * inverse_mass > HEAVY:
            return True
    return False


@device
def put_aside(trees, solver):
    """Before a solve of the trees, keep in BEFORE what contacts have changed; after it, make it BEFORE again.

    Both are one operation. Reads solver_state (velocity). Writes solver_carry (BEFORE).
    """
    state, carry = solver.state, solver.carry
    for row in trees.row:
        velocity = load_quad(state, (row, of_state.VX))
        store_quad(carry, (row, layout.BEFORE), velocity - load_quad(carry, (row, layout.BEFORE)))
