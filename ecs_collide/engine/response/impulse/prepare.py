"""Fill the solver's rows from the columns at the start of a step.

The Jacobian of a contact point is fixed for the step: with the point at r from the centre of mass, its normal
row is (n, r x n) and its friction row (t, r x t), where t = (n_y, -n_x). The cross products are the `arms`.
Of two bodies that move, the point is the same, half way between their surfaces, which keeps angular momentum; on what
nothing moves, friction acts at the other body's own surface, so that a ball rolls and bounces on its whole radius.
Effective mass: 1 / k, where k = n.(M_a^-1 + M_b^-1) n + i_a (r_a x n)^2 + i_b (r_b x n)^2, with M^-1 diagonal, so
that an axis may be locked by itself. The coupling of two points has the arms of both in place of the squares; that of
friction with normal speeds has one arm of each kind, and n.(M_a^-1 + M_b^-1) t, which is 0 unless an axis is locked.
"""

from __future__ import annotations

from ecs_collide.columns.bodies import ANGLE, ANGULAR_DAMPING, GRAVITY_SCALE, LINEAR_DAMPING, X, Y
from ecs_collide.columns.bodies import CENTER_X as FRAME_X
from ecs_collide.columns.bodies import CENTER_Y as FRAME_Y
from ecs_collide.columns.bodies import INVERSE_INERTIA as BODY_INVERSE_INERTIA
from ecs_collide.columns.bodies import INVERSE_MASS_X as BODY_INVERSE_MASS_X
from ecs_collide.columns.bodies import INVERSE_MASS_Y as BODY_INVERSE_MASS_Y
from ecs_collide.columns.pairs import NORMAL_IMPULSE as PAIR_NORMAL
from ecs_collide.columns.solver_state import DA, DX, DY, INVERSE_MASS_X, INVERSE_MASS_Y, VX, VY, W
from ecs_collide.compiled.jit import device
from ecs_collide.compiled.simd import (
    absolute,
    any_lane,
    gather,
    gather2,
    gather4,
    load,
    maximum,
    minimum,
    select,
    splat,
    store,
)
from ecs_collide.components.body_kind import BodyKind
from ecs_collide.engine.basis.tuning import IMPACT_RATIO
from ecs_collide.engine.response.impulse.impact import note_impacts
from ecs_collide.engine.response.impulse.layout import (
    ANY_COLOUR,
    APPROACH,
    BEARS,
    BIAS_RATE,
    CENTER_X,
    CENTER_Y,
    CONTACT,
    COUPLED,
    COUPLING,
    CROSS_0,
    CROSS_1,
    FACTOR,
    FRICTION,
    GAIN,
    INVERSE_INERTIA,
    INVERSE_INERTIA_A,
    INVERSE_INERTIA_B,
    MASS_SCALE,
    NORMAL_ARM_A,
    NORMAL_ARM_B,
    NORMAL_IMPULSE,
    NORMAL_K,
    NORMAL_MASS,
    NORMAL_TOTAL,
    NORMAL_X,
    NORMAL_Y,
    PAIR,
    POINT,
    POINT_WIDTH,
    PUT,
    PUT_THERE,
    RESTITUTION,
    ROW_A,
    ROW_B,
    SEPARATION,
    SETTLED,
    SOFTENING,
    TAKEABLE,
    TANGENT_ARM_A,
    TANGENT_ARM_B,
    TANGENT_COUPLING,
    TANGENT_IMPULSE,
    TANGENT_MASS,
    TANGENT_TOTAL,
)
from ecs_collide.engine.response.impulse.push_out import mark_merged
from ecs_collide.engine.response.impulse.uneven import STILL_STRUCK, note_loads

DYNAMIC = int(BodyKind.DYNAMIC)

SINGULAR = 1e-4
"""Two points are solved together if their matrix's determinant is more than this fraction of its diagonal's product."""


@device
def prepare_bodies(movers, bodies, solver, gravity_x, gravity_y, h):
    """Load the moving bodies' velocities, and what a substep of h [s] adds to them.

    Reads body_velocity, body_mass, body_motion, body_frame, body_force, body_push. Writes solver_state, solver_carry,
    solver_colour, body_solver_row. A locked axis of a dynamic body loses its velocity.
    """
    state, carry, colour = solver.state, solver.carry, solver.colour
    state[0, :] = 0.0
    carry[0, :] = 0.0
    colour[0, :] = 0
    solver.step[:3] = h
    for k in range(len(movers)):
        body, row = movers[k], k + 1
        bodies.solver_row[body] = row
        inverse_x, inverse_y = bodies.mass[body, BODY_INVERSE_MASS_X], bodies.mass[body, BODY_INVERSE_MASS_Y]
        inverse_inertia = bodies.mass[body, BODY_INVERSE_INERTIA]
        vx, vy, w = bodies.velocity[body, X], bodies.velocity[body, Y], bodies.velocity[body, ANGLE]
        gain_x, gain_y, gain_w, linear_factor, angular_factor = 0.0, 0.0, 0.0, 1.0, 1.0
        if bodies.kind[body] == DYNAMIC:
            scale = bodies.motion[body, GRAVITY_SCALE]
            if inverse_x > 0.0:
                force = bodies.force[body, X] + bodies.push[body, X]
                gain_x = h * (gravity_x * scale + force * inverse_x)
            else:
                vx = 0.0
            if inverse_y > 0.0:
                force = bodies.force[body, Y] + bodies.push[body, Y]
                gain_y = h * (gravity_y * scale + force * inverse_y)
            else:
                vy = 0.0
            if inverse_inertia > 0.0:
                gain_w = h * (bodies.force[body, ANGLE] + bodies.push[body, ANGLE]) * inverse_inertia
            else:
                w = 0.0
            linear, angular = bodies.motion[body, LINEAR_DAMPING], bodies.motion[body, ANGULAR_DAMPING]
            if linear != 0.0 or angular != 0.0:
                linear_factor, angular_factor = 1.0 / (1.0 + h * linear), 1.0 / (1.0 + h * angular)
        state[row, VX], state[row, VY], state[row, W] = vx, vy, w
        state[row, INVERSE_MASS_X], state[row, INVERSE_MASS_Y] = inverse_x, inverse_y
        state[row, DX], state[row, DY], state[row, DA] = 0.0, 0.0, 0.0
        carry[row, GAIN], carry[row, GAIN + 1], carry[row, GAIN + 2], carry[row, GAIN + 3] = gain_x, gain_y, gain_w, 0.0
        carry[row, FACTOR], carry[row, FACTOR + 1] = linear_factor, linear_factor
        carry[row, FACTOR + 2], carry[row, FACTOR + 3] = angular_factor, 1.0
        carry[row, CENTER_X], carry[row, CENTER_Y] = bodies.frame[body, FRAME_X], bodies.frame[body, FRAME_Y]
        carry[row, INVERSE_INERTIA], carry[row, BEARS] = inverse_inertia, 0.0
        colour[row, :] = 0
        colour[row, PUT] = SETTLED if bodies.settled[body] else PUT_THERE
        colour[row, TAKEABLE] = ANY_COLOUR if inverse_x + inverse_y + inverse_inertia > 0.0 else 0


@device
def prepare_contacts(contacts, pairs, solver, single_blocks, blocks, soft, stiff, dt, tolerances):
    """Fill the blocks of contacts.

    Returns whether any contact can bounce, through how many an impact can travel, and whether any body bears much.
    Reads the contacts, pair_impulse, solver_index, solver_state, solver_carry. Writes solver_block, solver_bounces,
    solver_meets, solver_merged, solver_colour (REACH), solver_carry (BEARS), pair_index (MERGED).
    """
    state, carry, index = solver.state, solver.carry, solver.index
    look_again = solver.merged[0]
    bouncing, farthest, uneven, merged = False, 0, False, False
    for k in range(blocks):
        row = solver.block[k]
        vax, vay, wa, mass_ax = gather4(state, VX, index, (k, ROW_A))
        vbx, vby, wb, mass_bx = gather4(state, VX, index, (k, ROW_B))
        _, _, _, mass_ay = gather4(state, DX, index, (k, ROW_A))
        _, _, _, mass_by = gather4(state, DX, index, (k, ROW_B))
        center_ax, center_ay, inertia_a, _ = gather4(carry, CENTER_X, index, (k, ROW_A))
        center_bx, center_by, inertia_b, _ = gather4(carry, CENTER_X, index, (k, ROW_B))
        normal_x, normal_y = gather2(contacts.normal, 0, index, (k, CONTACT))
        restitution = gather(contacts.restitution, index, (k, CONTACT))
        bounces = any_lane(restitution > 0.0)
        solver.bounces[k] = bounces
        store(row, NORMAL_X, normal_x)
        store(row, NORMAL_Y, normal_y)
        store(row, FRICTION, gather(contacts.friction, index, (k, CONTACT)))
        store(row, RESTITUTION, restitution)
        store(row, INVERSE_INERTIA_A, inertia_a)
        store(row, INVERSE_INERTIA_B, inertia_b)
        immovable_a, immovable_b = mass_ax + mass_ay + inertia_a <= 0.0, mass_bx + mass_by + inertia_b <= 0.0
        immovable = immovable_a | immovable_b
        store(row, BIAS_RATE, select(immovable, splat(stiff.bias_rate), splat(soft.bias_rate)))
        store(row, MASS_SCALE, select(immovable, splat(stiff.mass_scale), splat(soft.mass_scale)))
        store(row, SOFTENING, select(immovable, splat(stiff.softening), splat(soft.softening)))

        mass_x, mass_y = mass_ax + mass_bx, mass_ay + mass_by
        along = normal_x * normal_x * mass_x + normal_y * normal_y * mass_y
        across = normal_y * normal_y * mass_x + normal_x * normal_x * mass_y
        approach_speed = (vbx - vax) * normal_x + (vby - vay) * normal_y
        sliding_speed = (vbx - vax) * normal_y - (vby - vay) * normal_x
        separation0, separation1 = gather2(contacts.separation, 0, index, (k, CONTACT))
        normal0, normal1, tangent0, tangent1 = gather4(pairs.impulse, PAIR_NORMAL, index, (k, PAIR))
        x0, y0, x1, y1 = gather4(contacts.point, 0, index, (k, CONTACT))
        inverse_a, inverse_b = maximum(mass_ax, mass_ay), maximum(mass_bx, mass_by)
        pusher = (immovable_a & (vax * vax + vay * vay > 0.0)) | (immovable_b & (vbx * vbx + vby * vby > 0.0))
        light, heavy = maximum(inverse_a, inverse_b), minimum(inverse_a, inverse_b)
        impact, pressed = splat(0.0), splat(0.0)
        depth, fastest = splat(0.0), splat(0.0)
        point_count = 1 if k < single_blocks else 2
        for i in range(point_count):
            point = row[POINT + i * POINT_WIDTH :]
            if i == 0:
                x, y, separation, normal_impulse, tangent_impulse = x0, y0, separation0, normal0, tangent0
            else:
                x, y, separation, normal_impulse, tangent_impulse = x1, y1, separation1, normal1, tangent1
            rax, ray, rbx, rby = x - center_ax, y - center_ay, x - center_bx, y - center_by
            normal_a, normal_b = rax * normal_y - ray * normal_x, rbx * normal_y - rby * normal_x
            tangent_a, tangent_b = -rax * normal_x - ray * normal_y, -rbx * normal_x - rby * normal_y
            to_surface = select(immovable_a, -0.5 * separation, select(immovable_b, 0.5 * separation, 0.0))
            tangent_a, tangent_b = tangent_a + to_surface, tangent_b + to_surface
            normal_k = along + inertia_a * normal_a * normal_a + inertia_b * normal_b * normal_b
            tangent_k = across + inertia_a * tangent_a * tangent_a + inertia_b * tangent_b * tangent_b
            approach = approach_speed + wb * normal_b - wa * normal_a
            store(point, NORMAL_ARM_A, normal_a)
            store(point, NORMAL_ARM_B, normal_b)
            store(point, TANGENT_ARM_A, tangent_a)
            store(point, TANGENT_ARM_B, tangent_b)
            store(point, SEPARATION, separation)
            store(point, NORMAL_K, normal_k)
            store(point, NORMAL_MASS, inverse(normal_k))
            store(point, TANGENT_MASS, inverse(tangent_k))
            store(point, NORMAL_IMPULSE, normal_impulse)
            store(point, TANGENT_IMPULSE, tangent_impulse)
            store(point, APPROACH, approach)
            pressed = maximum(pressed, normal_impulse)
            impact = maximum(impact, select(separation + dt * approach < 0.0, -approach, 0.0))
            speed = absolute(approach) + absolute(sliding_speed + wb * tangent_b - wa * tangent_a)
            depth, fastest = maximum(depth, -separation), maximum(fastest, speed)
            for field in (NORMAL_TOTAL, TANGENT_TOTAL):
                store(point, field, splat(0.0))
        differ = (heavy > 0.0) & (light > IMPACT_RATIO * heavy)
        reach = note_impacts(solver, k, select(differ, impact, 0.0), tolerances.impact_speed)
        solver.meets[k] = bounces or reach > 0
        bouncing, farthest = bouncing or bounces, max(farthest, reach)
        struck = (impact > tolerances.impact_speed) | (pressed * heavy > STILL_STRUCK * tolerances.impact_speed)
        bears_much = note_loads(solver, k, light, heavy, struck, pusher)
        uneven = uneven or bears_much
        explained = tolerances.speculative + dt * fastest
        if look_again or any_lane(depth > explained):
            some = mark_merged(pairs, solver, k, point_count, look_again, depth, explained, tolerances.touch)
            merged = merged or some
        first, second = row[POINT:], row[POINT + POINT_WIDTH :]
        skew = normal_x * normal_y * (mass_x - mass_y)
        store(first, CROSS_0, coupling_of(skew, row, first, TANGENT_ARM_A, first, NORMAL_ARM_A))
        if k >= single_blocks:
            store(first, CROSS_1, coupling_of(skew, row, first, TANGENT_ARM_A, second, NORMAL_ARM_A))
            store(second, CROSS_0, coupling_of(skew, row, second, TANGENT_ARM_A, first, NORMAL_ARM_A))
            store(second, CROSS_1, coupling_of(skew, row, second, TANGENT_ARM_A, second, NORMAL_ARM_A))
            store(row, TANGENT_COUPLING, coupling_of(across, row, first, TANGENT_ARM_A, second, TANGENT_ARM_A))
            coupling = coupling_of(along, row, first, NORMAL_ARM_A, second, NORMAL_ARM_A)
            product = load(first, NORMAL_K) * load(second, NORMAL_K)
            store(row, COUPLING, coupling)
            store(row, COUPLED, select(product - coupling * coupling > SINGULAR * product, splat(1.0), splat(0.0)))
    solver.merged[0] = merged
    return bouncing, farthest, uneven


@device
def coupling_of(straight, row, first, first_arm, second, second_arm):
    """What an impulse with one pair of arms does to the speed along another; B's arm stands behind A's."""
    by_a = load(row, INVERSE_INERTIA_A) * load(first, first_arm) * load(second, second_arm)
    return straight + by_a + load(row, INVERSE_INERTIA_B) * load(first, first_arm + 1) * load(second, second_arm + 1)


@device
def inverse(k):
    """1 / k in each lane, 0 where nothing gives way."""
    gives_way = k > 0.0
    return select(gives_way, 1.0 / select(gives_way, k, 1.0), 0.0)
