"""One call of `map`: its tasks, their outcomes in order, and what happens to the rest after an error."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager
from time import monotonic
from traceback import format_exception
from typing import Any, NamedTuple

from ecs_collide.worlds.local_workers import LocalWorkers
from ecs_collide.worlds.worker import Failure, run_chunk
from ecs_collide.worlds.world_error import WorldError

NAMED_SEEDS = 5
"""Greatest number of seeds that a message lists."""


class Chunk(NamedTuple):
    """Seeds that one task runs one after another."""

    first: int
    """Index of the first seed among all seeds."""
    seeds: Sequence[Any]
    """Seeds of the chunk."""
    future: Future[list[Any]]
    """Outcomes of the seeds."""


class MapRun:
    """The tasks of one call of `map`."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        seeds: Sequence[Any],
        chunk: int,
        executor: Executor | int,
        timeout: float | None,
    ) -> None:
        """Keep the arguments of `map`; nothing starts here. A number of workers stands for local ones."""
        self._function = function
        self._seeds = seeds
        self._chunk = chunk
        self._workers = executor if isinstance(executor, int) else 0
        self._executor = LocalWorkers(executor) if isinstance(executor, int) else executor
        self._deadline = None if timeout is None else monotonic() + timeout
        self._chunks: deque[Chunk] = deque()
        self._killers: dict[int, str] = {}
        """Causes of the deaths of local workers, by the index of the seed that each was running."""

    def results(self, stops: bool, bar: AbstractContextManager[Any]) -> Generator[Any, None, None]:
        """Submit all tasks and yield None, then yield the results in the order of seeds.

        Args:
            stops: True to raise the first failure, False to yield failures in their places.
            bar: progress bar of tqdm, or a context of None.
        """
        is_complete = False
        try:
            for first in range(0, len(self._seeds), self._chunk):
                self._chunks.append(self._submit(first, self._seeds[first : first + self._chunk], stops))
            yield None
            with bar as shown:
                while self._chunks:
                    outcomes = self._wait_for_next(stops)
                    seeds = self._chunks.popleft().seeds
                    if shown is not None:
                        shown.update(len(seeds))
                    for seed, outcome in zip(seeds, outcomes):
                        if isinstance(outcome, Failure):
                            outcome = WorldError(seed, outcome.traceback)
                            if stops:
                                raise outcome
                        yield outcome
            is_complete = True
        finally:
            self._finish(is_complete)

    def _submit(self, first: int, seeds: Sequence[Any], stops: bool) -> Chunk:
        """Submit seeds as a task. If the executor is broken already, the task is lost."""
        killers = {index: self._killers[index] for index in range(first, first + len(seeds)) if index in self._killers}
        try:
            future = self._executor.submit(run_chunk, self._function, first, seeds, killers, stops)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        return Chunk(first, seeds, future)

    def _wait_for_next(self, stops: bool) -> list[Any]:
        """Return the outcomes of the first chunk.

        If it was lost, raise a WorldError, or return failures. Local workers start again without the seeds that they
        died with.
        """
        while True:
            _, seeds, future = self._chunks[0]
            try:
                return future.result(None if self._deadline is None else max(0.0, self._deadline - monotonic()))
            except Exception as error:
                if isinstance(error, TimeoutError) and not future.done():
                    missing = [seed for chunk in self._chunks if not chunk.future.done() for seed in chunk.seeds]
                    raise TimeoutError(f"no results before the timeout for {name_seeds(missing)}") from None
                deaths = self._executor.find_deaths() if isinstance(self._executor, LocalWorkers) else {}
                text = f"The results of {name_seeds(seeds)} are lost.\n{''.join(format_exception(error))}"
                if stops:
                    index = min(deaths, default=self._chunks[0].first)
                    raise WorldError(self._seeds[index], deaths.get(index, text)) from None
                if not deaths:
                    return [Failure(text)] * len(seeds)
                self._killers |= deaths
                self._start_again()

    def _start_again(self) -> None:
        """Submit all chunks without outcomes to new local workers."""
        self._executor = LocalWorkers(self._workers)
        for place, chunk in enumerate(self._chunks):
            if chunk.future.cancelled() or chunk.future.exception():
                self._chunks[place] = self._submit(chunk.first, chunk.seeds, stops=False)

    def _finish(self, is_complete: bool) -> None:
        """Cancel the tasks that are left. Local workers end, at once if results are missing."""
        for chunk in self._chunks:
            chunk.future.cancel()
        if isinstance(self._executor, LocalWorkers):
            if is_complete:
                self._executor.shutdown()
            else:
                self._executor.end()


def name_seeds(seeds: Sequence[Any]) -> str:
    """Return the first seeds in words, and how many more there are."""
    named = ", ".join(map(repr, seeds[:NAMED_SEEDS]))
    more = len(seeds) - NAMED_SEEDS
    return f"seed{'s' if len(seeds) > 1 else ''} {named}{f' and {more} more' if more > 0 else ''}"
