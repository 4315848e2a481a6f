"""Kernels that tests make: by numba or as plain Python, never out of the module of kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ecs_collide.kernels import kernel as kernels
from ecs_collide.kernels.kernel import WAY, Way

compiled_only = pytest.mark.skipif(WAY is not Way.COMPILED, reason="numba compiles nothing in this run")
not_plain = pytest.mark.skipif(WAY is Way.PLAIN, reason="takes hours in plain Python")


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `kernels.kernel`, for a function that the module does not have."""
    return function if WAY is Way.PREBUILT else kernels.kernel(function)


def stage(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `kernels.stage`, for a function that the module does not have."""
    return function if WAY is Way.PREBUILT else kernels.stage(function)
