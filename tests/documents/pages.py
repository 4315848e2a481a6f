"""The project's pages, and what is in them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


class Block(NamedTuple):
    """A block of code."""

    language: str
    """Output that the page states; empty if it states none."""
    line: int
    """The page's line in which the code begins, counted from 1."""
    code: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [Block(match[1], text[: match.start(2)].count("\n") + 1, match[2]) for match in found]


def link_targets(page: Path) -> list[str]:
    """Return the targets of links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))


def definitions(code: str) -> dict[str, str]:
    """Return the functions and classes of a source by their names, without comments and blank lines."""
    kinds = ast.FunctionDef | ast.ClassDef
    return {node.name: ast.dump(node) for node in ast.parse(code).body if isinstance(node, kinds)}
