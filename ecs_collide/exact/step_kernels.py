"""Kernels of a step before and after its events.

Gravity and forces accelerate a ball throughout the step, so that it flies on a parabola. A ball that rests on a partner
moves on a straight line instead, with a half kick before and after it. Its contacts are solved after each kick. Linear
damping is a factor 1 / (1 + dt d) at the end of the step.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import FORCE, FRAME, MASS, MOTION, POSE, VELOCITY, Bodies
from ecs_collide.data.frames import put_body
from ecs_collide.data.pieces import Pieces
from ecs_collide.exact import (
    event_queue as queue,
    exact_codes as codes,
    find_neighbours as search,
    flight,
    grid,
    impact_time,
    impacts,
    remove_overlap as shift,
    resting_contacts as contacts,
)
from ecs_collide.exact.exact_rows import (
    BALL,
    BALL_BODY,
    BALL_INDEX,
    CONTACT,
    CONTACT_TOUCH,
    COUNTS,
    PAIR,
    SCALARS,
    SUPPORT,
    TOUCH,
    WEIGHT,
    Simulation,
)
from ecs_collide.exact.feature_rows import FEATURE, FEATURE_INDEX
from ecs_collide.exact.feature_tree import FeatureTree
from ecs_collide.exact.gap import gap_of, partner_body
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.kernel import device, kernel

REST_STEPS = 2.0
"""Number of steps in which the pull of a ball gives it the rest speed."""

DYNAMIC = int(BodyKind.DYNAMIC)


class Obstacles(Bundle):
    """Features, and two trees over them."""

    features: FloatTable = rows_of(FEATURE)
    """Features, see FEATURE (f, 11)."""
    index: IntTable = rows_of(FEATURE_INDEX)  # type: ignore[assignment]  # hides tuple.index, which is not needed
    """Kind, body and piece of each feature, see FEATURE_INDEX (f, 4) int64."""
    still: FeatureTree
    """Tree over the static features, which come first."""
    moving: FeatureTree
    """Tree over the kinematic features."""


@device
def velocity_after_kick(bodies, body, axis, velocity, inverse_mass, pull, half):
    """Return the velocity along an axis after `half` a step [s] of an acceleration and of forces; 0 if it is locked."""
    if inverse_mass == 0.0:
        return 0.0
    force = bodies.force[body, axis] + bodies.push[body, axis]
    return velocity + half * (pull + force * inverse_mass)


@device
def set_pull(simulation, bodies, i, body, gravity, dt):
    """Compute the pull of gravity and forces on ball i. Writes ball, weight."""
    ball, weight, counts = simulation.ball, simulation.weight, simulation.counts
    scale = bodies.motion[body, MOTION.GRAVITY_SCALE]
    pull_x, pull_y = gravity[0] * scale, gravity[1] * scale
    force_x = bodies.force[body, FORCE.X] + bodies.push[body, FORCE.X]
    force_y = bodies.force[body, FORCE.Y] + bodies.push[body, FORCE.Y]
    ball[i, BALL.PULL_X] = ball[i, BALL.PULL_Y] = 0.0
    if pull_x == 0.0 and pull_y == 0.0 and force_x == 0.0 and force_y == 0.0 and counts[COUNTS.HAS_PULL] == 0:
        return  # no ball has had a pull yet, so its numbers in `weight` are 0
    counts[COUNTS.HAS_PULL] = 1
    if weight[i, WEIGHT.INVERSE_MASS_X] > 0.0:
        ball[i, BALL.PULL_X] = pull_x + force_x * weight[i, WEIGHT.INVERSE_MASS_X]
    if weight[i, WEIGHT.INVERSE_MASS_Y] > 0.0:
        ball[i, BALL.PULL_Y] = pull_y + force_y * weight[i, WEIGHT.INVERSE_MASS_Y]
    free_x, free_y = ball[i, BALL.PULL_X], ball[i, BALL.PULL_Y]
    weight[i, WEIGHT.FREE_X], weight[i, WEIGHT.FREE_Y] = free_x, free_y
    weight[i, WEIGHT.REST_SPEED] = REST_STEPS * dt * sqrt(free_x * free_x + free_y * free_y)


@device
def kick_ball(ball, weight, i, half):
    """Accelerate ball i for `half` a step [s]. Writes the velocity of the ball."""
    ball[i, BALL.VX] += half * weight[i, WEIGHT.FREE_X]
    ball[i, BALL.VY] += half * weight[i, WEIGHT.FREE_Y]


@device
def turn(bodies, body, dt):
    """Turn a body between two half kicks, and damp its spin. Writes body_pose, body_velocity."""
    inverse_inertia, half = bodies.mass[body, MASS.INVERSE_INERTIA], 0.5 * dt
    velocity = velocity_after_kick(
        bodies, body, VELOCITY.ANGULAR, bodies.velocity[body, VELOCITY.ANGULAR], inverse_inertia, 0.0, half
    )
    bodies.pose[body, POSE.ANGLE] += velocity * dt
    velocity = velocity_after_kick(bodies, body, VELOCITY.ANGULAR, velocity, inverse_inertia, 0.0, half)
    bodies.velocity[body, VELOCITY.ANGULAR] = velocity / (1.0 + dt * bodies.motion[body, MOTION.ANGULAR_DAMPING])


@kernel
def begin_step(simulation: Simulation, bodies: Bodies, gravity: tuple[float, float], dt: float, cell_scale: float):
    """Read the balls from their bodies, compute their pulls, and put them into cells.

    A locked axis loses its velocity. Reads body_mass, body_pose, body_velocity, body_motion, body_force, body_push.
    Writes the balls.
    """
    ball, ball_index, counts, scalars = simulation.ball, simulation.ball_index, simulation.counts, simulation.scalars
    n = counts[COUNTS.BALLS]
    counts[COUNTS.IMPACTS] = counts[COUNTS.RECORDS] = counts[COUNTS.CAP_HITS] = 0
    counts[COUNTS.EVENTS] = counts[COUNTS.TO_SEARCH] = 0
    scalars[SCALARS.DT] = dt
    scalars[SCALARS.NOW] = 0.0
    simulation.support[:n] = 0
    for k in range(n):
        i, body = simulation.by_body[k, BALL_BODY.BALL], simulation.by_body[k, BALL_BODY.BODY]
        ball[i, BALL.X], ball[i, BALL.Y] = bodies.pose[body, POSE.X], bodies.pose[body, POSE.Y]
        mass, velocity = bodies.mass[body], bodies.velocity[body]
        ball[i, BALL.VX] = velocity[VELOCITY.X] if mass[MASS.INVERSE_X] > 0.0 else 0.0
        ball[i, BALL.VY] = velocity[VELOCITY.Y] if mass[MASS.INVERSE_Y] > 0.0 else 0.0
        ball[i, BALL.TIME] = 0.0
        set_pull(simulation, bodies, i, body, gravity, dt)
    limit = grid.choose_cells(simulation, dt, cell_scale)
    grid.list_large(simulation, limit)
    simulation.cell_head[:] = -1
    for i in range(n - 1, -1, -1):
        ball_index[i, BALL_INDEX.IMPACTS] = ball_index[i, BALL_INDEX.STEP_IMPACTS] = 0
        ball_index[i, BALL_INDEX.IS_PENDING] = 0
        ball_index[i, BALL_INDEX.PARTNER] = codes.NO_PARTNER
        cell = grid.set_box(simulation, i, 0.0)
        if ball_index[i, BALL_INDEX.CELL] != codes.NO_CELL:
            grid.link(simulation, i, cell)


@kernel
def list_candidates(simulation: Simulation, obstacles: Obstacles, filters: IntTable):
    """List the pairs whose boxes overlap; return DONE, or MORE_CANDIDATES: call again with more room."""
    return codes.DONE if search.find_candidates(simulation, obstacles, filters) else codes.MORE_CANDIDATES


@kernel
def list_contacts(simulation: Simulation, obstacles: Obstacles, bodies: Bodies, pieces: Pieces):
    """List the contacts among the candidates; return DONE, or MORE_CONTACTS: call again with more room."""
    return codes.DONE if contacts.find_contacts(simulation, obstacles, bodies, pieces) else codes.MORE_CONTACTS


@kernel
def list_touching(simulation: Simulation, obstacles: Obstacles, bodies: Bodies, pieces: Pieces):
    """Replace the candidates by the body rows of those that touch; return their number."""
    count = 0
    for k in range(simulation.counts[COUNTS.CANDIDATES]):
        i, other = simulation.candidate[k, PAIR.FIRST], simulation.candidate[k, PAIR.SECOND]
        gap, _, _ = gap_of(simulation, obstacles, bodies, pieces, i, other, 0.0)
        if gap <= simulation.scalars[SCALARS.SLOP]:
            simulation.candidate[count, PAIR.FIRST] = simulation.ball_index[i, BALL_INDEX.BODY]
            simulation.candidate[count, PAIR.SECOND] = partner_body(simulation, obstacles, other)
            count += 1
    return count


@kernel
def settle_contacts(simulation: Simulation, obstacles: Obstacles):
    """Apply the first half kick to balls that rest, solve their contacts, and update all boxes.

    The candidates are to be listed again afterwards.
    """
    counts, dt = simulation.counts, simulation.scalars[SCALARS.DT]
    contacts.support_resting(simulation)
    for i in range(counts[COUNTS.BALLS]):
        if simulation.support[i, SUPPORT.STATE] in (codes.HELD, codes.PACKED):
            kick_ball(simulation.ball, simulation.weight, i, 0.5 * dt)
            simulation.ball[i, BALL.PULL_X] = simulation.ball[i, BALL.PULL_Y] = 0.0
    contacts.warm_start(simulation, obstacles)
    contacts.solve_contacts(simulation, obstacles)
    for i in range(counts[COUNTS.BALLS]):
        grid.update_box(simulation, i, 0.0)


@kernel
def first_events(simulation: Simulation, obstacles: Obstacles, bodies: Bodies):
    """Queue the horizons and the impacts of all candidates; return DONE, or MORE_EVENTS: call again with more room."""
    counts = simulation.counts
    n = counts[COUNTS.BALLS]
    counts[COUNTS.EVENTS] = 0
    if len(simulation.event_time) < n + counts[COUNTS.CANDIDATES]:
        return codes.MORE_EVENTS
    for i in range(n):
        if simulation.horizon[i] < impact_time.NEVER:
            queue.push_event(simulation, simulation.horizon[i], i, codes.HORIZON_EVENT)
    for k in range(counts[COUNTS.CANDIDATES]):
        i, other = simulation.candidate[k, PAIR.FIRST], simulation.candidate[k, PAIR.SECOND]
        time = search.predict_impact(simulation, obstacles, bodies, i, other, 0.0)
        if time < impact_time.NEVER:
            queue.push_event(simulation, time, i, other)
    return codes.DONE


@kernel
def end_step(simulation: Simulation, obstacles: Obstacles, bodies: Bodies, pieces: Pieces):
    """Move all balls to the step's end, and store them in their bodies.

    Returns DONE, or MORE_RECORDS: call again with more room. Reads the balls. Writes body_pose, body_velocity,
    body_frame, the records of resting contacts; clears body_push.
    """
    ball, counts = simulation.ball, simulation.counts
    n = counts[COUNTS.BALLS]
    if counts[COUNTS.RECORDS] + counts[COUNTS.CONTACTS] > len(simulation.impact):
        return codes.MORE_RECORDS
    dt = simulation.scalars[SCALARS.DT]
    rests = counts[COUNTS.CONTACTS] > 0
    for i in range(n):
        flight.advance(simulation.ball, i, dt)
    # Remove overlap, and solve the resting contacts after the second half kick.
    if rests:
        shift.shift_apart(simulation, obstacles, bodies, pieces)
        contacts.update_contacts(simulation, obstacles, bodies, pieces)
        for i in range(n):
            if simulation.support[i, SUPPORT.STATE] in (codes.HELD, codes.PACKED):
                kick_ball(simulation.ball, simulation.weight, i, 0.5 * dt)
        contacts.solve_contacts(simulation, obstacles)
        for k in range(counts[COUNTS.CONTACTS]):
            touch, kind = simulation.contact_touch[k], simulation.contact[k, CONTACT.STATE]
            if kind == codes.OVERLAPPING:
                continue
            carried = touch[TOUCH.IMPULSE]
            touch[TOUCH.IMPULSE] = touch[CONTACT_TOUCH.TOTAL] + (carried if kind == codes.RESTING else 0.0)
            impacts.record_touch(simulation, obstacles, simulation.contact[k], touch, 0.0)
            touch[TOUCH.IMPULSE] = carried
    contacts.keep_contacts(simulation)
    # Store the balls.
    for k in range(n):
        i, body = simulation.by_body[k, BALL_BODY.BALL], simulation.by_body[k, BALL_BODY.BODY]
        factor = 1.0 / (1.0 + dt * bodies.motion[body, MOTION.LINEAR_DAMPING])
        bodies.pose[body, POSE.X], bodies.pose[body, POSE.Y] = ball[i, BALL.X], ball[i, BALL.Y]
        bodies.frame[body, FRAME.CENTER_X], bodies.frame[body, FRAME.CENTER_Y] = (
            ball[i, BALL.X],
            ball[i, BALL.Y],
        )
        bodies.velocity[body, VELOCITY.X], bodies.velocity[body, VELOCITY.Y] = (
            ball[i, BALL.VX] * factor,
            ball[i, BALL.VY] * factor,
        )
        if simulation.support[i, SUPPORT.STATE] == codes.STOPPED:
            for axis in range(2):
                simulation.weight[i, WEIGHT.INVERSE_MASS_X + axis] = bodies.mass[body, MASS.INVERSE_X + axis]
        turn(bodies, body, dt)
        clear_push(bodies, body)
    return codes.DONE


@device
def clear_push(bodies, body):
    """Write zeros to the body's row of body_push, unless it holds them: reading is cheaper."""
    for axis in range(3):
        if bodies.push[body, axis] != 0.0:
            bodies.push[body, axis] = 0.0


@device
def kick_body(bodies, body, gravity, half):
    """Accelerate a body that is no ball for `half` a step [s]. Writes body_velocity."""
    scale = bodies.motion[body, MOTION.GRAVITY_SCALE]
    for axis in range(2):
        mass, pull = bodies.mass[body, MASS.INVERSE_X + axis], gravity[axis] * scale
        bodies.velocity[body, axis] = velocity_after_kick(
            bodies, body, axis, bodies.velocity[body, axis], mass, pull, half
        )


@kernel
def move_others(rows: Ints, bodies: Bodies, gravity: tuple[float, float], dt: float):
    """Move the bodies that hit nothing: kinematic bodies, and dynamic ones without a solid collider.

    Reads and writes body_pose, body_velocity, body_frame; clears body_push.
    """
    for body in rows:
        is_dynamic = bodies.kind[body] == DYNAMIC
        if is_dynamic:
            kick_body(bodies, body, gravity, 0.5 * dt)
        c, s = bodies.frame[body, FRAME.COS], bodies.frame[body, FRAME.SIN]
        x = bodies.frame[body, FRAME.CENTER_X] + bodies.velocity[body, VELOCITY.X] * dt
        y = bodies.frame[body, FRAME.CENTER_Y] + bodies.velocity[body, VELOCITY.Y] * dt
        if is_dynamic:
            kick_body(bodies, body, gravity, 0.5 * dt)
            factor = 1.0 / (1.0 + dt * bodies.motion[body, MOTION.LINEAR_DAMPING])
            bodies.velocity[body, VELOCITY.X] *= factor
            bodies.velocity[body, VELOCITY.Y] *= factor
            turn(bodies, body, dt)
        else:
            bodies.pose[body, POSE.ANGLE] += bodies.velocity[body, VELOCITY.ANGULAR] * dt
        angle = bodies.pose[body, POSE.ANGLE]
        if angle != bodies.frame[body, FRAME.ANGLE]:
            c, s = cos_sin(angle)
        put_body(body, x, y, angle, c, s, bodies)
        clear_push(bodies, body)
