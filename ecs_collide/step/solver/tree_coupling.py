"""What joint trees and contacts of one step exchange: velocities, inertia, and rounds until both agree.

A step goes through trees and contacts in turn, as in the method of Gauss and Seidel. A body's warm start is the change
of velocity that its contacts made in the last substep. The trees are solved anew each time, so what they change is no
part of it: `hand_back` adds it to the velocity before the contacts as well.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import LANES, gather4, highest, maximum, scatter4, splat
from ecs_collide.step.joints import body_lanes as seats, joint_substep as of_trees
from ecs_collide.step.joints.added_inertia import slow_spins
from ecs_collide.step.joints.block_algebra import load_triple
from ecs_collide.step.joints.prepare_joints import prepare_joints
from ecs_collide.step.joints.trees import tree_rows as of_tree
from ecs_collide.step.joints.velocity_bias import ask_springs, ask_touched
from ecs_collide.step.solver.contact_passes import pass_over_contacts
from ecs_collide.step.solver.solver_rows import BODY

MOST_ROUNDS = 16
"""How often trees and contacts are gone through again in a substep, where they do not agree before.

Limits are what needs it: a limb between a contact and a limit is pushed to and fro, and without this half of all heaps
of ragdolls never come to rest.
"""
AGREED = 0.002
"""They agree where the trees change no body's speed by more, in push-out speeds ..."""
AGREED_SHARE = 0.05
"""... or by more than so much of what they changed it by at first: a heap that falls need not agree as well."""


@device
def swing_freely(linkage, bodies, solver, pace, tolerances):
    """The whole step of the trees where none has a contact: one grove after the other, while it is in the cache."""
    trees, h = linkage.trees, pace.dt / pace.substeps
    near, push_out, extra_count = tolerances.speculative, tolerances.push_out_speed, 0
    first, stop = of_tree.ALL + 1, len(trees.grove)
    if len(linkage.extras.row) > 0:  # limits and motors are listed for all trees at once
        first, stop = of_tree.ALL, of_tree.ALL + 1
    for grove in range(first, stop):
        seats.go_to(trees, grove)
        has_springs = prepare_joints(linkage, bodies, False, tolerances.slop, h)
        take_seats(trees, solver, push_out, h)
        for substep in range(pace.substeps):
            if substep == 0 or has_springs:
                extra_count = of_trees.renew_trees(linkage, near, h, False)
            seats.integrate(trees)
            of_trees.solve_velocities(linkage, extra_count, h)
            seats.move_bodies(trees, push_out, h)
            extra_count = of_trees.close_gaps(linkage, near, push_out, h)
            of_trees.add_up_loads(trees)
        slow_spins(trees, h, pace.dt)
        of_trees.store_joints(linkage, h, pace.dt)
        put_motions(trees, solver.state)
    seats.go_to(trees, of_tree.ALL)


@device
def agree(linkage, extra_count, has_springs, solver, passes, h, tolerances):
    """Go through trees and contacts again, until they agree."""
    trees = linkage.trees
    take_velocities(trees, solver)
    ask_touched(trees)
    first, enough = 0.0, AGREED * tolerances.push_out_speed
    for number in range(MOST_ROUNDS):
        if has_springs:
            ask_springs(trees, h)
        of_trees.solve_touched(linkage, extra_count)
        change = hand_back(trees, solver)
        if number == 0:
            first, enough = change, max(enough, AGREED_SHARE * change)
        if not enough < change <= first:
            break
        pass_over_contacts(solver, passes, h, tolerances, False, 0)
        take_velocities(trees, solver)


@device
def hand_out_inertia(trees, solver):
    """Let contacts see the inertia that the trees have taken: or going from one to the other gains energy."""
    for s in range(trees.span[of_tree.FIRST_SEAT], trees.span[of_tree.STOP_SEAT]):
        for lane in range(LANES):
            row = trees.seat_index[s, of_tree.SEAT_ROW, lane]
            solver.body[row, BODY.INVERSE_INERTIA] = trees.seat[s, of_tree.INERTIA, lane]


@device
def take_seats(trees, solver, push_out_speed, h):
    """Let the trees know how their bodies move, and what a substep adds to that."""
    seats.take_up(trees, solver.state, STATE.VX, of_tree.VX)
    seats.take_up(trees, solver.state, STATE.DX, of_tree.DX)
    seats.take_up(trees, solver.body, BODY.GAIN, of_tree.GAIN)
    seats.take_up(trees, solver.body, BODY.FACTOR, of_tree.FACTOR)
    seats.bound_speeds(trees, push_out_speed, h)


@device
def take_velocities(trees, solver):
    """Let the trees know what the contacts have changed."""
    seats.take_up(trees, solver.state, STATE.VX, of_tree.VX)


@device
def put_velocities(trees, state):
    """Let the contacts know how the bodies of trees move. Writes solver_state (velocity)."""
    seats.give_back(trees, state, STATE.VX, of_tree.VX)


@device
def put_motions(trees, state):
    """The same, and how far they have moved. Writes solver_state."""
    put_velocities(trees, state)
    seats.give_back(trees, state, STATE.DX, of_tree.DX)


@device
def hand_back(trees, solver):
    """After a solve of the trees, let the contacts know of it; return the greatest change of a speed [m/s].

    BEFORE goes along: it is no part of what contacts have changed. Writes solver_state (velocity), solver_carry.
    """
    state, body, index, greatest = solver.state, solver.body, trees.seat_index, splat(0.0)
    for s in range(trees.span[of_tree.FIRST_SEAT], trees.span[of_tree.STOP_SEAT]):
        row = s, of_tree.SEAT_ROW
        after = load_triple(trees.seat[s], of_tree.VX)
        x, y, w, mass = gather4(state, STATE.VX, index, row)
        before_x, before_y, before_w, behind = gather4(body, BODY.BEFORE, index, row)
        before_x, before_y, before_w = after.x - (x - before_x), after.y - (y - before_y), after.z - (w - before_w)
        scatter4(body, BODY.BEFORE, index, row, before_x, before_y, before_w, behind)
        scatter4(state, STATE.VX, index, row, after.x, after.y, after.z, mass)
        x, y = after.x - x, after.y - y
        greatest = maximum(greatest, x * x + y * y)
    return sqrt(highest(greatest))
