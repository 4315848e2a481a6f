"""Numbers in attributes, read and written as arrays."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ecs_collide.native import read_numbers, write_numbers
from ecs_collide.native.attributes import path_of

PATHS = (("x",), ("at", "y"))


def things() -> list[Any]:
    return [SimpleNamespace(x=0.5 * k, at=SimpleNamespace(y=float(-k))) for k in range(5)]


def test_a_written_value_is_read() -> None:
    objects, numbers = things(), np.empty((5, 2))
    assert read_numbers(objects, PATHS, numbers) is True
    assert numbers.tolist() == [[0.5 * k, -k] for k in range(5)]
    write_numbers(objects, PATHS, np.ascontiguousarray(numbers[::-1]))
    assert [(one.x, one.at.y) for one in objects] == [(0.5 * k, -k) for k in range(4, -1, -1)]
    objects[2].x = 7
    assert read_numbers(objects, PATHS, numbers) is False
    assert numbers[2].tolist() == [7.0, -2.0]


def test_paths_through_one_attribute_and_through_others() -> None:
    paths = ("at.x", "at.y", "turn", "by.x")
    objects = [
        SimpleNamespace(at=SimpleNamespace(x=-1.0, y=2.0 * k), turn=3.0 * k, by=SimpleNamespace(x=4.0 * k))
        for k in range(3)
    ]
    numbers = np.empty((3, 4))
    assert read_numbers(objects, tuple(map(path_of, paths)), numbers) is True
    assert numbers.tolist() == [[-1.0, 2.0 * k, 3.0 * k, 4.0 * k] for k in range(3)]
    write_numbers(objects, tuple(map(path_of, paths)), numbers + 10.0)
    assert [(one.at.x, one.at.y, one.turn, one.by.x) for one in objects] == [
        (9.0, 10.0 + 2.0 * k, 10.0 + 3.0 * k, 10.0 + 4.0 * k) for k in range(3)
    ]


def test_only_the_numbers_that_are_meant_are_written_and_read() -> None:
    objects = [SimpleNamespace(at=SimpleNamespace(x=0.0, y=0.0), turn=0.0) for _ in range(4)]
    which = np.array([[1, 0, 1], [0, 1, 0], [0, 0, 0], [0, 0, 1]], np.bool_)
    paths, found = tuple(map(path_of, ("at.x", "at.y", "turn"))), np.full((4, 3), 5.0)
    write_numbers(objects, paths, np.full((4, 3), 2.0), which)
    assert [[one.at.x > 0.0, one.at.y > 0.0, one.turn > 0.0] for one in objects] == which.tolist()
    objects[2].turn = 7
    assert read_numbers(objects, paths, found, which) is True
    assert found.tolist() == np.where(which, 2.0, 5.0).tolist()
    for wrong in (which[:3], which.astype(np.float64)):
        with pytest.raises(ValueError, match="each object and path"):
            write_numbers(objects, PATHS, np.zeros((4, 2)), wrong)


@pytest.mark.parametrize(("value", "error"), [("1", TypeError), (None, TypeError), (10**400, OverflowError)])
def test_a_value_that_is_no_number_is_refused(value: Any, error: type[Exception]) -> None:
    objects = things()
    objects[3].at.y = value
    with pytest.raises(error):
        read_numbers(objects, PATHS, np.empty((5, 2)))
    with pytest.raises(AttributeError):
        read_numbers(objects, (("nowhere",),), np.empty((5, 1)))
    with pytest.raises(AttributeError):
        write_numbers(objects, (("at", "z", "y"),), np.zeros((5, 1)))


def test_nothing_to_read_is_no_error() -> None:
    assert read_numbers([], PATHS, np.empty((0, 2))) is True
    write_numbers([], PATHS, np.empty((0, 2)))
