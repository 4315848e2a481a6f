"""Polygons, polylines and discs as triangles, in the order in which they were added, for graphics cards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ecs_collide.draw.shape_outline import ACCURACY
from ecs_collide.draw.style import Colour
from ecs_collide.shapes.ear_clipping import cut_ears
from ecs_collide.shapes.simple import signed_area

LEAST_CORNERS = 8
"""Least number of corners of a disc."""


class Triangles:
    """A list of triangles with colours."""

    def __init__(self) -> None:
        """Make an empty list."""
        self._polygons: list[Sequence[Sequence[float]]] = []
        self._polygon_colours: list[Colour] = []
        self._polygon_order: list[int] = []
        self._lines: list[Sequence[Sequence[float]]] = []
        self._line_colours: list[Colour] = []
        self._line_order: list[int] = []
        self._widths: list[float] = []
        self._count = 0

    def add_polygon(self, corners: Sequence[Sequence[float]], colour: Colour) -> None:
        """Append a simple polygon with at least three corners, in any direction."""
        self._polygons.append(corners)
        self._polygon_colours.append(colour)
        self._polygon_order.append(self._count)
        self._count += 1

    def add_polyline(self, points: Sequence[Sequence[float]], colour: Colour, width: float) -> None:
        """Append lines from point to point of a width."""
        self._lines.append(points)
        self._line_colours.append(colour)
        self._widths.append(width)
        self._line_order.append(self._count)
        self._count += 1

    def add_disc(self, center: Sequence[float], radius: float, colour: Colour) -> None:
        """Append a circle, as a polygon that looks round."""
        step = 2.0 * math.acos(max(1.0 - ACCURACY / max(radius, ACCURACY), 0.0))
        angles = np.linspace(0.0, 2.0 * np.pi, max(LEAST_CORNERS, math.ceil(2.0 * np.pi / step)), endpoint=False)
        corners = np.array(center) + radius * np.stack((np.cos(angles), np.sin(angles)), axis=1)
        self.add_polygon(corners.tolist(), colour)

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the corners of all triangles (3 t, 2) and their colours with alpha (3 t, 4) uint8."""
        corners, owner = self._filled()
        quads, line = self._stroked()
        order = np.concatenate(
            (
                np.repeat(np.array(self._polygon_order, np.int64)[owner], 3),
                np.repeat(np.array(self._line_order, np.int64)[line], 3),
            )
        )
        colours = np.repeat(
            np.concatenate((_with_alpha(self._polygon_colours)[owner], _with_alpha(self._line_colours)[line])),
            3,
            axis=0,
        )
        by_order = np.argsort(order, kind="stable")
        return np.concatenate((corners, quads))[by_order], colours[by_order]

    def _filled(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the triangles of the polygons (3 t, 2), and the polygon of each triangle (t,) int64."""
        if not self._polygons:
            return np.zeros((0, 2)), np.zeros(0, np.int64)
        lengths = np.array([len(corners) for corners in self._polygons])
        points = np.array([corner for corners in self._polygons for corner in corners], np.float64)
        starts = np.cumsum(lengths) - lengths
        is_convex = _are_convex(points, starts, lengths)
        owner = np.repeat(np.arange(len(lengths)), lengths - 2)
        third = np.arange(len(owner)) - np.repeat(np.cumsum(lengths - 2) - (lengths - 2), lengths - 2) + 2
        fans = np.stack((starts[owner], starts[owner] + third - 1, starts[owner] + third), axis=1)
        kept = is_convex[owner]
        index, owners = [fans[kept]], [owner[kept]]
        for k in np.flatnonzero(~is_convex).tolist():
            cut = _ears(points[starts[k] : starts[k] + lengths[k]])
            index.append(starts[k] + cut)
            owners.append(np.full(len(cut), k))
        return points[np.concatenate(index).ravel()], np.concatenate(owners)

    def _stroked(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the triangles of the polylines (3 t, 2), two for each bit, and their polylines (t,) int64."""
        if not self._lines:
            return np.zeros((0, 2)), np.zeros(0, np.int64)
        lengths = np.array([len(line) for line in self._lines])
        points = np.array([point for line in self._lines for point in line], np.float64)
        is_start = np.ones(len(points), np.bool_)
        is_start[np.cumsum(lengths) - 1] = False
        a = np.flatnonzero(is_start)
        owner = np.repeat(np.arange(len(lengths)), lengths - 1)
        way = points[a + 1] - points[a]
        size = np.maximum(np.hypot(*way.T), 1e-9)[:, None]
        half = 0.5 * np.maximum(np.array(self._widths)[owner], 1.0)[:, None]
        across = half * np.stack((-way[:, 1], way[:, 0]), axis=1) / size
        one = points[a] + across
        two = points[a] - across
        three = points[a + 1] - across
        four = points[a + 1] + across
        return np.stack((one, two, three, one, three, four), axis=1).reshape(-1, 2), np.repeat(owner, 2)


def _with_alpha(colours: list[Colour]) -> np.ndarray:
    """Return colours with full alpha (k, 4) uint8."""
    return np.array([(*colour, 255) for colour in colours], np.uint8).reshape(-1, 4)


def _are_convex(points: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return True for each polygon that turns in one direction only (k,) bool."""
    place = np.arange(len(points)) - np.repeat(starts, lengths)
    its_start, its_length = np.repeat(starts, lengths), np.repeat(lengths, lengths)
    after, then = its_start + (place + 1) % its_length, its_start + (place + 2) % its_length
    one, two = points[after] - points, points[then] - points[after]
    turn = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    convex: np.ndarray = (np.minimum.reduceat(turn, starts) >= 0.0) | (np.maximum.reduceat(turn, starts) <= 0.0)
    return convex


def _ears(corners: np.ndarray) -> np.ndarray:
    """Return the triangles of a polygon that is not convex, as indices of its corners (t, 3) int64."""
    is_clockwise = signed_area(corners) < 0.0
    return len(corners) - 1 - cut_ears(corners[::-1]) if is_clockwise else cut_ears(corners)
