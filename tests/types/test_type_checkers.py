"""Type checkers accept what is right and refuse what is wrong. Lines with `# wrong` must be errors, and no others."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.processes import ROOT, run_python

USES = """
from typing import Any, assert_type

import ecs_collide as ec


def hit(contact: ec.Contact) -> None: ...
def seen(sensor: int, entity: int) -> None: ...
def broke(joint: int, force: float, torque: float) -> None: ...
def anything(*arguments: Any) -> None: ...


class Game:
    def touched(self, contact: ec.Contact) -> None: ...
    def start(self) -> None:
        ec.on("collision_start", self.touched)
        ec.on("sensor_enter", self.touched)  # wrong
        ec.off("collision_start", self.touched)


ec.on("collision_start", hit)
ec.on("sensor_exit", seen)
ec.on("joint_break", broke)
ec.on("joint_end", print)
for name in ("collision_start", "collision_end"):
    ec.on(name, hit)
ec.on("joint_break", anything)
ec.on("collision_hit", lambda contact: contact.normal)

ec.on("colision_start", hit)  # wrong
ec.on("sensor_enter", hit)  # wrong
ec.on("collision_hit", seen)  # wrong
ec.on("joint_end", broke)  # wrong
ec.on("joint_break", lambda joint: None)  # wrong
ec.on("collision_start", lambda contact: contact.entity)  # wrong
ec.on("collision_start", 3)  # wrong
ec.on(hit)  # wrong
ec.off("collision_stop", hit)  # wrong


@ec.on("collision_start")
def on_start(contact: ec.Contact) -> float:
    return contact.approach_speed


assert_type(on_start(ec.Contact(1, 2)), float)


@ec.on("sensor_enter")  # wrong
def on_enter(contact: ec.Contact) -> None: ...


@ec.on("joint_broken")  # wrong
def on_break(joint: int, force: float, torque: float) -> None: ...


physics = ec.install(response="exact")
ec.install(response="precise")  # wrong
assert_type(physics.settings.substeps, int)
physics.ray_cast((0, 0), (1, 1), inside="skip")
physics.ray_cast((0, 0), (1, 1), inside="never")  # wrong
ec.ray_cast(ec.Circle(1), (0, 0, 0), (-2, 0), (2, 0), inside="end")  # wrong

collider = ec.Collider(ec.Circle(1), friction=0.5)
assert_type(collider.friction, float)
assert_type(collider.shape, ec.Shape)
collider.friction = "rough"  # wrong
collider.fricton = 0.5  # wrong
ec.RigidBody("static")  # wrong
physics.gravty = (0, -9.81)  # wrong
ec.Colider  # wrong
"""


@pytest.fixture
def uses(tmp_path: Path) -> Path:
    path = tmp_path / "uses.py"
    path.write_text(USES)
    return path


def wrong_lines() -> list[int]:
    return [number for number, line in enumerate(USES.splitlines(), 1) if line.endswith("# wrong")]


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_finds_the_wrong_lines_alone(uses: Path) -> None:
    done = run_python("-m", "mypy", "--strict", "--no-error-summary", str(uses), expected=1)
    found = {int(line) for line in re.findall(r"uses\.py:(\d+): error", done.stdout)}
    assert sorted(found) == wrong_lines(), done.stdout


@pytest.mark.skipif(find_spec("pyright") is None, reason="pyright is not installed")
def test_pyright_finds_the_wrong_lines_alone(uses: Path) -> None:
    uses.with_name("pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}))
    done = run_python("-m", "pyright", "--outputjson", str(uses), cwd=uses.parent, expected=1)
    found = json.loads(done.stdout)["generalDiagnostics"]
    assert sorted({each["range"]["start"]["line"] + 1 for each in found}) == wrong_lines(), done.stdout
