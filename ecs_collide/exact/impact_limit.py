"""Limit of the number of impacts in a step.

A ball reaches the limit if it makes, within one step,

- 200 impacts, and the next one loses or adds energy;
- 1,000 impacts, and the next one is with a feature that moves by itself, as two closing walls make infinitely many;
- 1,000 impacts in a row without any time between them, as in a slot as wide as the ball;
- any impact, after 40,000 and 100 for each ball have been processed in the step.

From there on, its impacts with features have no restitution in this step, and those with balls are elastic. That ends
most of such series. Balls that lose energy can hit each other infinitely often in a finite time, and elastic ones
cannot. So a cluster of balls parts, and keeps its momentum. The idea is that of the TC model (S. Luding and
S. McNamara, "How to handle the inelastic collapse of a dissipative hard-sphere gas with the TC model", Granular
Matter 1, 1998), with a number of impacts in place of a time between them.

If the ball makes 100 more impacts, it stops where it is until the step ends, and other balls hit it like a wall. So no
impact is ever left out.
"""

from __future__ import annotations

from ecs_collide.exact import exact_codes as codes
from ecs_collide.exact.exact_rows import BALL, BALL_INDEX, COUNTS, SUPPORT, WEIGHT
from ecs_collide.exact.feature_rows import FEATURE
from ecs_collide.kernels.kernel import device

INELASTIC_CAP = 200
"""Impacts of a ball in a step, if the next one changes the energy."""
SQUEEZE_CAP = 1_000
"""Impacts of a ball in a step, if the next one is with a feature that moves."""
STALL_CAP = 1_000
"""Impacts of a ball in a row without any time between them."""
STEP_CAP, STEP_CAP_PER_BALL = 40_000, 100
"""Impacts of all balls in a step: in all, and more for each ball."""

CAPPED_RESTITUTION = 1.0
"""Restitution of two balls of which one has reached the limit."""

PATIENCE = 100
"""Impacts of a ball beyond the limit, after which it stops."""


@device
def is_capped(simulation, i, other):
    """Return True if one of a pair has reached the impact limit."""
    return simulation.ball_index[i, BALL_INDEX.STEP_IMPACTS] >= codes.CAPPED or (
        other < simulation.counts[COUNTS.BALLS]
        and simulation.ball_index[other, BALL_INDEX.STEP_IMPACTS] >= codes.CAPPED
    )


@device
def limit_impacts(simulation, obstacles, i, other, bounce):
    """Count the balls of a pair that reach the impact limit, and stop those that are far beyond it.

    Writes ball_index (STEP_IMPACTS), support (STATE), and of stopped balls their velocity, pull and inverse mass.
    """
    n = simulation.counts[COUNTS.BALLS]
    cap = SQUEEZE_CAP
    if bounce != 1.0:
        cap = INELASTIC_CAP
    elif other < n or (
        obstacles.features[other - n, FEATURE.SPEED_X] == 0.0 and obstacles.features[other - n, FEATURE.SPEED_Y] == 0.0
    ):
        cap = codes.CAPPED
    is_over = simulation.counts[COUNTS.RECORDS] >= STEP_CAP + STEP_CAP_PER_BALL * n
    _limit_ball(simulation, i, cap, is_over)
    if other < n:
        _limit_ball(simulation, other, cap, is_over)


@device
def _limit_ball(simulation, i, cap, is_over):
    """Apply the limit `cap` to ball i; `is_over` is True if the step as a whole has reached its limit."""
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
