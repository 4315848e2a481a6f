"""Wheels with the extension modules of another system."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from pathlib import Path

from build_kernels.cross.targets import System
from build_kernels.cross.tools import run_module


def pack_wheel(base: Path, system: System, modules: Path, out: Path) -> Path:
    """Return a wheel like `base`, with the modules in the folder `modules` and the tags of their system."""
    unpacked = modules.with_name(f"{modules.name}-unpacked")
    shutil.rmtree(unpacked, ignore_errors=True)
    run_module("wheel", "unpack", "-d", unpacked, base)
    top = next(unpacked.iterdir())
    for pattern in ("*.so", "*.pyd", "*.sha256"):
        for file in top.rglob(pattern):
            file.unlink()
    shutil.copytree(modules / "ecs_collide", top / "ecs_collide", dirs_exist_ok=True)
    for module in top.rglob(f"*{system.suffix}"):
        digest = hashlib.sha256(module.read_bytes()).hexdigest()
        module.with_name(f"{module.name}.sha256").write_text(f"{digest}\n")
    record = next(top.glob("*.dist-info/WHEEL"))
    text = re.sub(r"^Tag: .*\n", "", record.read_text(), flags=re.MULTILINE).rstrip("\n")
    record.write_text("\n".join([text, *(f"Tag: cp311-abi3-{tag}" for tag in system.tags)]) + "\n")
    for older in out.glob(f"*{system.tags[0]}*.whl"):
        older.unlink()
    run_module("wheel", "pack", "-d", out, top, environment=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"})
    return next(file for file in out.glob("*.whl") if system.tags[0] in re.split("[-.]", file.name))


def find_wheel_faults(system: System, wheel: Path) -> list[str]:
    """Return what `abi3audit` and, on Linux, `auditwheel` find wrong with a wheel.

    `abi3audit` reads no WebAssembly; it sees the same C files in the other wheels.
    """
    faults = []
    if system.family != "emscripten":
        try:
            run_module("abi3audit", "--strict", "--summary", wheel)
        except RuntimeError as error:
            faults.append(f"abi3audit: {str(error)[-400:]}")
    if system.family == "linux":
        shown = " ".join(run_module("auditwheel", "show", wheel).split())
        if f'"{system.tags[0]}"' not in shown:
            faults.append(f"auditwheel: {shown[:400]}")
    return faults
