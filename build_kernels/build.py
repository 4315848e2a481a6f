"""Compilation of all kernels of ecs_collide to object files and a table in C that lists them.

Files that are in the folder and up to date are not made again. All cores take part.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from build_kernels import backend, table
from build_kernels.jobs import Job, kernel_functions
from build_kernels.workers import compile_all


class Built(NamedTuple):
    """The kernels of a folder."""

    jobs: list[Job]
    sources: list[str]
    """A line for each file of kernels, see `Inventory`."""


def build(folder: Path, triple: str, cpus: str, progress: Path | None) -> Built:
    """Bring the folder with object files, table.h and objects.txt up to date.

    `cpus` may be "none": then the folder gets the bitcode alone, from which `build_kernels.cross` goes on.
    """
    started_at = perf_counter()
    triple = triple or backend.host_triple()
    chosen = backend.chosen_cpus(triple, cpus)
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        pools = (ProcessPoolExecutor(1, get_context("spawn")) for _ in range(os.cpu_count() or 1))
        workers = [stack.enter_context(pool) for pool in pools]
        inventory = workers[0].submit(_inventory).result()
        places = {name: folder / f"{name}-{print_[:16]}" for name, print_ in inventory.fingerprints.items()}
        jobs = [Job(name, place, triple, chosen) for name, place in places.items()]
        waiting = [job for job in jobs if not job.is_done()]
        if waiting:
            _report(progress, f"0 of {len(waiting)} kernels compiled: the largest come first")
        for done, _ in enumerate(compile_all(waiting, inventory.reached, workers), 1):
            _report(progress, f"{done} of {len(waiting)} kernels compiled, {perf_counter() - started_at:.0f} s")
    rows = [(job.name, job.read_row(), job.objects) for job in jobs]
    table.write(folder, rows, chosen, inventory.sources)
    _remove_outdated(folder, jobs)
    return Built(jobs, inventory.sources)


def _remove_outdated(folder: Path, jobs: list[Job]) -> None:
    """Remove the files of former builds."""
    kept = {file for job in jobs for file in (job.row, job.bitcode)}
    places = tuple(f"{job.place.name}-" for job in jobs)
    for file in folder.iterdir():
        is_object = file.suffix == ".o" and file.name.startswith(places)
        if file.suffix in (".o", ".bc", ".json") and file not in kept and not is_object:
            file.unlink()


class Inventory(NamedTuple):
    """The kernels to compile, by name."""

    fingerprints: dict[str, str]
    reached: dict[str, dict[str, int]]
    """Functions of each kernel, with the lengths of their code."""
    sources: list[str]
    """A line for each file of these functions: its name, its size [bytes], and digests of its text and its code."""


def _inventory() -> Inventory:
    import ecs_collide
    from ecs_collide.kernels.numba_internals import check_numba

    check_numba()  # before the compiler's own files, which use these parts at import
    from build_kernels.fingerprint import Fingerprint
    from ecs_collide.kernels.module import digest_of_code, digest_of_content

    fingerprint, functions = Fingerprint(), dict(sorted(kernel_functions().items()))
    prints = {name: fingerprint.of_kernel(function) for name, function in functions.items()}
    reached = {name: fingerprint.reached(function) for name, function in functions.items()}
    top = Path(ecs_collide.__file__).parent
    sources = [
        f"{file.relative_to(top).as_posix()} {file.stat().st_size} {digest_of_content(file)} {digest_of_code(file)}"
        for file in sorted(fingerprint.files)
    ]
    return Inventory(prints, reached, sources)


def _report(progress: Path | None, line: str) -> None:
    if progress is None:
        print(line, flush=True)
    else:
        with progress.open("a") as file:
            file.write(f"\r\x1b[K{line}")
