"""The bitcode of a release as one file: wheels for new systems can be made of it without numba.

The archive holds the bitcode and the table row of each kernel, and the list of the sources that they were made of. So
an old release gets machine code for a new system from LLVM alone, with the same bits.
"""

from __future__ import annotations

import tarfile
from pathlib import Path

from build_kernels.build import Built
from build_kernels.jobs import Job

SOURCES = "sources.txt"


def write_archive(built: Built, file: Path) -> None:
    """Write the kernels of a build to an archive."""
    sources = built.jobs[0].place.with_name(SOURCES)
    sources.write_text("\n".join(built.sources) + "\n")
    with tarfile.open(file, "w:xz") as archive:
        for each in (sources, *(part for job in built.jobs for part in (job.row, job.bitcode))):
            archive.add(each, each.name)


def read_archive(file: Path, folder: Path) -> Built:
    """Unpack an archive to a folder, and return its kernels."""
    with tarfile.open(file) as archive:
        archive.extractall(folder, filter="data")
    jobs = [
        Job(row.name.rpartition("-")[0], row.with_suffix(""), "", ())
        for row in sorted(folder.glob("*.json"), key=lambda row: row.name)
    ]
    return Built(jobs, (folder / SOURCES).read_text().splitlines())
