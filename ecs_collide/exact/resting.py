"""When a contact is so slow that it rests, and what rests on something in the middle of a step.

A pair rests if its bounce would be over within a few steps: it meets more slowly than what pulls at it makes it do in
two steps, 2 a dt. A pair that bounces without loss rests only if it would make some hundred impacts in a step.

A pulled ball that comes to rest on something within a step is carried for what is left of it: it loses its speed
towards that, and its pull towards that; or, if it rests on something else besides, all of its pull. The solver of
`contacts.py` takes over in the next step. An impact sets free what was carried.
"""

from __future__ import annotations

from ecs_collide.exact import exact_rows as layout
from ecs_collide.kernels.kernel import device

LOSSLESS = 0.0025
"""Speed below which a lossless pair rests, in units of that of others."""


@device
def rest_speed(weight, counts, i, other, bounce):
    """The approach speed [m/s] below which ball i rests on a partner."""
    speed = weight[i, layout.REST]
    if other < counts[layout.BALLS]:
        speed = max(speed, weight[other, layout.REST])
    return speed if bounce < 1.0 else LOSSLESS * speed


@device
def set_free(simulation, i, bounce):
    """Let ball i fly after an impact. Writes its pull.

    In a heap it would come to rest again on its neighbours one by one, so there only an impact without loss does it.
    """
    state = simulation.hold[i, layout.STATE]
    if state in (layout.FREE, layout.STOPPED) or (state == layout.PACKED and bounce < 1.0):
        return
    simulation.hold[i, layout.STATE] = layout.FREE
    simulation.ball[i, layout.PULL_X], simulation.ball[i, layout.PULL_Y] = (
        simulation.weight[i, layout.FREE_X],
        simulation.weight[i, layout.FREE_Y],
    )


@device
def is_pulled(ball, counts, i, other):
    """Whether a ball and its partner are pulled in different ways."""
    if other < counts[layout.BALLS]:
        return (
            ball[i, layout.PULL_X] != ball[other, layout.PULL_X] or ball[i, layout.PULL_Y] != ball[other, layout.PULL_Y]
        )
    return ball[i, layout.PULL_X] != 0.0 or ball[i, layout.PULL_Y] != 0.0


@device
def settle(simulation, i, other, normal_x, normal_y):
    """Let a pulled ball and its partner rest on each other. Writes their pulls."""
    ball, hold = simulation.ball, simulation.hold
    if other < simulation.counts[layout.BALLS]:
        for k in (i, other):
            ball[k, layout.PULL_X] = ball[k, layout.PULL_Y] = 0.0
            if hold[k, layout.STATE] == layout.FREE:
                hold[k, layout.STATE] = layout.SETTLED
    elif hold[i, layout.STATE] == layout.FREE:
        hold[i, layout.STATE] = layout.SETTLED
        along = -ball[i, layout.PULL_X] * normal_y + ball[i, layout.PULL_Y] * normal_x
        ball[i, layout.PULL_X], ball[i, layout.PULL_Y] = -along * normal_y, along * normal_x
    else:
        ball[i, layout.PULL_X] = ball[i, layout.PULL_Y] = 0.0
