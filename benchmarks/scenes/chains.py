"""Chains that start level, swing down and whip round. Links do not collide, so only joints are timed."""

from __future__ import annotations

import numpy as np

from benchmarks.quality import widest_gap
from benchmarks.scene import Box, Check, Pin, Scene, moving_group

LENGTH = 0.5  # m, of a link
APART = 3.0  # m between chains


def chains(count: int = 50, links: int = 40) -> Scene:
    """Return ``count`` chains of ``links`` links each, whose first ends are fixed."""
    positions = [(LENGTH * (k + 0.5), APART * chain) for chain in range(count) for k in range(links)]
    pins = [
        Pin(links * chain + k, None if k == 0 else links * chain + k - 1, (LENGTH * k, APART * chain))
        for chain in range(count)
        for k in range(links)
    ]
    return Scene(
        name="chains",
        title=f"{count} chains of {links} links",
        groups=(moving_group((Box(LENGTH, 0.1),), np.array(positions)),),
        pins=tuple(pins),
        collides=False,
        frames=400,
        checks=(
            Check("widest gap", "cm", 200, widest_gap),
            Check("widest gap, as they whip round", "cm", 370, widest_gap),
            Check("widest gap", "cm", 600, widest_gap, long=True),
        ),
    )
