"""One step of the impulse response in a world with joints: a stage of its own, so that a world without pays nothing.

Contacts and trees of joints see each other as in Gauss-Seidel's method: trees, contacts, move, project, the trees that
have contacts again, contacts relaxed. A body's warm start is the change of velocity that contacts made in the last
substep. What trees change is no part of it, since they are solved anew each time; so it is put aside meanwhile.
"""

from __future__ import annotations

from math import sqrt

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

MOST_ROUNDS = 16
"""How often trees and contacts are gone through again in a substep, where they do not agree before.

Limits are what needs it: a limb between a contact and a limit is pushed to and fro, and without this half of all heaps
of ragdolls never come to rest.
"""
AGREED = 0.002
"""They agree where the trees change no body's speed by more, in push-out speeds ..."""
AGREED_SHARE = 0.05
"""... or by more than so much of what they changed it by at first: a heap that falls need not agree as well."""

IN_TREE = -1
"""What the colours of a body in a tree are once the contacts have theirs."""


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
    any_touched, has_springs = prepare_joints(linkage, bodies, contacts, contact_count, tolerances.slop, h)
    for row in trees.row:  # contacts have to see the same inertia, or going from one to the other gains energy
        solver.carry[row, layout.INVERSE_INERTIA] = linkage.tables.spin[row, of_tree.INERTIA]
    passes = prepare_passes(movers, bodies, contacts, contact_count, pairs, solver, pace, tolerances)
    if passes.block_count > len(solver.block):
        return passes.block_count
    state, near, push_out, extra_count = solver.state, tolerances.speculative, tolerances.push_out_speed, 0
    of_trees.bound_speeds(linkage, state, push_out, h)
    busy = solver.busy[: move_unjoined(trees, solver, len(movers) + 1, pace.substeps)]
    for substep in range(pace.substeps):
        if substep == 0 or has_springs:
            extra_count = of_trees.renew_trees(linkage, state, near, h, False)
        if passes.struck_count > 0:
            impact.stop_impacts(solver, passes.struck, h, pace.dt, tolerances)
        of_contacts.integrate_velocities(solver, busy, substep > 0)
        of_contacts.integrate_velocities(solver, trees.row, substep > 0 and any_touched)
        if substep == 0:
            for start, stop, points in passes.kinds:
                of_contacts.warm_start_contacts(solver, start, stop, points)
        if any_touched:
            put_aside(trees, solver)
        of_trees.solve_velocities(linkage, extra_count, state, h)
        if any_touched:
            put_aside(trees, solver)
        pass_over_contacts(solver, passes, h, tolerances, False, REPEATED_PASSES)
        rounds, first, enough = MOST_ROUNDS if any_touched else 0, 0.0, AGREED * push_out
        if any_touched:
            of_trees.ask_touched(linkage, state)
        for number in range(rounds):
            change = solve_touched_again(linkage, extra_count, solver)
            if number == 0:
                first, enough = change, max(enough, AGREED_SHARE * change)
            if not enough < change <= first:
                break
            pass_over_contacts(solver, passes, h, tolerances, False, 0)
        of_contacts.integrate_positions(solver, busy)
        of_trees.move_bodies(linkage, state, load_quad(solver.step, 0), push_out, h)
        extra_count = of_trees.close_gaps(linkage, state, near, push_out, h)
        if any_touched:
            of_trees.ask_touched(linkage, state)
            solve_touched_again(linkage, extra_count, solver)
        of_trees.add_up_loads(trees)
        pass_over_contacts(solver, passes, h, tolerances, True, REPEATED_PASSES)
    of_trees.store_joints(linkage, state, h, pace.dt)
    finish_step(movers, bodies, contacts, pairs, solver, passes, tolerances.sleep_speed * pace.dt)
    return passes.block_count


@device
def move_unjoined(trees, solver, count, substeps):
    """All substeps at once for what is neither in a tree nor has a contact; return how many more are in none.

    Writes solver_state, solver_busy.
    """
    taken, busy = solver.colour[:, layout.TAKEN], solver.busy
    for row in trees.row:
        taken[row] = IN_TREE
    taken[0] = 0
    left = 0
    for row in busy[: of_contacts.move_freely(solver, count, substeps)]:
        if taken[row] != IN_TREE:
            busy[left] = row
            left += 1
    return left


@device
def solve_touched_again(linkage, extra_count, solver):
    """Answer what contacts have changed in the trees that have any; return the greatest change of a speed [m/s]."""
    trees, state, carry, unsolved = linkage.trees, solver.state, solver.carry, linkage.tables.unsolved
    for row in trees.row:
        store_quad(unsolved, row, load_quad(state, (row, of_state.VX)))
    of_trees.solve_touched(linkage, extra_count, state)
    greatest = 0.0
    for row in trees.row:
        before, after = load_quad(unsolved, row), load_quad(state, (row, of_state.VX))
        store_quad(carry, (row, layout.BEFORE), after - (before - load_quad(carry, (row, layout.BEFORE))))
        x, y = state[row, of_state.VX] - unsolved[row, 0], state[row, of_state.VY] - unsolved[row, 1]
        greatest = max(greatest, x * x + y * y)
    return sqrt(greatest)


@device
def put_aside(trees, solver):
    """Before a solve of the trees, keep in BEFORE what contacts have changed; after it, make it BEFORE again.

    Both are one operation. Reads solver_state (velocity). Writes solver_carry (BEFORE).
    """
    state, carry = solver.state, solver.carry
    for row in trees.row:
        velocity = load_quad(state, (row, of_state.VX))
        store_quad(carry, (row, layout.BEFORE), velocity - load_quad(carry, (row, layout.BEFORE)))
