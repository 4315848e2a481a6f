"""A game's own numba kernels call what ours are made of; `docs/building.md` shows an algorithm with numbers."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import numpy as np
import pytest

from ecs_collide.data.bodies import Bodies, BodyColumns
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels import simd

numba = pytest.importorskip("numba")
import_module("ecs_collide.for_numba")

Function = TypeVar("Function", bound=Callable[..., Any])
njit: Callable[[Function], Function] = numba.njit


def test_building_blocks_give_the_same_bits() -> None:
    @njit
    def directions(angles: np.ndarray) -> np.ndarray:
        found = np.empty((len(angles), 2))
        for k in range(len(angles)):
            found[k] = cos_sin(angles[k])
        return found

    angles = np.linspace(-20.0, 20.0, 101)
    assert directions(angles).tolist() == [list(cos_sin(angle)) for angle in angles.tolist()]


def test_vectors_of_eight() -> None:
    @njit
    def least_of_products(a: np.ndarray, b: np.ndarray) -> float:
        least = simd.splat(np.inf)
        for k in range(0, len(a), simd.LANES):
            least = simd.minimum(least, simd.load(a, k) * simd.load(b, k))
        return float(simd.lowest(least))

    a, b = np.random.default_rng(1).uniform(-1.0, 1.0, (2, 64))
    assert least_of_products(a, b) == (a * b).min()


def test_fields_of_a_bundle_are_read_by_name() -> None:
    @njit
    def x_of(bodies: Bodies, row: int) -> float:
        return float(bodies.pose[row, 0])

    bodies = BodyColumns(4).arrays
    bodies.pose[2, 0] = 7.0
    assert x_of(bodies, 2) == 7.0


def test_division_by_zero_is_infinite_as_in_our_kernels() -> None:
    from ecs_collide.geometry.point_on_segment import segment_fraction

    @njit
    def fraction(x: float) -> float:
        return float(segment_fraction(x, 0.0, 0.0, 0.0, 0.0, 0.0))

    assert fraction(1.0) == segment_fraction(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
