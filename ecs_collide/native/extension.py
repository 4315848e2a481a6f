"""Checks that an extension module exists, is for this machine, and that its file is complete.

Loading a file that is cut off ends Python without a message, unless the system's loader checks it. It does not check
files in ELF format. Such a file is complete if none of its segments ends behind the end of the file.
"""

from __future__ import annotations

import os
import struct
import sys
from importlib.util import find_spec

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

_ELF = b"\x7fELF\x02"
"""First bytes of a 64-bit ELF file."""
_HEADER = struct.Struct("=18xH12xQ14xHH")
"""Processor, place of the list of segments in the file, bytes of an item, and number of items."""
_SEGMENT = struct.Struct("=8xQ16xQ")
"""Place of a segment in the file, and its number of bytes there."""
_PROCESSORS = {62: "x86_64", 183: "aarch64", 243: "riscv64", 258: "loongarch64", 22: "s390x", 21: "ppc64le"}
"""Numbers of processors in ELF files, with Linux' names of them."""


def is_built(name: str) -> bool:
    """Return True if an extension module was built. ImportError if its file is cut off or the package is an archive.

    `python -m ecs_collide check` also compares the file with its digest, before machine code of it can run.
    """
    if not os.path.isdir(_PACKAGE):
        raise fault(f"ecs_collide lies in an archive, {_PACKAGE}; no machine code can be loaded there: unpack it")
    spec = find_spec(name)
    if spec is not None and spec.origin is not None and os.path.isfile(spec.origin):
        _check_length(spec.origin)
        if _is_command("check"):
            check_digest(name)
    return spec is not None


def fault(message: str) -> BaseException:
    """Return the error for an installation that cannot be used; for `python -m ecs_collide` its text alone."""
    return SystemExit(message) if _is_command() else ImportError(message)


def _is_command(*arguments: str) -> bool:
    """Return True while `python -m ecs_collide`, with these arguments, imports the package."""
    if sys.argv[:1] != ["-m"]:
        return False
    given = sys.orig_argv[sys.orig_argv.index("-m") + 1 :]
    return given[: len(arguments) + 1] == ["ecs_collide", *arguments]


def check_digest(name: str) -> str:
    """Compare the file of an extension module with the digest that was written when it was built; return its name.

    Raises an error, see `fault`, if the file is missing or damaged, or has no digest.
    """
    import hashlib

    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise fault(f"{name} is missing: install ecs_collide again, or run `make build` in a checkout")
    digest = f"{spec.origin}.sha256"
    if not os.path.isfile(digest):
        raise fault(f"{digest} is missing, which is written when the module is built: install ecs_collide again")
    with open(spec.origin, "rb") as file, open(digest) as recorded:
        if hashlib.sha256(file.read()).hexdigest() != recorded.read().strip():
            raise fault(f"{spec.origin} is damaged, as it differs from what was built: install ecs_collide again")
    return os.path.basename(spec.origin)


def require(name: str) -> None:
    """Raise ImportError if an extension module is missing or its file is cut off."""
    if not is_built(name):
        raise fault(f"{name} is missing: install ecs_collide again, or run `make build` in a checkout")


def _check_length(path: str) -> None:
    with open(path, "rb") as file:
        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size or not header.startswith(_ELF):
            return  # it cannot be loaded, or is no ELF file
        processor, start, size, count = _HEADER.unpack(header)
        _check_processor(path, processor)
        file.seek(start)
        segments = file.read(size * count)
        length = file.seek(0, os.SEEK_END)
    ends = [sum(_SEGMENT.unpack_from(segments, place)) for place in range(0, len(segments) - size + 1, size)]
    needed = max([start + size * count, *ends])
    if length < needed:
        raise fault(f"{path} is cut off after {length} of {needed} bytes: install ecs_collide again")


def _check_processor(path: str, number: int) -> None:
    """Raise an error, see `fault`, if a module is for another processor than this one. Unknown ones pass."""
    name, here = _PROCESSORS.get(number), os.uname().machine  # files in ELF format are Linux'
    if name is not None and here in _PROCESSORS.values() and name != here:
        raise fault(
            f"{path} is for {name} and this machine is {here}: install the wheel of ecs_collide for this machine"
        )
