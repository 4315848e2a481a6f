"""Remove the overlap that is left at the end of a step, by shifting pairs apart without changing velocities.

Resting contacts overlap by rounding, and because the solver makes a limited number of passes. Other pairs overlap
because they were placed into each other. Static features have the last word: no ball is shifted into them for the sake
of another one.
"""

from __future__ import annotations

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.apply_impulse import total_inverse_mass
from ecs_collide.exact.exact_rows import BALL, CONTACT, CONTACT_TOUCH, COUNTS, PAIR, SCALARS, WEIGHT
from ecs_collide.exact.gap import gap_of
from ecs_collide.kernels.kernel import device

PASSES, WALL_PASSES = 8, 4
"""Number of passes over all contacts, and then over those with static features."""

SHARE = 0.1
"""Share of its overlap by which, beside the slop, a pair is shifted apart at most, so as not to enter others."""

FARTHEST = 0.5
"""Share of the ball's radius by which a pair is shifted apart at most, so as not to pass through a wall."""


@device
def target_gap(simulation, k, gap):
    """Return the gap [m] that contact k is to have after the step, given its present gap."""
    scalars = simulation.scalars
    left = codes.PLAY * scalars[SCALARS.LENGTH_UNIT] if simulation.contact[k, CONTACT.STATE] == codes.RESTING else 0.0
    radius = simulation.ball[simulation.contact[k, PAIR.FIRST], BALL.RADIUS]
    return min(gap + min(scalars[SCALARS.SLOP] - SHARE * min(gap, 0.0), FARTHEST * radius), -left)


@device
def shift_apart(simulation, obstacles, bodies, pieces):
    """Reduce the overlap of the contacts at the end of the step. Writes the places of the balls at that time.

    If a moving feature presses balls, all target gaps are chosen before any ball is shifted. A contact that chose its
    gap later would start from the overlap that others have added. Then three balls in a row would end in the wall.
    """
    ball, weight, scalars, n = simulation.ball, simulation.weight, simulation.scalars, simulation.counts[COUNTS.BALLS]
    first_moving = n + obstacles.moving.start
    is_pressed = False
    for k in range(simulation.counts[COUNTS.CONTACTS]):
        if simulation.contact[k, PAIR.SECOND] >= first_moving:
            is_pressed = True
    # Choose the target gaps.
    if is_pressed:
        for k in range(simulation.counts[COUNTS.CONTACTS]):
            i, other = simulation.contact[k, PAIR.FIRST], simulation.contact[k, PAIR.SECOND]
            gap, _, _ = gap_of(simulation, obstacles, bodies, pieces, i, other, scalars[SCALARS.DT])
            simulation.contact_touch[k, CONTACT_TOUCH.TOTAL] = target_gap(simulation, k, gap)
    # Shift the pairs.
    for step in range(PASSES + WALL_PASSES):
        largest = 0.0
        for k in range(simulation.counts[COUNTS.CONTACTS]):
            i = simulation.contact[k, PAIR.FIRST]
            other = simulation.contact[k, PAIR.SECOND]
            touch = simulation.contact_touch[k]
            if step >= PASSES and not n <= other < first_moving:
                continue
            gap, normal_x, normal_y = gap_of(simulation, obstacles, bodies, pieces, i, other, scalars[SCALARS.DT])
            if step == 0 and not is_pressed:
                touch[CONTACT_TOUCH.TOTAL] = target_gap(simulation, k, gap)
            shift = touch[CONTACT_TOUCH.TOTAL] - gap
            total = total_inverse_mass(simulation, i, other, normal_x, normal_y)
            if shift <= 0.0 or total == 0.0:
                continue
            ball[i, BALL.X] -= shift * (weight[i, WEIGHT.INVERSE_MASS_X] / total) * normal_x
            ball[i, BALL.Y] -= shift * (weight[i, WEIGHT.INVERSE_MASS_Y] / total) * normal_y
            if other < n:
                ball[other, BALL.X] += shift * (weight[other, WEIGHT.INVERSE_MASS_X] / total) * normal_x
                ball[other, BALL.Y] += shift * (weight[other, WEIGHT.INVERSE_MASS_Y] / total) * normal_y
            largest = max(largest, shift)
        if step < PASSES and largest <= codes.OVERLAP * scalars[SCALARS.LENGTH_UNIT]:
            break
