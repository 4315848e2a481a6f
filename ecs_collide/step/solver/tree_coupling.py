"""Passing velocities and inertia between joint trees and contacts, in rounds until both agree.

A substep solves trees and contacts in turn, as in the method of Gauss and Seidel. A body's warm start is the change of
velocity that its contacts made in the last substep, its velocity less BEFORE. What the trees change is solved anew each
time, and is no part of it: `return_velocities` adds it to BEFORE as well.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, gather4, highest, maximum, scatter4, splat
from ecs_collide.step.joints.added_inertia import slow_spins
from ecs_collide.step.joints.joint_results import add_loads, store_joints
from ecs_collide.step.joints.joint_substep import (
    change_touched_motors,
    solve_touched,
    solve_velocities,
    update_trees,
)
from ecs_collide.step.joints.prepare_joints import prepare_joints
from ecs_collide.step.joints.project_trees import project_positions
from ecs_collide.step.joints.rows import body_lanes
from ecs_collide.step.joints.rows.block_algebra import load_triple
from ecs_collide.step.joints.rows.tree_substep import substep_after, substep_before
from ecs_collide.step.joints.tree_motors import MOST_ATTEMPTS
from ecs_collide.step.joints.trees.tree_rows import ALL, BATCH, BLOCK, LANE, LANE_INDEX, TREE_COUNT
from ecs_collide.step.joints.velocity_bias import hold_untouched_trees, set_spring_bias
from ecs_collide.step.solver.contact_passes import pass_over_contacts
from ecs_collide.step.solver.solver_rows import BODY

MAX_ROUNDS = 16
"""Largest number of rounds of trees and contacts in a substep.

Limits need them: a limb between a contact and a limit is pushed to and fro. Many heaps of ragdolls would never rest.
"""
AGREED = 0.002
"""Change of a speed by the trees below which they agree with the contacts, in push-out speeds."""
AGREED_SHARE = 0.05
"""Part of the first change below which they agree as well: in a heap that falls, precision does not matter.

It does not count in a substep in which motors begin to slip or to hold: their change is no measure.
"""


@device
def step_free_trees(solver_joints, bodies, solver, step, tolerances):
    """Make the whole step of the trees if none is touched, one batch after the other for the cache."""
    trees, h = solver_joints.trees, step.dt / step.substeps
    push_out, bounded_count = tolerances.push_out_speed, 0
    first, stop = ALL + 1, trees.counts[TREE_COUNT.BATCHES]
    if len(solver_joints.bounded.row) > 0:  # limits and motors are listed for all trees at once
        first, stop = ALL, ALL + 1
    for batch in range(first, stop):
        body_lanes.select_batch(trees, batch)
        has_drives = prepare_joints(solver_joints, bodies, False, tolerances.slop, h)
        gather_motions(trees, solver, push_out, h)
        for substep in range(step.substeps):
            before = substep_before(tolerances, h, h * (step.substeps - substep))
            if substep == 0 or has_drives:
                bounded_count = update_trees(solver_joints, before)
            body_lanes.integrate(trees)
            solve_velocities(solver_joints, bounded_count, has_drives, before)
            body_lanes.move_bodies(trees, push_out, h)
            after = substep_after(tolerances, h, h * (step.substeps - 1 - substep))
            bounded_count = project_positions(solver_joints, after)
            add_loads(trees, BLOCK.IMPULSE)
        slow_spins(trees, h, step.dt)
        store_joints(solver_joints, h, step.dt)
        scatter_motions(trees, solver.state)
    body_lanes.select_batch(trees, ALL)


@device
def solve_trees_first(solver_joints, bounded_count, has_drives, solver, substep):
    """Solve all trees before the contacts of a substep, if any tree is touched."""
    trees = solver_joints.trees
    gather_velocities(trees, solver)
    body_lanes.save_velocities(trees)
    solve_velocities(solver_joints, bounded_count, has_drives, substep)
    return_velocities(trees, solver)


@device
def move_trees(solver_joints, bounded_count, has_drives, solver, passes, ends, tolerances):
    """Solve trees and contacts until they agree, move the bodies of all trees by a substep, and project them.

    `ends` is the substep as it is before and after bodies move. Returns the number of bounded rows at the new places.
    """
    trees, (before, after) = solver_joints.trees, ends
    solve_alternately(solver_joints, bounded_count, has_drives, solver, passes, before, tolerances)
    body_lanes.move_bodies(trees, tolerances.push_out_speed, before.h)
    bounded_count = project_positions(solver_joints, after)
    scatter_motions(trees, solver.state)
    hold_untouched_trees(trees, False, False, after)
    solve_touched(solver_joints, bounded_count, False)
    return_velocities(trees, solver)
    add_loads(trees, BLOCK.IMPULSE)
    return bounded_count


@device
def solve_alternately(solver_joints, bounded_count, has_drives, solver, passes, substep, tolerances):
    """Solve trees and contacts in turn until they agree, and then trees with motors above their bounds."""
    trees, h = solver_joints.trees, substep.h
    gather_velocities(trees, solver)
    hold_untouched_trees(trees, has_drives, True, substep)
    first, enough = 0.0, AGREED * tolerances.push_out_speed
    for number in range(MAX_ROUNDS):
        is_changed = False
        if has_drives:
            set_spring_bias(trees, h)
            is_changed = change_touched_motors(trees, number == 0)
        solve_touched(solver_joints, bounded_count, is_changed)
        change = return_velocities(trees, solver)
        if number == 0:
            first, enough = change, enough if is_changed else max(enough, AGREED_SHARE * change)
        if not enough < change <= first:
            break
        pass_over_contacts(solver, passes, h, tolerances, False, 0)
        gather_velocities(trees, solver)
    for _ in range(MOST_ATTEMPTS if has_drives else 0):
        set_spring_bias(trees, h)
        if not change_touched_motors(trees, False):
            break
        solve_touched(solver_joints, bounded_count, True)
        return_velocities(trees, solver)


@device
def share_masses(trees, solver):
    """Copy masses and inertia of the trees to the contacts: different values would add energy."""
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        for lane in range(LANES):
            row = trees.lane_index[s, LANE_INDEX.SOLVER_ROW, lane]
            solver.state[row, STATE.INVERSE_MASS_X] = trees.lanes[s, LANE.MASS_X, lane]
            solver.state[row, STATE.INVERSE_MASS_Y] = trees.lanes[s, LANE.MASS_Y, lane]
            solver.body[row, BODY.INVERSE_INERTIA] = trees.lanes[s, LANE.INERTIA, lane]


@device
def gather_motions(trees, solver, push_out_speed, h):
    """Copy motion, outer forces and damping of the bodies to their lanes."""
    body_lanes.gather_bodies(trees, solver.state, STATE.VX, LANE.VX)
    body_lanes.gather_bodies(trees, solver.state, STATE.DX, LANE.DX)
    body_lanes.gather_bodies(trees, solver.body, BODY.GAIN, LANE.GAIN)
    body_lanes.gather_bodies(trees, solver.body, BODY.FACTOR, LANE.FACTOR)
    body_lanes.limit_speeds(trees, push_out_speed, h)


@device
def gather_velocities(trees, solver):
    """Copy the velocities that contacts have changed to the body lanes."""
    body_lanes.gather_bodies(trees, solver.state, STATE.VX, LANE.VX)


@device
def scatter_velocities(trees, state):
    """Copy the velocities of the body lanes to the contacts. Writes solver_state."""
    body_lanes.scatter_bodies(trees, state, STATE.VX, LANE.VX)


@device
def scatter_motions(trees, state):
    """Copy velocities and movement of the body lanes to the contacts. Writes solver_state."""
    scatter_velocities(trees, state)
    body_lanes.scatter_bodies(trees, state, STATE.DX, LANE.DX)


@device
def return_velocities(trees, solver):
    """Copy the velocities of the body lanes to the contacts; return the largest change of a speed [m/s].

    BEFORE changes by as much: it excludes what contacts have changed. Writes solver_state (velocity), solver_body.
    """
    state, body, index, greatest = solver.state, solver.body, trees.lane_index, splat(0.0)
    for s in range(trees.span[BATCH.FIRST_LANES], trees.span[BATCH.STOP_LANES]):
        row = s, LANE_INDEX.SOLVER_ROW
        after = load_triple(trees.lanes[s], LANE.VX)
        x, y, w, mass = gather4(state, STATE.VX, index, row)
        before_x, before_y, before_w, behind = gather4(body, BODY.BEFORE, index, row)
        before_x, before_y, before_w = after.x - (x - before_x), after.y - (y - before_y), after.z - (w - before_w)
        scatter4(body, BODY.BEFORE, index, row, before_x, before_y, before_w, behind)
        scatter4(state, STATE.VX, index, row, after.x, after.y, after.z, mass)
        x, y = after.x - x, after.y - y
        greatest = maximum(greatest, x * x + y * y)
    return sqrt(highest(greatest))
