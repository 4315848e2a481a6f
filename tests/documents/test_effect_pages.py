"""Pages of effects and the demos that play them are one: a page quotes the code of its demo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ecs_collide.demos.catalogue import MODULES
from tests.documents.pages import ROOT, blocks, definitions, link_targets

FOLDER = ROOT / "docs" / "effects"
EFFECTS = sorted(page for page in FOLDER.glob("*.md") if page.name != "README.md")


@pytest.mark.parametrize("page", EFFECTS, ids=lambda page: page.stem)
def test_a_page_quotes_the_demo_that_it_names(page: Path) -> None:
    named = re.findall(r"`python -m ecs_collide\.demos (\w+)`", page.read_text("utf-8"))
    assert named and set(named) <= set(MODULES)
    quoted = definitions("\n".join(block.code for block in blocks(page) if block.language == "python"))
    played: dict[str, str] = {}
    for name in named:
        played |= definitions((ROOT / "demos" / f"{MODULES[name]}.py").read_text("utf-8"))
    common = quoted.keys() & played.keys()
    assert common
    assert {name: quoted[name] for name in common} == {name: played[name] for name in common}


def test_the_index_lists_every_effect() -> None:
    assert {f"{page.stem}.md" for page in EFFECTS} == {
        link for link in link_targets(FOLDER / "README.md") if "/" not in link
    }
