"""The pytest plugin of ecs_collide: fixtures for games, and a picture and a replay of each test that fails.

It stands beside the package, which is imported in the fixtures alone: pytest starts as fast as without it in projects
that do not use physics.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ecs_collide import PhysicsWorld
    from ecs_collide.testing import GameSimulation

WORLD = pytest.StashKey[str]()
"""Esper world of a test."""
SIMULATION = pytest.StashKey["GameSimulation"]()
"""GameSimulation of a test."""
FILES = "physics"
"""Name of the property of a report that holds a picture or a replay."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("physics", "games with ecs_collide")
    group.addoption(
        "--physics-report",
        metavar="DIR",
        help="folder of pictures and replays of tests that fail; by default physics-report in the root folder",
    )
    group.addoption(
        "--physics-replay", action="store_true", help="write a picture and a whole replay of every test, failed or not"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of the plugin."""
    config.addinivalue_line("markers", "physics(**settings): arguments of install for the fixture physics")


@pytest.fixture
def esper_world(request: pytest.FixtureRequest) -> Iterator[str]:
    """Name of a new esper world, the current one during the test; nothing is left of it afterwards."""
    from ecs_collide.testing import fresh_world

    with fresh_world(request.node.name) as name:
        request.node.stash[WORLD] = name
        yield name


@pytest.fixture
def physics(esper_world: str, request: pytest.FixtureRequest) -> PhysicsWorld:
    """Return physics in the world of the test; `pytest.mark.physics(gravity=(0, -9.81))` gives it settings."""
    from ecs_collide import install

    marker = request.node.get_closest_marker("physics")
    return install(**(marker.kwargs if marker is not None else {}))


@pytest.fixture
def simulation(esper_world: str, request: pytest.FixtureRequest) -> GameSimulation:
    """Return the simulation of the test's world, in which the test or the game installs the physics."""
    from ecs_collide.testing import GameSimulation

    replays_all = request.config.getoption("--physics-replay")
    made: GameSimulation = GameSimulation(keep=None) if replays_all else GameSimulation()
    request.node.stash[SIMULATION] = made
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write a picture and a replay of a test that failed, while its world still exists."""
    report = yield
    is_wanted = report.failed or (report.when == "call" and item.config.getoption("--physics-replay"))
    if report.when != "teardown" and is_wanted and WORLD in item.stash:
        try:
            _add_files(item, report)
        except Exception as error:  # the test's own failure counts, and must be seen
            report.sections.append(("physics", f"no picture could be written: {error!r}"))
    return report


def _add_files(item: pytest.Item, report: pytest.TestReport) -> None:
    """Write the files of a test, and name them in its report."""
    import esper

    from ecs_collide.testing import write_report

    made = item.stash.get(SIMULATION, None)
    before, world = esper.current_world, item.stash[WORLD] if made is None else made.world
    if world not in esper.list_worlds():
        return  # the test has deleted it
    folder = report_folder(item.config)
    note = report.longreprtext[-2000:] if report.failed else "passed"
    esper.switch_world(world)
    try:
        files = write_report(folder, item.nodeid, note, made)
    finally:
        esper.switch_world(before)
    if not files:
        return
    shown = [relpath(file, item.config.invocation_params.dir) for file in files]
    report.sections.append(("physics", "\n".join(shown)))
    for properties in (item.user_properties, report.user_properties):  # the first ones are those of later reports
        properties += [(FILES, name) for name in shown]
    if item.config.pluginmanager.hasplugin("html"):
        _add_to_html(item.config, report, files)


def report_folder(config: pytest.Config) -> Path:
    """Return the folder of pictures and replays."""
    given = config.getoption("--physics-report")
    return config.invocation_params.dir / given if given else config.rootpath / "physics-report"


def _add_to_html(config: pytest.Config, report: Any, files: list[Path]) -> None:
    """Show the picture in the page of pytest-html, and a link to the replay."""
    from pytest_html import extras

    page = config.getoption("htmlpath", None)
    start = (config.invocation_params.dir / page).parent if page else config.invocation_params.dir
    more = [extras.html(files[0].read_text("utf-8"))]
    more += [extras.url(Path(relpath(file, start)).as_posix(), name="replay") for file in files[1:]]
    report.extras = [*getattr(report, "extras", []), *more]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say where pictures and replays are."""
    reports = [
        report for each in terminalreporter.stats.values() for report in each if hasattr(report, "user_properties")
    ]
    files = {value for report in reports for name, value in report.user_properties if name == FILES}
    if files:
        folder = relpath(report_folder(config), config.invocation_params.dir)
        terminalreporter.write_line(f"physics: {len(files)} pictures and replays in {folder}")
