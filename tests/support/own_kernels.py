"""Kernels that tests define: plain Python, or compiled by numba as a game's own kernels are.

They run as plain Python by default. `tests/build_kernels/test_own_kernels.py` runs some tests again in a process with
the environment variable OWN_KERNELS=numba.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode

ARE_COMPILED = os.environ.get("OWN_KERNELS") == "numba"
not_plain = pytest.mark.skipif(KERNEL_MODE is KernelMode.PLAIN, reason="takes hours in plain Python")


def _as_it_is(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


kernel = _as_it_is
"""Decorator of kernels that the module of kernels does not have."""

if ARE_COMPILED:
    import numba

    import ecs_collide.for_numba  # noqa: F401  # lets numba compile our building blocks

    kernel = numba.njit(error_model="numpy")
