"""One step of the impulse response in a world with joints: a stage of its own, so that a world without pays nothing.

Contacts and trees of joints see each other as in Gauss-Seidel's method: trees, contacts, move, project, the trees that
have contacts again, contacts relaxed. A body's warm start is the change of velocity that contacts made in the last
substep. What trees change is no part of it, since they are solved anew each time; so it is put aside meanwhile.
"""

from __future__ import annotations

from ecs_collide.columns import solver_state as of_state
from ecs_collide.columns.bodies import Bodies
from ecs_collide.columns.contacts import Contacts
from ecs_collide.columns.pairs import Pairs
from ecs_collide.compiled.arrays import Ints
from ecs_collide.compiled.kernels import device, stage
from ecs_collide.compiled.simd import load_quad, store_quad
from ecs_collide.engine.basis.tuning import REPEATED_PASSES, Tolerances
from ecs_collide.engine.joints import substep as of_trees
from ecs_collide.engine.joints.forest import layout as of_tree
from ecs_collide.engine.joints.linkage import Linkage
from ecs_collide.engine.joints.prepare import prepare_joints
from ecs_collide.engine.response.impulse import impact, layout, prepare, substep as of_contacts
from ecs_collide.engine.response.impulse.layout import Solver
from ecs_collide.engine.response.impulse.pace import Pace
from ecs_collide.engine.response.impulse.step import finish_step, pass_over_contacts, prepare_passes

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
    linkage: Linkage,
    pace: Pace,
    tolerances: Tolerances,
):
    """Do what `step_bodies` does, with joints. Reads and writes the joints too."""
    h, gravity, trees = pace.dt / pace.substeps, pace.gravity, linkage.trees
    prepare.prepare_bodies(movers, bodies, solver, gravity[0], gravity[1], h)
    any_touched, has_springs = prepare_joints(linkage, bodies, contacts, contact_count, h)
    for row in trees.row:  # contacts have to see the same inertia, or going from one to the other gains energy
        solver.carry[row, layout.INVERSE_INERTIA] = linkage.tables.spin[row, of_tree.INERTIA]
    passes = prepare_passes(movers, bodies, contacts, contact_count, pairs, solver, pace, tolerances)
    if passes.block_count > len(solver.block):
        return passes.block_count
    rounds = 0
    if any_touched and passes.repeated_count > 0:
        rounds = HEAVY_ROUNDS if bear_much(trees, linkage.tables, solver) else TOUCHED_ROUNDS
    state, near, push_out, extra_count = solver.state, tolerances.speculative, tolerances.push_out_speed, 0
    of_trees.bound_speeds(trees, state, push_out)
    for row in trees.row:
        solver.colour[row, layout.TAKEN] |= 1  # for `move_freely` it is not free
    solver.colour[0, layout.TAKEN] = 0
    busy = solver.busy[: of_contacts.move_freely(solver, len(movers) + 1, pace.substeps)]
    for substep in range(pace.substeps):
        if substep == 0 or has_springs:
            extra_count = of_trees.renew_trees(linkage, state, near, h, False)
        if passes.struck_count > 0:
            impact.stop_impacts(solver, passes.struck, h, pace.dt, tolerances)
        of_contacts.integrate_velocities(solver, busy, substep > 0)
        if substep == 0:
            for start, stop, points in passes.kinds:
                of_contacts.warm_start_contacts(solver, start, stop, points)
        put_aside(trees, solver)
        of_trees.solve_velocities(linkage, extra_count, state, h)
        put_aside(trees, solver)
        pass_over_contacts(solver, passes, h, tolerances, False, REPEATED_PASSES)
        for _ in range(rounds):
            solve_touched_again(linkage, extra_count, solver)
            pass_over_contacts(solver, passes, h, tolerances, False, 0)
        of_trees.bound_speeds(trees, state, push_out)
        of_contacts.integrate_positions(solver, busy)
        extra_count = of_trees.renew_trees(linkage, state, near, h, True)
        of_trees.project_trees(linkage, extra_count, state, push_out * h, h)
        if any_touched:
            solve_touched_again(linkage, extra_count, solver)
        of_trees.add_up_loads(trees)
        pass_over_contacts(solver, passes, h, tolerances, True, REPEATED_PASSES)
    of_trees.store_joints(linkage, state, h, pace.dt)
    finish_step(movers, bodies, contacts, pairs, solver, passes)
    return passes.block_count


@device
def solve_touched_again(linkage, extra_count, solver):
    """Answer what contacts have changed in the trees that have any."""
    put_aside(linkage.trees, solver)
    of_trees.solve_touched(linkage, extra_count, solver.state)
    put_aside(linkage.trees, solver)


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
