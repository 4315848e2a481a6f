"""A case, drawn at random while it is played, or played again from its operations."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

import esper

from tests.fuzz.components import Conditions
from tests.fuzz.operations.crowds import draw_states
from tests.fuzz.operations.table import BY_NAME, do_operation, draw_operation
from tests.fuzz.operations.worlds import NAMES
from tests.fuzz.play import Play
from tests.fuzz.shapes import Data

LENGTH, CROWDED_LENGTH = 300, 100
"""Number of operations in a case."""
THOROUGH, CROWDED_THOROUGH = 4, 10
"""Number of steps from one run of the slow checks to the next."""
CROWDED, CRAMPED = 0.02, 0.5
"""Shares of crowded cases, which take twice as long as others, and of cramped cases."""


class Outcome(NamedTuple):
    """The result of a case."""

    operations: tuple[Data, ...]
    faults: tuple[tuple[str, str], ...]
    """Short name and text of each fault."""
    done: int
    """Number of operations done, including those of hooks and handlers and repeated steps."""
    trace: tuple[int, ...]
    """A digest of the state after each step."""


def play_random(seed: int | str, tell: Callable[[Data], object] = lambda operation: None) -> Outcome:
    """Play a new case. `tell` is called with each operation before it is done."""
    rng = Random(seed)
    unit, exact = rng.choice((1.0, 1.0, 1.0, 100.0, 0.01)), rng.random() < 0.2
    crowds = draw_states(rng, exact) if rng.random() < CROWDED else ()
    conditions = Conditions(unit, exact, crowds)
    length, thorough = (CROWDED_LENGTH, CROWDED_THOROUGH) if crowds else (LENGTH, THOROUGH)
    is_cramped = rng.random() < CRAMPED
    operations: list[Data] = []

    def next_operation(play: Play) -> Iterator[Data]:
        if is_cramped:
            yield ("cramp",)
        yield "install", *(BY_NAME["install"].draw(rng, play) or ())
        for _ in range(length):
            yield draw_operation(rng, play)

    with _play(conditions, thorough) as play:
        for operation in next_operation(play):
            operations.append(operation)
            tell(operation)
            do_operation(play, operation)
            if play.faults:
                break
    return Outcome(tuple(operations), _faults_of(play), play.count, tuple(play.trace))


def replay(operations: tuple[Data, ...], thorough: int = 1) -> Outcome:
    """Play a case again, with all checks in every step."""
    with _play(Conditions(), thorough) as play:
        for operation in operations:
            do_operation(play, operation)
            if play.faults:
                break
    return Outcome(operations, _faults_of(play), play.count, tuple(play.trace))


@contextmanager
def _play(conditions: Conditions, thorough: int) -> Iterator[Play]:
    esper.switch_world(NAMES[0])
    play = Play(do_operation, conditions, thorough)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            yield play
        finally:
            try:
                play.close()
            finally:
                play.endings.close()
                esper.switch_world("default")


def _faults_of(play: Play) -> tuple[tuple[str, str], ...]:
    return tuple((fault.kind, str(fault)) for fault in play.faults)
