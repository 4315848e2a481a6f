"""An executor of `concurrent.futures` whose calls are tasks of Ray."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, wait as wait_for
from typing import Any, ParamSpec, TypeVar

from ecs_collide.draw.missing import library_missing

P = ParamSpec("P")
R = TypeVar("R")


class RayExecutor(Executor):
    """An executor that runs each call as a task on the Ray cluster to which this process is connected.

    Cancelling a future cancels its task, also while it runs.
    """

    def __init__(self, **options: Any) -> None:
        """Prepare the tasks.

        Args:
            options: options of the tasks, as `ray.remote` takes them, such as `num_cpus` or `max_retries`.

        Raises ImportError if Ray is not installed, and RuntimeError if `ray.init` was not called.
        """
        try:
            import ray
        except ImportError:
            raise library_missing("Ray", "cluster") from None
        if not ray.is_initialized():
            raise RuntimeError("call ray.init() first: it starts a local cluster, or connects to a running one")
        self._cancel = ray.cancel
        self._task: Any = ray.remote(**options)(_call) if options else ray.remote(_call)
        self._futures: set[Future[Any]] | None = set()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Start `fn(*args, **kwargs)` as a task, and return its future."""
        if self._futures is None:
            raise RuntimeError("the executor was shut down")
        running = self._futures
        reference = self._task.remote(fn, args, kwargs)
        future: Future[R] = reference.future()
        running.add(future)

        def end(done: Future[R]) -> None:
            running.discard(done)
            if done.cancelled():
                self._cancel(reference)

        future.add_done_callback(end)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Refuse further calls. The connection to the cluster stays open.

        Args:
            wait: True to wait for all tasks.
            cancel_futures: True to cancel all tasks first.
        """
        running, self._futures = list(self._futures or ()), None
        if cancel_futures:
            for future in running:
                future.cancel()
        if wait:
            wait_for(running)


def _call(function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
    return function(*args, **kwargs)
