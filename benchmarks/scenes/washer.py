"""Boxes in a round drum of 36 pieces with four ribs, which turns: a benchmark of Box2D."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.quality import bodies_lost, deepest_overlap
from benchmarks.scene import Box, Check, Compound, Point, Polygon, Scene, moving_group, turning_group

SPEED = math.radians(25.0)  # rad/s
RIB, INNER, OUTER = 14.0, 16.0, 18.0  # m, radii
PIECES, RIBS = 36, 4
SIZE, APART = 0.2, 0.21  # m


def washer(side: int = 40) -> Scene:
    """Return ``side`` times ``side`` boxes in the drum."""
    along = APART * (np.arange(side) - 0.5 * (side - 1))
    x, y = np.meshgrid(along, along)
    return Scene(
        name="washer",
        title=f"washer with {side**2:,} boxes",
        groups=(
            moving_group((Box(SIZE, SIZE),), np.column_stack((x.ravel(), y.ravel()))),
            turning_group(_drum(), 0.0, 0.0, SPEED),
        ),
        warmup=180,
        frames=240,
        checks=(
            Check("deepest overlap of boxes", "cm", 420, deepest_overlap),
            Check("lost", "bodies", 420, bodies_lost),
        ),
        bounds=(-OUTER, -OUTER, OUTER, OUTER),
    )


def _drum() -> Compound:
    """Return the drum around the origin."""
    turn = 2.0 * math.pi / PIECES
    wall = [_sector(INNER, OUTER, k * turn, (k + 1) * turn) for k in range(PIECES)]
    ribs = [_sector(RIB, INNER, k * turn, (k + 1) * turn) for k in range(0, PIECES, PIECES // RIBS)]
    return Compound((*wall, *ribs))


def _sector(inner: float, outer: float, begin: float, end: float) -> Polygon:
    """Return the quadrangle between two radii and two angles."""
    return Polygon((_at(inner, begin), _at(outer, begin), _at(outer, end), _at(inner, end)))


def _at(radius: float, turn: float) -> Point:
    """Return the point at a radius and an angle."""
    return radius * math.cos(turn), radius * math.sin(turn)
