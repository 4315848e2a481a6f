"""Whether an extension module is there and whole: to load one whose file is cut off kills Python without a word.

So a file is looked at first where the system's loader does not do that, which is where files have the form ELF. It is
whole where none of its segments ends behind the end of the file.
"""

from __future__ import annotations

import os
import struct
from importlib.util import find_spec

_ELF = b"\x7fELF\x02"
"""How 64-bit ELF files begin."""
_HEADER = struct.Struct("=32xQ14xHH")
"""Where the list of segments begins in the file, bytes of an item, and how many there are."""
_SEGMENT = struct.Struct("=8xQ16xQ")
"""Where a segment begins in the file, and how many bytes it has there."""


def is_built(name: str) -> bool:
    """Whether an extension module was built. ImportError where its file is cut off."""
    spec = find_spec(name)
    if spec is not None and spec.origin is not None and os.path.isfile(spec.origin):
        _check_length(spec.origin)
    return spec is not None


def is_wanted(name: str) -> bool:
    """Whether an extension module is to serve that Python can do without, ten times as slow.

    ECS_COLLIDE_VIEWS=python does without. ImportError where its file is cut off, or is missing though the module of
    kernels is there, which the same compiler built.
    """
    if os.environ.get("ECS_COLLIDE_VIEWS") == "python":
        return False
    if is_built(name):
        return True
    if is_built("ecs_collide._kernels"):
        raise ImportError(f"{name} is missing: install ecs_collide again, or set ECS_COLLIDE_VIEWS=python")
    return False


def _check_length(path: str) -> None:
    with open(path, "rb") as file:
        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size or not header.startswith(_ELF):
            return  # too short to be loaded, or another form
        start, size, count = _HEADER.unpack(header)
        file.seek(start)
        segments = file.read(size * count)
        length = file.seek(0, os.SEEK_END)
    ends = [sum(_SEGMENT.unpack_from(segments, place)) for place in range(0, len(segments) - size + 1, size)]
    needed = max([start + size * count, *ends])
    if length < needed:
        raise ImportError(f"{path} is cut off after {length} of {needed} bytes: install ecs_collide again")
