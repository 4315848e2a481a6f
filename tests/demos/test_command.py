"""The command `python -m ecs_collide.demos`."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import numpy as np
import pygame
import pytest
from PIL import Image, ImageSequence

from ecs_collide import draw
from ecs_collide.demos import __main__ as command, headless, window
from ecs_collide.demos.catalogue import MODULES, load, summary
from ecs_collide.demos.picture import STRIP, Photographer, camera_of
from ecs_collide.demos.pyramid import Pyramid
from ecs_collide.demos.scene import DT, Run
from tests.support.processes import run_script


def test_without_a_name_all_demos_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(MODULES)
    for name, line in zip(MODULES, lines, strict=True):
        assert line.endswith(summary(name))
        assert summary(name).endswith(".")


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the message of the command if it cannot start."""
    with pytest.raises(SystemExit) as stopped:
        command.main(list(arguments))
    assert stopped.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


def test_an_unknown_name_is_refused_with_the_names_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    said = refusal(capsys, "biliards")
    assert "no demo 'biliards'" in said
    assert all(name in said for name in MODULES)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--headless"], "name a demo"),
        (["pyramid", "--frames", "0"], "must be a number of steps, 1 or more, got '0'"),
        (["pyramid", "--frames", "many"], "must be a number of steps, 1 or more, got 'many'"),
        (["pyramid", "--headless", "--out", "film.avi"], "must end in .gif or .png, got 'film.avi'"),
        (["pyramid", "--out", "film.gif"], "--out needs --headless"),
    ],
)
def test_other_mistakes_are_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], reason: str) -> None:
    assert reason in refusal(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "module", "library"),
    [
        (["pyramid"], "pygame", "pygame-ce"),
        (["pyramid", "--headless", "--out", "pyramid.gif"], "PIL", "Pillow"),
        (["cave", "--headless"], "pytmx", "pytmx"),
    ],
)
def test_without_a_library_the_error_names_the_package(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    module: str,
    library: str,
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == module else find(name))
    said = refusal(capsys, *arguments)
    assert said.endswith(f'{library} not found: pip install "ecs_collide[demos]"')


def test_without_a_display_it_suggests_headless(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(pygame.display, "set_mode", no_display)
    assert "--headless --out pyramid.gif" in refusal(capsys, "pyramid")


def no_display(size: tuple[int, int]) -> None:
    raise pygame.error("No available video device")


def test_a_window_shows_the_requested_number_of_steps(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert command.main(["platformer", "--frames", "3"]) == 0
    assert "space to jump" in capsys.readouterr().out


def test_headless_prints_the_result_and_writes_a_film(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "made for it" / "hello.gif"
    assert command.main(["hello", "--headless", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    for part in (
        str(out),
        "60 frames",
        "bodies    2, of which 1 can move",
        "contacts  ",
        " ms (median of 119)",
        "after one bounce",
    ):
        assert part in said
    with Image.open(out) as film:
        assert film.size == (720, 436)
        assert film.info["loop"] == 0
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(film)]
    assert len(durations) == 60
    assert sum(durations[:-1]) / 59 == pytest.approx(1000 / 30, rel=0.02)
    assert out.stat().st_size < 3e6


@pytest.mark.parametrize(("name", "bytes_a_picture"), [("gas", 70_000), ("shapes", 26_000), ("sectors", 20_000)])
def test_films_of_much_that_moves_stay_small(name: str, bytes_a_picture: int, tmp_path: Path) -> None:
    """A whole film has 80, 600 and 225 pictures, most of the second with nothing in motion: none comes to 6 MB."""
    with Run(name, load(name)) as run:
        headless.play(run, 60, tmp_path / "film.gif")
        pictures = 60 // run.demo.steps_per_picture
    assert (tmp_path / "film.gif").stat().st_size < bytes_a_picture * (pictures + 1)


def test_a_film_shows_the_pictures_of_a_window(tmp_path: Path) -> None:
    with Run("pyramid", load("pyramid")) as run:
        headless.play(run, 150, tmp_path / "film.gif")
        camera = camera_of(run.demo, headless.WIDTH)
        scene = Photographer(run.demo).photograph(run.frame * DT, run.caption(), camera.scale)
        canvas = pygame.Surface((3 * camera.size[0], 3 * camera.size[1]))
        canvas.fill(run.demo.background)
        enlarged = draw.Camera(canvas.get_size(), camera.center, 3 * camera.scale)
        draw.pygame(canvas, scene, enlarged, enlarged=3)
        drawn = pygame.surfarray.array3d(pygame.transform.smoothscale(canvas, camera.size)).swapaxes(0, 1)
    with Image.open(tmp_path / "film.gif") as film:
        *_, last = (np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(film))
    off = np.abs(last.astype(int) - drawn).max(axis=2)[STRIP:]
    assert np.mean(off > 24) < 0.02


def test_headless_writes_the_last_step_as_a_still(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "pyramid.png"
    assert command.main(["pyramid", "--headless", "--frames", "5", "--out", str(out)]) == 0
    assert "not checked: that takes 360 steps" in capsys.readouterr().out
    with Image.open(out) as still:
        assert still.size == (720, 374)
        colours = still.convert("RGB").getcolors(1 << 20)
    assert colours is not None
    assert any(math.dist(colour, (232, 174, 88)) < 4 for _, colour in colours if isinstance(colour, tuple))


def test_headless_without_a_file_needs_no_library() -> None:
    code = (
        "import sys; sys.modules['pygame'] = sys.modules['PIL'] = None; from ecs_collide.demos.__main__ import main; "
        "sys.exit(main(['cradle', '--headless', '--frames', '3']))"
    )
    run_script(code)


def test_a_failed_check_is_the_exit_status(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pyramid, "frames", 1)
    assert command.main(["pyramid", "--headless"]) == 1
    assert "FAILED    the ball displaced only 0 boxes" in capsys.readouterr().out


def test_a_file_that_cannot_be_written_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    out = tmp_path / "file" / "hello.gif"
    assert command.main(["hello", "--headless", "--frames", "2", "--out", str(out)]) == 2
    assert f"cannot write {out}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("due", "steps", "left"), [(1.0, 1, 0.0), (0.96, 1, -0.04), (1.9, 2, -0.1), (0.4, 0, 0.4), (90.0, 4, 0.0)]
)
def test_a_window_that_draws_slowly_makes_more_steps_in_between(due: float, steps: int, left: float) -> None:
    assert window._whole(due) == pytest.approx((steps, left))
