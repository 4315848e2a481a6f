"""Slow references for sweeps: shapes sampled densely in time, with no equation solved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
Columns: TypeAlias = list[FloatArray]

SAMPLES = np.linspace(0.0, 1.0, 129)[:, None]
"""Times at which the sweeps of many pairs are looked at; the first axis is time, the second the pairs."""


def segment_distance(
    px: FloatArray, py: FloatArray, ax: FloatArray, ay: FloatArray, bx: FloatArray, by: FloatArray
) -> FloatArray:
    """Distance of points from segments."""
    edge_x, edge_y = bx - ax, by - ay
    square = edge_x**2 + edge_y**2
    along = ((px - ax) * edge_x + (py - ay) * edge_y) / np.where(square > 0.0, square, 1.0)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(px - ax - along * edge_x, py - ay - along * edge_y)


def closest_times(gap: Callable[[FloatArray], FloatArray], count: int) -> FloatArray:
    """The time at which a gap that is convex in time is least, by ternary search."""
    low, high = np.zeros(count), np.ones(count)
    for _ in range(90):
        third = (high - low) / 3.0
        left = gap((low + third)[None])[0] < gap((high - third)[None])[0]
        low, high = np.where(left, low, low + third), np.where(left, high - third, high)
    return 0.5 * (low + high)


def judge(
    gap: Callable[[FloatArray], FloatArray],
    time: FloatArray,
    overlapping: BoolArray,
    tolerance: float = 1e-11,
    extra_times: FloatArray | None = None,
) -> None:
    """Check first touches against a gap, a function of times of shape (samples, pairs), positive while apart.

    - The pairs overlap at the start if the flag says so, and then the time is 0.
    - At the time found the gap is 0.
    - Before that time, or at any time if none was found, the gap is nowhere negative.
    """
    start = gap(np.zeros((1, len(time))))[0]
    assert (start[overlapping] < tolerance).all()
    assert (start[~overlapping] > -tolerance).all()
    assert (time[overlapping] == 0.0).all()
    hit = ~np.isnan(time) & ~overlapping
    assert ((time[hit] >= 0.0) & (time[hit] <= 1.0)).all()
    at_hit = gap(np.nan_to_num(time)[None])[0]
    np.testing.assert_allclose(at_hit[hit], 0.0, atol=tolerance)
    until = np.where(np.isnan(time), 1.0, time)
    before = np.minimum(np.broadcast_to(SAMPLES, (len(SAMPLES), len(time))), until)
    if extra_times is not None:
        before = np.concatenate([before, np.minimum(extra_times, until)[None]])
    assert gap(before).min(axis=0)[~overlapping].min() > -tolerance


def turned_columns(columns: Columns, angle: float, pairs: list[tuple[int, int]]) -> Columns:
    """The columns with those that are vectors, given as pairs of indices, turned about the origin."""
    result = list(columns)
    for i, j in pairs:
        result[i] = np.cos(angle) * columns[i] - np.sin(angle) * columns[j]
        result[j] = np.sin(angle) * columns[i] + np.cos(angle) * columns[j]
    return result
