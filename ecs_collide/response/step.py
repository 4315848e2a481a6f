"""One step of the impulse response: the order of its stages, in one compiled function."""

from __future__ import annotations

from ecs_collide.continuous.tracks import mark_fast, note_starts
from ecs_collide.jit import stage
from ecs_collide.response.colour import colour_contacts, fill_blocks
from ecs_collide.response.prepare import prepare_bodies, prepare_contacts
from ecs_collide.response.restitution import apply_restitution
from ecs_collide.response.store import store_bodies, store_impulses
from ecs_collide.response.substep import (
    integrate_positions,
    integrate_velocities,
    move_freely,
    solve_contacts,
    warm_start_contacts,
)
from ecs_collide.tuning import RESTITUTION_PASSES


@stage
def step_bodies(
    movers, bodies, contacts, contact_count, pairs, solver, tracks, span, gravity, dt, substeps, soft, stiff, tolerances
):
    """Move the bodies in rows `movers` by dt [s], with contacts answered by soft impulses.

    Return the blocks needed, and how many bodies went so far that they have to be swept. Where `solver` has fewer
    blocks than that, nothing was done: call again with as many.
    Reads body_mass, body_motion, body_force, body_span, the contacts. Writes body_pose, body_velocity, body_frame,
    pair_impulse, contact_normal_impulse, contact_tangent_impulse and the tracks; clears body_push.
    """
    state, carry, index, blocks = solver.state, solver.carry, solver.index, solver.block
    h = dt / substeps
    push_out, bounce_speed = tolerances.push_out_speed, tolerances.bounce_speed
    prepare_bodies(movers, bodies, solver, gravity[0], gravity[1], h)
    single_count, block_count = colour_contacts(contacts, contact_count, bodies, solver)
    if block_count > len(blocks):
        return block_count, 0
    note_starts(movers, bodies, tracks)
    fill_blocks(contacts, contact_count, bodies, pairs, solver)
    bouncing = prepare_contacts(contacts, pairs, solver, single_count, block_count, soft, stiff, bounce_speed)
    busy_count = move_freely(state, carry, solver.colour, solver.busy, len(movers) + 1, substeps, solver.step)
    busy = solver.busy[:busy_count]
    kinds = ((0, single_count, 1), (single_count, block_count, 2))
    for substep in range(substeps):
        integrate_velocities(state, carry, busy, substep > 0)
        if substep == 0:
            for start, stop, points in kinds:
                warm_start_contacts(state, index, blocks, start, stop, points)
        for relaxing in (False, True):  # not two calls with constants, which would be compiled twice
            for start, stop, points in kinds:
                solve_contacts(state, index, blocks, start, stop, points, h, push_out, relaxing)
            if not relaxing:
                integrate_positions(state, busy, solver.step)
    if bouncing:
        for _ in range(RESTITUTION_PASSES):
            for start, stop, points in kinds:
                apply_restitution(state, index, blocks, solver.bounces, start, stop, points, bounce_speed)
    store_bodies(movers, bodies, solver)
    store_impulses(contacts, pairs, solver, single_count, block_count)
    return block_count, mark_fast(movers, bodies, tracks, span, tolerances.slop)
