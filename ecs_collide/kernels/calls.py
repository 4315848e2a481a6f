"""Kernels that are called one after the other in every step, with arguments that are read once.

Loading forty arguments, passing them and checking each takes longer than most kernels run in a small world. A list of
calls holds its arguments as machine words. Values that change from step to step are read from arrays at each call. A
`LiveNumber` supplies a number, and a `LiveSlice` some items of a list.

    at = np.zeros(1, np.int64)
    run = call_list((Call(update_frames, (rows, bodies), bad_row, most=-1), Call(update_pairs, ...)), at)
    run(0, 2)

`run(first, stop)` makes the calls from `first` to before `stop`. A call whose first result is greater than its `most`
reports: it has left work for Python, and the list stops there. `at` says how far the list is, see `call_list`.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ecs_collide.kernels import module
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode


class LiveNumber(NamedTuple):
    """The number in an array (1,) as an argument, read at each call."""

    number: np.ndarray


class LiveSlice(NamedTuple):
    """Neighbouring items of an array as an argument, read at each call.

    It begins with item start[place] of the array, and ends before item stop[place]. An empty slice skips the call,
    whose results are 0.
    """

    array: np.ndarray
    start: np.ndarray
    stop: np.ndarray
    place: int = 0


class Call(NamedTuple):
    """A kernel and its arguments."""

    kernel: Callable[..., Any]
    args: tuple[Any, ...]
    results: np.ndarray | None = None
    """Array for its results (r,) int64; a result that is a float is stored by its bits."""
    most: int | None = None
    """Limit of the first result: if it is greater, the call reports."""


Input: TypeAlias = tuple[object, str]
"""An attribute from which calls are prepared: its owner and its name."""

NOT_AT_FIRST = -1
"""The result of a list that is at another call than the one that it is to begin with; nothing was done."""

CallList: TypeAlias = Callable[[int, int], int]


NO_TIMES = np.zeros((0, 2))


def call_list(
    calls: Iterable[Call], at: np.ndarray, begins: tuple[int, ...] = (), times: np.ndarray = NO_TIMES
) -> CallList:
    """Return a function `run(first, stop)` that makes the calls from `first` to before `stop`.

    It returns `stop`, the number of the call that reported, or `NOT_AT_FIRST`. Reads and writes `at` (1,) int64: k if
    call k is the next one, ~k if call k has reported, 0 before the first call and after the last one. A kernel that
    fails raises RuntimeError, and `at` becomes 0.

    `begins` are the first calls of the parts of the list, in order. `times` (parts, 2) gets the time at which a run
    began with a part, and the time after the last call of a part, on the clock of `perf_counter` [s].
    """
    listed = tuple(calls)
    if KERNEL_MODE is KernelMode.PREBUILT:
        return module.prepared_call_list(listed, at, begins, times)
    parts = [part for part in enumerate(pairwise((*begins, len(listed)))) if part[1][0] < part[1][1]]
    part_of_first = {first: part for part, (first, _) in parts}
    part_of_last = {stop - 1: part for part, (_, stop) in parts}

    def run(first: int, stop: int) -> int:
        if at[0] != first:
            return NOT_AT_FIRST
        if first in part_of_first:
            times[part_of_first[first], 0] = perf_counter()
        for number in range(first, stop):
            has_reported = make(listed[number])
            if number in part_of_last:
                times[part_of_last[number], 1] = perf_counter()
            if has_reported:
                at[0] = ~number
                return number
        at[0] = stop if stop < len(listed) else 0
        return stop

    return run


def make(call: Call) -> bool:
    """Make a single call; return True if it reports."""
    args = [_present_value(value) for value in call.args]
    is_skipped = any(isinstance(given, LiveSlice) and len(arg) == 0 for given, arg in zip(call.args, args, strict=True))
    made = None if is_skipped else call.kernel(*args)
    results = made if isinstance(made, tuple) else (made,)
    if call.results is not None:
        if is_skipped:
            call.results[:] = 0
        else:
            call.results[: len(results)] = [_as_integer(result) for result in results]
    return not is_skipped and call.most is not None and results[0] > call.most


def _as_integer(result: Any) -> Any:
    return np.float64(result).view(np.int64) if isinstance(result, float) else result


def _present_value(value: Any) -> Any:
    if isinstance(value, LiveNumber):
        return value.number.item()
    if isinstance(value, LiveSlice):
        return value.array[value.start[value.place] : value.stop[value.place]]
    if isinstance(value, Bundle) or not isinstance(value, tuple):
        return value
    items = map(_present_value, value)
    return type(value)._make(items) if hasattr(value, "_make") else tuple(items)
