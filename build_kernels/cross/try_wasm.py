"""`python -m build_kernels.cross.try_wasm MODULE ...`: run tests with the kernels of a WebAssembly module.

The other arguments go to pytest.
There is no numpy for Pyodide in PyPI, so a module for Pyodide cannot be imported before Pyodide itself ships it. This
command runs its kernels without Pyodide: wasmtime loads the module, and each call of a kernel copies the arrays into
the module's memory and back. All else, Python, numpy and the C files of columns, is that of this machine. So the golden
hashes and any other test show whether the kernels compute the same bits.
"""

from __future__ import annotations

import ctypes
import math
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from wasmtime import (
    Engine,
    Func,
    Global,
    GlobalType,
    Instance,
    Limits,
    Memory,
    MemoryType,
    Module,
    Store,
    Table,
    TableType,
    Val,
    ValType,
)

PAGES = 1 << 14
"""Pages of the module's memory: 1 GB."""
STACK_END = 1 << 20
TABLE_SIZE = 1 << 16
ROW = 32
"""Bytes of a `Kernel` in `kernels.c`: three addresses, a number, and four addresses of code."""
MOST_WORDS = 256
"""Most words of arguments, as in `kernels.c`."""
ROOM = STACK_END + (64 << 20)
"""Where arrays begin in the module's memory, behind its own data."""

TWINS = {
    "new_bundle": ("kernels.bundle", "plain_bundle"),
    "lane_array": ("kernels.simd", "plain_lane_array"),
    "flat_points": ("shapes.points", "join_points"),
}
"""Functions of the module that take Python objects, and where the package has the same in Python."""


class Kernels:
    """The kernels of a module, each as a function that takes what the machine code of this system takes."""

    def __init__(self, file: Path) -> None:
        engine = Engine()
        module = Module(engine, file.read_bytes())
        self._store = Store(engine)
        self._memory = Memory(self._store, MemoryType(Limits(PAGES, PAGES)))
        self._table = Table(self._store, TableType(ValType.funcref(), Limits(TABLE_SIZE, None)), None)
        own: dict[str, Any] = {
            "memory": self._memory,
            "__indirect_function_table": self._table,
            "__stack_pointer": self._global(STACK_END, mutable=True),
            "__memory_base": self._global(STACK_END),
            "__table_base": self._global(1),
        }
        given = [own.get(str(each.name)) or self._stand_in(each) for each in module.imports]
        exports: Any = Instance(self._store, module, given).exports(self._store)
        for prepare in ("__wasm_apply_data_relocs", "__wasm_call_ctors"):
            if prepare in exports:
                exports[prepare](self._store)
        self._address = ctypes.addressof(self._memory.data_ptr(self._store).contents)
        self.table = {row[0]: self._kernel(*row) for row in self._rows()}

    def _global(self, value: int, *, mutable: bool = False) -> Global:
        return Global(self._store, GlobalType(ValType.i32(), mutable), Val.i32(value))

    def _stand_in(self, wanted: Any) -> Any:
        """Return something for a name of Python or of the C library. Kernels need two functions of the latter."""
        if isinstance(wanted.type, GlobalType):
            return self._global(0, mutable=True)

        def frexp(number: float, exponent: int) -> float:
            mantissa, power = math.frexp(number)
            self._write(exponent, struct.pack("<i", power))
            return mantissa

        def missing(*arguments: Any) -> Any:
            raise RuntimeError(f"{wanted.name} was called, which no kernel should need")

        found = {"frexp": frexp, "ldexp": lambda number, power: float(np.ldexp(number, power))}
        return Func(self._store, wanted.type, found.get(wanted.name, missing))

    def _write(self, place: int, content: bytes) -> None:
        ctypes.memmove(self._address + place, content, len(content))

    def _rows(self) -> Iterator[tuple[str, str, str, Func]]:
        """Yield name, types of arguments and of results, and code of each kernel, out of the table of `kernels.c`."""
        data = ctypes.string_at(self._address + STACK_END, ROOM - STACK_END)

        def text(address: int) -> str:
            start = address - STACK_END
            return data[start : data.index(b"\0", start)].decode()

        def is_row(place: int) -> bool:
            name, takes, returns, count, code = struct.unpack_from("<5I", data, place)
            are_texts = min(name, takes, returns) > STACK_END and max(name, takes, returns) < ROOM
            return are_texts and count < MOST_WORDS and code < TABLE_SIZE and text(name)[:12] != "ecs_collide."

        some = data.index(b"\0algorithms.") + 1 + STACK_END
        first = last = data.index(struct.pack("<I", some))
        while is_row(first - ROW):
            first -= ROW
        while is_row(last + ROW):
            last += ROW
        for place in range(first, last + ROW, ROW):
            name, takes, returns, _, code = struct.unpack_from("<5I", data, place)
            entry: Any = self._table.get(self._store, code)
            yield text(name), text(takes), text(returns), entry

    def _kernel(self, name: str, takes: str, returns: str, code: Func) -> Callable[..., Any]:
        def kernel(*arguments: Any) -> Any:
            words: list[Any] = []
            letters = iter(takes)
            for argument in arguments:
                _add_words(letters, argument, words)
            places = _Places(words, ROOM)
            for start, size, place in places.blocks:
                ctypes.memmove(self._address + place, start, size)
            bundles, at = [], places.end
            for number, word in enumerate(words):
                if isinstance(word, tuple):
                    bundles.append(_native_form(word, places))
                    words[number] = struct.pack("<q", at)
                    at += len(bundles[-1])
            block = b"".join([*bundles, *(_packed(word, places) for word in words)])
            self._write(places.end, block)
            results = places.end + len(block)
            failed = code(self._store, at, results)
            if failed:
                raise RuntimeError(f"{name} failed with code {failed}: an index is out of range")
            for start, size, place in places.blocks:
                ctypes.memmove(start, self._address + place, size)
            found = ctypes.string_at(self._address + results, 8 * max(1, len(returns)))
            return _result(iter(returns), iter(struct.iter_unpack("8s", found))) if returns else None

        kernel.__name__ = name
        return kernel


class _Places:
    """Where the arrays of a call lie in the module's memory. Arrays that share memory share it there too."""

    def __init__(self, words: list[Any], room: int) -> None:
        arrays = sorted((array.ctypes.data, array.nbytes) for array in _arrays(words))
        merged: list[list[int]] = []
        for start, size in arrays:
            if merged and start <= merged[-1][1]:
                merged[-1][1] = max(merged[-1][1], start + size)
            else:
                merged.append([start, start + size])
        self.blocks: list[tuple[int, int, int]] = []
        """Address, bytes, and place in the module's memory."""
        for start, stop in merged:
            self.blocks.append((start, stop - start, room + start % 64))
            room = (room + start % 64 + stop - start + 127) // 64 * 64
        self.end = room
        """The first place behind them."""
        self._starts = np.array([start for start, _, _ in self.blocks])

    def of(self, array: np.ndarray) -> int:
        """Return the place of an array."""
        start, _, place = self.blocks[int(np.searchsorted(self._starts, array.ctypes.data, "right")) - 1]
        return place + array.ctypes.data - start


def _arrays(words: Iterable[Any]) -> Iterator[np.ndarray]:
    for word in words:
        if isinstance(word, np.ndarray):
            yield word
        elif isinstance(word, tuple):
            yield from _arrays(word[1:])


def _add_words(letters: Iterator[str], value: Any, words: list[Any]) -> None:
    """Add the words of an argument: numbers as bytes, arrays and bundles as they are, with the shape behind."""
    letter = next(letters)
    if letter in "q?":
        words.append(struct.pack("<q", value))
    elif letter == "d":
        words.append(struct.pack("<d", value))
    elif letter == "B":
        next(letters)
        words.append(value)
    elif letter == "t":
        next(letters)
        for item in value:
            _add_words(letters, item, words)
    else:
        if letter == "r":
            next(letters)
        next(letters)
        words.append(value)
        words.extend(struct.pack("<q", length) for length in value.shape)


def _native_form(value: Any, places: _Places) -> bytes:
    """Return the native form of a bundle, see `ecs_collide/kernels/bundle.py`, for arrays at their places."""
    if isinstance(value, np.ndarray):
        words = (0, 0, value.size, value.itemsize, places.of(value), *value.shape, *value.strides)
        return struct.pack(f"<{len(words)}q", *words)
    if isinstance(value, tuple):
        return b"".join(_native_form(field, places) for field in value[1:])
    return struct.pack("<d" if isinstance(value, float) else "<q", value)


def _packed(word: Any, places: _Places) -> bytes:
    return word if isinstance(word, bytes) else struct.pack("<q", places.of(word))


def _result(letters: Iterator[str], words: Iterator[tuple[bytes]]) -> Any:
    letter = next(letters)
    if letter == "t":
        return tuple(_result(letters, words) for _ in range(ord(next(letters)) - ord("0")))
    (number,) = struct.unpack("<d" if letter == "d" else "<q", next(words)[0])
    return bool(number) if letter == "?" else number


def _function_of_package(room: str, name: str) -> Callable[..., Any]:
    """Return a function that calls one of the package, which is not imported before."""
    return lambda *given: getattr(import_module(f"ecs_collide.{room}"), name)(*given)


def replace_kernels(file: Path) -> None:
    """Let the package, which was not imported yet, use the kernels of a WebAssembly module."""
    ours: Any = ModuleType("ecs_collide._kernels")
    ours.KERNELS = Kernels(file).table
    ours.INSTRUCTION_SET = ours.CPUS = "wasm32"
    ours.SOURCES = ""
    vars(ours).update({name: _function_of_package(*place) for name, place in TWINS.items()})
    ours.__file__ = str(file)
    ours.__spec__ = ModuleSpec(ours.__name__, None, origin=None)
    sys.modules[ours.__name__] = ours
    from ecs_collide.kernels import calls, kernel

    vars(calls)["KERNEL_MODE"] = kernel.KernelMode.PLAIN  # lists of calls are run by Python


def main() -> None:
    """Run the command line."""
    replace_kernels(Path(sys.argv[1]))
    sys.exit(pytest.main(["--override-ini=addopts=", "-p", "no:cacheprovider", *sys.argv[2:]]))


if __name__ == "__main__":
    main()
