"""Draw the figures of sectors.md from the functions themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from draw_style import INK, answer, circle, colour_regions, contours, dot, grid, panels, polygon, store, text, window
from matplotlib.axes import Axes

from ecs_collide.algorithms import SectorRegion, sector_circle_distance, sector_circle_overlap, sector_region

DEGREE = math.pi / 180.0
SECTORS = ((1.5, 35.0 * DEGREE, 25.0 * DEGREE), (1.5, 125.0 * DEGREE, 205.0 * DEGREE))
"""Radius, half-angle and direction of two sectors at the origin."""


def outline(axis: Axes, radius: float, half_angle: float, direction: float, fill: bool = False) -> None:
    turns = direction + half_angle * np.linspace(-1.0, 1.0, 100)
    arc = radius * np.stack((np.cos(turns), np.sin(turns)), 1)
    polygon(axis, np.concatenate(([(0.0, 0.0)], arc)), INK, fill)


def corners(axis: Axes, radius: float, half_angle: float, direction: float) -> None:
    for letter, turn, length in (
        ("A", direction - half_angle, radius),
        ("B", direction + half_angle, radius),
        ("O", 0.0, 0.0),
    ):
        x, y = length * math.cos(turn), length * math.sin(turn)
        dot(axis, x, y, INK, 4.0)
        text(axis, 1.15 * x - (0.0 if length else 0.2), 1.15 * y - (0.0 if length else 0.16), letter)


def roomiest(mask: Any) -> tuple[int, int]:
    """Return the place of a mask that is farthest from its border."""
    left = mask
    while (smaller := shrunk(left)).any():
        left = smaller
    rows, columns = np.nonzero(left)
    return int(rows[len(rows) // 2]), int(columns[len(rows) // 2])


def shrunk(mask: Any) -> Any:
    """Return the mask without a rim of four dots above and below and twelve at the sides, for words."""
    padded = np.pad(mask, ((4, 4), (12, 12)))
    return mask & padded[8:, 12:-12] & padded[:-8, 12:-12] & padded[4:-4, 24:] & padded[4:-4, :-24]


def draw_sector_regions() -> None:
    for axis, sector in zip(panels(2, 4.0, 3.8), SECTORS):
        window(axis, -2.6, -2.4, 3.0, 2.6)
        x, y = grid(axis)
        regions = sector_region(x, y, 0.0, 0.0, *sector)
        colour_regions(axis, regions)
        outline(axis, *sector)
        corners(axis, *sector)
        distance = sector_circle_distance(x, y, 0.0, 0.0, 0.0, *sector)
        for region in SectorRegion:
            there = (regions == region) & (distance > 0.3)
            if there.any():
                row, column = roomiest(there)
                text(axis, x[row, column], y[row, column], f"{region.value} {region.name}", fontsize=7)
        axis.set_title(f"half-angle {sector[1] / DEGREE:.0f}°, direction {sector[2] / DEGREE:.0f}°")
    store("sector_regions")


CIRCLES = ((2.0, 1.9, 0.6), (1.6, -0.9, 0.7), (-1.3, 1.6, 0.5), (0.9, 0.6, 0.3), (-1.0, -1.3, 0.4), (2.3, 0.4, 0.5))


def draw_sector_distance() -> None:
    for axis, sector in zip(panels(2, 4.0, 3.8), SECTORS):
        window(axis, -2.6, -2.4, 3.0, 2.6)
        contours(
            axis,
            lambda x, y, sector=sector: sector_circle_distance(x, y, 0.0, 0.0, 0.0, *sector),
            [-0.75, -0.5, -0.25, 0.25, 0.5, 1.0, 1.5],
            CIRCLES,
        )
        outline(axis, *sector, fill=True)
        for x, y, radius in CIRCLES:
            circle(axis, x, y, radius, answer(sector_circle_overlap(x, y, radius, 0.0, 0.0, *sector)))
    store("sector_distance")


if __name__ == "__main__":
    draw_sector_regions()
    draw_sector_distance()
