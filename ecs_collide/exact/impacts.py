"""What an impact does, and what several at the same time do.

One impact reverses the normal component of the relative velocity, times the restitution e (CC "dynamic–dynamic"):

    u' = −e u,    J = −(1 + e) u / (m_a⁻¹ + m_b⁻¹)

Several at the same time that share balls are a convention; none follows from the impacts of two bodies. First the
velocities are projected, in the metric of kinetic energy, on those at which no pair approaches, by impulses J ≥ 0. The
projection exists, is unique, and does not depend on any order. Then every impulse is multiplied by 1 + e. For e = 1
that is a reflection, which keeps the energy; momentum is kept by any impulses. Pairs that approach only afterwards are
taken together next, at the same time, until none approaches: so the far ball of a cradle leaves alone.

Where restitutions differ within one such group, e J may bring in energy. It is then scaled down so that the second part
gives back no more than the first took:  (eJ)ᵀ D (eJ) ≤ max(e, 1)² Jᵀ D J, with D J the changes of the relative speeds.

A restitution above 1 is that of a pinball's bumper: the pair parts e times as fast, but not faster by that than 1,000
length units per second. A pair that meets slowly, and of which one is pulled, comes to rest instead (rest.py).

Along the inside of an arc a ball that does not bounce fully would make infinitely many, ever smaller hops. Where a hop
rises less than a tenth of the slop, the ball goes on at the same speed in a hop of that height: it slides, in chords.
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.exact import exact_rows as layout, features as of_feature
from ecs_collide.exact.apply_impulse import change_speed, total_inverse_mass
from ecs_collide.exact.flight import advance
from ecs_collide.exact.gap import gap_of, partner_body, partner_velocity, restitution_of
from ecs_collide.exact.impact_limit import is_capped, keep_cap
from ecs_collide.exact.resting import is_pulled, rest_speed, set_free, settle
from ecs_collide.exact.resting_contacts import parting_speed, sort_pairs
from ecs_collide.kernels.kernel import device, subroutine

HOP = 0.1
"""Height of the least hop along the inside of an arc, in slops."""

ALIKE = 1.01
"""A hop of the least height ends a little steeper than it began, by rounding, and is one none the less."""

PASSES = 2_000
CONVERGED = 1e-15
"""Change of a relative speed, in units of the greatest velocity, at which the projection has converged."""


@device
def drop_repeated(simulation, count):
    """Leave each pair of a sorted group in it once; return how many there are."""
    group = simulation.group
    kept = 1
    for k in range(1, count):
        if (
            group[k, layout.FIRST] != group[kept - 1, layout.FIRST]
            or group[k, layout.SECOND] != group[kept - 1, layout.SECOND]
        ):
            group[kept, layout.FIRST], group[kept, layout.SECOND] = group[k, layout.FIRST], group[k, layout.SECOND]
            kept += 1
    return kept


@device
def prepare_group(simulation, obstacles, bodies, pieces, count, now):
    """Bring all balls of a group to its time [s], and find normal, restitution and speed of each pair.

    Balls are entered among those to be searched. Reads group. Writes group_touch.
    """
    ball_index, counts = simulation.ball_index, simulation.counts
    group, touches = simulation.group, simulation.group_touch
    for k in range(count):
        for side in range(2):
            if group[k, side] < counts[layout.BALLS]:
                enter_impact(simulation, group[k, side], group[k, 1 - side], now)
    for k in range(count):
        i, other = group[k, layout.FIRST], group[k, layout.SECOND]
        partner = partner_body(ball_index, counts, obstacles.index, other)
        touches[k, layout.BOUNCE] = restitution_of(bodies.material, ball_index[i, layout.BODY_ROW], partner)
        keep_cap(simulation, obstacles.features, i, other, touches[k, layout.BOUNCE])
    for k in range(count):
        i, other = group[k, layout.FIRST], group[k, layout.SECOND]
        _, normal_x, normal_y = gap_of(simulation, obstacles, bodies, pieces, i, other, now)
        speed = parting_speed(simulation.ball, counts, obstacles.features, i, other, normal_x, normal_y)
        touches[k, layout.NORMAL_X], touches[k, layout.NORMAL_Y] = normal_x, normal_y
        touches[k, layout.SPEED], touches[k, layout.APPROACH] = speed, -speed
        touches[k, layout.IMPULSE] = 0.0
        choose_bounce(simulation, i, other, touches[k])
    for k in range(count):
        i, other, touch = group[k, layout.FIRST], group[k, layout.SECOND], touches[k]
        if touch[layout.BOUNCE] > 0.0 or touch[layout.APPROACH] >= rest_speed(simulation.weight, counts, i, other, 0.0):
            set_free(simulation, i, touch[layout.BOUNCE])
            if other < counts[layout.BALLS]:
                set_free(simulation, other, touch[layout.BOUNCE])


@device
def enter_impact(simulation, i, partner, now):
    """Bring ball i to a time [s] at which it hits a partner, and count the impact; it has to be searched again."""
    ball_index, hold, counts = simulation.ball_index, simulation.hold, simulation.counts
    if ball_index[i, layout.PENDING] == 0:
        no_time_passed = now - simulation.ball[i, layout.TIME] <= layout.SAME_TIME
        hold[i, layout.STALLED] = hold[i, layout.STALLED] + 1 if no_time_passed else 0
        advance(simulation.ball, i, now)
        ball_index[i, layout.PENDING] = 1
        ball_index[i, layout.COUNT] += 1
        ball_index[i, layout.PARTNER] = layout.NOBODY
        simulation.to_search[counts[layout.TO_SEARCH]] = i
        counts[layout.TO_SEARCH] += 1
    is_first = ball_index[i, layout.PARTNER] == layout.NOBODY
    ball_index[i, layout.PARTNER] = partner if is_first else layout.SEVERAL
    ball_index[i, layout.HITS] += 1


@device
def choose_bounce(simulation, i, other, touch):
    """Whether a pair comes to rest, and else its restitution. Reads and writes its row of group_touch."""
    counts, approach = simulation.counts, touch[layout.APPROACH]
    is_slow = approach < rest_speed(simulation.weight, counts, i, other, touch[layout.BOUNCE])
    touch[layout.SETTLES] = 1.0 if is_slow and is_pulled(simulation.ball, counts, i, other) else 0.0
    if is_slow or is_capped(simulation.ball_index, counts, i, other):
        touch[layout.BOUNCE] = 0.0
    elif touch[layout.BOUNCE] > 1.0:
        touch[layout.BOUNCE] = max(1.0, min(touch[layout.BOUNCE], simulation.scalars[layout.BUMPER_SPEED] / approach))


@device
def resolve_one(simulation, obstacles):
    """Answer a group of one pair. Writes the balls' velocities, group_touch (impulse)."""
    i, other, touch = simulation.group[0, layout.FIRST], simulation.group[0, layout.SECOND], simulation.group_touch[0]
    n = simulation.counts[layout.BALLS]
    in_bowl = other >= n and obstacles.index[other - n, of_feature.FEATURE_KIND] == of_feature.BOWL
    if (
        in_bowl
        and touch[layout.BOUNCE] < 1.0
        and touch[layout.SETTLES] == 0.0
        and slide_on(simulation, obstacles.features[other - n], i, touch)
    ):
        return
    # where the cap has just stopped one of them, they may part already
    change = -(1.0 + touch[layout.BOUNCE]) * min(touch[layout.SPEED], 0.0)
    touch[layout.IMPULSE] = change_speed(
        simulation.ball,
        simulation.weight,
        simulation.counts,
        i,
        other,
        touch[layout.NORMAL_X],
        touch[layout.NORMAL_Y],
        change,
    )


@device
def slide_on(simulation, feature, i, touch):
    """Send a ball on along the inside of an arc if it would hop too low; whether it would."""
    ball, weight = simulation.ball, simulation.weight
    if weight[i, layout.INVERSE_MASS_X] != weight[i, layout.INVERSE_MASS_Y] or weight[i, layout.INVERSE_MASS_X] == 0.0:
        return False
    vx, vy = ball[i, layout.VX] - feature[of_feature.SPEED_X], ball[i, layout.VY] - feature[of_feature.SPEED_Y]
    normal_x, normal_y = touch[layout.NORMAL_X], touch[layout.NORMAL_Y]
    along = normal_x * vy - normal_y * vx
    square = 2.0 * HOP * simulation.scalars[layout.SLOP] / (feature[of_feature.REACH] - ball[i, layout.RADIUS])
    speed = sqrt(vx * vx + vy * vy)
    if square >= 1.0 or touch[layout.SPEED] * touch[layout.SPEED] > ALIKE * square * speed * speed:
        return False
    inward, onward = speed * sqrt(square), speed * sqrt(1.0 - square)
    if along < 0.0:
        onward = -onward
    touch[layout.IMPULSE] = (inward - touch[layout.SPEED]) / weight[i, layout.INVERSE_MASS_X]
    ball[i, layout.VX] = feature[of_feature.SPEED_X] - inward * normal_x - onward * normal_y
    ball[i, layout.VY] = feature[of_feature.SPEED_Y] - inward * normal_y + onward * normal_x
    return True


@device
def find_components(simulation, count):
    """Give each pair of a group the first pair of those that it hangs together with by common balls."""
    group, n = simulation.group, simulation.counts[layout.BALLS]
    for k in range(count):
        group[k, layout.COMPONENT] = k
    changed = True
    while changed:
        changed = False
        for k in range(count):  # the balls carry the smallest number seen; `PENDING` is free to hold it, plus 1
            for side in range(2):
                i = group[k, side]
                if i < n:
                    simulation.ball_index[i, layout.PENDING] = count + 1
        for k in range(count):
            for side in range(2):
                i = group[k, side]
                if i < n:
                    simulation.ball_index[i, layout.PENDING] = min(
                        simulation.ball_index[i, layout.PENDING], group[k, layout.COMPONENT] + 1
                    )
        for k in range(count):
            for side in range(2):
                i = group[k, side]
                if i < n and simulation.ball_index[i, layout.PENDING] - 1 < group[k, layout.COMPONENT]:
                    group[k, layout.COMPONENT] = simulation.ball_index[i, layout.PENDING] - 1
                    changed = True


@device
def resolve_component(simulation, obstacles, first, count):
    """Answer the pairs of one component together. Writes the balls' velocities, group_touch (impulse)."""
    group, touches = simulation.group, simulation.group_touch
    stop_approach(simulation, obstacles, first, count)
    taken, least_bounce, greatest_bounce = 0.0, 1e300, 0.0
    for k in range(first, count):
        if group[k, layout.COMPONENT] == first:
            touch = touches[k]
            taken -= touch[layout.IMPULSE] * touch[layout.SPEED]
            touch[layout.SPEED] = speed_of_pair(simulation, obstacles, k)
            least_bounce = min(least_bounce, touch[layout.BOUNCE])
            greatest_bounce = max(greatest_bounce, touch[layout.BOUNCE])
    rebound(simulation, first, count, 1.0)
    if least_bounce < greatest_bounce:
        given = 0.0
        for k in range(first, count):
            if group[k, layout.COMPONENT] == first:
                gain = speed_of_pair(simulation, obstacles, k) - touches[k, layout.SPEED]
                given += touches[k, layout.BOUNCE] * touches[k, layout.IMPULSE] * gain
        allowed = max(greatest_bounce, 1.0) ** 2 * taken
        if given > allowed:
            rebound(simulation, first, count, sqrt(allowed / given) - 1.0)
    for k in range(first, count):
        if group[k, layout.COMPONENT] == first:
            touches[k, layout.IMPULSE] *= 1.0 + touches[k, layout.BOUNCE]


@device
def stop_approach(simulation, obstacles, first, count):
    """Project the velocities of a component on those at which no pair approaches.

    Writes the balls' velocities, group_touch (impulse).
    """
    group, touches = simulation.group, simulation.group_touch
    members, fastest = 0, 0.0
    for k in range(first, count):
        if group[k, layout.COMPONENT] == first:
            members += 1
            for side in range(2):
                x, y = partner_velocity(simulation.ball, simulation.counts, obstacles.features, group[k, side])
                fastest = max(fastest, abs(x), abs(y))
    for _ in range(PASSES):
        largest = 0.0
        for k in range(first, count):
            if group[k, layout.COMPONENT] != first:
                continue
            touch, i, other = touches[k], group[k, layout.FIRST], group[k, layout.SECOND]
            normal_x, normal_y = touch[layout.NORMAL_X], touch[layout.NORMAL_Y]
            total = total_inverse_mass(simulation.weight, simulation.counts, i, other, normal_x, normal_y)
            if total == 0.0:
                continue
            impulse = max(touch[layout.IMPULSE] - speed_of_pair(simulation, obstacles, k) / total, 0.0)
            change = (impulse - touch[layout.IMPULSE]) * total
            touch[layout.IMPULSE] = impulse
            change_speed(simulation.ball, simulation.weight, simulation.counts, i, other, normal_x, normal_y, change)
            largest = max(largest, abs(change))
        if members == 1 or largest <= CONVERGED * fastest:
            break


@device
def speed_of_pair(simulation, obstacles, k):
    """The speed at which pair k of the group parts [m/s]."""
    i, other, touch = simulation.group[k, layout.FIRST], simulation.group[k, layout.SECOND], simulation.group_touch[k]
    return parting_speed(
        simulation.ball,
        simulation.counts,
        obstacles.features,
        i,
        other,
        touch[layout.NORMAL_X],
        touch[layout.NORMAL_Y],
    )


@device
def rebound(simulation, first, count, share):
    """Add a share of the impulses times restitution. Writes the balls' velocities."""
    group, touches = simulation.group, simulation.group_touch
    for k in range(first, count):
        if group[k, layout.COMPONENT] != first:
            continue
        touch, i, other = touches[k], group[k, layout.FIRST], group[k, layout.SECOND]
        total = total_inverse_mass(
            simulation.weight, simulation.counts, i, other, touch[layout.NORMAL_X], touch[layout.NORMAL_Y]
        )
        change = share * touch[layout.BOUNCE] * touch[layout.IMPULSE] * total
        change_speed(
            simulation.ball,
            simulation.weight,
            simulation.counts,
            i,
            other,
            touch[layout.NORMAL_X],
            touch[layout.NORMAL_Y],
            change,
        )


@subroutine
def resolve_several(simulation, obstacles, count):
    """Answer a group of several pairs. Writes the balls' velocities, group_touch (impulse)."""
    find_components(simulation, count)
    for k in range(count):
        if simulation.group[k, layout.COMPONENT] == k:
            resolve_component(simulation, obstacles, k, count)


@device
def record(simulation, obstacles, pair, touch, approach):
    """Note a pair with its impulse and the speed of its approach, for events and views. Writes impact_row, impact.

    There must be room, and the ball must have been brought to the present.
    """
    ball, count = simulation.ball, simulation.counts[layout.RECORDS]
    i = pair[layout.FIRST]
    reach = ball[i, layout.RADIUS] + 0.5 * touch[layout.GAP]
    simulation.impact_row[count, 0] = simulation.ball_index[i, layout.BODY_ROW]
    simulation.impact_row[count, 1] = partner_body(
        simulation.ball_index, simulation.counts, obstacles.index, pair[layout.SECOND]
    )
    row = simulation.impact[count]
    row[0], row[1] = touch[layout.NORMAL_X], touch[layout.NORMAL_Y]
    row[2] = ball[i, layout.X] + reach * touch[layout.NORMAL_X]
    row[3] = ball[i, layout.Y] + reach * touch[layout.NORMAL_Y]
    row[layout.CARRIED], row[layout.APART], row[layout.APPROACHED] = touch[layout.IMPULSE], touch[layout.GAP], approach
    simulation.counts[layout.RECORDS] = count + 1


@device
def resolve_group(simulation, obstacles, bodies, pieces, count, now):
    """Answer the impacts of a group, all at one time [s]. Writes the balls, ball_index, to_search and the records."""
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
        if touch[layout.SETTLES] != 0.0:
            i, other = simulation.group[k, layout.FIRST], simulation.group[k, layout.SECOND]
            settle(simulation, i, other, touch[layout.NORMAL_X], touch[layout.NORMAL_Y])
        if touch[layout.IMPULSE] > 0.0:  # two features that meet flush are touched both, and hit once
            simulation.counts[layout.IMPACTS] += 1
        touch[layout.GAP] = 0.0
        record(simulation, obstacles, simulation.group[k], touch, touch[layout.APPROACH])
