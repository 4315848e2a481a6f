"""Rest: the speed below which a pair rests, and balls that come to rest within a step.

A pair rests if its bounces would end within a few steps. That is the case if it approaches more slowly than the speed
that its pull gives in two steps, 2 a dt. A pair that bounces without loss rests only if it would make some hundred
impacts in a step.

If a ball with a pull comes to rest within a step, its partner supports it for the rest of the step. It loses its speed
and its pull towards the partner, or all of its pull if it rests on another partner, too. The solver of
`resting_contacts.py` takes over in the next step. An impact ends the support.
"""

from __future__ import annotations

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.exact_rows import BALL, COUNTS, SUPPORT, WEIGHT
from ecs_collide.kernels.kernel import device

LOSSLESS = 0.0025
"""Speed below which a pair without loss rests, in rest speeds of other pairs."""


@device
def rest_speed(simulation, i, other, bounce):
    """Return the approach speed [m/s] below which ball i rests on a partner."""
    speed = simulation.weight[i, WEIGHT.REST_SPEED]
    if other < simulation.counts[COUNTS.BALLS]:
        speed = max(speed, simulation.weight[other, WEIGHT.REST_SPEED])
    return speed if bounce < 1.0 else LOSSLESS * speed


@device
def release(simulation, i, bounce):
    """Release ball i from its support after an impact. Writes its support and pull.

    In a heap, the ball would come to rest again on its neighbours one by one. So only an impact without loss releases
    a ball that rests on other balls.
    """
    state = simulation.support[i, SUPPORT.STATE]
    if state in (codes.FREE, codes.STOPPED) or (state == codes.PACKED and bounce < 1.0):
        return
    simulation.support[i, SUPPORT.STATE] = codes.FREE
    simulation.ball[i, BALL.PULL_X], simulation.ball[i, BALL.PULL_Y] = (
        simulation.weight[i, WEIGHT.FREE_X],
        simulation.weight[i, WEIGHT.FREE_Y],
    )


@device
def is_pulled(simulation, i, other):
    """Return True if the pulls of a ball and its partner differ."""
    if other < simulation.counts[COUNTS.BALLS]:
        return (
            simulation.ball[i, BALL.PULL_X] != simulation.ball[other, BALL.PULL_X]
            or simulation.ball[i, BALL.PULL_Y] != simulation.ball[other, BALL.PULL_Y]
        )
    return simulation.ball[i, BALL.PULL_X] != 0.0 or simulation.ball[i, BALL.PULL_Y] != 0.0


@device
def settle(simulation, i, other, normal_x, normal_y):
    """Put a ball with a pull and its partner to rest on each other. Writes their support and pulls."""
    ball, support = simulation.ball, simulation.support
    if other < simulation.counts[COUNTS.BALLS]:
        for k in (i, other):
            ball[k, BALL.PULL_X] = ball[k, BALL.PULL_Y] = 0.0
            if support[k, SUPPORT.STATE] == codes.FREE:
                support[k, SUPPORT.STATE] = codes.SETTLED
    elif support[i, SUPPORT.STATE] == codes.FREE:
        support[i, SUPPORT.STATE] = codes.SETTLED
        along = -ball[i, BALL.PULL_X] * normal_y + ball[i, BALL.PULL_Y] * normal_x
        ball[i, BALL.PULL_X], ball[i, BALL.PULL_Y] = -along * normal_y, along * normal_x
    else:
        ball[i, BALL.PULL_X] = ball[i, BALL.PULL_Y] = 0.0
