"""Draw the figures of any_two_shapes.md from the functions themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from draw_style import ACCENT, INK, NO, YES, arrow, contours, dot, line, panels, polygon, store, text, window
from matplotlib.axes import Axes

import ecs_collide as ec

Pose = tuple[float, float, float]

SECTOR = ec.Sector(1.2, 0.6, 0.5)
BOX = ec.Box(1.2, 0.7)
BOWL = ec.ArcPolygon([(-1.5, -0.7), (1.5, -0.7), (1.5, 0.7), (-1.5, 0.7)], [0.0, 0.3, -0.7, 0.0])
ROD = ec.Box(2.0, 0.12)


def rim(shape: ec.Shape, pose: Pose) -> Any:
    """Return the points where rays from outside meet a star-shaped shape, which is its outline."""
    x, y, angle = pose
    aim = np.array((x, y)) + (
        0.3 * np.array((math.cos(angle + 0.5), math.sin(angle + 0.5))) if shape == SECTOR else 0.0
    )
    points = []
    for turn in np.linspace(0.0, 2.0 * math.pi, 721):
        away = aim + 6.0 * np.array((math.cos(turn), math.sin(turn)))
        hit = ec.ray_cast(shape, pose, tuple(away), tuple(aim))
        assert hit is not None
        points.append(hit.point)
    return np.array(points)


def draw_distance() -> None:
    left, middle, right = panels(3, 3.4, 3.2)
    window(left, -2.4, -2.2, 2.8, 2.6)
    contours(left, distances(SECTOR), [-0.2, 0.25, 0.5, 1.0])
    polygon(left, rim(SECTOR, (0.0, 0.0, 0.0)))
    left.set_title("distance of a small circle from a sector", fontsize=8)

    window(middle, -2.4, -2.2, 2.8, 2.6)
    contours(middle, distances(BOWL), [-0.4, -0.2, 0.2, 0.4, 0.8])
    middle.set_title("and from a shape with arcs", fontsize=8)

    window(right, -2.4, -2.2, 2.8, 2.6)
    pose = (0.2, 0.15, 0.4)
    polygon(right, rim(BOX, (0.0, 0.0, 0.0)))
    polygon(right, rim(SECTOR, pose), ACCENT)
    depth = -ec.distance(BOX, (0.0, 0.0, 0.0), SECTOR, pose)
    turns = np.linspace(0.0, 2.0 * math.pi, 3601)
    ways = np.stack((pose[0] + depth * np.cos(turns), pose[1] + depth * np.sin(turns), np.full(3601, pose[2])), axis=1)
    best = max(ways, key=lambda way: ec.distance(BOX, (0.0, 0.0, 0.0), SECTOR, tuple(way)))
    polygon(right, rim(SECTOR, tuple(best)), YES, fill=False, style="--")
    arrow(right, pose[:2], best[:2], YES)
    text(right, 0.2, -1.2, f"depth {depth:.3f}:\nthe least translation that parts them")
    right.set_title("overlapping", fontsize=8)
    store("any_two_distance")


def distances(shape: ec.Shape) -> Any:
    spot = ec.Circle(1e-9)
    return np.vectorize(lambda x, y: ec.distance(shape, (0.0, 0.0, 0.0), spot, (x, y, 0.0)))


def draw_time_of_impact() -> None:
    for axis, spin in zip(panels(3, 3.4, 2.6), (0.0, 2.0, 9.0)):
        window(axis, -2.6, -1.6, 3.4, 2.4)
        start, end = (2.4, 1.6, 0.3), (-2.0, -0.6, 0.3 + spin)
        polygon(axis, rim(BOX, (0.0, 0.0, 0.0)))
        t = ec.time_of_impact(BOX, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), ROD, start, end)
        assert t is not None
        for moment in np.linspace(0.0, t, 6)[:-1]:
            ghost(axis, start, end, float(moment), ACCENT, 0.35)
        ghost(axis, start, end, t, NO, 1.0)
        line(axis, start[:2], end[:2], "#8899aa", lw=0.8)
        axis.set_title(f"turn of {spin:g} rad: t = {t:.4f}", fontsize=8)
    store("any_two_impact")


def ghost(axis: Axes, start: Pose, end: Pose, t: float, colour: str, alpha: float) -> None:
    x, y, angle = (a + t * (b - a) for a, b in zip(start, end, strict=True))
    corners = np.array([(-1.0, -0.06), (1.0, -0.06), (1.0, 0.06), (-1.0, 0.06)])
    cosine, sine = math.cos(angle), math.sin(angle)
    corners = corners @ np.array([(cosine, sine), (-sine, cosine)]) + (x, y)
    axis.fill(*corners.T, facecolor=colour, edgecolor=colour, alpha=alpha)


def draw_ray_cast() -> None:
    left, right = panels(2, 3.6, 2.8)
    bitmap = ec.Bitmap([[1, 1, 1, 1], [1, 0, 0, 1], [1, 0, 1, 1]], 0.6)
    for axis, origin, inside in ((left, (-1.0, 2.2), "start"), (right, (0.3, 0.3), "exit")):
        window(axis, -1.4, -0.9, 3.6, 2.7)
        for outline in bitmap.outlines():
            polygon(axis, outline)
        for turn in np.linspace(-1.5, 0.3, 13) if inside == "start" else np.linspace(0.0, 2.0 * math.pi, 17)[:-1]:
            end = (origin[0] + 4.5 * math.cos(turn), origin[1] + 4.5 * math.sin(turn))
            hit = ec.ray_cast(bitmap, (0.0, 0.0, 0.0), origin, end, inside=inside)  # type: ignore[arg-type]
            line(axis, origin, hit.point if hit else end, ACCENT if hit else "#bbbbbb", lw=0.9)
            if hit:
                dot(axis, *hit.point, NO, 3.5)
                tip = (hit.point[0] + 0.25 * hit.normal[0], hit.point[1] + 0.25 * hit.normal[1])
                line(axis, hit.point, tip, NO, lw=1.2)
        dot(axis, *origin, INK, 4.0)
        axis.set_title("first hits and normals" if inside == "start" else 'from inside, inside="exit"', fontsize=8)
    store("any_two_rays")


if __name__ == "__main__":
    draw_distance()
    draw_time_of_impact()
    draw_ray_cast()
