"""Solve the contacts of a substep, in passes over blocks of eight.

A pass treats each contact point in turn (Gauss-Seidel), with symbols at one point:

    v_n, v_t     speed of B relative to A along the normal and along the tangent, with rotation
    s            separation now
    k_n, k_t     inverse effective masses, see `prepare_contacts.py`
    x, y         impulses along the normal and along the tangent, accumulated over the passes

    friction     y' = clamp(y - v_t / k_t, -mu x_r, mu x_r)                Coulomb: |y'| <= mu x_r
    normal       x' = max(0, -(v_n + bias - k_n x_old) / (k_n softening))  x' >= 0: bodies never pull

x_r is the normal impulse that limits friction, see `rigid_impulse`. A gap (s >= 0) closes at most: bias = s / h, with
softening 1. An overlap is pushed out as by a soft spring: the bias rate times s, see `softness.py`, and no faster than
`push_out_speed`. Friction comes first, so that the normal impulse has the last word. Two points are solved together,
see `solve_together`.

A substep makes two passes. The first one includes the push; bodies then move by the velocities. The second, *relaxing*
pass solves without the push, so that no push stays in the velocities, and adds up the impulses of the step.

The speeds at the points of a contact are computed once. The couplings then give their change by each impulse, and the
bodies get the sum.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver.rolling import apply_rolling_impulse, resist_rolling
from ecs_collide.step.solver.solver_rows import BLOCK, INDEX, POINT


class ContactPass(NamedTuple):
    """Parameters of a pass over contacts of one kind."""

    inverse_h: float
    """1 / length of a substep [1/s]."""
    push_out_speed: float
    """Greatest speed at which overlap is pushed out [m/s]."""
    touching_depth: float
    """Overlap that counts as a gap [m]."""
    bounce_speed: float
    """Approach speed from which a contact bounces [m/s]."""
    relaxing: bool
    """True in the pass that takes the push back out of the velocities."""
    is_repeat: bool
    """True if the same blocks were solved just before: the pass then replaces that one in the totals of the step."""


class Motion(NamedTuple):
    """Motion of the bodies of eight contacts."""

    closing: float
    """Speed of B relative to A along the normal, without rotation [m/s]."""
    sliding: float
    """Speed of B relative to A along the tangent, without rotation, less that of a conveyor surface [m/s]."""
    wa: float
    """Spin of A [rad/s]."""
    wb: float
    """Spin of B [rad/s]."""
    moved: float
    """Movement of B relative to A along the normal in this step, without rotation [m]."""
    turn_a: float
    """Rotation of A in this step [rad]."""
    turn_b: float
    """Rotation of B in this step [rad]."""


class NormalRow(NamedTuple):
    """Constraint of a point along the normal, see `softness`."""

    speed: float
    """Normal speed [m/s]."""
    is_gap: bool
    """True if the point is a gap, which is rigid."""
    bias: float
    """Velocity bias [m/s]."""
    mass: float
    """Effective mass, with the mass scale [kg]."""
    k: float
    """Inverse effective mass [1/kg]."""
    softening: float
    """Factor of k."""
    old: float
    """Accumulated impulse so far [N s]."""


class Impulses(NamedTuple):
    """Impulses of eight contacts: along the normal, along the tangent [N s], angular impulse on A and B [N m s]."""

    along: float
    across: float
    twist_a: float
    twist_b: float


@device
def warm_start_contacts(solver, start, stop, point_count):
    """Apply the impulses of the last step in blocks of one kind. Writes solver_state (velocity)."""
    state, index = solver.state, solver.index
    for k in range(start, stop):
        row = solver.block[k]
        vax, vay, wa, mass_ax = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_B))
        _, _, _, mass_ay = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_A))
        _, _, _, mass_by = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_B))
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
            wa, wb = apply_rolling_impulse(row, simd.load(row, BLOCK.ROLLING_IMPULSE), wa, wb)
        simd.scatter4(state, STATE.VX, index, (k, INDEX.ROW_A), vax, vay, wa, mass_ax)
        simd.scatter4(state, STATE.VX, index, (k, INDEX.ROW_B), vbx, vby, wb, mass_bx)


@device
def rotation_part(point, turn_a, turn_b):
    """Return the part of a normal movement [m] or speed [m/s] that the turns [rad] or spins [rad/s] make."""
    return turn_b * simd.load(point, POINT.NORMAL_ARM_B) - turn_a * simd.load(point, POINT.NORMAL_ARM_A)


@device
def normal_row(row, point, motion, this_pass):
    """Return the constraint of a point along the normal.

    A gap may close within the substep, and is rigid. An overlap is pushed out softly, except in a relaxing pass.
    """
    arm_a, arm_b = simd.load(point, POINT.NORMAL_ARM_A), simd.load(point, POINT.NORMAL_ARM_B)
    speed = motion.closing + motion.wb * arm_b - motion.wa * arm_a
    turned = rotation_part(point, motion.turn_a, motion.turn_b)
    separation = simd.load(point, POINT.SEPARATION) + motion.moved + turned
    is_gap = separation > -this_pass.touching_depth
    mass, k, old = (
        simd.load(point, POINT.NORMAL_MASS),
        simd.load(point, POINT.NORMAL_K),
        simd.load(point, POINT.NORMAL_IMPULSE),
    )
    if this_pass.relaxing:
        bias = simd.select(is_gap, separation * this_pass.inverse_h, 0.0)
        return NormalRow(speed=speed, is_gap=is_gap, bias=bias, mass=mass, k=k, softening=simd.splat(1.0), old=old)
    push_out = simd.maximum(simd.load(row, BLOCK.BIAS_RATE) * separation, -this_pass.push_out_speed)
    mass_scale = simd.select(is_gap, 1.0, simd.load(row, BLOCK.MASS_SCALE))
    softening = simd.select(is_gap, 1.0, simd.load(row, BLOCK.SOFTENING))
    bias = simd.select(is_gap, separation * this_pass.inverse_h, push_out)
    return NormalRow(speed=speed, is_gap=is_gap, bias=bias, mass=mass * mass_scale, k=k, softening=softening, old=old)


@device
def solve_together(k00, k11, coupling, mass0, mass1, q0, q1, coupled):
    """Return the impulses [N s] of both points of a contact, solved together in the lanes that are `coupled`.

    Finds x >= 0 with w = K x + q >= 0 and x.w = 0. K has the softened k of the points on its diagonal, and their
    coupling beside it; `mass` is 1 / k; q = speed + bias - K_rigid x_old. Both points are active if that solves the
    problem, else the one that leaves the other parting. If the points were solved one after the other, a box that lands
    flat would hop and turn.
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
def solve_contacts(solver, listed, start, stop, point_count, h, tolerances, relaxing, is_repeat):
    """Make one pass over the listed blocks of one kind: friction, normal impulses, rolling resistance.

    `relaxing` and `is_repeat` are fields of `ContactPass`. Writes solver_state (velocity), solver_block (impulses).
    """
    state, index = solver.state, solver.index
    this_pass = ContactPass(
        inverse_h=1.0 / h,
        push_out_speed=tolerances.push_out_speed,
        touching_depth=tolerances.touching_depth,
        bounce_speed=tolerances.bounce_speed,
        relaxing=relaxing,
        is_repeat=is_repeat,
    )
    for k in listed[start:stop]:
        row = solver.block[k]
        # Load the bodies.
        vax, vay, wa, mass_ax = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_A))
        vbx, vby, wb, mass_bx = simd.gather4(state, STATE.VX, index, (k, INDEX.ROW_B))
        dax, day, turn_a, mass_ay = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_A))
        dbx, dby, turn_b, mass_by = simd.gather4(state, STATE.DX, index, (k, INDEX.ROW_B))
        # Their relative motion.
        normal_x, normal_y = simd.load(row, BLOCK.NORMAL_X), simd.load(row, BLOCK.NORMAL_Y)
        sliding = (vbx - vax) * normal_y - (vby - vay) * normal_x
        surfaces = solver.has_surface[k]
        if surfaces:
            sliding = sliding - simd.load(row, BLOCK.SURFACE_SPEED)
        closing = (vbx - vax) * normal_x + (vby - vay) * normal_y
        moved = (dbx - dax) * normal_x + (dby - day) * normal_y
        motion = Motion(closing=closing, sliding=sliding, wa=wa, wb=wb, moved=moved, turn_a=turn_a, turn_b=turn_b)
        # Solve the contacts.
        bouncing = relaxing and solver.has_bounce[k]
        if point_count == 1:
            impulses = solve_one_point(row, motion, this_pass, bouncing)
        else:
            impulses = solve_two_points(row, motion, this_pass, bouncing)
        # Change the velocities.
        px, py = (
            impulses.along * normal_x + impulses.across * normal_y,
            impulses.along * normal_y - impulses.across * normal_x,
        )
        wa = wa - simd.load(row, BLOCK.INVERSE_INERTIA_A) * impulses.twist_a
        wb = wb + simd.load(row, BLOCK.INVERSE_INERTIA_B) * impulses.twist_b
        if surfaces:
            wa, wb = resist_rolling(row, point_count, wa, wb)
        simd.scatter4(state, STATE.VX, index, (k, INDEX.ROW_A), vax - mass_ax * px, vay - mass_ay * py, wa, mass_ax)
        simd.scatter4(state, STATE.VX, index, (k, INDEX.ROW_B), vbx + mass_bx * px, vby + mass_by * py, wb, mass_bx)


@device
def solve_one_point(row, motion, this_pass, bouncing):
    """Solve friction, then the normal impulse, of contacts of one point; return the impulses."""
    point = row[BLOCK.FIRST :]
    across_a, across_b = simd.load(point, POINT.TANGENT_ARM_A), simd.load(point, POINT.TANGENT_ARM_B)
    normal = normal_row(row, point, motion, this_pass)
    limit = rigid_impulse(row, normal, this_pass, bouncing)
    sliding = motion.sliding + motion.wb * across_b - motion.wa * across_a
    tangent = solve_friction(point, sliding, simd.load(row, BLOCK.FRICTION) * limit, this_pass)
    q = normal.speed + normal.bias + simd.load(point, POINT.CROSS_0) * tangent - normal.k * normal.old
    x = simd.maximum(-q * normal.mass, 0.0)
    if bouncing:
        x = simd.select(will_bounce(row, normal, this_pass), normal.old, x)
    along = x - normal.old
    twist_a = simd.load(point, POINT.NORMAL_ARM_A) * along + across_a * tangent
    twist_b = simd.load(point, POINT.NORMAL_ARM_B) * along + across_b * tangent
    store_normal_impulse(point, x, normal.old, this_pass)
    return Impulses(along=along, across=tangent, twist_a=twist_a, twist_b=twist_b)


@device
def solve_two_points(row, motion, this_pass, bouncing):
    """Solve friction of each point, then the normal impulses together, of contacts of two points."""
    first, second = row[BLOCK.FIRST :], row[BLOCK.SECOND :]
    friction = simd.load(row, BLOCK.FRICTION)
    across_a0, across_b0 = simd.load(first, POINT.TANGENT_ARM_A), simd.load(first, POINT.TANGENT_ARM_B)
    across_a1, across_b1 = simd.load(second, POINT.TANGENT_ARM_A), simd.load(second, POINT.TANGENT_ARM_B)
    # Friction, with the normal impulses so far.
    normal0 = normal_row(row, first, motion, this_pass)
    sliding0 = motion.sliding + motion.wb * across_b0 - motion.wa * across_a0
    limit0 = rigid_impulse(row, normal0, this_pass, bouncing)
    tangent0 = solve_friction(first, sliding0, friction * limit0, this_pass)
    normal1 = normal_row(row, second, motion, this_pass)
    sliding1 = motion.sliding + motion.wb * across_b1 - motion.wa * across_a1
    sliding1 = sliding1 + simd.load(row, BLOCK.TANGENT_COUPLING) * tangent0
    limit1 = rigid_impulse(row, normal1, this_pass, bouncing)
    tangent1 = solve_friction(second, sliding1, friction * limit1, this_pass)
    # Normal impulses.
    q0 = normal0.speed + normal0.bias + simd.load(first, POINT.CROSS_0) * tangent0 - normal0.k * normal0.old
    q0 = q0 + simd.load(second, POINT.CROSS_0) * tangent1
    friction_speed1 = simd.load(first, POINT.CROSS_1) * tangent0 + simd.load(second, POINT.CROSS_1) * tangent1
    q1 = normal1.speed + normal1.bias + friction_speed1 - normal1.k * normal1.old
    x0, x1 = solve_both(row, normal0, normal1, q0, q1)
    if bouncing:
        x0 = simd.select(will_bounce(row, normal0, this_pass), normal0.old, x0)
        x1 = simd.select(will_bounce(row, normal1, this_pass), normal1.old, x1)
    # Impulses on the bodies.
    push0, push1 = x0 - normal0.old, x1 - normal1.old
    arm_a0, arm_b0 = simd.load(first, POINT.NORMAL_ARM_A), simd.load(first, POINT.NORMAL_ARM_B)
    arm_a1, arm_b1 = simd.load(second, POINT.NORMAL_ARM_A), simd.load(second, POINT.NORMAL_ARM_B)
    twist_a = arm_a0 * push0 + arm_a1 * push1 + across_a0 * tangent0 + across_a1 * tangent1
    twist_b = arm_b0 * push0 + arm_b1 * push1 + across_b0 * tangent0 + across_b1 * tangent1
    store_normal_impulse(second, x1, normal1.old, this_pass)
    store_normal_impulse(first, x0, normal0.old, this_pass)
    return Impulses(along=push0 + push1, across=tangent0 + tangent1, twist_a=twist_a, twist_b=twist_b)


@device
def solve_both(row, normal0, normal1, q0, q1):
    """Return the normal impulses [N s] of two points: together, or in turn if their matrix is nearly singular."""
    coupling, coupled = simd.load(row, BLOCK.COUPLING), simd.load(row, BLOCK.COUPLED) > 0.0
    in_turn0 = simd.maximum(-q0 * normal0.mass, 0.0)
    in_turn1 = simd.maximum(-(q1 + coupling * (in_turn0 - normal0.old)) * normal1.mass, 0.0)
    q0, q1 = q0 - coupling * normal1.old, q1 - coupling * normal0.old
    k0, k1 = normal0.k * normal0.softening, normal1.k * normal1.softening
    x0, x1 = solve_together(k0, k1, coupling, normal0.mass, normal1.mass, q0, q1, coupled)
    return simd.select(coupled, x0, in_turn0), simd.select(coupled, x1, in_turn1)


@device
def rigid_impulse(row, normal, this_pass, bouncing):
    """Return the normal impulse [N s] at a point that limits friction.

    A relaxing pass leaves out the push against overlap. A ball that falls fast onto ice overlaps it for some steps, and
    would otherwise lose several times the speed of Coulomb's law.
    """
    removed_impulse = simd.splat(1.0 if this_pass.relaxing else 0.0)
    rigid = simd.maximum(normal.old - removed_impulse * (normal.speed + normal.bias) * normal.mass, 0.0)
    if bouncing:
        rigid = simd.select(will_bounce(row, normal, this_pass), normal.old, rigid)
    return rigid


@device
def will_bounce(row, normal, this_pass):
    """Return True in lanes whose point approaches a bounce over a gap. A relaxing pass must not brake it."""
    return (simd.load(row, BLOCK.RESTITUTION) > 0.0) & (normal.speed < -this_pass.bounce_speed) & normal.is_gap


@device
def solve_friction(point, speed, limit, this_pass):
    """Stop the sliding at a point as far as the limit [N s] allows; store the impulse, and return its change."""
    old = simd.load(point, POINT.TANGENT_IMPULSE)
    new = simd.minimum(simd.maximum(-limit, old - simd.load(point, POINT.TANGENT_MASS) * speed), limit)
    simd.store(point, POINT.TANGENT_IMPULSE, new)
    add_to_total(point, POINT.TANGENT_TOTAL, new, old, this_pass)
    return new - old


@device
def store_normal_impulse(point, impulse, old, this_pass):
    """Store a point's normal impulse."""
    simd.store(point, POINT.NORMAL_IMPULSE, impulse)
    add_to_total(point, POINT.NORMAL_TOTAL, impulse, old, this_pass)


@device
def add_to_total(point, column, impulse, old, this_pass):
    """Add an impulse to a total of the step in a relaxing pass; a repeat adds only the change of the impulse."""
    if this_pass.relaxing:
        simd.store(point, column, simd.load(point, column) + (impulse - old if this_pass.is_repeat else impulse))
