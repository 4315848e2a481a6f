"""A pyramid of unit boxes that stands: Box2D's "large pyramid". Timed while it stands and settles."""

from __future__ import annotations

import numpy as np

from benchmarks.quality import bodies_out_of_place, deepest_overlap, rms_speed, top_moved_sideways
from benchmarks.scene import Box, Check, Material, Scene, moving_group, static_group


def pyramid(base: int = 60) -> Scene:
    """Return ``base * (base + 1) / 2`` boxes of 1 m, side by side and row upon row."""
    positions = [
        (column + 0.5 * row - 0.5 * (base - 1), row + 0.5) for row in range(base) for column in range(base - row)
    ]
    return Scene(
        name="pyramid" if base == 60 else f"pyramid{base}",
        title=f"pyramid of base {base} ({len(positions):,} boxes)",
        groups=(static_group(Box(4.0 * base, 2.0), 0.0, -1.0), moving_group((Box(1.0, 1.0),), np.array(positions))),
        material=Material(friction=0.6),
        warmup=20,
        frames=180,
        checks=(
            Check("deepest overlap", "cm", 200, deepest_overlap),
            Check("top sideways", "cm", 200, top_moved_sideways),
            Check("RMS speed", "mm/s", 200, rms_speed),
            Check("out of place", "boxes", 1500, bodies_out_of_place, long=True),
            Check("deepest overlap", "cm", 1500, deepest_overlap, long=True),
            Check("RMS speed", "mm/s", 1500, rms_speed, long=True),
        ),
    )
