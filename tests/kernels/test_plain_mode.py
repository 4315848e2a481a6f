"""Tests that define kernels of their own with our decorators run in plain mode, in a process of their own."""

from __future__ import annotations

import pytest

from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from tests.support.processes import run_python, run_script


@pytest.mark.skipif(KERNEL_MODE is KernelMode.PLAIN, reason="this run is in plain mode")
def test_elementwise_functions_in_the_plain_way() -> None:
    pytest_options = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    done = run_python(*pytest_options, "tests/kernels/test_elementwise.py", settings={"NUMBA_DISABLE_JIT": "1"})
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
    assert run_script(script, NUMBA_DISABLE_JIT="1") == "True"
