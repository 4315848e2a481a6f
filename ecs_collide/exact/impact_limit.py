"""What bounds the impacts of a step.

A ball has reached its cap when it has made, in one step,

- 200 impacts, and this one loses or brings in energy;
- 1,000 impacts, and this one is with something that moves by itself: two closing walls make infinitely many;
- 1,000 impacts in a row between which no time passed: in a slot as wide as the ball is;
- any impact, after 40,000 and 100 for each ball have been processed in the step.

From there on its impacts in this step give nothing back, which ends all but few of such series. If it makes 100 more it
stops, and waits where it is for the step's end; others hit it as they hit a wall. So no impact is ever left out.
"""

from __future__ import annotations

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.exact_rows import BALL, BALL_INDEX, COUNTS, SUPPORT, WEIGHT
from ecs_collide.exact.feature_rows import FEATURE
from ecs_collide.kernels.kernel import device

INELASTIC_CAP = 200
SQUEEZE_CAP = 1_000
STALL_CAP = 1_000
STEP_CAP, STEP_CAP_PER_BALL = 40_000, 100

PATIENCE = 100
"""Impacts of a ball that has reached its cap, after which it stops."""


@device
def is_capped(simulation, i, other):
    """Whether one of a pair has reached its cap."""
    return simulation.ball_index[i, BALL_INDEX.STEP_IMPACTS] >= codes.CAPPED or (
        other < simulation.counts[COUNTS.BALLS]
        and simulation.ball_index[other, BALL_INDEX.STEP_IMPACTS] >= codes.CAPPED
    )


@device
def keep_cap(simulation, obstacles, i, other, bounce):
    """Count the balls of a pair that have reached their cap, and stop those that have been there for long."""
    n = simulation.counts[COUNTS.BALLS]
    cap = SQUEEZE_CAP
    if bounce != 1.0:
        cap = INELASTIC_CAP
    elif other < n or (
        obstacles.features[other - n, FEATURE.SPEED_X] == 0.0 and obstacles.features[other - n, FEATURE.SPEED_Y] == 0.0
    ):
        cap = codes.CAPPED
    is_over = simulation.counts[COUNTS.RECORDS] >= STEP_CAP + STEP_CAP_PER_BALL * n
    _keep(simulation, i, cap, is_over)
    if other < n:
        _keep(simulation, other, cap, is_over)


@device
def _keep(simulation, i, cap, is_over):
    ball, weight, support, ball_index = simulation.ball, simulation.weight, simulation.support, simulation.ball_index
    if ball_index[i, BALL_INDEX.STEP_IMPACTS] < codes.CAPPED:
        if is_over or ball_index[i, BALL_INDEX.STEP_IMPACTS] >= cap or support[i, SUPPORT.STALLED] >= STALL_CAP:
            ball_index[i, BALL_INDEX.STEP_IMPACTS] = codes.CAPPED
            simulation.counts[COUNTS.CAP_HITS] += 1
    elif (
        ball_index[i, BALL_INDEX.STEP_IMPACTS] >= codes.CAPPED + PATIENCE and support[i, SUPPORT.STATE] != codes.STOPPED
    ):
        support[i, SUPPORT.STATE] = codes.STOPPED
        ball[i, BALL.VX] = ball[i, BALL.VY] = 0.0
        weight[i, WEIGHT.INVERSE_MASS_X] = weight[i, WEIGHT.INVERSE_MASS_Y] = 0.0
        ball[i, BALL.PULL_X] = ball[i, BALL.PULL_Y] = 0.0
