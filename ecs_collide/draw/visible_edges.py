"""The edges of a union: the parts of the edges that no other part covers.

Each straight bit of an edge is cut where it meets the edges of other parts. A bit is visible unless the solid of
another part is just outside it. If two parts share a side, this hides the side of both. If they overlap flush, their
common edge is visible twice, in the same place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

Points = np.ndarray
Part = tuple[tuple[Points, ...], tuple[Points, ...]]
"""Areas, closed counter-clockwise polygons, and edges, polylines with the solid to their left."""
TOLERANCE = 1e-7
"""Distance outside an edge at which other parts are searched, in units of the greatest coordinate."""


def visible_edges(parts: Sequence[Part]) -> tuple[Points, ...]:
    """Return the visible bits of the edges of all `parts` as polylines (k, 2) [m]."""
    corners = [points for _, edges in parts for points in edges]
    if not corners:
        return ()
    reach = TOLERANCE * float(np.abs(np.concatenate(corners)).max())
    visible: list[Points] = []
    for index, (_, edges) in enumerate(parts):
        others = [part for other, part in enumerate(parts) if other != index]
        areas = [area for other_areas, _ in others for area in other_areas]
        cutters = [np.stack((edge[:-1], edge[1:]), axis=1) for _, other_edges in others for edge in other_edges]
        segments = np.concatenate(cutters) if cutters else np.empty((0, 2, 2))
        for edge in edges:
            visible.extend(_visible_bits(edge, segments, areas, reach))
    return tuple(visible)


def _visible_bits(edge: Points, segments: Points, areas: Sequence[Points], reach: float) -> list[Points]:
    """Return the runs of `edge` that no area covers, cut at the `segments` (n, 2, 2) of other parts."""
    runs: list[list[Points]] = [[]]
    for a, b in pairwise(edge):
        along = b - a
        length = float(np.hypot(*along))
        outward = np.array((along[1], -along[0])) / length
        cuts = _cuts(a, along, segments, reach)
        for start, stop in pairwise(cuts):
            if (stop - start) * length <= reach:
                continue
            middle = a + 0.5 * (start + stop) * along + reach * outward
            if any(_is_inside(middle, area) for area in areas):
                runs.append([])
                continue
            if not runs[-1]:
                runs[-1].append(a + start * along)
            runs[-1].append(a + stop * along)
    return [np.array(run) for run in runs if run]


def _cuts(a: Points, along: Points, segments: Points, reach: float) -> list[float]:
    """Return the fractions of the path `along` from `a`, 0 and 1 included, at which it meets segments or their ends."""
    square = float(along @ along)
    starts, ways = segments[:, 0], segments[:, 1] - segments[:, 0]
    determinant = along[0] * ways[:, 1] - along[1] * ways[:, 0]
    crosses = np.abs(determinant) > 1e-12 * square
    to = (starts - a)[crosses]
    way, scale = ways[crosses], determinant[crosses]
    fraction = (to[:, 0] * way[:, 1] - to[:, 1] * way[:, 0]) / scale
    other = (to[:, 0] * along[1] - to[:, 1] * along[0]) / scale
    crossing = fraction[(other >= 0.0) & (other <= 1.0)]
    ends = segments.reshape(-1, 2) - a
    on_line = np.abs(along[0] * ends[:, 1] - along[1] * ends[:, 0]) <= reach * np.sqrt(square)
    meeting = np.concatenate((crossing, ends[on_line] @ along / square))
    return [0.0, *np.sort(meeting[(meeting > 0.0) & (meeting < 1.0)]).tolist(), 1.0]


def _is_inside(point: Points, area: Points) -> bool:
    """Return True if a point lies inside a polygon: a ray to the right crosses its outline an odd number of times."""
    before = np.roll(area, 1, axis=0)
    spans = (area[:, 1] > point[1]) != (before[:, 1] > point[1])
    a, b = before[spans], area[spans]
    crossing = a[:, 0] + (point[1] - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0])
    return bool(np.count_nonzero(crossing > point[0]) % 2)
