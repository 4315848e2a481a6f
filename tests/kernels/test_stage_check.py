"""A stage's arguments are what it declares, and where they are not it says so; every stage declares all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import ecs_collide  # noqa: F401  # with all its stages
from ecs_collide.kernels.arrays import Floats, FloatsIn, FloatTable
from ecs_collide.kernels.bundle import Bundle
from ecs_collide.kernels.kernel import stage
from ecs_collide.kernels.signature import declared, letters
from tests.support.own_kernels import compiled_only

pytestmark = compiled_only


class Columns(Bundle):
    values: Floats


class Factors(NamedTuple):
    first: float
    second: float


FACTORS = Factors(1.0, 2.0)


def table() -> np.ndarray:
    return np.arange(6.0).reshape(3, 2)


def a_stage() -> Callable[..., Any]:
    @stage
    def total(columns: Columns, table: FloatTable, count: int, factors: Factors) -> float:
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
        ("factors", FACTORS._asdict()),
    ],
)
def test_arguments_other_than_declared_are_refused(name: str, value: object) -> None:
    total = a_stage()
    arguments = {"columns": Columns(np.ones(3)), "table": table(), "count": 3, "factors": FACTORS}
    for _ in range(2):
        with pytest.raises(TypeError, match=f"total: {name}.* must be .*, got "):
            total(*(arguments | {name: value}).values())
        assert total(*arguments.values()) == 15.0


def test_a_wrong_number_of_arguments_is_refused() -> None:
    total = a_stage()
    for _ in range(2):
        with pytest.raises(TypeError, match="total takes 4 arguments, got 3"):
            total(Columns(np.ones(3)), table(), 3)
        total(Columns(np.ones(3)), table(), 3, FACTORS)


def test_only_an_array_that_is_declared_so_may_be_read_only() -> None:
    @stage
    def total(values: FloatsIn, kept: Floats) -> float:
        kept[0] = values[0] + values[1]
        return kept[0]  # type: ignore[no-any-return]

    fixed, kept = np.ones(2), np.ones(2)
    fixed.flags.writeable = False
    assert total(fixed, kept) == 2.0
    with pytest.raises(TypeError, match="total: kept must be 1d, got r1d"):
        total(fixed, fixed)


def test_a_stage_that_does_not_declare_all_it_takes_is_refused() -> None:
    @stage
    def total(values: Floats, count):  # type: ignore[no-untyped-def]
        return values[count]

    with pytest.raises(TypeError, match=r"total does not declare count"):
        total(np.ones(3), 1)


def stages() -> list[Any]:
    """Every stage of the package, but for those that another module has from its own."""
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith("ecs_collide.")]
    return [
        value
        for module in modules
        for value in vars(module).values()
        if hasattr(value, "dispatcher") and value.__module__ == module.__name__
    ]


def test_every_stage_declares_what_it_takes() -> None:
    words = {
        stage.__name__: [letters(hint) for hint in declared(stage.dispatcher.py_func).values()] for stage in stages()
    }
    assert len(words) > 50
    assert words["time_rest"] == ["1q", "{ecs_collide.data.bodies.Bodies}", "2d", "d", "d", "d"]
