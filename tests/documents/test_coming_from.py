"""The game of the page "coming from" plays alike in pymunk and here."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.documents.pages import ROOT, blocks

pytest.importorskip("pymunk")


def test_both_games_break_the_same_bricks(fresh_world: str) -> None:
    names: dict[str, Any] = {}
    for block in blocks(ROOT / "docs" / "coming_from.md"):
        if "def play" in block.code:
            exec(block.code, names)
    bricks, place = names["play_in_pymunk"](8)
    assert names["broken"] == [pytest.approx(brick) for brick in bricks]
    assert len(bricks) == 5
    assert math.dist((names["x"], names["y"]), place) < 6.0  # pixels
