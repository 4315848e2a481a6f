"""A stage's arguments have the form of its first call, and where they have not it says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import config

from ecs_collide.compiled.bundle import Bundle
from ecs_collide.compiled.jit import stage

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="without the JIT every call is looked at anyway")


class Columns(Bundle):
    values: np.ndarray


class Factors(NamedTuple):
    first: float
    second: float


FACTORS = Factors(1.0, 2.0)


def table() -> np.ndarray:
    return np.arange(6.0).reshape(3, 2)


def a_stage() -> Callable[..., Any]:
    @stage
    def total(columns, table, count, factors):  # type: ignore[no-untyped-def]
        result = 0.0
        for k in range(count):
            result += factors.first * columns.values[k] + factors.second * table[k, 0]
        return result

    return total


def test_calls_of_the_same_form_pass() -> None:
    total = a_stage()
    for _ in range(3):
        assert total(Columns(np.ones(3)), table(), 3, FACTORS) == 15.0
        assert total(Columns(np.ones(5)), table()[:2], np.int64(2), Factors(2.0, 1.0)) == 6.0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("columns", Columns(np.ones(3, np.float32))),
        ("columns", Columns(np.ones((3, 1)))),
        ("table", np.asfortranarray(table())),
        ("table", np.arange(12.0).reshape(3, 4)[:, ::2]),
        ("table", table().astype(np.int64)),
        ("table", np.arange(3.0)),
        ("count", 3.0),
        ("count", True),
        ("factors", Factors(1.0, 2)),
        ("factors", (1.0, 2.0)),
        ("factors", FACTORS._asdict()),
    ],
)
def test_arguments_of_another_form_than_in_the_first_call_are_refused(name: str, value: object) -> None:
    total = a_stage()
    arguments = {"columns": Columns(np.ones(3)), "table": table(), "count": 3, "factors": FACTORS}
    total(*arguments.values())
    with pytest.raises(TypeError, match=f"total: {name} was .* in the first call, now it is "):
        total(*(arguments | {name: value}).values())
    assert total(*arguments.values()) == 15.0


def test_a_wrong_number_of_arguments_is_refused() -> None:
    total = a_stage()
    total(Columns(np.ones(3)), table(), 3, FACTORS)
    with pytest.raises(TypeError, match="total takes 4 arguments, got 3"):
        total(Columns(np.ones(3)), table(), 3)


@pytest.mark.parametrize("where", ["columns", "table"])
def test_a_first_call_with_an_array_that_is_not_contiguous_is_refused(where: str) -> None:
    total = a_stage()
    values, rows = np.ones(6), table()
    if where == "columns":
        values = values[::2]
    else:
        rows = np.asfortranarray(rows)
    with pytest.raises(TypeError, match=f"total: {where} is not contiguous: .*not c_contiguous"):
        total(Columns(values), rows, 3, FACTORS)
    assert total(Columns(np.ones(3)), table(), 3, FACTORS) == 15.0
