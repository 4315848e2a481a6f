"""A pool of local processes that can be ended at once, and that reports which seeds a dead process was running."""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnContext
from multiprocessing.sharedctypes import RawArray
from typing import Any

from ecs_collide.worlds.worker import enter_local_worker

MOST_WORKERS = 61 if sys.platform == "win32" else 1 << 15
"""Greatest number of processes: one thread of Windows can wait for so many."""


class LocalWorkers(ProcessPoolExecutor):
    """A process pool of Python that starts fresh interpreters (`spawn`)."""

    def __init__(self, workers: int) -> None:
        """Prepare a pool of a number of processes. They start with the first call of `submit`."""
        self._context = _RecordingContext()
        self._table = RawArray("q", 2 * workers)
        rows = self._context.SimpleQueue()
        for row in range(workers):
            rows.put(row)
        super().__init__(
            workers, mp_context=self._context, initializer=enter_local_worker, initargs=(self._table, rows)
        )

    def end(self) -> None:
        """End the processes now, with what they are doing."""
        for process in self._context.started:
            if process.pid is not None:  # unless the system refused to start it
                process.terminate()
        self.shutdown(cancel_futures=True)

    def find_deaths(self) -> dict[int, str]:
        """Return why processes died by themselves, by the index of the seed of each; Python has ended the others.

        Raises RuntimeError if one died while it had no seed, for instance because it could not import the script.
        """
        self.shutdown(cancel_futures=True)
        rows = dict(zip(self._table[::2], self._table[1::2]))
        died = [each for each in self._context.started if each.exitcode not in (0, -signal.SIGTERM)]
        found = {rows[each.pid] - 1: _describe_end(each.exitcode) for each in died if rows.get(each.pid)}
        if died and not found:
            raise RuntimeError(
                f"a worker died outside of a world. {_describe_end(died[0].exitcode)}. Workers import the script, so "
                'that must call map behind `if __name__ == "__main__":`'
            )
        return found


class _RecordingContext(SpawnContext):
    """A context of multiprocessing that records the processes that it started."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[Any] = []

    def Process(self, *arguments: Any, **named: Any) -> Any:  # type: ignore[override]
        """Return a new process for the pool."""
        process = super().Process(*arguments, **named)
        self.started.append(process)
        return process


def default_workers() -> int:
    """Return the number of processors that this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, MOST_WORKERS)


def _describe_end(exitcode: int) -> str:
    """Return a sentence about the end of a process, with the name of its signal."""
    cause = f"signal {signal.Signals(-exitcode).name}" if exitcode < 0 else f"exit status {exitcode}"
    return f"Its worker died: {cause}"
