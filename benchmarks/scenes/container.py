"""Thick static walls around a rectangle, for scenes whose bodies must stay."""

from __future__ import annotations

from benchmarks.scene import Box, Group, static_group

THICKNESS = 10.0


def container(x0: float, y0: float, x1: float, y1: float, *, lid: bool = True) -> tuple[Group, ...]:
    """Return floor, two sides and, if wanted, a lid, whose inner faces are the sides of the rectangle."""
    width, height = x1 - x0, y1 - y0
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    across = Box(width + 2 * THICKNESS, THICKNESS)
    upright = Box(THICKNESS, height)
    floor = static_group(across, x, y0 - THICKNESS / 2)
    left = static_group(upright, x0 - THICKNESS / 2, y)
    right = static_group(upright, x1 + THICKNESS / 2, y)
    top = (static_group(across, x, y1 + THICKNESS / 2),) if lid else ()
    return (floor, left, right, *top)
