"""The arrays for characters that are moved together: one row for each, with its request and the result."""

from __future__ import annotations

import numpy as np

from ecs_collide.kernels.arrays import Flags, FloatCube, FloatTable, Ints, IntTable
from ecs_collide.kernels.bundle import Bundle, rows_of
from ecs_collide.kernels.layout import layout

REQUEST = layout(
    "request of a character",
    VX="wanted velocity along x [m/s]",
    VY="wanted velocity along y [m/s]",
    UP_X="unit vector up along x, 0 if seen from above",
    UP_Y="unit vector up along y, 0 if seen from above",
    LEAST_UP="least component along up of a floor's normal",
    STEP_HEIGHT="greatest height of a step [m]",
    SNAP="distance by which it follows the floor down [m]",
)
OUTCOME = layout(
    "outcome of a motion",
    X="position of its origin along x [m]",
    Y="position of its origin along y [m]",
    VX="velocity that is left along x [m/s]",
    VY="velocity that is left along y [m/s]",
    FLOOR_VX="velocity of its floor along x [m/s]",
    FLOOR_VY="velocity of its floor along y [m/s]",
    NORMAL_X="outward unit normal of its floor along x",
    NORMAL_Y="outward unit normal of its floor along y",
    AT_X="place at which it bears on a dynamic floor, x [m]",
    AT_Y="place at which it bears on a dynamic floor, y [m]",
)
STATE = layout(
    "state of a character after its motion",
    ON_FLOOR="1 if it stands on a floor",
    ON_WALL="1 if it hit a wall",
    ON_CEILING="1 if it hit a ceiling",
    FLOOR="entity of its floor, 0 for none",
    HIT_COUNT="number of its hits",
    MEETS_DYNAMIC="1 if it hit a dynamic body or stands on one",
)
SLIDE_HIT = layout(
    "hit of a character",
    TIME="fraction of the time",
    NORMAL_X="outward unit normal of the surface along x",
    NORMAL_Y="outward unit normal of the surface along y",
    AT_X="middle of the contact with a dynamic body, x [m]",
    AT_Y="middle of the contact with a dynamic body, y [m]",
    SPEED="speed of the character against the normal, in the world [m/s]",
    PUSH="force by which it pushes [N]",
)

MOST_HITS = 16
"""Greatest number of surfaces along which a character slides in one motion."""


class Characters(Bundle):
    """Requests and results of characters that are moved together."""

    body: Ints
    """Row of the body (n,)."""
    mask: Ints
    """Layers that stop the character, as bits (n,)."""
    drops_through: Flags
    """True for a character that falls through one-way colliders (n,)."""
    start: Ints
    """Place at which the pieces of each listed body begin in the list of all pieces, and its length (m + 1,)."""
    listed: Ints
    """Rows of the bodies whose pieces are listed: the characters, and those that stand on them (m,)."""
    request: FloatTable = rows_of(REQUEST)
    """Columns of `REQUEST` (n, 7)."""
    outcome: FloatTable = rows_of(OUTCOME)
    """Columns of `OUTCOME` (n, 10)."""
    state: IntTable = rows_of(STATE)
    """Columns of `STATE` (n, 6)."""
    hit_body: IntTable = rows_of(MOST_HITS)
    """Entity of each hit (n, 16)."""
    hit: FloatCube = rows_of(MOST_HITS, SLIDE_HIT)
    """Columns of `SLIDE_HIT` for each hit (n, 16, 7)."""


def characters_for(count: int) -> Characters:
    """Return rows for so many characters, not filled in."""
    body = np.empty(count, np.int64)
    return Characters(
        body=body,
        mask=np.empty(count, np.int64),
        drops_through=np.zeros(count, np.bool_),
        start=np.zeros(count + 1, np.int64),
        listed=body,
        request=np.empty((count, REQUEST.WIDTH)),
        outcome=np.empty((count, OUTCOME.WIDTH)),
        state=np.empty((count, STATE.WIDTH), np.int64),
        hit_body=np.empty((count, MOST_HITS), np.int64),
        hit=np.empty((count, MOST_HITS, SLIDE_HIT.WIDTH)),
    )
