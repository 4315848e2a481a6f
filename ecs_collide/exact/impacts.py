"""Resolve an impact, or several impacts at the same time.

One impact reverses the normal component of the relative velocity, times the restitution e (CC "dynamic–dynamic"):

    u' = −e u,    J = −(1 + e) u / (m_a⁻¹ + m_b⁻¹)

The result of several impacts at the same time that share balls is a convention; it does not follow from the impacts of
two bodies. First, impulses J ≥ 0 project the velocities, in the metric of kinetic energy, on those at which no pair
approaches. The projection exists, is unique, and does not depend on any order. Then every impulse is multiplied by
1 + e. For e = 1 that is a reflection, which keeps the energy. Any impulses keep the momentum. Pairs that approach only
afterwards form the next group, at the same time, until none approaches. So the far ball of a cradle leaves alone.

If restitutions differ within a group, e J may add energy. It is then scaled down, so that the second part returns no
more than the first one took:  (eJ)ᵀ D (eJ) ≤ max(e, 1)² Jᵀ D J, with D J the changes of the relative speeds.

A restitution above 1 is that of a pinball bumper. The pair parts e times as fast, but gains no speed above 1,000 length
units per second. A slow pair of which one partner has a pull comes to rest instead (`resting.py`).

Along the inside of an arc, a ball that does not bounce fully would make infinitely many, ever smaller hops. If a hop
rises less than a tenth of the slop, the ball continues at the same speed in a hop of that height. So it slides in
chords.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.exact import exact_codes as codes, feature_rows as kinds
from ecs_collide.exact.apply_impulse import change_speed, total_inverse_mass
from ecs_collide.exact.exact_rows import (
    BALL,
    BALL_INDEX,
    COUNTS,
    GROUP,
    GROUP_TOUCH,
    IMPACT,
    IMPACT_BODY,
    PAIR,
    SCALARS,
    SUPPORT,
    TOUCH,
    WEIGHT,
)
from ecs_collide.exact.feature_rows import FEATURE, FEATURE_INDEX
from ecs_collide.exact.flight import advance
from ecs_collide.exact.gap import gap_of, partner_body, partner_part, partner_velocity, restitution_of_pair
from ecs_collide.exact.impact_limit import CAPPED_RESTITUTION, is_capped, limit_impacts
from ecs_collide.exact.resting import is_pulled, release, rest_speed, settle
from ecs_collide.exact.resting_contacts import parting_speed, sort_pairs
from ecs_collide.kernels.kernel import device, subroutine

HOP = 0.1
"""Height of the least hop along the inside of an arc, in slops."""

ALIKE = 1.01
"""Tolerance of the square of a speed: by rounding, a hop of the least height ends a little steeper than it began."""

PASSES = 2_000
"""Greatest number of passes of the projection."""
CONVERGED = 1e-15
"""Change of a relative speed, in greatest velocities, at which the projection has converged."""


@device
def drop_repeated(simulation, count):
    """Remove repeated pairs from a sorted group; return the number of pairs left."""
    group = simulation.group
    kept = 1
    for k in range(1, count):
        if group[k, PAIR.FIRST] != group[kept - 1, PAIR.FIRST] or group[k, PAIR.SECOND] != group[kept - 1, PAIR.SECOND]:
            group[kept, PAIR.FIRST], group[kept, PAIR.SECOND] = group[k, PAIR.FIRST], group[k, PAIR.SECOND]
            kept += 1
    return kept


@device
def prepare_group(simulation, obstacles, bodies, pieces, count, now):
    """Move all balls of a group to its time [s], and compute normal, restitution and speed of each pair.

    The balls are added to those whose next impacts are to be predicted. Reads group. Writes ball, ball_index, support,
    to_search, group (SETTLES), group_touch.
    """
    counts = simulation.counts
    group, touches = simulation.group, simulation.group_touch
    for k in range(count):
        i, other = group[k, PAIR.FIRST], group[k, PAIR.SECOND]
        begin_impact(simulation, i, other, now)
        if other < counts[COUNTS.BALLS]:
            begin_impact(simulation, other, i, now)
    for k in range(count):
        i, other = group[k, PAIR.FIRST], group[k, PAIR.SECOND]
        touches[k, GROUP_TOUCH.RESTITUTION] = restitution_of_pair(simulation, obstacles, bodies, i, other)
        limit_impacts(simulation, obstacles, i, other, touches[k, GROUP_TOUCH.RESTITUTION])
    for k in range(count):
        i, other = group[k, PAIR.FIRST], group[k, PAIR.SECOND]
        _, normal_x, normal_y = gap_of(simulation, obstacles, bodies, pieces, i, other, now)
        speed = parting_speed(simulation, obstacles, i, other, normal_x, normal_y)
        touches[k, TOUCH.NORMAL_X], touches[k, TOUCH.NORMAL_Y] = normal_x, normal_y
        touches[k, GROUP_TOUCH.SPEED], touches[k, GROUP_TOUCH.APPROACH] = speed, -speed
        touches[k, TOUCH.IMPULSE] = 0.0
        choose_bounce(simulation, k)
    for k in range(count):
        i, other, touch = group[k, PAIR.FIRST], group[k, PAIR.SECOND], touches[k]
        if touch[GROUP_TOUCH.RESTITUTION] > 0.0 or touch[GROUP_TOUCH.APPROACH] >= rest_speed(simulation, i, other, 0.0):
            release(simulation, i, touch[GROUP_TOUCH.RESTITUTION])
            if other < counts[COUNTS.BALLS]:
                release(simulation, other, touch[GROUP_TOUCH.RESTITUTION])


@device
def begin_impact(simulation, i, partner, now):
    """Move ball i to the time [s] at which it hits a partner, and count the impact.

    The next impacts of the ball are to be predicted again. Writes ball, ball_index, support, to_search.
    """
    ball_index, support, counts = simulation.ball_index, simulation.support, simulation.counts
    if ball_index[i, BALL_INDEX.IS_PENDING] == 0:
        no_time_passed = now - simulation.ball[i, BALL.TIME] <= codes.SAME_TIME
        support[i, SUPPORT.STALLED] = support[i, SUPPORT.STALLED] + 1 if no_time_passed else 0
        advance(simulation.ball, i, now)
        ball_index[i, BALL_INDEX.IS_PENDING] = 1
        ball_index[i, BALL_INDEX.IMPACTS] += 1
        ball_index[i, BALL_INDEX.PARTNER] = codes.NO_PARTNER
        simulation.to_search[counts[COUNTS.TO_SEARCH]] = i
        counts[COUNTS.TO_SEARCH] += 1
    is_first = ball_index[i, BALL_INDEX.PARTNER] == codes.NO_PARTNER
    ball_index[i, BALL_INDEX.PARTNER] = partner if is_first else codes.SEVERAL_PARTNERS
    ball_index[i, BALL_INDEX.STEP_IMPACTS] += 1


@device
def choose_bounce(simulation, k):
    """Find out if pair k of a group comes to rest, and its restitution else. Writes group (SETTLES), group_touch."""
    pair, touch = simulation.group[k], simulation.group_touch[k]
    i, other, approach = pair[PAIR.FIRST], pair[PAIR.SECOND], touch[GROUP_TOUCH.APPROACH]
    is_slow = approach < rest_speed(simulation, i, other, touch[GROUP_TOUCH.RESTITUTION])
    pair[GROUP.SETTLES] = 1 if is_slow and is_pulled(simulation, i, other) else 0
    if is_slow:
        touch[GROUP_TOUCH.RESTITUTION] = 0.0
    elif is_capped(simulation, i, other):
        touch[GROUP_TOUCH.RESTITUTION] = CAPPED_RESTITUTION if other < simulation.counts[COUNTS.BALLS] else 0.0
    elif touch[GROUP_TOUCH.RESTITUTION] > 1.0:
        touch[GROUP_TOUCH.RESTITUTION] = max(
            1.0, min(touch[GROUP_TOUCH.RESTITUTION], simulation.scalars[SCALARS.BUMPER_SPEED] / approach)
        )


@device
def resolve_one(simulation, obstacles):
    """Resolve a group of one pair. Writes the velocities of the balls, group_touch (IMPULSE)."""
    i, other, touch = simulation.group[0, PAIR.FIRST], simulation.group[0, PAIR.SECOND], simulation.group_touch[0]
    n = simulation.counts[COUNTS.BALLS]
    in_bowl = other >= n and obstacles.index[other - n, FEATURE_INDEX.KIND] == kinds.BOWL
    if (
        in_bowl
        and touch[GROUP_TOUCH.RESTITUTION] < 1.0
        and simulation.group[0, GROUP.SETTLES] == 0
        and slide_along_arc(simulation, obstacles.features[other - n], i, touch)
    ):
        return
    # If the impact limit has just stopped one of them, they may already part.
    change = -(1.0 + touch[GROUP_TOUCH.RESTITUTION]) * min(touch[GROUP_TOUCH.SPEED], 0.0)
    touch[TOUCH.IMPULSE] = change_speed(
        simulation,
        i,
        other,
        touch[TOUCH.NORMAL_X],
        touch[TOUCH.NORMAL_Y],
        change,
    )


@device
def slide_along_arc(simulation, feature, i, touch):
    """Slide a ball along the inside of an arc if its hop is too low; return True if it slides.

    Writes the velocity of the ball, and IMPULSE of `touch`.
    """
    ball, weight = simulation.ball, simulation.weight
    if weight[i, WEIGHT.INVERSE_MASS_X] != weight[i, WEIGHT.INVERSE_MASS_Y] or weight[i, WEIGHT.INVERSE_MASS_X] == 0.0:
        return False
    vx, vy = ball[i, BALL.VX] - feature[FEATURE.SPEED_X], ball[i, BALL.VY] - feature[FEATURE.SPEED_Y]
    normal_x, normal_y = touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y]
    along = normal_x * vy - normal_y * vx
    square = 2.0 * HOP * simulation.scalars[SCALARS.SLOP] / (feature[FEATURE.RADIUS] - ball[i, BALL.RADIUS])
    speed = sqrt(vx * vx + vy * vy)
    if square >= 1.0 or touch[GROUP_TOUCH.SPEED] * touch[GROUP_TOUCH.SPEED] > ALIKE * square * speed * speed:
        return False
    inward, onward = speed * sqrt(square), speed * sqrt(1.0 - square)
    if along < 0.0:
        onward = -onward
    touch[TOUCH.IMPULSE] = (inward - touch[GROUP_TOUCH.SPEED]) / weight[i, WEIGHT.INVERSE_MASS_X]
    ball[i, BALL.VX] = feature[FEATURE.SPEED_X] - inward * normal_x - onward * normal_y
    ball[i, BALL.VY] = feature[FEATURE.SPEED_Y] - inward * normal_y + onward * normal_x
    return True


@device
def find_components(simulation, count):
    """Find the connected components of a group, whose pairs share balls. Writes group (COMPONENT), ball_component."""
    group, component, n = simulation.group, simulation.ball_component, simulation.counts[COUNTS.BALLS]
    for k in range(count):
        group[k, GROUP.COMPONENT] = k
    changed = True
    while changed:
        changed = False
        # Each ball gets the smallest number among its pairs, then each pair the smallest among its balls.
        for k in range(count):
            for side in (PAIR.FIRST, PAIR.SECOND):
                if group[k, side] < n:
                    component[group[k, side]] = count
        for k in range(count):
            for side in (PAIR.FIRST, PAIR.SECOND):
                i = group[k, side]
                if i < n:
                    component[i] = min(component[i], group[k, GROUP.COMPONENT])
        for k in range(count):
            for side in (PAIR.FIRST, PAIR.SECOND):
                i = group[k, side]
                if i < n and component[i] < group[k, GROUP.COMPONENT]:
                    group[k, GROUP.COMPONENT] = component[i]
                    changed = True


@device
def resolve_component(simulation, obstacles, first, count):
    """Resolve the pairs of one component together. Writes the velocities of the balls, group_touch (IMPULSE)."""
    group, touches = simulation.group, simulation.group_touch
    # Project the velocities, and measure the energy that this takes.
    stop_approach(simulation, obstacles, first, count)
    taken, least_bounce, greatest_bounce = 0.0, 1e300, 0.0
    for k in range(first, count):
        if group[k, GROUP.COMPONENT] == first:
            touch = touches[k]
            taken -= touch[TOUCH.IMPULSE] * touch[GROUP_TOUCH.SPEED]
            touch[GROUP_TOUCH.SPEED] = speed_of_pair(simulation, obstacles, k)
            least_bounce = min(least_bounce, touch[GROUP_TOUCH.RESTITUTION])
            greatest_bounce = max(greatest_bounce, touch[GROUP_TOUCH.RESTITUTION])
    # Apply restitution, scaled down if it adds energy.
    rebound(simulation, first, count, 1.0)
    if least_bounce < greatest_bounce:
        given = 0.0
        for k in range(first, count):
            if group[k, GROUP.COMPONENT] == first:
                gain = speed_of_pair(simulation, obstacles, k) - touches[k, GROUP_TOUCH.SPEED]
                given += touches[k, GROUP_TOUCH.RESTITUTION] * touches[k, TOUCH.IMPULSE] * gain
        allowed = max(greatest_bounce, 1.0) ** 2 * taken
        if given > allowed:
            rebound(simulation, first, count, sqrt(allowed / given) - 1.0)
    for k in range(first, count):
        if group[k, GROUP.COMPONENT] == first:
            touches[k, TOUCH.IMPULSE] *= 1.0 + touches[k, GROUP_TOUCH.RESTITUTION]


@device
def stop_approach(simulation, obstacles, first, count):
    """Project the velocities of a component on those at which no pair approaches.

    Writes the velocities of the balls, group_touch (IMPULSE).
    """
    group, touches = simulation.group, simulation.group_touch
    members, fastest = 0, 0.0
    for k in range(first, count):
        if group[k, GROUP.COMPONENT] == first:
            members += 1
            for side in (PAIR.FIRST, PAIR.SECOND):
                x, y = partner_velocity(simulation, obstacles, group[k, side])
                fastest = max(fastest, abs(x), abs(y))
    for _ in range(PASSES):
        largest = 0.0
        for k in range(first, count):
            if group[k, GROUP.COMPONENT] != first:
                continue
            touch, i, other = touches[k], group[k, PAIR.FIRST], group[k, PAIR.SECOND]
            normal_x, normal_y = touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y]
            total = total_inverse_mass(simulation, i, other, normal_x, normal_y)
            if total == 0.0:
                continue
            impulse = max(touch[TOUCH.IMPULSE] - speed_of_pair(simulation, obstacles, k) / total, 0.0)
            change = (impulse - touch[TOUCH.IMPULSE]) * total
            touch[TOUCH.IMPULSE] = impulse
            change_speed(simulation, i, other, normal_x, normal_y, change)
            largest = max(largest, abs(change))
        if members == 1 or largest <= CONVERGED * fastest:
            break


@device
def speed_of_pair(simulation, obstacles, k):
    """Return the speed at which pair k of the group parts [m/s]."""
    i, other, touch = simulation.group[k, PAIR.FIRST], simulation.group[k, PAIR.SECOND], simulation.group_touch[k]
    return parting_speed(
        simulation,
        obstacles,
        i,
        other,
        touch[TOUCH.NORMAL_X],
        touch[TOUCH.NORMAL_Y],
    )


@device
def rebound(simulation, first, count, share):
    """Apply a share of the impulses times restitution. Writes the velocities of the balls."""
    group, touches = simulation.group, simulation.group_touch
    for k in range(first, count):
        if group[k, GROUP.COMPONENT] != first:
            continue
        touch, i, other = touches[k], group[k, PAIR.FIRST], group[k, PAIR.SECOND]
        total = total_inverse_mass(simulation, i, other, touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y])
        change = share * touch[GROUP_TOUCH.RESTITUTION] * touch[TOUCH.IMPULSE] * total
        change_speed(
            simulation,
            i,
            other,
            touch[TOUCH.NORMAL_X],
            touch[TOUCH.NORMAL_Y],
            change,
        )


@subroutine
def resolve_several(simulation, obstacles, count):
    """Resolve a group of several pairs. Writes the velocities of the balls, group_touch (IMPULSE)."""
    find_components(simulation, count)
    for k in range(count):
        if simulation.group[k, GROUP.COMPONENT] == k:
            resolve_component(simulation, obstacles, k, count)


@device
def record_touch(simulation, obstacles, pair, touch, approach):
    """Record a pair with its impulse and approach speed, for events and views. Writes impact_body, impact.

    There must be room, and the ball must have been moved to the present.
    """
    ball, count = simulation.ball, simulation.counts[COUNTS.RECORDS]
    i = pair[PAIR.FIRST]
    reach = ball[i, BALL.RADIUS] + 0.5 * touch[TOUCH.GAP]
    simulation.impact_body[count, IMPACT_BODY.A] = simulation.ball_index[i, BALL_INDEX.BODY]
    simulation.impact_body[count, IMPACT_BODY.B] = partner_body(simulation, obstacles, pair[PAIR.SECOND])
    row = simulation.impact[count]
    row[IMPACT.NORMAL_X], row[IMPACT.NORMAL_Y] = touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y]
    row[IMPACT.PLACE_X] = ball[i, BALL.X] + reach * touch[TOUCH.NORMAL_X]
    row[IMPACT.PLACE_Y] = ball[i, BALL.Y] + reach * touch[TOUCH.NORMAL_Y]
    row[IMPACT.IMPULSE], row[IMPACT.GAP], row[IMPACT.APPROACH] = touch[TOUCH.IMPULSE], touch[TOUCH.GAP], approach
    row[IMPACT.PART] = partner_part(simulation, obstacles, pair[PAIR.SECOND])
    simulation.counts[COUNTS.RECORDS] = count + 1


@device
def resolve_group(simulation, obstacles, bodies, pieces, count, now):
    """Resolve the impacts of a group, all at one time [s]. Writes the balls, to_search and the records."""
    if count > 1:
        sort_pairs(simulation.group, simulation.group_touch, count)
        count = drop_repeated(simulation, count)
    prepare_group(simulation, obstacles, bodies, pieces, count, now)
    if count == 1:
        resolve_one(simulation, obstacles)
    else:
        resolve_several(simulation, obstacles, count)
    for k in range(count):
        touch = simulation.group_touch[k]
        if simulation.group[k, GROUP.SETTLES] != 0:
            i, other = simulation.group[k, PAIR.FIRST], simulation.group[k, PAIR.SECOND]
            settle(simulation, i, other, touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y])
        if touch[TOUCH.IMPULSE] > 0.0:  # of two flush features that a ball touches, only one has an impulse
            simulation.counts[COUNTS.IMPACTS] += 1
        touch[TOUCH.GAP] = 0.0
        record_touch(simulation, obstacles, simulation.group[k], touch, touch[GROUP_TOUCH.APPROACH])
