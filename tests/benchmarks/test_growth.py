"""Growth of a step with the size of the world: equal scenes at all sizes, and a table and picture of the results."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from benchmarks import growth
from benchmarks.__main__ import main
from benchmarks.engines import find_engines
from benchmarks.growth import QUICK_SIZES, SCENES, Point, growth_table, measure_growth, wide_pile


@pytest.mark.parametrize("size", [100, 1_000, 10_000])
def test_a_scene_has_the_requested_size(size: int) -> None:
    assert [scene.make(size).moving_count for scene in SCENES.values()] == [size] * len(SCENES)


def test_the_pile_is_as_deep_at_any_size() -> None:
    assert wide_pile(100).start_poses[:, 1].max() == wide_pile(10_000).start_poses[:, 1].max()


def test_the_table_has_nanoseconds_a_body_and_gaps_where_nothing_was_measured() -> None:
    points = [Point("gas", "ours", 100, 0.05), Point("gas", "ours", 1_000, 2.0), Point("gas", "theirs", 100, 0.1)]
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in growth_table(points, markdown=True).split("\n")
    ]
    assert rows[0][2:] == ["100", "1,000"]
    assert rows[2:] == [["gas", "ours", "500", "2,000"], ["gas", "theirs", "1,000", ""]]


def test_an_engine_that_is_too_slow_is_left_out_of_the_larger_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "LONGEST_STEP", 0.0)
    points = measure_growth(find_engines(["ecs_collide"]).engines, print, quick=True)
    assert [(point.scene, point.bodies) for point in points] == [(scene, QUICK_SIZES[0]) for scene in SCENES]


def test_a_quick_run_prints_a_table_and_draws_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "growth.png"
    assert main(["--growth", str(file), "--quick", "--engines", "ecs_collide,pymunk"]) == 0
    printed = capsys.readouterr().out
    assert all(scene in printed for scene in SCENES)
    assert all(f"{size}" in printed.splitlines()[0] for size in QUICK_SIZES)
    with Image.open(file) as picture:
        assert picture.width > 2 * picture.height > 400


def test_a_picture_needs_matplotlib(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.__main__.find_spec", lambda name: None)
    assert main(["--growth", "growth.png", "--quick"]) == 1
    assert "ecs_collide[benchmarks]" in capsys.readouterr().err
