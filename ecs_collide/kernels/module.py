"""The extension module `ecs_collide._kernels`: whether it is there, is whole, and was built from these sources."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType
from typing import Any

from ecs_collide.kernels import extension

NAME = "ecs_collide._kernels"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def is_usable() -> bool:
    """Whether kernels come from the module. ImportError where it is there and cannot serve."""
    if not os.path.isdir(_PACKAGE):
        raise ImportError(f"ecs_collide lies in an archive, {_PACKAGE}; no machine code can be loaded there: unpack it")
    if not is_there():
        return False
    if _is_of_these_sources():
        return True
    if not _is_checkout():
        raise ImportError(
            f"{file()} was built from other sources than those that lie beside it: install ecs_collide again, or set "
            "ECS_COLLIDE_JIT=1 to have numba compile these"
        )
    if os.environ.get("ECS_COLLIDE_QUIET", "0") in ("", "0"):
        print("ecs_collide: sources have changed since `make build`, so numba compiles the kernels", file=sys.stderr)
    return False


def is_there() -> bool:
    """Whether the module has been built. ImportError where its file is cut off."""
    return extension.is_built(NAME)


def kernel_name(function: Callable[..., Any]) -> str:
    """What a kernel is called in the module."""
    return f"{function.__module__}.{function.__qualname__}".removeprefix("ecs_collide.")


def kernels() -> dict[str, Callable[..., Any]]:
    """All kernels of the module, by name."""
    return _loaded().KERNELS  # type: ignore[no-any-return]


def kernel_named(name: str) -> Callable[..., Any]:
    """A kernel; RuntimeError where the module has none of this name."""
    found = kernels().get(name)
    if found is None:
        advice = "run `make build`" if _is_checkout() else "install ecs_collide again"
        raise RuntimeError(
            f"{NAME} has no kernel {name}: {advice}. A kernel of your own is compiled by numba: ECS_COLLIDE_JIT=1"
        )
    return found


def prepared_chain(calls: tuple[Any, ...], prepared: tuple[Any, ...]) -> Callable[..., int | None]:
    """A function that makes calls of kernels, one after the other; see `chain.py`."""
    return _loaded().chain(calls, prepared)  # type: ignore[no-any-return]


def repeated_chain(*given: Any) -> Callable[[float], bool | None]:
    """A function that makes a chain as long as conditions hold; see `chain.py`."""
    return _loaded().again(*given)  # type: ignore[no-any-return]


def instruction_set() -> str:
    """What the module's machine code is for, in this process."""
    return str(_loaded().INSTRUCTION_SET)


def file() -> str:
    """Where the module is."""
    return str(_loaded().__file__)


def cpus() -> list[str]:
    """What the module has machine code for that this machine can run; the last one is the best."""
    return str(_loaded().CPUS).split()


@cache
def _loaded() -> ModuleType:
    try:
        from ecs_collide import _kernels  # by a statement, which those who freeze a game find
    except ImportError as error:
        raise ImportError(
            f"{NAME} cannot be loaded ({error}): install ecs_collide again, or set ECS_COLLIDE_JIT=1"
        ) from error
    return _kernels  # type: ignore[no-any-return]


def _is_checkout() -> bool:
    return os.path.isdir(os.path.join(os.path.dirname(_PACKAGE), "build_kernels"))


def _is_of_these_sources() -> bool:
    """Whether the module was built from the files beside it, as far as these are there: a frozen game has none.

    In a checkout they are read. Where nobody edits them their sizes are enough, which takes half a millisecond; only if
    one differs they are read, as a copy of the package may have other ends of lines.
    """
    digest, *listed = str(_loaded().SOURCES).split()
    names, sizes = listed[::2], map(int, listed[1::2])
    if not _is_checkout() and all(_size(name) in (None, size) for name, size in zip(names, sizes, strict=True)):
        return True
    return digest_of(_PACKAGE, names) == digest


def _size(name: str) -> int | None:
    """Bytes of a file of the package."""
    try:
        return os.stat(f"{_PACKAGE}/{name}").st_size
    except FileNotFoundError:
        return None


def digest_of(package: str | os.PathLike[str], names: Iterable[str]) -> str:
    """A digest of some files of the package."""
    import hashlib  # of no use to a game, and slow to load

    digest = hashlib.sha256()
    for name in names:
        digest.update(f"\0{name}\0".encode())
        file = os.path.join(package, name)
        if os.path.isfile(file):
            with open(file, "rb") as source:
                digest.update(source.read().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
