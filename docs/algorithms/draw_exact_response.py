"""Draw the figures of exact_response.md from runs of the exact response itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import esper
import numpy as np
from draw_style import ACCENT, INK, NO, YES, arrow, circle, line, panels, store, text, window

import ecs_collide as ec

PALE = "#b8c4d0"
RADIUS = 0.5


class Film(NamedTuple):
    """Places and velocities of the balls after each step (steps, n, 2), the first of them at the start."""

    places: np.ndarray
    velocities: np.ndarray


def film(places: Sequence[Sequence[float]], velocities: Sequence[Sequence[float]], steps: int, dt: float) -> Film:
    """Play equal elastic balls in a world of their own."""
    before = esper.current_world
    esper.switch_world("figure")
    physics = ec.install(response="exact")
    for place, velocity in zip(places, velocities):
        shape = ec.Collider(ec.Circle(RADIUS), restitution=1.0)
        esper.create_entity(ec.Transform(*place), ec.Velocity(*velocity), shape)
    esper.process(0.0)
    frames = [(physics.positions.copy(), physics.velocities.copy())]
    for _ in range(steps):
        esper.process(dt)
        frames.append((physics.positions.copy(), physics.velocities.copy()))
    esper.switch_world(before)
    esper.delete_world("figure")
    return Film(np.array([frame[0] for frame in frames]), np.array([frame[1] for frame in frames]))


def draw_cradle() -> None:
    """Draw a cradle of five touching balls with one ball that hits it, and with two."""
    for_one = film([(-2.6, 0.0), *((k * 1.0, 0.0) for k in range(4))], [(4.0, 0.0), *[(0.0, 0.0)] * 4], 60, 1.0 / 60.0)
    starts = [(-2.6, 0.0), (-1.6, 0.0), *((k * 1.0, 0.0) for k in range(3))]
    for_two = film(starts, [(4.0, 0.0)] * 2 + [(0.0, 0.0)] * 3, 60, 1.0 / 60.0)
    for axis, shown, title in zip(panels(2, 4.4, 2.3), (for_one, for_two), ("one in, one out", "two in, two out")):
        window(axis, -3.3, -3.6, 6.6, 1.0)
        for height, frame in ((0.0, 0), (-1.4, 30), (-2.8, 60)):
            for (x, y), (vx, _) in zip(shown.places[frame], shown.velocities[frame]):
                circle(axis, x, y + height, RADIUS, ACCENT if vx else PALE)
                if vx:
                    arrow(axis, (x, height), (x + 0.25 * vx, height), NO)
            text(axis, -3.1, height + 0.7, f"{frame / 60.0:.1f} s", INK, ha="left")
        axis.set_title(title)
    store("exact_cradle")


def rack(rows: int) -> list[tuple[float, float]]:
    """Return the centres of a triangle of touching balls."""
    return [(row * math.sqrt(0.75), k - row / 2.0) for row in range(rows) for k in range(row + 1)]


def draw_break() -> None:
    """Draw a break along the axis of the rack with gaps of 0 and of 1e-9. Both are symmetric, but they differ."""
    for axis, (gap, title) in zip(panels(2, 3.9, 3.6), ((0.0, "gap 0"), (1e-9, "gap 1e-9 m"))):
        starts = [(-2.5, 0.0), *((x * (1.0 + gap), y * (1.0 + gap)) for x, y in rack(4))]
        shown = film(starts, [(10.0, 0.0), *[(0.0, 0.0)] * 10], 60, 1.0 / 60.0)
        window(axis, -4.2, -6.2, 9.2, 6.2)
        line(axis, (-4.2, 0.0), (9.2, 0.0), PALE, ls=":", lw=1.0)
        for (x, y), (vx, vy), (from_x, from_y) in zip(shown.places[-1], shown.velocities[-1], shown.places[0]):
            circle(axis, from_x, from_y, RADIUS, PALE, fill=False)
            circle(axis, x, y, RADIUS, ACCENT if from_x > -1.0 else YES)
            if math.hypot(vx, vy) > 0.05:
                arrow(axis, (x, y), (x + 0.25 * vx, y + 0.25 * vy), NO)
        mirrored = shown.places[-1] * (1.0, -1.0)
        nearest = np.hypot(*(mirrored[:, None] - shown.places[-1][None]).transpose(2, 0, 1)).min(axis=1).max()
        axis.set_title(f"{title}; asymmetry after 1 s: {max(nearest, 1e-16):.0e} m")
    store("exact_break")


def draw_three() -> None:
    """Draw three balls that meet at once, and three of which one is a little late."""
    angles = np.arange(3) * 2.0 * np.pi / 3.0 + 0.5 * np.pi
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    late = directions * np.array((2.0, 2.0, 2.06))[:, None]
    for axis, starts, title in zip(
        panels(2, 3.6, 3.2), (2.0 * directions, late), ("at once", "the right one 20 ms late")
    ):
        shown = film(starts.tolist(), (-3.0 * directions).tolist(), 70, 1.0 / 60.0)
        window(axis, -3.4, -3.4, 3.4, 3.4)
        for ball in range(3):
            path = shown.places[:, ball]
            axis.plot(path[:, 0], path[:, 1], color=PALE, lw=1.2)
            (x, y), (vx, vy) = path[-1], shown.velocities[-1, ball]
            circle(axis, *path[0], RADIUS, PALE, fill=False)
            circle(axis, x, y, RADIUS, ACCENT)
            arrow(axis, (x, y), (x + 0.25 * vx, y + 0.25 * vy), NO)
        axis.set_title(title)
    store("exact_three")


if __name__ == "__main__":
    draw_cradle()
    draw_break()
    draw_three()
