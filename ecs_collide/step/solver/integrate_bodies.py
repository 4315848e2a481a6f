"""Integrate the bodies over a substep: velocities from forces, then positions from velocities (symplectic Euler)."""

from __future__ import annotations

from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.solver_rows import BODY


@device
def integrate_velocities(solver, rows, repeats_contacts):
    """Apply gravity, forces and damping; with `repeats_contacts`, also what contacts changed in the last substep.

    Contacts are warm started once a step. In later substeps each body gets the sum of the last substep's impulses as
    one velocity change, v' = u' + (v - u). Because the Jacobians are constant, this equals warm starting every contact,
    at the cost of a pass over the bodies. Writes solver_state (velocity), solver_body (BEFORE).
    """
    state, body = solver.state, solver.body
    for row in rows:
        velocity = simd.load_quad(state, (row, STATE.VX))
        unhindered = (velocity + simd.load_quad(body, (row, BODY.GAIN))) * simd.load_quad(body, (row, BODY.FACTOR))
        if repeats_contacts:
            simd.store_quad(state, (row, STATE.VX), unhindered + (velocity - simd.load_quad(body, (row, BODY.BEFORE))))
        else:
            simd.store_quad(state, (row, STATE.VX), unhindered)
        simd.store_quad(body, (row, BODY.BEFORE), unhindered)


@device
def integrate_positions(solver, rows):
    """Move each body by a substep of its velocity. Reads solver_time_step [s]. Writes solver_state (movement)."""
    state, h = solver.state, simd.load_quad(solver.time_step, 0)
    for row in rows:
        simd.store_quad(
            state,
            (row, STATE.DX),
            simd.load_quad(state, (row, STATE.DX)) + h * simd.load_quad(state, (row, STATE.VX)),
        )
