"""Code that runs in workers: worlds one after another, each in a fresh esper world."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from threading import Lock
from traceback import format_exception
from typing import TYPE_CHECKING, Any, NamedTuple

from ecs_collide.common import user_thread
from ecs_collide.worlds.fresh_worlds import fresh_world

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue

_turn = Lock()
"""Held while a thread runs worlds: the threads of one process take turns, because esper has one current world."""

_table: MutableSequence[int] = [0, 0]
"""Two numbers for each local worker: the identifier of its process, and the index of its seed plus 1, 0 between worlds.

The parent process reads those of its local workers. Nothing reads the numbers of other processes.
"""
_row = 0
"""Row of this process in the table."""


class Failure(NamedTuple):
    """The outcome of a seed whose function raised an error."""

    traceback: str
    """Text of the error with its traceback."""


def run_chunk(
    function: Callable[[Any], Any], first: int, seeds: Sequence[Any], killers: Mapping[int, str], stops: bool
) -> list[Any]:
    """Run the worlds of a chunk of seeds, and return what the function returned for each, or a `Failure`.

    Args:
        function: function of one seed.
        first: index of the first seed of the chunk among all seeds.
        seeds: seeds of the chunk.
        killers: causes of the deaths of earlier workers, by the index of the seed, which is not run again.
        stops: True to leave out the seeds after a failure.

    Raises PhysicsError if another thread of this process uses physics.
    """
    outcomes: list[Any] = []
    with _turn:
        user_thread.claim("run the worlds of ecs_collide.worlds.map")
        for index, seed in enumerate(seeds, first):
            outcome = Failure(killers[index]) if index in killers else _run_world(function, index, seed)
            outcomes.append(outcome)
            if stops and isinstance(outcome, Failure):
                break
    return outcomes


def _run_world(function: Callable[[Any], Any], index: int, seed: Any) -> Any:
    """Return what the function returns in a fresh world, or a `Failure`."""
    _table[2 * _row + 1] = index + 1
    try:
        with fresh_world():
            return function(seed)
    except (Exception, SystemExit) as error:
        frames = error.__traceback__ and error.__traceback__.tb_next
        return Failure("".join(format_exception(type(error), error, frames)))
    finally:
        _table[2 * _row + 1] = 0


def enter_local_worker(table: MutableSequence[int], rows: SimpleQueue[int]) -> None:
    """Set up a process of `LocalWorkers`. It leaves Ctrl-C to its parent, which ends it.

    Args:
        table: shared numbers, as `_table` describes them.
        rows: rows of the table that are free.
    """
    global _table, _row
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _table, _row = table, rows.get()
    _table[2 * _row] = os.getpid()
