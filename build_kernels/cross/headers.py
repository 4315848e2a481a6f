"""Headers and import libraries of Python and numpy on another system."""

from __future__ import annotations

import importlib.util
import shutil
import sysconfig
import zipfile
from pathlib import Path

from build_kernels.cross.targets import System
from build_kernels.cross.tools import run_module

NUMPY = "numpy==2.4.*"
"""The numpy whose headers are used. Modules built with it run with numpy 1.23 and later."""

PYCONFIG = """\
/* The facts of a system that Python's headers need within the stable interface. */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_TIME_T 8
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__
#define SIZEOF_DOUBLE 8
#define SIZEOF_FLOAT 4
#define HAVE_STDDEF_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define STDC_HEADERS 1
#ifdef _WIN32
#include <io.h>
#include <stdio.h>
#define MS_WIN32
#define MS_WINDOWS
#define MS_WIN64
#define NT_THREADS
#define Py_ENABLE_SHARED 1
#define HAVE_DECLSPEC_DLL
#define SIZEOF_OFF_T 4
#else
#define SIZEOF_OFF_T 8
#define HAVE_UNISTD_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_SSIZE_T 1
#endif
#endif
"""
"""A `pyconfig.h` for every system: that of this machine would give its own sizes."""


def python_headers(folder: Path) -> Path:
    """Return a folder with Python's headers and the `pyconfig.h` above."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sysconfig.get_path("include"), folder)
    (folder / "pyconfig.h").write_text(PYCONFIG)
    return folder


def musl_headers() -> list[Path]:
    """Return the folders with the headers of musl on a system with 32 bits.

    The C library of Emscripten is musl, and zig has no headers for Emscripten. The types that differ, `size_t` and
    `wchar_t`, come from the compiler.
    """
    ziglang = importlib.util.find_spec("ziglang")
    assert ziglang is not None and ziglang.origin is not None
    include = Path(ziglang.origin).with_name("lib") / "libc" / "include"
    return [include / "riscv32-linux-musl", include / "generic-musl"]


def numpy_headers(system: System, folder: Path) -> Path:
    """Return a folder with the headers of the system's own numpy, whose `_numpyconfig.h` differs by system."""
    place = folder / system.numpy
    include = place / "numpy" / "_core" / "include"
    if not include.is_dir():
        choice = [
            "--no-deps",
            "--only-binary=:all:",
            "--python-version",
            "3.11",
            "--implementation",
            "cp",
            "--platform",
        ]
        run_module("pip", "download", "-q", "--disable-pip-version-check", *choice, system.numpy, "-d", place, NUMPY)
        with zipfile.ZipFile(next(place.glob("numpy-*.whl"))) as wheel:
            wheel.extractall(place, [name for name in wheel.namelist() if "/_core/include/" in name])
    return include


def import_library(system: System, names: set[str], folder: Path) -> Path:
    """Return an import library of `python3.dll` with some names of the stable interface, for Windows."""
    entries = [f"{name} DATA" if _is_data(name) else name for name in sorted(names)]
    definition, library = folder / "python3.def", folder / "libpython3.a"
    definition.write_text("\n  ".join(["LIBRARY python3.dll\nEXPORTS", *entries]) + "\n")
    machine = {"x86_64": "i386:x86-64", "aarch64": "arm64"}[system.processor]
    run_module("ziglang", "dlltool", "-m", machine, "-d", definition, "-l", library)
    return library


def _is_data(name: str) -> bool:
    """Return True for a name of Python that is no function: an exception, a type, or one of the constants."""
    return name.startswith("PyExc_") or name.endswith(("_Type", "Struct"))
