"""The machine code of the step computes on vectors. Scalar code would still pass every other test."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

KERNEL = "step.solver.step_bodies.step_bodies"
SCRIPT = f"""
from build_kernels import backend
from build_kernels.frontend import translate
from build_kernels.jobs import dispatchers

triple = backend.this_triple()
target = backend.Target(triple, backend.chosen_cpus(triple, "native")[-1])
bitcode = translate(dispatchers()[{KERNEL!r}], "entry").bitcode
print(backend.optimised(bitcode, "entry", "step", target).assembly())
"""


def test_the_machine_code_of_a_step_computes_on_vectors() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"ECS_COLLIDE_BUILDING": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    packed = re.findall(r"\bv?(?:add|sub|mul|div)pd\b|\bf(?:add|sub|mul|div)\s+v\d+\.2d", done.stdout)
    scalar = re.findall(r"\bv?(?:add|sub|mul|div)sd\b|\bf(?:add|sub|mul|div)\s+d\d+", done.stdout)
    assert len(packed) > 100
    assert len(scalar) < 0.1 * len(packed), (len(packed), len(scalar))
