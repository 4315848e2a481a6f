"""When a contact is so slow that it rests, and what rests on something in the middle of a step.

A pair rests if its bounce would be over within a few steps: it meets more slowly than what pulls at it makes it do in
two steps, 2 a dt. A pair that bounces without loss rests only if it would make some hundred impacts in a step.

A pulled ball that comes to rest on something within a step is carried for what is left of it: it loses its speed
towards that, and its pull towards that; or, if it rests on something else besides, all of its pull. The solver of
`contacts.py` takes over in the next step. An impact sets free what was carried.
"""

from __future__ import annotations

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.exact_rows import BALL, COUNTS, SUPPORT, WEIGHT
from ecs_collide.kernels.kernel import device

LOSSLESS = 0.0025
"""Speed below which a lossless pair rests, in units of that of others."""


@device
def rest_speed(simulation, i, other, bounce):
    """The approach speed [m/s] below which ball i rests on a partner."""
    speed = simulation.weight[i, WEIGHT.REST_SPEED]
    if other < simulation.counts[COUNTS.BALLS]:
        speed = max(speed, simulation.weight[other, WEIGHT.REST_SPEED])
    return speed if bounce < 1.0 else LOSSLESS * speed


@device
def set_free(simulation, i, bounce):
    """Let ball i fly after an impact. Writes its pull.

    In a heap it would come to rest again on its neighbours one by one, so there only an impact without loss does it.
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
    """Whether a ball and its partner are pulled in different ways."""
    if other < simulation.counts[COUNTS.BALLS]:
        return (
            simulation.ball[i, BALL.PULL_X] != simulation.ball[other, BALL.PULL_X]
            or simulation.ball[i, BALL.PULL_Y] != simulation.ball[other, BALL.PULL_Y]
        )
    return simulation.ball[i, BALL.PULL_X] != 0.0 or simulation.ball[i, BALL.PULL_Y] != 0.0


@device
def settle(simulation, i, other, normal_x, normal_y):
    """Let a pulled ball and its partner rest on each other. Writes their pulls."""
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
