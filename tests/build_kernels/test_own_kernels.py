"""Vectors, bundles and building blocks mean the same to numba as to Python: their tests run again, compiled."""

from __future__ import annotations

import pytest

from tests.support.processes import run_python

pytest.importorskip("numba")

FILES = ("kernels/test_simd.py", "kernels/test_bundle.py", "geometry/test_rotation.py", "geometry/test_quadratic.py")


@pytest.mark.parametrize("setting", [{}, {"NUMBA_CPU_NAME": "generic"}], ids=str)
def test_own_kernels_do_the_same_compiled(setting: dict[str, str]) -> None:
    files = [f"tests/{file}" for file in FILES]
    pytest_options = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
    done = run_python(*pytest_options, *files, settings=setting | {"OWN_KERNELS": "numba"})
    assert " passed" in done.stdout
