"""Overlap of convex shapes in plain numpy, without code of any engine.

Every shape is a convex core (1 to 8 points) with a radius around it. The separation of two cores is

- the smallest distance of a vertex of one to an edge of the other, if an edge normal of either separates them;
- otherwise the largest of the separations along all edge normals (separating axis theorem), which is negative.

The separation of the shapes is that of the cores less both radii.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchmarks.scene import (
    Box,
    Capsule,
    Circle,
    Compound,
    Convex,
    FloatArray,
    Group,
    IndexArray,
    Scene,
    Segment,
    Shape,
)

CORE_POINTS = 8


class Cores(NamedTuple):
    """Convex shapes in world coordinates; shorter cores repeat their last point."""

    points: FloatArray  # (n, 8, 2)
    radius: FloatArray  # (n,)
    body: IndexArray  # number of the body, in the order of the groups (n,)

    def take(self, rows: IndexArray) -> Cores:
        """Return the cores of these rows."""
        return Cores(self.points[rows], self.radius[rows], self.body[rows])


def convex_parts(shape: Shape) -> tuple[Convex, ...]:
    """Return the convex shapes of which a shape consists."""
    return shape.polygons if isinstance(shape, Compound) else (shape,)


def local_core(shape: Convex) -> tuple[FloatArray, float]:
    """Return the core's points (8, 2) in body coordinates, and the radius [m]."""
    radius = 0.0
    match shape:
        case Circle():
            points, radius = [(0.0, 0.0)], shape.radius
        case Box():
            x, y = shape.width / 2, shape.height / 2
            points = [(-x, -y), (x, -y), (x, y), (-x, y)]
        case Segment():
            points = [shape.a, shape.b]
        case Capsule():
            points, radius = [shape.a, shape.b], shape.radius
        case _:
            points = list(shape.vertices)
    points += [points[-1]] * (CORE_POINTS - len(points))
    return np.array(points, dtype=np.float64), radius


def world_cores(groups: list[Group], poses: FloatArray) -> Cores:
    """Return the cores of the bodies of ``groups`` at ``poses`` (n, 3)."""
    if not groups:
        return Cores(np.empty((0, CORE_POINTS, 2)), np.empty(0), np.empty(0, np.intp))
    cores, counts = [], []
    for group in groups:
        palette = [[local_core(part) for part in convex_parts(shape)] for shape in group.shapes]
        for index in group.shape_index:
            cores += palette[index]
            counts.append(len(palette[index]))
    local, radius = np.stack([points for points, _ in cores]), np.array([r for _, r in cores])
    body = np.repeat(np.arange(len(poses)), counts)
    cos, sin = np.cos(poses[body, 2])[:, None], np.sin(poses[body, 2])[:, None]
    x = poses[body, 0, None] + cos * local[:, :, 0] - sin * local[:, :, 1]
    y = poses[body, 1, None] + sin * local[:, :, 0] + cos * local[:, :, 1]
    return Cores(np.stack((x, y), axis=-1), radius, body)


def separations(a: Cores, b: Cores) -> FloatArray:
    """Return the signed distance of each pair (n,); negative values are depths of overlap [m]."""
    along_normals = np.maximum(_face_separation(a.points, b.points), _face_separation(b.points, a.points))
    apart = np.minimum(_vertex_edge_distance(a.points, b.points), _vertex_edge_distance(b.points, a.points))
    # Two points have no edges, so no axis was tried: their distance is right.
    overlapping = (along_normals < 0.0) & np.isfinite(along_normals)
    return np.where(overlapping, along_normals, apart) - a.radius - b.radius


def _face_separation(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the largest separation along the outward edge normals of ``a``, -inf if it has no edges."""
    edges = np.roll(a, -1, axis=1) - a
    length = np.hypot(edges[..., 0], edges[..., 1])
    normals = np.stack((edges[..., 1], -edges[..., 0]), axis=-1) / np.where(length > 0.0, length, 1.0)[..., None]
    depth = np.einsum("nek,nvk->nev", normals, b) - np.einsum("nek,nek->ne", normals, a)[..., None]
    best: FloatArray = np.where(length > 0.0, depth.min(axis=2), -np.inf).max(axis=1)
    return best


def _vertex_edge_distance(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the smallest distance of a vertex of ``a`` to an edge of ``b``."""
    edges = np.roll(b, -1, axis=1) - b
    length_squared = np.einsum("nek,nek->ne", edges, edges)
    to_vertex = a[:, :, None, :] - b[:, None, :, :]
    along = np.einsum("nvek,nek->nve", to_vertex, edges) / np.where(length_squared > 0.0, length_squared, 1.0)[:, None]
    offset = to_vertex - np.clip(along, 0.0, 1.0)[..., None] * edges[:, None]
    nearest: FloatArray = np.sqrt(np.einsum("nvek,nvek->nve", offset, offset).min(axis=(1, 2)))
    return nearest


def _boxes(cores: Cores) -> tuple[FloatArray, FloatArray]:
    """Return the lower and upper corners of bounding boxes (n, 2)."""
    reach = cores.radius[:, None]
    return cores.points.min(axis=1) - reach, cores.points.max(axis=1) + reach


def _near_pairs(cores: Cores) -> tuple[IndexArray, IndexArray]:
    """Return the pairs of cores of different bodies whose bounding boxes overlap.

    This is a sweep along x over strips as high as the highest core.
    """
    low, high = _boxes(cores)
    height = float((high - low)[:, 1].max())
    first = np.floor(low[:, 1] / height).astype(np.int64)
    # A body spans at most two strips. All strips follow each other on one long axis.
    rows = np.tile(np.arange(len(low)), 2)
    strip = np.concatenate((first, first + 1))
    keep = strip * height <= high[rows, 1]
    rows, strip = rows[keep], strip[keep]
    span = float(high[:, 0].max() - low[:, 0].min()) + 1.0
    start = low[rows, 0] - low[:, 0].min() + (strip - strip.min()) * (2.0 * span)
    order = np.argsort(start, kind="stable")
    rows, start = rows[order], start[order]
    stop = np.searchsorted(start, start + (high - low)[rows, 0], side="right")
    counts = stop - np.arange(len(rows)) - 1
    left = np.repeat(np.arange(len(rows)), counts)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(counts) - counts, counts)
    a, b = rows[left], rows[right]
    meet = np.all((low[a] <= high[b]) & (low[b] <= high[a]), axis=1)
    meet &= cores.body[a] != cores.body[b]
    pairs = np.unique(np.sort(np.column_stack((a, b))[meet], axis=1), axis=0)
    return pairs[:, 0], pairs[:, 1]


def overlaps(scene: Scene, poses: FloatArray) -> FloatArray:
    """Return the depths [m] of all overlaps among dynamic bodies and between these and static ones."""
    moving = world_cores(list(scene.moving_groups), poses)
    static_groups = list(scene.static_groups)
    found = []
    a, b = _near_pairs(moving)
    found.append(separations(moving.take(a), moving.take(b)))
    if static_groups:
        static = world_cores(static_groups, np.concatenate([group.poses for group in static_groups]))
        low, high = _boxes(moving)
        static_low, static_high = _boxes(static)
        meet = np.all((low[:, None] <= static_high) & (static_low <= high[:, None]), axis=2)
        a, b = np.nonzero(meet)
        found.append(separations(moving.take(a), static.take(b)))
    depth = -np.concatenate(found)
    return depth[depth > 0.0]
