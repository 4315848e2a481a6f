"""Pairs that touch at the start of a step: those that rest on each other, and those that overlap.

A pair rests if it is no further apart than the slop and will meet, within the step, more slowly than what rests does
(rest.py); or if it bounces less than fully and overlaps, which an impact never leaves behind. Balls that rest are moved
in straight lines within the step, between two half kicks. Resting pairs make no impacts; in their place the velocities
are projected, by non-negative impulses with no restitution, on those that close no gap within the step:

    u_k ≥ −max(gap_k, 0) / dt,    J_k ≥ 0        (projected Gauss–Seidel, warm started with the last step's impulses)

once after each of the two half kicks. After each pass the impulses go on by a share (a − 1) / a' of what
they have changed, with a' = ½ + √(¼ + a²) for the next pass (Nesterov), until a pass turns back (O'Donoghue and
Candès). Without that a heap of 100 takes thousands of passes, and with too few a heap never lies still.

What overlap remains at the end of the step is removed by shifting the two apart (shift.py).
"""

from __future__ import annotations

from math import sqrt

from ecs_collide.exact import exact_rows as layout
from ecs_collide.exact.apply_impulse import total_inverse_mass
from ecs_collide.exact.gap import gap_of, partner_body, partner_velocity, restitution_of
from ecs_collide.exact.resting import rest_speed
from ecs_collide.kernels.kernel import device

PRESSED = 1e-9
"""Share of a pull that presses a ball against a feature, below which it only passes along."""

ENOUGH = 1e-6
"""Change of a speed in a pass of the solver at which it ends [length units/s]."""

WORK = 60_000
"""Contacts times passes of a solve at most, within the bounds of the passes that follow."""

LEAST_PASSES, MOST_PASSES = 30, 300

OVERSHOOT = 100.0
"""How much worse a pass may be than the best one before the solver loses its momentum."""

WALL_PASSES = 8
"""Passes that have the last word where something kinematic presses balls against what is static."""


@device
def sort_pairs(pair, touch, count):
    """Put contacts into the order of their partners: no result depends on how they were found (Shell's sort)."""
    step = 1
    while step < count // 3:
        step = 3 * step + 1
    while step > 0:
        for k in range(step, count):
            at = k
            while at >= step and _is_after(pair, at - step, at):
                for c in range(pair.shape[1]):
                    pair[at, c], pair[at - step, c] = pair[at - step, c], pair[at, c]
                for c in range(touch.shape[1]):
                    touch[at, c], touch[at - step, c] = touch[at - step, c], touch[at, c]
                at -= step
        step //= 3


@device
def _is_after(pair, a, b):
    if pair[a, layout.FIRST] != pair[b, layout.FIRST]:
        return pair[a, layout.FIRST] > pair[b, layout.FIRST]
    return pair[a, layout.SECOND] > pair[b, layout.SECOND]


@device
def find_contacts(simulation, obstacles, bodies, pieces):
    """List the candidates that rest or overlap; return whether there was room. Writes contact, contact_touch."""
    scalars, counts = simulation.scalars, simulation.counts
    counts[layout.CONTACTS] = 0
    for k in range(counts[layout.CANDIDATES]):
        i, other = simulation.candidate[k, 0], simulation.candidate[k, 1]
        gap, normal_x, normal_y = gap_of(simulation, obstacles, bodies, pieces, i, other, 0.0)
        if gap > scalars[layout.SLOP]:
            continue
        bounce = restitution_of(
            bodies.material,
            simulation.ball_index[i, layout.BODY_ROW],
            partner_body(simulation.ball_index, simulation.counts, obstacles.index, other),
        )
        speed = parting_speed(simulation.ball, simulation.counts, obstacles.features, i, other, normal_x, normal_y)
        overlaps = gap < -layout.OVERLAP * scalars[layout.LENGTH_UNIT]
        rests = (bounce < 1.0 and overlaps) or will_rest(simulation, i, other, bounce, gap, speed, normal_x, normal_y)
        if not rests and not overlaps:
            continue
        count = counts[layout.CONTACTS]
        if count == len(simulation.contact):
            return False
        pair, touch = simulation.contact[count], simulation.contact_touch[count]
        pair[layout.FIRST], pair[layout.SECOND], pair[layout.RESTS] = (
            i,
            other,
            layout.RESTING if rests else layout.OVERLAPPING,
        )
        touch[layout.NORMAL_X], touch[layout.NORMAL_Y], touch[layout.GAP], touch[layout.IMPULSE] = (
            normal_x,
            normal_y,
            gap,
            0.0,
        )
        counts[layout.CONTACTS] = count + 1
    sort_pairs(simulation.contact, simulation.contact_touch, counts[layout.CONTACTS])
    return True


@device
def will_rest(simulation, i, other, bounce, gap, speed, normal_x, normal_y):
    """Whether a near pair meets slowly: two balls at their speed of parting [m/s], a ball and a feature at their next
    touch, if that is within the step.
    """
    limit = rest_speed(simulation.weight, simulation.counts, i, other, bounce)
    if other < simulation.counts[layout.BALLS]:
        return abs(speed) < limit
    pull, dt = (
        simulation.ball[i, layout.PULL_X] * normal_x + simulation.ball[i, layout.PULL_Y] * normal_y,
        simulation.scalars[layout.DT],
    )
    if gap + (speed - 0.5 * pull * dt) * dt > 0.0:
        return False
    return speed * speed + 2.0 * pull * gap < limit * limit


@device
def hold_resting(simulation):
    """Note which balls rest on something that they are pressed against, or on another ball. Writes hold.

    A ball that only passes along a wall is not carried by it.
    """
    for k in range(simulation.counts[layout.CONTACTS]):
        if simulation.contact[k, layout.RESTS] != layout.RESTING:
            continue
        i, other, touch = (
            simulation.contact[k, layout.FIRST],
            simulation.contact[k, layout.SECOND],
            simulation.contact_touch[k],
        )
        pull_x, pull_y = simulation.ball[i, layout.PULL_X], simulation.ball[i, layout.PULL_Y]
        pull = pull_x * touch[layout.NORMAL_X] + pull_y * touch[layout.NORMAL_Y]
        is_ball = other < simulation.counts[layout.BALLS]
        if is_ball:
            simulation.hold[i, layout.STATE] = simulation.hold[other, layout.STATE] = layout.PACKED
        elif touch[layout.GAP] < 0.0 or pull > PRESSED * (abs(pull_x) + abs(pull_y)):
            simulation.hold[i, layout.STATE] = max(simulation.hold[i, layout.STATE], layout.HELD)
    for k in range(simulation.counts[layout.CONTACTS]):
        if (
            simulation.contact[k, layout.RESTS] == layout.RESTING
            and simulation.hold[simulation.contact[k, layout.FIRST], layout.STATE] < layout.HELD
        ):
            simulation.contact[k, layout.RESTS] = layout.RESTED


@device
def parting_speed(ball, counts, features, i, other, normal_x, normal_y):
    """The speed [m/s] at which two move apart along a normal."""
    ball_x, ball_y = partner_velocity(ball, counts, features, i)
    other_x, other_y = partner_velocity(ball, counts, features, other)
    return (other_x - ball_x) * normal_x + (other_y - ball_y) * normal_y


@device
def warm_start(simulation, obstacles):
    """Give resting contacts the impulses of the step before. Writes contact_touch."""
    old_head, old_next, counts = simulation.old_head, simulation.old_next, simulation.counts
    for k in range(counts[layout.OLD_CONTACTS]):
        body = simulation.old_contact[k, 0]
        old_next[k] = old_head[body]
        old_head[body] = k
    for k in range(counts[layout.CONTACTS]):
        if simulation.contact[k, layout.RESTS] != layout.RESTING:
            continue
        i, other = simulation.contact[k, layout.FIRST], simulation.contact[k, layout.SECOND]
        a, b = simulation.ball_index[i, layout.BODY_ROW], partner_key(simulation, other)
        low, high = (a, b) if b < 0 else (min(a, b), max(a, b))
        old = old_head[low]
        while old >= 0:
            if simulation.old_contact[old, 1] == high:
                simulation.contact_touch[k, layout.IMPULSE] = simulation.old_impulse[old]
            old = old_next[old]
    for k in range(counts[layout.OLD_CONTACTS]):
        old_head[simulation.old_contact[k, 0]] = -1


@device
def partner_key(simulation, other):
    """By what a partner is known in the next step: a ball by its body row, a feature by minus its number minus one."""
    n = simulation.counts[layout.BALLS]
    return simulation.ball_index[other, layout.BODY_ROW] if other < n else n - other - 1


@device
def remember_contacts(simulation):
    """Keep the impulses of the resting contacts for the next step. Writes old_contact, old_impulse."""
    counts = simulation.counts
    count = 0
    for k in range(counts[layout.CONTACTS]):
        impulse = simulation.contact_touch[k, layout.IMPULSE]
        if simulation.contact[k, layout.RESTS] != layout.RESTING or impulse == 0.0:
            continue
        i, other = simulation.contact[k, layout.FIRST], simulation.contact[k, layout.SECOND]
        a, b = simulation.ball_index[i, layout.BODY_ROW], partner_key(simulation, other)
        simulation.old_contact[count, 0] = a if b < 0 else min(a, b)
        simulation.old_contact[count, 1] = b if b < 0 else max(a, b)
        simulation.old_impulse[count] = impulse
        count += 1
    counts[layout.OLD_CONTACTS] = count


@device
def push_apart(ball, weight, counts, i, other, touch, impulse):
    """Push a ball and its partner apart by an impulse [N s] along their normal. Writes the balls' velocities."""
    push_x, push_y = impulse * touch[layout.NORMAL_X], impulse * touch[layout.NORMAL_Y]
    ball[i, layout.VX] -= push_x * weight[i, layout.INVERSE_MASS_X]
    ball[i, layout.VY] -= push_y * weight[i, layout.INVERSE_MASS_Y]
    if other < counts[layout.BALLS]:
        ball[other, layout.VX] += push_x * weight[other, layout.INVERSE_MASS_X]
        ball[other, layout.VY] += push_y * weight[other, layout.INVERSE_MASS_Y]


@device
def solve_contacts(simulation, obstacles):
    """Project the velocities at resting contacts. Writes contact_touch (impulse), and the balls' velocities."""
    warm_start_contacts(simulation)
    pace, least = 1.0, 1e300
    passes = min(MOST_PASSES, max(LEAST_PASSES, WORK // max(simulation.counts[layout.CONTACTS], 1)))
    for left in range(passes, 0, -1):
        largest, progress = project_contacts(simulation, obstacles)
        least = min(least, largest)
        if left == 1 or largest <= ENOUGH * simulation.scalars[layout.LENGTH_UNIT]:
            break
        if progress < 0.0 or largest > OVERSHOOT * least:
            pace = 1.0
        next_pace = 0.5 + sqrt(0.25 + pace * pace)
        carry_on(simulation, (pace - 1.0) / next_pace)
        pace = next_pace
    hold_at_walls(simulation, obstacles)


@device
def warm_start_contacts(simulation):
    """Begin with the impulses of the last step. Writes contact_touch, and the balls' velocities."""
    contact, touches = simulation.contact, simulation.contact_touch
    for k in range(simulation.counts[layout.CONTACTS]):
        touch, i, other = touches[k], contact[k, layout.FIRST], contact[k, layout.SECOND]
        total = total_inverse_mass(
            simulation.weight, simulation.counts, i, other, touch[layout.NORMAL_X], touch[layout.NORMAL_Y]
        )
        touch[layout.MASS] = 1.0 / total if contact[k, layout.RESTS] == layout.RESTING and total > 0.0 else 0.0
        touch[layout.CLOSING] = max(touch[layout.GAP], 0.0) / simulation.scalars[layout.DT]
        touch[layout.LAST_IMPULSE] = touch[layout.IMPULSE]
        if touch[layout.MASS] > 0.0:
            push_apart(simulation.ball, simulation.weight, simulation.counts, i, other, touch, touch[layout.IMPULSE])


@device
def project_contacts(simulation, obstacles):
    """One Gauss-Seidel pass. Writes contact_touch (impulse), and the balls' velocities.

    Returns the largest speed that it took away [m/s], and whether that was on the way of the last pass: above 0 if so.
    """
    contact, touches = simulation.contact, simulation.contact_touch
    largest, progress = 0.0, 0.0
    for k in range(simulation.counts[layout.CONTACTS]):
        touch, i, other = touches[k], contact[k, layout.FIRST], contact[k, layout.SECOND]
        if touch[layout.MASS] == 0.0:
            continue
        normal_x, normal_y = touch[layout.NORMAL_X], touch[layout.NORMAL_Y]
        parting = parting_speed(simulation.ball, simulation.counts, obstacles.features, i, other, normal_x, normal_y)
        speed = parting + touch[layout.CLOSING]
        impulse = touch[layout.IMPULSE] - speed * touch[layout.MASS]
        if impulse < 0.0:
            impulse = 0.0
            speed = touch[layout.IMPULSE] / touch[layout.MASS]
        change = impulse - touch[layout.IMPULSE]
        push_apart(simulation.ball, simulation.weight, simulation.counts, i, other, touch, change)
        touch[layout.IMPULSE] = impulse
        largest = max(largest, abs(speed))
        progress -= speed * (impulse - touch[layout.LAST_IMPULSE])
    return largest, progress


@device
def carry_on(simulation, share):
    """Change the impulses by a share of their last change. Writes contact_touch, and the balls' velocities."""
    contact, touches = simulation.contact, simulation.contact_touch
    for k in range(simulation.counts[layout.CONTACTS]):
        touch, i, other = touches[k], contact[k, layout.FIRST], contact[k, layout.SECOND]
        along = share * (touch[layout.IMPULSE] - touch[layout.LAST_IMPULSE])
        touch[layout.LAST_IMPULSE] = touch[layout.IMPULSE]
        if along != 0.0:
            touch[layout.IMPULSE] += along
            push_apart(simulation.ball, simulation.weight, simulation.counts, i, other, touch, along)


@device
def hold_at_walls(simulation, obstacles):
    """Let what is static win over what is kinematic: no velocity leads into it. Writes the balls' velocities."""
    contact, counts = simulation.contact, simulation.counts
    first_moving = counts[layout.BALLS] + obstacles.moving.start
    is_pressed = False
    for k in range(counts[layout.CONTACTS]):
        is_pressed = is_pressed or contact[k, layout.SECOND] >= first_moving
    for _ in range(WALL_PASSES if is_pressed else 0):
        for k in range(counts[layout.CONTACTS]):
            touch, i, other = simulation.contact_touch[k], contact[k, layout.FIRST], contact[k, layout.SECOND]
            if not counts[layout.BALLS] <= other < first_moving or touch[layout.MASS] == 0.0:
                continue
            normal_x, normal_y = touch[layout.NORMAL_X], touch[layout.NORMAL_Y]
            speed = parting_speed(simulation.ball, simulation.counts, obstacles.features, i, other, normal_x, normal_y)
            if speed + touch[layout.CLOSING] < 0.0:
                push_apart(
                    simulation.ball,
                    simulation.weight,
                    simulation.counts,
                    i,
                    other,
                    touch,
                    -(speed + touch[layout.CLOSING]) * touch[layout.MASS],
                )


@device
def renew_contacts(simulation, obstacles, bodies, pieces):
    """Bring gap and normal of the contacts up to the step's end; those that have parted rest no longer.

    What the first half kick has made them carry is noted as their total.
    """
    scalars = simulation.scalars
    for k in range(simulation.counts[layout.CONTACTS]):
        touch, pair = simulation.contact_touch[k], simulation.contact[k]
        gap, normal_x, normal_y = gap_of(
            simulation, obstacles, bodies, pieces, pair[layout.FIRST], pair[layout.SECOND], scalars[layout.DT]
        )
        touch[layout.TOTAL] = touch[layout.IMPULSE]
        is_near = gap <= scalars[layout.SLOP]
        if is_near:
            touch[layout.GAP], touch[layout.NORMAL_X], touch[layout.NORMAL_Y] = gap, normal_x, normal_y
            speed = parting_speed(
                simulation.ball,
                simulation.counts,
                obstacles.features,
                pair[layout.FIRST],
                pair[layout.SECOND],
                normal_x,
                normal_y,
            )
            bounce = restitution_of(
                bodies.material,
                simulation.ball_index[pair[layout.FIRST], layout.BODY_ROW],
                partner_body(simulation.ball_index, simulation.counts, obstacles.index, pair[layout.SECOND]),
            )
            limit = rest_speed(simulation.weight, simulation.counts, pair[layout.FIRST], pair[layout.SECOND], bounce)
            is_near = gap < -layout.OVERLAP * scalars[layout.LENGTH_UNIT] or abs(speed) < limit
        if pair[layout.RESTS] == layout.RESTING and not is_near:
            pair[layout.RESTS] = layout.RESTED
