"""A kernel is compiled again exactly when something that it depends on has changed."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

pytest.importorskip("numba")

from build_kernels.fingerprint import Fingerprint

SOURCE = """
from typing import NamedTuple
from ecs_collide.kernels.arrays import Floats, FloatTable
from ecs_collide.kernels.bundle import Bundle

FACTOR = 2.0
OTHER = 1.0

class Columns(Bundle):
    first: Floats
    second: Floats

def callee(x):
    return x * FACTOR

def kernel(columns: Columns, k: int):
    '''Return an item.'''
    return callee(columns.first[k])

def unused(x):
    return x + OTHER
"""


def fingerprint(monkeypatch: pytest.MonkeyPatch, source: str) -> str:
    module = ModuleType("ecs_collide.of_a_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    module.__file__ = __file__
    exec(source, vars(module))
    return Fingerprint().of_kernel(module.kernel)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("FACTOR = 2.0", "FACTOR = 3.0"),
        ("return x * FACTOR", "return FACTOR + x"),
        ("columns.first[k]", "columns.second[k]"),
        ("first: Floats", "first: FloatTable"),
        ("    first: Floats\n    second: Floats", "    second: Floats\n    first: Floats"),
        ("k: int", "k: bool"),
    ],
)
def test_changes_that_change_the_fingerprint(monkeypatch: pytest.MonkeyPatch, before: str, after: str) -> None:
    assert before in SOURCE
    assert fingerprint(monkeypatch, SOURCE.replace(before, after)) != fingerprint(monkeypatch, SOURCE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("OTHER = 1.0", "OTHER = 5.0"),
        ("return x + OTHER", "return x"),
        ("\nFACTOR", "\n#\nFACTOR"),
        ("an item", "the item"),
    ],
)
def test_changes_that_keep_the_fingerprint(monkeypatch: pytest.MonkeyPatch, before: str, after: str) -> None:
    assert before in SOURCE
    assert fingerprint(monkeypatch, SOURCE.replace(before, after)) == fingerprint(monkeypatch, SOURCE)
