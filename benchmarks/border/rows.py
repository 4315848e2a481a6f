"""The table of border tasks: one row for each task of a game.

Each engine has a module, with a class for each task that it supports. The constructor takes the row's size and is not
timed. A call of the instance is one frame, which is timed. `close` frees the instance.
"""

from __future__ import annotations

from typing import NamedTuple

ENGINES = {
    "ecs_collide": "benchmarks.border.ours",
    "pymunk": "benchmarks.border.pymunk_tasks",
    "pyb2d3": "benchmarks.border.pyb2d3_tasks",
    "slots": "benchmarks.border.slots",
}
"""Task module of each engine; `slots` are plain Python classes without an engine."""


class Row(NamedTuple):
    """One row of the table."""

    title: str
    """Text of the row."""
    task: str
    """Name of the classes."""
    size: int
    """Size of the task, such as a number of bodies."""
    frames: int
    """Number of timed calls of an instance, the first one included; their mean counts."""
    without: str | None = None
    """Task of ecs_collide that the ratio refers to, for the price of an addition to it."""


ROWS = (
    *(Row(f"one bullet in, one out, among {n:,} tiles", "Bullets", n, 100) for n in (500, 2000, 50_000)),
    Row("ten of 2,000 bodies get another collider", "Replacing", 2000, 50),
    Row("20,000 different polygons created, first step", "Polygons", 20_000, 1),
    Row("5,000 circles created, first step", "Circles", 5000, 1),
    Row("20,000 equal circles spawned, first step", "Spawned", 20_000, 1),
    Row("5,000 circles deleted at once, next step", "Deleting", 5000, 1),
    Row("60,000 numbers read: x, y, angle", "Reading", 20_000, 5),
    Row("10,000 numbers written: x, y of velocities", "Writing", 5000, 5),
    Row("5,000 times position = (x, y)", "Placing", 5000, 5),
    Row("1,000 times a bullet's four components", "Components", 1000, 5),
    *(Row(f"step of {n} elastic circles", "Gas", n, 500) for n in (10, 30, 100, 300)),
    *(Row(f"step of {n} elastic circles, with an empty hook", "Hooked", n, 500, without="Gas") for n in (10, 100)),
    Row("step of 30 elastic circles, with a lift that changes its speed", "Lift", 30, 500),
    Row("step of 30 elastic circles, with a handler of hits", "Listening", 30, 500),
    *(Row(f"a world: install, {n} bodies, a step, uninstall", "Life", n, 100) for n in (3, 16)),
    Row("one bullet in, one out, beside 30 chains of ten that swing", "Chained", 30, 100),
    Row("one rope in, one out, beside these chains", "Ropes", 30, 100),
    Row("step of a bridge of 60 planks with five bodies on it", "Bridge", 60, 240),
    Row("step of the same bridge with friction in its hinges", "RustyBridge", 60, 240),
    Row("step of 40 ragdolls that fall onto each other", "Ragdolls", 40, 120),
    Row("step of the same ragdolls with friction in their joints", "StiffRagdolls", 40, 120),
    Row("1,000 times contacts_of, in a pile of 1,000", "ContactReading", 1000, 5),
    Row("five of 50,000 sleepers woken, step", "Waking", 50_000, 10),
    Row("one cell of a 100 x 60 bitmap changed, step", "Digging", 60, 10),
)
"""Rows of the table."""
