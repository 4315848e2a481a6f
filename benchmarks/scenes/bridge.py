"""A bridge of planks between two walls, with five heavy bodies on it; its hinges may have friction."""

from __future__ import annotations

import numpy as np

from benchmarks.quality import widest_gap
from benchmarks.scene import Box, Check, Pin, Scene, moving_group

LENGTH, HEIGHT = 1.0, 0.25  # m, of a plank
LOADS = 5
LOAD = Box(1.5, 1.5)  # m


def bridge(planks: int = 60, friction: float = 0.0) -> Scene:
    """Return a bridge of ``planks`` planks; its hinges have friction up to a torque [N m]."""
    middle = 0.5 * (planks - 1)
    places = [(LENGTH * (k - middle), 0.0) for k in range(planks)]
    loads = [(LENGTH * planks * ((k + 1) / (LOADS + 1) - 0.5), 0.5 * (HEIGHT + LOAD.height)) for k in range(LOADS)]
    motor = (0.0, friction) if friction else None
    pins = [Pin(0, None, (LENGTH * (-0.5 - middle), 0.0), motor=motor)]
    pins += [Pin(k, k + 1, (LENGTH * (k + 0.5 - middle), 0.0), motor=motor) for k in range(planks - 1)]
    pins.append(Pin(planks - 1, None, (LENGTH * (planks - 0.5 - middle), 0.0), motor=motor))
    return Scene(
        name="bridge_friction" if friction else "bridge",
        title=f"bridge of {planks} planks" + (", friction in its hinges" if friction else ""),
        groups=(moving_group((Box(LENGTH, HEIGHT),), np.array(places)), moving_group((LOAD,), np.array(loads))),
        pins=tuple(pins),
        warmup=60,
        frames=240,
        frames_per_turn=40,
        checks=(Check("widest gap", "cm", 120, widest_gap), Check("widest gap", "cm", 400, widest_gap)),
    )
