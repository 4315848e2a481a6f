"""Inspection of extension modules without running them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import lief
import wasmtime

from build_kernels.cross.targets import System

MACHINES = {"x86_64": {"x86_64", "X86_64", "AMD64"}, "aarch64": {"AARCH64", "ARM64"}, "wasm32": {"wasm32"}}
"""Names of processors in the headers of each format."""
ON_LINUX = {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
ON_WINDOWS = {"python3.dll", "KERNEL32.dll"}
ON_MACOS = {"/usr/lib/libSystem.B.dylib"}
ON_PYODIDE = {"env", "GOT.mem", "GOT.func"}
"""Libraries that a module may need."""


def python_names(module: Path) -> set[str]:
    """Return the names of Python that a module in ELF format takes from outside."""
    binary: Any = lief.parse(str(module))
    undefined = [symbol.name for symbol in binary.dynamic_symbols if symbol.shndx == 0]
    return {name for name in undefined if name.startswith(("Py", "_Py"))}


def find_faults(system: System, module: Path) -> list[str]:
    """Return what is wrong with a module for a system: processor, libraries, search paths, stack, names, signature."""
    machine, needed, exported, faults = _READERS[system.family](module, system)
    if machine not in MACHINES[system.processor]:
        faults.append(f"is for {machine}")
    faults += [f"needs {name}" for name in needed]
    if str(Path.cwd()).encode() in module.read_bytes():
        faults.append("contains a path of this machine")
    entry = f"PyInit_{module.name.partition('.')[0]}"
    if entry not in exported:
        faults.append(f"has no {entry}")
    return [f"{module.name} {fault}" for fault in faults]


Facts: TypeAlias = tuple[str, list[str], set[str], list[str]]
"""Processor of a module, libraries that it needs and must not, names of its functions, and faults."""


def _names(binary: Any) -> set[str]:
    return {function.name.lstrip("_") for function in binary.exported_functions}


def _read_elf(module: Path, system: System) -> Facts:
    binary: Any = lief.parse(str(module))
    allowed = ON_LINUX | {f"libc.musl-{system.processor}.so.1"}
    faults = [f"has a {e.tag.name}" for e in binary.dynamic_entries if e.tag.name in ("RUNPATH", "RPATH")]
    if any(segment.type.name == "GNU_STACK" and segment.flags.value & 1 for segment in binary.segments):
        faults.append("has an executable stack")
    needed = [name for name in binary.libraries if name not in allowed]
    return binary.header.machine_type.name, needed, _names(binary), faults


def _read_pe(module: Path, system: System) -> Facts:
    binary: Any = lief.parse(str(module))
    needed = [entry.name for entry in binary.imports]
    other = [name for name in needed if name not in ON_WINDOWS and not name.startswith("api-ms-win-crt-")]
    return binary.header.machine.name, other, _names(binary), []


def _read_macho(module: Path, system: System) -> Facts:
    binary: Any = lief.parse(str(module))
    if isinstance(binary, lief.MachO.FatBinary):
        binary = binary.at(0)
    needed = [library.name for library in binary.libraries if not library.name.startswith("@rpath/")]
    is_unsigned = system.processor == "aarch64" and not binary.has_code_signature
    return (
        binary.header.cpu_type.name,
        [name for name in needed if name not in ON_MACOS],
        _names(binary),
        ["is not signed"] * is_unsigned,
    )


def _read_wasm(module: Path, system: System) -> Facts:
    content = module.read_bytes()
    binary = wasmtime.Module(wasmtime.Engine(), content)
    other = [each.module for each in binary.imports if each.module not in ON_PYODIDE]
    faults = [] if b"dylink.0" in content[:32] else ["is no shared library"]
    return "wasm32", other, {each.name for each in binary.exports}, faults


_READERS = {"linux": _read_elf, "windows": _read_pe, "macos": _read_macho, "emscripten": _read_wasm}
