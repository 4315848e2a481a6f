"""One step of the impulse response: the order of its stages, in one compiled function.

A substep integrates velocities, solves the joint trees, solves the contacts, moves the bodies, projects the trees, and
relaxes the contacts. A world without joints has an empty set of trees. If no tree is touched, each tree batch makes
all substeps on its own.
"""

from __future__ import annotations

from ecs_collide.common.tolerances import REPEATED_PASSES, Tolerances
from ecs_collide.data.bodies import Bodies
from ecs_collide.data.contacts import Contacts
from ecs_collide.data.pairs import Pairs
from ecs_collide.kernels.arrays import Ints
from ecs_collide.kernels.kernel import device, kernel
from ecs_collide.step.joints.added_inertia import slow_spins
from ecs_collide.step.joints.joint_results import store_joints
from ecs_collide.step.joints.joint_substep import update_trees
from ecs_collide.step.joints.moving_limits import find_rates, record_changes
from ecs_collide.step.joints.prepare_joints import find_solver_rows, mark_touched_trees, prepare_joints
from ecs_collide.step.joints.rows.tree_substep import substep_after, substep_before
from ecs_collide.step.joints.solver_joints import SolverJoints
from ecs_collide.step.joints.trees.tree_rows import TREE_COUNT
from ecs_collide.step.solver import impact, store_results as store
from ecs_collide.step.solver.added_mass import add_masses
from ecs_collide.step.solver.bounce_trees import bounce_with_trees
from ecs_collide.step.solver.contact_colouring import colour_contacts
from ecs_collide.step.solver.contact_passes import pass_over_contacts, prepare_passes
from ecs_collide.step.solver.integrate_bodies import integrate_positions, integrate_velocities
from ecs_collide.step.solver.prepare_bodies import number_bodies, prepare_bodies
from ecs_collide.step.solver.solve_contacts import warm_start_contacts
from ecs_collide.step.solver.solver_rows import STATUS, Solver
from ecs_collide.step.solver.step_parameters import StepParameters
from ecs_collide.step.solver.tree_coupling import (
    gather_motions,
    gather_velocities,
    move_trees,
    scatter_velocities,
    share_masses,
    solve_trees_first,
    step_free_trees,
)


@kernel
def step_bodies(
    movers: Ints,
    bodies: Bodies,
    contacts: Contacts,
    contact_count: int,
    pairs: Pairs,
    solver: Solver,
    solver_joints: SolverJoints,
    step: StepParameters,
    tolerances: Tolerances,
):
    """Move the bodies in rows `movers` by a step; return the number of contact blocks that the step needs.

    Contacts get soft impulses, joint trees are solved directly. If `solver` has too few blocks, nothing is done: call
    again with room for as many as were returned.

    Reads body_mass, body_motion, body_force, the contacts, the joints. Writes body_pose, body_velocity, body_frame,
    pair_impulse, contact_normal_impulse, contact_tangent_impulse, joint_load and joint_numbers; clears body_push.
    """
    # Colour the contacts, and read the bodies and joints.
    h, gravity, trees = step.dt / step.substeps, step.gravity, solver_joints.trees
    number_bodies(movers, bodies, solver)
    find_solver_rows(trees, bodies)
    colours = colour_contacts(contacts, contact_count, bodies, solver)
    if colours[1] > len(solver.block):
        return colours[1]
    mark_bodies_in_trees(trees, solver)
    integrated = solver.integrated[: prepare_bodies(movers, bodies, solver, gravity, h, step.substeps)]
    find_rates(trees, solver_joints.joints, tolerances, step.dt)
    trees.any_overloaded[0] = 0
    any_touched, has_drives = mark_touched_trees(solver_joints, contacts, contact_count), False
    if any_touched:
        has_drives = prepare_joints(solver_joints, bodies, True, tolerances.slop, h)
        add_masses(trees, bodies, contacts, contact_count, solver)
        share_masses(trees, solver)
    passes = prepare_passes(integrated, bodies, contacts, contact_count, pairs, solver, colours, step, tolerances)
    record_changes(trees, solver_joints.joints, step.dt)
    outside_trees = integrated[: leave_out_trees(integrated, trees, solver)]
    in_trees = trees.solver_row[: trees.counts[TREE_COUNT.BODIES]]
    # Make the substeps; trees that no contact touches make theirs alone.
    bounded_count = 0
    if any_touched:
        gather_motions(trees, solver, tolerances.push_out_speed, h)
        scatter_velocities(trees, solver.state)
    else:
        step_free_trees(solver_joints, bodies, solver, step, tolerances)
    for substep in range(step.substeps):
        before = substep_before(tolerances, h, h * (step.substeps - substep))
        if any_touched and (substep == 0 or has_drives):
            bounded_count = update_trees(solver_joints, before)
        ends = before, substep_after(tolerances, h, h * (step.substeps - 1 - substep))
        if passes.impacted_count > 0 and any_touched:
            bounded_count = bounce_with_trees(
                solver_joints, bounded_count, has_drives, solver, passes.impacted, ends, step.dt, tolerances
            )
        elif passes.impacted_count > 0:
            impact.stop_impacts(solver, passes.impacted, h, step.dt, tolerances, False)
        integrate_velocities(solver, outside_trees, substep > 0)
        if any_touched:
            integrate_velocities(solver, in_trees, substep > 0)
        if substep == 0:
            for start, stop, points in passes.kinds:
                warm_start_contacts(solver, start, stop, points)
        if any_touched:
            solve_trees_first(solver_joints, bounded_count, has_drives, solver, before)
        pass_over_contacts(solver, passes, h, tolerances, False, REPEATED_PASSES)
        integrate_positions(solver, outside_trees)
        if any_touched:
            bounded_count = move_trees(solver_joints, bounded_count, has_drives, solver, passes, ends, tolerances)
        pass_over_contacts(solver, passes, h, tolerances, True, REPEATED_PASSES)
        if any_touched:
            gather_velocities(trees, solver)
    # Store the results.
    if any_touched:
        slow_spins(trees, h, step.dt)
        scatter_velocities(trees, solver.state)
        store_joints(solver_joints, h, step.dt)
    store.store_bodies(movers, bodies, solver, tolerances.sleep_speed, step.dt)
    store.store_impulses(contacts, pairs, solver, passes.kinds[1][0], passes.block_count)
    return passes.block_count


@device
def mark_bodies_in_trees(trees, solver):
    """Mark the bodies of joint trees, which are not free even without a contact. Writes solver_status (IN_TREE)."""
    for row in trees.solver_row[: trees.counts[TREE_COUNT.BODIES]]:
        solver.status[row, STATUS.IN_TREE] = 1


@device
def leave_out_trees(rows, trees, solver):
    """Remove the bodies in joint trees from a list of solver rows; return the number of rows that are left."""
    if trees.counts[TREE_COUNT.BODIES] == 0:
        return len(rows)
    count = 0
    for row in rows:
        if solver.status[row, STATUS.IN_TREE] == 0:
            rows[count] = row
            count += 1
    return count
