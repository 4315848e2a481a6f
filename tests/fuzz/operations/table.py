"""A table of all operations, and functions that draw and do one."""

from __future__ import annotations

from random import Random

from tests.fuzz.operations import (
    absurd,
    acting,
    attaching,
    breaking,
    crowds,
    entities,
    joints,
    queries,
    snapshots,
    steering,
    worlds,
)
from tests.fuzz.operations.operation import Operation
from tests.fuzz.play import Play
from tests.fuzz.room import Raised
from tests.fuzz.shapes import Data

TABLE = (
    *worlds.ROWS,
    *entities.ROWS,
    *attaching.ROWS,
    *queries.ROWS,
    *steering.ROWS,
    *acting.ROWS,
    *absurd.ROWS,
    *breaking.ROWS,
    *joints.ROWS,
    *snapshots.ROWS,
)

CROWDED = (*TABLE, *crowds.ROWS)

BY_NAME = {operation.name: operation for operation in CROWDED}

NESTING = tuple(operation for operation in TABLE if operation.nests)
"""Operations of hooks and handlers."""


def draw_operation(rng: Random, play: Play, table: tuple[Operation, ...] | None = None) -> Data:
    """Draw an operation with its arguments."""
    if table is None:
        table = CROWDED if play.conditions.crowds else TABLE
    if play.room.expected and rng.random() < 0.7:
        return ("mend",)
    weights = [operation.weight for operation in table]
    while True:
        operation = rng.choices(table, weights)[0]
        arguments = operation.draw(rng, play)
        if arguments is not None:
            return operation.name, *arguments


def do_operation(play: Play, data: Data) -> None:
    """Do an operation; an error that it should not raise is a fault."""
    name, *arguments = data
    play.count += 1
    try:
        BY_NAME[name].do(play, *arguments)
    except Raised:
        raise
    except Exception as error:
        play.unexpected(error, f"operation {data!r}")
