"""The extension module `ecs_collide._kernels`: whether it is there, is whole, and was built from these sources."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from types import ModuleType
from typing import Any

from ecs_collide.compiled import extension

NAME = "ecs_collide._kernels"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def is_usable() -> bool:
    """Whether kernels come from the module. ImportError where it is there and does not work."""
    if not os.path.isdir(_PACKAGE):
        raise ImportError(f"ecs_collide lies in an archive, {_PACKAGE}; no machine code can be loaded there: unpack it")
    if not is_there():
        return False
    digest, *names = _loaded().SOURCES.split()
    if not _is_checkout() or digest_of(_PACKAGE, names) == digest:
        return True
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
