"""Fill the arrays of the bodies in the solver from the columns, and move the free ones."""

from __future__ import annotations

from ecs_collide.data.bodies import FRAME, MASS
from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.free_motion import free_motion
from ecs_collide.step.solver.solver_rows import ANY_COLOUR, BODY, SETTLED, STATUS, TELEPORTED


@device
def number_bodies(movers, bodies, solver):
    """Give each moving body a row of the solver, and clear its colours.

    Reads body_mass, body_settled. Writes body_solver_row, solver_status.
    """
    status, mass = solver.status, bodies.mass
    status[0, :] = 0  # row 0 is immovable
    for k in range(len(movers)):
        source, row = movers[k], k + 1
        bodies.solver_row[source] = row
        movable = mass[source, MASS.INVERSE_X] + mass[source, MASS.INVERSE_Y] + mass[source, MASS.INVERSE_INERTIA] > 0.0
        status[row, :] = 0
        status[row, STATUS.PLACEMENT] = SETTLED if bodies.settled[source] else TELEPORTED
        status[row, STATUS.ALLOWED] = ANY_COLOUR if movable else 0


@device
def moves_freely(status):
    """Return True if nothing but outer forces acts on a body, given its row of solver_status."""
    has_contacts = status[STATUS.COLOURS_IN_USE] | status[STATUS.COLOURS_IN_USE + 1] != 0
    return not has_contacts and status[STATUS.IN_TREE] == 0 and status[STATUS.ALLOWED] != 0


@device
def prepare_bodies(movers, bodies, solver, gravity, h, substeps):
    """Fill the rows of the moving bodies, for substeps of h [s]; return the number of bodies that substeps integrate.

    A movable body without a contact or a joint is free: nothing but outer forces acts on it. It makes all substeps
    here, since its values are at hand. The substeps integrate the others.

    Reads solver_status, body_velocity, body_mass, body_motion, body_frame, body_force, body_push. Writes solver_state;
    the solver_body of the bodies that substeps integrate, and their rows to solver_integrated.
    """
    state, body, status = solver.state, solver.body, solver.status
    # Row 0 is immovable.
    state[0, :] = 0.0
    body[0, :] = 0.0
    solver.time_step[:3] = h
    count = 0
    for k in range(len(movers)):
        source, row = movers[k], k + 1
        motion, mass, frame = free_motion(source, bodies, gravity, h), bodies.mass[source], bodies.frame[source]
        vx, vy, w, dx, dy, turn = motion.vx, motion.vy, motion.w, 0.0, 0.0, 0.0
        if moves_freely(status[row]):
            for _ in range(substeps):
                vx, vy = (vx + motion.gain_x) * motion.linear, (vy + motion.gain_y) * motion.linear
                w = (w + motion.gain_w) * motion.angular
                dx, dy, turn = dx + h * vx, dy + h * vy, turn + h * w
        else:
            solver.integrated[count] = row
            count += 1
            body[row, BODY.GAIN], body[row, BODY.GAIN + 1] = motion.gain_x, motion.gain_y
            body[row, BODY.GAIN + 2], body[row, BODY.GAIN + 3] = motion.gain_w, 0.0
            body[row, BODY.FACTOR], body[row, BODY.FACTOR + 1] = motion.linear, motion.linear
            body[row, BODY.FACTOR + 2], body[row, BODY.FACTOR + 3] = motion.angular, 1.0
            body[row, BODY.CENTER_X], body[row, BODY.CENTER_Y] = frame[FRAME.CENTER_X], frame[FRAME.CENTER_Y]
            body[row, BODY.INVERSE_INERTIA], body[row, BODY.LOAD] = mass[MASS.INVERSE_INERTIA], 0.0
        state[row, STATE.VX], state[row, STATE.VY], state[row, STATE.W] = vx, vy, w
        state[row, STATE.INVERSE_MASS_X], state[row, STATE.INVERSE_MASS_Y] = mass[MASS.INVERSE_X], mass[MASS.INVERSE_Y]
        state[row, STATE.DX], state[row, STATE.DY], state[row, STATE.DA] = dx, dy, turn
    return count
