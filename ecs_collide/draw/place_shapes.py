"""Shapes at their poses: many bodies of one shape are placed in one operation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ecs_collide.draw.camera import ViewBox
from ecs_collide.draw.scene_parts import Discs, Paths, Things
from ecs_collide.draw.shape_outline import FAR, arc_step, outline
from ecs_collide.shapes import Circle, Shape

NO_ROWS = np.zeros(0, np.int64)
FIRST_MOVING_LAYER = 2


class PlacedBodies(NamedTuple):
    """Bodies to draw; all arrays have one row for each."""

    pose: np.ndarray
    """Origin and angle [m, m, rad] (n, 3)."""
    of: Things


class Outlines(NamedTuple):
    """PlacedBodies outlines, and the boxes around them."""

    solids: Paths
    areas: Paths
    edges: Paths
    lines: Paths
    discs: Discs
    moving_box: ViewBox | None
    still_box: ViewBox | None


def place_shapes(groups: Iterable[tuple[Shape, np.ndarray]], placed: PlacedBodies, scale: float | None) -> Outlines:
    """Return the outlines of bodies.

    Args:
        groups: each shape with the rows of the bodies that have it (k,).
        placed: the poses and owners of all bodies.
        scale: pixels to a length unit of the picture, which decides how fine arcs are; None for the finest.
    """
    kinds: tuple[list[_Part], ...] = ([], [], [], [])
    discs: list[Discs] = []
    boxes: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    for shape, rows in groups:
        if not len(rows):
            continue
        pose, of = placed.pose[rows], Things(*(column[rows] for column in placed.of))
        c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
        axes = np.stack((c, s, -s, c), axis=-1).reshape(-1, 2, 2)
        is_moving = of.layer >= FIRST_MOVING_LAYER
        if type(shape) is Circle:
            center = pose[:, :2] + np.array(shape.center) @ axes
            discs.append(Discs(center=center, radius=np.full(len(rows), shape.radius), angle=pose[:, 2], of=of))
            _measure(center - shape.radius, is_moving, boxes)
            _measure(center + shape.radius, is_moving, boxes)
            continue
        drawn = outline(shape, arc_step(shape, scale))
        whole = (drawn.areas, (), ()) if drawn.is_plain else ((), drawn.areas, drawn.edges)
        for parts, polylines in zip(kinds, (*whole, drawn.lines), strict=True):
            for points in polylines:
                corners = points @ axes + pose[:, None, :2]
                parts.append(_Part(corners.reshape(-1, 2), points.shape[0], of))
                if shape.is_bounded:
                    _measure(corners, is_moving, boxes)
    solids, areas, edges, lines = map(_joined, kinds)
    return Outlines(
        solids=solids,
        areas=areas,
        edges=edges,
        lines=lines,
        discs=_joined_discs(discs),
        moving_box=_box_of(boxes[1]),
        still_box=_box_of(boxes[0]),
    )


class _Part(NamedTuple):
    """One polygon or polyline of a shape for each body that has it."""

    points: np.ndarray
    length: int
    of: Things


def _joined(parts: list[_Part]) -> Paths:
    """Return the polylines of all parts, one after another."""
    if not parts:
        return Paths(np.zeros((0, 2)), np.zeros(1, np.intp), _no_things())
    lengths = np.repeat([part.length for part in parts], [len(part.of.tone) for part in parts])
    starts = np.zeros(len(lengths) + 1, np.intp)
    np.cumsum(lengths, out=starts[1:])
    of = Things(*(np.concatenate(columns) for columns in zip(*(part.of for part in parts), strict=True)))
    return Paths(np.concatenate([part.points for part in parts]), starts, of)


def _joined_discs(parts: list[Discs]) -> Discs:
    """Return the discs of all parts."""
    if not parts:
        return Discs(center=np.zeros((0, 2)), radius=np.zeros(0), angle=np.zeros(0), of=_no_things())
    of = Things(*(np.concatenate(columns) for columns in zip(*(part.of for part in parts), strict=True)))
    center, radius, angle = (np.concatenate([part[k] for part in parts]) for k in range(3))
    return Discs(center=center, radius=radius, angle=angle, of=of)


def _no_things() -> Things:
    return Things(NO_ROWS, NO_ROWS, NO_ROWS)


def _measure(points: np.ndarray, is_moving: np.ndarray, boxes: tuple[list[np.ndarray], list[np.ndarray]]) -> None:
    """Append the least and the largest coordinates of still and of moving bodies' points (n, ..., 2)."""
    for found, chosen in zip(boxes, (points[~is_moving], points[is_moving]), strict=True):
        corners = chosen.reshape(-1, 2)
        if len(corners):
            found += [corners.min(axis=0), corners.max(axis=0)]


def _box_of(corners: list[np.ndarray]) -> ViewBox | None:
    """Return the box around points [m], None without any; those that are farther away than `FAR` do not count."""
    points = np.array([corner for corner in corners if np.abs(corner).max() < FAR])
    return ViewBox(*points.min(axis=0).tolist(), *points.max(axis=0).tolist()) if len(points) else None
