"""Draw the figures of sweeps.md from the functions themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from draw_style import ACCENT, INK, NO, YES, arrow, circle, dot, line, panels, polygon, store, text, window
from matplotlib.axes import Axes

from ecs_collide.algorithms import (
    bounce_off_static,
    moving_circle_inside_moving_circle,
    moving_circle_moving_circle,
    moving_circle_moving_circle_by_closest_point,
    moving_circle_moving_edge,
    moving_circle_moving_end_points,
    moving_circle_moving_polygon,
    moving_circle_moving_segment,
    moving_polygon_moving_polygon,
    moving_vertex_moving_edge,
)

PALE = "#b8c4d0"


def swept_circle(axis: Axes, x: float, y: float, radius: float, motion_x: float, motion_y: float) -> None:
    """Draw the area that a moving circle covers: a pale capsule with both end positions."""
    length = math.hypot(motion_x, motion_y)
    if length > 0.0:
        nx, ny = -motion_y / length * radius, motion_x / length * radius
        for side in (-1.0, 1.0):
            start = x + side * nx, y + side * ny
            line(axis, start, (start[0] + motion_x, start[1] + motion_y), PALE, lw=1.0, ls="--")
        arrow(axis, (x, y), (x + motion_x, y + motion_y), PALE)
    for part in (0.0, 1.0):
        circle(axis, x + part * motion_x, y + part * motion_y, radius, PALE, fill=part == 0.0)


def draw_circle_circle() -> None:
    """Draw two moving circles: in the world on the left, in B's frame with CC's construction on the right."""
    a = (0.0, 0.0, 0.7, 5.2, 1.6)
    b = (3.9, 3.4, 1.0, -0.4, -1.6)
    t, _ = moving_circle_moving_circle(*a, *b)
    assert t is not None
    world, frame = panels(2, 4.2, 3.5)
    window(world, -1.0, -1.2, 6.4, 5.2)
    for (x, y, radius, motion_x, motion_y), name in ((a, "A"), (b, "B")):
        swept_circle(world, x, y, radius, motion_x, motion_y)
        at_x, at_y = x + t * motion_x, y + t * motion_y
        circle(world, at_x, at_y, radius, ACCENT)
        text(world, at_x, at_y, name, ACCENT)
    ax, ay, bx, by = a[0] + t * a[3], a[1] + t * a[4], b[0] + t * b[3], b[1] + t * b[4]
    part = a[2] / (a[2] + b[2])
    dot(world, ax + part * (bx - ax), ay + part * (by - ay), NO)
    world.set_title(f"first touch at t = {t:.3f}")

    window(frame, -1.0, -1.2, 6.4, 5.2)
    vx, vy = a[3] - b[3], a[4] - b[4]
    reach = a[2] + b[2]
    again, _ = moving_circle_moving_circle_by_closest_point(*a, *b)
    assert again is not None
    along = ((b[0] - a[0]) * vx + (b[1] - a[1]) * vy) / (vx * vx + vy * vy)
    d = a[0] + along * vx, a[1] + along * vy
    c = a[0] + again * vx, a[1] + again * vy
    circle(frame, b[0], b[1], reach, PALE)
    arrow(frame, (a[0], a[1]), (a[0] + vx, a[1] + vy), INK)
    line(frame, (b[0], b[1]), d, ACCENT, ls=":")
    line(frame, (b[0], b[1]), c, ACCENT, ls=":")
    text(frame, 0.5 * (b[0] + c[0]) - 0.25, 0.5 * (b[1] + c[1]) + 0.15, "r", ACCENT)
    for (x, y), name, off in ((a[:2], "A", -0.3), (b[:2], "b", 0.28), (d, "d", -0.32), (c, "c", -0.32)):
        dot(frame, x, y, NO if name == "c" else INK)
        text(frame, x + 0.08, y + off, name)
    text(frame, a[0] + 0.3 * vx, a[1] + 0.3 * vy + 0.3, "V", INK)
    frame.set_title(f"CC: c = d - back, t = {again:.3f}")
    store("sweep_circle_circle")


def draw_circle_inside() -> None:
    """Draw a ball in a round arena. Every bounce is the larger root of the remaining motion."""
    (axis,) = panels(1, 3.6, 3.4)
    window(axis, -3.2, -3.2, 3.2, 3.2)
    circle(axis, 0.0, 0.0, 3.0, INK, fill=False)
    x, y, motion_x, motion_y = -1.4, -1.7, 12.0, 3.5
    circle(axis, x, y, 0.5, PALE)
    for _ in range(3):
        t, _ = moving_circle_inside_moving_circle(x, y, 0.5, motion_x, motion_y, 0.0, 0.0, 3.0, 0.0, 0.0)
        assert t is not None
        end = x + t * motion_x, y + t * motion_y
        arrow(axis, (x, y), end, ACCENT)
        circle(axis, *end, 0.5, ACCENT)
        dot(axis, end[0] * 1.2, end[1] * 1.2, NO)
        # The wall is like a circle outside, right behind the point of contact.
        motion_x, motion_y = bounce_off_static(*end, motion_x, motion_y, 2.0 * end[0], 2.0 * end[1], 1.0)
        x, y = end[0] * (1.0 - 1e-12), end[1] * (1.0 - 1e-12)
    store("sweep_circle_inside")


def at(x: float, y: float, motion_x: float, motion_y: float, t: float) -> tuple[float, float]:
    """Return the place of a moving point at a time."""
    return x + t * motion_x, y + t * motion_y


def moving_edge(axis: Axes, a: Sequence[float], b: Sequence[float], t: float | None) -> None:
    """Draw an edge at some times, bold at t, with the straight paths of its ends."""
    for part in np.linspace(0.0, 1.0, 6):
        line(axis, at(*a, part), at(*b, part), PALE, lw=1.0)
    for end, name in ((a, "A"), (b, "B")):
        arrow(axis, at(*end, 0.0), at(*end, 1.0), PALE)
        x, y = at(*end, 0.0)
        text(axis, x, y - 0.22, name)
    line(axis, at(*a, 0.0), at(*b, 0.0), INK, lw=1.6)
    if t is not None:
        line(axis, at(*a, t), at(*b, t), ACCENT, lw=2.2)


def draw_vertex_edge() -> None:
    """Draw a vertex against an edge that turns, one that stretches, and one that it misses."""
    cases = (
        ("turning edge", (1.0, 2.2, -0.4, -1.8), (-1.6, 0.0, 0.2, 0.9), (1.6, 0.2, -0.5, 1.5)),
        ("stretching edge", (1.5, 2.0, 0.4, -2.2), (-1.6, 0.0, 0.3, 0.2), (0.9, 0.0, 1.5, 0.6)),
        ("past the end", (2.1, 2.0, 0.2, -2.2), (-1.6, 0.0, 0.2, 0.5), (1.6, 0.0, -0.6, 0.5)),
    )
    for axis, (title, p, a, b) in zip(panels(3, 2.7, 2.4), cases):
        window(axis, -2.1, -0.6, 2.7, 2.5)
        found = moving_vertex_moving_edge(*p, *a, *b)
        moving_edge(axis, a, b, None if found is None else found.time)
        arrow(axis, at(*p, 0.0), at(*p, 1.0), INK)
        text(axis, p[0] + 0.22, p[1] + 0.05, "P")
        if found is None:
            axis.set_title(f"{title}: none", fontsize=8)
            continue
        dot(axis, *at(*p, found.time), NO)
        axis.set_title(f"{title}: t = {found.time:.2f}, α = {found.alpha:.2f}", fontsize=8)
    store("sweep_vertex_edge")


def draw_circle_segment() -> None:
    """Draw row 23, which hits an end point, and row 24, which hits the inside of a turning edge."""
    radius = 0.5
    cases = (
        ("row 24, edge", (0.3, 2.4, 0.2, -1.9), (-1.6, 0.0, 0.2, 0.5), (1.6, 0.1, -0.2, 0.8)),
        ("row 23, end point", (1.9, 2.4, 0.0, -2.4), (-1.6, 0.0, 0.2, 0.2), (1.6, 0.1, -0.1, 0.5)),
    )
    for axis, (title, p, a, b) in zip(panels(2, 3.8, 3.2), cases):
        window(axis, -2.3, -0.7, 2.9, 3.1)
        arguments = (p[0], p[1], radius, p[2], p[3], *a, *b)
        edge, ends = moving_circle_moving_edge(*arguments).time, moving_circle_moving_end_points(*arguments).time
        t = moving_circle_moving_segment(*arguments).time
        assert t is not None
        swept_circle(axis, p[0], p[1], radius, p[2], p[3])
        moving_edge(axis, a, b, t)
        (x, y), (ax, ay), (bx, by) = at(*p, t), at(*a, t), at(*b, t)
        circle(axis, x, y, radius, ACCENT)
        square = (bx - ax) ** 2 + (by - ay) ** 2
        alpha = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square))
        dot(axis, ax + alpha * (bx - ax), ay + alpha * (by - ay), NO)
        shown = ["none" if time is None else f"{time:.3f}" for time in (edge, ends)]
        axis.set_title(f"{title}: edge {shown[0]}, ends {shown[1]}")
    store("sweep_circle_segment")


def draw_polygon_polygon() -> None:
    """Draw two polygons. The spike's tip meets a side, which only the second direction of the test finds."""
    a = np.array([(-2.2, -0.5), (-0.9, 0.1), (-2.2, 0.7)])
    b = np.array([(1.2, -1.0), (2.2, -1.2), (2.4, 0.9), (1.4, 1.2)])
    angle = 0.5
    middle = b.mean(axis=0)
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    motion_a, motion_b = np.tile((3.2, 0.3), (3, 1)), (b - middle) @ turn + middle + (-0.5, 0.0) - b
    t, _ = moving_polygon_moving_polygon(a, motion_a, b, motion_b)
    assert t is not None
    (axis,) = panels(1, 4.6, 2.6)
    window(axis, -2.5, -1.6, 2.8, 1.5)
    for start, motion in ((a, motion_a), (b, motion_b)):
        polygon(axis, start, INK)
        polygon(axis, start + motion, PALE, fill=False, style="--")
        for vertex, way in zip(start, motion):
            arrow(axis, vertex, vertex + way, PALE)
        polygon(axis, start + t * motion, ACCENT)
    tip = a[1] + t * motion_a[1]
    dot(axis, *tip, NO)
    axis.set_title(f"first touch at t = {t:.3f}")
    store("sweep_polygon_polygon")


def draw_circle_polygon() -> None:
    """Draw two circles that meet a corner and a side of a polygon that moves and turns."""
    corners = np.array([(-0.9, -0.7), (0.9, -0.9), (1.1, 0.6), (-0.2, 1.0)])
    angle = 0.35
    turn = np.array([(math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))])
    motion = corners @ turn + (0.5, 0.3) - corners
    cases = (("a corner", (-3.0, 1.4, 0.4, 4.0, 0.1)), ("a side", (-3.0, 0.2, 0.4, 4.0, 0.2)))
    for axis, (title, c) in zip(panels(2, 3.8, 2.9), cases):
        window(axis, -3.6, -1.6, 2.4, 2.5)
        t = moving_circle_moving_polygon(*c, corners, motion).time
        assert t is not None
        swept_circle(axis, *c)
        polygon(axis, corners, PALE, fill=False)
        polygon(axis, corners + motion, PALE, fill=False, style="--")
        polygon(axis, corners + t * motion, INK)
        circle(axis, c[0] + t * c[3], c[1] + t * c[4], c[2], ACCENT)
        axis.set_title(f"{title}: t = {t:.3f}")
    store("sweep_circle_polygon")


def draw_turning_error() -> None:
    """Draw the error of the place at which a circle of radius 0.3 stops at a side of a turning square."""
    rng = np.random.default_rng(7)
    count, radius, arm = 4000, 0.3, math.sqrt(2.0)
    start, side = rng.uniform(0.0, 2.0 * math.pi, (2, count))
    speed, aside = rng.uniform(1.0, 4.0, count), rng.uniform(-0.3, 0.3, count)
    px, py = 3.0 * np.cos(side), 3.0 * np.sin(side)
    motion_x, motion_y = -speed * np.cos(side + aside), -speed * np.sin(side + aside)
    degrees = np.geomspace(0.5, 90.0, 24)
    worst = []
    for theta in np.radians(degrees):

        def corners(t: np.ndarray, theta: float = theta) -> list[np.ndarray]:
            turned = start + t * theta
            return [
                np.array((x * np.cos(turned) - np.sin(turned), x * np.sin(turned) + np.cos(turned)))
                for x in (-1.0, 1.0)
            ]

        before, after = corners(np.zeros(count)), corners(np.ones(count))
        ends = [column for k in (0, 1) for column in (*before[k], *(after[k] - before[k]))]
        t = moving_circle_moving_segment(px, py, radius, motion_x, motion_y, *ends).time
        a, b = corners(np.nan_to_num(t))
        p = np.array((px + t * motion_x, py + t * motion_y))
        alpha = np.clip(((p - a) * (b - a)).sum(axis=0) / ((b - a) ** 2).sum(axis=0), 0.0, 1.0)
        worst.append(np.nanmax(np.abs(np.hypot(*(p - a - alpha * (b - a))) - radius)))
    figure, axis = plt.subplots(figsize=(4.6, 2.9), layout="constrained")
    half = np.radians(degrees) / 2.0
    bound = arm * (1.0 - np.cos(half)) + radius * (1.0 / np.cos(half) - 1.0)
    axis.loglog(degrees, worst, "o", ms=4, color=NO, label="worst gap found")
    axis.loglog(degrees, bound, color=ACCENT, label="R(1 - cos θ/2) + r(1/cos θ/2 - 1)")
    axis.set_xlabel("turn of the edge within the step θ [degrees]")
    axis.set_ylabel("gap when stopped [m]")
    axis.set_xticks([0.5, 1, 2, 5, 10, 20, 45, 90], ["0.5", "1", "2", "5", "10", "20", "45", "90"])
    axis.minorticks_off()
    axis.grid(alpha=0.3)
    axis.legend(frameon=False, fontsize=8)
    figure.set_dpi(100)
    store("sweep_turning_error")


def draw_length_approximation() -> None:
    """Draw where row 24 stops circles half-way through a turn of 60 degrees. They touch if their centres are at r."""
    theta, radius = math.radians(60.0), 0.8
    (axis,) = panels(1, 4.6, 2.6)
    window(axis, -2.6, -1.2, 2.6, 1.9)
    ends = [(-2.0 * math.cos(theta / 2), s * 2.0 * math.sin(theta / 2)) for s in (1.0, -1.0)]
    a = (*ends[0], ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
    b = tuple(-value for value in a)
    line(axis, at(*a, 0.0), at(*b, 0.0), PALE)
    line(axis, at(*a, 1.0), at(*b, 1.0), PALE)
    line(axis, at(*a, 0.5), at(*b, 0.5), INK, lw=2.2)
    for end in (a, b):
        arrow(axis, at(*end, 0.0), at(*end, 1.0), PALE)
    start = radius / math.cos(theta / 2) + 0.5  # so that they are stopped half-way
    for x in (0.0, 1.3):
        t, _ = moving_circle_moving_edge(x, start, radius, 0.0, -1.0, *a, *b)
        assert t is not None
        circle(axis, x, start - t, radius, ACCENT)
        dot(axis, x, start - t, NO, 4.0)
    half = 2.0 * math.cos(theta / 2)
    line(axis, (-half, radius), (half, radius), YES, lw=1.2, ls="--")
    text(axis, 2.2, radius, "r", YES)
    text(axis, 0.0, -0.25, f"edge at t = {t:.2f}: cos(θ/2) of its length", INK, fontsize=8)
    store("sweep_length_approximation")


if __name__ == "__main__":
    draw_circle_circle()
    draw_circle_inside()
    draw_vertex_edge()
    draw_circle_segment()
    draw_polygon_polygon()
    draw_circle_polygon()
    draw_length_approximation()
    draw_turning_error()
