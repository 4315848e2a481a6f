"""Every block of Python in the pages runs as it is printed, one after another, and prints what is said beside it."""

from __future__ import annotations

import ast
import re
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import esper
import pytest

from benchmarks.__main__ import parse_arguments
from tests.documents.pages import PAGES, ROOT, Block, blocks, page_name

GAMES = ROOT / "docs" / "tutorial"
"""Pages with games that run until their window is closed; `tests/build_docs` plays them."""
PEERS = ("arcade", "pyb2d3", "pymunk")
"""Other engines, in which the pages "coming from" have games."""
PYTHON_PAGES = [
    page for page in PAGES if page.parent != GAMES and any(block.language == "python" for block in blocks(page))
]


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=page_name)
def test_blocks_run_in_order_from_a_fresh_start(
    page: Path, fresh_world: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some write files
    monkeypatch.setattr(esper, "World", None, raising=False)  # a page sets both, for games of esper 2
    monkeypatch.setattr(esper.Processor, "world", None, raising=False)
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        if "import numba" in block.code:
            pytest.importorskip("numba")
        if any(f"import {peer}\n" in block.code and find_spec(peer) is None for peer in PEERS):
            continue  # nothing else on the page needs it
        if block.language == "python":
            run_block(page, block, names, capsys)


def run_block(page: Path, block: Block, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Run a block, and compare what a line prints with the comment behind it, up to `...` or `:`."""
    lines = block.code.splitlines()
    for statement in ast.parse(block.code).body:
        ast.increment_lineno(statement, block.line - 1)
        exec(compile(ast.Module([statement], []), str(page), "exec", dont_inherit=True), names)
        said = re.search(r"^print\(.*\)  # (.+?)(\.\.\.)?(: .*)?$", lines[(statement.end_lineno or 0) - block.line])
        printed = capsys.readouterr().out.strip()
        if said is not None:
            assert printed.startswith(said[1]) if said[2] else printed == said[1]


def test_there_are_pages_to_run() -> None:
    assert {page_name(page) for page in PYTHON_PAGES} >= {"README.md", "docs/algorithms/any_two_shapes.md"}


COMMANDS = [line for page in PAGES for block in blocks(page) for line in block.code.splitlines()]


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("python -m benchmarks")])
def test_benchmark_commands_are_understood(command: str) -> None:
    parse_arguments(shlex.split(command, comments=True)[3:])


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_targets_of_make_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)", page.read_text("utf-8"))) <= targets
