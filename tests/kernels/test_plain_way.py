"""Tests that define kernels of their own with our decorators run in the plain way, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ecs_collide.kernels.kernel import WAY, Way

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(WAY is Way.PLAIN, reason="this run is in the plain way")
def test_elementwise_functions_in_the_plain_way() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/kernels/test_elementwise.py"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_the_plain_way_needs_no_numba_and_no_machine_code_of_kernels() -> None:
    script = """
import sys
sys.modules["numba"] = sys.modules["ecs_collide._kernels"] = None
import esper, ecs_collide as ec
ec.install(gravity=(0.0, -10.0))
ball = esper.create_entity(ec.Transform(0, 5), ec.Velocity(2, 0), ec.Collider(ec.Circle(0.5)))
esper.process(1 / 60)
print(4.9 < esper.component_for_entity(ball, ec.Transform).y < 5.0)
"""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n"
