"""Digests of everything that a kernel's machine code depends on: its code, its callees', and the constants in them."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np

import ecs_collide
from build_kernels.compiler import OPTIONS
from ecs_collide.kernels.module import digest_of_code
from ecs_collide.kernels.signature import declared_types, items_of, letters

_HERE = Path(__file__).parent
_PACKAGE = Path(ecs_collide.__file__).parent
_IN_PACKAGE = [
    _PACKAGE / "kernels" / f"{name}.py"
    for name in ("arrays", "bundle", "numba_internals", "numba_types", "signature", "simd_lowering")
]
_COMPILER = [_HERE / f"{name}.py" for name in ("backend", "compiler", "frontend")] + _IN_PACKAGE
EVERY_KERNEL = (
    sys.version,
    numba.__version__,
    llvmlite.__version__,
    np.__version__,
    OPTIONS,
    list(map(digest_of_code, _COMPILER)),
)
"""Common inputs of all kernels: versions, options, and the code of the compiler."""


class Fingerprint:
    """Digests of functions and their callees, and the files of the package in which these stand."""

    def __init__(self) -> None:
        self.files = set(_IN_PACKAGE)
        self._parts: dict[int, str] = {}
        self._calls: dict[FunctionType, dict[FunctionType, None]] = {}
        self._open: list[FunctionType] = []

    def of_kernel(self, function: FunctionType) -> str:
        """Return the digest of a kernel and of the types that it declares."""
        types = [self._type(hint) for hint in declared_types(function).values()]
        return _digest(repr((EVERY_KERNEL, types, self._function(function))))

    def reached(self, kernel: FunctionType) -> dict[str, int]:
        """Return the names of a kernel's functions, with the lengths of their code; call `of_kernel` first."""
        found, rest = {}, [kernel]
        while rest:
            function = rest.pop()
            name = f"{function.__module__}.{function.__qualname__}#{self._parts[id(function)][:8]}"
            if name not in found:
                found[name] = len(function.__code__.co_code)
                rest += self._calls[function]
        return found

    def _type(self, hint: Any) -> Any:
        """Return the part of an annotation; a class of bundles or named tuples adds its fields' names and types."""
        if hasattr(hint, "_fields"):
            self._note(sys.modules[hint.__module__].__file__)
            lengths = getattr(hint, "_lengths", ())
            items = [self._type(item) for item in items_of(hint)]
            return hint.__module__, hint.__qualname__, hint._fields, lengths, items
        return letters(hint)

    def _value(self, value: Any, names: tuple[str, ...]) -> str:
        """Return the part of a global or captured value; of a module, only of its values that are among `names`."""
        if isinstance(value, FunctionType):
            return self._function(value) if value.__module__.startswith("ecs_collide") else value.__name__
        if isinstance(value, ModuleType):
            if not value.__name__.startswith("ecs_collide"):
                return value.__name__
            self._note(value.__file__)
            return repr([(name, self._value(getattr(value, name), names)) for name in names if hasattr(value, name)])
        if isinstance(value, type):
            self._note(getattr(sys.modules[value.__module__], "__file__", None))
            return repr((value.__qualname__, getattr(value, "_fields", None)))
        return repr(value)

    def _function(self, function: FunctionType) -> str:
        if self._open:
            self._calls[self._open[-1]][function] = None
        if id(function) not in self._parts:
            self._parts[id(function)] = function.__qualname__  # until it is known, for one that calls itself
            self._calls[function] = {}
            self._open.append(function)
            self._note(function.__code__.co_filename)
            names = tuple(sorted(_names(function.__code__)))
            known = [(name, function.__globals__[name]) for name in names if name in function.__globals__]
            cells = [cell.cell_contents for cell in function.__closure__ or ()]
            parts: list[Any] = [_code(function.__code__), function.__defaults__]
            parts += [(name, self._value(value, names)) for name, value in known]
            parts += [self._value(cell, names) for cell in cells]
            self._parts[id(function)] = _digest(repr(parts))
            self._open.pop()
        return self._parts[id(function)]

    def _note(self, file: str | None) -> None:
        if file and Path(file).is_relative_to(_PACKAGE):
            self.files.add(Path(file))


def _names(code: CodeType) -> set[str]:
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _code(code: CodeType) -> tuple[Any, ...]:
    first, *others = code.co_consts or (None,)
    kept = others if first is None or isinstance(first, str) else [first, *others]  # without the docstring
    consts = [_code(const) if isinstance(const, CodeType) else const for const in kept]
    return code.co_code.hex(), consts, code.co_names, code.co_varnames


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
