"""The stages of a substep over the solver's rows: bodies one by one, contacts in blocks of eight."""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.data import solver_state as of_state
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.rolling import resist_rolling, turned_by
from ecs_collide.step.solver.solver_rows import BLOCK, BODY, INDEX, POINT, STATUS

TOUCHING_DEPTH = 1e-9
"""Overlap that counts as a gap, in seconds of `push_out_speed`: rounding must not choose between rigid and soft."""


class Pass(NamedTuple):
    """What a pass over contacts of one kind has in common."""

    inverse_h: float
    push_out_speed: float
    bounce_speed: float
    relaxing: bool
    again: bool


class Motion(NamedTuple):
    """How the bodies of eight contacts move: B against A along the normal, across it, and the turns of both.

    Speeds [m/s, rad/s], and below them the movement since the start of the step [m, rad].
    """

    closing: float
    sliding: float
    """Seen from surfaces that carry what lies on them."""
    wa: float
    wb: float
    moved: float
    turn_a: float
    turn_b: float


class Demand(NamedTuple):
    """What a point asks for along the normal, see `softness`: whether over a gap, how fast, and of which mass."""

    speed: float
    gap: bool
    bias: float
    mass: float
    k: float
    softening: float
    old: float
    """The impulse that it bears so far [N s]."""


class Impulses(NamedTuple):
    """What eight contacts give their bodies: along the normal, across it [N s], and the turns of both [N m s]."""

    along: float
    across: float
    twist_a: float
    twist_b: float


@device
def move_freely(solver, count, substeps):
    """All substeps at once for the bodies without a contact; return how many others there are.

    Reads solver_colour: what takes no colour may have contacts all the same. Writes solver_state, solver_busy.
    """
    state, body, colour, busy = solver.state, solver.body, solver.status, solver.in_contact
    h = simd.load_quad(solver.time_step, 0)
    busy_count = 0
    for row in range(1, count):
        if (colour[row, STATUS.TAKEN] | colour[row, STATUS.TAKEN + 1]) != 0 or colour[row, STATUS.ALLOWED] == 0:
            busy[busy_count] = row
            busy_count += 1
            continue
        velocity, movement = simd.load_quad(state, (row, of_state.VX)), simd.load_quad(state, (row, of_state.DX))
        gain, factor = simd.load_quad(body, (row, BODY.GAIN)), simd.load_quad(body, (row, BODY.FACTOR))
        for _ in range(substeps):
            velocity = (velocity + gain) * factor
            movement = movement + h * velocity
        simd.store_quad(state, (row, of_state.VX), velocity)
        simd.store_quad(state, (row, of_state.DX), movement)
    return busy_count


@device
def integrate_velocities(solver, busy, again):
    """Gravity, forces and damping; with `again`, also the velocity change that contacts made in the last substep.

    Contacts are warm started once a step. In later substeps each body gets the sum of last substep's impulses as
    one velocity change, v' = u' + (v - u): the Jacobians are fixed, so this is the same as warm starting every
    contact, at the price of a pass over the bodies. Writes solver_state, solver_carry (BEFORE).
    """
    state, body = solver.state, solver.body
    for row in busy:
        velocity = simd.load_quad(state, (row, of_state.VX))
        unhindered = (velocity + simd.load_quad(body, (row, BODY.GAIN))) * simd.load_quad(body, (row, BODY.FACTOR))
        if again:
            simd.store_quad(
                state, (row, of_state.VX), unhindered + (velocity - simd.load_quad(body, (row, BODY.BEFORE)))
            )
        else:
            simd.store_quad(state, (row, of_state.VX), unhindered)
        simd.store_quad(body, (row, BODY.BEFORE), unhindered)


@device
def integrate_positions(solver, busy):
    """Move each body by a substep of its velocity. Reads solver_step [s]. Writes solver_state (movement)."""
    state, h = solver.state, simd.load_quad(solver.time_step, 0)
    for row in busy:
        simd.store_quad(
            state,
            (row, of_state.DX),
            simd.load_quad(state, (row, of_state.DX)) + h * simd.load_quad(state, (row, of_state.VX)),
        )


@device
def warm_start_contacts(solver, start, stop, point_count):
    """Apply the impulses of the last step in blocks of one kind. Writes solver_state (velocity)."""
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        vax, vay, wa, mass_ax = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_B))
        _, _, _, mass_ay = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_A))
        _, _, _, mass_by = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_B))
        normal_x, normal_y = simd.load(row, BLOCK.NORMAL_X), simd.load(row, BLOCK.NORMAL_Y)
        inertia_a, inertia_b = simd.load(row, BLOCK.INVERSE_INERTIA_A), simd.load(row, BLOCK.INVERSE_INERTIA_B)
        for i in range(point_count):
            point = row[BLOCK.FIRST + i * POINT.WIDTH :]
            along, across = simd.load(point, POINT.NORMAL_IMPULSE), simd.load(point, POINT.TANGENT_IMPULSE)
            px, py = along * normal_x + across * normal_y, along * normal_y - across * normal_x
            vax, vay = vax - mass_ax * px, vay - mass_ay * py
            vbx, vby = vbx + mass_bx * px, vby + mass_by * py
            wa = wa - inertia_a * (
                along * simd.load(point, POINT.NORMAL_ARM_A) + across * simd.load(point, POINT.TANGENT_ARM_A)
            )
            wb = wb + inertia_b * (
                along * simd.load(point, POINT.NORMAL_ARM_B) + across * simd.load(point, POINT.TANGENT_ARM_B)
            )
        if solver.has_surface[k]:
            wa, wb = turned_by(row, simd.load(row, BLOCK.ROLLING_IMPULSE), wa, wb)
        simd.scatter4(state, of_state.VX, index, (k, INDEX.ROW_A), vax, vay, wa, mass_ax)
        simd.scatter4(state, of_state.VX, index, (k, INDEX.ROW_B), vbx, vby, wb, mass_bx)


@device
def by_turning(point, turn_a, turn_b):
    """What the turns [rad] or spins [rad/s] of the two bodies take a point apart by, along the normal [m] or [m/s]."""
    return turn_b * simd.load(point, POINT.NORMAL_ARM_B) - turn_a * simd.load(point, POINT.NORMAL_ARM_A)


@device
def demand_of(row, point, motion, this):
    """What a point asks for along the normal.

    A gap may close within the substep and is rigid. An overlap is pushed out softly, except in a relaxing pass.
    """
    arm_a, arm_b = simd.load(point, POINT.NORMAL_ARM_A), simd.load(point, POINT.NORMAL_ARM_B)
    speed = motion.closing + motion.wb * arm_b - motion.wa * arm_a
    turned = by_turning(point, motion.turn_a, motion.turn_b)
    separation = simd.load(point, POINT.SEPARATION) + motion.moved + turned
    gap = separation > -TOUCHING_DEPTH * this.push_out_speed
    mass, k, old = (
        simd.load(point, POINT.NORMAL_MASS),
        simd.load(point, POINT.NORMAL_K),
        simd.load(point, POINT.NORMAL_IMPULSE),
    )
    if this.relaxing:
        bias = simd.select(gap, separation * this.inverse_h, 0.0)
        return Demand(speed, gap, bias, mass, k, simd.splat(1.0), old)
    push_out = simd.maximum(simd.load(row, BLOCK.BIAS_RATE) * separation, -this.push_out_speed)
    mass_scale = simd.select(gap, 1.0, simd.load(row, BLOCK.MASS_SCALE))
    softening = simd.select(gap, 1.0, simd.load(row, BLOCK.SOFTENING))
    bias = simd.select(gap, separation * this.inverse_h, push_out)
    return Demand(speed, gap, bias, mass * mass_scale, k, softening, old)


@device
def solve_together(k00, k11, coupling, mass0, mass1, q0, q1, coupled):
    """The impulses [N s] of both points of a contact at once, in the lanes where they are `coupled`.

    Finds x >= 0 with w = K x + q >= 0 and x.w = 0, where K has the softened k of the points on its diagonal, `mass`
    is 1 / k, their coupling stands beside it, and q = demand - K_rigid x_old: first with both points active, else
    with the one that leaves the other parting. Point by point instead, a box that lands flat hops and turns.
    """
    inverse_determinant = 1.0 / simd.select(coupled, k00 * k11 - coupling * coupling, 1.0)
    x0 = (coupling * q1 - k11 * q0) * inverse_determinant
    x1 = (coupling * q0 - k00 * q1) * inverse_determinant
    alone0, alone1 = simd.maximum(-q0 * mass0, 0.0), simd.maximum(-q1 * mass1, 0.0)
    first = q1 + coupling * alone0 >= q0 + coupling * alone1
    both = (x0 >= 0.0) & (x1 >= 0.0)
    return simd.select(both, x0, simd.select(first, alone0, 0.0)), simd.select(
        both, x1, simd.select(first, 0.0, alone1)
    )


@device
def solve_contacts(solver, listed, start, stop, point_count, h, tolerances, relaxing, again):
    """One Gauss-Seidel pass over listed blocks of one kind: friction, the normal impulses, rolling, of each contact.

    A gap closes at most (v_n >= -s/h). An overlap is pushed out softly, no faster than `push_out_speed` [m/s]; a
    `relaxing` pass takes that push back out of the velocity and adds up the step's impulses. Friction:
    |tangent impulse| <= friction * normal impulse. Two points whose matrix is nearly singular are solved one after
    the other. The speeds at a contact's points are computed once; from then on the couplings say what each impulse
    does to them, and the bodies get the sum.
    A pass made `again` takes the place of the one before in the totals. Writes solver_state (velocity), the impulses.
    """
    state, index = solver.state, solver.index
    this = Pass(1.0 / h, tolerances.push_out_speed, tolerances.bounce_speed, relaxing, again)
    for k in listed[start:stop]:
        row = solver.block[k]
        vax, vay, wa, mass_ax = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, of_state.VX, index, (k, INDEX.ROW_B))
        dax, day, turn_a, mass_ay = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_A))
        dbx, dby, turn_b, mass_by = simd.gather4(state, of_state.DX, index, (k, INDEX.ROW_B))
        normal_x, normal_y = simd.load(row, BLOCK.NORMAL_X), simd.load(row, BLOCK.NORMAL_Y)
        sliding = (vbx - vax) * normal_y - (vby - vay) * normal_x
        surfaces = solver.has_surface[k]
        if surfaces:
            sliding = sliding - simd.load(row, BLOCK.SURFACE_SPEED)
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
        moved = (dbx - dax) * normal_x + (dby - day) * normal_y
        motion = Motion(closing, sliding, wa, wb, moved, turn_a, turn_b)
        bouncing = relaxing and solver.has_bounce[k]
        if point_count == 1:
            given = solve_one(row, motion, this, bouncing)
        else:
            given = solve_two(row, motion, this, bouncing)
        px, py = given.along * normal_x + given.across * normal_y, given.along * normal_y - given.across * normal_x
        wa = wa - simd.load(row, BLOCK.INVERSE_INERTIA_A) * given.twist_a
        wb = wb + simd.load(row, BLOCK.INVERSE_INERTIA_B) * given.twist_b
        if surfaces:
            wa, wb = resist_rolling(row, point_count, wa, wb)
        simd.scatter4(state, of_state.VX, index, (k, INDEX.ROW_A), vax - mass_ax * px, vay - mass_ay * py, wa, mass_ax)
        simd.scatter4(state, of_state.VX, index, (k, INDEX.ROW_B), vbx + mass_bx * px, vby + mass_by * py, wb, mass_bx)


@device
def solve_one(row, motion, this, bouncing):
    """Friction, then the normal impulse, of contacts of one point."""
    point = row[BLOCK.FIRST :]
    across_a, across_b = simd.load(point, POINT.TANGENT_ARM_A), simd.load(point, POINT.TANGENT_ARM_B)
    asks = demand_of(row, point, motion, this)
    borne = rigid_impulse(row, asks, this, bouncing)
    sliding = motion.sliding + motion.wb * across_b - motion.wa * across_a
    rub = solve_friction(point, sliding, simd.load(row, BLOCK.FRICTION) * borne, this.relaxing, this.again)
    q = asks.speed + asks.bias + simd.load(point, POINT.CROSS_0) * rub - asks.k * asks.old
    x = simd.maximum(-q * asks.mass, 0.0)
    if bouncing:
        x = simd.select(will_bounce(row, asks, this), asks.old, x)
    along = x - asks.old
    twist_a = simd.load(point, POINT.NORMAL_ARM_A) * along + across_a * rub
    twist_b = simd.load(point, POINT.NORMAL_ARM_B) * along + across_b * rub
    keep_impulse(point, x, asks.old, this.relaxing, this.again)
    return Impulses(along, rub, twist_a, twist_b)


@device
def solve_two(row, motion, this, bouncing):
    """Friction, then the normal impulses together, of contacts of two points."""
    first, second = row[BLOCK.FIRST :], row[BLOCK.SECOND :]
    friction = simd.load(row, BLOCK.FRICTION)
    across_a0, across_b0 = simd.load(first, POINT.TANGENT_ARM_A), simd.load(first, POINT.TANGENT_ARM_B)
    across_a1, across_b1 = simd.load(second, POINT.TANGENT_ARM_A), simd.load(second, POINT.TANGENT_ARM_B)
    asks0 = demand_of(row, first, motion, this)
    sliding0 = motion.sliding + motion.wb * across_b0 - motion.wa * across_a0
    borne0 = rigid_impulse(row, asks0, this, bouncing)
    rub0 = solve_friction(first, sliding0, friction * borne0, this.relaxing, this.again)
    asks1 = demand_of(row, second, motion, this)
    sliding1 = motion.sliding + motion.wb * across_b1 - motion.wa * across_a1
    sliding1 = sliding1 + simd.load(row, BLOCK.TANGENT_COUPLING) * rub0
    borne1 = rigid_impulse(row, asks1, this, bouncing)
    rub1 = solve_friction(second, sliding1, friction * borne1, this.relaxing, this.again)

    q0 = asks0.speed + asks0.bias + simd.load(first, POINT.CROSS_0) * rub0 - asks0.k * asks0.old
    q0 = q0 + simd.load(second, POINT.CROSS_0) * rub1
    rubbed1 = simd.load(first, POINT.CROSS_1) * rub0 + simd.load(second, POINT.CROSS_1) * rub1
    q1 = asks1.speed + asks1.bias + rubbed1 - asks1.k * asks1.old
    x0, x1 = solve_both(row, asks0, asks1, q0, q1)
    if bouncing:
        x0 = simd.select(will_bounce(row, asks0, this), asks0.old, x0)
        x1 = simd.select(will_bounce(row, asks1, this), asks1.old, x1)
    push0, push1 = x0 - asks0.old, x1 - asks1.old
    arm_a0, arm_b0 = simd.load(first, POINT.NORMAL_ARM_A), simd.load(first, POINT.NORMAL_ARM_B)
    arm_a1, arm_b1 = simd.load(second, POINT.NORMAL_ARM_A), simd.load(second, POINT.NORMAL_ARM_B)
    twist_a = arm_a0 * push0 + arm_a1 * push1 + across_a0 * rub0 + across_a1 * rub1
    twist_b = arm_b0 * push0 + arm_b1 * push1 + across_b0 * rub0 + across_b1 * rub1
    keep_impulse(second, x1, asks1.old, this.relaxing, this.again)
    keep_impulse(first, x0, asks0.old, this.relaxing, this.again)
    return Impulses(push0 + push1, rub0 + rub1, twist_a, twist_b)


@device
def solve_both(row, asks0, asks1, q0, q1):
    """The normal impulses [N s] of two points: together, or in turn where their matrix is nearly singular."""
    coupling, coupled = simd.load(row, BLOCK.COUPLING), simd.load(row, BLOCK.COUPLED) > 0.0
    in_turn0 = simd.maximum(-q0 * asks0.mass, 0.0)
    in_turn1 = simd.maximum(-(q1 + coupling * (in_turn0 - asks0.old)) * asks1.mass, 0.0)
    q0, q1 = q0 - coupling * asks1.old, q1 - coupling * asks0.old
    k0, k1 = asks0.k * asks0.softening, asks1.k * asks1.softening
    x0, x1 = solve_together(k0, k1, coupling, asks0.mass, asks1.mass, q0, q1, coupled)
    return simd.select(coupled, x0, in_turn0), simd.select(coupled, x1, in_turn1)


@device
def rigid_impulse(row, asks, this, bouncing):
    """The normal impulse [N s] at a point that friction may count on.

    A relaxing pass takes back what pushed an overlap out: a ball that falls fast onto ice overlaps it for some steps,
    and would lose several times what Coulomb's law says.
    """
    taken_back = simd.splat(1.0 if this.relaxing else 0.0)
    rigid = simd.maximum(asks.old - taken_back * (asks.speed + asks.bias) * asks.mass, 0.0)
    if bouncing:
        rigid = simd.select(will_bounce(row, asks, this), asks.old, rigid)
    return rigid


@device
def will_bounce(row, asks, this):
    """In which lanes a point is on its way to a bounce, over a gap that a relaxing pass must not brake it before."""
    return (simd.load(row, BLOCK.RESTITUTION) > 0.0) & (asks.speed < -this.bounce_speed) & asks.gap


@device
def solve_friction(point, speed, limit, relaxing, again):
    """Stop the sliding at a point as far as the limit [N s] allows; store the impulse and return its change."""
    old = simd.load(point, POINT.TANGENT_IMPULSE)
    new = simd.minimum(simd.maximum(-limit, old - simd.load(point, POINT.TANGENT_MASS) * speed), limit)
    simd.store(point, POINT.TANGENT_IMPULSE, new)
    if relaxing:
        simd.store(point, POINT.TANGENT_TOTAL, simd.load(point, POINT.TANGENT_TOTAL) + (new - old if again else new))
    return new - old


@device
def keep_impulse(point, impulse, old, relaxing, again):
    """Store a point's normal impulse; a relaxing pass adds it to the step's total."""
    simd.store(point, POINT.NORMAL_IMPULSE, impulse)
    if relaxing:
        simd.store(
            point, POINT.NORMAL_TOTAL, simd.load(point, POINT.NORMAL_TOTAL) + (impulse - old if again else impulse)
        )
