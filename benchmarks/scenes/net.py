"""A net that hangs by its upper corners. Four joints close each mesh, so that there are joint loops everywhere."""

from __future__ import annotations

import numpy as np

from benchmarks.quality import widest_gap
from benchmarks.scene import Check, Circle, Pin, Scene, moving_group

APART = 0.5  # m between knots


def net(size: int = 20) -> Scene:
    """Return ``size`` times ``size`` knots; each has a pin half-way to each of its neighbours."""
    positions = [(APART * column, -APART * row) for row in range(size) for column in range(size)]
    pins = [Pin(0, None, positions[0]), Pin(size - 1, None, positions[size - 1])]
    for knot, (x, y) in enumerate(positions):
        if (knot + 1) % size:
            pins.append(Pin(knot, knot + 1, (x + APART / 2, y)))
        if knot + size < len(positions):
            pins.append(Pin(knot, knot + size, (x, y - APART / 2)))
    return Scene(
        name="net",
        title=f"net of {size} x {size} knots",
        groups=(moving_group((Circle(0.1),), np.array(positions)),),
        pins=tuple(pins),
        frames=120,
        checks=(Check("widest gap", "cm", 60, widest_gap), Check("widest gap", "cm", 300, widest_gap)),
    )
