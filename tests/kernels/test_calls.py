"""Lists of calls with arguments read once: in C, and in Python, which says what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.kernels import calls as module
from ecs_collide.kernels.calls import (
    NOT_AT_FIRST,
    Call,
    CallList,
    LiveNumber,
    LiveSlice,
    make,
)
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from ecs_collide.step.sync.mobile_bodies import list_mobile, split_mobile

KINEMATIC = int(BodyKind.KINEMATIC)
BOTH_WAYS = pytest.mark.parametrize("way", ["prebuilt", "python"])


@pytest.fixture(autouse=True)
def chosen_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in the mode that the test requests."""
    way = getattr(request.node, "callspec", None) and request.node.callspec.params.get("way")
    if way == "python":
        monkeypatch.setattr(module, "KERNEL_MODE", KernelMode.PLAIN)
    elif way == "prebuilt" and KERNEL_MODE is not KernelMode.PREBUILT:
        pytest.skip("there is no module of kernels")


def listing(
    changed: LiveSlice | np.ndarray, high: int | LiveNumber, results: np.ndarray | None, most: int | None = None
) -> Call:
    """A call that lists the rows of `changed` below `high`."""
    kind = np.full(64, KINEMATIC)
    return Call(list_mobile, (np.zeros(0, np.int64), changed, high, kind, np.zeros(64, np.int64)), results, most)


def numbers(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def whole(calls: Iterable[Call]) -> Callable[[], int]:
    """All calls of a list, from the first one to the last."""
    listed, at = list(calls), numbers(0)
    run = module.call_list(listed, at)

    def run_all() -> int:
        at[0] = 0
        return run(0, len(listed))

    return run_all


@BOTH_WAYS
def test_numbers_and_parts_of_arrays_are_read_at_each_call(way: str) -> None:
    rows, start, stop, high, result = np.arange(10), numbers(2), numbers(7), numbers(100), numbers(-1)
    run = whole([listing(LiveSlice(rows, start, stop), LiveNumber(high), result)])
    assert run() == 1
    assert result.tolist() == [5]
    start[0], high[0] = 0, 3
    assert run() == 1
    assert result.tolist() == [3]


@BOTH_WAYS
def test_a_run_at_a_place_of_its_bounds(way: str) -> None:
    bounds, result = numbers(0, 3, 7), numbers(-1)
    run = whole([listing(LiveSlice(np.arange(10), bounds, bounds[1:], 1), 100, result)])
    assert run() == 1
    assert result.tolist() == [4]


@BOTH_WAYS
def test_a_call_with_an_empty_run_is_skipped_and_results_in_0(way: str) -> None:
    rows, nowhere, result, other = np.arange(10), numbers(4), numbers(-1), numbers(-1)
    assert whole([listing(LiveSlice(rows, nowhere, nowhere), 100, result), listing(rows, 100, other)])() == 2
    assert (result.tolist(), other.tolist()) == ([0], [10])


@BOTH_WAYS
def test_a_skipped_call_does_not_report(way: str) -> None:
    nowhere, result = numbers(4), numbers(-1)
    assert whole([listing(LiveSlice(np.arange(10), nowhere, nowhere), 100, result, -1)])() == 1
    assert result.tolist() == [0]


@BOTH_WAYS
@pytest.mark.parametrize(("most", "reached", "at"), [(9, 1, ~1), (10, 3, 0)])
def test_a_list_stops_at_the_call_that_reports(way: str, most: int, reached: int, at: int) -> None:
    first, result, other, place = numbers(-1), numbers(-1), numbers(-1), numbers(0)
    calls = [listing(np.arange(12), 100, first), listing(np.arange(10), 100, result, most)]
    run = module.call_list([*calls, listing(np.arange(4), 100, other)], place)
    assert run(0, 3) == reached
    assert (first.tolist(), result.tolist(), other.tolist()) == ([12], [10], [-1 if reached == 1 else 4])
    assert place.item() == at


@BOTH_WAYS
def test_a_list_runs_in_slices_in_their_order_only(way: str) -> None:
    results, place = [numbers(-1) for _ in range(4)], numbers(0)
    run: CallList = module.call_list([listing(np.arange(k + 1), 100, results[k]) for k in range(4)], place)
    assert run(2, 4) == NOT_AT_FIRST
    assert run(0, 2) == 2
    assert place.item() == 2
    assert run(0, 2) == NOT_AT_FIRST
    assert [result.item() for result in results] == [1, 2, -1, -1]
    assert run(2, 4) == 4
    assert place.item() == 0
    assert [result.item() for result in results] == [1, 2, 3, 4]


@BOTH_WAYS
def test_times_are_those_of_the_beginning_of_a_slice_and_of_the_end_of_each_part(way: str) -> None:
    times, nowhere, place = np.zeros((4, 2)), numbers(4), numbers(0)
    calls = [listing(np.arange(10), 100, None), listing(LiveSlice(np.arange(10), nowhere, nowhere), 100, None)] * 2
    run = module.call_list(calls, place, (0, 1, 3, 3), times)
    begun, done = times.T
    before = perf_counter()
    run(0, 1)
    assert before <= begun[0] <= done[0] <= perf_counter()
    assert not times[1:].any()
    run(1, 4)
    assert done[0] <= begun[1] <= done[1] <= done[3] <= perf_counter()
    assert begun[3] == 0.0  # the run began before
    assert not times[2].any()  # a part without calls


@BOTH_WAYS
def test_several_results_stand_side_by_side(way: str) -> None:
    bodies = BodyColumns().arrays
    bodies.kind[:3] = KINEMATIC
    bodies.island[1] = 1
    awake, parked = np.zeros((2, 3), np.int64)
    results = numbers(-1, -1)
    assert whole([Call(split_mobile, (np.arange(3), bodies, awake, parked), results)])() == 1
    assert (results.tolist(), parked[:1].tolist()) == ([3, 1], [1])


def test_a_single_call_reports_as_in_a_list() -> None:
    result = numbers(-1)
    assert not make(listing(np.arange(5), 100, result, 5))
    assert make(listing(np.arange(5), 100, result, 4))
    assert result.item() == 5


@pytest.mark.skipif(
    KERNEL_MODE is not KernelMode.PREBUILT, reason="machine code checks arguments when the list is made"
)
@pytest.mark.parametrize(
    "calls",
    [
        [Call(len, ())],
        [Call(list_mobile, ())],
        [listing(LiveSlice(np.arange(3.0), numbers(0), numbers(1)), 1, None)],
        [listing(LiveSlice(np.arange(3), numbers(0), np.zeros(0, np.int64)), 1, None)],
        [listing(LiveSlice(np.arange(3), numbers(0, 1), numbers(1), 1), 1, None)],
        [listing(LiveSlice(np.arange(3), numbers(0), numbers(1), -1), 1, None)],
        [listing(np.arange(3), LiveNumber(np.zeros(1, np.int32)), None)],
        [listing(np.arange(3), LiveNumber(np.zeros(1)), None)],
        [listing(np.arange(3), 1, np.zeros(0, np.int64))],
    ],
)
def test_arguments_that_machine_code_would_misread_are_refused(calls: Iterable[Call]) -> None:
    with pytest.raises((TypeError, ValueError, IndexError)):
        module.call_list(calls, numbers(0))


@pytest.mark.skipif(KERNEL_MODE is not KernelMode.PREBUILT, reason="machine code checks parts when the list is made")
@pytest.mark.parametrize(
    ("begins", "times"),
    [
        ((0, 1), np.zeros((2, 2), np.int64)),
        ((0, 1), np.zeros((1, 2))),
        ((0, 1), np.zeros((2, 4))[:, ::2]),
        ((1, 0), np.zeros((2, 2))),
        ((-1,), np.zeros((1, 2))),
        ((3,), np.zeros((1, 2))),
        (("0",), np.zeros((1, 2))),
    ],
)
def test_parts_outside_the_list_and_times_without_room_are_refused(begins: Any, times: np.ndarray) -> None:
    with pytest.raises((TypeError, ValueError)):
        module.call_list([listing(np.arange(3), 1, None)] * 2, numbers(0), begins, times)


@pytest.mark.skipif(KERNEL_MODE is not KernelMode.PREBUILT, reason="machine code checks its arguments")
@pytest.mark.parametrize("bounds", [(-1, 1), (0, 3), (1, 1), (2, 1), (0,), (0, 1, 2), ("0", 1), (0.5, 1)])
def test_bounds_outside_the_list_are_refused(bounds: tuple[Any, ...]) -> None:
    run: Any = module.call_list([listing(np.arange(3), 1, None)] * 2, numbers(0))
    with pytest.raises((TypeError, ValueError)):
        run(*bounds)
