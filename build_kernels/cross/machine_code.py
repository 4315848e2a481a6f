"""Machine code of all kernels for the systems that are wanted, from the bitcode of a build on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from build_kernels.cross.targets import System
from build_kernels.jobs import Job, generate


def jobs_for(system: System, jobs: Iterable[Job], folder: Path) -> list[Job]:
    """Return the jobs that make the machine code of a system, in a folder beside the bitcode's."""
    return [job._replace(triple=system.triple, cpus=system.cpus, objects_in=folder) for job in jobs]


def compile_objects(jobs: list[Job]) -> Iterator[int]:
    """Make the machine code that is missing, on all cores, the largest kernels first; yield how many jobs are done."""
    missing = {(job.name, job.triple, job.cpus): job for job in jobs if not all(map(Path.is_file, job.objects))}
    waiting = sorted(missing.values(), key=lambda job: -job.bitcode.stat().st_size * len(job.cpus))
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for done, _ in enumerate(pool.map(generate, waiting), 1):
            yield done
