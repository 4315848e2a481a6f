"""The documented formulas in plain numpy, without checks and degenerate cases, as peers of the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.pairs import Array


def plain_circles(ax: Array, ay: Array, ra: Array, bx: Array, by: Array, rb: Array) -> Any:
    """Return the mask of circle pairs that overlap."""
    return (bx - ax) ** 2 + (by - ay) ** 2 <= (ra + rb) ** 2


def plain_boxes(*edges: Array) -> Any:
    """Return the mask of upright box pairs that overlap."""
    ax, ay, ax2, ay2, bx, by, bx2, by2 = edges
    return (ax <= bx2) & (bx <= ax2) & (ay <= by2) & (by <= ay2)


def plain_circle_box(x: Array, y: Array, r: Array, x0: Array, y0: Array, x1: Array, y1: Array) -> Any:
    """Return the mask of circles that overlap a box."""
    sx, sy = np.maximum(np.maximum(x0 - x, x - x1), 0.0), np.maximum(np.maximum(y0 - y, y - y1), 0.0)
    return sx * sx + sy * sy <= r * r


def plain_circle_segment(x: Array, y: Array, r: Array, ax: Array, ay: Array, bx: Array, by: Array) -> Any:
    """Return the mask of circles that overlap a segment."""
    dx, dy = bx - ax, by - ay
    u = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
    return (ax + u * dx - x) ** 2 + (ay + u * dy - y) ** 2 <= r * r


def plain_segments(*ends: Array) -> Any:
    """Return the fraction at which each first segment crosses the second; NaN if it does not."""
    px, py, qx, qy, rx, ry, sx, sy = ends
    ax, ay, bx, by, wx, wy = qx - px, qy - py, sx - rx, sy - ry, rx - px, ry - py
    cross = ax * by - ay * bx
    u, v = (wx * by - wy * bx) / cross, (wx * ay - wy * ax) / cross
    return np.where((u >= 0.0) & (u <= 1.0) & (v >= 0.0) & (v <= 1.0), u, np.nan)


def first_root(ux: Array, uy: Array, vx: Array, vy: Array, r: Array) -> Any:
    """Return the first time at which a moving point meets a disk, NaN if it does not."""
    with np.errstate(invalid="ignore"):
        square, half, constant = vx * vx + vy * vy, ux * vx + uy * vy, ux * ux + uy * uy - r * r
        t = (-half - np.sqrt(half * half - square * constant)) / square
        return np.where(constant < 0.0, 0.0, np.where((t >= 0.0) & (t <= 1.0), t, np.nan))


def plain_moving_circles(*c: Array) -> Any:
    """Return the first time at which two moving circles touch; NaN if they do not."""
    return first_root(c[0] - c[5], c[1] - c[6], c[3] - c[8], c[4] - c[9], c[2] + c[7])


def plain_end_points(*c: Array) -> Any:
    """Return the first time at which a moving circle touches an end of a segment; NaN if it does not."""
    ends = [first_root(c[i] - c[0], c[i + 1] - c[1], c[i + 2] - c[3], c[i + 3] - c[4], c[2]) for i in (5, 9)]
    return np.fmin(*ends)


def plain_polygons(a: Array, b: Array) -> Any:
    """Return the greatest separation of counter-clockwise polygons [m]."""
    greatest = []
    for own, other in ((a, b), (b, a)):
        edge = np.roll(own, -1, axis=1) - own
        normal = np.stack((edge[..., 1], -edge[..., 0]), -1) / np.hypot(edge[..., 0], edge[..., 1])[..., None]
        heights = np.einsum("pnd,pvd->pnv", normal, other)
        greatest.append((heights.min(-1) - np.einsum("pnd,pnd->pn", normal, own)).max(-1))
    return np.maximum(*greatest)


def plain_bounce(*c: Array) -> Any:
    """Return the velocities of two circles after they bounce off each other."""
    ax, ay, vx, vy, wa, bx, by, ux, uy, wb, e = c
    nx, ny = bx - ax, by - ay
    length = np.sqrt(nx * nx + ny * ny)
    nx, ny = nx / length, ny / length
    change = (1.0 + e) * np.maximum((vx - ux) * nx + (vy - uy) * ny, 0.0) / (wa + wb)
    return vx - change * wa * nx, vy - change * wa * ny, ux + change * wb * nx, uy + change * wb * ny
