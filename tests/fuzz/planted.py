"""Faults that are planted in the engine, in a process that plays cases; the fuzzer must find them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import ecs_collide as ec
from ecs_collide.kernels.calls import Input
from ecs_collide.native.guards import has_same
from ecs_collide.step import plan


def wake_crashes() -> None:
    """Replace `wake` by a function that aborts the interpreter."""

    def crash(*arguments: Any) -> None:
        os.abort()

    ec.PhysicsWorld.wake = crash  # type: ignore[assignment]


def force_hangs() -> None:
    """Replace `apply_force` by an endless loop."""

    def hang(*arguments: Any, **named: Any) -> None:
        while True:
            pass

    ec.PhysicsWorld.apply_force = hang  # type: ignore[assignment]


def plan_keeps_to_arrays_that_were_left() -> None:
    """Let the plan of a step notice other flags, but not that a list has moved to a longer array."""

    def flags_only(attributes: Iterable[Input]) -> Callable[[], bool]:
        return has_same([(owner, name) for owner, name in attributes if isinstance(getattr(owner, name), bool)])

    plan.has_same = flags_only  # type: ignore[attr-defined]
