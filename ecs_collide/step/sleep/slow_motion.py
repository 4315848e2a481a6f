"""Slow motion of islands with joints: slow springs and long pendulums are slow without being at rest.

A body on a spring of 0.1 Hz creeps at millimetres a second, decimetres from its rest. A pendulum of 20 m is slow for
half a second at the end of its swing. So the speed of a body says little by itself. With r the least rate of the motion
that an island's joints leave,

    spring      r = omega / max(1, 2 zeta)           what it creeps yet is about v / r
    pendulum    r = sqrt(g / length)                 unless the island touches an immovable body

an island is at rest if none of its bodies is faster than `REST_ERROR` times r, and has been slow for a quarter of a
period longer than other islands. The length of a pendulum is how far its bodies are above each other, plus its longest
joint. For usual springs this is the usual test.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from ecs_collide.data.bodies import FRAME
from ecs_collide.kernels.arrays import Floats, IntTable
from ecs_collide.kernels.kernel import device
from ecs_collide.kernels.layout import layout

NEVER = 1e300
"""Rate of an island that has no slow motion."""
SLOWEST_RATE = 0.1
"""Least rate that counts [1/s]: a body whose motion takes more than a minute is at rest."""
REST_ERROR = 2.0
"""Distance from its rest at which a body may fall asleep, in slops: 1 cm."""
QUARTER_TURN = 1.5707963267948966
"""Phase of a quarter of a period [rad]."""

LINK = layout(
    "joint of two bodies",
    A="body row of A, WORLD for the world",
    B="body row of B, WORLD for the world",
    IS_DRIVEN="1 if a motor drives the joint",
)

SWING = layout(
    "slow motion of an island",
    RATE="least rate of its springs, NEVER without springs [1/s]",
    REACH="greatest distance of a body from the anchor of a joint on the other one [m]",
    LOW="least height of a body against gravity [m]",
    HIGH="greatest height of a body against gravity [m]",
)


class IslandLinks(NamedTuple):
    """The joints of a world, as islands need them."""

    ends: IntTable
    """Columns LINK (k, 3) int64."""
    rate: Floats
    """Rate of the joint's spring, NEVER without one [1/s] (k,)."""
    reach: Floats
    """Distance of a body from the anchor on the other one, the greater of both [m] (k,)."""


NO_LINKS = IslandLinks(ends=np.zeros((0, LINK.WIDTH), np.int64), rate=np.zeros(0), reach=np.zeros(0))


def rate_of_springs(hertz: np.ndarray, damping_ratio: np.ndarray) -> np.ndarray:
    """Return the rates of springs [1/s]; NEVER for a frequency of 0."""
    rates = 2.0 * np.pi * hertz / np.maximum(1.0, 2.0 * damping_ratio)
    result: np.ndarray = np.where(hertz > 0.0, rates, NEVER)
    return result


@device
def begin_swing(swing, body, bodies, gravity):
    """Describe a body alone. Writes island_swing."""
    height = -(bodies.frame[body, FRAME.CENTER_X] * gravity[0] + bodies.frame[body, FRAME.CENTER_Y] * gravity[1])
    g = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1])
    height = height / g if g > 0.0 else 0.0
    swing[body, SWING.RATE], swing[body, SWING.REACH] = NEVER, 0.0
    swing[body, SWING.LOW], swing[body, SWING.HIGH] = height, height


@device
def add_joint_to_swing(swing, body, links, k):
    """Add joint k to the description of one of its bodies. Writes island_swing."""
    swing[body, SWING.RATE] = min(swing[body, SWING.RATE], links.rate[k])
    swing[body, SWING.REACH] = max(swing[body, SWING.REACH], links.reach[k])


@device
def merge_swings(swing, root, body):
    """Add the description of a body to that of its island. Writes island_swing."""
    swing[root, SWING.RATE] = min(swing[root, SWING.RATE], swing[body, SWING.RATE])
    swing[root, SWING.REACH] = max(swing[root, SWING.REACH], swing[body, SWING.REACH])
    swing[root, SWING.LOW] = min(swing[root, SWING.LOW], swing[body, SWING.LOW])
    swing[root, SWING.HIGH] = max(swing[root, SWING.HIGH], swing[body, SWING.HIGH])


@device
def slowest_rate(swing, gravity, hangs, time_unit):
    """Return the least rate of an island's motion [1/s]; NEVER if it has no slow one.

    `hangs` is True if the island touches no immovable body, so that it may swing as a pendulum. `time_unit` is the
    number of time units in a second.
    """
    rate, reach = swing[SWING.RATE], swing[SWING.REACH]
    if hangs and reach > 0.0:
        length = swing[SWING.HIGH] - swing[SWING.LOW] + reach
        g = sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1])
        if g > 0.0:
            rate = min(rate, sqrt(g / length))
    return rate if rate >= NEVER else max(rate, SLOWEST_RATE / time_unit)
