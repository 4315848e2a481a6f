"""Faults that are planted in the engine, in a process that plays cases; the fuzzer must find them."""

from __future__ import annotations

import os
from typing import Any

import ecs_collide as ec
from ecs_collide.step.plan import Stage, StepPlan


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
    gather = StepPlan._gather_inputs

    def flags_only(self: StepPlan) -> tuple[list[object], list[Stage]]:
        inputs, stages = gather(self)
        return [given for given in inputs if isinstance(given, bool)], stages

    StepPlan._gather_inputs = flags_only  # type: ignore[method-assign]
