"""A test run is the same each time: what is drawn at random is drawn from fixed seeds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
FILES = [
    path
    for folder in ("tests", "benchmarks", "demos")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "fuzz" not in path.parts  # takes a new seed on purpose
]
GENERATORS = {"default_rng", "Random", "RandomState"}


def test_hypothesis_draws_equal_examples_without_an_option(pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("--hypothesis-profile") is None:
        assert settings().derandomize


def test_no_generator_takes_its_seed_from_the_clock() -> None:
    unseeded = [f"{path.relative_to(ROOT)}:{line}" for path in FILES for line in _unseeded(path)]
    assert not unseeded


def _unseeded(path: Path) -> Iterator[int]:
    """The lines that make a generator without a seed, or draw from the one that all modules share.

    numpy's own shared generator is ruff's business.
    """
    tree = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    shared = any(isinstance(node, ast.Import) and node.names[0].name == "random" for node in tree)
    for node in tree:
        if not isinstance(node, ast.Call):
            continue
        *owner, name = ast.unparse(node.func).split(".")
        if name in GENERATORS:
            if not node.args and not node.keywords:
                yield node.lineno
        elif owner == ["random"] and shared:
            yield node.lineno
