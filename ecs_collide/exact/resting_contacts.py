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

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.apply_impulse import total_inverse_mass
from ecs_collide.exact.exact_rows import (
    BALL,
    BALL_INDEX,
    CONTACT,
    CONTACT_TOUCH,
    COUNTS,
    OLD_CONTACT,
    PAIR,
    SCALARS,
    SUPPORT,
    TOUCH,
    WEIGHT,
)
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
    if pair[a, PAIR.FIRST] != pair[b, PAIR.FIRST]:
        return pair[a, PAIR.FIRST] > pair[b, PAIR.FIRST]
    return pair[a, PAIR.SECOND] > pair[b, PAIR.SECOND]


@device
def find_contacts(simulation, obstacles, bodies, pieces):
    """List the candidates that rest or overlap; return whether there was room. Writes contact, contact_touch."""
    scalars, counts = simulation.scalars, simulation.counts
    counts[COUNTS.CONTACTS] = 0
    for k in range(counts[COUNTS.CANDIDATES]):
        i, other = simulation.candidate[k, PAIR.FIRST], simulation.candidate[k, PAIR.SECOND]
        gap, normal_x, normal_y = gap_of(simulation, obstacles, bodies, pieces, i, other, 0.0)
        if gap > scalars[SCALARS.SLOP]:
            continue
        bounce = restitution_of(
            bodies.material,
            simulation.ball_index[i, BALL_INDEX.BODY],
            partner_body(simulation, obstacles, other),
        )
        speed = parting_speed(simulation, obstacles, i, other, normal_x, normal_y)
        overlaps = gap < -codes.OVERLAP * scalars[SCALARS.LENGTH_UNIT]
        rests = (bounce < 1.0 and overlaps) or will_rest(simulation, i, other, bounce, gap, speed, normal_x, normal_y)
        if not rests and not overlaps:
            continue
        count = counts[COUNTS.CONTACTS]
        if count == len(simulation.contact):
            return False
        pair, touch = simulation.contact[count], simulation.contact_touch[count]
        pair[PAIR.FIRST], pair[PAIR.SECOND], pair[CONTACT.STATE] = (
            i,
            other,
            codes.RESTING if rests else codes.OVERLAPPING,
        )
        touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y], touch[TOUCH.GAP], touch[TOUCH.IMPULSE] = (
            normal_x,
            normal_y,
            gap,
            0.0,
        )
        counts[COUNTS.CONTACTS] = count + 1
    sort_pairs(simulation.contact, simulation.contact_touch, counts[COUNTS.CONTACTS])
    return True


@device
def will_rest(simulation, i, other, bounce, gap, speed, normal_x, normal_y):
    """Whether a near pair meets slowly: two balls at their speed of parting [m/s], a ball and a feature at their next
    touch, if that is within the step.
    """
    limit = rest_speed(simulation, i, other, bounce)
    if other < simulation.counts[COUNTS.BALLS]:
        return abs(speed) < limit
    pull, dt = (
        simulation.ball[i, BALL.PULL_X] * normal_x + simulation.ball[i, BALL.PULL_Y] * normal_y,
        simulation.scalars[SCALARS.DT],
    )
    if gap + (speed - 0.5 * pull * dt) * dt > 0.0:
        return False
    return speed * speed + 2.0 * pull * gap < limit * limit


@device
def hold_resting(simulation):
    """Note which balls rest on something that they are pressed against, or on another ball. Writes hold.

    A ball that only passes along a wall is not carried by it.
    """
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        if simulation.contact[k, CONTACT.STATE] != codes.RESTING:
            continue
        i, other, touch = (
            simulation.contact[k, PAIR.FIRST],
            simulation.contact[k, PAIR.SECOND],
            simulation.contact_touch[k],
        )
        pull_x, pull_y = simulation.ball[i, BALL.PULL_X], simulation.ball[i, BALL.PULL_Y]
        pull = pull_x * touch[TOUCH.NORMAL_X] + pull_y * touch[TOUCH.NORMAL_Y]
        is_ball = other < simulation.counts[COUNTS.BALLS]
        if is_ball:
            simulation.support[i, SUPPORT.STATE] = simulation.support[other, SUPPORT.STATE] = codes.PACKED
        elif touch[TOUCH.GAP] < 0.0 or pull > PRESSED * (abs(pull_x) + abs(pull_y)):
            simulation.support[i, SUPPORT.STATE] = max(simulation.support[i, SUPPORT.STATE], codes.HELD)
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        if (
            simulation.contact[k, CONTACT.STATE] == codes.RESTING
            and simulation.support[simulation.contact[k, PAIR.FIRST], SUPPORT.STATE] < codes.HELD
        ):
            simulation.contact[k, CONTACT.STATE] = codes.RESTED


@device
def parting_speed(simulation, obstacles, i, other, normal_x, normal_y):
    """The speed [m/s] at which two move apart along a normal."""
    ball_x, ball_y = partner_velocity(simulation, obstacles, i)
    other_x, other_y = partner_velocity(simulation, obstacles, other)
    return (other_x - ball_x) * normal_x + (other_y - ball_y) * normal_y


@device
def warm_start(simulation, obstacles):
    """Give resting contacts the impulses of the step before. Writes contact_touch."""
    old_head, old_next, counts = simulation.old_head, simulation.old_next, simulation.counts
    for k in range(counts[COUNTS.OLD_CONTACTS]):
        body = simulation.old_contact[k, OLD_CONTACT.LOW]
        old_next[k] = old_head[body]
        old_head[body] = k
    for k in range(counts[COUNTS.CONTACTS]):
        if simulation.contact[k, CONTACT.STATE] != codes.RESTING:
            continue
        i, other = simulation.contact[k, PAIR.FIRST], simulation.contact[k, PAIR.SECOND]
        a, b = simulation.ball_index[i, BALL_INDEX.BODY], partner_key(simulation, other)
        low, high = (a, b) if b < 0 else (min(a, b), max(a, b))
        old = old_head[low]
        while old >= 0:
            if simulation.old_contact[old, OLD_CONTACT.HIGH] == high:
                simulation.contact_touch[k, TOUCH.IMPULSE] = simulation.old_impulse[old]
            old = old_next[old]
    for k in range(counts[COUNTS.OLD_CONTACTS]):
        old_head[simulation.old_contact[k, OLD_CONTACT.LOW]] = -1


@device
def partner_key(simulation, other):
    """By what a partner is known in the next step: a ball by its body row, a feature by minus its number minus one."""
    n = simulation.counts[COUNTS.BALLS]
    return simulation.ball_index[other, BALL_INDEX.BODY] if other < n else n - other - 1


@device
def remember_contacts(simulation):
    """Keep the impulses of the resting contacts for the next step. Writes old_contact, old_impulse."""
    counts = simulation.counts
    count = 0
    for k in range(counts[COUNTS.CONTACTS]):
        impulse = simulation.contact_touch[k, TOUCH.IMPULSE]
        if simulation.contact[k, CONTACT.STATE] != codes.RESTING or impulse == 0.0:
            continue
        i, other = simulation.contact[k, PAIR.FIRST], simulation.contact[k, PAIR.SECOND]
        a, b = simulation.ball_index[i, BALL_INDEX.BODY], partner_key(simulation, other)
        simulation.old_contact[count, OLD_CONTACT.LOW] = a if b < 0 else min(a, b)
        simulation.old_contact[count, OLD_CONTACT.HIGH] = b if b < 0 else max(a, b)
        simulation.old_impulse[count] = impulse
        count += 1
    counts[COUNTS.OLD_CONTACTS] = count


@device
def push_apart(simulation, i, other, touch, impulse):
    """Push a ball and its partner apart by an impulse [N s] along their normal. Writes the balls' velocities."""
    push_x, push_y = impulse * touch[TOUCH.NORMAL_X], impulse * touch[TOUCH.NORMAL_Y]
    simulation.ball[i, BALL.VX] -= push_x * simulation.weight[i, WEIGHT.INVERSE_MASS_X]
    simulation.ball[i, BALL.VY] -= push_y * simulation.weight[i, WEIGHT.INVERSE_MASS_Y]
    if other < simulation.counts[COUNTS.BALLS]:
        simulation.ball[other, BALL.VX] += push_x * simulation.weight[other, WEIGHT.INVERSE_MASS_X]
        simulation.ball[other, BALL.VY] += push_y * simulation.weight[other, WEIGHT.INVERSE_MASS_Y]


@device
def solve_contacts(simulation, obstacles):
    """Project the velocities at resting contacts. Writes contact_touch (impulse), and the balls' velocities."""
    warm_start_contacts(simulation)
    pace, least = 1.0, 1e300
    passes = min(MOST_PASSES, max(LEAST_PASSES, WORK // max(simulation.counts[COUNTS.CONTACTS], 1)))
    for left in range(passes, 0, -1):
        largest, progress = project_contacts(simulation, obstacles)
        least = min(least, largest)
        if left == 1 or largest <= ENOUGH * simulation.scalars[SCALARS.LENGTH_UNIT]:
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
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        touch, i, other = touches[k], contact[k, PAIR.FIRST], contact[k, PAIR.SECOND]
        total = total_inverse_mass(simulation, i, other, touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y])
        touch[CONTACT_TOUCH.MASS] = 1.0 / total if contact[k, CONTACT.STATE] == codes.RESTING and total > 0.0 else 0.0
        touch[CONTACT_TOUCH.CLOSING_SPEED] = max(touch[TOUCH.GAP], 0.0) / simulation.scalars[SCALARS.DT]
        touch[CONTACT_TOUCH.LAST_IMPULSE] = touch[TOUCH.IMPULSE]
        if touch[CONTACT_TOUCH.MASS] > 0.0:
            push_apart(simulation, i, other, touch, touch[TOUCH.IMPULSE])


@device
def project_contacts(simulation, obstacles):
    """One Gauss-Seidel pass. Writes contact_touch (impulse), and the balls' velocities.

    Returns the largest speed that it took away [m/s], and whether that was on the way of the last pass: above 0 if so.
    """
    contact, touches = simulation.contact, simulation.contact_touch
    largest, progress = 0.0, 0.0
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        touch, i, other = touches[k], contact[k, PAIR.FIRST], contact[k, PAIR.SECOND]
        if touch[CONTACT_TOUCH.MASS] == 0.0:
            continue
        normal_x, normal_y = touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y]
        parting = parting_speed(simulation, obstacles, i, other, normal_x, normal_y)
        speed = parting + touch[CONTACT_TOUCH.CLOSING_SPEED]
        impulse = touch[TOUCH.IMPULSE] - speed * touch[CONTACT_TOUCH.MASS]
        if impulse < 0.0:
            impulse = 0.0
            speed = touch[TOUCH.IMPULSE] / touch[CONTACT_TOUCH.MASS]
        change = impulse - touch[TOUCH.IMPULSE]
        push_apart(simulation, i, other, touch, change)
        touch[TOUCH.IMPULSE] = impulse
        largest = max(largest, abs(speed))
        progress -= speed * (impulse - touch[CONTACT_TOUCH.LAST_IMPULSE])
    return largest, progress


@device
def carry_on(simulation, share):
    """Change the impulses by a share of their last change. Writes contact_touch, and the balls' velocities."""
    contact, touches = simulation.contact, simulation.contact_touch
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        touch, i, other = touches[k], contact[k, PAIR.FIRST], contact[k, PAIR.SECOND]
        along = share * (touch[TOUCH.IMPULSE] - touch[CONTACT_TOUCH.LAST_IMPULSE])
        touch[CONTACT_TOUCH.LAST_IMPULSE] = touch[TOUCH.IMPULSE]
        if along != 0.0:
            touch[TOUCH.IMPULSE] += along
            push_apart(simulation, i, other, touch, along)


@device
def hold_at_walls(simulation, obstacles):
    """Let what is static win over what is kinematic: no velocity leads into it. Writes the balls' velocities."""
    contact, counts = simulation.contact, simulation.counts
    first_moving = counts[COUNTS.BALLS] + obstacles.moving.start
    is_pressed = False
    for k in range(counts[COUNTS.CONTACTS]):
        is_pressed = is_pressed or contact[k, PAIR.SECOND] >= first_moving
    for _ in range(WALL_PASSES if is_pressed else 0):
        for k in range(counts[COUNTS.CONTACTS]):
            touch, i, other = simulation.contact_touch[k], contact[k, PAIR.FIRST], contact[k, PAIR.SECOND]
            if not counts[COUNTS.BALLS] <= other < first_moving or touch[CONTACT_TOUCH.MASS] == 0.0:
                continue
            normal_x, normal_y = touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y]
            speed = parting_speed(simulation, obstacles, i, other, normal_x, normal_y)
            if speed + touch[CONTACT_TOUCH.CLOSING_SPEED] < 0.0:
                push_apart(
                    simulation,
                    i,
                    other,
                    touch,
                    -(speed + touch[CONTACT_TOUCH.CLOSING_SPEED]) * touch[CONTACT_TOUCH.MASS],
                )


@device
def renew_contacts(simulation, obstacles, bodies, pieces):
    """Bring gap and normal of the contacts up to the step's end; those that have parted rest no longer.

    What the first half kick has made them carry is noted as their total.
    """
    scalars = simulation.scalars
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        touch, pair = simulation.contact_touch[k], simulation.contact[k]
        gap, normal_x, normal_y = gap_of(
            simulation, obstacles, bodies, pieces, pair[PAIR.FIRST], pair[PAIR.SECOND], scalars[SCALARS.DT]
        )
        touch[CONTACT_TOUCH.TOTAL] = touch[TOUCH.IMPULSE]
        is_near = gap <= scalars[SCALARS.SLOP]
        if is_near:
            touch[TOUCH.GAP], touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y] = gap, normal_x, normal_y
            speed = parting_speed(
                simulation,
                obstacles,
                pair[PAIR.FIRST],
                pair[PAIR.SECOND],
                normal_x,
                normal_y,
            )
            bounce = restitution_of(
                bodies.material,
                simulation.ball_index[pair[PAIR.FIRST], BALL_INDEX.BODY],
                partner_body(simulation, obstacles, pair[PAIR.SECOND]),
            )
            limit = rest_speed(simulation, pair[PAIR.FIRST], pair[PAIR.SECOND], bounce)
            is_near = gap < -codes.OVERLAP * scalars[SCALARS.LENGTH_UNIT] or abs(speed) < limit
        if pair[CONTACT.STATE] == codes.RESTING and not is_near:
            pair[CONTACT.STATE] = codes.RESTED
