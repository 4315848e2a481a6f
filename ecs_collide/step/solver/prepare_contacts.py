"""Fill the arrays of the contacts in the solver from the columns at the start of a step.

The Jacobian of a contact point is constant within a step, and that of a later place for contacts with a `lead`. With
the point at r from the centre of mass, the normal row is (n, r x n) and the friction row (t, r x t), where
t = (n_y, -n_x). The cross products are the *arms*.

The effective mass is 1 / k, where k = n.(M_a^-1 + M_b^-1) n + i_a (r_a x n)^2 + i_b (r_b x n)^2. M^-1 is diagonal, so
that one axis can be locked. The coupling of two points has the product of their arms in place of the squares. The
coupling of friction with normal speeds has one arm of each kind, and n.(M_a^-1 + M_b^-1) t, which is 0 unless an axis
is locked.

Between two movable bodies, the point is half way between their surfaces, which keeps angular momentum. At an immovable
body, friction acts at the surface of the other body, so that a ball rolls and bounces on its whole radius.
"""

from __future__ import annotations

from typing import NamedTuple

from ecs_collide.data.pairs import IMPULSE
from ecs_collide.data.solver_state import STATE
from ecs_collide.kernels import simd
from ecs_collide.kernels.kernel import device
from ecs_collide.step.solver import push_out
from ecs_collide.step.solver.impact import find_impacts
from ecs_collide.step.solver.mass_ratios import find_loads
from ecs_collide.step.solver.rolling import prepare_rolling
from ecs_collide.step.solver.solver_rows import BLOCK, BODY, INDEX, LEAD, POINT

SINGULAR = 1e-4
"""Two points are solved together if their matrix's determinant is more than this fraction of its diagonal's product."""


LEAST_LEVERAGE = 1e-8
"""Fraction of the largest possible leverage below which a contact does not turn a body that can only turn.

It is the square of a ten-thousandth of the arm. Without this limit the body would spin without end.
"""


class EightBodies(NamedTuple):
    """One body of each of eight contacts: velocity, inverse masses, centre of mass, and if it is immovable."""

    vx: float
    vy: float
    w: float
    mass_x: float
    mass_y: float
    inertia: float
    center_x: float
    center_y: float
    is_immovable: bool


class ContactNormal(NamedTuple):
    """Normal of eight contacts, and the inverse masses of both bodies together along it and across it [1/kg]."""

    x: float
    y: float
    along: float
    across: float


class PointInput(NamedTuple):
    """A point of eight contacts, as the columns have it [m, N s]."""

    x: float
    y: float
    separation: float
    normal_impulse: float
    tangent_impulse: float


class Onset(NamedTuple):
    """State of eight contacts at the start of a step: the greatest values among their points."""

    impact: float
    """Approach speed, if the gap closes within the step [m/s]."""
    depth: float
    """Overlap [m]."""
    fastest: float
    """Sum of the approach speed and the sliding speed [m/s]."""


@device
def prepare_contacts(contacts, pairs, solver, single_blocks, blocks, soft, stiff, dt, tolerances):
    """Fill the blocks of contacts.

    Returns True if any contact can bounce, the number of contacts that an impact reaches, and True if any load is
    large.

    Reads the contacts, pair_impulse, pair_rolling, solver_index, solver_has_surface, solver_has_lead, solver_lead,
    solver_lead_time, solver_state, solver_body. Writes solver_block, solver_has_bounce, solver_has_impact,
    solver_any_merged, solver_status (REACH), solver_body (LOAD), pair_index (MERGED).
    """
    had_merged = solver.any_merged[0]
    bouncing, farthest, any_loaded, merged = False, 0, False, False
    for k in range(blocks):
        row, point_count = solver.block[k], 1 if k < single_blocks else 2
        a, b = load_bodies(solver, (k, INDEX.ROW_A)), load_bodies(solver, (k, INDEX.ROW_B))
        if solver.has_lead[k]:
            time = simd.gather(solver.lead_time, solver.index, (k, INDEX.CONTACT))
            a, b = moved_ahead(a, time), moved_ahead(b, time)
        normal, bounces = prepare_shared(row, k, a, b, contacts, solver, soft, stiff)
        onset = prepare_points(row, k, point_count, normal, a, b, contacts, pairs, solver, dt)
        reach, is_loaded = find_impacts_and_loads(onset, k, a, b, solver, tolerances)
        solver.has_impact[k] = bounces or reach > 0
        bouncing, farthest, any_loaded = bouncing or bounces, max(farthest, reach), any_loaded or is_loaded
        explained = tolerances.speculative + dt * onset.fastest
        if had_merged or simd.any_lane(onset.depth > explained):
            some = push_out.mark_merged(
                pairs, solver, k, point_count, had_merged, onset.depth, explained, tolerances.touch
            )
            merged = merged or some
        store_couplings(row, point_count, normal, (a.mass_x + b.mass_x) - (a.mass_y + b.mass_y))
        if solver.has_surface[k]:
            prepare_surfaces(row, k, point_count, contacts, pairs, solver)
    solver.any_merged[0] = merged
    return bouncing, farthest, any_loaded


@device
def prepare_shared(row, k, a, b, contacts, solver, soft, stiff):
    """Fill the fields that the points of block k share; return the normal, and True if any lane can bounce."""
    place = (k, INDEX.CONTACT)
    normal_x, normal_y = simd.gather2(contacts.normal, 0, solver.index, place)
    if solver.has_lead[k]:
        leads = simd.gather(solver.lead_time, solver.index, place) > 0.0
        ahead_x, ahead_y, _, _ = simd.gather4(solver.lead, LEAD.NORMAL_X, solver.index, place)
        normal_x, normal_y = simd.select(leads, ahead_x, normal_x), simd.select(leads, ahead_y, normal_y)
    restitution = simd.gather(contacts.restitution, solver.index, place)
    bounces = simd.any_lane(restitution > 0.0)
    solver.has_bounce[k] = bounces
    simd.store(row, BLOCK.NORMAL_X, normal_x)
    simd.store(row, BLOCK.NORMAL_Y, normal_y)
    simd.store(row, BLOCK.FRICTION, simd.gather(contacts.friction, solver.index, place))
    simd.store(row, BLOCK.RESTITUTION, restitution)
    simd.store(row, BLOCK.INVERSE_INERTIA_A, a.inertia)
    simd.store(row, BLOCK.INVERSE_INERTIA_B, b.inertia)
    store_softness(row, a.is_immovable | b.is_immovable, soft, stiff)
    mass_x, mass_y = a.mass_x + b.mass_x, a.mass_y + b.mass_y
    along = normal_x * normal_x * mass_x + normal_y * normal_y * mass_y
    across = normal_y * normal_y * mass_x + normal_x * normal_x * mass_y
    return ContactNormal(x=normal_x, y=normal_y, along=along, across=across), bounces


@device
def prepare_points(row, k, point_count, normal, a, b, contacts, pairs, solver, dt):
    """Fill the points of block k; return the state of its contacts at the start of the step of dt [s]."""
    index = solver.index
    separation0, separation1 = simd.gather2(contacts.separation, 0, index, (k, INDEX.CONTACT))
    normal0, normal1, tangent0, tangent1 = simd.gather4(pairs.impulse, IMPULSE.NORMAL, index, (k, INDEX.PAIR))
    x0, y0, x1, y1 = simd.gather4(contacts.point, 0, index, (k, INDEX.CONTACT))
    if solver.has_lead[k]:  # only contacts of one point have a lead
        leads = simd.gather(solver.lead_time, index, (k, INDEX.CONTACT)) > 0.0
        _, _, shift_x, shift_y = simd.gather4(solver.lead, LEAD.NORMAL_X, index, (k, INDEX.CONTACT))
        x0, y0 = x0 + simd.select(leads, shift_x, 0.0), y0 + simd.select(leads, shift_y, 0.0)
    impact, depth, fastest = simd.splat(0.0), simd.splat(0.0), simd.splat(0.0)
    for i in range(point_count):
        point_input = PointInput(x=x0, y=y0, separation=separation0, normal_impulse=normal0, tangent_impulse=tangent0)
        if i == 1:
            point_input = PointInput(
                x=x1, y=y1, separation=separation1, normal_impulse=normal1, tangent_impulse=tangent1
            )
        approach, slide = prepare_point(row[BLOCK.FIRST + i * POINT.WIDTH :], point_input, normal, a, b)
        impact = simd.maximum(impact, simd.select(point_input.separation + dt * approach < 0.0, -approach, 0.0))
        speed = simd.absolute(approach) + simd.absolute(slide)
        depth, fastest = simd.maximum(depth, -point_input.separation), simd.maximum(fastest, speed)
    return Onset(impact, depth, fastest)


@device
def find_impacts_and_loads(onset, k, a, b, solver, tolerances):
    """Find the impacts and loads that begin in block k; return the reach of an impact, and True if a load is large."""
    inverse_a, inverse_b = simd.maximum(a.mass_x, a.mass_y), simd.maximum(b.mass_x, b.mass_y)
    pusher = (a.is_immovable & are_moved_by_velocity(a)) | (b.is_immovable & are_moved_by_velocity(b))
    light, heavy = simd.maximum(inverse_a, inverse_b), simd.minimum(inverse_a, inverse_b)
    reach = find_impacts(solver, k, simd.select(heavy > 0.0, onset.impact, 0.0), tolerances.impact_speed)
    impacted = onset.impact > tolerances.impact_speed
    return reach, find_loads(solver, k, light, heavy, impacted, pusher)


@device
def prepare_surfaces(row, k, point_count, contacts, pairs, solver):
    """Fill the fields of block k for conveyor surfaces and rolling resistance."""
    place = (k, INDEX.CONTACT)
    simd.store(row, BLOCK.SURFACE_SPEED, simd.gather(contacts.surface_speed, solver.index, place))
    resistance = simd.gather(contacts.rolling_resistance, solver.index, place)
    prepare_rolling(row, point_count, resistance, simd.gather(pairs.rolling, solver.index, (k, INDEX.PAIR)))


@device
def load_bodies(solver, place):
    """Return the bodies at one side of eight contacts, whose rows stand at `place` in solver_index."""
    vx, vy, w, mass_x = simd.gather4(solver.state, STATE.VX, solver.index, place)
    _, _, _, mass_y = simd.gather4(solver.state, STATE.DX, solver.index, place)
    center_x, center_y, inertia, _ = simd.gather4(solver.body, BODY.CENTER_X, solver.index, place)
    return EightBodies(
        vx=vx,
        vy=vy,
        w=w,
        mass_x=mass_x,
        mass_y=mass_y,
        inertia=inertia,
        center_x=center_x,
        center_y=center_y,
        is_immovable=mass_x + mass_y + inertia <= 0.0,
    )


@device
def moved_ahead(side, time):
    """Return the bodies at one side of eight contacts, with their centres where they are after a time [s]."""
    return EightBodies(
        vx=side.vx,
        vy=side.vy,
        w=side.w,
        mass_x=side.mass_x,
        mass_y=side.mass_y,
        inertia=side.inertia,
        center_x=side.center_x + time * side.vx,
        center_y=side.center_y + time * side.vy,
        is_immovable=side.is_immovable,
    )


@device
def are_moved_by_velocity(side):
    """Return True in lanes whose body has a linear velocity."""
    return side.vx * side.vx + side.vy * side.vy > 0.0


@device
def store_softness(row, immovable, soft, stiff):
    """Write the factors of the soft contact, which is stiffer in lanes with an immovable body."""
    simd.store(row, BLOCK.BIAS_RATE, simd.select(immovable, simd.splat(stiff.bias_rate), simd.splat(soft.bias_rate)))
    simd.store(row, BLOCK.MASS_SCALE, simd.select(immovable, simd.splat(stiff.mass_scale), simd.splat(soft.mass_scale)))
    simd.store(row, BLOCK.SOFTENING, simd.select(immovable, simd.splat(stiff.softening), simd.splat(soft.softening)))


@device
def prepare_point(point, point_input, normal, a, b):
    """Fill a point of a block; return its normal speed and its tangent speed [m/s]."""
    normal_x, normal_y = normal.x, normal.y
    rax, ray = point_input.x - a.center_x, point_input.y - a.center_y
    rbx, rby = point_input.x - b.center_x, point_input.y - b.center_y
    normal_a, normal_b = rax * normal_y - ray * normal_x, rbx * normal_y - rby * normal_x
    tangent_a, tangent_b = -rax * normal_x - ray * normal_y, -rbx * normal_x - rby * normal_y
    to_surface = simd.select(
        a.is_immovable, -0.5 * point_input.separation, simd.select(b.is_immovable, 0.5 * point_input.separation, 0.0)
    )
    tangent_a, tangent_b = tangent_a + to_surface, tangent_b + to_surface
    # Effective masses and speeds.
    normal_k = normal.along + a.inertia * normal_a * normal_a + b.inertia * normal_b * normal_b
    tangent_k = normal.across + a.inertia * tangent_a * tangent_a + b.inertia * tangent_b * tangent_b
    approach = (b.vx - a.vx) * normal_x + (b.vy - a.vy) * normal_y + b.w * normal_b - a.w * normal_a
    slide = (b.vx - a.vx) * normal_y - (b.vy - a.vy) * normal_x + b.w * tangent_b - a.w * tangent_a
    # Fields of the point.
    simd.store(point, POINT.NORMAL_ARM_A, normal_a)
    simd.store(point, POINT.NORMAL_ARM_B, normal_b)
    simd.store(point, POINT.TANGENT_ARM_A, tangent_a)
    simd.store(point, POINT.TANGENT_ARM_B, tangent_b)
    simd.store(point, POINT.SEPARATION, point_input.separation)
    simd.store(point, POINT.NORMAL_K, normal_k)
    turning_a = a.inertia * (normal_a * normal_a + tangent_a * tangent_a)
    least = LEAST_LEVERAGE * (turning_a + b.inertia * (normal_b * normal_b + tangent_b * tangent_b))
    simd.store(point, POINT.NORMAL_MASS, inverse_or_zero(normal_k, least))
    simd.store(point, POINT.TANGENT_MASS, inverse_or_zero(tangent_k, least))
    simd.store(point, POINT.NORMAL_IMPULSE, point_input.normal_impulse)
    simd.store(point, POINT.TANGENT_IMPULSE, point_input.tangent_impulse)
    simd.store(point, POINT.APPROACH, approach)
    for field in (POINT.NORMAL_TOTAL, POINT.TANGENT_TOTAL):
        simd.store(point, field, simd.splat(0.0))
    return approach, slide


@device
def store_couplings(row, point_count, normal, axis_difference):
    """Write the couplings of the points, see POINT.

    `axis_difference`: inverse mass along x less that along y [1/kg], which is not 0 only if an axis is locked.
    """
    first, second = row[BLOCK.FIRST :], row[BLOCK.SECOND :]
    skew = normal.x * normal.y * axis_difference
    normal_arm, tangent_arm = POINT.NORMAL_ARM_A, POINT.TANGENT_ARM_A
    simd.store(first, POINT.CROSS_0, coupling_of(skew, row, first, tangent_arm, first, normal_arm))
    if point_count == 1:
        return
    simd.store(first, POINT.CROSS_1, coupling_of(skew, row, first, tangent_arm, second, normal_arm))
    simd.store(second, POINT.CROSS_0, coupling_of(skew, row, second, tangent_arm, first, normal_arm))
    simd.store(second, POINT.CROSS_1, coupling_of(skew, row, second, tangent_arm, second, normal_arm))
    simd.store(row, BLOCK.TANGENT_COUPLING, coupling_of(normal.across, row, first, tangent_arm, second, tangent_arm))
    coupling = coupling_of(normal.along, row, first, normal_arm, second, normal_arm)
    product = simd.load(first, POINT.NORMAL_K) * simd.load(second, POINT.NORMAL_K)
    can_be_solved = product - coupling * coupling > SINGULAR * product
    simd.store(row, BLOCK.COUPLING, coupling)
    simd.store(row, BLOCK.COUPLED, simd.select(can_be_solved, simd.splat(1.0), simd.splat(0.0)))


@device
def coupling_of(straight, row, first, first_arm, second, second_arm):
    """Return the change of the speed with one pair of arms by an impulse with another; B's arm stands behind A's."""
    by_a = simd.load(row, BLOCK.INVERSE_INERTIA_A) * simd.load(first, first_arm) * simd.load(second, second_arm)
    return (
        straight
        + by_a
        + simd.load(row, BLOCK.INVERSE_INERTIA_B) * simd.load(first, first_arm + 1) * simd.load(second, second_arm + 1)
    )


@device
def inverse_or_zero(k, least):
    """Return 1 / k in each lane, or 0 if k is at most `least` and neither body gives way."""
    gives_way = k > least
    return simd.select(gives_way, 1.0 / simd.select(gives_way, k, 1.0), 0.0)
