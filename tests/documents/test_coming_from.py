"""The games of the pages "coming from" play alike in other engines and here.

`make test-peers` puts the engines that no other test needs into `build/peers`.
"""

from __future__ import annotations

import math
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest

from tests.documents.pages import ROOT, blocks

PEERS = ROOT / "build" / "peers"


def games(name: str) -> dict[str, Any]:
    """Run the blocks of a page that define its games, and return their names."""
    names: dict[str, Any] = {}
    for block in blocks(ROOT / "docs" / "coming_from" / f"{name}.md"):
        if "\ndef play" in block.code or block.code.startswith("def hold"):
            exec(block.code, names)
    return names


def test_pymunk_breaks_the_same_bricks(fresh_world: str) -> None:
    pytest.importorskip("pymunk")
    names = games("pymunk")
    bricks, place = names["play_in_pymunk"](8)
    assert names["broken"] == [pytest.approx(brick) for brick in bricks]
    assert len(bricks) == 5
    assert math.dist((names["x"], names["y"]), place) < 6.0  # pixels


def test_box2d_hits_the_same_targets(fresh_world: str) -> None:
    pytest.importorskip("pyb2d3")
    names = games("box2d")
    shots = [(14, 7), (10, 7), (10, 2)]
    assert names["play_in_box2d"](shots) == names["play"](shots) == [14, 11, 8]


def test_arcade_collects_the_same_coins(fresh_world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(PEERS)])
    pytest.importorskip("arcade")
    names = games("arcade")
    theirs, their_place = names["play_in_arcade"](names["keys"])
    assert theirs == names["coins"]
    assert math.dist(their_place, names["place"]) < 1.0  # pixels


def test_rectangles_of_pygame_score_the_same(fresh_world: str) -> None:
    pytest.importorskip("pygame")
    names = games("pygame")
    keys = ([-1] * 34 + [1] * 68 + [-1] * 34) * 8
    assert names["play_with_rects"](keys) == names["play"](keys) == ([4, 4], 3)


@pytest.mark.parametrize("version", ["1.5", "2.5"])
def test_the_game_for_esper_2_is_one(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = PEERS / f"esper_{version}"
    source = next((path for path in (folder / "esper.py", folder / "esper" / "__init__.py") if path.exists()), None)
    if source is None:
        pytest.skip(f"esper {version} is not in {folder}")
    spec = spec_from_file_location("esper", source)
    assert spec is not None and spec.loader is not None
    older = module_from_spec(spec)
    spec.loader.exec_module(older)
    monkeypatch.setitem(sys.modules, "esper", older)
    names: dict[str, Any] = {}
    (before,) = (b for b in blocks(ROOT / "docs" / "coming_from" / "esper.md") if "def play_in_esper_2" in b.code)
    exec(before.code, names)
    assert names["play_in_esper_2"]() == [[4, 8, 2, 4, 6], [4, 8, 12, 16, 2, 4, 6]]
