"""An executor of `concurrent.futures` whose calls are tasks of Ray."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from ecs_collide.draw.missing import library_missing
from ecs_collide.validate import integer

P = ParamSpec("P")
R = TypeVar("R")

TASKS_PER_PROCESSOR = 2
"""Tasks that are submitted for each processor of the cluster: one that runs, and one that is next."""


class RayExecutor(ThreadPoolExecutor):
    """An executor that runs each call as a task on the Ray cluster to which this process is connected.

    A thread for each task submits it and waits for it. Calls wait here until a thread is free, and a call that waits
    can be cancelled. No task of Ray is ever cancelled: Ray 2.60 may end this process if a worker takes the task then.
    So a submitted task runs to its end.
    """

    def __init__(self, *, most_tasks: int | None = None, **options: Any) -> None:
        """Prepare the tasks.

        Args:
            most_tasks: greatest number of tasks on the cluster at a time; by default two for each of its processors. A
                cluster that grows on demand needs more.
            options: options of the tasks, as `ray.remote` takes them, such as `num_cpus` or `max_retries`.

        Raises ImportError if Ray is not installed, and RuntimeError if `ray.init` was not called. Raises TypeError or
        ValueError for a wrong number.
        """
        try:
            import ray
        except ImportError:
            raise library_missing("Ray", "cluster") from None
        if not ray.is_initialized():
            raise RuntimeError("call ray.init() first: it starts a local cluster, or connects to a running one")
        if most_tasks is None:
            most_tasks = TASKS_PER_PROCESSOR * max(1, int(ray.cluster_resources().get("CPU", 1)))
        super().__init__(integer(most_tasks, "most_tasks", 1, 1 << 31), thread_name_prefix="ray task")
        self._result_of = ray.get
        self._task: Any = ray.remote(**options)(_call) if options else ray.remote(_call)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Return the future of `fn(*args, **kwargs)`, which becomes a task as soon as there is room for it."""
        return super().submit(self._run, fn, args, kwargs)

    def _run(self, function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        """Run a task, and return its result."""
        result: R = self._result_of(self._task.remote(function, args, kwargs))
        return result


def _call(function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
    return function(*args, **kwargs)
