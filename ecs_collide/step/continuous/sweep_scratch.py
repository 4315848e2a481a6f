"""What the sweeps work on."""

from typing import NamedTuple

from ecs_collide.kernels.arrays import FloatTable, Ints, IntTable

ROLE = 2
"""The third column of `SweepScratch.crossed`."""


class SweepScratch(NamedTuple):
    """Room for the contours of two pieces, and what the sweep is told and tells."""

    a: FloatTable
    b: FloatTable
    placed: FloatTable
    off: IntTable
    """Pairs of pieces that pass, or that the game switched off in this step, as pairs or as contacts (o, 2) int64."""
    off_count: Ints
    """How many of these count (1,) int64."""
    fast: Ints
    """The pieces of the bodies that are swept (p,) int64."""
    box: FloatTable
    """Box of the way of each of these [m] (p, 4)."""
    nearby: Ints
    """The other moving pieces near one of them (p,) int64."""
    near: IntTable
    """Pairs of a fast piece and one that may stop it, or a slow one and a fast kinematic one (n, 2) int64."""
    met: IntTable
    """Pairs of pieces of dynamic bodies of which one is a bullet, whose ways may meet (m, 2) int64."""
    crossed: IntTable
    """Pairs of pieces that were met on the way and are not solid to each other, and their role (c, 3) int64."""
