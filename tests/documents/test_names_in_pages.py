"""Names of the code that pages for maintainers mention exist: a name that changes is changed there as well."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import pytest_ecs_collide
from tests.documents.pages import ROOT, page_name

MAINTAINERS = [
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs" / name for name in ("design.md", "glossary.md", "building.md", "exact_response.md")),
    *sorted((ROOT / "docs" / "internals").glob("*.md")),
]
FOLDERS = (
    "benchmarks",
    "build_docs",
    "build_kernels",
    "components",
    "demos",
    "docs",
    "ecs_collide",
    "systems",
    "tests",
)
SOURCES = {".py", ".pyi", ".c", ".h", ".toml", ".js"}
NO_NAMES = re.compile(r"foo|\*|utils\.py", re.IGNORECASE)
"""Placeholders of recipes, patterns, and the name that no file may have."""
SHORTEST = 4


@cache
def names_of_the_code() -> tuple[set[str], set[str]]:
    """Return all words of the sources and names of folders, and the names of all files."""
    words, names = set[str](), set[str]()
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    plugin = Path(pytest_ecs_collide.__file__)  # from a wheel it is installed elsewhere
    for path in (*paths, *ROOT.glob("*"), plugin):
        names.add(path.name)
        if path.is_dir():
            words.add(path.name)
        elif path.suffix in SOURCES or path.name == "Makefile":
            words.update(re.findall(r"\w+", path.read_text("utf-8")))
    return words, names


@pytest.mark.parametrize("page", MAINTAINERS, ids=page_name)
def test_names_in_pages_for_maintainers_exist(page: Path) -> None:
    words, files = names_of_the_code()
    missing = set[str]()
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for code in re.findall(r"`([^`]+)`", text):
        if NO_NAMES.search(code):
            continue
        if re.fullmatch(r"[\w./]+\.(py|c|h|md)", code):
            missing.update({code} if code.rpartition("/")[2] not in files else ())
        else:
            missing.update(
                name for name in re.findall(r"[A-Za-z_]\w*", code) if len(name) >= SHORTEST and name not in words
            )
    assert not missing
