"""The machine code of the step computes on vectors. Scalar code would still pass every other test."""

from __future__ import annotations

import re

import pytest

from tests.support.processes import run_script

pytest.importorskip("numba")

KERNEL = "step.solver.step_bodies.step_bodies"
SCRIPT = f"""
from build_kernels import backend
from build_kernels.frontend import translate
from build_kernels.jobs import dispatchers

triple = backend.host_triple()
target = backend.Target(triple, backend.chosen_cpus(triple, "native")[-1])
bitcode = translate(dispatchers()[{KERNEL!r}], "entry").bitcode
print(backend.optimise(bitcode, "entry", "step", target).assembly())
"""


def test_the_machine_code_of_a_step_computes_on_vectors() -> None:
    """Friction, motors and limits of joints compute single numbers; contacts alone have about 1,500 operations.

    If these became scalar, there would be more scalar operations than packed ones.
    """
    code = run_script(SCRIPT, ECS_COLLIDE_BUILDING="1")
    packed = re.findall(r"\bv?(?:add|sub|mul|div)pd\b|\bf(?:add|sub|mul|div)\s+v\d+\.2d", code)
    scalar = re.findall(r"\bv?(?:add|sub|mul|div)sd\b|\bf(?:add|sub|mul|div)\s+d\d+", code)
    assert len(packed) > 2000
    assert len(scalar) < len(packed), (len(packed), len(scalar))
