"""Faults that are planted in the engine, in a process that plays cases; the fuzzer must find them."""

from __future__ import annotations

import os
from typing import Any

import ecs_collide as ec
from ecs_collide.step.continuous.sweeper import Sweeper


def wake_crashes() -> None:
    """Replace `wake` by a function that aborts the interpreter."""

    def crash(*arguments: Any) -> None:
        os.abort()

    ec.PhysicsWorld.wake = crash  # type: ignore[method-assign,assignment]


def force_hangs() -> None:
    """Replace `apply_force` by an endless loop."""

    def hang(*arguments: Any, **named: Any) -> None:
        while True:
            pass

    ec.PhysicsWorld.apply_force = hang  # type: ignore[method-assign]


def sweeps_keep_to_a_list_that_was_left() -> None:
    """Hide from the step that the list of kinematic bodies has moved to a longer array."""
    Sweeper.columns = property(lambda self: (self.has_kinematic,))  # type: ignore[assignment]
