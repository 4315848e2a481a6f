"""Processes that compile kernels, divided so that few functions are translated twice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait

from build_kernels.jobs import Job, generate, translate

SLACK = 1.25
"""The ratio of the largest share to an equal one. A process that ends sooner makes more of the machine code."""


def compile_all(jobs: list[Job], reached: dict[str, dict[str, int]], workers: Sequence[Executor]) -> Iterator[Job]:
    """Compile kernels, and yield each when it is done.

    Each worker is one process. It translates its share, and then makes machine code of kernels that are translated.
    """
    missing = {job.name: job for job in jobs if not job.is_translated()}
    parts = divide_kernels({name: reached[name] for name in missing}, len(workers))
    to_translate = [deque(missing[name] for name in part) for part in parts]
    to_generate = deque(job for job in jobs if job.name not in missing)
    running: dict[Future[None], tuple[int, Job, bool]] = {}
    idle = list(range(len(workers)))
    while True:
        for number in idle:
            if own := to_translate[number]:
                job = own.popleft()
                running[workers[number].submit(translate, job)] = number, job, False
            elif to_generate:
                job = to_generate.popleft()
                running[workers[number].submit(generate, job)] = number, job, True
        if not running:
            return
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        busy = {number for future, (number, _, _) in running.items() if future not in finished}
        idle = [number for number in range(len(workers)) if number not in busy]
        for future in finished:
            future.result()
            _, job, is_done = running.pop(future)
            if is_done:
                yield job
            else:
                to_generate.append(job)


def divide_kernels(reached: dict[str, dict[str, int]], count: int) -> list[list[str]]:
    """Divide kernels among `count` processes, the largest first.

    Args:
        reached: the functions of each kernel, with the lengths of their code.
        count: the number of processes.

    A process translates a function once for all its kernels. So a kernel goes to the process that needs the least new
    code for it, among those whose share stays below the limit.
    """
    known: list[dict[str, int]] = [{} for _ in range(count)]
    found: list[list[str]] = [[] for _ in range(count)]
    everything = {name: length for parts in reached.values() for name, length in parts.items()}
    limit = SLACK * sum(everything.values()) / count
    for kernel in sorted(reached, key=lambda kernel: -sum(reached[kernel].values())):
        parts = reached[kernel]
        added = [sum(length for name, length in parts.items() if name not in own) for own in known]
        loads = [sum(own.values()) + more for own, more in zip(known, added, strict=True)]
        candidates = [k for k in range(count) if loads[k] <= limit] or range(count)
        chosen = min(candidates, key=lambda k: (added[k], loads[k]))
        known[chosen].update(parts)
        found[chosen].append(kernel)
    return found
