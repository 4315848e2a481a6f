"""Division of kernels among processes."""

from __future__ import annotations

import pytest

pytest.importorskip("numba")

from build_kernels.workers import divide_kernels

SOLVER = {"solve": 300, "row": 200}
TREE = {"descend": 250, "box": 250}
KERNELS = {
    "step": {"step": 50, **SOLVER},
    "step_with_joints": {"step_with_joints": 60, **SOLVER},
    "nearest": {"nearest": 40, **TREE},
    "hits": {"hits": 30, **TREE},
}


def test_each_kernel_is_translated_by_one_process() -> None:
    for count in (1, 2, 3, 7):
        divided = divide_kernels(KERNELS, count)
        assert len(divided) == count
        assert sorted(name for part in divided for name in part) == sorted(KERNELS)


def test_kernels_of_the_same_functions_go_to_one_process() -> None:
    assert sorted(map(sorted, divide_kernels(KERNELS, 2))) == [["hits", "nearest"], ["step", "step_with_joints"]]


def test_no_process_gets_much_more_than_its_part() -> None:
    alike = {f"kernel{k}": {f"kernel{k}": 10, "shared": 500} for k in range(100)}
    assert max(map(len, divide_kernels(alike, 2))) < 90


def test_nothing_to_divide() -> None:
    assert divide_kernels({}, 2) == [[], []]
