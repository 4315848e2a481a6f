"""Gaps up to which pairs get a contact: a pair that would meet within the step gets it before it overlaps.

The solver closes a gap exactly, but pushes an overlap out softly. A box that falls at 9 m/s moves 15 cm in a step. With
a contact that begins only when it overlaps the ground, it would sink in and rise again. So a pair gets a contact

- at a gap of up to `reach`, whatever its motion;
- at any gap that its motion closes within the step by more than LEAST_OVERLAP, unless one of its bodies is so fast that
  it is swept (`continuous/body_motions.py`).

The bound of a gap holds for any direction. Once the normal is known, `store_approaching` drops the points that do not
close their gaps along it.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from ecs_collide.common.body_velocity import velocity_of
from ecs_collide.common.look_ahead import FAST
from ecs_collide.data.bodies import BODY_SPAN, FRAME, VELOCITY
from ecs_collide.data.frames import body_pose
from ecs_collide.data.pairs import PAIR
from ecs_collide.geometry.pose import rotate_vector_back
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.simd import absolute, gather2, select, square_root
from ecs_collide.step.narrowphase.eight_pairs import LANE
from ecs_collide.step.narrowphase.pair_manifold import no_contact, one_point, store_manifold

SLOP_SHARE = 0.25
"""The slop as a fraction of the reach."""

LEAST_OVERLAP = 0.05
"""Overlap at the end of the step from which a gap counts as closed, as a fraction of the reach.

A body that follows another one at its speed would close the gap between them to within rounding.
"""


class Approach(NamedTuple):
    """Relative motion of two bodies, and how wide their gap may be; numbers, or vectors for eight pairs."""

    x: float
    """Velocity of B's centre of mass relative to A's, along A's x axis [m/s]."""
    y: float
    """Velocity of B's centre of mass relative to A's, along A's y axis [m/s]."""
    spin_a: float
    """Spin of A [rad/s]."""
    spin_b: float
    """Spin of B [rad/s]."""
    turns: float
    """Bound of the speed that both spins add at any point [m/s]."""
    gap: float
    """Greatest gap at which the pair may get a contact [m]."""


@device
def eight_approaches(bodies, span, lanes, ahead):
    """Return the approaches of eight pairs."""
    vax, vay, spin_a, turn_a, fast_a = eight_velocities(bodies, span, lanes, LANE.BODY_A, ahead)
    vbx, vby, spin_b, turn_b, fast_b = eight_velocities(bodies, span, lanes, LANE.BODY_B, ahead)
    c, s = gather2(bodies.frame, FRAME.COS, lanes, LANE.BODY_A)
    vx, vy, turns = vbx - vax, vby - vay, turn_a + turn_b
    gap = ahead.dt * (square_root(vx * vx + vy * vy) + turns)
    gap = select(fast_a | fast_b | (gap < ahead.reach), ahead.reach, gap)
    return Approach(x=c * vx + s * vy, y=c * vy - s * vx, spin_a=spin_a, spin_b=spin_b, turns=turns, gap=gap)


@device
def eight_velocities(bodies, span, lanes, rows, ahead):
    """Return of eight bodies the velocity, a bound of what their spin adds to it [m/s], and whether they are fast."""
    x, y = gather2(bodies.velocity, VELOCITY.X, lanes, rows)
    _, spin = gather2(bodies.velocity, VELOCITY.Y, lanes, rows)
    core, extent = gather2(span, BODY_SPAN.CORE, lanes, rows)
    turn = select(absolute(spin) > 0.0, absolute(spin) * extent, 0.0)  # the extent of a half-plane is infinite
    return x, y, spin, turn, moves_fast(square_root(x * x + y * y) + turn, core, ahead)


@device
def approach_of(slot, bodies, span, pairs, ahead):
    """Return the approach of a pair."""
    a, b = pairs.index[slot, PAIR.BODY_A], pairs.index[slot, PAIR.BODY_B]
    vax, vay, spin_a = velocity_of(a, bodies)
    vbx, vby, spin_b = velocity_of(b, bodies)
    turn_a = abs(spin_a) * span[a, BODY_SPAN.EXTENT] if spin_a != 0.0 else 0.0
    turn_b = abs(spin_b) * span[b, BODY_SPAN.EXTENT] if spin_b != 0.0 else 0.0
    vx, vy, turns = vbx - vax, vby - vay, turn_a + turn_b
    gap = max(ahead.dt * (sqrt(vx * vx + vy * vy) + turns), ahead.reach)
    if moves_fast(sqrt(vax * vax + vay * vay) + turn_a, span[a, BODY_SPAN.CORE], ahead) or moves_fast(
        sqrt(vbx * vbx + vby * vby) + turn_b, span[b, BODY_SPAN.CORE], ahead
    ):
        gap = ahead.reach
    x, y = rotate_vector_back(body_pose(a, bodies), vx, vy)
    return Approach(x=x, y=y, spin_a=spin_a, spin_b=spin_b, turns=turns, gap=gap)


@device
def moves_fast(speed, core, ahead):
    """Return True if a body moves so far that it is swept; numbers or vectors. `core` is that of `BODY_SPAN` [m]."""
    movement = ahead.dt * speed
    return (movement > FAST * core) & (movement > FAST * SLOP_SHARE * ahead.reach)


@device
def gaps_along(place, speed, approach, ahead):
    """Return the greatest gaps of eight pairs along an axis [m], on which B has a place and a speed, seen from A."""
    closing = ahead.dt * (select(place > 0.0, -speed, speed) + approach.turns)
    return select(closing < ahead.reach, ahead.reach, select(closing < approach.gap, closing, approach.gap))


@device
def gap_speed(approach, relative, x, y, separation, normal_x, normal_y):
    """Return the speed at which a contact point (x, y) [m] on A closes its gap [m/s]; numbers or vectors."""
    arm_x, arm_y = x + separation * normal_x - relative.x, y + separation * normal_y - relative.y
    vx = approach.x - approach.spin_b * arm_y + approach.spin_a * y
    vy = approach.y + approach.spin_b * arm_x - approach.spin_a * x
    return -(vx * normal_x + vy * normal_y)


@device
def meets(separation, speed, ahead):
    """Return True if a gap [m] counts as contact, or is closed by a speed [m/s] in time; numbers or vectors."""
    return (separation <= ahead.reach) | (ahead.dt * speed > separation + LEAST_OVERLAP * ahead.reach)


@device
def store_approaching(pairs, slot, m, relative, bodies, span, ahead):
    """Store a manifold as `store_manifold` does, without the points whose gaps are too wide and do not close."""
    if m.point_count == 0 or (m.separation0 <= ahead.reach and (m.point_count == 1 or m.separation1 <= ahead.reach)):
        store_manifold(pairs, slot, m, relative)
        return
    approach, x, y = approach_of(slot, bodies, span, pairs, ahead), m.normal_x, m.normal_y
    speed0 = gap_speed(approach, relative, m.x0, m.y0, m.separation0, x, y)
    speed1 = gap_speed(approach, relative, m.x1, m.y1, m.separation1, x, y)
    keep0 = meets(m.separation0, speed0, ahead)
    keep1 = m.point_count == 2 and meets(m.separation1, speed1, ahead)
    if keep0 and keep1:
        store_manifold(pairs, slot, m, relative)
    elif keep0:
        store_manifold(pairs, slot, one_point(x, y, m.x0, m.y0, m.separation0, m.feature0), relative)
    elif keep1:
        store_manifold(pairs, slot, one_point(x, y, m.x1, m.y1, m.separation1, m.feature1), relative)
    else:
        store_manifold(pairs, slot, no_contact(), relative)
