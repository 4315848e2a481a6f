"""Tests of the fuzzer: it finds planted faults, repeats a case of a seed, and shortens cases."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

import ecs_collide as ec
from tests.fuzz.__main__ import play_case, snippet
from tests.fuzz.case import play_random, replay
from tests.fuzz.planted import force_hangs, plan_keeps_to_arrays_that_were_left, wake_crashes
from tests.fuzz.runner import START, Runner
from tests.fuzz.shrink import Operations, shrink

BODY = ("create", 1, (("Collider", (("shape", ("Circle", 0.5)),)), ("Transform", ()), ("Velocity", ())))


def test_a_seed_always_makes_the_same_case() -> None:
    first, second = play_random("same"), play_random("same")
    assert first == second
    assert first.faults == ()
    assert len(first.operations) > 100


def test_a_case_done_again_from_its_operations_goes_the_same_way() -> None:
    case = play_random("again")
    assert replay(case.operations, thorough=4).trace == case.trace


def test_a_planted_fault_is_found_and_made_short(monkeypatch: pytest.MonkeyPatch) -> None:
    touching = ec.PhysicsWorld.touching
    monkeypatch.setattr(ec.PhysicsWorld, "touching", lambda self, a, b: touching(self, a, b) and a > 2)
    case = next(case for number in count() if (case := play_random(f"planted/{number}")).faults)
    assert case.faults[0][0] == "touching"
    short = shrink(case.operations, lambda operations: _kind(operations) == "touching")
    assert len(short) <= 6
    found: dict[str, Any] = {}
    exec(snippet(short, "touching"), found)
    assert found["operations"] == short


def _kind(operations: Operations) -> str | None:
    faults = replay(operations).faults
    return faults[0][0] if faults else None


def test_an_endless_loop_is_found() -> None:
    """The loop never ends, so a short limit is enough on every machine."""
    hangs = ("install", ()), BODY, ("step", 0.02, 1), ("force", 1, (1.0, 0.0), None)
    with Runner(START, force_hangs) as runner:
        assert runner.replay(hangs[:-1]).faults == ()
        assert runner.replay(hangs, limit=0.5).faults[0][0] == "hang"


def test_a_crash_of_the_interpreter_is_found_with_its_operations() -> None:
    with Runner(START, wake_crashes) as runner:
        case = next(case for number in count() if (case := play_case(runner, f"crash/{number}")).faults)
    assert case.faults[0][0] == "crash"
    assert "wake" in repr(case.operations)


def test_a_list_that_grows_while_nothing_else_does_is_found_to_be_left_in_the_plan() -> None:
    """In a cramped world one more body is enough; in others dozens are needed, and the memory behind decides."""
    boxes = ("crowd", 1_000_000, 8, ("Box", 1.0, 1.0), (0.0, 0.0, 3.0, 10), False, True, None)
    turns = [("turn", 1_000_000, 0, count, 1, "kinematic") for count in (1, 2)]
    case = ("install", ()), boxes, turns[0], ("step", 0.02, 2), turns[1], ("step", 0.02, 2)
    with Runner(START, plan_keeps_to_arrays_that_were_left) as runner:
        assert runner.replay(case).faults == ()
        assert runner.replay((("cramp",), *case)).faults[0][0] == "crash"
    assert replay((("cramp",), *case)).faults == ()


def test_crowds_fill_lists_that_small_worlds_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.case.CROWDED", 1.0)
    case = play_random("crowded/1")
    assert case.faults == ()
    assert {"crowd", "turn"} <= {operation[0] for operation in case.operations}
    assert replay(case.operations, thorough=10).trace == case.trace


def test_operations_on_missing_entities_do_nothing() -> None:
    """Operations on missing labels do nothing, so that shrinking may leave out any operation."""
    operations = [operation for number in range(5) for operation in play_random(number).operations]
    for name in sorted({operation[0] for operation in operations}):
        alone = tuple(operation for operation in operations if operation[0] == name)
        assert replay(alone).faults == (), name
