"""The table: one row for each thing that a game does, and the classes of each engine that do it.

Each engine has a module, and each task a class of the same name in those modules that can do it. An instance is made
untimed, with the row's size; a call of it is one frame, which is timed; `close` lets go of it.
"""

from __future__ import annotations

from typing import NamedTuple

ENGINES = {
    "ecs_collide": "benchmarks.border.ours",
    "pymunk": "benchmarks.border.pymunk_tasks",
    "pyb2d3": "benchmarks.border.pyb2d3_tasks",
    "slots": "benchmarks.border.slots",
}
"""The modules; `slots` are plain Python classes without an engine behind them."""


class Row(NamedTuple):
    """One line of the table."""

    title: str
    task: str
    """The name of the classes."""
    size: int
    frames: int
    """Timed calls of an instance, the first one included. Their mean counts."""


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
    Row("the same of 30, and a lift that changes its speed", "Lift", 30, 500),
    Row("the same of 30, told of each hit", "Told", 30, 500),
    Row("one bullet in, one out, beside 30 chains of ten that swing", "Chained", 30, 100),
    Row("one rope in, one out, beside these", "Ropes", 30, 100),
    Row("1,000 times contacts_of, in a pile of 1,000", "Asking", 1000, 5),
    Row("five of 50,000 sleepers woken, step", "Waking", 50_000, 10),
    Row("one cell of a 100 x 60 bitmap changed, step", "Digging", 60, 10),
)
