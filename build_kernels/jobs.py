"""A kernel that is to be compiled: first to bitcode, then to machine code; its files."""

from __future__ import annotations

import gc
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from build_kernels import backend, table

ENTRY = "entry"


class Job(NamedTuple):
    """A kernel, and where its files go."""

    name: str
    place: Path
    triple: str
    cpus: tuple[str, ...]

    @property
    def row(self) -> Path:
        """What the table says of it."""
        return self._file(".json")

    @property
    def bitcode(self) -> Path:
        """What the frontend has made."""
        return self._file(".bc")

    @property
    def objects(self) -> list[Path]:
        """Machine code, for one CPU after the other."""
        return [self._file(f"-{cpu}.o") for cpu in self.cpus]

    def is_done(self) -> bool:
        """Whether all is there that the module needs."""
        return all(file.is_file() for file in (self.row, *self.objects))

    def is_translated(self) -> bool:
        """Whether the frontend has nothing to do."""
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
    gc.freeze()  # what numba keeps of this kernel would be looked at again after each of the others


def generate(job: Job) -> None:
    """Write the machine code that is missing."""
    for cpu, file in zip(job.cpus, job.objects, strict=True):
        if not file.is_file():
            symbol = table.symbol_of(job.name, cpu)
            target = backend.Target(job.triple, cpu)
            _write(file, backend.optimised(job.bitcode.read_bytes(), ENTRY, symbol, target).object_file())


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
    """Write a file so that a broken-off build leaves none that is not whole."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(file)
