"""The parts of numba that the build uses are there, and stand in one file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytest.importorskip("numba")

from numba.core.compiler import CompilerBase

import build_kernels
import ecs_collide
from ecs_collide.kernels import numba_internals

PUBLIC = {"numba", "numba.extending"}
"""Modules of numba whose names it documents."""


def test_this_version_of_numba_has_all_parts() -> None:
    assert numba_internals.find_missing() == []


def test_a_missing_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(CompilerBase, "_compile_core")
    with pytest.raises(ImportError, match=r"^numba \S+ lacks CompilerBase._compile_core, which the build"):
        numba_internals.check_numba()


def test_no_other_file_imports_parts_that_numba_does_not_promise() -> None:
    found = []
    for top in (Path(ecs_collide.__path__[0]), Path(build_kernels.__path__[0])):
        for file in top.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
                found += [file.name for name in names if name.partition(".")[0] == "numba" and name not in PUBLIC]
    assert set(found) == {"numba_internals.py"}
