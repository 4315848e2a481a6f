"""Compile all kernels of ecs_collide, as object files and a table in C that lists them.

What is in the folder already and unchanged is not compiled again. Every core works on kernels of its own, from Python
to machine code; those of one file are one task, as they call much the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from build_kernels import backend, table

ENTRY = "entry"


class Job(NamedTuple):
    """A kernel that is to be compiled, and where its files go."""

    name: str
    place: Path
    triple: str
    cpus: tuple[str, ...]


def build(folder: Path, triple: str, cpus: str, progress: Path | None) -> None:
    """Bring the folder up to date."""
    started_at = perf_counter()
    triple = triple or backend.this_triple()
    chosen = backend.chosen_cpus(triple, cpus)
    folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        fingerprints, sources = pool.submit(_fingerprints).result()
        places = {name: folder / f"{name}-{print_[:16]}-{triple}" for name, print_ in fingerprints.items()}
        jobs = [Job(name, place, triple, chosen) for name, place in places.items()]
        waiting = [job for job in jobs if not _is_done(job)]
        tasks = [pool.submit(_compile, list(group)) for _, group in groupby(waiting, _file_of)]
        done = 0
        for task in as_completed(tasks):
            done += task.result()
            _tell(progress, f"{done} of {len(waiting)} kernels compiled, {perf_counter() - started_at:.0f} s")
    rows = [(job.name, json.loads(_row(job).read_text()), list(_objects(job))) for job in jobs]
    table.write(folder, rows, chosen, sources)
    kept = tuple(job.place.name for job in jobs)
    for file in folder.iterdir():
        if file.suffix in (".o", ".bc", ".json") and not file.name.startswith(kept):
            file.unlink()


def _fingerprints() -> tuple[dict[str, str], list[str]]:
    """A digest of each kernel; then one of the files that they stand in, and these files."""
    import ecs_collide
    from build_kernels.fingerprint import Fingerprint
    from ecs_collide.compiled.module import digest_of

    fingerprint, kernels = Fingerprint(), _declared()
    found = {name: fingerprint.of_kernel(kernels[name].py_func) for name in sorted(kernels, key=_order)}
    top = Path(ecs_collide.__file__).parent
    names = sorted(file.relative_to(top).as_posix() for file in fingerprint.files)
    return found, [digest_of(top, names), *names]


@cache
def _declared() -> dict[str, Any]:
    """All kernels by name."""
    from ecs_collide.compiled.files import run_all
    from ecs_collide.compiled.jit import DECLARED

    run_all()
    return DECLARED


def _order(name: str) -> tuple[bool, str]:
    """The engine's kernels first: they take longest."""
    return not name.startswith("engine"), name


def _file_of(job: Job) -> str:
    return job.name.rpartition(".")[0]


def _compile(jobs: list[Job]) -> int:
    from build_kernels.frontend import translate

    for job in jobs:
        if not _bitcode(job).is_file():
            bitcode, takes, returns = translate(_declared()[job.name], ENTRY)
            _write(_row(job), json.dumps({"takes": takes, "returns": returns}).encode())
            _write(_bitcode(job), bitcode)
        for cpu, file in zip(job.cpus, _objects(job), strict=True):
            if not file.is_file():
                target = backend.Target(job.triple, cpu)
                symbol = table.symbol_of(job.name, cpu)
                _write(file, backend.machine_code(_bitcode(job).read_bytes(), ENTRY, symbol, target))
    return len(jobs)


def _write(file: Path, content: bytes) -> None:
    """Write a file so that a broken-off build leaves none that is not whole."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(file)


def _objects(job: Job) -> Iterator[Path]:
    return (job.place.with_name(f"{job.place.name}-{cpu}.o") for cpu in job.cpus)


def _bitcode(job: Job) -> Path:
    return job.place.with_name(f"{job.place.name}.bc")


def _row(job: Job) -> Path:
    return job.place.with_name(f"{job.place.name}.json")


def _is_done(job: Job) -> bool:
    return all(file.is_file() for file in (_row(job), *_objects(job)))


def _tell(progress: Path | None, line: str) -> None:
    if progress is None:
        print(line, flush=True)
    else:
        with progress.open("a") as file:
            file.write(f"\r\x1b[K{line}")
