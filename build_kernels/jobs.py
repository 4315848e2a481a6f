"""The compilation of one kernel, first to bitcode, then to machine code, and its files."""

from __future__ import annotations

import gc
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from build_kernels import backend, table

ENTRY = "entry"


class Job(NamedTuple):
    """A kernel and the places of its files."""

    name: str
    place: Path
    triple: str
    cpus: tuple[str, ...]
    objects_in: Path | None = None
    """Folder for the machine code; None: beside the other files."""

    @property
    def row(self) -> Path:
        """File with its row of the table."""
        return self._file(".json")

    @property
    def bitcode(self) -> Path:
        """File with the frontend's bitcode."""
        return self._file(".bc")

    @property
    def objects(self) -> list[Path]:
        """Files with machine code, one for each CPU."""
        files = [self._file(f"-{self.triple}-{cpu}.o") for cpu in self.cpus]
        return files if self.objects_in is None else [self.objects_in / file.name for file in files]

    def read_row(self) -> dict[str, Any]:
        """Return the types of the kernel's arguments and results."""
        row: dict[str, Any] = json.loads(self.row.read_text())
        return row

    def is_done(self) -> bool:
        """Return True if all files exist that are wanted: the machine code, or without CPUs the bitcode."""
        return all(file.is_file() for file in (self.row, *(self.objects or [self.bitcode])))

    def is_translated(self) -> bool:
        """Return True if the frontend has nothing to do."""
        return self.row.is_file() and self.bitcode.is_file()

    def _file(self, ending: str) -> Path:
        return self.place.with_name(f"{self.place.name}{ending}")


def translate(job: Job) -> None:
    """Write the bitcode and the row."""
    from build_kernels.frontend import translate

    gc.disable()
    bitcode, takes, returns = translate(dispatchers()[job.name], ENTRY)
    _write(job.row, json.dumps({"takes": takes, "returns": returns}).encode())
    _write(job.bitcode, bitcode)
    gc.collect()
    gc.freeze()  # else each later collection would visit what numba keeps of this kernel


def generate(job: Job) -> None:
    """Write the machine code that is missing."""
    for cpu, file in zip(job.cpus, job.objects, strict=True):
        if not file.is_file():
            symbol = table.symbol_of(job.name, cpu)
            target = backend.Target(job.triple, cpu)
            _write(file, backend.optimise(job.bitcode.read_bytes(), ENTRY, symbol, target).object_file())


@cache
def kernel_functions() -> dict[str, Any]:
    """Return the Python functions of all kernels, by name."""
    from ecs_collide.kernels.all_files import run_all
    from ecs_collide.kernels.kernel import KERNELS

    run_all()
    return KERNELS


@cache
def dispatchers() -> dict[str, Any]:
    """Return numba's dispatchers of all kernels, by name. Building blocks get theirs too."""
    import ecs_collide.kernels.simd_lowering  # noqa: F401  # registers vectors with numba
    from build_kernels.compiler import let_numba_compile
    from ecs_collide.kernels.kernel import BUILDING_BLOCKS

    functions = kernel_functions()
    for function, is_inlined in BUILDING_BLOCKS.items():
        let_numba_compile(function, is_inlined)
    return {name: let_numba_compile(function, is_inlined=False) for name, function in functions.items()}


def _write(file: Path, content: bytes) -> None:
    """Write a file under another name and rename it, so that an interrupted build leaves only complete files."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(file)
