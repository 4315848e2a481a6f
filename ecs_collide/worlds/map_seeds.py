"""`map`: a function of a seed for each of many seeds, in the processes of an executor."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal, TypeVar, overload

from ecs_collide.draw.missing import library_missing
from ecs_collide.hints import hints_at_keywords
from ecs_collide.validate import flag, integer, positive
from ecs_collide.worlds.local_workers import MOST_WORKERS, default_workers
from ecs_collide.worlds.map_run import MapRun
from ecs_collide.worlds.world_error import WorldError

S = TypeVar("S")
R = TypeVar("R")

GREATEST_DEFAULT_CHUNK = 50
"""Seeds in a chunk after which larger chunks save nothing."""

CHUNKS_PER_WORKER = 8
"""Chunks for each worker by default: so many that all workers end at about the same time."""

UNKNOWN_WORKERS = 32
"""Number of workers for which the default chunks of a given executor are made."""


@overload
def map(
    function: Callable[[S], R],
    seeds: Iterable[S],
    *,
    executor: Executor | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    timeout: float | None = None,
    errors: Literal["raise"] = "raise",
    progress: bool | None = None,
) -> Generator[R, None, None]: ...
@overload
def map(
    function: Callable[[S], R],
    seeds: Iterable[S],
    *,
    executor: Executor | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    timeout: float | None = None,
    errors: Literal["return"],
    progress: bool | None = None,
) -> Generator[R | WorldError, None, None]: ...
@hints_at_keywords
def map(
    function: Callable[[Any], Any],
    seeds: Iterable[Any],
    *,
    executor: Executor | None = None,
    workers: int | None = None,
    chunk: int | None = None,
    timeout: float | None = None,
    errors: Literal["raise", "return"] = "raise",
    progress: bool | None = None,
) -> Generator[Any, None, None]:
    """Call `function(seed)` for each seed in a fresh esper world, and yield the results in the order of the seeds.

    The calls run in several processes. Each begins in an empty esper world without physics, which is deleted after the
    call. A function that depends only on its seed returns the same bits for any executor, number of workers and chunk.

    All tasks are submitted at once. Closing the iterator cancels those that are left, and so does an error. Local
    workers end at once then. Tasks that a given executor has begun run to their end.

    Args:
        function: function of one seed, defined with `def` at the top level of a module, so that workers can import it.
        seeds: seeds, or any other arguments that can be pickled.
        executor: executor of `concurrent.futures`, such as `client.get_executor()` of Dask or `RayExecutor()`. It is
            not shut down. None: local processes, which are started afresh and ended with the iterator.
        workers: number of local processes; by default one for each processor.
        chunk: number of seeds in a task; by default at most 50, and fewer if there are few seeds for each worker.
        timeout: longest time from the call of `map` until the last result [s].
        errors: "raise" to raise a `WorldError` for the first seed in their order that fails; "return" to yield a
            `WorldError` in the place of each result that is missing, and to go on.
        progress: True for a progress bar of tqdm on stderr; None for one if stderr is a terminal and tqdm is installed.

    Raises:
        WorldError: a world failed; it has the seed and the traceback of the worker. For a worker that died it names the
            seeds that were lost.
        TimeoutError: results are missing after `timeout`; the message names their seeds.
        ImportError: `progress` is True, and tqdm is not installed.
        TypeError: an argument has a wrong type, or workers cannot import the function. Nothing has been started.
        ValueError: an argument has a value that is not allowed. Nothing has been started.
    """
    _check_function(function, executor is None)
    if errors not in ("raise", "return"):
        raise ValueError(f"errors must be 'raise' or 'return', got {errors!r}")
    if executor is not None and workers is not None:
        raise ValueError(f"give either executor or workers={workers!r}: an executor has its own number of workers")
    all_seeds = list(seeds)
    count = default_workers() if workers is None else integer(workers, "workers", 1, MOST_WORKERS)
    if chunk is None:
        chunk = default_chunk(len(all_seeds), count if executor is None else UNKNOWN_WORKERS)
    chunk = integer(chunk, "chunk", 1, sys.maxsize)
    bar = _progress_bar(len(all_seeds), progress)
    if executor is not None and not isinstance(executor, Executor):
        raise TypeError(
            f"executor must be a concurrent.futures.Executor, got {executor!r}. A client of Dask has "
            "client.get_executor(); for Ray use ecs_collide.worlds.RayExecutor()"
        )
    local = min(count, -(-len(all_seeds) // chunk) or 1)
    run = MapRun(
        function, all_seeds, chunk, executor or local, None if timeout is None else positive(timeout, "timeout")
    )
    results = run.results(errors == "raise", bar)
    next(results)  # submits the tasks; from here on, closing the iterator cancels them
    return results


def default_chunk(seeds: int, workers: int) -> int:
    """Return the number of seeds in a task for a number of seeds and of workers."""
    return max(1, min(GREATEST_DEFAULT_CHUNK, seeds // (CHUNKS_PER_WORKER * workers)))


def _check_function(function: object, is_local: bool) -> None:
    """Raise TypeError if workers cannot import the function."""
    if not callable(function):
        raise TypeError(f"function must be a function of one seed, got {function!r}")
    rule = "function must be defined with def at the top level of a module, so that workers can import it"
    try:
        pickle.dumps(function)
    except Exception as error:
        raise TypeError(f"{rule}, got {function!r}: {error}") from None
    plain = getattr(function, "func", function)  # of functools.partial
    if is_local and getattr(plain, "__module__", "") == "__main__" and not hasattr(sys.modules["__main__"], "__file__"):
        raise TypeError(f"{rule}, got {function!r}, which was typed at a prompt: write it into a file and import it")


def _progress_bar(total: int, progress: bool | None) -> AbstractContextManager[Any]:
    """Return a bar of tqdm, or None as a context if there is to be none."""
    if progress is not None and not flag(progress, "progress"):
        return nullcontext()
    try:
        from tqdm import tqdm
    except ImportError:
        if progress:
            raise library_missing("tqdm", "cluster") from None
        return nullcontext()
    bar: AbstractContextManager[Any] = tqdm(total=total, unit=" worlds", disable=None if progress is None else False)
    return bar
