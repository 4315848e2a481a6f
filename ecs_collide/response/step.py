"""One step of the impulse response: the order of its stages, in one compiled function."""

from __future__ import annotations

from ecs_collide.jit import stage
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
def step_bodies(movers, bodies, contacts, contact_count, pairs, solver, gravity, dt, substeps, soft, stiff, tolerances):
    """Move the bodies in rows `movers` by dt [s], with contacts answered by soft impulses.

    Reads body_mass, body_motion, body_force, the contacts. Writes body_pose, body_velocity, body_frame,
    pair_impulse, contact_normal_impulse and contact_tangent_impulse; clears body_push.
    """
    state, carry, busy, index, rows = solver
    h = dt / substeps
    prepare_bodies(movers, bodies, solver, gravity[0], gravity[1], h)
    count, busy_count, bouncing = prepare_contacts(
        contacts, contact_count, bodies, pairs, solver, soft, stiff, tolerances.bounce_speed
    )
    move_freely(state, carry, len(movers) + 1, substeps, h)
    busy = busy[:busy_count]
    push_out = tolerances.push_out_speed
    for substep in range(substeps):
        integrate_velocities(state, carry, busy, substep > 0)
        if substep == 0:
            warm_start_contacts(state, index, rows, count)
        for relaxing in (False, True):  # not two calls with constants, which would be compiled twice
            solve_contacts(state, index, rows, count, h, push_out, relaxing)
            if not relaxing:
                integrate_positions(state, busy, h)
    if bouncing:
        for _ in range(RESTITUTION_PASSES):
            apply_restitution(state, index, rows, count, tolerances.bounce_speed)
    store_bodies(movers, bodies, solver)
    store_impulses(contacts, contact_count, pairs, solver)
