"""Ragdolls that fall into a box and come to rest on each other: short trees with limits among many contacts."""

from __future__ import annotations

import numpy as np

from benchmarks.quality import rms_speed, widest_gap
from benchmarks.scene import Box, Capsule, Check, Circle, Material, Pin, Point, Scene, Shape, moving_group, static_group

PARTS: tuple[tuple[Shape, Point], ...] = (
    (Box(0.3, 0.5), (0.0, 0.0)),  # trunk
    (Circle(0.12), (0.0, 0.42)),  # head
    (Capsule((0.0, -0.12), (0.0, 0.12), 0.05), (-0.22, 0.08)),  # upper arms
    (Capsule((0.0, -0.12), (0.0, 0.12), 0.05), (0.22, 0.08)),
    (Capsule((0.0, -0.12), (0.0, 0.12), 0.04), (-0.22, -0.22)),  # forearms
    (Capsule((0.0, -0.12), (0.0, 0.12), 0.04), (0.22, -0.22)),
    (Capsule((0.0, -0.15), (0.0, 0.15), 0.06), (-0.09, -0.45)),  # thighs
    (Capsule((0.0, -0.15), (0.0, 0.15), 0.06), (0.09, -0.45)),
    (Capsule((0.0, -0.15), (0.0, 0.15), 0.05), (-0.09, -0.8)),  # shanks
    (Capsule((0.0, -0.15), (0.0, 0.15), 0.05), (0.09, -0.8)),
)
"""Shape of each part, and its offset from the middle of the trunk [m]."""

JOINTS = (
    Pin(0, 1, (0.0, 0.27), (-0.6, 0.6)),  # neck
    Pin(0, 2, (-0.22, 0.2), (-2.5, 0.8)),  # shoulders
    Pin(0, 3, (0.22, 0.2), (-0.8, 2.5)),
    Pin(2, 4, (-0.22, -0.07), (-2.2, 0.1)),  # elbows
    Pin(3, 5, (0.22, -0.07), (-0.1, 2.2)),
    Pin(0, 6, (-0.09, -0.27), (-1.2, 0.5)),  # hips
    Pin(0, 7, (0.09, -0.27), (-0.5, 1.2)),
    Pin(6, 8, (-0.09, -0.63), (-0.1, 2.0)),  # knees
    Pin(7, 9, (0.09, -0.63), (-2.0, 0.1)),
)
"""Pins of the parts, with their ranges of rotation."""


def ragdolls(count: int = 60, friction: float = 0.0) -> Scene:
    """Return ``count`` ragdolls of ten parts, in layers of six, with friction in their joints up to a torque [N m]."""
    parts = len(PARTS)
    middles = [(1.4 * (k % 6 - 2.5) + 0.2 * (k // 6 % 2), 2.0 + 1.8 * (k // 6)) for k in range(count)]
    positions = np.array([(x + dx, y + dy) for x, y in middles for _, (dx, dy) in PARTS])
    motor = (0.0, friction) if friction else None
    pins = tuple(
        Pin(parts * k + pin.a, parts * k + (pin.b or 0), (x + pin.point[0], y + pin.point[1]), pin.limits, motor)
        for k, (x, y) in enumerate(middles)
        for pin in JOINTS
    )
    wall = Box(2.0, 60.0)
    return Scene(
        name="ragdolls_friction" if friction else "ragdolls",
        title=f"{count} ragdolls of {parts} parts" + (", friction in their joints" if friction else ""),
        groups=(
            static_group(Box(20.0, 2.0), 0.0, -1.0),
            static_group(wall, -6.0, 29.0),
            static_group(wall, 6.0, 29.0),
            moving_group(tuple(shape for shape, _ in PARTS), positions, shape_index=np.arange(parts * count) % parts),
        ),
        pins=pins,
        material=Material(friction=0.5),
        warmup=60,
        frames=300,
        checks=(
            Check("widest gap", "cm", 120, widest_gap),
            Check("widest gap", "cm", 600, widest_gap),
            Check("RMS speed", "mm/s", 600, rms_speed),
        ),
    )
