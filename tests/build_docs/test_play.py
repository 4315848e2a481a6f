"""The page on which demos are played in the browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from build_docs.gallery import add_gallery
from build_docs.play import PLAYABLE, add_play_page
from build_docs.play_page.player import Player

NUMPY, BLAS = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl", "openblas-0.3.26.zip"
FILES = (
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    NUMPY,
    BLAS,
    "esper-3.9-py3-none-any.whl",
    "ecs_collide-0.1.0-cp311-abi3-pyemscripten_2026_0_wasm32.whl",
)
LOCK = {
    "packages": {
        "numpy": {"file_name": NUMPY, "depends": ["openblas"]},
        "openblas": {"file_name": BLAS, "depends": []},
        "scipy": {"file_name": "scipy-1.14.1.whl", "depends": ["numpy"]},
    }
}


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    folder = tmp_path / "pyodide"
    folder.mkdir()
    for name in (*FILES, "scipy-1.14.1.whl"):
        (folder / name).write_text(name)
    (folder / "pyodide-lock.json").write_text(json.dumps(LOCK))
    return folder


def test_the_page_and_all_that_it_loads_is_copied(runtime: Path, tmp_path: Path) -> None:
    add_play_page(tmp_path, runtime)
    copied = {path.name for path in (tmp_path / "play").iterdir()}
    assert copied == {*FILES, "pyodide-lock.json", "index.html", "player.js", "player.py"}
    page = (tmp_path / "play" / "index.html").read_text()
    assert f'["numpy", "./{FILES[-2]}", "./{FILES[-1]}"]' in page
    assert all(f'<option id="{name}">' in page for name in PLAYABLE)


@pytest.mark.parametrize("missing", [NUMPY, BLAS, "pyodide.asm.wasm", FILES[-1], FILES[-2]])
def test_a_missing_file_is_named(missing: str, runtime: Path, tmp_path: Path) -> None:
    (runtime / missing).unlink()
    with pytest.raises(FileNotFoundError, match=missing.partition("-")[0]):
        add_play_page(tmp_path, runtime)
    assert not (tmp_path / "play").exists()


@pytest.mark.parametrize("playable", [(), PLAYABLE])
def test_the_gallery_links_to_the_page_if_there_is_one(playable: list[str], tmp_path: Path) -> None:
    (tmp_path / "demos.md").write_text("# Demos\n")
    add_gallery(tmp_path, animated=False, playable=playable)
    assert (tmp_path / "demos.md").read_text().count("play/index.html#") == len(playable)


def test_a_player_steps_and_returns_strokes(fresh_world: str) -> None:
    player = Player("pyramid")
    try:
        before, after = (json.loads(player.frame(steps, 0.0, False, None, None)) for steps in (0, 150))
    finally:
        player.end()
    (width, _), background, strokes = before
    assert width == 900 and background == "#1a1d26"
    assert {stroke[0] for stroke in strokes} == {"polygon", "polyline", "text"}
    assert sum(stroke[0] == "polygon" for stroke in strokes) >= 78  # boxes
    assert after[2] != strokes


def test_keys_and_the_mouse_steer(fresh_world: str) -> None:
    places = []
    for x in (100.0, 300.0):
        player = Player("air_hockey")
        player.frame(60, 0.0, False, x, 200.0)
        places.append(json.loads(player.frame(0, 0.0, False, None, None))[2])
        player.end()
    assert places[0] != places[1]
