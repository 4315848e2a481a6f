"""The pytest plugin: fixtures, files of tests that fail, options, and other plugins beside it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.processes import ROOT

pytest_plugins = ["pytester"]

GAME = """
import esper
import pytest
import ecs_collide as ec

GRAVITY = pytest.mark.physics(gravity=(0, -10))


def drop(height=2.0):
    floor = esper.create_entity(ec.Transform(), ec.Collider(ec.HalfPlane()))
    ball = esper.create_entity(ec.Transform(0, height), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
    return floor, ball
"""

FAILING = (
    GAME
    + """
@GRAVITY
def test_drop(physics, simulation):
    floor, ball = drop()
    simulation.name(ball=ball, floor=floor)
    simulation.simulate(0.2)
    simulation.assert_touching(ball, floor)
"""
)


@pytest.fixture
def tests(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder for tests of a game, run in processes of their own."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return pytester


def run_tests(tests: pytest.Pytester, source: str, *options: str) -> pytest.RunResult:
    tests.makepyfile(test_game=source)
    return tests.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:randomly", *options)


def test_a_test_that_fails_leaves_a_picture_and_a_replay_beside_its_report(tests: pytest.Pytester) -> None:
    result = run_tests(tests, FAILING)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*AssertionError: ball (entity 2) and floor (entity 1) do not touch, at 0.20 s: their distance is 1.*",
            "*ball (entity 2) at (0.000, 1.7*) is touched by nothing",
            "*- physics -*",
            "physics-report/test_game.py-test_drop.svg",
            "physics-report/test_game.py-test_drop.html",
            "physics: 2 pictures and replays in physics-report",
        ]
    )
    assert "checks.py" not in result.stdout.str()  # the traceback ends in the test
    folder = tests.path / "physics-report"
    picture = (folder / "test_game.py-test_drop.svg").read_text("utf-8")
    assert picture.startswith("<svg") and ">ball</text>" in picture
    page = (folder / "test_game.py-test_drop.html").read_text("utf-8")
    assert "<title>test_game.py::test_drop" in page
    assert (folder / ".gitignore").read_text() == "*\n"


def test_the_folder_of_pictures_and_replays_can_be_chosen(tests: pytest.Pytester) -> None:
    run_tests(tests, FAILING, "--physics-report", "out/deep").assert_outcomes(failed=1)
    assert {path.suffix for path in (tests.path / "out" / "deep").glob("test*")} == {".svg", ".html"}
    assert not (tests.path / "physics-report").exists()


PASSING = (
    GAME
    + """
@GRAVITY
@pytest.mark.parametrize("height", [1, 2.5])
def test_fall(physics, simulation, height):
    floor, ball = drop(height)
    simulation.assert_touching(ball, floor, timeout=2)
"""
)


def test_tests_that_pass_leave_nothing_unless_all_replays_are_wanted(tests: pytest.Pytester) -> None:
    run_tests(tests, PASSING).assert_outcomes(passed=2)
    assert not (tests.path / "physics-report").exists()
    run_tests(tests, PASSING, "--physics-replay").assert_outcomes(passed=2)
    names = sorted(path.name for path in (tests.path / "physics-report").glob("test*"))
    stems = "test_game.py-test_fall_1", "test_game.py-test_fall_2.5"
    assert names == [f"{stem}.{kind}" for stem in stems for kind in ("html", "svg")]


def test_tests_that_pass_in_several_processes_write_their_replays(tests: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    result = run_tests(tests, PASSING + FAILING.removeprefix(GAME), "--physics-replay", "-n", "2")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["physics: 6 pictures and replays in physics-report"])
    assert len(list((tests.path / "physics-report").glob("test*"))) == 6


ISOLATED = (
    GAME
    + """
received = []
WORLDS = esper.list_worlds()


class Keep:
    def hear(self, contact):
        received.append(contact)


keeper = Keep()


@GRAVITY
def test_one(physics, simulation):
    ec.on("collision_start", keeper.hear)
    esper.set_handler("own", keeper.hear)
    floor, ball = drop(0.51)
    simulation.simulate(1)
    assert len(simulation.events_of("collision_start")) == len(received) == 1
    esper.switch_world("another")
    ec.on("collision_start", keeper.hear)
    ec.install()


@GRAVITY
def test_two(physics, simulation):
    assert "another" not in esper.list_worlds()
    assert simulation.events == [] and simulation.frame == 0 and simulation.names == {}
    assert drop(0.51) == (1, 2)
    simulation.simulate(1)
    assert len(simulation.events_of("collision_start")) == len(received) == 1
    esper.dispatch_event("own", None)
    assert len(received) == 1


def test_three(esper_world):
    assert esper.current_world == esper_world and not esper.event_registry
    assert esper.create_entity() == 1
    with pytest.raises(ec.PhysicsError):
        ec.physics()


def test_four():
    assert esper.list_worlds() == WORLDS and esper.current_world == "default" and not esper.event_registry
"""
)


def test_nothing_leaks_from_test_to_test(tests: pytest.Pytester) -> None:
    run_tests(tests, ISOLATED, "-W", "error").assert_outcomes(passed=4)


def test_a_game_that_switches_worlds_and_installs_physics_itself_is_logged_and_replayed(
    tests: pytest.Pytester,
) -> None:
    result = run_tests(
        tests,
        GAME
        + """
def test_levels(simulation):
    for level in ("one", "two"):
        esper.switch_world(level)
        ec.install(gravity=(0, -10))
        floor, ball = drop(0.6)
        simulation.simulate(1)
    assert [event.name for event in simulation.events].count("collision_start") == 2
    simulation.assert_passes(ball, x=1, timeout=0.5)
""",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*entity 2 (Circle) did not pass x = 1 within 0.5 s: from 0.000 it came as far as 0*"])
    assert len(list((tests.path / "physics-report").glob("*.html"))) == 1


def test_a_failure_without_physics_or_without_a_simulation_is_reported_as_usual(tests: pytest.Pytester) -> None:
    result = run_tests(
        tests,
        GAME
        + """
def test_no_physics(simulation):
    assert 1 == 2

def test_no_fixture():
    assert 1 == 2

def test_no_simulation(physics):
    drop()
    assert 1 == 2

def test_own_world_deleted(esper_world):
    esper.switch_world("default")
    esper.delete_world(esper_world)
    assert 1 == 2

@pytest.fixture
def broken(physics, simulation):
    drop()
    simulation.step()
    raise RuntimeError

def test_broken_fixture(broken):
    pass
""",
    )
    result.assert_outcomes(failed=4, errors=1)
    names = sorted(path.name for path in (tests.path / "physics-report").glob("test*"))
    assert names == [
        "test_game.py-test_broken_fixture.html",
        "test_game.py-test_broken_fixture.svg",
        "test_game.py-test_no_simulation.svg",
    ]


def test_names_of_tests_that_are_no_names_of_files_stay_apart(tests: pytest.Pytester) -> None:
    source = (
        GAME
        + """
@pytest.mark.parametrize("name", ["a/b", "a?b", "a b", "ä" * 300])
def test_name(physics, simulation, name):
    drop()
    simulation.step()
    assert False
"""
    )
    run_tests(tests, source).assert_outcomes(failed=4)
    names = [path.stem for path in (tests.path / "physics-report").glob("*.html")]
    assert len(names) == 4 and all(re.fullmatch(r"[\w.=,-]{1,130}", name, re.ASCII) for name in names)


def test_a_page_of_pytest_html_shows_the_picture_and_leads_to_the_replay(tests: pytest.Pytester) -> None:
    pytest.importorskip("pytest_html")
    run_tests(tests, FAILING, "--html", "pages/report.html").assert_outcomes(failed=1)
    page = (tests.path / "pages" / "report.html").read_text("utf-8")
    assert "../physics-report/test_game.py-test_drop.html" in page and "&lt;svg" in page


def test_junit_reports_name_the_files(tests: pytest.Pytester) -> None:
    run_tests(tests, FAILING, "--junitxml", "report.xml").assert_outcomes(failed=1)
    assert 'name="physics" value="physics-report/test_game.py-test_drop.html"' in Path("report.xml").read_text("utf-8")


def test_the_example_of_the_guide_passes(tests: pytest.Pytester) -> None:
    page = (ROOT / "docs" / "guide" / "testing.md").read_text("utf-8")
    run_tests(tests, page.split("```python\n")[1].split("```")[0], "--strict-markers").assert_outcomes(passed=1)


def test_markers_are_known_and_their_settings_checked(tests: pytest.Pytester) -> None:
    source = GAME + "\n@pytest.mark.physics(gravty=(0, 1))\ndef test_it(physics):\n    pass\n"
    result = run_tests(tests, source, "--strict-markers")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*install() got an unexpected keyword argument 'gravty'*"])


def test_pytest_starts_without_the_package_in_other_projects(tests: pytest.Pytester) -> None:
    source = """
import sys
def test_nothing_is_loaded():
    assert "pytest_ecs_collide" in sys.modules
    assert not [name for name in sys.modules if name.split(".")[0] in ("ecs_collide", "esper", "numpy", "hypothesis")]
"""
    run_tests(tests, source, "-p", "no:hypothesispytest").assert_outcomes(passed=1)
