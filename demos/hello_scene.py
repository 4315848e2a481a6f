"""The script `hello.py` as a demo: run it up to its loop, make the steps of the loop, then run the rest."""

from __future__ import annotations

import ast
import math
from pathlib import Path
from typing import Any

import esper

import ecs_collide as ec
from ecs_collide.demos.scene import DT, Demo, Paint, View, expect

SCRIPT = Path(__file__).with_name("hello.py")


class Hello(Demo):
    """The demo of `hello.py`."""

    view = View(-3.5, -0.8, 8.5, 6.0)
    frames = 120

    def setup(self) -> None:
        statements = ast.parse(SCRIPT.read_text(encoding="utf-8")).body
        (loop,) = (k for k, statement in enumerate(statements) if isinstance(statement, ast.For))
        self.rest = statements[loop + 1 :]
        self.names: dict[str, Any] = {"__name__": "hello"}
        self._run(statements[:loop])
        esper.add_component(self.names["ball"], Paint((122, 192, 112), trail=2.0))

    def _run(self, statements: list[ast.stmt]) -> None:
        exec(compile(ast.Module(statements, []), SCRIPT, "exec"), self.names)

    def check(self) -> str:
        self._run(self.rest)
        body = esper.component_for_entity(self.names["ball"], ec.Transform)
        rest_height, drop, time, gravity = 0.5, 4.5, self.frames * DT, 9.81
        fall_time = math.sqrt(2.0 * drop / gravity)
        bounce_speed = 0.8 * gravity * fall_time
        expected = rest_height + bounce_speed * (time - fall_time) - 0.5 * gravity * (time - fall_time) ** 2
        expect(
            abs(body.y - expected) < 0.15, f"the ball is at height {body.y:.3f} m, by the formula at {expected:.3f} m"
        )
        expect(0.0 < body.x < 4.0, f"the ball is at x = {body.x:.3f} m: friction should have slowed it, not more")
        return f"after one bounce the ball is {body.y:.2f} m high; the closed form says {expected:.2f} m"


DEMO = Hello
