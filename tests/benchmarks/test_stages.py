"""Times of the parts of a step; nothing that the measurement adds stays behind."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import main
from benchmarks.scenes import SCENES, make_scene
from benchmarks.stages import StageTimes, Stopwatch, measure_stages, stages_tables
from ecs_collide.step.continuous import body_motions as motions
from ecs_collide.step.continuous.body_motions import stop_bodies
from ecs_collide.step.narrowphase import contact_finder
from ecs_collide.step.narrowphase.pair_table import PAIR_TABLE
from ecs_collide.systems import SCHEDULE


def test_systems_and_kernels_make_up_the_step() -> None:
    kernel, row = stop_bodies, PAIR_TABLE[0]
    times = measure_stages(make_scene("circle_pile"), 10)
    assert motions.stop_bodies is kernel
    assert vars(contact_finder)["PAIR_TABLE"][0] is row
    assert list(times.systems) == [system.__name__ for system in SCHEDULE]
    assert 0.5 * times.step < sum(times.systems.values()) < times.step
    assert times.around > 0.0
    assert {"narrowphase: circle_circle", "solver: step_bodies"} <= times.kernels.keys()
    assert {"broadphase: update_pairs", "notify: update_touching"} <= times.kernels.keys(), "called in chains"


def test_slower_steps_do_not_count() -> None:
    watch = Stopwatch()
    for step, part in ((2_000, 1_000), (9_000, 8_000), (4_000, 3_000)):
        watch.record(step, {"part": part})
    assert watch.means() == (3.0, {"part": 2.0})


def test_small_kernels_are_put_together() -> None:
    times = StageTimes("some", 100.0, {"Response": 99.0}, {"a: large": 90.0, "a: tiny": 1.0, "b: small": 2.0}, 7.0)
    rows = [line.split("  ") for line in stages_tables([times]).splitlines() if line]
    cells = {row[0]: row[-1].strip() for row in rows}
    assert cells["a: large"] == "90.0"
    assert cells["other kernels"] == "3.0"
    assert cells["Python around them"] == "7.0"
    assert "a: tiny" not in cells


def test_a_quick_run_prints_a_column_for_each_scene(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--stages", "--quick", "--markdown"]) == 0
    heading, *_ = capsys.readouterr().out.splitlines()
    assert [cell.strip() for cell in heading.split("|")[2:-1]] == list(SCENES)
