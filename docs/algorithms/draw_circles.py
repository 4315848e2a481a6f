"""Draw the figures of circles.md from the functions themselves."""

from __future__ import annotations

import math

import numpy as np
from draw_style import (
    ACCENT,
    INK,
    answer,
    arrow,
    circle,
    colour_regions,
    contours,
    dot,
    grid,
    line,
    panels,
    polygon,
    store,
    text,
    window,
)

from ecs_collide.algorithms import (
    BoxRegion,
    box_region,
    circle_box_overlap,
    circle_ground_overlap,
    circle_half_plane_overlap,
    circle_oriented_box_overlap,
    circles_overlap,
    half_plane_distance,
    oriented_box_region,
    point_in_circle,
)


def draw_point_in_circle() -> None:
    for axis, touching in zip(panels(2), (True, False)):
        window(axis, -2.0, -1.9, 2.0, 1.7)
        circle(axis, 0.0, 0.0, 1.0)
        spots = np.random.default_rng(3).uniform(-1.6, 1.6, (60, 2)).tolist()
        spots += [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
        for x, y in spots:
            dot(axis, x, y, answer(point_in_circle(x, y, 0.0, 0.0, 1.0, touching)), 4.0)
        text(axis, 0.0, -1.8, f"touching={touching}")
    store("point_in_circle")


def draw_circles_overlap() -> None:
    (axis,) = panels(1, 7.0, 2.4)
    window(axis, -1.6, -1.9, 13.1, 1.3)
    for start, gap, words in ((0.0, 0.5, "apart"), (4.75, 0.0, "touching"), (9.5, -0.5, "overlapping")):
        other = start + 1.75 + gap
        both = [circles_overlap(start, 0.0, 1.0, other, 0.0, 0.75, touching) for touching in (True, False)]
        circle(axis, start, 0.0, 1.0, answer(both[0]))
        circle(axis, other, 0.0, 0.75, answer(both[1]))
        line(axis, (start, 0.0), (other, 0.0), ls=":")
        text(axis, start + 0.9, -1.5, f"{words}\ntouching=True: {both[0]}, False: {both[1]}", fontsize=7.5)
    store("circles_overlap")


def draw_circle_ground() -> None:
    (axis,) = panels(1, 5.0, 3.0)
    window(axis, -4.6, -2.6, 4.6, 2.4)
    axis.fill([-3.0, 3.0, 3.0, -3.0], [-2.6, -2.6, 0.0, 0.0], color="#b08968", alpha=0.25, lw=0)
    line(axis, (-3.0, 0.0), (3.0, 0.0), "#b08968")
    for x in (-3.0, 3.0):
        line(axis, (x, 0.0), (x, -2.6), "#b08968", ls=":")
    for x, y in ((-1.8, 1.4), (0.0, 0.6), (1.8, 0.2), (0.4, -1.7), (3.35, 0.1), (-3.9, -1.2)):
        circle(axis, x, y, 0.6, answer(circle_ground_overlap(x, y, 0.6, 0.0, -3.0, 3.0)))
        dot(axis, x, y, size=2.5)
    text(axis, -2.2, -2.4, "ground_x_min", fontsize=7)
    text(axis, 2.2, -2.4, "ground_x_max", fontsize=7)
    store("circle_ground")


def draw_circle_half_plane() -> None:
    (axis,) = panels(1, 4.6, 3.3)
    window(axis, -4.0, -2.6, 4.0, 3.0)
    ground, direction = (-0.5, -0.6), (2.0, 0.8)
    circles = [(-2.6, 1.0, 0.55), (1.7, 1.2, 0.55), (2.7, 0.9, 0.55), (0.6, -1.6, 0.55)]
    contours(axis, lambda x, y: half_plane_distance(x, y, *ground, *direction), [-2.0, -1.0, 1.0, 2.0, 3.0], circles)
    x, y = grid(axis)
    inside = half_plane_distance(x, y, *ground, *direction) < 0.0
    axis.contourf(x, y, inside, [0.5, 1.5], colors=["#b08968"], alpha=0.25)
    length = math.hypot(*direction)
    arrow(axis, ground, (ground[0] + direction[0], ground[1] + direction[1]))
    arrow(axis, ground, (ground[0] - direction[1] / length, ground[1] + direction[0] / length), ACCENT)
    text(axis, ground[0] - 0.75, ground[1] + 0.95, "n", ACCENT)
    text(axis, 1.75, -0.1, "v")
    text(axis, ground[0] + 0.1, ground[1] - 0.35, "g")
    for place in circles:
        circle(axis, *place, answer(circle_half_plane_overlap(*place, *ground, *direction)))
    store("circle_half_plane")


def draw_box_regions() -> None:
    (axis,) = panels(1, 4.6, 3.6)
    window(axis, -3.2, -2.4, 3.2, 2.6)
    box = (-1.4, -0.8, 1.4, 1.0)
    x, y = grid(axis)
    colour_regions(axis, box_region(x, y, *box))
    polygon(axis, [box[:2], (box[2], box[1]), box[2:], (box[0], box[3])], fill=False)
    for column, x_0 in enumerate((-2.3, 0.0, 2.3)):
        for row, y_0 in enumerate((-2.22, -0.55, 2.35)):
            region = box_region(x_0, y_0, *box)
            assert region == 3 * row + column
            text(axis, x_0, y_0, f"{region.value} {region.name}", fontsize=7)
    for x_0, y_0, radius in (
        (2.0, 0.45, 0.75),
        (-2.1, 1.5, 0.65),
        (-0.3, 0.3, 0.4),
        (1.8, -1.35, 0.7),
        (-0.6, -1.5, 0.5),
    ):
        circle(axis, x_0, y_0, radius, answer(circle_box_overlap(x_0, y_0, radius, *box)))
        dot(axis, x_0, y_0, size=2.5)
    store("box_regions")


def draw_oriented_box() -> None:
    (axis,) = panels(1, 4.6, 3.6)
    window(axis, -3.2, -2.5, 3.2, 2.5)
    box = (0.0, 0.0, 3.0, 1.6, 0.5)
    x, y = grid(axis)
    colour_regions(axis, oriented_box_region(x, y, *box))
    cosine, sine = math.cos(0.5), math.sin(0.5)
    corners = [
        (cosine * a - sine * b, sine * a + cosine * b) for a, b in ((-1.5, -0.8), (1.5, -0.8), (1.5, 0.8), (-1.5, 0.8))
    ]
    polygon(axis, corners, fill=False)
    arrow(axis, (0.0, 0.0), (cosine, sine), INK)
    arrow(axis, (0.0, 0.0), (-sine, cosine), INK)
    text(axis, 1.15 * cosine, 1.15 * sine, "x'")
    text(axis, -1.2 * sine, 1.2 * cosine, "y'")
    right = oriented_box_region(2.6 * cosine, 2.6 * sine, *box)
    assert right is BoxRegion.RIGHT
    text(axis, 2.6 * cosine, 2.6 * sine, f"{right.value} {right.name}", fontsize=7)
    for x_0, y_0, radius in ((2.3, -0.4, 0.8), (-1.6, 1.3, 0.8), (-2.0, -1.5, 0.5), (0.6, -0.9, 0.6)):
        circle(axis, x_0, y_0, radius, answer(circle_oriented_box_overlap(x_0, y_0, radius, *box)))
        dot(axis, x_0, y_0, size=2.5)
    store("oriented_box")


if __name__ == "__main__":
    draw_point_in_circle()
    draw_circles_overlap()
    draw_circle_ground()
    draw_circle_half_plane()
    draw_box_regions()
    draw_oriented_box()
