"""Contacts at the start of a step: pairs that rest on each other, and pairs that overlap.

A pair rests if

- its gap is at most the slop, and it will meet within the step more slowly than the rest speed (`resting.py`); or
- it bounces less than fully, and overlaps, which an impact never leaves behind.

Balls that rest move in straight lines within the step, between two half kicks. Resting pairs make no impacts. Instead,
non-negative impulses without restitution project the velocities on those that close no gap within the step:

    u_k ≥ −max(gap_k, 0) / dt,    J_k ≥ 0        (projected Gauss–Seidel, warm started with the last step's impulses)

once after each of the two half kicks. After each pass, the impulses are extrapolated by a share (a − 1) / a' of their
last change, with a' = ½ + √(¼ + a²) for the next pass (Nesterov), until a pass turns back (O'Donoghue and Candès).
Without extrapolation, a heap of 100 balls takes thousands of passes; with too few passes, a heap never lies still.

The overlap that remains at the end of the step is removed by `remove_overlap.py`.
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
from ecs_collide.exact.gap import gap_of, partner_velocity, restitution_of_pair
from ecs_collide.exact.resting import rest_speed
from ecs_collide.kernels.kernel import device

PRESSED = 1e-9
"""Share of a pull into a feature below which the ball only passes along the feature."""

ENOUGH = 1e-6
"""Change of a speed in a pass at which the solver ends [length units/s]."""

WORK = 60_000
"""Greatest number of contacts times passes of a solve, within LEAST_PASSES and MOST_PASSES."""

LEAST_PASSES, MOST_PASSES = 30, 300
"""Bounds of the greatest number of passes of a solve."""

OVERSHOOT = 100.0
"""Factor by which a pass may be worse than the best one before the extrapolation starts again."""

WALL_PASSES = 8
"""Number of the last passes, over static features only, if a kinematic body presses balls against them."""


@device
def sort_pairs(pair, touch, count):
    """Sort contacts by their partners (Shell sort), so that no result depends on the order of their discovery."""
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
    """Return True if row a sorts after row b."""
    if pair[a, PAIR.FIRST] != pair[b, PAIR.FIRST]:
        return pair[a, PAIR.FIRST] > pair[b, PAIR.FIRST]
    return pair[a, PAIR.SECOND] > pair[b, PAIR.SECOND]


@device
def find_contacts(simulation, obstacles, bodies, pieces):
    """List the candidates that rest or overlap; return False if there was no room. Writes contact, contact_touch."""
    scalars, counts = simulation.scalars, simulation.counts
    counts[COUNTS.CONTACTS] = 0
    for k in range(counts[COUNTS.CANDIDATES]):
        i, other = simulation.candidate[k, PAIR.FIRST], simulation.candidate[k, PAIR.SECOND]
        gap, normal_x, normal_y = gap_of(simulation, obstacles, bodies, pieces, i, other, 0.0)
        if gap > scalars[SCALARS.SLOP]:
            continue
        bounce = restitution_of_pair(simulation, obstacles, bodies, i, other)
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
    """Return True if a near pair meets slowly: two balls at their present speed, others at their next touch.

    `speed` is the speed at which the pair parts [m/s]. A ball and a feature must touch within the step.
    """
    limit = rest_speed(simulation, i, other, bounce)
    if other < simulation.counts[COUNTS.BALLS]:
        return abs(speed) < limit
    pull = simulation.ball[i, BALL.PULL_X] * normal_x + simulation.ball[i, BALL.PULL_Y] * normal_y
    dt = simulation.scalars[SCALARS.DT]
    if gap + (speed - 0.5 * pull * dt) * dt > 0.0:
        return False
    return speed * speed + 2.0 * pull * gap < limit * limit


@device
def support_resting(simulation):
    """Find the balls that rest on a feature that they press, or on another ball. Writes support, contact (STATE).

    A wall does not support a ball that only passes along it.
    """
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        if simulation.contact[k, CONTACT.STATE] != codes.RESTING:
            continue
        i = simulation.contact[k, PAIR.FIRST]
        other = simulation.contact[k, PAIR.SECOND]
        touch = simulation.contact_touch[k]
        pull_x, pull_y = simulation.ball[i, BALL.PULL_X], simulation.ball[i, BALL.PULL_Y]
        pull = pull_x * touch[TOUCH.NORMAL_X] + pull_y * touch[TOUCH.NORMAL_Y]
        is_ball = other < simulation.counts[COUNTS.BALLS]
        if is_ball:
            simulation.support[i, SUPPORT.STATE] = simulation.support[other, SUPPORT.STATE] = codes.PACKED
        elif touch[TOUCH.GAP] < 0.0 or pull > PRESSED * (abs(pull_x) + abs(pull_y)):
            simulation.support[i, SUPPORT.STATE] = max(simulation.support[i, SUPPORT.STATE], codes.HELD)
    # A contact of a ball that nothing supports does not rest.
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        if (
            simulation.contact[k, CONTACT.STATE] == codes.RESTING
            and simulation.support[simulation.contact[k, PAIR.FIRST], SUPPORT.STATE] < codes.HELD
        ):
            simulation.contact[k, CONTACT.STATE] = codes.RESTED


@device
def parting_speed(simulation, obstacles, i, other, normal_x, normal_y):
    """Return the speed [m/s] at which two partners part along a normal."""
    ball_x, ball_y = partner_velocity(simulation, obstacles, i)
    other_x, other_y = partner_velocity(simulation, obstacles, other)
    return (other_x - ball_x) * normal_x + (other_y - ball_y) * normal_y


@device
def warm_start(simulation, obstacles):
    """Copy the impulses of the last step to the resting contacts. Writes contact_touch (IMPULSE)."""
    old_head, old_next, counts = simulation.old_head, simulation.old_next, simulation.counts
    # Chain the old contacts by their lower body row.
    for k in range(counts[COUNTS.OLD_CONTACTS]):
        body = simulation.old_contact[k, OLD_CONTACT.LOW]
        old_next[k] = old_head[body]
        old_head[body] = k
    # Look up each contact.
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
    """Return the key of a partner in old contacts: a ball's body row, or minus a feature's number minus one."""
    n = simulation.counts[COUNTS.BALLS]
    return simulation.ball_index[other, BALL_INDEX.BODY] if other < n else n - other - 1


@device
def keep_contacts(simulation):
    """Store the impulses of the resting contacts for the next step. Writes old_contact, old_impulse."""
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
def add_impulse(simulation, i, other, touch, impulse):
    """Apply an impulse [N s] along the normal to a ball and its partner. Writes the velocities of the balls."""
    push_x, push_y = impulse * touch[TOUCH.NORMAL_X], impulse * touch[TOUCH.NORMAL_Y]
    simulation.ball[i, BALL.VX] -= push_x * simulation.weight[i, WEIGHT.INVERSE_MASS_X]
    simulation.ball[i, BALL.VY] -= push_y * simulation.weight[i, WEIGHT.INVERSE_MASS_Y]
    if other < simulation.counts[COUNTS.BALLS]:
        simulation.ball[other, BALL.VX] += push_x * simulation.weight[other, WEIGHT.INVERSE_MASS_X]
        simulation.ball[other, BALL.VY] += push_y * simulation.weight[other, WEIGHT.INVERSE_MASS_Y]


@device
def solve_contacts(simulation, obstacles):
    """Project the velocities at resting contacts. Writes contact_touch (IMPULSE), and the velocities of the balls."""
    warm_start_contacts(simulation)
    momentum, least = 1.0, 1e300
    passes = min(MOST_PASSES, max(LEAST_PASSES, WORK // max(simulation.counts[COUNTS.CONTACTS], 1)))
    for left in range(passes, 0, -1):
        largest, progress = project_contacts(simulation, obstacles)
        least = min(least, largest)
        if left == 1 or largest <= ENOUGH * simulation.scalars[SCALARS.LENGTH_UNIT]:
            break
        if progress < 0.0 or largest > OVERSHOOT * least:
            momentum = 1.0
        next_momentum = 0.5 + sqrt(0.25 + momentum * momentum)
        extrapolate_impulses(simulation, (momentum - 1.0) / next_momentum)
        momentum = next_momentum
    stop_at_walls(simulation, obstacles)


@device
def warm_start_contacts(simulation):
    """Prepare the contacts, and apply their impulses of the last step.

    Writes contact_touch, and the velocities of the balls.
    """
    contact, touches = simulation.contact, simulation.contact_touch
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        touch, i, other = touches[k], contact[k, PAIR.FIRST], contact[k, PAIR.SECOND]
        total = total_inverse_mass(simulation, i, other, touch[TOUCH.NORMAL_X], touch[TOUCH.NORMAL_Y])
        touch[CONTACT_TOUCH.MASS] = 1.0 / total if contact[k, CONTACT.STATE] == codes.RESTING and total > 0.0 else 0.0
        touch[CONTACT_TOUCH.CLOSING_SPEED] = max(touch[TOUCH.GAP], 0.0) / simulation.scalars[SCALARS.DT]
        touch[CONTACT_TOUCH.LAST_IMPULSE] = touch[TOUCH.IMPULSE]
        if touch[CONTACT_TOUCH.MASS] > 0.0:
            add_impulse(simulation, i, other, touch, touch[TOUCH.IMPULSE])


@device
def project_contacts(simulation, obstacles):
    """Make one Gauss-Seidel pass. Writes contact_touch (IMPULSE), and the velocities of the balls.

    Returns the largest change of a speed [m/s], and the progress in the direction of the last pass. That is negative if
    this pass turns back.
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
        add_impulse(simulation, i, other, touch, change)
        touch[TOUCH.IMPULSE] = impulse
        largest = max(largest, abs(speed))
        progress -= speed * (impulse - touch[CONTACT_TOUCH.LAST_IMPULSE])
    return largest, progress


@device
def extrapolate_impulses(simulation, share):
    """Extrapolate the impulses by a share of their last change. Writes contact_touch, velocities of the balls."""
    contact, touches = simulation.contact, simulation.contact_touch
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        touch, i, other = touches[k], contact[k, PAIR.FIRST], contact[k, PAIR.SECOND]
        along = share * (touch[TOUCH.IMPULSE] - touch[CONTACT_TOUCH.LAST_IMPULSE])
        touch[CONTACT_TOUCH.LAST_IMPULSE] = touch[TOUCH.IMPULSE]
        if along != 0.0:
            touch[TOUCH.IMPULSE] += along
            add_impulse(simulation, i, other, touch, along)


@device
def stop_at_walls(simulation, obstacles):
    """Stop balls that kinematic features press into static ones. Writes the velocities of the balls."""
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
                add_impulse(
                    simulation,
                    i,
                    other,
                    touch,
                    -(speed + touch[CONTACT_TOUCH.CLOSING_SPEED]) * touch[CONTACT_TOUCH.MASS],
                )


@device
def update_contacts(simulation, obstacles, bodies, pieces):
    """Compute gap and normal of the contacts at the step's end; mark resting contacts that have parted.

    The impulse of the first half kick is kept as the total. Writes contact (STATE), contact_touch.
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
            bounce = restitution_of_pair(simulation, obstacles, bodies, pair[PAIR.FIRST], pair[PAIR.SECOND])
            limit = rest_speed(simulation, pair[PAIR.FIRST], pair[PAIR.SECOND], bounce)
            is_near = gap < -codes.OVERLAP * scalars[SCALARS.LENGTH_UNIT] or abs(speed) < limit
        if pair[CONTACT.STATE] == codes.RESTING and not is_near:
            pair[CONTACT.STATE] = codes.RESTED
