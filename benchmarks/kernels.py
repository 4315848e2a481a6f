"""Speed of the documented functions on arrays, in pairs a second on one core, beside plain numpy.

The data are random pairs near each other, spread so that about a third of them hit (for sweeps: partly at the start).
All pairs differ, so that no processor can predict branches. The second figure is for pairs that all hit (for sweeps:
after the start). Plain numpy computes the same formula, without checks and degenerate cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import thread_time
from typing import Any, NamedTuple

import numpy as np

from benchmarks.pairs import (
    Array,
    Draw,
    Maker,
    axis_boxes,
    balls_in_arenas,
    box_corners,
    circles,
    impacts,
    moving_boxes,
    moving_circle_and_edge,
    moving_circles,
    moving_vertex_and_edge,
    segments,
)
from benchmarks.plain_numpy import (
    plain_bounce,
    plain_boxes,
    plain_circle_box,
    plain_circle_segment,
    plain_circles,
    plain_end_points,
    plain_moving_circles,
    plain_polygons,
    plain_segments,
)
from ecs_collide import algorithms

PAIRS = 100_000
TURNS = 25


class Entry(NamedTuple):
    """A function to measure; `hits` returns which pairs of a result hit."""

    row: str
    function: Callable[..., Any]
    data: Maker
    words: str
    hits: Callable[[Any], Any] | None = None
    target: float | None = None
    plain: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        """Name of the function."""
        return str(self.function.__name__)


class Rate(NamedTuple):
    """Rates of one function, in million pairs a second."""

    entry: Entry
    hit_share: float | None
    mixed: float
    all_hit: float | None
    plain: float | None


def truth(result: Any) -> Any:
    """Return the result, if it is an array of bool."""
    return result


def not_nan(result: Any) -> Any:
    """Return True for pairs whose first field is a number."""
    return ~np.isnan(result[0])


def touched(touch: Any) -> Any:
    """Return True for pairs that touch."""
    return ~np.isnan(touch.time)


def near(result: Any) -> Any:
    """Return True for pairs that overlap or touch."""
    return result.separation <= 0.0


def with_points(result: Any) -> Any:
    """Return True for pairs with contact points."""
    return result.point_count > 0


OVERLAP_TARGET, SWEEP_TARGET, MANIFOLD_TARGET = 200.0, 30.0, 5.0

ENTRIES = (
    Entry(
        "1",
        algorithms.point_in_circle,
        lambda d: [*d.place(1.0), *d.place(1.0), d.within(0.2, 1.2)],
        "points within 1 m",
        truth,
    ),
    Entry("2", algorithms.circles_overlap, circles(1.6), "centres within 1.6 m", truth, OVERLAP_TARGET, plain_circles),
    Entry(
        "3",
        algorithms.circle_ground_overlap,
        lambda d: [*d.place(2.0), d.within(0.2, 0.8), d.within(-1, 1), d.within(-2, 0), d.within(0, 2)],
        "strips of 2 m",
        truth,
    ),
    Entry(
        "4",
        algorithms.circle_half_plane_overlap,
        lambda d: [*d.place(2.0), d.within(0.2, 0.8), *d.place(2.0), *d.place(1.0)],
        "any slope",
        truth,
    ),
    Entry("5", algorithms.closest_point_on_segment, lambda d: d.place(2.0) + segments(2.0)(d), "any"),
    Entry(
        "6",
        algorithms.circle_segment_overlap,
        lambda d: [*d.place(1.6), d.within(0.2, 0.8), *segments(1.6)(d)],
        "ends within 1.6 m",
        truth,
        None,
        plain_circle_segment,
    ),
    Entry(
        "7",
        algorithms.line_circle_intersection,
        lambda d: [*segments(1.6)(d), *d.place(1.6), d.within(0.2, 0.8)],
        "points within 1.6 m",
        not_nan,
    ),
    Entry("8", algorithms.line_line_intersection, lambda d: segments(2.0)(d) + segments(2.0)(d), "any"),
    Entry(
        "8",
        algorithms.segment_segment_intersection,
        lambda d: segments(2.0)(d) + segments(2.0)(d),
        "ends within 2 m",
        not_nan,
        None,
        plain_segments,
    ),
    Entry(
        "9",
        algorithms.boxes_overlap,
        lambda d: axis_boxes(d, 2.5) + axis_boxes(d, 2.5),
        "centres within 2.5 m",
        truth,
        None,
        plain_boxes,
    ),
    Entry(
        "10",
        algorithms.circle_box_overlap,
        lambda d: [*d.place(2.2), d.within(0.2, 0.8), *axis_boxes(d, 2.2)],
        "centres within 2.2 m",
        truth,
        None,
        plain_circle_box,
    ),
    Entry(
        "11",
        algorithms.circle_oriented_box_overlap,
        lambda d: [
            *d.place(1.3),
            d.within(0.2, 0.8),
            *d.place(1.3),
            d.within(0.5, 1.5),
            d.within(0.5, 1.5),
            d.within(-3, 3),
        ],
        "centres within 1.3 m",
        truth,
    ),
    Entry(
        "12",
        algorithms.axis_of_least_penetration,
        lambda d: [box_corners(d, 1.5), box_corners(d, 1.5)],
        "boxes within 1.5 m",
        near,
        None,
        plain_polygons,
    ),
    Entry(
        "12",
        algorithms.polygon_manifold,
        lambda d: [box_corners(d, 1.5), box_corners(d, 1.5)],
        "boxes within 1.5 m",
        with_points,
        MANIFOLD_TARGET,
    ),
    Entry(
        "18",
        algorithms.sector_circle_overlap,
        lambda d: [
            *d.place(1.3),
            d.within(0.2, 0.8),
            *d.place(1.3),
            d.within(0.5, 1.5),
            d.within(0.2, 3.0),
            d.within(-3, 3),
        ],
        "centres within 1.3 m",
        truth,
    ),
    Entry(
        "19",
        algorithms.separate_circles_by_inverse_mass,
        lambda d: [
            *d.place(1.6),
            d.within(0.2, 0.8),
            d.within(0.1, 2.0),
            *d.place(1.6),
            d.within(0.2, 0.8),
            d.within(0.1, 2.0),
        ],
        "centres within 1.6 m",
    ),
    Entry(
        "20",
        algorithms.moving_circle_moving_circle,
        moving_circles,
        "motions within 3 m",
        touched,
        SWEEP_TARGET,
        plain_moving_circles,
    ),
    Entry(
        "20",
        algorithms.moving_circle_moving_circle_by_closest_point,
        moving_circles,
        "motions within 3 m",
        touched,
        SWEEP_TARGET,
        plain_moving_circles,
    ),
    Entry("21", algorithms.moving_circle_inside_moving_circle, balls_in_arenas, "arenas of 3 m", touched, SWEEP_TARGET),
    Entry(
        "22",
        algorithms.moving_vertex_moving_edge,
        moving_vertex_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry(
        "22",
        algorithms.moving_vertex_moving_edge_by_time,
        moving_vertex_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry("22", algorithms.moving_polygon_moving_polygon, moving_boxes, "boxes, motions within 3 m", touched),
    Entry(
        "23",
        algorithms.moving_circle_moving_end_points,
        moving_circle_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
        plain_end_points,
    ),
    Entry(
        "24",
        algorithms.moving_circle_moving_edge,
        moving_circle_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry(
        "23, 24",
        algorithms.moving_circle_moving_segment,
        moving_circle_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry(
        "25",
        algorithms.bounce_off_static,
        lambda d: [*d.place(2.0), *d.place(3.0), *d.place(2.0), d.within(0.0, 1.0)],
        "half approach",
    ),
    Entry("26", algorithms.bounce_off_each_other, impacts, "half approach", None, None, plain_bounce),
    Entry(
        "29",
        algorithms.simple_polygons_overlap,
        lambda d: [box_corners(d, 1.5), box_corners(d, 1.5)],
        "boxes within 1.5 m",
        truth,
    ),
)


def seconds(function: Callable[..., Any], data: Sequence[Array], turns: int) -> float:
    """Return the median processor time of several calls, after one that may load the kernel [s]."""
    function(*data)
    taken = []
    for _ in range(turns):
        start = thread_time()
        function(*data)
        taken.append(thread_time() - start)
    return median(taken)


def measure(entry: Entry, pairs: int = PAIRS, turns: int = TURNS) -> Rate:
    """Measure one function."""
    data = entry.data(Draw(12, pairs))
    share, all_hit = None, None
    if entry.hits is not None:
        result = entry.function(*data)
        hit = entry.hits(result)
        share = float(hit.mean())
        chosen = np.resize(np.flatnonzero(result.time > 0.0 if entry.hits is touched else hit), pairs)
        all_hit = 1e-6 * pairs / seconds(entry.function, [column[chosen] for column in data], turns)
    mixed = 1e-6 * pairs / seconds(entry.function, data, turns)
    plain = None if entry.plain is None else 1e-6 * pairs / seconds(entry.plain, data, turns)
    return Rate(entry, share, mixed, all_hit, plain)


HEADINGS = ("row", "function", "data", "hit", "M pairs/s", "all hit", "target", "numpy", "÷ numpy")


def cells(rate: Rate) -> tuple[str, ...]:
    """Return one row of the table."""
    entry = rate.entry
    return (
        entry.row,
        entry.name,
        entry.words,
        "" if rate.hit_share is None else f"{rate.hit_share:.0%}",
        figure(rate.mixed),
        figure(rate.all_hit),
        figure(entry.target),
        figure(rate.plain),
        "" if rate.plain is None else f"{rate.mixed / rate.plain:.1f}",
    )


def figure(rate: float | None) -> str:
    """Return a rate with two or three digits, or nothing."""
    return "" if rate is None else f"{rate:.0f}" if rate >= 10.0 else f"{rate:.1f}"


def report_kernels(markdown: bool, pairs: int = PAIRS, turns: int = TURNS) -> str:
    """Return the table for a terminal, or in Markdown."""
    table = [HEADINGS, *(cells(measure(entry, pairs, turns)) for entry in ENTRIES)]
    widths = [max(len(row[column]) for row in table) for column in range(len(HEADINGS))]
    if markdown:
        lines = ["| " + " | ".join(row) + " |" for row in table]
        return "\n".join([lines[0], "|--:|---|---|--:|--:|--:|--:|--:|--:|", *lines[1:]])
    return "\n".join(
        "  ".join(
            cell.ljust(w) if c in (1, 2) else cell.rjust(w) for c, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    )
