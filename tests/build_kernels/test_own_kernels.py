"""Vectors, bundles and building blocks mean the same to numba as to Python: their tests run again, compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

ROOT = Path(__file__).parents[2]
FILES = ("kernels/test_simd.py", "kernels/test_bundle.py", "geometry/test_rotation.py", "geometry/test_quadratic.py")


@pytest.mark.parametrize("setting", [{}, {"NUMBA_CPU_NAME": "generic"}], ids=str)
def test_own_kernels_do_the_same_compiled(setting: dict[str, str]) -> None:
    files = [f"tests/{file}" for file in FILES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    environment = os.environ | setting | {"OWN_KERNELS": "numba"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
