"""The reference names everything that is public, and nothing else."""

from __future__ import annotations

import re
from functools import reduce

import ecs_collide as ec
from ecs_collide import algorithms, draw, from_data, recording, shapes, systems, testing, worlds
from tests.documents.pages import ROOT

PAGES = sorted((ROOT / "docs" / "reference").glob("*.md"))
LISTED = [
    name for page in PAGES for name in re.findall(r"^::: ecs_collide\.(\S+)$", page.read_text("utf-8"), re.MULTILINE)
]


def test_every_public_name_is_listed_once() -> None:
    last = [name.rpartition(".")[2] for name in LISTED if not name.startswith("testing.fresh_world")]
    assert len(set(last)) == len(last)
    public = {*ec.__all__}.union(
        *(module.__all__ for module in (algorithms, draw, from_data, recording, shapes, systems, testing, worlds))
    )
    assert public - set(last) == set()


def test_every_listed_name_exists() -> None:
    for name in LISTED:
        if name.startswith(("step.", "components.joints.", "testing.strategies")):
            continue  # of modules that a game does not import
        assert reduce(getattr, name.split("."), ec) is not None
