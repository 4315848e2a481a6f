"""Characters that are moved together: a row for each, with what it is asked to do and how it fared."""

from __future__ import annotations

import numpy as np

from ecs_collide.kernels.arrays import FloatCube, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle

# wish
WISH_X, WISH_Y, UP_X, UP_Y, LEAST_UP, STEP_HEIGHT, SNAP, DROP = range(8)
WISH_WIDTH = 8

# outcome: the place, the velocity that is left, and that of the floor
AT_X, AT_Y, OUT_X, OUT_Y, FLOOR_X, FLOOR_Y = range(6)
OUTCOME_WIDTH = 6

# state
ON_FLOOR, ON_WALL, ON_CEILING, FLOOR, HIT_COUNT = range(5)
STATE_WIDTH = 5

# hit
HIT_TIME, HIT_NORMAL_X, HIT_NORMAL_Y = range(3)
HIT_WIDTH = 3

MOST_HITS = 16
"""Surfaces that one character slides along in one step."""


class Characters(Bundle):
    """What moving some characters reads and writes of each."""

    body: Ints
    """Its row (n,) int64."""
    mask: Ints
    """The layers that it looks for (n,) int64."""
    start: Ints
    """Where its pieces begin in the list of all their pieces, and where the last ones end (n + 1,) int64."""
    wish: FloatTable
    """What it is asked to do: a velocity [m/s], `ground.Rules`, and 1 where it falls through what is one-way (n, 8)."""
    outcome: FloatTable
    """The place [m] and the velocities [m/s] above (n, 6)."""
    state: IntTable
    """Where it is, the entity that is its floor or 0, and how many surfaces it met (n, 5) int64."""
    hit_body: IntTable
    """These surfaces' entities (n, 16) int64."""
    hit: FloatCube
    """And the fraction of the step, and the normal (n, 16, 3)."""


def characters_for(count: int) -> Characters:
    """Rows for so many characters, not filled in."""
    return Characters(
        np.empty(count, np.int64),
        np.empty(count, np.int64),
        np.zeros(count + 1, np.int64),
        np.empty((count, WISH_WIDTH)),
        np.empty((count, OUTCOME_WIDTH)),
        np.empty((count, STATE_WIDTH), np.int64),
        np.empty((count, MOST_HITS), np.int64),
        np.empty((count, MOST_HITS, HIT_WIDTH)),
    )
