"""How many pairs a second the documented functions do on arrays, on one core, and what plain numpy does.

Every entry's data are random pairs near each other, spread so that about a third of them hit (sweeps: a part of them
at the start). All pairs differ, so that no processor can learn which branch comes next. The second figure is for pairs
that all hit (sweeps: all after the start). Plain numpy computes the same formula, without checks and degenerate cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import thread_time
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ecs_collide import impact, overlap, sweep

Array: TypeAlias = NDArray[np.float64]
Data: TypeAlias = list[Array]
Maker: TypeAlias = Callable[["Draw"], Data]

PAIRS = 100_000
TURNS = 25


class Draw:
    """Random columns."""

    def __init__(self, seed: int, count: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.count = count

    def within(self, low: float, high: float) -> Array:
        return self._rng.uniform(low, high, self.count)

    def place(self, spread: float) -> Data:
        """x and y from -spread to spread."""
        return [self.within(-spread, spread), self.within(-spread, spread)]


class Entry(NamedTuple):
    """A function to measure. `hits` says which pairs of a result hit; without it there is nothing to miss."""

    row: str
    function: Callable[..., Any]
    data: Maker
    words: str
    hits: Callable[[Any], Any] | None = None
    target: float | None = None
    plain: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        """The function's."""
        return str(self.function.__name__)


class Rate(NamedTuple):
    """Million pairs a second."""

    entry: Entry
    hit_share: float | None
    mixed: float
    all_hit: float | None
    plain: float | None


# Data: sizes [m] are those of things about 1 m large.


def circles(spread: float) -> Maker:
    return lambda d: [*d.place(spread), d.within(0.2, 0.8), *d.place(spread), d.within(0.2, 0.8)]


def moving_circles(d: Draw) -> Data:
    a, b = ([*d.place(1.0), d.within(0.1, 0.4), *d.place(3.0)] for _ in range(2))
    return a + b


def balls_in_arenas(d: Draw) -> Data:
    ball = [*d.place(1.2), d.within(0.2, 0.8), *d.place(2.5)]
    return [*ball, *d.place(0.2), d.within(2.8, 3.2), *d.place(0.2)]


def moving_edge(d: Draw, spread: float, motion: float) -> Data:
    """Ends and motions of edges of 1 to 3 m that move and turn by up to 1 rad."""
    x, y = d.place(spread)
    half = 0.5 * d.within(1.0, 3.0) * np.exp(1j * d.within(-np.pi, np.pi))
    turned = half * np.exp(1j * d.within(-1.0, 1.0))
    middle, moved = x + 1j * y, d.within(-motion, motion) + 1j * d.within(-motion, motion)
    ends = [middle - half, moved - (turned - half), middle + half, moved + (turned - half)]
    return [part.copy() for end in ends for part in (end.real, end.imag)]


def moving_vertex_and_edge(d: Draw) -> Data:
    return [*d.place(0.5), *d.place(3.0), *moving_edge(d, 0.5, 3.0)]


def moving_circle_and_edge(d: Draw) -> Data:
    return [*d.place(1.2), d.within(0.1, 0.5), *d.place(3.0), *moving_edge(d, 1.2, 3.0)]


def segments(spread: float) -> Maker:
    return lambda d: d.place(spread) + d.place(spread)


def axis_boxes(d: Draw, spread: float) -> Data:
    x, y = d.place(spread)
    w, h = d.within(0.5, 1.5), d.within(0.5, 1.5)
    return [x - w, y - h, x + w, y + h]


def box_corners(d: Draw, spread: float) -> Array:
    """Boxes (n, 4, 2) of 0.5 to 1.5 m at any angle."""
    x, y = d.place(spread)
    turn = np.exp(1j * d.within(-np.pi, np.pi))
    w, h = 0.5 * d.within(0.5, 1.5), 0.5 * d.within(0.5, 1.5)
    corners = [(x + 1j * y) + turn * (sx * w + 1j * sy * h) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.stack([np.stack((corner.real, corner.imag), -1) for corner in corners], 1)


def moving_boxes(d: Draw) -> Data:
    a, b = ([box_corners(d, 2.0), np.stack(d.place(3.0), -1)[:, np.newaxis]] for _ in range(2))
    return a + b


def impacts(d: Draw) -> Data:
    a, b = ([*d.place(2.0), *d.place(3.0), d.within(0.1, 2.0)] for _ in range(2))
    return [*a, *b, d.within(0.0, 1.0)]


# Plain numpy.


def plain_circles(ax: Array, ay: Array, ra: Array, bx: Array, by: Array, rb: Array) -> Any:
    return (bx - ax) ** 2 + (by - ay) ** 2 <= (ra + rb) ** 2


def plain_boxes(*edges: Array) -> Any:
    ax, ay, ax2, ay2, bx, by, bx2, by2 = edges
    return (ax <= bx2) & (bx <= ax2) & (ay <= by2) & (by <= ay2)


def plain_circle_box(x: Array, y: Array, r: Array, x0: Array, y0: Array, x1: Array, y1: Array) -> Any:
    sx, sy = np.maximum(np.maximum(x0 - x, x - x1), 0.0), np.maximum(np.maximum(y0 - y, y - y1), 0.0)
    return sx * sx + sy * sy <= r * r


def plain_circle_segment(x: Array, y: Array, r: Array, ax: Array, ay: Array, bx: Array, by: Array) -> Any:
    dx, dy = bx - ax, by - ay
    u = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0.0, 1.0)
    return (ax + u * dx - x) ** 2 + (ay + u * dy - y) ** 2 <= r * r


def plain_segments(*ends: Array) -> Any:
    px, py, qx, qy, rx, ry, sx, sy = ends
    ax, ay, bx, by, wx, wy = qx - px, qy - py, sx - rx, sy - ry, rx - px, ry - py
    cross = ax * by - ay * bx
    u, v = (wx * by - wy * bx) / cross, (wx * ay - wy * ax) / cross
    return np.where((u >= 0.0) & (u <= 1.0) & (v >= 0.0) & (v <= 1.0), u, np.nan)


def first_root(ux: Array, uy: Array, vx: Array, vy: Array, r: Array) -> Any:
    with np.errstate(invalid="ignore"):
        square, half, constant = vx * vx + vy * vy, ux * vx + uy * vy, ux * ux + uy * uy - r * r
        t = (-half - np.sqrt(half * half - square * constant)) / square
        return np.where(constant < 0.0, 0.0, np.where((t >= 0.0) & (t <= 1.0), t, np.nan))


def plain_moving_circles(*c: Array) -> Any:
    return first_root(c[0] - c[5], c[1] - c[6], c[3] - c[8], c[4] - c[9], c[2] + c[7])


def plain_end_points(*c: Array) -> Any:
    ends = [first_root(c[i] - c[0], c[i + 1] - c[1], c[i + 2] - c[3], c[i + 3] - c[4], c[2]) for i in (5, 9)]
    return np.fmin(*ends)


def plain_polygons(a: Array, b: Array) -> Any:
    """The greatest separation; of counter-clockwise polygons."""
    greatest = []
    for own, other in ((a, b), (b, a)):
        edge = np.roll(own, -1, axis=1) - own
        normal = np.stack((edge[..., 1], -edge[..., 0]), -1) / np.hypot(edge[..., 0], edge[..., 1])[..., None]
        heights = np.einsum("pnd,pvd->pnv", normal, other)
        greatest.append((heights.min(-1) - np.einsum("pnd,pnd->pn", normal, own)).max(-1))
    return np.maximum(*greatest)


def plain_bounce(*c: Array) -> Any:
    ax, ay, vx, vy, wa, bx, by, ux, uy, wb, e = c
    nx, ny = bx - ax, by - ay
    length = np.sqrt(nx * nx + ny * ny)
    nx, ny = nx / length, ny / length
    change = (1.0 + e) * np.maximum((vx - ux) * nx + (vy - uy) * ny, 0.0) / (wa + wb)
    return vx - change * wa * nx, vy - change * wa * ny, ux + change * wb * nx, uy + change * wb * ny


def truth(result: Any) -> Any:
    return result


def not_nan(result: Any) -> Any:
    return ~np.isnan(result[0])


def touched(touch: Any) -> Any:
    return ~np.isnan(touch.time)


def near(result: Any) -> Any:
    return result.separation <= 0.0


def with_points(result: Any) -> Any:
    return result.point_count > 0


OVERLAP_TARGET, SWEEP_TARGET, MANIFOLD_TARGET = 200.0, 30.0, 5.0

ENTRIES = (
    Entry(
        "1",
        overlap.point_in_circle,
        lambda d: [*d.place(1.0), *d.place(1.0), d.within(0.2, 1.2)],
        "points within 1 m",
        truth,
    ),
    Entry("2", overlap.circles_overlap, circles(1.6), "centres within 1.6 m", truth, OVERLAP_TARGET, plain_circles),
    Entry(
        "3",
        overlap.circle_ground_overlap,
        lambda d: [*d.place(2.0), d.within(0.2, 0.8), d.within(-1, 1), d.within(-2, 0), d.within(0, 2)],
        "strips of 2 m",
        truth,
    ),
    Entry(
        "4",
        overlap.circle_half_plane_overlap,
        lambda d: [*d.place(2.0), d.within(0.2, 0.8), *d.place(2.0), *d.place(1.0)],
        "any slope",
        truth,
    ),
    Entry("5", overlap.closest_point_on_segment, lambda d: d.place(2.0) + segments(2.0)(d), "any"),
    Entry(
        "6",
        overlap.circle_segment_overlap,
        lambda d: [*d.place(1.6), d.within(0.2, 0.8), *segments(1.6)(d)],
        "ends within 1.6 m",
        truth,
        None,
        plain_circle_segment,
    ),
    Entry(
        "7",
        overlap.line_circle_intersection,
        lambda d: [*segments(1.6)(d), *d.place(1.6), d.within(0.2, 0.8)],
        "points within 1.6 m",
        not_nan,
    ),
    Entry("8", overlap.line_line_intersection, lambda d: segments(2.0)(d) + segments(2.0)(d), "any"),
    Entry(
        "8",
        overlap.segment_segment_intersection,
        lambda d: segments(2.0)(d) + segments(2.0)(d),
        "ends within 2 m",
        not_nan,
        None,
        plain_segments,
    ),
    Entry(
        "9",
        overlap.boxes_overlap,
        lambda d: axis_boxes(d, 2.5) + axis_boxes(d, 2.5),
        "centres within 2.5 m",
        truth,
        None,
        plain_boxes,
    ),
    Entry(
        "10",
        overlap.circle_box_overlap,
        lambda d: [*d.place(2.2), d.within(0.2, 0.8), *axis_boxes(d, 2.2)],
        "centres within 2.2 m",
        truth,
        None,
        plain_circle_box,
    ),
    Entry(
        "11",
        overlap.circle_oriented_box_overlap,
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
        overlap.axis_of_least_penetration,
        lambda d: [box_corners(d, 1.5), box_corners(d, 1.5)],
        "boxes within 1.5 m",
        near,
        None,
        plain_polygons,
    ),
    Entry(
        "12",
        overlap.polygon_manifold,
        lambda d: [box_corners(d, 1.5), box_corners(d, 1.5)],
        "boxes within 1.5 m",
        with_points,
        MANIFOLD_TARGET,
    ),
    Entry(
        "18",
        overlap.sector_circle_overlap,
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
        impact.separate_circles_by_inverse_mass,
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
        sweep.moving_circle_moving_circle,
        moving_circles,
        "motions within 3 m",
        touched,
        SWEEP_TARGET,
        plain_moving_circles,
    ),
    Entry(
        "20",
        sweep.moving_circle_moving_circle_by_closest_point,
        moving_circles,
        "motions within 3 m",
        touched,
        SWEEP_TARGET,
        plain_moving_circles,
    ),
    Entry("21", sweep.moving_circle_inside_moving_circle, balls_in_arenas, "arenas of 3 m", touched, SWEEP_TARGET),
    Entry(
        "22",
        sweep.moving_vertex_moving_edge,
        moving_vertex_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry(
        "22",
        sweep.moving_vertex_moving_edge_by_time,
        moving_vertex_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry("22", sweep.moving_polygon_moving_polygon, moving_boxes, "boxes, motions within 3 m", touched),
    Entry(
        "23",
        sweep.moving_circle_moving_end_points,
        moving_circle_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
        plain_end_points,
    ),
    Entry(
        "24",
        sweep.moving_circle_moving_edge,
        moving_circle_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry(
        "23, 24",
        sweep.moving_circle_moving_segment,
        moving_circle_and_edge,
        "motions within 3 m, 1 rad",
        touched,
        SWEEP_TARGET,
    ),
    Entry(
        "25",
        impact.bounce_off_static,
        lambda d: [*d.place(2.0), *d.place(3.0), *d.place(2.0), d.within(0.0, 1.0)],
        "half approach",
    ),
    Entry("26", impact.bounce_off_each_other, impacts, "half approach", None, None, plain_bounce),
    Entry(
        "29",
        overlap.simple_polygons_overlap,
        lambda d: [box_corners(d, 1.5), box_corners(d, 1.5)],
        "boxes within 1.5 m",
        truth,
    ),
)


def seconds(function: Callable[..., Any], data: Sequence[Array], turns: int) -> float:
    """The median processor time of several calls, after one that may compile: other work may share the machine."""
    function(*data)
    taken = []
    for _ in range(turns):
        start = thread_time()
        function(*data)
        taken.append(thread_time() - start)
    return median(taken)


def measure(entry: Entry, pairs: int = PAIRS, turns: int = TURNS) -> Rate:
    """The rates of one function."""
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
    """One row of the table."""
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
    """Two or three digits that mean something, or nothing."""
    return "" if rate is None else f"{rate:.0f}" if rate >= 10.0 else f"{rate:.1f}"


def report_kernels(markdown: bool, pairs: int = PAIRS, turns: int = TURNS) -> str:
    """The table for a terminal, or in Markdown."""
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
