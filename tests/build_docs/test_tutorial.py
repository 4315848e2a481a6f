"""Each game of the tutorial runs, and does what its page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import esper
import pytest

import ecs_collide as ec
from build_docs.tutorial import (
    ONTO_THE_CLIFF,
    OVER_THE_BRIDGE,
    STEPS,
    Play,
    Press,
    code_of_step,
    mark_new_lines,
    new_lines,
    page_of_step,
    play_game,
)
from tests.documents.pages import ROOT, blocks, definitions
from tests.support.processes import run_python

pytestmark = pytest.mark.usefixtures("fresh_world")
DOCS = ROOT / "docs"


def play_step(step: int, *keys: Press, frames: int) -> dict[str, Any]:
    return play_game(code_of_step(step, DOCS), Play(frames, keys))


def coins(game: dict[str, Any]) -> int:
    players: list[Any] = [player for _, player in esper.get_component(game["Player"])]
    assert len(players) == 1
    return int(players[0].coins)


def place_of(kind: type) -> tuple[float, float]:
    ((entity, _),) = esper.get_component(kind)
    return esper.component_for_entity(entity, ec.Transform).position


@pytest.mark.parametrize("step", range(2, 7))
def test_a_page_lists_what_is_new(step: int) -> None:
    before, after = definitions(code_of_step(step - 1, DOCS)), definitions(code_of_step(step, DOCS))
    changed = {name for name, code in after.items() if before.get(name) != code}
    rows = re.findall(r"^\| `(\w+)` \|", page_of_step(step, DOCS).read_text("utf-8"), re.MULTILINE)
    assert before.keys() <= after.keys()
    assert set(rows) == changed


@pytest.mark.parametrize("step", STEPS)
def test_a_page_quotes_its_game(step: int) -> None:
    game = code_of_step(step, DOCS)
    lines = {line.partition("  #")[0].strip() for line in game.splitlines()}
    for block in blocks(page_of_step(step, DOCS)):
        if block.language == "python" and block.code != game and not block.code.startswith("# test_game.py"):
            assert {line.strip() for line in block.code.splitlines()} <= lines


def test_lines_that_differ_from_the_step_before_are_marked(tmp_path: Path) -> None:
    assert new_lines("a = 1\nb = 2\n", "a = 1\n\nc = 3\nb = 4\n") == [3, 4]
    (tmp_path / "tutorial").mkdir()
    for step in STEPS:
        page_of_step(step, tmp_path).write_text(page_of_step(step, DOCS).read_text("utf-8"), "utf-8")
    mark_new_lines(tmp_path)
    (marked,) = re.findall(r'hl_lines="([\d ]+)"\n(.*?)```', page_of_step(3, tmp_path).read_text("utf-8"), re.DOTALL)
    lines = [marked[1].splitlines()[int(number) - 1] for number in marked[0].split()]
    assert "class Coin:" in lines and "class Sprite:" not in lines and "" not in lines


@pytest.mark.parametrize("step", STEPS)
def test_each_step_plays_its_picture(step: int, tmp_path: Path) -> None:
    picture = tmp_path / "step.png"
    play_game(code_of_step(step, DOCS), STEPS[step], picture)
    assert picture.stat().st_size > 1000


def test_the_crate_falls_onto_the_ground() -> None:
    game = play_step(1, frames=90)
    ((crate, _),) = esper.get_component(game["Sprite"])
    assert esper.component_for_entity(crate, ec.Transform).y == pytest.approx(422, abs=1)


def test_the_player_jumps_onto_the_tiles_and_collects_a_coin() -> None:
    game = play_step(3, *ONTO_THE_CLIFF, frames=165)
    assert coins(game) == 1 and len(esper.get_component(game["Coin"])) == 2
    assert place_of(game["Player"])[1] == pytest.approx(218, abs=1)


def test_the_enemy_sends_a_player_who_walks_into_it_back() -> None:
    game = play_step(4, Press("RIGHT", 5, 220), Press("SPACE", 40, 41), frames=220)
    assert len(esper.get_component(game["Slime"])) == 1
    assert place_of(game["Player"])[0] < 200


def test_a_bullet_removes_the_enemy_and_ends() -> None:
    game = play_step(5, *OVER_THE_BRIDGE, frames=220)
    assert esper.get_component(game["Slime"]) == [] and esper.get_component(game["Bullet"]) == []


def test_the_bridge_carries_the_player_to_the_other_side() -> None:
    game = play_step(5, *OVER_THE_BRIDGE, Press("RIGHT", 141, 220), frames=220)
    assert place_of(game["Player"])[0] > 600


def test_restart_puts_everything_back_and_a_pause_stops_it() -> None:
    game = play_step(6, *ONTO_THE_CLIFF, Press("r", 165, 165), Press("p", 166, 166), frames=200)
    assert coins(game) == 0 and len(esper.get_component(game["Coin"])) == 3
    assert place_of(game["Player"])[0] == pytest.approx(60, abs=4)


def test_the_tests_of_the_last_step_pass(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(code_of_step(6, DOCS), "utf-8")
    (test,) = (block.code for block in blocks(DOCS / "tutorial/step_6.md") if block.code.startswith("# test_game.py"))
    (tmp_path / "test_game.py").write_text(test, "utf-8")
    run = run_python("-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)
    assert "2 passed" in run.stdout
