"""Streams of varints: integers in few bytes if they are small.

A varint holds 2 n for n >= 0 and -2 n - 1 for n < 0, in seven bits to a byte, the lowest first; bit 7 says that more
follow. A path is several runs of integers: the first value of each, less that of the run before, and then the first or
second differences within each run, as if it had been at rest before.
"""

from __future__ import annotations

import numpy as np


def varints(numbers: np.ndarray) -> bytes:
    """Return integers (k,) as varints."""
    numbers = np.asarray(numbers, np.int64)  # indices may have 32 bits
    left = ((numbers << 1) ^ (numbers >> 63)).astype(np.uint64)
    size = np.ones(len(left), np.int64)
    for bits in range(7, 64, 7):
        size += left >= np.uint64(1 << bits)
    ends = np.cumsum(size)
    written = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    starts = ends - size
    for place in range(int(size.max(initial=0))):
        rows = np.flatnonzero(size > place)
        more = np.where(size[rows] > place + 1, 128, 0)
        written[starts[rows] + place] = ((left[rows] >> np.uint64(7 * place)) & np.uint64(127)).astype(np.int64) | more
    return written.tobytes()


class Reader:
    """Reader of a stream of varints."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = np.frombuffer(data, np.uint8), 0

    def bytes(self, count: int) -> bytes:
        """Return the next bytes."""
        self._at += count
        return self._data[self._at - count : self._at].tobytes()

    def numbers(self, count: int) -> np.ndarray:
        """Return the next integers (count,) int64."""
        if count == 0:
            return np.zeros(0, np.int64)
        ends = self._at + np.flatnonzero(self._data[self._at :] < 128)[:count]
        data = self._data[self._at : ends[-1] + 1].astype(np.uint64) & np.uint64(127)
        starts = np.concatenate(([0], ends[:-1] + 1 - self._at))
        place = np.arange(len(data)) - np.repeat(starts, np.diff(np.append(starts, len(data))).astype(np.intp))
        left = np.add.reduceat(data << (7 * place).astype(np.uint64), starts)
        self._at = int(ends[-1]) + 1
        numbers: np.ndarray = (left >> np.uint64(1)).astype(np.int64) ^ -(left & np.uint64(1)).astype(np.int64)
        return numbers


def differences(values: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the differences of consecutive integers (k,) within runs; the first one of a run is 0."""
    steps = np.zeros_like(values)
    np.subtract(values[1:], values[:-1], out=steps[1:])
    steps[starts] = 0
    return steps


def sums(steps: np.ndarray, starts: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return the integers (k,) of runs whose first values and differences are given."""
    total = np.cumsum(steps)
    lengths = np.diff(np.append(starts, len(steps))).astype(np.intp)
    run: np.ndarray = total + np.repeat(first - total[starts], lengths)
    return run


def path_bytes(values: np.ndarray, starts: np.ndarray, order: int) -> bytes:
    """Return runs of integers (k,) as varints: the first value of each, then differences of an order, 1 or 2."""
    steps = differences(values, starts)
    if order == 2:
        speeds = steps.copy()
        steps[1:] -= speeds[:-1]
        steps[starts] = 0
        after = starts[np.append(np.diff(starts), len(values) - starts[-1:]) > 1] + 1 if len(starts) else starts
        steps[after] = speeds[after]
    return varints(np.diff(values[starts], prepend=0)) + varints(steps)


def read_path(reader: Reader, starts: np.ndarray, count: int, order: int) -> np.ndarray:
    """Return the runs of integers (count,) that `path_bytes` has written."""
    first = np.cumsum(reader.numbers(len(starts)))
    steps = reader.numbers(count)
    if order == 2:
        steps = sums(steps, starts, np.zeros(len(starts), np.int64))
    return sums(steps, starts, first)
