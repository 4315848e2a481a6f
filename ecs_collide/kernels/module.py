"""The extension module `ecs_collide._kernels`, and the check that it was built from the sources beside it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

from ecs_collide.native import extension

NAME = "ecs_collide._kernels"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def check() -> None:
    """Raise ImportError unless the module is there, is whole, and was built from the sources beside it."""
    if not extension.is_built(NAME):
        raise extension.fault(f"the kernels of ecs_collide are missing ({NAME}): {_advice()}")
    if changed := _changed_file():
        raise extension.fault(f"{changed} has changed since {file()} was built: {_advice()}")


def _advice() -> str:
    cure = "run `make build`" if _is_checkout() else "install ecs_collide again"
    return f"{cure}, or set NUMBA_DISABLE_JIT=1 to run the kernels as plain Python"


def kernel_name(function: Callable[..., Any]) -> str:
    """Return the name of a kernel in the module."""
    return f"{function.__module__}.{function.__qualname__}".removeprefix("ecs_collide.")


def kernels() -> dict[str, Callable[..., Any]]:
    """Return all kernels of the module, by name."""
    return loaded().KERNELS  # type: ignore[no-any-return]


def kernel_named(name: str) -> Callable[..., Any]:
    """Return a kernel; RuntimeError if the module has none of this name."""
    found = kernels().get(name)
    if found is None:
        raise RuntimeError(f"{NAME} has no kernel {name}: {_advice()}")
    return found


def prepared_call_list(
    calls: tuple[Any, ...], at: Any, begins: tuple[int, ...], times: Any
) -> Callable[[int, int], int]:
    """Return a function that makes calls of kernels, one after the other; see `kernels/calls.py`."""
    return loaded().call_list(calls, at, begins, times)  # type: ignore[no-any-return]


def instruction_set() -> str:
    """Return the name of the instruction set that this process uses."""
    return str(loaded().INSTRUCTION_SET)


def file() -> str:
    """Return the path of the module."""
    return str(loaded().__file__)


def cpus() -> list[str]:
    """Return the instruction sets of the module that this machine can run; the last one is the best."""
    return str(loaded().CPUS).split()


@cache
def loaded() -> ModuleType:
    """Return the module. Raises ImportError if it cannot be loaded."""
    try:
        from ecs_collide import _kernels  # type: ignore[attr-defined]  # a statement, which tools that freeze games find
    except ImportError as error:
        raise extension.fault(f"{NAME} cannot be loaded ({error}): {_advice()}") from error
    return _kernels  # type: ignore[no-any-return]


def _is_checkout() -> bool:
    return os.path.isdir(os.path.join(os.path.dirname(_PACKAGE), "build_kernels"))


def _changed_file() -> str | None:
    """Return the first file whose code is not that from which the module was built; None if there is none.

    An installed package is compared by the sizes of its files, which takes half a millisecond, and may lack them, as in
    a frozen game. A checkout is compared by their contents. If these differ, the code without comments and docstrings
    decides.
    """
    is_checkout = _is_checkout()
    for name, size, content, code in _sources():
        path = f"{_PACKAGE}/{name}"
        if not is_checkout and _size(path) in (None, int(size)):
            continue
        if not os.path.isfile(path) or (digest_of_content(path) != content and digest_of_code(path) != code):
            return path
    return None


def code_digest() -> str:
    """Return a digest of the code of all kernels, alike on all systems."""
    return _digest("\n".join(f"{name} {code}" for name, _, _, code in _sources()).encode())


def _sources() -> list[list[str]]:
    """Return name, size, digest of content and digest of code of each file from which the module was built."""
    return [line.split() for line in str(loaded().SOURCES).splitlines()]


def check_contents() -> int:
    """Compare all files with those from which the module was built, by contents; return their number.

    Raises ImportError that names a file that differs or is missing.
    """
    for name, _, content, code in _sources():
        path = f"{_PACKAGE}/{name}"
        if not os.path.isfile(path):
            raise ImportError(f"{path} is missing: {_advice()}")
        if digest_of_content(path) != content and digest_of_code(path) != code:
            raise ImportError(f"{path} has changed since {file()} was built: {_advice()}")
    return len(_sources())


def _size(path: str) -> int | None:
    """Return the bytes of a file, or None if there is no such file."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return None


def digest_of_content(path: str | os.PathLike[str]) -> str:
    """Return a digest of a file's text, alike for all ends of lines."""
    with open(path, "rb") as source:
        return _digest(source.read().replace(b"\r\n", b"\n"))


def digest_of_code(path: str | os.PathLike[str]) -> str:
    """Return a digest of a Python file without comments and docstrings; "unreadable" for a syntax error."""
    import ast  # only after an edit

    with open(path, "rb") as source:
        try:
            tree = ast.parse(source.read())
        except (SyntaxError, ValueError):
            return "unreadable"
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [each for each in node.body if not _is_text(each)]
    return _digest(ast.dump(tree).encode())


def _is_text(statement: Any) -> bool:
    """Return True for a statement that is a string alone: a docstring, of a function or below a constant."""
    value = getattr(statement, "value", None)
    return type(statement).__name__ == "Expr" and isinstance(getattr(value, "value", None), str)


def _digest(content: bytes) -> str:
    import hashlib  # not needed in an installed package, and slow to load

    return hashlib.sha256(content).hexdigest()[:16]
