"""Calls that are made one after the other, with arguments read once: in C, and in Python, which says what they mean."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from ecs_collide.components.body_kind import BodyKind
from ecs_collide.data.bodies import BodyColumns
from ecs_collide.kernels import calls as chains
from ecs_collide.kernels.calls import (
    NOTHING,
    Call,
    Cell,
    Chain,
    Condition,
    Empty,
    Present,
    Run,
    Same,
    again,
    unprepared,
)
from ecs_collide.kernels.kernel import WAY, Way
from ecs_collide.step.sync.moving_rows import list_movers, part_movers

KINEMATIC = int(BodyKind.KINEMATIC)


@pytest.fixture(params=["prebuilt", "python"])
def chain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type:
    """What makes chains."""
    if request.param == "python":
        monkeypatch.setattr(chains, "WAY", Way.PLAIN)
    elif WAY is not Way.PREBUILT:
        pytest.skip("there is no module of kernels")
    return chains.chain  # type: ignore[return-value]


def listing(changed: Run | np.ndarray, high: int | Cell, results: np.ndarray | None, most: int | None = None) -> Call:
    """A call that lists the rows of `changed` below `high`."""
    kind = np.full(64, KINEMATIC)
    return Call(list_movers, (np.zeros(0, np.int64), changed, high, kind, np.zeros(64, np.int64)), results, most)


def numbers(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def test_numbers_and_parts_of_lists_are_read_when_the_chain_runs(chain: type) -> None:
    rows, start, stop, high, result = np.arange(10), numbers(2), numbers(7), numbers(100), numbers(-1)
    made: Chain = chain([listing(Run(rows, start, stop), Cell(high), result)])
    assert made() == 1
    assert result.tolist() == [5]
    start[0], high[0] = 0, 3
    assert made() == 1
    assert result.tolist() == [3]


def test_a_call_without_rows_is_left_out_and_results_in_0(chain: type) -> None:
    rows, nowhere, result, other = np.arange(10), numbers(4), numbers(-1), numbers(-1)
    made: Chain = chain([listing(Run(rows, nowhere, nowhere), 100, result), listing(rows, 100, other)])
    assert made() == 2
    assert (result.tolist(), other.tolist()) == ([0], [10])


@pytest.mark.parametrize(("most", "ended_with"), [(9, 1), (10, 3)])
def test_a_chain_ends_where_a_result_is_too_great(chain: type, most: int, ended_with: int) -> None:
    first, result, other = numbers(-1), numbers(-1), numbers(-1)
    calls = [listing(np.arange(12), 100, first), listing(np.arange(10), 100, result, most)]
    made: Chain = chain([*calls, listing(np.arange(4), 100, other)])
    assert made() == ended_with
    assert (first.tolist(), result.tolist(), other.tolist()) == ([12], [10], [-1 if ended_with == 1 else 4])


def test_a_call_without_rows_never_ends_a_chain(chain: type) -> None:
    nowhere, result = numbers(4), numbers(-1)
    assert chain([listing(Run(np.arange(10), nowhere, nowhere), 100, result, -1)])() == 1
    assert result.tolist() == [0]


def test_the_time_is_put_where_a_call_says(chain: type) -> None:
    times, nowhere = np.zeros(2), numbers(4)
    calls = [listing(np.arange(10), 100, None), listing(Run(np.arange(10), nowhere, nowhere), 100, None)]
    before = perf_counter()
    chain([call._replace(done_at=times[k : k + 1]) for k, call in enumerate(calls)])()
    assert before <= times[0] <= times[1] <= perf_counter()


def test_several_results_stand_side_by_side(chain: type) -> None:
    bodies = BodyColumns().arrays
    bodies.kind[:3] = KINEMATIC
    bodies.island[1] = 1
    awake, parked = np.zeros((2, 3), np.int64)
    results = numbers(-1, -1)
    assert chain([Call(part_movers, (np.arange(3), bodies, awake, parked), results)])() == 1
    assert (results.tolist(), parked[:1].tolist()) == ([3, 1], [1])


def test_given_other_objects_than_it_was_prepared_for_it_does_nothing(chain: type) -> None:
    rows, result = np.arange(10), numbers(-1)
    made: Chain = chain([listing(rows, 100, result)], rows, result)
    for others in ((), (rows,), (rows, result.copy()), (rows, result, rows)):
        assert made(*others) is None
    assert result.tolist() == [-1]
    assert made(rows, result) == 1
    assert unprepared(rows) is None


@pytest.mark.skipif(WAY is not Way.PREBUILT, reason="machine code is looked after when the chain is made")
@pytest.mark.parametrize(
    "calls",
    [
        [Call(len, ())],
        [Call(list_movers, ())],
        [listing(Run(np.arange(3.0), numbers(0), numbers(1)), 1, None)],
        [listing(Run(np.arange(3), numbers(0), np.zeros(0, np.int64)), 1, None)],
        [listing(np.arange(3), Cell(np.zeros(1, np.int32)), None)],
        [listing(np.arange(3), Cell(np.zeros(1)), None)],
        [listing(np.arange(3), 1, np.zeros(0, np.int64))],
        [listing(np.arange(3), 1, None)._replace(done_at=np.zeros(1, np.int64))],
    ],
)
def test_what_machine_code_would_misread_is_refused(calls: Iterable[Call]) -> None:
    with pytest.raises((TypeError, ValueError)):
        chains.chain(calls)


class Owner:
    """Something with an attribute."""

    def __init__(self) -> None:
        self.value: object = "as before"


@pytest.mark.skipif(WAY is not Way.PREBUILT, reason="only machine code makes chains again")
class TestAgain:
    """A chain that is made again while conditions hold."""

    def setup_method(self) -> None:
        self.owner, self.things, self.table = Owner(), set[int](), {"here": 1}
        self.conditions: list[Condition] = [
            Same(self.owner, "value", self.owner.value),
            Empty(self.things),
            Present(self.table, "here"),
            Same(self.table, "here", self.table["here"]),
            Same(self.table, "there", None),
        ]
        self.number, self.left, self.result = np.zeros(1), numbers(NOTHING), numbers(-1)
        self.rows = np.arange(10)
        self.stop = numbers(10)
        calls = [listing(Run(self.rows, numbers(0), self.stop), 100, self.result, 5), listing(self.rows, 100, None)]
        self.again = again(chains.chain(calls), self.conditions, self.number, (0.1, 2.0), self.left)

    def test_it_says_whether_it_came_to_its_end_and_with_which_call_it_did_not(self) -> None:
        self.stop[0] = 4
        assert self.again(0.5) is True
        assert (self.number.item(), self.result.item(), self.left.item()) == (0.5, 4, NOTHING)
        self.stop[0] = 7
        assert self.again(0.25) is False
        assert (self.number.item(), self.left.item()) == (0.25, 0)
        assert self.again(0.75) is None, "something is left over"
        assert self.number.item() == 0.25
        self.left[0], self.stop[0] = NOTHING, 3
        assert self.again(0.75) is True

    @pytest.mark.parametrize("number", [0.05, 2.5, float("nan"), -1.0, 1, "1", None, True])
    def test_what_is_no_number_within_the_span_makes_nothing(self, number: Any) -> None:
        assert self.again(number) is None
        assert (self.number.item(), self.result.item()) == (0.0, -1)

    @pytest.mark.parametrize("which", range(5))
    def test_where_a_condition_does_not_hold_nothing_is_made(self, which: int) -> None:
        self.stop[0] = 4
        assert self.again(1.0) is True
        undo = (
            lambda: setattr(self.owner, "value", "other"),
            lambda: self.things.add(1),
            lambda: self.table.pop("here"),
            lambda: self.table.update(here=2),
            lambda: self.table.update(there=1),
        )[which]
        undo()
        self.result[0] = -1
        assert self.again(1.0) is None
        assert self.result.item() == -1

    def test_an_attribute_that_is_gone_is_an_error(self) -> None:
        del self.owner.value
        with pytest.raises(AttributeError, match="value"):
            self.again(1.0)

    @pytest.mark.parametrize("condition", [(), (1, 2), (1, 2, 3, 4), 1])
    def test_what_is_no_condition_is_refused(self, condition: Any) -> None:
        with pytest.raises(TypeError, match="a condition is"):
            again(chains.chain([]), [condition], self.number, (0.0, 1.0), self.left)
        with pytest.raises(TypeError, match="is no chain"):
            again(len, [], self.number, (0.0, 1.0), self.left)
